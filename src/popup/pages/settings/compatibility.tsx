import { goBack } from '../../platform/route.ts'
import { findCurrentSite } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
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

/** Where Satchel answers in the place of other wallets, for sites that list only those. */
export function Compatibility(_: PageProps) {
  const { alias, problem, failure, change } = useOkxAlias()
  const here = useQuery(findCurrentSite, '', [])
  const set = async (next: Parameters<typeof change>[0]) => {
    const done = await change(next)
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
      ) : alias === null || here.busy ? (
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
