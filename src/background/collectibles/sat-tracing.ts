import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { flowSats, type SatPoint } from '../../ordinals/flow/sat-flow.ts'
import type { RevealedInscription } from './inscription-reveal.ts'
import {
  type RawTransaction,
  TooFarError,
  type TransactionLookup,
  txidOfHash,
} from './transaction-lookup.ts'

/** Where following a sat ended, after so many transactions that moved it. */
export type SatTrace =
  /** On an output that nothing spends, or on the one that was looked for. */
  | { kind: 'found'; satpoint: SatPoint; hops: number }
  /** Too many moves, or into a fee. */
  | { kind: 'too-far'; hops: number }
  /** The server names a spender that does not spend it. */
  | { kind: 'unanswered' }

const MAX_HOPS = 25

/** ord's place for what is bound to no sat. */
const UNBOUND: SatPoint = { outpoint: `${'00'.repeat(32)}:0`, offset: 0n }

/** Follows the sat that a reveal inscribes, up to the output `goal` or as far as it went. Throws as the lookup does, except for TooFarError. */
export async function followInscribedSat(
  lookup: TransactionLookup,
  reveal: RevealedInscription,
  goal: string,
): Promise<SatTrace> {
  let hops = 0
  try {
    let { transaction } = reveal
    let place = await findInscribedSat(lookup, reveal)
    if (place === null) return { kind: 'found', satpoint: UNBOUND, hops }
    for (; ; hops++) {
      const landing = dealSat(transaction, place)
      if (landing === 'fee') break
      const { output: vout, offset } = landing
      const at = { txid: transaction.getId(), vout }
      const satpoint = { outpoint: formatOutpoint(at), offset }
      if (satpoint.outpoint === goal) return { kind: 'found', satpoint, hops }
      const spender = await lookup.chain.fetchSpender(at)
      if (spender === null) return { kind: 'found', satpoint, hops }
      if (hops === MAX_HOPS) break
      transaction = await lookup.get(spender)
      const input = transaction.ins.findIndex(
        ({ hash, index }) => index === vout && txidOfHash(hash) === at.txid,
      )
      if (input === -1) return { kind: 'unanswered' }
      place = sum(await lookup.amountsOf(transaction.ins.slice(0, input))) + offset
    }
  } catch (error) {
    if (!(error instanceof TooFarError)) throw error
  }
  return { kind: 'too-far', hops }
}

/** Counted through the reveal's outputs as ord does (`inscription_updater.rs`); null for an inscription that is bound to none. */
async function findInscribedSat(
  lookup: TransactionLookup,
  { transaction, envelope, inscription: { pointer } }: RevealedInscription,
): Promise<bigint | null> {
  const amounts = await lookup.amountsOf(transaction.ins.slice(0, envelope.input + 1))
  if (envelope.unrecognizedEvenField || amounts.at(-1) === 0n) return null
  const outputs = sum(transaction.outs.map(({ value }) => value))
  return pointer !== null && pointer < outputs ? pointer : sum(amounts.slice(0, -1))
}

function dealSat({ outs }: RawTransaction, place: bigint) {
  const [move] = flowSats({
    inputs: [place + 1n],
    outputs: outs.map(({ value }) => value),
    assets: [{ input: 0, offset: place }],
  })
  return move?.to ?? 'fee'
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
