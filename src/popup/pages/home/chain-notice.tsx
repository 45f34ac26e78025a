import type { ChainFault, ChainState } from '../../../background/views/settings-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, currentLanguage, type WordKey, words } from '../../platform/words.ts'
import { ServerWays } from '../../state/server-ways.tsx'
import { useQuery } from '../../state/use-query.ts'
import { Notice } from '../../ui/notice.tsx'

type Doubt = Exclude<ChainState, { is: 'followed' }>

/** What may be nobody's fault. */
const CAUTIONS: readonly Doubt['is'][] = ['behind', 'stale', 'unanswered']

/** Only what the network tells: a payment of our own is no new block. */
const BLOCK_NEWS = ['live']

const TITLE_WORDS: { [state in Doubt['is']]: WordKey } = {
  refused: 'chainRefusedTitle',
  stale: 'chainBehindTitle',
  behind: 'chainBehindTitle',
  forked: 'chainRefusedTitle',
  disagree: 'chainDisagreeTitle',
  unanswered: 'chainUnansweredTitle',
}

const FAULT_WORDS: { [fault in ChainFault]: WordKey } = {
  'no-work': 'chainNoWork',
  'other-chain': 'chainOther',
  unlinked: 'chainUnlinked',
  clock: 'chainClock',
  invalid: 'chainInvalid',
}

/** Says so when the blocks that the chain server shows are not those that proof of work leads to. */
export function ChainNotice({ state }: { state: WalletState }) {
  const { network, server } = state
  const { answer } = useQuery(
    () => call('getChainState', null),
    `${network} ${server.url}`,
    BLOCK_NEWS,
  )
  if (!answer || answer.is === 'followed') return null
  const host = URL.canParse(server.url) ? new URL(server.url).host : server.url
  return (
    <Notice
      tone={CAUTIONS.includes(answer.is) ? 'caution' : 'danger'}
      title={words(TITLE_WORDS[answer.is])}
      live
      actions={<ServerWays />}
    >
      <p>{explain(answer, host)}</p>
      {answer.checkedTo === undefined ? null : (
        <p>
          {words('chainCountsTo', { block: answer.checkedTo.toLocaleString(currentLanguage()) })}
        </p>
      )}
    </Notice>
  )
}

function explain(state: Doubt, host: string): string {
  if (state.is === 'stale') return countWords('chainStale', state.hours, { host })
  if (state.is === 'behind') return countWords('chainBehind', state.blocks, { host })
  if (state.is === 'forked') return countWords('chainForked', state.blocks, { host })
  if (state.is === 'disagree') {
    const { blocks, second } = state
    return countWords('chainDisagree', blocks, { host, second })
  }
  if (state.is === 'unanswered') return words('chainUnanswered', { host })
  return words(FAULT_WORDS[state.fault], { host })
}
