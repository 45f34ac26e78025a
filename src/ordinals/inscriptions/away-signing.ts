import { hash160 } from 'bitcoinjs-lib/src/crypto'
import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { scriptPubKeyOf, typeOfScript, witnessProgramScript } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import type { Payer } from '../../bitcoin/payments/payment.ts'
import { encodePushes } from '../../bitcoin/script.ts'
import { layOutTransaction, type RevealTransaction } from './reveal.ts'

/** A transaction of which a device is to sign the account's inputs, without any scripts; `at` is its place among all that are signed. */
export type AwayTransaction = { at: number; transaction: Transaction }

/**
 * A device would have to sign a spend of a transaction whose txid only its own signatures make known: inputs of P2PKH have theirs in what
 * the txid covers.
 */
export class UnforeseenTxidError extends Error {
  override name = 'UnforeseenTxidError'
}

/**
 * Those of the transactions that have inputs of the account, in their order, with the txids that all will have; and the raw transactions of
 * whose txids are known before anything is signed (their witnesses are missing). `furtherKeys` are of other addresses of the account. Throws {@link UnforeseenTxidError}.
 */
export function listAway(
  transactions: readonly RevealTransaction[],
  { publicKey }: Payer,
  furtherKeys: readonly Uint8Array[] = [],
): { away: AwayTransaction[]; foreseen: Map<string, Uint8Array> } {
  const nested = new Map(
    [publicKey, ...furtherKeys].map(key => [
      toHex(scriptPubKeyOf(key, 'p2sh-p2wpkh')),
      encodePushes([witnessProgramScript(0, hash160(key))]),
    ]),
  )
  const txids: (string | null)[] = []
  const away: AwayTransaction[] = []
  const foreseen = new Map<string, Uint8Array>()
  for (const [at, { inputs, outputs }] of transactions.entries()) {
    const own = inputs.flatMap(({ unlocking, scriptPubKey }, index) =>
      unlocking.kind === 'account' ? { index, scriptPubKey } : [],
    )
    const spent = inputs.map(input => ({ ...input, txid: txidOf(input.of) ?? '' }))
    if (spent.some(({ txid }) => txid === '')) {
      if (own.length > 0)
        throw new UnforeseenTxidError('It spends a transaction whose txid is not known before')
      txids.push(null)
      continue
    }
    const transaction = layOutTransaction(spent, outputs)
    if (own.length > 0) away.push({ at, transaction: transaction.clone() })
    if (own.some(({ scriptPubKey }) => typeOfScript(scriptPubKey) === 'p2pkh')) {
      txids.push(null)
      continue
    }
    for (const { index, scriptPubKey } of own) {
      const scriptSig = nested.get(toHex(scriptPubKey))
      if (scriptSig) transaction.setInputScript(index, scriptSig)
    }
    const txid = transaction.getId()
    txids.push(txid)
    foreseen.set(txid, transaction.toBuffer())
  }
  return { away, foreseen }

  function txidOf(of: string | number): string | null {
    return typeof of === 'string' ? of : (txids[of] ?? null)
  }
}
