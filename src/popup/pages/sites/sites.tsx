import { Globe, ScrollText } from 'lucide-react'
import { useState } from 'react'
import type { SiteView } from '../../../background/views/settings-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { useSettings } from '../../state/use-settings.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectField, TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Identicon } from '../../ui/pictures/identicon.tsx'
import { Link, LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { sayName } from '../../ui/text/names.ts'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import { showToast } from '../../ui/toast.tsx'
import { BlockedSites } from './blocked-sites.tsx'
import { describeUse, SitePills } from './site-parts.tsx'
import styles from './sites.module.css'

/** From this many on, a field to look for one is worth its place. */
const MANY = 8

const UNUSED_DAYS = { never: null, '30': 30, '90': 90, '365': 365 } as const
type UnusedDays = keyof typeof UNUSED_DAYS

/** The sites that the person has connected, what each may see, and taking it back. */
export function Sites(props: PageProps) {
  const {
    answer: sites,
    problem,
    retry,
  } = useQuery(() => call('getSites', null), '', [...['sites', 'sites.uses', 'settings']])
  const [search, setSearch] = useState('')
  const [leaving, setLeaving] = useState(false)
  const task = useTask()
  const { settings, change, failure } = useSettings(props)
  const revokeAll = () =>
    task.run(async () => {
      const count = sites?.length ?? 0
      await call('revokeAllSites', null)
      setLeaving(false)
      retry()
      showToast(countWords('sitesRevoked', count))
    })
  const shown = sites?.filter(({ origin }) => origin.includes(search.trim().toLowerCase())) ?? []
  return (
    <>
      <Screen
        head={<BackButton onBack={goBack} />}
        foot={
          sites && sites.length > 0 ? (
            <Button variant="secondary" onClick={() => setLeaving(true)}>
              {words('sitesRevokeAll')}
            </Button>
          ) : null
        }
      >
        <Title>{words('sitesTitle')}</Title>
        {sites && sites.length >= MANY ? (
          <TextField
            label={words('sitesSearch')}
            value={search}
            onChange={event => setSearch(event.currentTarget.value)}
          />
        ) : null}
        {sites === null ? (
          problem ? (
            <Notice tone="danger" live>
              {problem}
            </Notice>
          ) : (
            <SkeletonRows count={4} />
          )
        ) : sites.length === 0 ? (
          <Empty icon={<Globe size={24} aria-hidden />} title={words('sitesNone')}>
            <p>{words('sitesNoneNote')}</p>
            <NotFound />
          </Empty>
        ) : shown.length === 0 ? (
          <p className={textStyles.muted}>{words('sitesNoMatch')}</p>
        ) : (
          <>
            <p className={textStyles.muted}>{words('sitesLead')}</p>
            <Rows label={words('sitesTitle')}>
              {shown.map(site => (
                <SiteRow key={site.origin} site={site} />
              ))}
            </Rows>
          </>
        )}
        {task.failure && !leaving ? (
          <Notice tone="danger" live>
            {task.failure}
          </Notice>
        ) : null}
        {failure ? (
          <Notice tone="danger" live>
            {failure}
          </Notice>
        ) : null}
        <Rows label={words('askedTitle')}>
          <LinkRow
            to="/settings/sites/asked"
            icon={<ScrollText size={18} aria-hidden />}
            title={words('askedTitle')}
            note={words('askedNote')}
          />
        </Rows>
        <SelectField<UnusedDays>
          label={words('sitesUnused')}
          note={words('sitesUnusedNote')}
          value={`${settings.disconnectUnusedDays ?? 'never'}`}
          options={(['never', '30', '90', '365'] as const).map(value => ({
            value,
            name:
              value === 'never'
                ? words('sitesUnusedNever')
                : words('sitesUnusedDays', { count: Number(value) }),
          }))}
          onChoose={chosen => void change({ disconnectUnusedDays: UNUSED_DAYS[chosen] })}
        />
        <BlockedSites />
        {sites && sites.length > 0 ? <NotFound /> : null}
      </Screen>
      {leaving ? (
        <ConfirmDialog
          title={countWords('sitesRevokeTitle', sites?.length ?? 0)}
          action={words('sitesRevoke')}
          busy={task.busy}
          failure={task.failure}
          onConfirm={() => void revokeAll()}
          onClose={() => setLeaving(false)}
        >
          <p>{words('sitesRevokeNote')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** The ways out for who came because a site cannot be connected at all. */
function NotFound() {
  return (
    <div className={styles.notFound}>
      <p>
        <Link to="/settings/compatibility">{words('sitesNotFound')}</Link>
      </p>
      <p>
        <Link to="/settings/http">{words('sitesNotEncrypted')}</Link>
      </p>
    </div>
  )
}

function SiteRow({ site }: { site: SiteView }) {
  const { host, unencrypted, local } = describeOrigin(site.origin)
  return (
    <LinkRow
      to={`/settings/sites/of/${encodeURIComponent(site.origin)}`}
      icon={<Identicon text={site.origin} size={32} />}
      title={<span className={classNames(textStyles.mono, textStyles.breakable)}>{host}</span>}
      note={
        <>
          {joinFacts([nameAccounts(site), describeUse(site)])}
          {unencrypted && !local ? ` · ${words('approvalUnencrypted')}` : ''}
          <SitePills site={site} />
        </>
      }
    />
  )
}

/** Its account by name, or how many there are. */
function nameAccounts({ grants }: SiteView): string {
  const ids = new Set(grants.map(({ accountId }) => accountId))
  const [first] = grants
  return ids.size > 1
    ? countWords('siteAccounts', ids.size)
    : sayName(first?.accountName ?? '') || words('sitesUnknownAccount')
}
