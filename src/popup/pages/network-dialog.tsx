import { useState } from 'react'
import type { WalletState } from '../../background/ui-methods/ui-methods.ts'
import type { Network } from '../../bitcoin/network.ts'
import { call, RpcError } from '../rpc.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceGroup } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { NETWORK_NAMES } from '../ui/names.ts'

type NetworkDialogProps = {
  state: WalletState
  onClose: () => void
  onChanged: () => Promise<void>
}

const OPTIONS = [
  { value: 'mainnet', name: NETWORK_NAMES.mainnet, note: 'Real bitcoin' },
  { value: 'testnet4', name: NETWORK_NAMES.testnet4, note: 'Public test network' },
  { value: 'signet', name: NETWORK_NAMES.signet, note: 'Public test network, calmer' },
  { value: 'regtest', name: NETWORK_NAMES.regtest, note: 'Your own, on this computer' },
] as const

/** Which network is used, and which server it is read from. */
export function NetworkDialog({ state, onClose, onChanged }: NetworkDialogProps) {
  const [network, setNetwork] = useState<Network>(state.network)
  /** What was typed; null while nothing was, so that the server in use is shown. */
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [saved, setSaved] = useState(false)
  const [busy, setBusy] = useState(false)
  const serverInUse = state.network === network ? state.server.esploraUrl : ''

  const attempt = async (change: () => Promise<null>) => {
    setError(null)
    setSaved(false)
    try {
      await change()
      await onChanged()
      return true
    } catch (problem) {
      setError(explain(problem))
      return false
    }
  }
  const choose = async (chosen: Network) => {
    setNetwork(chosen)
    setTyped(null)
    if (!(await attempt(() => call('selectNetwork', { network: chosen })))) {
      setNetwork(state.network)
    }
  }
  const save = async () => {
    setBusy(true)
    const esploraUrl = (typed ?? serverInUse).trim()
    if (await attempt(() => call('setServer', { network, esploraUrl }))) {
      setTyped(null)
      setSaved(true)
    }
    setBusy(false)
  }

  return (
    <Dialog title="Network" onClose={onClose}>
      <ChoiceGroup label="Network" value={network} options={OPTIONS} onChoose={choose} />
      <form
        className="server"
        autoComplete="off"
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label="Server"
          inputMode="url"
          value={typed ?? serverInUse}
          placeholder="https://…"
          error={error}
          note={
            saved
              ? 'Saved.'
              : 'An Esplora server. It learns your addresses. Empty it to restore the default.'
          }
          onChange={event => {
            setTyped(event.currentTarget.value)
            setSaved(false)
            setError(null)
          }}
        />
        <Button look="secondary" type="submit" busy={busy}>
          Save
        </Button>
      </form>
    </Dialog>
  )
}

function explain(problem: unknown): string {
  if (problem instanceof RpcError && problem.code === -32602) {
    return 'This is no server address. It starts with https://, or is on this computer: http://127.0.0.1.'
  }
  return problem instanceof Error ? problem.message : String(problem)
}
