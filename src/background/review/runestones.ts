import type { Network } from '../../bitcoin/network.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import type { Asset } from '../../ordinals/asset.ts'
import { flowRunes, type RuneBalance } from '../../ordinals/flow/rune-flow.ts'
import { ETCHED_HERE, type RuneId } from '../../ordinals/rune-id.ts'
import { formatRuneAmount } from '../../ordinals/runes/rune-amount.ts'
import { formatRuneName } from '../../ordinals/runes/rune-name.ts'
import { decipherRunestone, type Etching, type MintTerms } from '../../ordinals/runes/runestone.ts'
import { mapConcurrently } from '../primitives/concurrency.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { Sources } from '../settings/servers.ts'
import type { Warning } from '../views/payment-views.ts'
import type {
  RuneAmountView,
  RuneEtchingView,
  RuneLandingView,
  RunestoneView,
} from '../views/runestone-views.ts'

/** What is known of a rune by its id; `minted` is what a mint in the next block would give, null where that is not known. */
export type KnownRune = { name: string; divisibility: number; minted: bigint | null }

export type KnownRunes = ReadonlyMap<RuneId, KnownRune>

/** Edicts that are shown; a runestone can have tens of thousands. */
const MAX_EDICTS = 50

/** Runes that an index is asked about for one review. */
const MAX_LOOKUPS = 12
const CONCURRENCY = 4

const OP_RETURN = 0x6a
const OP_13 = 0x5d

/**
 * What outputs say about runes, deciphered, as it is shown; null where they say nothing. Amounts of runes that are not known
 * are in the smallest unit.
 */
export function describeRunestone(
  outputs: readonly TransactionOutput[],
  runes: KnownRunes,
  { isOpen }: { isOpen: boolean },
): RunestoneView | null {
  const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
  const runestone = decipherRunestone(scripts)
  if (runestone.kind === 'none') return null
  const output = scripts.findIndex(([first, second]) => first === OP_RETURN && second === OP_13)
  if (runestone.kind === 'cenotaph') {
    const { flaw, mint, etching } = runestone
    return {
      ...{ output, isOpen, flaw, edicts: [], edictCount: 0, rest: null },
      mint: mint === null ? null : { ...nameRune(mint, runes), amount: null, landings: [] },
      etching: etching === null ? null : { ...NO_ETCHING, name: nameOfNumber(etching, 0) },
    }
  }
  const { edicts, pointer, mint, etching } = runestone
  const spendable = scripts.findIndex(([first]) => first !== OP_RETURN)
  const rest = pointer ?? spendable
  const minted = mint === null ? null : (runes.get(mint)?.minted ?? null)
  return {
    ...{ output, isOpen, flaw: null },
    edicts: edicts.slice(0, MAX_EDICTS).map(({ rune, amount, output: to }) => ({
      ...nameRune(rune, runes),
      amount: amount === 0n ? null : describeAmount(rune, amount, runes, etching),
      output: to === scripts.length ? null : to,
    })),
    edictCount: edicts.length,
    rest: scripts[rest] && scripts[rest][0] !== OP_RETURN ? rest : null,
    mint: mint === null ? null : describeMint(mint, minted, scripts, runes),
    etching: etching && describeEtching(etching, scripts),
  }
}

/** Says that a runestone is malformed. */
export function warnOfRunestone(runestone: RunestoneView | null): Warning[] {
  return runestone?.flaw ? [{ kind: 'cenotaph', flaw: runestone.flaw }] : []
}

/** What assets tell of the runes among them. */
export function runesOf(assets: readonly Asset[]): Map<RuneId, KnownRune> {
  return new Map(
    assets.flatMap(asset => {
      if (asset.kind !== 'rune' || asset.rune === null) return []
      const { rune, name, divisibility } = asset
      return [[rune, { name, divisibility, minted: null }] as const]
    }),
  )
}

/**
 * The runes that runestones name, by what sits on the inputs and, for others and for mints, by the index's word; what it
 * does not tell in time is left out.
 */
export async function identifyRunestones(
  wallet: Pick<Sources, 'assets'>,
  network: Network,
  transactions: readonly { outputs: readonly TransactionOutput[]; assets: readonly Asset[] }[],
): Promise<KnownRunes> {
  const known = new Map<RuneId, KnownRune>()
  const wanted = new Set<RuneId>()
  for (const { outputs, assets } of transactions) {
    for (const [id, rune] of runesOf(assets)) known.set(id, rune)
    const runestone = decipherRunestone(outputs.map(({ scriptPubKey }) => scriptPubKey))
    if (runestone.kind === 'none') continue
    if (runestone.mint !== null) wanted.add(runestone.mint)
    if (runestone.kind === 'cenotaph') continue
    for (const { rune } of runestone.edicts.slice(0, MAX_EDICTS)) wanted.add(rune)
    // A mint's amount is known by asking alone.
    if (runestone.mint !== null) known.delete(runestone.mint)
  }
  wanted.delete(ETCHED_HERE)
  const asked = [...wanted].filter(id => !known.has(id)).slice(0, MAX_LOOKUPS)
  if (asked.length === 0) return known
  const source = await wallet.assets(network)
  const answers = await mapConcurrently(asked, CONCURRENCY, id =>
    nullIfUnanswered(source.fetchRune(id)),
  )
  for (const facts of answers) {
    if (!facts) continue
    const { id, name, divisibility, isMintable, terms } = facts
    known.set(id, { name, divisibility, minted: isMintable ? (terms?.amount ?? 0n) : 0n })
  }
  return known
}

function nameRune(id: RuneId, runes: KnownRunes): { id: RuneId; name: string | null } {
  return { id, name: runes.get(id)?.name ?? null }
}

function describeAmount(
  rune: RuneId,
  amount: bigint,
  runes: KnownRunes,
  etching: Etching | null,
): RuneAmountView {
  const divisibility =
    rune === ETCHED_HERE ? (etching?.divisibility ?? 0) : runes.get(rune)?.divisibility
  return divisibility === undefined
    ? { text: String(amount), isUnits: true }
    : { text: formatRuneAmount(amount, divisibility), isUnits: false }
}

function describeMint(
  mint: RuneId,
  minted: bigint | null,
  scripts: readonly Uint8Array[],
  runes: KnownRunes,
): RunestoneView['mint'] {
  const divisibility = runes.get(mint)?.divisibility ?? 0
  return {
    ...nameRune(mint, runes),
    amount: minted === null ? null : formatRuneAmount(minted, divisibility),
    landings: land({ rune: mint, amount: minted ?? 0n }, scripts, divisibility),
  }
}

const NO_ETCHING: Omit<RuneEtchingView, 'name'> = {
  ...{ symbol: null, divisibility: 0, premine: '0', landings: [], terms: null, turbo: false },
}

function describeEtching(etching: Etching, scripts: readonly Uint8Array[]): RuneEtchingView {
  const { rune, spacers, symbol, terms, turbo } = etching
  const divisibility = etching.divisibility ?? 0
  const premine = etching.premine ?? 0n
  return {
    name: rune === null ? null : nameOfNumber(rune, spacers ?? 0),
    ...{ symbol, divisibility, turbo },
    premine: formatRuneAmount(premine, divisibility),
    landings: land({ rune: ETCHED_HERE, amount: premine }, scripts, divisibility),
    terms: terms && describeTerms(terms, divisibility),
  }
}

function describeTerms({ amount, cap }: MintTerms, divisibility: number) {
  return { amount: formatRuneAmount(amount ?? 0n, divisibility), cap: String(cap ?? 0n) }
}

/** Where new units go if nothing else of the rune is on the inputs, by the protocol's rules; output null for what is burned. */
function land(
  balance: RuneBalance,
  scriptPubKeys: readonly Uint8Array[],
  divisibility: number,
): RuneLandingView[] {
  if (balance.amount === 0n) return []
  return flowRunes({ balances: [balance], scriptPubKeys }).map(({ to, amount }) => ({
    output: to === 'burnt' ? null : to,
    amount: formatRuneAmount(amount, divisibility),
  }))
}

function nameOfNumber(rune: bigint, spacers: number): string {
  return formatRuneName({ rune, spacers })
}
