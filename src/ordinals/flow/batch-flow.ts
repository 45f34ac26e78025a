import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import type { Asset, CoinAssets, UnknownReason } from '../asset.ts'
import { keyOfAsset } from '../asset-key.ts'
import { type AssetMove, type TracedOperation, traceAssets } from './asset-flow.ts'

/** What is known to sit on a coin, and why there may be more; null where there is not. */
export type Contents = { assets: readonly Asset[]; unknown: UnknownReason | null }

export type BatchTransaction = {
  txid: string
  inputs: readonly { outpoint: string; amount: bigint | null }[]
  outputs: readonly TransactionOutput[]
  /** Outputs on which its own bytes may put something, by {@link findCreatedAssets}. */
  creates: ReadonlySet<number>
  /** What its witnesses say to Atomicals, by readAtomicalOperation; null unless given. */
  operation?: TracedOperation
}

export type TracedTransaction = { contents: readonly Contents[]; moves: readonly AssetMove[] }

/**
 * Where assets go through transactions that may spend each other's outputs, in any order. An output of one of them holds
 * what moves into it and what the transaction itself creates there; where an input is unknown, so is the output.
 * `assetsOf` gives the assets of every other coin. `evidenceOf` gives what is known of an output of one of them besides,
 * since its transaction may be in a block by now; null for nothing.
 */
export function traceBatch(
  transactions: readonly BatchTransaction[],
  assetsOf: (outpoint: string) => CoinAssets,
  evidenceOf: (outpoint: string) => CoinAssets | null = () => null,
): TracedTransaction[] {
  const makers = new Map(
    transactions.flatMap(({ txid, outputs }, at) =>
      outputs.map((_, output) => [formatOutpoint({ txid, vout: output }), { at, output }] as const),
    ),
  )
  const traced = new Map<number, TracedTransaction>()
  const underWay = new Set<number>()
  return transactions.map(trace)

  function trace(transaction: BatchTransaction, at: number): TracedTransaction {
    const known = traced.get(at)
    if (known) return known
    underWay.add(at)
    const contents = transaction.inputs.map(({ outpoint }) => contentsOf(outpoint))
    const inputs = transaction.inputs.map(({ amount }, input) => ({
      amount,
      assets: { known: true, assets: contents[input]?.assets ?? [] } as const,
      mayHoldMore: contents[input]?.unknown !== null,
    }))
    const { outputs, operation = null } = transaction
    const result = { contents, ...traceAssets({ inputs, outputs, operation }) }
    traced.set(at, result)
    return result
  }

  function contentsOf(outpoint: string): Contents {
    const maker = makers.get(outpoint)
    const transaction = maker && transactions[maker.at]
    // Two transactions cannot spend each other. Where the ids say so, they are wrong, and nothing is known.
    if (transaction && !traced.has(maker.at) && underWay.has(maker.at))
      return { assets: [], unknown: 'contradicted' }
    if (transaction) {
      const made = contentsMade(trace(transaction, maker.at), maker.output)
      const isClear = !transaction.creates.has(maker.output)
      const contents = isClear ? made : { ...made, unknown: made.unknown ?? 'unconfirmed' }
      return uniteContents(contents, evidenceOf(outpoint))
    }
    const told = assetsOf(outpoint)
    return told.known ? { assets: told.assets, unknown: null } : { assets: [], unknown: told.why }
  }
}

function contentsMade({ contents, moves }: TracedTransaction, output: number): Contents {
  const assets = moves.flatMap(({ asset, to }): Asset[] => {
    if (to.kind !== 'output' || to.output !== output) return []
    return [asset.kind === 'inscription' ? { ...asset, offset: to.offset } : asset]
  })
  const why = contents.find(({ unknown }) => unknown !== null)?.unknown ?? null
  return {
    assets,
    unknown: moves.some(({ to }) => to.kind === 'unknown') ? (why ?? 'unanswered') : why,
  }
}

/** What a transaction of the batch puts on a coin, and what else is known of it. */
function uniteContents(made: Contents, evidence: CoinAssets | null): Contents {
  if (evidence === null || (!evidence.known && evidence.why === 'unconfirmed')) return made
  if (!evidence.known) return { ...made, unknown: made.unknown ?? evidence.why }
  const united = new Map(made.assets.map(asset => [keyOfAsset(asset), asset]))
  for (const asset of evidence.assets) {
    const key = keyOfAsset(asset)
    united.set(key, uniteAsset(asset, united.get(key)))
  }
  return { assets: [...united.values()], unknown: null }
}

/** The larger amount; an inscription that is placed on two sats has no known offset. */
function uniteAsset(told: Asset, made: Asset | undefined): Asset {
  if (told.kind === 'inscription') {
    const other = made?.kind === 'inscription' ? made.offset : null
    const isElsewhere = told.offset !== null && other !== null && told.offset !== other
    return { ...told, offset: isElsewhere ? null : (told.offset ?? other) }
  }
  return made && made.kind !== 'inscription' && made.amount > told.amount
    ? { ...told, amount: made.amount }
    : told
}
