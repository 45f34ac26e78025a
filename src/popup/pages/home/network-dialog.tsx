import { Server } from 'lucide-react'
import { useState } from 'react'
import type { Network } from '../../../bitcoin/network.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ChoiceGroup } from '../../ui/fields/choice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { NETWORK_NAMES, nameHost } from '../../ui/text/names.ts'

/** Which network is used, and the way to its servers. */
export function NetworkDialog({ state, onChanged, onClose }: PageProps & { onClose: () => void }) {
  /** Shown at once, before the background has it; null when it has. */
  const [wanted, setWanted] = useState<Network | null>(null)
  const task = useTask()
  const choose = async (network: Network) => {
    setWanted(network)
    await task.run(async () => {
      await call('selectNetwork', { network })
      await onChanged()
    })
    setWanted(null)
  }
  return (
    <Dialog title={words('networkTitle')} onClose={onClose}>
      <ChoiceGroup
        label={words('networkTitle')}
        value={wanted ?? state.network}
        options={[
          { value: 'mainnet', name: NETWORK_NAMES.mainnet, note: words('networkMainnet') },
          { value: 'testnet4', name: NETWORK_NAMES.testnet4, note: words('networkTestnet4') },
          { value: 'signet', name: NETWORK_NAMES.signet, note: words('networkSignet') },
          { value: 'regtest', name: NETWORK_NAMES.regtest, note: words('networkRegtest') },
        ]}
        onChoose={network => void choose(network)}
      />
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      <Rows label={words('networkMore')}>
        <LinkRow
          to="/settings/servers"
          icon={<Server size={18} aria-hidden />}
          title={words('serversTitle')}
          note={nameHost(state.server.url)}
        />
      </Rows>
    </Dialog>
  )
}
