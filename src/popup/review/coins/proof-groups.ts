import type { ConfirmationProof, ProofFault } from '../../../background/views/activity-views.ts'
import type { AssetMoveView } from '../../../background/views/asset-views.ts'
import type {
  ReviewedInput,
  ReviewedOutput,
  Warning,
} from '../../../background/views/payment-views.ts'

/** As much of a review as tells which coins it rests on. */
export type ReviewedTransaction = {
  inputs: readonly ReviewedInput[]
  outputs: readonly Pick<ReviewedOutput, 'sats' | 'own'>[]
  assets?: readonly AssetMoveView[]
  warnings: readonly Warning[]
  /** Null or missing where it is not known. */
  txid?: string | null
}

/**
 * What is said of transactions together: why some are not proven, or how deep the newest is and the least work behind any, in whole
 * blocks of today (null on networks whose work says nothing); null where neither can be said.
 */
export type Judged = { faults: ProofFault[] } | { depth: number; blocks: number | null } | null

const TXID_LENGTH = 64
const NO_TXID = '0'.repeat(TXID_LENGTH)

/** A transaction that made an own coin, and whether the review says that it is in no block. */
export type OwnTransaction = { txid: string; isTold: boolean }

/** Each transaction that made an own coin, once. */
export function listOwn(transactions: readonly ReviewedTransaction[]): OwnTransaction[] {
  const coins = transactions.flatMap(({ inputs, warnings }) => {
    const told = new Set(
      warnings.flatMap(warning => (warning.kind === 'spends-unconfirmed' ? warning.inputs : [])),
    )
    return inputs.flatMap((input, at) =>
      input.own ? { txid: txidOf(input), isTold: told.has(at) } : [],
    )
  })
  const isMade = listMade(transactions)
  const isTold = new Map<string, boolean>()
  for (const { txid, ...coin } of coins)
    if (!isMade(txid)) isTold.set(txid, coin.isTold || isTold.get(txid) === true)
  return [...isTold].map(([txid, isTold]) => ({ txid, isTold }))
}

/**
 * What rests on others: each transaction that made a coin of theirs which brings an asset or sats to this wallet, and each reveal of an
 * inscription that comes, once.
 */
export function listGoods(transactions: readonly ReviewedTransaction[]): string[] {
  const isMade = listMade(transactions)
  const coins = transactions.flatMap(({ inputs, outputs, assets = [] }) => {
    const coming = assets.filter(({ own, to }) => !own && to === 'own')
    const bringing = new Set([...coming.map(({ input }) => input), ...listPayers(inputs, outputs)])
    return inputs.flatMap((input, at) => (!input.own && bringing.has(at) ? txidOf(input) : []))
  })
  const comingIds = transactions.flatMap(({ assets = [] }) =>
    assets.flatMap(({ own, to, asset }) =>
      !own && to === 'own' && asset.kind === 'inscription' ? asset.id : [],
    ),
  )
  const txids = new Set([...coins, ...listReveals(comingIds)])
  return [...txids].filter(txid => txid !== NO_TXID && !isMade(txid))
}

/** The transactions that revealed these inscriptions, each once. */
export function listReveals(ids: readonly string[]): string[] {
  return [...new Set(ids.map(id => id.slice(0, TXID_LENGTH)))]
}

/**
 * Judges proofs together, the transactions in their order. Of one that is `told` to be in no block that is no fault, but nothing is said
 * of the others then; and nothing is said while one was not asked about.
 */
export function judgeProofs(
  proofs: readonly (ConfirmationProof | null)[],
  told: readonly boolean[] = [],
): Judged {
  const faults = proofs.flatMap((proof, at) => {
    const isTold = told[at] === true && proof?.is === 'unproven' && proof.fault === 'no-block'
    return proof?.is === 'unproven' && !isTold ? [proof.fault] : []
  })
  if (faults.length > 0) return { faults }
  const held = proofs.flatMap(proof => (proof && proof.is !== 'unproven' ? proof : []))
  if (held.length === 0 || held.length < proofs.length) return null
  const works = held.flatMap(({ blocks }) => blocks ?? [])
  return {
    depth: Math.min(...held.map(({ confirmations }) => confirmations)),
    blocks: works.length < held.length ? null : Math.floor(Math.min(...works)),
  }
}

/** Inputs of others whose sats come to own outputs: first in, first out; none from the first on whose amount is not known. */
function listPayers(
  inputs: readonly ReviewedInput[],
  outputs: ReviewedTransaction['outputs'],
): number[] {
  let end = 0n
  const received = outputs.flatMap(({ sats, own }) => {
    const start = end
    end += BigInt(sats)
    return own && end > start ? { start, end } : []
  })
  const unknown = inputs.findIndex(({ sats }) => sats === null)
  let to = 0n
  let first = 0
  return inputs.slice(0, unknown === -1 ? inputs.length : unknown).flatMap((input, at) => {
    const from = to
    to += BigInt(input.sats ?? 0)
    for (let next = received[first]; next && next.end <= from; next = received[++first]);
    const next = received[first]
    return !input.own && next && next.start < to ? at : []
  })
}

/** Whether one of the transactions makes what another spends. */
function listMade(transactions: readonly ReviewedTransaction[]): (txid: string) => boolean {
  const made = new Set(transactions.map(({ txid }) => txid))
  return txid => made.has(txid)
}

function txidOf({ outpoint }: ReviewedInput): string {
  return outpoint.slice(0, TXID_LENGTH)
}
