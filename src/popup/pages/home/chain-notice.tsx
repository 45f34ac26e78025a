import type { ChainFault, ChainState } from '../../../background/views/settings-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import noticeStyles from '../../ui/notice.module.css'
import { Notice } from '../../ui/notice.tsx'

/** Only what the network tells: a payment of our own is no new block. */
const BLOCK_NEWS = ['live']

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
  const isRefused = answer.is === 'refused'
  return (
    <Notice
      tone={isRefused ? 'danger' : 'caution'}
      title={words(isRefused ? 'chainRefusedTitle' : 'chainBehindTitle')}
      live
    >
      <p>{explain(answer, host)}</p>
      <div className={noticeStyles.actions}>
        <Button variant="quiet" onClick={() => navigate('/settings/servers')}>
          {words('serverChange')}
        </Button>
      </div>
    </Notice>
  )
}

function explain(state: Exclude<ChainState, { is: 'followed' }>, host: string): string {
  if (state.is === 'behind') return countWords('chainBehind', state.blocks, { host })
  return words(FAULT_WORDS[state.fault], { host })
}
