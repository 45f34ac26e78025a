import { ScrollText, Unplug, X } from 'lucide-react'
import type { GrantTerm, SiteView } from '../../../background/views/settings-views.ts'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SelectField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Identicon } from '../../ui/pictures/identicon.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { GRANT_TERMS, TERM_NAMES } from '../../ui/text/grant-terms.ts'
import { NETWORK_NAMES, sayName } from '../../ui/text/names.ts'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import { formatDay } from '../../ui/text/time-text.ts'
import { showToast } from '../../ui/toast.tsx'
import { describeUse, SitePills } from './site-parts.tsx'
import styles from './sites.module.css'

type Grant = SiteView['grants'][number]

/** One connected site: what it may see, for how long, and what it asked. */
export function Site(_: PageProps) {
  const [, , , origin = ''] = useRoute()
  const {
    answer: sites,
    problem,
    busy,
    retry,
  } = useQuery(() => call('getSites', null), '', [...['sites', 'sites.uses', 'settings']])
  const site = sites?.find(one => one.origin === origin)
  const { host, unencrypted, local } = describeOrigin(origin)
  const task = useTask()
  const revoke = (grant: Grant | null) =>
    task.run(async () => {
      const place = grant && { accountId: grant.accountId, network: grant.network }
      await call('revokeSite', { origin, grant: place })
      showToast(words('sitesRevoked_one'))
      if (grant === null) return goBack()
      // The button that had the focus goes.
      document.querySelector('h1')?.focus()
      retry()
    })
  const limit = (term: GrantTerm) =>
    task.run(async () => {
      await call('limitSite', { origin, term })
      retry()
    })
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        site ? (
          <Button variant="secondary" busy={task.busy} onClick={() => void revoke(null)}>
            <Unplug size={16} aria-hidden />
            {words('sitesRevoke')}
          </Button>
        ) : null
      }
    >
      <div className={styles.head}>
        <Identicon text={origin} size={40} />
        <div>
          <Title>
            <span className={classNames(textStyles.mono, textStyles.breakable)}>{host}</span>
          </Title>
          {site ? (
            <>
              <p className={textStyles.note}>{describeUse(site)}</p>
              <SitePills site={site} />
            </>
          ) : null}
        </div>
      </div>
      {unencrypted && !local ? (
        <Notice tone="caution">{words('approvalUnencrypted')}</Notice>
      ) : null}
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      {problem ? (
        <RetryNotice tone="danger" problem={problem} busy={busy} onRetry={retry} />
      ) : sites === null ? (
        <SkeletonRows count={3} />
      ) : !site ? (
        <p className={textStyles.muted}>{words('siteNotConnected')}</p>
      ) : (
        <>
          <section className={layoutStyles.stack}>
            <h2>{words('siteSees')}</h2>
            <Rows label={words('siteSees')}>
              {site.grants.map(grant => {
                const name = sayName(grant.accountName) || words('sitesUnknownAccount')
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
                        onClick={() => void revoke(grant)}
                      >
                        <X size={16} aria-hidden />
                      </IconButton>
                    ) : null}
                  </li>
                )
              })}
            </Rows>
          </section>
          <SelectField<GrantTerm | ''>
            label={words('siteTerm')}
            note={words('siteTermNote')}
            value={termOf(site)}
            options={[
              ...(termOf(site) === ''
                ? [{ value: '' as const, name: words('siteTermMixed') }]
                : []),
              ...GRANT_TERMS.map(value => ({
                value,
                name: words(TERM_NAMES[value]),
              })),
            ]}
            onChoose={term => (term === '' ? undefined : void limit(term))}
          />
        </>
      )}
      <Rows label={words('askedTitleOne')}>
        <LinkRow
          to={`/settings/sites/asked/${encodeURIComponent(origin)}`}
          icon={<ScrollText size={18} aria-hidden />}
          title={words('askedTitleOne')}
          note={words('askedNote')}
        />
      </Rows>
    </Screen>
  )
}

/** What all its grants have; empty where they differ. The rule for sites that are not used is no term of its own. */
function termOf({ grants }: SiteView): GrantTerm | '' {
  const terms = new Set(
    grants.map(({ endsWithLock, isForADay }) =>
      endsWithLock ? 'lock' : isForADay ? 'day' : 'always',
    ),
  )
  const [first = 'always'] = terms
  return terms.size > 1 ? '' : first
}
