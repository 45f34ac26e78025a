import { toHex } from '../../bitcoin/bytes.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import { type AtomicalId, encodeAtomicalId } from '../atomical-id.ts'
import type { AtomicalOperation } from '../atomicals/atomical-envelope.ts'
import { type CborValue, isCborMap } from '../atomicals/atomical-payload.ts'

/** What an input holds: an NFT (of amount 1), or units of a token. */
export type AtomicalHolding = { input: number; id: AtomicalId; type: 'nft' | 'ft'; amount: bigint }

/**
 * Where an NFT or a part of a token goes: the number of an output, which may be unspendable; `burnt` where it is on no
 * output any more; `unknown` where that depends on inputs of unknown content. 0 units where an output of no sats
 * was coloured.
 */
export type AtomicalMove = {
  id: AtomicalId
  type: 'nft' | 'ft'
  amount: bigint
  to: number | 'burnt' | 'unknown'
}

/** Known holdings of one transaction, and the inputs that may hold others besides. */
type Situation = {
  holdings: readonly AtomicalHolding[]
  outputs: readonly TransactionOutput[]
  operation: AtomicalOperation | null
  open: ReadonlySet<number>
}

const OP_RETURN = 0x6a

/**
 * Where the Atomicals of a transaction's inputs go, by the rules of atomicals-electrumx after all its activations
 * (atomicals_blueprint_builder.py): NFTs first, then tokens in the order in which they are coloured. The moves of a token add
 * up to its holdings, but for a custom colouring that asks for more than is left: an index gives it all. What inputs of unknown
 * content (`open`) hold may come on top.
 */
export function flowAtomicals({
  holdings,
  outputs,
  operation,
  open = new Set(),
}: Omit<Situation, 'open'> & { open?: ReadonlySet<number> }): AtomicalMove[] {
  if (outputs.length === 0)
    return holdings.map(({ id, type, amount }) => ({ id, type, amount, to: 'burnt' }))
  const counts = operation?.input === 0 ? operation : null
  const situation = { outputs, operation: counts, open }
  const ofType = (type: AtomicalHolding['type']) =>
    holdings.filter(holding => holding.type === type).toSorted((a, b) => a.input - b.input)
  return [
    ...flowNfts({ ...situation, holdings: ofType('nft') }),
    ...flowTokens({ ...situation, holdings: ofType('ft') }),
  ]
}

/** Whether an output is unspendable: OP_RETURN, or OP_FALSE and OP_RETURN, which the index asks for. */
export function isUnspendable(scriptPubKey: Uint8Array): boolean {
  const [first, second] = scriptPubKey
  return first === OP_RETURN || (first === 0 && second === OP_RETURN)
}

function flowNfts(situation: Situation): AtomicalMove[] {
  const { holdings, outputs, operation, open } = situation
  const move = ({ id, amount }: AtomicalHolding, to: AtomicalMove['to']): AtomicalMove => ({
    id,
    type: 'nft',
    amount,
    to,
  })
  switch (operation?.operation) {
    // A seal leaves an NFT on no output, for ever.
    case 'sl':
      return holdings.map(holding => move(holding, 'burnt'))
    case 'y':
      return holdings.map(holding => move(holding, 0))
    case 'z':
      return holdings.map(holding => move(holding, pickNftOutput(holding.id, situation)))
    case 'x': {
      const ids = [...new Set(holdings.map(({ id }) => id))].toSorted(compareIds)
      const more = open.size > 0 ? outputs.length : 0
      return holdings.map(holding => move(holding, settle(ids.indexOf(holding.id), more, outputs)))
    }
  }
  const inputs = [...new Set(holdings.map(({ input }) => input))]
  const doubtful = [...open].filter(input => !inputs.includes(input))
  return holdings.map(holding => {
    const more = doubtful.filter(input => input < holding.input).length
    return move(holding, settle(inputs.indexOf(holding.input), more, outputs))
  })
}

/** The output of the NFT of this rank, if it is the same for up to `more` ranks more; the first output where that one is missing or unspendable. */
function settle(
  rank: number,
  more: number,
  outputs: readonly TransactionOutput[],
): number | 'unknown' {
  const place = (at: number) => {
    const output = outputs[at]
    return output && !isUnspendable(output.scriptPubKey) ? at : 0
  }
  const last = Math.min(rank + more, Math.max(rank, outputs.length))
  for (let at = rank + 1; at <= last; at++) if (place(at) !== place(rank)) return 'unknown'
  return place(rank)
}

/** A colouring that names several outputs of one NFT means the first output of all. */
function pickNftOutput(id: AtomicalId, { operation, outputs }: Situation): number | 'burnt' {
  const wishes = readWishes(operation?.payload.get(id))
  const granted = [...wishes].filter(
    ([output, units]) => units > 0n && output >= 0n && output < BigInt(outputs.length),
  )
  const [first] = granted
  if (!first) return 'burnt'
  return wishes.size > 1 ? 0 : Number(first[0])
}

function flowTokens(situation: Situation): AtomicalMove[] {
  const { outputs, operation, open } = situation
  const tokens = orderTokens(situation)
  switch (operation?.operation) {
    case 'y':
      return tokens.flatMap(({ id, amount }) =>
        splitToken(id, amount, operation.payload.get(id), outputs),
      )
    case 'z':
      return tokens.flatMap(({ id, amount }) =>
        colourAsAsked(id, amount, operation.payload.get(id), outputs),
      )
  }
  if (open.size > 0) return tokens.flatMap((_, at) => flowInDoubt(tokens, at, situation))
  const moves: AtomicalMove[] = []
  let start = 0
  for (const { id, amount } of tokens) {
    const colouring = colour(id, amount, outputs, start)
    // Where a token finds no place, all tokens begin at the first output, one over the other.
    if (colouring.next === null)
      return tokens.flatMap(token => colour(token.id, token.amount, outputs, 0).moves)
    moves.push(...colouring.moves)
    start = colouring.next
  }
  return moves
}

type Token = { id: AtomicalId; amount: bigint; input: number }

/** By their first input, then by the bytes of their ids. */
function orderTokens({ holdings }: Situation): Token[] {
  const tokens = new Map<AtomicalId, Token>()
  for (const { id, amount, input } of holdings) {
    const token = tokens.get(id)
    if (token) token.amount += amount
    else tokens.set(id, { id, amount, input })
  }
  return [...tokens.values()].toSorted((a, b) => a.input - b.input || compareIds(a.id, b.id))
}

/**
 * A token keeps its place, the first output, if no other can come before it, or if there is only one place. More units of it
 * on other inputs would only lengthen what it colours.
 */
function flowInDoubt(
  tokens: readonly Token[],
  at: number,
  { outputs, open }: Situation,
): AtomicalMove[] {
  const token = tokens[at]
  if (!token) return []
  const places = outputs.filter(({ scriptPubKey }) => !isUnspendable(scriptPubKey)).length
  const isFirst = at === 0 && [...open].every(input => input > token.input)
  if (places <= 1 || isFirst) return colour(token.id, token.amount, outputs, 0).moves
  return [{ id: token.id, type: 'ft', amount: token.amount, to: 'unknown' }]
}

/** Units over the spendable outputs from `start`, one for each sat; `next` is the output after the last one coloured, null for none. */
function colour(
  id: AtomicalId,
  amount: bigint,
  outputs: readonly TransactionOutput[],
  start: number,
): { moves: AtomicalMove[]; next: number | null } {
  const places = [...outputs.entries()].filter(
    ([output, { scriptPubKey }]) => output >= start && !isUnspendable(scriptPubKey),
  )
  const moves = fill(id, amount, places)
  const last = moves.findLast(({ to }) => to !== 'burnt')
  return { moves, next: typeof last?.to === 'number' ? last.to + 1 : null }
}

/** The payload of a split says how many sats' worth of outputs a token passes over; it colours what follows, also unspendable outputs. */
function splitToken(
  id: AtomicalId,
  amount: bigint,
  wish: CborValue | undefined,
  outputs: readonly TransactionOutput[],
): AtomicalMove[] {
  const skipped = typeof wish === 'bigint' ? wish : BigInt(wish === true)
  let passed = 0n
  let start = 0
  for (; start < outputs.length && passed < skipped; start++) passed += outputs[start]?.amount ?? 0n
  return fill(id, amount, [...outputs.entries()].slice(start))
}

function fill(
  id: AtomicalId,
  amount: bigint,
  places: readonly (readonly [number, TransactionOutput])[],
): AtomicalMove[] {
  const moves: AtomicalMove[] = []
  let left = amount
  for (const [to, { amount: sats }] of places) {
    const part = sats < left ? sats : left
    moves.push({ id, type: 'ft', amount: part, to })
    left -= part
    if (left === 0n) return moves
  }
  return left > 0n ? [...moves, { id, type: 'ft', amount: left, to: 'burnt' }] : moves
}

/** Units as the payload of a custom colouring asks, no more than sats on any output, until none are left. */
function colourAsAsked(
  id: AtomicalId,
  amount: bigint,
  wish: CborValue | undefined,
  outputs: readonly TransactionOutput[],
): AtomicalMove[] {
  const wishes = readWishes(wish)
  const moves: AtomicalMove[] = []
  let left = amount
  for (const [to, { amount: sats }] of outputs.entries()) {
    const asked = wishes.get(BigInt(to)) ?? 0n
    if (asked <= 0n || left <= 0n) continue
    const part = asked < sats ? asked : sats
    moves.push({ id, type: 'ft', amount: part, to })
    left -= part
  }
  return left > 0n ? [...moves, { id, type: 'ft', amount: left, to: 'burnt' }] : moves
}

/** Units by output, as a custom colouring asks for them; what is no number is output -1, or no units. */
function readWishes(wish: CborValue | undefined): Map<bigint, bigint> {
  if (!isCborMap(wish)) return new Map()
  return new Map([...wish].map(([output, units]) => [toInteger(output, -1n), toInteger(units, 0n)]))
}

/** Python reads no more of a number. */
const MAX_DIGITS = 4_300

/** As Python's int() reads it. */
function toInteger(value: CborValue, otherwise: bigint): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'boolean') return BigInt(value)
  if (typeof value === 'number')
    return Number.isFinite(value) ? BigInt(Math.trunc(value)) : otherwise
  const text =
    value instanceof Uint8Array ? String.fromCharCode(...value.subarray(0, MAX_DIGITS)) : value
  if (typeof text !== 'string') return otherwise
  const [, sign, digits] = /^\s*([+-]?)(\d+(?:_\d+)*)\s*$/.exec(text) ?? []
  if (digits === undefined || digits.length > MAX_DIGITS) return otherwise
  const magnitude = BigInt(digits.replaceAll('_', ''))
  return sign === '-' ? -magnitude : magnitude
}

function compareIds(a: AtomicalId, b: AtomicalId): number {
  const [first, second] = [toHex(encodeAtomicalId(a)), toHex(encodeAtomicalId(b))]
  return first < second ? -1 : Number(first > second)
}
