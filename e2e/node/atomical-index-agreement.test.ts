import { describe, expect, it } from 'vitest'
import { createRandom, pick, type Random } from '../../src/bitcoin/testing/signable-psbts.ts'
import { buildOperationLeaf } from '../../src/devnet/atomicals/envelope-leaf.ts'
import type { OperationName } from '../../src/devnet/atomicals/operation.ts'
import {
  createAtomicalsChain,
  type Pay,
} from '../../src/devnet/atomicals/testing/atomicals-chain.ts'
import { PAYMENT, randomOutputs } from '../../src/devnet/atomicals/testing/random-operations.ts'
import type { AtomicalAsset } from '../../src/ordinals/asset.ts'
import type { AtomicalId } from '../../src/ordinals/atomical-id.ts'
import { parseAtomicalOperation } from '../../src/ordinals/atomicals/atomical-envelope.ts'
import {
  type AssetMove,
  type TracedInput,
  traceAssets,
} from '../../src/ordinals/flow/asset-flow.ts'
import { campaign } from '../../testing/campaigns.ts'

const { count: COUNT, seed: SEED } = campaign('blocks with Atomicals')
const CHAIN_LENGTH = 200
const PER_BLOCK = 5
const MOST_INPUTS = 4

type Output = { amount: bigint; scriptPubKey: Uint8Array }
/** Units by `outpoint id`, or by `output id` of one transaction. */
type Places = Record<string, bigint>
type Tally = { landed: number; burned: number; unknown: number; known: number; minted: number }

/**
 * The wallet says where everything lands, of inputs in blocks by the index's word and of others by its own, once knowing all
 * and once with facts withheld; and then the index mines it. Coins of no sats are left where they are.
 */
describe(`${COUNT} random transactions in blocks (seed ${SEED})`, () => {
  it(
    'leave on every output what the wallet said, or the wallet said that it does not know',
    () => {
      const random = createRandom(SEED)
      const seen: Tally = { landed: 0, burned: 0, unknown: 0, known: 0, minted: 0 }
      for (let done = 0; done < COUNT; done += CHAIN_LENGTH)
        followChain(random, Math.min(CHAIN_LENGTH, COUNT - done), seen)
      console.info(JSON.stringify({ seed: SEED, ...seen }))
      for (const often of Object.values(seen)) expect(often).toBeGreaterThan(COUNT / 20)
    },
    Math.max(120_000, 10 * COUNT),
  )
})

function followChain(random: Random, length: number, seen: Tally): void {
  const chain = createAtomicalsChain()
  const { index } = chain
  const coins: string[] = []
  const minting: string[] = []
  /** What the wallet traced to outputs of transactions that are in no block yet. */
  let traced = new Map<string, AtomicalAsset[]>()
  for (let sent = 0; sent < length; sent += PER_BLOCK) {
    while (coins.length < 3 * MOST_INPUTS || random(3) === 0) coins.push(mint())
    const predictions: { txid: string; first: string; outputs: Output[]; said: Places }[] = []
    traced = new Map()
    for (let i = 0; i < PER_BLOCK; i++) {
      const spent = Array.from({ length: 1 + random(MOST_INPUTS) }, () =>
        coins.splice(random(coins.length), 1),
      ).flat()
      const inputs = spent.map(readInput)
      const outputs = randomOutputs(random)
      const operation = randomOperation(random, inputs, outputs)
      const txid = chain.send(
        spent.map((outpoint, at) =>
          operation && at === 0 ? [outpoint, operation.op, operation.payload] : outpoint,
        ),
        outputs.map(({ amount, scriptPubKey }): Pay => [amount, scriptPubKey]),
      )
      const witnesses = operation ? [[buildOperationLeaf(operation.op, operation.payload)]] : []
      const read = parseAtomicalOperation(witnesses)
      const { moves } = traceAssets({ inputs, outputs, operation: read })
      const said = sumUp(moves)
      assertVague(
        said,
        inputs.map(input => withhold(random, input)),
        outputs,
        read,
        seen,
      )
      for (const [place, units] of Object.entries(said)) {
        const [where = '', id = ''] = place.split(' ')
        if (where === 'burned') seen.burned++
        else keepTraced(`${txid}:${where}`, id, units, inputs)
      }
      predictions.push({ txid, first: spent[0] ?? '', outputs, said })
      for (const [vout, { amount, scriptPubKey }] of outputs.entries()) {
        // What is minted there the index tells, once it is in a block.
        const isNew = operation?.op === 'nft' && vout === 0
        if (amount > 0n && scriptPubKey === PAYMENT)
          (isNew ? minting : coins).push(`${txid}:${vout}`)
      }
    }
    chain.mine()
    coins.push(...minting.splice(0))
    for (const { txid, first, outputs, said } of predictions) {
      const minted: AtomicalId = first.replace(':', 'i')
      for (const vout of outputs.keys()) {
        const held = index.holdings(`${txid}:${vout}`).filter(({ id }) => id !== minted)
        if (held.length < index.holdings(`${txid}:${vout}`).length) seen.minted++
        const there = Object.fromEntries(
          held.flatMap(({ id, amount }) => {
            const units = isNft(id) ? 1n : amount
            return units > 0n ? [[`${vout} ${id}`, units]] : []
          }),
        )
        const here = Object.entries(said).filter(([place]) => place.startsWith(`${vout} `))
        expect(Object.fromEntries(here)).toEqual(there)
        seen.landed += here.length
      }
    }
  }

  function mint(): string {
    const sats = pick(random, [546, 1_000, 3_000])
    if (random(2) === 0) return chain.mint('nft', { args: {} }, sats, random(3)).outpoint
    const ticker = `t${index.count()}`
    return chain.mint('ft', { args: { request_ticker: ticker } }, sats).outpoint
  }

  function isNft(id: AtomicalId): boolean {
    return index.atomical(id)?.type === 'nft'
  }

  function readInput(outpoint: string): TracedInput {
    const inBlock = index.holdings(outpoint).map(({ id, amount }): AtomicalAsset => {
      const type = isNft(id) ? 'nft' : 'ft'
      return describeAtomical(id, type, type === 'nft' ? 1n : amount)
    })
    const assets = index.coin(outpoint) ? inBlock : (traced.get(outpoint) ?? [])
    return { amount: chain.valueOf(outpoint), assets: { known: true, assets } }
  }

  function keepTraced(
    outpoint: string,
    id: AtomicalId,
    units: bigint,
    inputs: TracedInput[],
  ): void {
    const type = inputs
      .flatMap(({ assets }) => (assets.known ? assets.assets : []))
      .flatMap(asset => (asset.kind === 'atomical' && asset.id === id ? asset.type : []))
    const asset = describeAtomical(id, type[0] ?? 'nft', units)
    traced.set(outpoint, [...(traced.get(outpoint) ?? []), asset])
  }
}

/** With less known, every destination is the same or unknown, and amounts of a token are lower bounds. */
function assertVague(
  said: Places,
  inputs: TracedInput[],
  outputs: Output[],
  operation: ReturnType<typeof parseAtomicalOperation>,
  seen: Tally,
): void {
  const { moves } = traceAssets({ inputs, outputs, operation })
  for (const [place, units] of Object.entries(sumUp(moves))) {
    if (place.startsWith('unknown')) {
      seen.unknown++
      continue
    }
    seen.known++
    expect([place, (said[place] ?? 0n) >= units]).toEqual([place, true])
  }
}

/** An input of which nothing is known, or not all. */
function withhold(random: Random, input: TracedInput): TracedInput {
  const { amount, assets } = input
  const roll = random(6)
  if (roll === 0) return { amount, assets: { known: false, why: 'unanswered' } }
  if (roll > 1 || !assets.known) return input
  const some = assets.assets.filter(() => random(2) === 0)
  return { amount, assets: { known: true, assets: some }, mayHoldMore: true }
}

/** Mostly none, at times what deals with what is spent, or mints something new beside it. */
function randomOperation(
  random: Random,
  inputs: readonly TracedInput[],
  outputs: readonly Output[],
): { op: OperationName; payload: object } | null {
  const ids = inputs.flatMap(({ assets }) =>
    assets.known ? assets.assets.flatMap(asset => (asset.kind === 'atomical' ? asset.id : [])) : [],
  )
  const each = (draw: () => unknown) => Object.fromEntries(ids.map(id => [id, draw()]))
  const wish = () =>
    Object.fromEntries(
      Array.from({ length: random(3) }, () => [random(outputs.length), 1 + random(1_500)]),
    )
  switch (random(12)) {
    case 0:
      return { op: 'x', payload: {} }
    case 1:
      return { op: 'y', payload: each(() => random(1_500)) }
    case 2:
      return { op: 'z', payload: each(wish) }
    case 3:
      return random(3) === 0 ? { op: 'sl', payload: {} } : null
    case 4:
      return { op: 'nft', payload: { args: {} } }
    default:
      return null
  }
}

/** Units by where they go and id; what is on an output that nobody can spend is on that output. */
function sumUp(moves: readonly AssetMove[]): Places {
  const sums: Places = {}
  for (const { asset, to } of moves) {
    if (asset.kind !== 'atomical') throw new Error('no Atomical')
    const output = to.kind === 'output' || to.kind === 'burned' ? to.output : null
    const place = `${output ?? to.kind} ${asset.id}`
    sums[place] = (sums[place] ?? 0n) + asset.amount
  }
  return sums
}

function describeAtomical(
  id: AtomicalId,
  type: AtomicalAsset['type'],
  amount: bigint,
): AtomicalAsset {
  return { kind: 'atomical', id, type, number: null, name: null, amount }
}
