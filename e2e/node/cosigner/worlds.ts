import { equalBytes } from '../../../src/bitcoin/bytes.ts'
import type { Coin, Holding } from './coins.ts'
import { encodeRaw, txidOf } from './coins.ts'
import type { DraftItem, DraftOutput } from './drafts.ts'
import { type Landed, land } from './landing.ts'
import { digestOf, type OwnSignature, scriptSigOf, toTransaction } from './signatures.ts'

/** A transaction of the attacker's making; witnesses are what he shows besides signatures. */
export type MadeTransaction = {
  inputs: readonly { coin: Coin; sequence?: number; witness?: readonly Uint8Array[] }[]
  outputs: readonly DraftOutput[]
  /** The item of a request that it is, but for what no signature covers. */
  proposed: { request: number; item: number } | null
}

/** The same, with what follows: who signed it, and what it does. */
export type PlayedTransaction = MadeTransaction & {
  txid: string
  /** By input: signatures of the wallet that are valid there. */
  signatures: readonly (readonly OwnSignature[])[]
  holdings: readonly (readonly Holding[])[]
  landed: readonly Landed[]
  net: bigint
  fee: bigint
}

/** Transactions, parents first, which can all be mined. */
export type PlayedWorld = readonly PlayedTransaction[]

/** Everything that the attacker has of a case. */
export type Loot = {
  signatures: readonly OwnSignature[]
  /** `txid` is the one under which other items know it. */
  items: readonly { request: number; item: number; draft: DraftItem; txid: string }[]
  coins: ReadonlyMap<string, Coin>
}

/** A world of these transactions; null where one of them is not valid, or has no signature of the wallet. */
export function playWorld(
  made: readonly MadeTransaction[],
  { signatures }: Loot,
): PlayedWorld | null {
  const spent = new Set<string>()
  const created = new Map<
    string,
    { script: Uint8Array; amount: bigint; holdings: readonly Holding[] }
  >()
  const played: PlayedTransaction[] = []
  for (const transaction of made) {
    const { inputs, outputs } = transaction
    if (inputs.length === 0 || outputs.length === 0) return null
    for (const { coin } of inputs) {
      if (spent.has(coin.at)) return null
      spent.add(coin.at)
      if (coin.raw) continue
      const origin = created.get(coin.at)
      if (origin?.amount !== coin.amount || !equalBytes(origin.script, coin.script)) return null
    }
    const fee = sumOf(inputs.map(({ coin }) => coin)) - sumOf(outputs)
    if (fee < 0n) return null
    const valid = findSignatures(transaction, signatures)
    if (!valid) return null
    const spends = inputs.map(({ coin, sequence = 0xfffffffd }, at) => ({
      ...{ ...coin.outpoint, sequence, scriptSig: scriptSigOf(coin, valid[at]?.[0]) },
    }))
    const txid = txidOf(encodeRaw(spends, outputs))
    const holdings = inputs.map(({ coin }) => created.get(coin.at)?.holdings ?? coin.holdings)
    const landed = land({
      inputs: inputs.map(({ coin, witness = coin.shows }, at) => ({
        ...{ outpoint: coin.outpoint, amount: coin.amount, holdings: holdings[at] ?? [], witness },
      })),
      outputs,
    })
    for (const [vout, output] of outputs.entries()) {
      const received = landed.flatMap(({ to, output: at, holding }) =>
        to === 'output' && at === vout && holding ? holding : [],
      )
      created.set(`${txid}:${vout}`, { ...output, holdings: received })
    }
    const own = sumOf(inputs.flatMap(({ coin }) => (coin.owner === 'own' ? coin : [])))
    const net = sumOf(outputs.filter(output => output.own)) - own
    played.push({ ...transaction, txid, signatures: valid, holdings, landed, net, fee })
  }
  return played
}

/** By input, what the wallet signed that is valid there; null where a signature that is needed is not, or none is used. */
function findSignatures(
  { inputs, outputs }: MadeTransaction,
  signatures: readonly OwnSignature[],
): OwnSignature[][] | null {
  const transaction = toTransaction({ inputs, outputs })
  const prevouts = inputs.map(({ coin }) => ({ scriptPubKey: coin.script, amount: coin.amount }))
  let used = 0
  const valid: OwnSignature[][] = []
  for (const [index, { coin }] of inputs.entries()) {
    const digests = new Map<number, string | null>()
    const digest = (sighash: number) => {
      if (!digests.has(sighash))
        digests.set(sighash, digestOf(transaction, prevouts, index, coin, sighash))
      return digests.get(sighash)
    }
    const fitting = signatures.filter(
      signature => signature.coin.at === coin.at && signature.digest === digest(signature.sighash),
    )
    if (fitting.length === 0 && !coin.open) return null
    used += fitting.length
    valid.push(fitting)
  }
  return used > 0 ? valid : null
}

export function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((total, { amount }) => total + amount, 0n)
}
