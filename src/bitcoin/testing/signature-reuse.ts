/** A coin of the transaction as drawn: whose it is, its sats, and the sighashes of the signatures that we gave for it. */
export type DrawnInput = {
  owner: 'own' | 'shared' | 'foreign'
  amount: bigint
  sighashes: readonly number[]
}

/** Equal `script`s with equal amounts are the same output. */
export type DrawnOutput = { own: boolean; script: string; amount: bigint }

type Drawn = { inputs: readonly DrawnInput[]; outputs: readonly DrawnOutput[] }

/** A transaction that somebody could make: coins by their place in the drawn one, null for one of somebody else's. */
type Made = { coins: readonly (number | null)[]; outputs: readonly DrawnOutput[] }

const THEIRS: DrawnOutput = { own: false, script: 'theirs', amount: 1n }

/**
 * By brute force, the least that the own accounts end up with: makes every transaction of these coins, coins of others and
 * these outputs (and one of somebody else's), in every order; keeps those in which signatures of ours are valid, because
 * what they commit to by BIP-143 and BIP-341 is the same as in the drawn one; and takes the worst set of such transactions
 * that spend no coin twice.
 */
export function leastByBruteForce(drawn: Drawn): bigint {
  const worst = new Map<number, bigint>()
  for (const coins of arrangements(drawn.inputs.length)) {
    for (const outputs of selections(drawn.outputs, drawn.inputs.length)) {
      if (!isPossible({ coins, outputs }, drawn)) continue
      const spent = coins.flatMap(coin => (coin === null ? [] : [coin]))
      const set = spent.reduce((mask, coin) => mask | (1 << coin), 0)
      const gained = sumOf(outputs.filter(({ own }) => own))
      const paid = sumOf(
        spent.flatMap(coin => drawn.inputs[coin] ?? []).filter(({ owner }) => owner === 'own'),
      )
      const change = gained - paid
      if (change < (worst.get(set) ?? change + 1n)) worst.set(set, change)
    }
  }
  return leastOfDisjoint([...worst])
}

/** Every own coin in it has a valid signature of ours, or is named by one (so that ours for it would follow), and there is one. */
function isPossible(made: Made, drawn: Drawn): boolean {
  const valid = made.coins.map((coin, place) =>
    coin === null
      ? []
      : (drawn.inputs[coin]?.sighashes ?? []).filter(
          sighash =>
            commitment(made, place, sighash) ===
            commitment(
              { coins: drawn.inputs.map((_, i) => i), outputs: drawn.outputs },
              coin,
              sighash,
            ),
        ),
  )
  if (valid.every(sighashes => sighashes.length === 0)) return false
  const isNamed = valid.some(sighashes => sighashes.some(sighash => sighash < 0x80))
  return made.coins.every((coin, place) => {
    const input = coin === null ? undefined : drawn.inputs[coin]
    if (input?.owner !== 'own' || (valid[place]?.length ?? 0) > 0) return true
    return input.sighashes.length === 0 && isNamed
  })
}

/** What a signature of the input at this place commits to, field by field. */
function commitment({ coins, outputs }: Made, place: number, sighash: number): string {
  const anyoneCanPay = (sighash & 0x80) !== 0
  const base = sighash & 3
  const written = outputs.map(({ script, amount }) => `${script}=${amount}`)
  return JSON.stringify({
    hashPrevouts: anyoneCanPay ? null : coins,
    outpoint: coins[place],
    hashOutputs: base === 3 ? (written[place] ?? null) : base === 2 ? null : written,
    sighash,
  })
}

/** Every order of every choice of coins, with coins of others in between, up to as many as there are. */
function* arrangements(
  count: number,
  begun: readonly (number | null)[] = [],
): Generator<readonly (number | null)[]> {
  if (begun.length > 0) yield begun
  if (begun.length === count) return
  yield* arrangements(count, [...begun, null])
  for (let coin = 0; coin < count; coin++)
    if (!begun.includes(coin)) yield* arrangements(count, [...begun, coin])
}

/** Every list of these outputs and of somebody else's, with repetition, up to as many as there are inputs or outputs. */
function* selections(
  outputs: readonly DrawnOutput[],
  inputCount: number,
  begun: readonly DrawnOutput[] = [],
): Generator<readonly DrawnOutput[]> {
  yield begun
  if (begun.length === Math.max(outputs.length, inputCount)) return
  for (const next of [...outputs, THEIRS]) yield* selections(outputs, inputCount, [...begun, next])
}

/** The least sum of at least one, no two of which have a coin in common. */
function leastOfDisjoint(made: readonly (readonly [set: number, change: bigint])[]): bigint {
  let least: bigint | null = null
  const visit = (from: number, used: number, sum: bigint) => {
    for (let i = from; i < made.length; i++) {
      const [set, change] = made[i] ?? [0, 0n]
      if ((used & set) !== 0) continue
      if (least === null || sum + change < least) least = sum + change
      visit(i + 1, used | set, sum + change)
    }
  }
  visit(0, 0, 0n)
  return least ?? 0n
}

function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}
