import { Gem, Images } from 'lucide-react'
import type { InscriptionPage } from '../../../background/views/asset-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, currentLanguage, words } from '../../platform/words.ts'
import { pauseForIndex } from '../../state/pause-for-index.ts'
import { COIN_NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { InscriptionPicture } from '../../ui/pictures/inscription-picture.tsx'
import rowStyles from '../../ui/row.module.css'
import { LinkRow, Rows } from '../../ui/row.tsx'

/** Pictures that fit beside the words. */
const SHOWN = 3

/** The ways to the gallery, with how many there are and what the newest look like, and to the runes where there are any. */
export function HomeInscriptions({ state }: { state: WalletState }) {
  const { answer, problem } = useQuery(
    () => call('getInscriptions', { offset: 0, limit: SHOWN }),
    subjectOf(state),
    COIN_NEWS,
    ({ unchecked }) => pauseForIndex(unchecked.why),
  )
  return (
    <Rows label={words('inscriptionsTitle')}>
      <LinkRow
        to="/inscriptions"
        icon={<Images size={20} aria-hidden />}
        title={words('inscriptionsTitle')}
        note={
          answer === null
            ? words(problem === null ? 'inscriptionsLooking' : 'inscriptionsUnknown')
            : describe(answer)
        }
        end={
          answer && answer.total > 0 ? (
            <span className={rowStyles.pictures}>
              {answer.inscriptions.slice(0, SHOWN).map(({ id, kind }) => (
                <InscriptionPicture key={id} id={id} kind={kind} size="small" />
              ))}
            </span>
          ) : null
        }
      />
      {answer && answer.runes > 0 ? (
        <LinkRow
          to="/runes"
          icon={<Gem size={20} aria-hidden />}
          title={words('runesTitle')}
          note={countWords('runesCount', answer.runes)}
        />
      ) : null}
    </Rows>
  )
}

/** How many, and of how many coins nothing is known. */
function describe({ total, unchecked: { count } }: InscriptionPage): string {
  if (count === 0)
    return total > 0 ? total.toLocaleString(currentLanguage()) : words('inscriptionsNone')
  const parts = total > 0 ? [countWords('inscriptionsCount', total)] : []
  return joinFacts([...parts, countWords('inscriptionsUncheckedShort', count)])
}
