import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { createRandom, pick, type Random } from '../../src/bitcoin/testing/signable-psbts.ts'
import { type Colouring, colour } from '../../src/devnet/atomicals/colouring.ts'
import { parseOperation } from '../../src/devnet/atomicals/operation.ts'
import {
  randomOperation,
  randomOutputs,
} from '../../src/devnet/atomicals/testing/random-operations.ts'
import type { AtomicalAsset } from '../../src/ordinals/asset.ts'
import type { AtomicalId } from '../../src/ordinals/atomical-id.ts'
import { parseAtomicalOperation } from '../../src/ordinals/atomicals/atomical-envelope.ts'
import {
  type AssetMove,
  type TracedInput,
  traceAssets,
} from '../../src/ordinals/flow/asset-flow.ts'
import {
  type AtomicalHolding,
  type AtomicalMove,
  flowAtomicals,
} from '../../src/ordinals/flow/atomical-flow.ts'
import { campaign } from '../../testing/campaigns.ts'

const { count: COUNT, seed: SEED } = campaign('transactions with Atomicals')
const MOST_INPUTS = 5

type Output = { amount: bigint; scriptPubKey: Uint8Array }
/** Units by `output id`. */
type Places = Record<string, bigint>

/** Both read the operation from the same witness, and deal out the same holdings. */
describe(`${COUNT} random transactions with Atomicals (seed ${SEED})`, () => {
  it(
    'bring all of them where the index deals them out, and lose what it loses',
    () => {
      const random = createRandom(SEED)
      const seen = { nft: 0, ft: 0, partial: 0, lost: 0, restart: 0, x: 0, y: 0, z: 0, sl: 0 }
      for (let done = 0; done < COUNT; done++) compareOne(random, seen)
      console.info(JSON.stringify({ seed: SEED, ...seen }))
      // Every rule was met often.
      for (const often of Object.values(seen)) expect(often).toBeGreaterThan(COUNT / 50)
    },
    Math.max(120_000, 3 * COUNT),
  )
})

type Tally = Record<'nft' | 'ft' | 'partial' | 'lost' | 'restart' | 'x' | 'y' | 'z' | 'sl', number>

function compareOne(random: Random, seen: Tally): void {
  const outputs = randomOutputs(random)
  const holdings = randomHoldings(random, outputs)
  const tx = new Transaction()
  const witnesses = randomOperation(
    random,
    [...new Set(holdings.map(({ id }) => id))],
    outputs.length,
  )
  for (let vin = 0; vin < MOST_INPUTS; vin++) {
    tx.addInput(new Uint8Array(32).fill(vin + 1), vin)
    tx.setWitness(vin, [...(witnesses[vin] ?? [new Uint8Array(64)])])
  }
  const operation = parseAtomicalOperation(tx.ins.map(({ witness }) => witness))
  const read = parseOperation(tx)
  const told = operation && `${operation.operation} ${operation.input}`
  if (told !== (read && `${read.op} ${read.input}`)) expect(operation).toBe(read)

  const counting = read?.input === 0 ? read : null
  const isSealing = counting?.op === 'sl'
  const dealt = colour({
    spent: holdings.map(holding => ({
      ...holding,
      // The index counts an NFT by the sats of its coin.
      amount: holding.type === 'nft' ? BigInt(1 + random(5_000)) : holding.amount,
    })),
    outputs: outputs.map(({ amount, scriptPubKey }) => ({ value: amount, script: scriptPubKey })),
    operation: counting,
  })
  // Where the index takes a sealed NFT off.
  const landed = dealt.landed.filter(({ type }) => type === 'ft' || !isSealing)
  const places = sumUp(
    landed.map(({ output, id, type, amount }) => [`${output} ${id}`, type === 'ft' ? amount : 1n]),
  )
  const moves = flowAtomicals({ holdings, outputs, operation })
  assertSame(placesOf(moves), places)
  const lost = listLost(holdings, dealt, isSealing)
  const burnt = moves
    .filter(({ to }) => to === 'burnt')
    .map(({ id, amount }) => [id, amount] as const)
  assertSame(sumUp(burnt), lost)
  const traced = traceAssets({ inputs: toInputs(holdings), outputs, operation })
  assertSame(destinationsOf(traced.moves), spellOut(places, lost, outputs))

  if (isRestarted(dealt, counting?.op)) seen.restart++
  if (Object.keys(lost).length > 0) seen.lost++
  if (counting && counting.op in seen && holdings.length > 0) seen[counting.op as 'x']++
  for (const { output, type, amount } of dealt.landed) {
    seen[type]++
    if (type === 'ft' && amount < (outputs[output]?.amount ?? 0n)) seen.partial++
  }
}

/** Up to three things on each of up to five inputs, among them the same token on several. */
function randomHoldings(random: Random, outputs: readonly Output[]): AtomicalHolding[] {
  const ids = new Set<AtomicalId>()
  while (ids.size < 8) ids.add(randomId(random))
  const [nfts, fts] = [[...ids].slice(0, 4), [...ids].slice(4, 5 + random(4))]
  const holdings: AtomicalHolding[] = []
  for (let input = 0; input < 1 + random(MOST_INPUTS); input++) {
    for (let more = random(4); more > 0; more--) {
      const nft = random(2) === 0 ? nfts.pop() : undefined
      const id = nft ?? pick(random, fts)
      if (holdings.some(one => one.id === id && one.input === input)) continue
      const amount = nft ? 1n : randomUnits(random, outputs)
      holdings.push({ input, id, type: nft ? 'nft' : 'ft', amount })
    }
  }
  return holdings
}

/** Ids of which many differ in their outputs or last bytes alone: both have to sort them alike. */
function randomId(random: Random): AtomicalId {
  const txid = `${'ab'.repeat(random(2) * 31)}`.padEnd(62, '0')
  const last = random(256).toString(16).padStart(2, '0')
  return `${random(2) === 0 ? txid + last : last + txid}i${pick(random, [0, 1, 2, 10, 255, 256, 70_000])}`
}

/** Often just what some outputs hold, or a little more or less. */
function randomUnits(random: Random, outputs: readonly Output[]): bigint {
  const from = random(outputs.length)
  const some = outputs.slice(from, from + 1 + random(3))
  const sats = some.reduce((sum, { amount }) => sum + amount, 0n)
  const units = random(3) > 0 ? sats + BigInt(random(3) - 1) : BigInt(random(3_000))
  return units > 0n ? units : 0n
}

function placesOf(moves: readonly AtomicalMove[]): Places {
  return sumUp(
    moves.flatMap(({ id, amount, to }) =>
      to === 'burnt' ? [] : [[`${to} ${id}`, amount] as const],
    ),
  )
}

/**
 * What is lost, by id: of a token what did not land, which the index names as well, but for a loss of a first attempt that stays
 * on its list though the second has none.
 */
function listLost(
  holdings: readonly AtomicalHolding[],
  dealt: Colouring,
  isSealing: boolean,
): Places {
  const lost: Places = {}
  const landed = (id: AtomicalId) =>
    dealt.landed.filter(one => one.id === id).reduce((sum, { amount }) => sum + amount, 0n)
  const named = new Map(dealt.burned.map(({ id, amount }) => [id, amount]))
  for (const { id, type } of holdings) {
    if (type === 'nft') {
      if (isSealing || named.has(id)) lost[id] = 1n
      continue
    }
    const held = holdings.filter(one => one.id === id).reduce((sum, { amount }) => sum + amount, 0n)
    const left = held - landed(id)
    if (left > 0n) lost[id] = left
    if (!isRestarted(dealt)) assertSame({ [id]: named.get(id) ?? 0n }, { [id]: lost[id] ?? 0n })
  }
  return lost
}

/** Two tokens share an output only where all of them began anew, or where the operation says so. */
function isRestarted({ landed }: Colouring, op?: string): boolean {
  const outputs = landed.filter(({ type }) => type === 'ft').map(({ output }) => output)
  return op !== 'y' && op !== 'z' && new Set(outputs).size < outputs.length
}

function toInputs(holdings: readonly AtomicalHolding[]): TracedInput[] {
  return Array.from({ length: MOST_INPUTS }, (_, input) => ({
    amount: 1_000n,
    assets: {
      known: true,
      assets: holdings
        .filter(one => one.input === input)
        .map(({ id, type, amount }): AtomicalAsset => {
          return { kind: 'atomical', id, type, number: null, name: null, amount }
        }),
    },
  }))
}

/** Units by where they end and id. */
function destinationsOf(moves: readonly AssetMove[]): Places {
  return sumUp(
    moves.map(({ asset, to }) => {
      if (asset.kind !== 'atomical') throw new Error('no Atomical')
      const output = to.kind === 'output' || to.kind === 'burned' ? to.output : null
      return [`${to.kind} ${output} ${asset.id}`, asset.amount]
    }),
  )
}

/** The same of what the index said; nothing is told of where no units are. */
function spellOut(places: Places, lost: Places, outputs: readonly Output[]): Places {
  const landed = Object.entries(places).map(([place, amount]) => {
    const [output = '', id] = place.split(' ')
    const [first, second] = outputs[Number(output)]?.scriptPubKey ?? []
    const isDead = first === 0x6a || (first === 0 && second === 0x6a)
    return [`${isDead ? 'burned' : 'output'} ${output} ${id}`, amount] as const
  })
  const gone = Object.entries(lost).map(([id, amount]) => [`burned null ${id}`, amount] as const)
  return sumUp([...landed, ...gone].filter(([, amount]) => amount > 0n))
}

function sumUp(parts: readonly (readonly [key: string, amount: bigint])[]): Places {
  const sums: Places = {}
  for (const [key, amount] of parts) sums[key] = (sums[key] ?? 0n) + amount
  return sums
}

/** Compares texts first: it is done very often. */
function assertSame(actual: Places, expected: Places): void {
  const spell = (places: Places) => Object.entries(places).sort().join()
  if (spell(actual) !== spell(expected)) expect(actual).toEqual(expected)
}
