import { ServerOff } from 'lucide-react'
import type { WalletState } from '../../background/views/ui-methods.ts'
import { navigate } from '../platform/route.ts'
import { call } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Notice } from '../ui/notice.tsx'
import { useQuery } from './use-query.ts'

/** Why nothing is known of Atomicals, what that means, and the way to change it. */
export function NotChecked() {
  return (
    <Empty icon={<ServerOff size={20} aria-hidden />} title={words('atomicalsNotChecked')}>
      <p>{words('atomicalsNotCheckedNote')}</p>
      <ChooseServer />
    </Empty>
  )
}

/** The same beside a list of coins; nothing where a server is set. */
export function NotCheckedNotice({ state }: { state: WalletState }) {
  if (useAtomicalsServer(state) !== false) return null
  return (
    <Notice tone="info" actions={<ChooseServer />}>
      <p>{words('atomicalsNotCheckedCoins')}</p>
    </Notice>
  )
}

function ChooseServer() {
  return (
    <Button variant="quiet" onClick={() => navigate('/settings/servers')}>
      {words('brc20ChooseServer')}
    </Button>
  )
}

/** Whether a server is set that tells of Atomicals on the network in use; null while not known. */
export function useAtomicalsServer({ network }: WalletState): boolean | null {
  const { answer } = useQuery(() => call('getServers', { network }), network, ['servers'])
  return answer?.some(({ kind, url }) => kind === 'atomicals' && url !== '') ?? null
}
