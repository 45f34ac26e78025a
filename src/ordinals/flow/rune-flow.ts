import type { RuneId } from '../rune-id.ts'
import { decipherRunestone } from '../runes/runestone.ts'

/** An amount of a rune, in its smallest unit. */
export type RuneBalance = { rune: RuneId; amount: bigint }

/** Runes that go to an output, or are burnt. */
export type RuneMove = RuneBalance & { to: number | 'burnt' }

/** What a transaction has of one rune while its edicts are carried out. */
type Purse = {
  left: bigint
  /** What every output that is no OP_RETURN gets, besides what is `given` to single ones. */
  everyone: bigint
  given: Map<number, bigint>
}

const OP_RETURN = 0x6a

/**
 * Where the runes of a transaction's inputs go, by the rules of ord's index; the moves of a rune add up to its balances.
 * `balances` are of all inputs together. What only an index knows, the amount that a mint or a premine
 * (of `ETCHED_HERE`) is granted, is a balance too: add it where it is known.
 */
export function flowRunes({
  balances,
  scriptPubKeys,
}: {
  balances: readonly RuneBalance[]
  scriptPubKeys: readonly Uint8Array[]
}): RuneMove[] {
  const runestone = decipherRunestone(scriptPubKeys)
  const isBurner = (output: number) => scriptPubKeys[output]?.[0] === OP_RETURN
  const spendable = [...scriptPubKeys.keys()].filter(output => !isBurner(output))
  const purses = fillPurses(balances)

  const { edicts, pointer } =
    runestone.kind === 'runestone' ? runestone : { edicts: [], pointer: null }
  for (const { rune, amount, output } of edicts) {
    const purse = purses.get(rune)
    if (!purse) continue
    if (output < scriptPubKeys.length) give(purse, output, amount || purse.left)
    else if (spendable.length > 0) giveEveryone(purse, spendable, amount)
  }

  const home = runestone.kind === 'cenotaph' ? undefined : (pointer ?? spendable[0])
  return [...purses].flatMap(([rune, purse]) => {
    if (home !== undefined) give(purse, home, purse.left)
    if (purse.everyone > 0n)
      for (const output of spendable) credit(purse.given, output, purse.everyone)
    const moves: RuneMove[] = []
    let burnt = purse.left
    for (const [to, amount] of [...purse.given].sort(([a], [b]) => a - b)) {
      if (isBurner(to)) burnt += amount
      else moves.push({ rune, amount, to })
    }
    if (burnt > 0n) moves.push({ rune, amount: burnt, to: 'burnt' })
    return moves
  })
}

function fillPurses(balances: readonly RuneBalance[]): Map<RuneId, Purse> {
  const purses = new Map<RuneId, Purse>()
  for (const { rune, amount } of balances) {
    const purse = purses.get(rune)
    if (purse) purse.left += amount
    else purses.set(rune, { left: amount, everyone: 0n, given: new Map() })
  }
  return purses
}

/** Gives the amount, or what is left of it, to one output. */
function give(purse: Purse, output: number, amount: bigint): void {
  const gift = amount < purse.left ? amount : purse.left
  if (gift === 0n) return
  purse.left -= gift
  credit(purse.given, output, gift)
}

/**
 * Gives each of these outputs the amount until none is left; for 0, an equal part of all, and the first ones one unit more.
 * Whole rounds are only counted, so an edict visits every output at most once per rune: the last time, when all is given.
 */
function giveEveryone(purse: Purse, outputs: readonly number[], amount: bigint): void {
  const count = BigInt(outputs.length)
  const share = amount || purse.left / count
  const goesRound = share * count <= purse.left
  if (goesRound) {
    purse.everyone += share
    purse.left -= share * count
    if (amount > 0n) return
  }
  for (const output of outputs) {
    if (purse.left === 0n) return
    give(purse, output, amount || 1n)
  }
}

function credit(given: Map<number, bigint>, output: number, amount: bigint): void {
  given.set(output, (given.get(output) ?? 0n) + amount)
}
