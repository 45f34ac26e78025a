import { Atom } from 'lucide-react'
import type { AtomicalsPage } from '../../../background/views/asset-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { keyOfAtomical } from '../../../ordinals/asset-key.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import { useAtomicalsServer } from '../../state/atomicals-server.tsx'
import { pauseForIndex } from '../../state/pause-for-index.ts'
import { subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { InscriptionPicture } from '../../ui/pictures/inscription-picture.tsx'
import rowStyles from '../../ui/row.module.css'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { ATOMICAL_NEWS } from './use-atomicals.ts'

/** Pictures that fit beside the words. */
const SHOWN = 2

/** The way to the Atomicals; nothing where no server tells of them. */
export function HomeAtomicals({ state }: { state: WalletState }) {
  return useAtomicalsServer(state) ? <Entry state={state} /> : null
}

/** How many there are, and what the newest look like. */
function Entry({ state }: { state: WalletState }) {
  const { answer, problem } = useQuery(
    () => call('getAtomicals', { offset: 0, limit: SHOWN }),
    subjectOf(state),
    ATOMICAL_NEWS,
    ({ unchecked }) => pauseForIndex(unchecked.why),
  )
  return (
    <Rows label={words('atomicalsTitle')}>
      <LinkRow
        to="/atomicals"
        icon={<Atom size={20} aria-hidden />}
        title={words('atomicalsTitle')}
        note={
          answer === null
            ? words(problem === null ? 'inscriptionsLooking' : 'inscriptionsUnknown')
            : describe(answer)
        }
        end={
          answer && answer.total > 0 ? (
            <span className={rowStyles.pictures}>
              {answer.nfts.slice(0, SHOWN).map(({ id, name }) => (
                <InscriptionPicture key={id} id={keyOfAtomical(id)} size="small" name={name} />
              ))}
            </span>
          ) : null
        }
      />
    </Rows>
  )
}

/** How many of what; coins of which nothing is known are told of with the inscriptions, unless that is all there is to say. */
function describe({ total, tokens, unchecked: { count } }: AtomicalsPage): string {
  const parts = [
    ...(total > 0 ? [countWords('atomicalsCountNfts', total)] : []),
    ...(tokens.length > 0 ? [countWords('atomicalsCountTokens', tokens.length)] : []),
  ]
  if (parts.length > 0) return joinFacts(parts)
  return count > 0 ? countWords('inscriptionsUncheckedShort', count) : words('atomicalsNone')
}
