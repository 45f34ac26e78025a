import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { ServerWays } from '../../state/server-ways.tsx'
import { useQuery } from '../../state/use-query.ts'
import { Notice } from '../../ui/notice.tsx'

/** Says so when the chain server answers, but has not seen the newest blocks; asked once for each time that it appears. */
export function BehindNotice({ state }: { state: WalletState }) {
  const { network, server } = state
  const { answer } = useQuery(() => call('getServerStates', null), `${network} ${server.url}`, [])
  const behind = answer?.find(({ kind, state }) => kind === 'chain' && state === 'behind')
  if (!behind) return null
  const host = URL.canParse(behind.url) ? new URL(behind.url).host : behind.url
  return (
    <Notice tone="caution" title={words('serverBehindTitle')} actions={<ServerWays />}>
      <p>{words('serverBehind', { host })}</p>
    </Notice>
  )
}
