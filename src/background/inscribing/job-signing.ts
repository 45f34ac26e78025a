import { toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { type ParsedTransaction, parseTransaction } from '../../bitcoin/transaction.ts'
import { UNANSWERED } from '../../chain/open/asset-answers.ts'
import type { CoinAssets } from '../../ordinals/asset.ts'
import { traceAssets } from '../../ordinals/flow/asset-flow.ts'
import type { Inscribing } from '../../ordinals/inscriptions/inscribing.ts'
import { decipherRunestone } from '../../ordinals/runes/runestone.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import type { SentRecord } from '../activity/sent-records.ts'
import {
  assetsByOutpoint,
  decodeAsset,
  describeCarried,
  type OutputAssets,
} from '../activity/stored-assets.ts'
import { createIsOf } from '../coins/coins.ts'
import type { Clock } from '../primitives/clock.ts'
import { addressOfFirst } from './inscribe-review.ts'
import type { JobBytes, JobTransaction } from './job-record.ts'
import { encodeInscribing } from './stored-inscribing.ts'

/** A signed transaction of a job, in the order in which they spend from each other. */
export type SignedPart = {
  kind: JobTransaction['kind']
  rawTx: Uint8Array
  fee: bigint
  feeRate: number
  /** Txid of the one that it takes the place of. */
  replaces: string | null
}

/** An own coin that a signing spends, and what sits on it. */
export type SigningInput = { outpoint: string; amount: bigint; assets: CoinAssets }

const CLEAN: CoinAssets = { known: true, assets: [] }

/** What one signing adds to a job; `inscribing` is null where its commit stays, and `before` what was signed earlier. */
export function describeSigning(
  context: PaymentContext<Clock>,
  parts: readonly SignedPart[],
  {
    inscribing,
    coins,
    before,
    attempt,
    origin,
    own,
  }: {
    inscribing: Inscribing | null
    coins: readonly SigningInput[]
    before: readonly JobTransaction[]
    attempt: number
    origin: string | null
    /** The account's addresses that the parts pay. */
    own: readonly AccountAddress[]
  },
): { transactions: JobTransaction[]; bytes: JobBytes } {
  const { wallet, account, network } = context
  const isOwn = createIsOf(own)
  const known = new Map(coins.map(coin => [coin.outpoint, coin]))
  const txids = new Set(before.map(({ txid }) => txid))
  const transactions: JobTransaction[] = []
  const raw: JobBytes['raw'] = {}
  const records: SentRecord[] = []
  for (const { kind, rawTx, fee, feeRate, replaces } of parts) {
    const parsed = parseTransaction(rawTx)
    const { txid, vsize, outputs } = parsed
    const spends = parsed.inputs.map(formatOutpoint)
    const parentTxids = [...new Set(parsed.inputs.map(input => input.txid))].filter(one =>
      txids.has(one),
    )
    const spent = spends.flatMap(outpoint => known.get(outpoint) ?? [])
    const made = outputs.flatMap((output, vout) =>
      isOwn(output.scriptPubKey) ? [{ ...output, vout }] : [],
    )
    const leafAmounts = kind === 'commit' && inscribing ? listLeafAmounts(inscribing) : []
    // Of an etching nothing is known before a block has it and the index tells: somebody else may have the name first.
    const isEtching = decipherRunestone(outputs.map(one => one.scriptPubKey)).kind !== 'none'
    const carried = isEtching ? null : traceParts(parsed, kind, known)
    txids.add(txid)
    transactions.push({
      txid,
      kind,
      spends,
      parentTxids,
      fee: String(fee),
      vsize,
      feeRate,
      leafAmounts,
      attempt,
    })
    raw[txid] = toHex(rawTx)
    for (const { vout, amount } of made) {
      const assets = carried?.[vout]?.map(decodeAsset) ?? []
      const content: CoinAssets = carried ? { known: true, assets } : UNANSWERED
      const outpoint = formatOutpoint({ txid, vout })
      known.set(outpoint, { outpoint, amount, assets: content })
    }
    records.push({
      txid,
      network,
      accountId: account.id,
      kind: isEtching ? 'etching' : kind,
      net: String(sumOf(made) - sumOf(spent)),
      counterparty: kind === 'delivery' ? addressOfFirst(outputs, network) : null,
      fee: String(fee),
      origin,
      at: wallet.now(),
      status: 'sending',
      height: null,
      replacedBy: null,
      about: null,
      // No bytes, so that the activity does not broadcast it: the job does, in its order.
      rawTx: '',
      spends,
      creates: made.map(({ vout }) => formatOutpoint({ txid, vout })),
      ...(carried && { carries: assetsByOutpoint(txid, carried) }),
      payment: null,
      replaces,
    })
  }
  const stored = inscribing && encodeInscribing(inscribing)
  return { transactions, bytes: { inscribing: stored, raw, records } }
}

/** What its outputs carry; the inscription that a reveal makes is on the first sat. */
function traceParts(
  { txid, inputs, outputs }: ParsedTransaction,
  kind: JobTransaction['kind'],
  known: ReadonlyMap<string, SigningInput>,
): OutputAssets | null {
  // The commit's outputs are made of clean coins.
  const spent = inputs.map(input => known.get(formatOutpoint(input)) ?? null)
  const held = spent.map(coin => coin?.assets ?? CLEAN)
  const traced = spent.map((coin, at) => ({
    amount: coin?.amount ?? null,
    assets: held[at] ?? CLEAN,
  }))
  const isLaden = held.some(assets => !assets.known || assets.assets.length > 0)
  const { moves } = isLaden ? traceAssets({ inputs: traced, outputs }) : { moves: [] }
  const carried = describeCarried(held, moves)
  if (!carried || kind !== 'reveal') return carried
  const made = { kind: 'inscription' as const, id: `${txid}i0` as const, offset: '0' }
  return { ...carried, 0: [made, ...(carried[0] ?? [])] }
}

/** Sats of each item: of its leaf's output and, with a parent, of what pays its fee. */
function listLeafAmounts({ commit, reveals, parent }: Inscribing): string[] {
  return reveals.map(({ amount }, item) => {
    const forFee = parent ? commit.outputs[reveals.length + item] : undefined
    return String(amount + (forFee?.amount ?? 0n))
  })
}

function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((total, { amount }) => total + amount, 0n)
}
