import { goBack } from '../../platform/route.ts'
import { findCurrentSite } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { Switch } from '../../ui/fields/switch.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import { showToast } from '../../ui/toast.tsx'
import { AliasSites } from './alias-sites.tsx'
import { useOkxAlias } from './use-okx-alias.ts'
import './settings.css'

/** Where Satchel answers in the place of OKX Wallet, for sites that look for nothing else. */
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
      <p className="muted">{words('compatLead')}</p>
      {alias === null && problem !== null ? (
        <Notice tone="danger" live>
          {problem}
        </Notice>
      ) : alias === null || here.busy ? (
        <div className="stack" aria-busy="true">
          <Skeleton size="block" />
        </div>
      ) : (
        <>
          <div className="switches">
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
          <p className="muted small">{words('compatAfter')}</p>
          <AliasSites alias={alias} onSet={setSite} />
        </>
      )}
    </Screen>
  )
}
