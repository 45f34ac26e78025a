import { ServerOff } from 'lucide-react'
import type { WalletState } from '../../../background/ui-methods/ui-methods.ts'
import { navigate } from '../../app/route.ts'
import { words } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import noticeStyles from '../../ui/notice.module.css'
import { Notice } from '../../ui/notice.tsx'
import { useAtomicalsServer } from './use-atomicals.ts'

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
    <Notice tone="info">
      <p>{words('atomicalsNotCheckedCoins')}</p>
      <div className={noticeStyles.actions}>
        <ChooseServer />
      </div>
    </Notice>
  )
}

function ChooseServer() {
  return (
    <Button look="quiet" onClick={() => navigate('/settings/servers')}>
      {words('brc20ChooseServer')}
    </Button>
  )
}
