import { Transaction as ScureTransaction } from '@scure/btc-signer'
import { Transaction } from 'bitcoinjs-lib/src/transaction'
import type { AddressType } from '../address.ts'
import { fromHex } from '../bytes.ts'
import { createPsbt } from '../psbt/create.ts'
import { planSigning } from '../psbt/plan.ts'
import { readPrevouts } from '../psbt/prevouts.ts'
import { encodePsbt } from '../psbt/psbt.ts'
import { updatePsbt } from '../psbt/update.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { fundingTransaction, spendOf } from './spending.ts'

/** The key of a signer that has nothing but PSBTs. */
export const AWAY_KEY = new Uint8Array(32).fill(0x51)
export const AWAY_PUBLIC_KEY = publicKeyOf(AWAY_KEY)
export const AWAY_ORIGIN = {
  fingerprint: 'd34db33f',
  path: [0x80000054, 0x80000001, 0x80000002, 0, 7],
}

/** A payment of `inputs` coins with change, as it goes to the signer, and what is needed to take its answer. */
export function sendAway(addressType: AddressType, inputs = 2) {
  const publicKey = AWAY_PUBLIC_KEY
  const { script } = spendOf(addressType, publicKey)
  const fundings = Array.from({ length: inputs }, (_, at) =>
    fundingTransaction([{ script, amount: 50_000n + BigInt(at) }], at + 1),
  )
  const unsigned = new Transaction()
  unsigned.version = 2
  for (const { txid } of fundings) unsigned.addInput(fromHex(txid).reverse(), 0, 0xfffffffd)
  unsigned.addOutput(spendOf('p2wpkh', publicKeyOf(new Uint8Array(32).fill(9))).script, 30_000n)
  unsigned.addOutput(script, 60_000n)
  const previous = new Map(fundings.map(({ txid, raw }) => [txid, raw]))
  const key = { publicKey, addressType, origin: AWAY_ORIGIN }
  const created = createPsbt(unsigned)
  const prevouts = readPrevouts(created, previous)
  const sent = updatePsbt(created, { prevouts, previous, keys: [key] })
  const plan = planSigning({ psbt: sent, prevouts, key, inputs: null, expert: false })
  return { unsigned, previous, prevouts, key, keyOf: () => key, sent, plan, script }
}

/** What an independent library makes of it: signed, and final if it says so. */
export function signAway(
  sent: Parameters<typeof encodePsbt>[0],
  { final = false, key = AWAY_KEY, allowedSighash = [0, 1] } = {},
): ScureTransaction {
  const signed = ScureTransaction.fromPSBT(encodePsbt(sent))
  signed.sign(key, allowedSighash)
  if (final) signed.finalize()
  return signed
}

/** What an address of the key hides behind its hash; undefined for one that hides no script. */
export function redeemScriptOf(addressType: AddressType): Uint8Array | undefined {
  const spend = spendOf(addressType, AWAY_PUBLIC_KEY)
  return 'redeemScript' in spend ? spend.redeemScript : undefined
}
