import { formatOutpoint } from '../../../bitcoin/outpoint.ts'
import type { ParsedTransaction } from '../../../bitcoin/transaction.ts'
import type { Asset, RuneAsset } from '../../../ordinals/asset.ts'
import { flowRunes } from '../../../ordinals/flow/rune-flow.ts'
import type { RuneId } from '../../../ordinals/rune-id.ts'
import { decipherRunestone } from '../../../ordinals/runes/runestone.ts'

/** Where lost sats are: ord's name for what went to no output. */
export const NOWHERE = `${'00'.repeat(32)}:4294967295`

type Held = Map<string, Asset[]>

/**
 * What sits where after these transactions, in the order of their blocks, how many sats their outputs hold, and which outpoints
 * they spend; `placed` is what appears on outputs when they come to be. Sats are counted apart from the wallet's own code.
 * `mint` says what a transaction mints that names this rune, null for nothing.
 */
export function followAssets(
  transactions: readonly ParsedTransaction[],
  placed: ReadonlyMap<string, readonly Asset[]>,
  mint: (rune: RuneId, txid: string) => RuneAsset | null = () => null,
): {
  holdings: ReadonlyMap<string, readonly Asset[]>
  amounts: ReadonlyMap<string, bigint>
  spent: ReadonlySet<string>
} {
  const holdings: Held = new Map()
  const amounts = new Map<string, bigint>()
  const spent = new Set<string>()
  for (const transaction of transactions) {
    moveSats(transaction, holdings, amounts)
    moveRunes(transaction, holdings, mint)
    for (const input of transaction.inputs) {
      holdings.delete(formatOutpoint(input))
      spent.add(formatOutpoint(input))
    }
    for (const [vout, { amount }] of transaction.outputs.entries()) {
      const outpoint = formatOutpoint({ txid: transaction.txid, vout })
      amounts.set(outpoint, amount)
      for (const asset of placed.get(outpoint) ?? []) put(holdings, outpoint, asset)
    }
  }
  return { holdings, amounts, spent }
}

function moveSats(
  { txid, inputs, outputs }: ParsedTransaction,
  holdings: Held,
  amounts: ReadonlyMap<string, bigint>,
): void {
  let before: bigint | null = 0n
  for (const input of inputs) {
    const outpoint = formatOutpoint(input)
    for (const asset of holdings.get(outpoint) ?? []) {
      if (asset.kind !== 'inscription') continue
      if (before === null) throw new Error('Memory assets: an input before has no known amount')
      let left = before + (asset.offset ?? 0n)
      let vout = 0
      while (vout < outputs.length && left >= (outputs[vout]?.amount ?? 0n))
        left -= outputs[vout++]?.amount ?? 0n
      const to = vout < outputs.length ? formatOutpoint({ txid, vout }) : NOWHERE
      put(holdings, to, { ...asset, offset: left })
    }
    const amount = amounts.get(outpoint)
    before = before === null || amount === undefined ? null : before + amount
  }
}

function moveRunes(
  { txid, inputs, outputs }: ParsedTransaction,
  holdings: Held,
  mint: (rune: RuneId, txid: string) => RuneAsset | null,
): void {
  const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
  const runestone = decipherRunestone(scripts)
  const minted =
    runestone.kind !== 'none' && runestone.mint !== null ? mint(runestone.mint, txid) : null
  const held = [
    ...inputs.flatMap(input => holdings.get(formatOutpoint(input)) ?? []),
    ...(minted ? [minted] : []),
  ].filter((asset): asset is RuneAsset & { rune: string } => asset.kind === 'rune' && !!asset.rune)
  const moves = flowRunes({
    balances: held,
    scriptPubKeys: scripts,
  })
  for (const { rune, amount, to } of moves) {
    const asset = held.find(one => one.rune === rune)
    if (asset && to !== 'burnt')
      put(holdings, formatOutpoint({ txid, vout: to }), { ...asset, amount })
  }
}

function put(holdings: Held, outpoint: string, asset: Asset): void {
  holdings.set(outpoint, [...(holdings.get(outpoint) ?? []), asset])
}
