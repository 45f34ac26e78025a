/** A coin of the proposed transaction: whose it is, its sats, and the sighashes of the signatures that we gave for it. */
export type ProposedInput = {
  owner: 'own' | 'shared' | 'foreign'
  amount: bigint
  sighashes: readonly number[]
}

/** Equal `script`s with equal amounts are the same output. */
export type ProposedOutput = { own: boolean; script: string; amount: bigint }

/** `coins` are the names of the inputs, for where several drawings spend the same ones; their places where absent. */
export type Proposal = {
  inputs: readonly ProposedInput[]
  outputs: readonly ProposedOutput[]
  coins?: readonly number[]
}

/** A transaction that can be made: coins by their names, null for a coin of others. */
type Made = { coins: readonly (number | null)[]; outputs: readonly ProposedOutput[] }

type Named = Made & Pick<Proposal, 'inputs'>

const THEIRS: ProposedOutput = { own: false, script: 'theirs', amount: 1n }

/**
 * By brute force, the least that the own accounts end up with: makes every transaction of these coins, coins of others and
 * these outputs (and one of others), in every order; keeps those in which signatures of ours are valid, because
 * what they commit to by BIP-143 and BIP-341 is the same as in the proposal that they were given for; and takes the worst
 * set of such transactions that spend no coin twice.
 */
export function leastByBruteForce(...proposals: readonly Proposal[]): bigint {
  const proposed = proposals.map(
    ({ inputs, outputs, coins }): Named => ({
      inputs,
      outputs,
      coins: coins ?? inputs.map((_, place) => place),
    }),
  )
  const names = [...new Set(proposed.flatMap(({ coins }) => coins.flatMap(coin => coin ?? [])))]
  const size = Math.max(names.length, ...proposed.map(({ inputs }) => inputs.length))
  const longest = Math.max(size, ...proposed.map(({ outputs }) => outputs.length))
  const written = new Map(
    [...proposed.flatMap(({ outputs }) => outputs), THEIRS].map(each => [writeOutput(each), each]),
  )
  const lists = [...selections([...written.values()], longest)]
  const worst = new Map<number, bigint>()
  for (const coins of arrangements(names, size)) {
    const spent = names.flatMap((coin, at) => (coins.includes(coin) ? [at] : []))
    const set = spent.reduce((mask, at) => mask | (1 << at), 0)
    const paid = sumOf(
      spent.flatMap(at => inputOf(proposed, names[at] ?? null) ?? []).filter(isOwn),
    )
    for (const outputs of lists) {
      if (!isPossible({ coins, outputs }, proposed)) continue
      const change = sumOf(outputs.filter(({ own }) => own)) - paid
      if (change < (worst.get(set) ?? change + 1n)) worst.set(set, change)
    }
  }
  return leastOfDisjoint([...worst])
}

/** Every own coin in it has a valid signature of ours, or is named by one (so that ours for it would follow), and there is one. */
function isPossible(made: Made, proposed: readonly Named[]): boolean {
  const valid = made.coins.map((coin, place) =>
    proposed.flatMap(proposal => {
      const at = coin === null ? -1 : proposal.coins.indexOf(coin)
      return (proposal.inputs[at]?.sighashes ?? [])
        .filter(sighash => commitment(made, place, sighash) === commitment(proposal, at, sighash))
        .map(sighash => ({ proposal, sighash }))
    }),
  )
  if (valid.every(signatures => signatures.length === 0)) return false
  const naming = valid.flat().flatMap(({ proposal, sighash }) => (sighash < 0x80 ? proposal : []))
  return made.coins.every((coin, place) => {
    const input = inputOf(proposed, coin)
    if (!input || !isOwn(input) || (valid[place]?.length ?? 0) > 0) return true
    return naming.some(({ coins, inputs }) => inputs[coins.indexOf(coin)]?.sighashes.length === 0)
  })
}

/** What a signature of the input at this place commits to, field by field. */
function commitment({ coins, outputs }: Made, place: number, sighash: number): string {
  const anyoneCanPay = (sighash & 0x80) !== 0
  const base = sighash & 3
  return [
    anyoneCanPay ? '' : coins.join(),
    coins[place],
    base === 3
      ? outputs.slice(place, place + 1).map(writeOutput)
      : base === 2
        ? ''
        : outputs.map(writeOutput).join(),
    sighash,
  ].join(' ')
}

function writeOutput({ script, amount }: ProposedOutput): string {
  return `${script}=${amount}`
}

function inputOf(proposed: readonly Named[], coin: number | null): ProposedInput | undefined {
  const proposal = coin === null ? undefined : proposed.find(({ coins }) => coins.includes(coin))
  return proposal?.inputs[proposal.coins.indexOf(coin)]
}

function isOwn({ owner }: ProposedInput): boolean {
  return owner === 'own'
}

/** Every order of every choice of coins, with coins of others in between, up to as many as this. */
function* arrangements(
  names: readonly number[],
  size: number,
  begun: readonly (number | null)[] = [],
): Generator<readonly (number | null)[]> {
  if (begun.length > 0) yield begun
  if (begun.length === size) return
  yield* arrangements(names, size, [...begun, null])
  for (const coin of names)
    if (!begun.includes(coin)) yield* arrangements(names, size, [...begun, coin])
}

/** Every list of these outputs, with repetition, up to as many as this. */
function* selections(
  outputs: readonly ProposedOutput[],
  longest: number,
  begun: readonly ProposedOutput[] = [],
): Generator<readonly ProposedOutput[]> {
  yield begun
  if (begun.length === longest) return
  for (const next of outputs) yield* selections(outputs, longest, [...begun, next])
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
