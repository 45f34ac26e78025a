import { EVERY_SITE, formatHostPattern } from '../../../provider/okx-alias.ts'
import { goBack } from '../../platform/route.ts'
import { findCurrentSite, openInTab } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import { showToast } from '../../ui/toast.tsx'
import { AliasSites } from './alias-sites.tsx'
import styles from './settings.module.css'
import { useOkxAlias } from './use-okx-alias.ts'
import { useSiteAccess } from './use-site-access.ts'

/** Where Satchel answers in the place of other wallets, for sites that list only those. */
export function Compatibility(_: PageProps) {
  const { alias, problem, failure, change } = useOkxAlias()
  const access = useSiteAccess(alias)
  const here = useQuery(findCurrentSite, '', [])
  const set = async (next: Parameters<typeof change>[0]) => {
    // Sent first: what the browser asks may close this window, and the switch is stored whatever is answered.
    const changing = change(next)
    if ('everywhere' in next ? next.everywhere : next.on)
      access.ask('everywhere' in next ? EVERY_SITE : [formatHostPattern(next.origin)])
    const done = await changing
    if (done) showToast(words('compatSaved'))
    return done
  }
  const setSite = (origin: string, on: boolean) => set({ origin, on })
  const site = here.answer
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('compatTitle')}</Title>
      <p className={textStyles.muted}>{words('compatLead')}</p>
      {alias === null && problem !== null ? (
        <Notice tone="danger" live>
          {problem}
        </Notice>
      ) : alias === null || here.busy || !access.isKnown ? (
        <div className={layoutStyles.stack} aria-busy="true">
          <Skeleton size="block" />
        </div>
      ) : (
        <>
          <div className={styles.switches}>
            {site !== null && !alias.everywhere ? (
              <Switch
                label={words('compatHere', { host: describeOrigin(site).host })}
                note={words('compatHereNote')}
                on={alias.origins.includes(site)}
                onChange={on => void setSite(site, on)}
              />
            ) : null}
            <Switch
              label={words('compatEverywhere')}
              note={words('compatEverywhereNote')}
              on={alias.everywhere}
              onChange={everywhere => void set({ everywhere })}
            />
          </div>
          {access.asks && access.missing.length === 0 ? (
            <p className={textStyles.note}>{words('compatAsks')}</p>
          ) : null}
          {access.missing.length > 0 ? (
            <LateNotice
              everywhere={alias.everywhere}
              missing={access.missing}
              onAllow={() => access.ask(access.missing)}
            />
          ) : null}
          {failure ? (
            <Notice tone="danger" live>
              {failure}
            </Notice>
          ) : null}
          <p className={textStyles.note}>{words('compatAfter')}</p>
          <AliasSites alias={alias} onSet={setSite} />
        </>
      )}
    </Screen>
  )
}

type LateNoticeProps = {
  everywhere: boolean
  /** Match patterns of hosts. */
  missing: readonly string[]
  onAllow: () => void
}

/** Where it is on, but comes after a page's first scripts; with a way to change that. */
function LateNotice({ everywhere, missing, onAllow }: LateNoticeProps) {
  const inPopup = document.documentElement.dataset.surface === 'popup'
  const [, , host = ''] = missing[0]?.split('/') ?? []
  const title = everywhere
    ? words('compatLateEverywhere')
    : missing.length === 1
      ? words('compatLateOn', { host })
      : countWords('compatLate', missing.length)
  return (
    <Notice
      tone="caution"
      title={title}
      actions={
        <Button
          variant="quiet"
          // The browser's question would close the toolbar popup, or be hidden behind it.
          onClick={inPopup ? () => void openInTab('/settings/compatibility') : onAllow}
        >
          {words('compatAllow')}
        </Button>
      }
    >
      <p>{words('compatLateWhy')}</p>
    </Notice>
  )
}
