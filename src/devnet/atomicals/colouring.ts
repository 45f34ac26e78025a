import { type AtomicalId, encodeAtomicalId } from '../../ordinals/atomical-id.ts'

/** The Atomicals on an input. */
export interface SpentAtomical {
  /** Of the transaction, from 0. */
  input: number
  id: AtomicalId
  type: 'nft' | 'ft'
  /** Units of a token; of an NFT any number above 0 (the server takes the sats of its coin). */
  amount: bigint
}

export interface ColourOutput {
  /** Sats. */
  value: bigint
  script: Uint8Array
}

/** A map of CBOR, or the same as an object. */
export type Fields = ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>

/** An operation in input 0. Integers are bigints; a number counts as a float, which `y` does not take. */
export interface ColourOperation {
  op: string
  payload: Fields
}

export interface LandedAtomical {
  output: number
  id: AtomicalId
  type: 'nft' | 'ft'
  /** Units of a token, 0 on an output of no sats; of an NFT what was spent. */
  amount: bigint
}

export interface Colouring {
  /** By output, then in the order in which they were dealt out. */
  landed: readonly LandedAtomical[]
  /** Tokens by what is lost of them, NFTs that `z` gives no output. */
  burned: readonly { id: AtomicalId; type: 'nft' | 'ft'; amount: bigint }[]
  /** Whether every token filled its outputs to the sat. */
  isClean: boolean
  /** The token that was dealt out first, where the operation has one. */
  first: AtomicalId | null
}

interface Total {
  id: AtomicalId
  amount: bigint
  inputs: number[]
}

type Placing = Pick<LandedAtomical, 'output' | 'id' | 'amount'>

interface TokenColouring {
  placed: Placing[]
  burned: Map<AtomicalId, bigint>
  isClean: boolean
  first: AtomicalId | null
}

/**
 * Where a transaction brings what its inputs hold, by the rules of atomicals-electrumx' blueprint builder with every rule in
 * force. An output can hold several tokens, each up to the output's sats. A sealed NFT (`sl`) lands here as it does there: it is
 * the index that takes it off.
 */
export function colour({
  spent,
  outputs,
  operation,
}: {
  spent: readonly SpentAtomical[]
  outputs: readonly ColourOutput[]
  operation: ColourOperation | null
}): Colouring {
  const nfts = colourNfts(
    spent.filter(({ type }) => type === 'nft'),
    outputs,
    operation,
  )
  const fts = colourTokens(sumUp(spent.filter(({ type }) => type === 'ft')), outputs, operation)
  const landed = [
    ...nfts.placed.map(placing => ({ ...placing, type: 'nft' as const })),
    ...fts.placed.map(placing => ({ ...placing, type: 'ft' as const })),
  ]
  return {
    landed: landed.toSorted((a, b) => a.output - b.output),
    burned: [
      ...nfts.burned.map(({ id, amount }) => ({ id, type: 'nft' as const, amount })),
      ...[...fts.burned].map(([id, amount]) => ({ id, type: 'ft' as const, amount })),
    ],
    isClean: fts.isClean,
    first: fts.first,
  }
}

function colourNfts(
  spent: readonly SpentAtomical[],
  outputs: readonly ColourOutput[],
  operation: ColourOperation | null,
): { placed: Placing[]; burned: Total[] } {
  const orZero = (output: number) =>
    output < outputs.length && !isUnspendable(outputs[output]) ? output : 0
  if (operation?.op === 'x') {
    const placed = sortById(sumUp(spent)).map(({ id, amount }, i) => ({
      output: orZero(i),
      id,
      amount,
    }))
    return { placed, burned: [] }
  }
  if (operation?.op === 'z') return paintNfts(sortById(sumUp(spent)), outputs, operation)
  const inputs = [...new Set(spent.map(({ input }) => input))].sort((a, b) => a - b)
  const placed = spent.map(({ input, id, amount }) => ({
    output: operation?.op === 'y' ? 0 : orZero(inputs.indexOf(input)),
    id,
    amount,
  }))
  return { placed, burned: [] }
}

/** One output named for an NFT gets it; several send it to output 0 as soon as one of them is there. */
function paintNfts(
  nfts: readonly Total[],
  outputs: readonly ColourOutput[],
  { payload }: ColourOperation,
) {
  const placed: Placing[] = []
  const burned: Total[] = []
  for (const nft of nfts) {
    const wishes = readWishes(readField(payload, nft.id))
    const output = outputs.findIndex((_, vout) => (wishes.get(vout) ?? 0n) > 0n)
    if (output < 0 || nft.amount <= 0n) burned.push(nft)
    else placed.push({ output: wishes.size > 1 ? 0 : output, id: nft.id, amount: nft.amount })
  }
  return { placed, burned }
}

function colourTokens(
  tokens: readonly Total[],
  outputs: readonly ColourOutput[],
  operation: ColourOperation | null,
): TokenColouring {
  if (tokens.length === 0) return { placed: [], burned: new Map(), isClean: true, first: null }
  if (operation?.op === 'y') return splitTokens(sortById(tokens), outputs, operation)
  if (operation?.op === 'z') return paintTokens(sortById(tokens), outputs, operation)
  return fillInTurn(sortByInput(tokens), outputs)
}

/** Each token begins behind the last output of the one before; when one finds none, all begin at output 0. */
function fillInTurn(tokens: readonly Total[], outputs: readonly ColourOutput[]): TokenColouring {
  const burned = new Map<AtomicalId, bigint>()
  let isClean = true
  const fill = ({ id, amount }: Total, start: number) => {
    const filled = fillFrom(amount, outputs, start)
    // A loss of the first attempt stays listed where the second has none, as it does there.
    if (filled.left > 0n) burned.set(id, filled.left)
    if (!filled.isExact) isClean = false
    return filled.placed.map(placing => ({ ...placing, id }))
  }
  let next = 0
  let placed: Placing[] = []
  for (const token of tokens) {
    const filled = fill(token, next)
    const last = filled.at(-1)
    if (!last) {
      placed = tokens.flatMap(each => fill(each, 0))
      break
    }
    placed.push(...filled)
    next = last.output + 1
  }
  return { placed, burned, isClean, first: tokens[0]?.id ?? null }
}

function fillFrom(amount: bigint, outputs: readonly ColourOutput[], start: number) {
  const placed: { output: number; amount: bigint }[] = []
  let left = amount
  // Nothing counts as lost where there is no output to begin with.
  if (start >= outputs.length) return { placed, left: 0n, isExact: false }
  for (const [output, { value, script }] of outputs.entries()) {
    if (output < start || isUnspendable({ script })) continue
    placed.push({ output, amount: left < value ? left : value })
    left -= value
    if (left <= 0n) break
  }
  return { placed, left, isExact: placed.length > 0 && left === 0n }
}

/** Each token leaves so many sats of outputs out as the payload says, and fills what follows, OP_RETURNs too. */
function splitTokens(
  tokens: readonly Total[],
  outputs: readonly ColourOutput[],
  { payload }: ColourOperation,
): TokenColouring {
  const placed: Placing[] = []
  const burned = new Map<AtomicalId, bigint>()
  let isClean = true
  for (const { id, amount } of tokens) {
    const skip = readSkip(readField(payload, id))
    let skipped = 0n
    let left = amount
    for (const [output, { value }] of outputs.entries()) {
      if (skipped < skip) {
        skipped += value
        continue
      }
      placed.push({ output, id, amount: left < value ? left : value })
      if (left < value) isClean = false
      left = left < value ? 0n : left - value
      if (left === 0n) break
    }
    if (left > 0n) burned.set(id, left)
  }
  return { placed, burned, isClean: isClean && burned.size === 0, first: null }
}

/** Each output gets what the payload says, at most its sats; what is left of a token then is lost. */
function paintTokens(
  tokens: readonly Total[],
  outputs: readonly ColourOutput[],
  { payload }: ColourOperation,
): TokenColouring {
  const placed: Placing[] = []
  const burned = new Map<AtomicalId, bigint>()
  let isClean = true
  for (const { id, amount } of tokens) {
    const wishes = readWishes(readField(payload, id))
    let left = amount
    for (const [output, { value }] of outputs.entries()) {
      const wish = wishes.get(output) ?? 0n
      if (wish <= 0n || left <= 0n) continue
      const painted = wish > value ? value : wish
      if (painted < value) isClean = false
      placed.push({ output, id, amount: painted })
      left -= painted
    }
    if (left > 0n) burned.set(id, left)
  }
  return {
    placed,
    burned,
    isClean: isClean && burned.size === 0,
    first: placed[0]?.id ?? null,
  }
}

function sumUp(spent: readonly SpentAtomical[]): Total[] {
  const totals = new Map<AtomicalId, Total>()
  for (const { id, input, amount } of spent) {
    const total = totals.get(id)
    totals.set(id, {
      id,
      amount: (total?.amount ?? 0n) + amount,
      inputs: [...(total?.inputs ?? []), input],
    })
  }
  return [...totals.values()]
}

function sortById(totals: readonly Total[]): Total[] {
  return totals.toSorted((a, b) => compareIds(a.id, b.id))
}

/** By the first input of each, and by id where it is the same. */
function sortByInput(totals: readonly Total[]): Total[] {
  const first = ({ inputs }: Total) => Math.min(...inputs)
  return totals.toSorted((a, b) => first(a) - first(b) || compareIds(a.id, b.id))
}

/** By the bytes that encode the ids, which is not the order of their text. */
export function compareIds(a: AtomicalId, b: AtomicalId): number {
  return Buffer.compare(encodeAtomicalId(a), encodeAtomicalId(b))
}

/** OP_RETURN first, or behind OP_FALSE. */
export function isUnspendable(output: { script: Uint8Array } | undefined): boolean {
  const [first, second] = output?.script ?? []
  return first === 0x6a || (first === 0 && second === 0x6a)
}

function readField(fields: Fields, name: string): unknown {
  if (fields instanceof Map) return fields.get(name)
  return Object.entries(fields).find(([key]) => key === name)?.[1]
}

/** An integer of at least 0; 0 for everything else. */
function readSkip(value: unknown): bigint {
  if (typeof value === 'boolean') return value ? 1n : 0n
  return typeof value === 'bigint' && value > 0n ? value : 0n
}

/** Amounts by output; what is no number counts as output -1, or as 0. */
function readWishes(value: unknown): Map<number, bigint> {
  const wishes = new Map<number, bigint>()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wishes
  const pairs: Iterable<[string, unknown]> = value instanceof Map ? value : Object.entries(value)
  for (const [key, amount] of pairs) {
    wishes.set(Number(toInteger(key) ?? -1n), toInteger(amount) ?? 0n)
  }
  return wishes
}

function toInteger(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : null
  const text = typeof value === 'string' ? value.trim() : ''
  return /^[+-]?\d+(_\d+)*$/.test(text) ? BigInt(text.replace(/[_+]/g, '')) : null
}
