import { p2wpkh, Transaction } from '@scure/btc-signer'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { textDraft } from '../inscribing/testing/job-world.ts'
import type { DeviceAccountView } from '../views/account-views.ts'
import { addDevice, createDevice, type Device } from './device-wallet.ts'
import { draft } from './funded-wallet.ts'
import type { Operation } from './operation.ts'
import { fund } from './test-wallet.ts'
import type { Scene } from './wallet-scene.ts'

const device: Device = createDevice()

/** A payment of an account on a device that was worked out before, and what the device signed of it. */
async function signOnDevice({ world, worker }: Scene) {
  const account = await addDevice(worker, device, 'p2wpkh')
  fund(world, account.address, 90_000n)
  const { planId, digest } = await worker.ui('planPayment', draft({}))
  const { task } = await worker.ui('getDeviceTask', { planId, digest })
  const returned = device.signAll(task)
  return { planId, digest, returned }
}

/** An inscribing of an account on a device that was worked out before, and what the device signed of it. */
async function inscribeOnDevice({ world, worker }: Scene) {
  const account = await addDevice(worker, device, 'p2tr')
  fund(world, account.address, 90_000n)
  const { planId, digest } = await worker.ui('planInscribe', textDraft(['one']))
  const { task } = await worker.ui('getInscribeTask', { planId, digest })
  return { planId, digest, returned: task ? device.signAll(task) : '' }
}

/** The same of mints of a rune. */
async function mintOnDevice({ world, worker, mintDraft }: Scene) {
  const account = await addDevice(worker, device, 'p2wpkh')
  fund(world, account.address, 90_000n)
  const { planId, digest } = await worker.ui('planRuneMint', mintDraft)
  const { task } = await worker.ui('getRuneMintTask', { planId, digest })
  return { planId, digest, returned: device.signAll(task) }
}

/** A PSBT that the person brings to such an account, as it was shown, and what the device signed of it. */
async function signPsbtOnDevice({ world, worker }: Scene) {
  const account = await addDevice(worker, device, 'p2wpkh')
  const txid = fund(world, account.address, 90_000n)
  const { id } = await worker.ui('loadPsbt', { psbt: psbtFrom(world, account, txid) })
  const { digest } = await worker.ui('reviewPsbt', { id })
  const { task } = await worker.ui('getPsbtTask', { id, digest })
  return { id, digest, returned: device.signAll(task) }
}

/** A PSBT (hex) as others make it: it tells nothing of where the key comes from. */
function psbtFrom({ chain }: Scene['world'], { publicKey }: DeviceAccountView, txid: string) {
  const { script } = p2wpkh(fromHex(publicKey))
  const psbt = new Transaction()
  psbt.addInput({
    ...{ txid: fromHex(txid), index: 0, witnessUtxo: { script, amount: 90_000n } },
    nonWitnessUtxo: chain.get(txid) ?? new Uint8Array(),
  })
  psbt.addOutput({ script, amount: 80_000n })
  return toHex(psbt.toPSBT(0))
}

type Signed = { planId: string; digest: string; returned: string }
type SignedPsbt = Awaited<ReturnType<typeof signPsbtOnDevice>>

/** Calls of our own pages for accounts whose key is on a device. */
export const DEVICE_OPERATIONS: readonly Operation[] = [
  {
    ...{ name: 'ui.addDevice', method: 'ui.addDevice' },
    params: () => ({ descriptor: device.describe('p2tr'), name: 'Cold' }),
  },
  {
    ...{ name: 'ui.getDeviceTask', method: 'ui.getDeviceTask', prepare: signOnDevice },
    params: (_, { planId, digest }: Awaited<ReturnType<typeof signOnDevice>>) => ({
      ...{ planId, digest },
    }),
  },
  {
    ...{ name: 'ui.confirmPayment, by a device', method: 'ui.confirmPayment' },
    prepare: signOnDevice,
    params: (_, signed: Awaited<ReturnType<typeof signOnDevice>>) => signed,
  },
  {
    ...{ name: 'ui.getPsbtTask', method: 'ui.getPsbtTask', prepare: signPsbtOnDevice },
    params: (_, { id, digest }: SignedPsbt) => ({ id, digest }),
  },
  {
    ...{ name: 'ui.signPsbt, by a device', method: 'ui.signPsbt', prepare: signPsbtOnDevice },
    params: (_, signed: SignedPsbt) => signed,
  },
  {
    ...{ name: 'ui.getInscribeTask', method: 'ui.getInscribeTask', prepare: inscribeOnDevice },
    params: (_, { planId, digest }: Signed) => ({ planId, digest }),
  },
  {
    ...{ name: 'ui.confirmInscribe, by a device', method: 'ui.confirmInscribe' },
    prepare: inscribeOnDevice,
    params: (_, signed: Signed) => signed,
  },
  {
    ...{ name: 'ui.getRuneMintTask', method: 'ui.getRuneMintTask', prepare: mintOnDevice },
    params: (_, { planId, digest }: Signed) => ({ planId, digest }),
  },
  {
    ...{ name: 'ui.confirmRuneMint, by a device', method: 'ui.confirmRuneMint' },
    prepare: mintOnDevice,
    params: (_, signed: Signed) => signed,
  },
]
