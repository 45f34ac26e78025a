import { Globe, Unplug, X } from 'lucide-react'
import { useState } from 'react'
import type { SiteView } from '../../../background/views/settings-views.ts'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Identicon } from '../../ui/pictures/identicon.tsx'
import rowStyles from '../../ui/row.module.css'
import { Link } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { NETWORK_NAMES } from '../../ui/text/names.ts'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import { formatDay } from '../../ui/text/time-text.ts'
import { showToast } from '../../ui/toast.tsx'
import { BlockedSites } from './blocked-sites.tsx'
import styles from './settings.module.css'

/** From this many on, a field to look for one is worth its place. */
const MANY = 8

type Grant = SiteView['grants'][number]

/** The sites that the person has connected, what each may see, and taking it back. */
export function Sites(_: PageProps) {
  const { answer: sites, problem, retry } = useQuery(() => call('getSites', null), '', ['sites'])
  const [search, setSearch] = useState('')
  const [leaving, setLeaving] = useState<SiteView[] | null>(null)
  const task = useTask()
  const revoke = (revoked: SiteView[], grant: Grant | null) =>
    task.run(async () => {
      for (const { origin } of revoked) {
        await call('revokeSite', {
          origin,
          grant: grant && { accountId: grant.accountId, network: grant.network },
        })
      }
      setLeaving(null)
      retry()
      showToast(countWords('sitesRevoked', revoked.length))
    })
  const shown = sites?.filter(({ origin }) => origin.includes(search.trim().toLowerCase())) ?? []
  return (
    <>
      <Screen
        head={<BackButton onBack={goBack} />}
        foot={
          sites && sites.length > 1 ? (
            <Button variant="secondary" onClick={() => setLeaving(sites)}>
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
            <div className={layoutStyles.stack} aria-busy="true">
              <Skeleton size="block" />
              <Skeleton size="block" />
            </div>
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
            <ul className={styles.sites}>
              {shown.map(site => (
                <Site
                  key={site.origin}
                  site={site}
                  busy={task.busy}
                  onRevoke={grant => void revoke([site], grant)}
                />
              ))}
            </ul>
          </>
        )}
        {task.failure && leaving === null ? (
          <Notice tone="danger" live>
            {task.failure}
          </Notice>
        ) : null}
        <BlockedSites />
        {sites && sites.length > 0 ? <NotFound /> : null}
      </Screen>
      {leaving ? (
        <ConfirmDialog
          title={countWords('sitesRevokeTitle', leaving.length)}
          action={words('sitesRevoke')}
          busy={task.busy}
          failure={task.failure}
          onConfirm={() => void revoke(leaving, null)}
          onClose={() => setLeaving(null)}
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

type SiteProps = { site: SiteView; busy: boolean; onRevoke: (grant: Grant | null) => void }

function Site({ site, busy, onRevoke }: SiteProps) {
  const { host, unencrypted, local } = describeOrigin(site.origin)
  return (
    <li className={styles.site}>
      <div className={styles.siteHead}>
        <Identicon text={site.origin} size={32} />
        <div>
          <h2 className={classNames(textStyles.mono, textStyles.breakable)}>{host}</h2>
          {unencrypted && !local ? (
            <p className={textStyles.note}>{words('approvalUnencrypted')}</p>
          ) : null}
        </div>
      </div>
      <ul>
        {site.grants.map(grant => {
          const name = grant.accountName || words('sitesUnknownAccount')
          const network = NETWORK_NAMES[grant.network]
          return (
            <li key={`${grant.accountId} ${grant.network}`} className={styles.grant}>
              <span className={rowStyles.text}>
                <span className={rowStyles.title}>{name}</span>
                <span className={rowStyles.note}>
                  {words('sitesGrant', { network, date: formatDay(grant.at) })}
                </span>
              </span>
              {site.grants.length > 1 ? (
                <IconButton
                  label={words('sitesRevokeOne', { host, name, network })}
                  onClick={() => onRevoke(grant)}
                >
                  <X size={16} aria-hidden />
                </IconButton>
              ) : null}
            </li>
          )
        })}
      </ul>
      <Button
        variant="quiet"
        start
        aria-label={`${words('sitesRevoke')}: ${host}`}
        disabled={busy}
        onClick={() => onRevoke(null)}
      >
        <Unplug size={16} aria-hidden />
        {words('sitesRevoke')}
      </Button>
    </li>
  )
}
