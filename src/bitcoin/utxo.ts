import type { Outpoint } from './outpoint.ts'

/** An unspent output: where it is, how many sats it holds, its script, and its block height (null while unconfirmed). */
export type Utxo = Outpoint & {
  amount: bigint
  scriptPubKey: Uint8Array
  height: number | null
}
