import { encodeAddress } from '../../testing/device-wallet.ts'
import { SITE } from '../../testing/funded-wallet.ts'
import { connectPage, createWorld, startUnlocked } from '../../testing/test-wallet.ts'
import { MASTER } from './many-addresses.ts'

/** Public keys and addresses of the test phrase's second accounts, by the BIP-32 library and scure-btc-signer. */
const KEYS = {
  payment: MASTER.derivePath("m/84'/1'/1'/0/0").publicKey,
  ordinals: MASTER.derivePath("m/86'/1'/1'/0/0").publicKey,
}
export const PUBLIC_KEYS = {
  payment: Buffer.from(KEYS.payment).toString('hex'),
  ordinals: Buffer.from(KEYS.ordinals).toString('hex'),
}
export const PAYMENT = encodeAddress('p2wpkh', KEYS.payment)
export const ORDINALS = encodeAddress('p2tr', KEYS.ordinals)

/** A wallet in use with an account of two addresses, payments on Native SegWit and ordinals on Taproot, and a page that is connected to it. */
export async function startPaired(world = createWorld()) {
  const worker = await startUnlocked(world)
  const name = 'Everyday'
  const account = await worker.ui('addAccount', { addressType: 'p2wpkh', name, ordinals: true })
  await worker.ui('selectAccount', { accountId: account.id })
  return { world, worker, account, page: await connectPage(worker, SITE) }
}
