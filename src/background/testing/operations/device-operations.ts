import { p2wpkh, Transaction } from '@scure/btc-signer'
import { fromHex, toHex } from '../../../bitcoin/bytes.ts'
import { textDraft } from '../../inscribing/testing/job-world.ts'
import { addCosigned, createCosigners } from '../../payments/testing/cosigners.ts'
import type { DeviceAccountView } from '../../views/account-views.ts'
import { addDevice, addPairedDevice, createDevice, type Device } from '../device-wallet.ts'
import { draft, RECIPIENT } from '../funded-wallet.ts'
import { fund } from '../test-wallet.ts'
import type { Scene } from '../wallet-scene.ts'
import type { Operation } from './operation.ts'

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

const PAIR = { descriptor: device.describe('p2wpkh'), ordinals: device.describe('p2tr') }

/** A SegWit and a Taproot account of a device. */
async function addApart({ worker }: Scene) {
  const { id: accountId } = await addDevice(worker, device, 'p2wpkh')
  const { id: ordinalsId } = await addDevice(worker, device, 'p2tr')
  await worker.ui('setManyAddresses', { accountId: ordinalsId, on: false })
  return { accountId, ordinalsId }
}

/** An inscription of an account of two keys on a device that is to be sent, and what the device signed of it. */
async function signTransferOnDevice({ world, worker }: Scene) {
  const { address, ordinals } = await addPairedDevice(worker, device)
  fund(world, address, 90_000n)
  const id = world.assets.inscribe(`${fund(world, ordinals?.address ?? '', 546n)}:0`, {
    body: 'one',
  })
  const order = { ids: [id], to: RECIPIENT, feeRate: 2, label: '' }
  const { planId, digest } = await worker.ui('planTransfer', order)
  const { task } = await worker.ui('getDeviceTask', { planId, digest })
  return { planId, digest, returned: device.signAll(task) }
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

const cosigners = createCosigners('p2wsh')

/** A payment of an account of several signers that goes round them, and what the first of them signed of it. */
async function signFirst({ world, worker }: Scene) {
  const account = await addCosigned(worker, cosigners)
  fund(world, account.address, 90_000n)
  const { planId, digest } = await worker.ui('planPayment', draft({}))
  const { psbt } = await worker.ui('getCosigning', { planId, digest })
  return { planId, digest, returned: cosigners.sign(0, psbt) }
}

/** The same with all signatures. */
async function signAll(scene: Scene) {
  const first = await signFirst(scene)
  const { psbt } = await scene.worker.ui('addCosignature', first)
  const second = { ...first, returned: cosigners.sign(1, psbt) }
  await scene.worker.ui('addCosignature', second)
  return second
}

/** A payment of an account of which this wallet is one of the signers. */
async function planWithOwnKey({ world, worker }: Scene) {
  const own = await worker.ui('getCosignerKey', { script: 'p2wsh' })
  const keys = [own, device.keyAt("48'/1'/0'/2'")].map(key => `${key}/<0;1>/*`)
  const account = await addCosigned(worker, {
    descriptor: `wsh(sortedmulti(1,${keys}))`,
  })
  fund(world, account.address, 90_000n)
  const { planId, digest } = await worker.ui('planPayment', draft({}))
  await worker.ui('getCosigning', { planId, digest })
  return { planId, digest, returned: '' }
}

/** A plan that has not gone anywhere yet. */
async function planCosigned({ world, worker }: Scene) {
  const account = await addCosigned(worker, cosigners)
  fund(world, account.address, 90_000n)
  const { planId, digest } = await worker.ui('planPayment', draft({ label: 'roof' }))
  return { planId, digest, returned: '' }
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

/** Calls of our own pages for accounts whose keys are elsewhere. */
export const DEVICE_OPERATIONS: readonly Operation[] = [
  {
    ...{ name: 'ui.addDevice', method: 'ui.addDevice' },
    params: () => ({ descriptor: device.describe('p2tr'), name: 'Cold' }),
  },
  {
    ...{ name: 'ui.addDevice, of two keys', method: 'ui.addDevice' },
    params: () => ({ ...PAIR, name: 'Cold' }),
  },
  {
    ...{ name: 'ui.scanDevicePair', method: 'ui.scanDevicePair' },
    params: () => PAIR,
  },
  {
    ...{ name: 'ui.confirmPayment, by two keys of a device', method: 'ui.confirmPayment' },
    prepare: signTransferOnDevice,
    params: (_, signed: Signed) => signed,
  },
  {
    ...{ name: 'ui.joinAccounts, of a device', method: 'ui.joinAccounts', prepare: addApart },
    params: (_, ids: Awaited<ReturnType<typeof addApart>>) => ({ ...ids, name: 'Both' }),
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
  {
    ...{ name: 'ui.addDevice, of several signers', method: 'ui.addDevice' },
    params: () => ({ descriptor: cosigners.descriptor, name: 'Family' }),
  },
  {
    ...{ name: 'ui.getCosigning', method: 'ui.getCosigning', prepare: planCosigned },
    params: (_, { planId, digest }: Signed) => ({ planId, digest }),
  },
  {
    ...{ name: 'ui.addCosignature', method: 'ui.addCosignature', prepare: signFirst },
    params: (_, signed: Signed) => signed,
  },
  {
    ...{ name: 'ui.getCosignerKey', method: 'ui.getCosignerKey' },
    params: () => ({ script: 'p2tr' }),
  },
  {
    ...{ name: 'ui.signCosigning', method: 'ui.signCosigning', prepare: planWithOwnKey },
    params: (_, { planId, digest }: Signed) => ({ planId, digest }),
  },
  {
    ...{ name: 'ui.sendCosigned', method: 'ui.sendCosigned', prepare: signAll },
    params: (_, { planId, digest }: Signed) => ({ planId, digest }),
  },
  {
    ...{ name: 'ui.listCosignings', method: 'ui.listCosignings', prepare: signFirst },
    params: () => null,
  },
  {
    ...{ name: 'ui.dropCosigning', method: 'ui.dropCosigning', prepare: signFirst },
    params: (_, { planId }: Signed) => ({ planId }),
  },
]
