import { describe, expect, it } from 'vitest'
import { createRandom, pick, type Random } from '../../src/bitcoin/testing/signable-psbts.ts'
import {
  createTestChain,
  inscribe,
  OP_RETURN_SCRIPT,
  type Spend,
} from '../../src/devnet/ord/testing/test-chain.ts'
import {
  type AssetDestination,
  type TracedInput,
  traceAssets,
} from '../../src/ordinals/flow/asset-flow.ts'
import { campaign } from '../../testing/campaigns.ts'

const { count: COUNT, seed: SEED } = campaign('transactions with inscriptions')
const CHAIN_LENGTH = 500
const PER_BLOCK = 5
const MOST_INPUTS = 4
const MOST_SPENT = PER_BLOCK * MOST_INPUTS
const PAYMENT = Uint8Array.of(0x51)

/** The wallet reads the inputs from the index, says where all lands, and then the index mines it. */
describe(`${COUNT} random transactions (seed ${SEED})`, () => {
  it(
    'take every inscription where the wallet said, or the wallet said that it does not know',
    () => {
      const random = createRandom(SEED)
      const seen = { output: 0, fee: 0, burned: 0, unknown: 0, told: 0 }
      for (let done = 0; done < COUNT; done += CHAIN_LENGTH)
        followChain(random, Math.min(CHAIN_LENGTH, COUNT - done), seen)
      console.info(JSON.stringify({ seed: SEED, ...seen }))
      // Each way to end was met often, and facts that were withheld often left something to say.
      for (const often of Object.values(seen)) expect(often).toBeGreaterThan(COUNT / 10)
    },
    Math.max(120_000, 6 * COUNT),
  )
})

function followChain(
  random: Random,
  length: number,
  seen: Record<AssetDestination['kind'] | 'told', number>,
): void {
  const chain = createTestChain()
  const { index, send, mine } = chain
  const coins = chain.mineCoins(MOST_SPENT)
  for (let sent = 0; sent < length; sent += PER_BLOCK) {
    const made: string[] = []
    const predictions: {
      id: string
      txid: string
      to: AssetDestination
      vague: AssetDestination
    }[] = []
    for (let i = 0; i < Math.min(PER_BLOCK, length - sent); i++) {
      const spent = Array.from({ length: 1 + random(MOST_INPUTS) }, () =>
        coins.splice(random(coins.length), 1),
      ).flat()
      const inputs = spent.map(outpoint => readInput(outpoint))
      const outputs = randomOutputs(random, inputs)
      const spends = spent.map(
        (outpoint): Spend => (random(3) === 0 ? [outpoint, inscribe('hi')] : outpoint),
      )
      const pays = outputs.map(({ amount, scriptPubKey }) => [amount, scriptPubKey] as const)
      const txid = send(spends, pays)
      const vague = traceAssets({ inputs: inputs.map(input => withhold(random, input)), outputs })
      const sharp = traceAssets({ inputs, outputs })
      for (const [at, { asset, to }] of sharp.moves.entries()) {
        const id = asset.kind === 'inscription' ? asset.id : ''
        predictions.push({ id, txid, to, vague: vague.moves[at]?.to ?? to })
      }
      for (const [vout, { scriptPubKey }] of outputs.entries())
        if (scriptPubKey === PAYMENT) made.push(`${txid}:${vout}`)
    }
    const coinbase = mine()
    coins.push(coinbase, ...made)
    while (coins.length < MOST_SPENT) coins.push(mine())
    for (const { id, txid, to, vague } of predictions) {
      const actual = locate(id, txid, coinbase)
      expect(to).toEqual(actual)
      seen[to.kind]++
      if (vague.kind === 'unknown') seen.unknown++
      else {
        seen.told++
        const hidden = vague.kind === 'output' && vague.offset === null
        expect(vague).toEqual(hidden ? { ...actual, offset: null } : actual)
      }
    }
  }

  function readInput(outpoint: string): TracedInput {
    const held = index.output(outpoint)?.inscriptions ?? []
    const assets = held.map(({ id, offset }) => ({ kind: 'inscription', id, offset }) as const)
    return { amount: chain.valueOf(outpoint), assets: { known: true, assets } }
  }

  function locate(id: string, txid: string, coinbase: string): AssetDestination {
    const inscription = index.inscription(id)
    if (!inscription) throw new Error(`${id} is gone`)
    const { satpoint, charms } = inscription
    if (satpoint.outpoint === coinbase) return { kind: 'fee' }
    const [at, vout] = satpoint.outpoint.split(':')
    expect(at).toBe(txid)
    const output = Number(vout)
    return charms.includes('burned')
      ? { kind: 'burned', output }
      : { kind: 'output', output, offset: satpoint.offset }
  }
}

/** Up to five outputs of what the inputs hold or a part of it; their ends are often beside a sat that is inscribed. */
function randomOutputs(random: Random, inputs: readonly TracedInput[]) {
  let total = 0n
  const marks: bigint[] = [0n]
  for (const { amount, assets } of inputs) {
    marks.push(total)
    for (const asset of assets.known ? assets.assets : [])
      if (asset.kind === 'inscription') marks.push(total + (asset.offset ?? 0n))
    total += amount ?? 0n
  }
  marks.push(total)
  const cut = () =>
    random(2) === 0
      ? pick(random, marks) + BigInt(random(3) - 1)
      : (total * BigInt(random(1_000))) / 1_000n
  const cuts = Array.from({ length: random(5) }, cut)
    .filter(place => place >= 0n && place <= total)
    .toSorted((a, b) => Number(a - b))
  cuts.push(random(2) === 0 ? total : (cuts.at(-1) ?? 0n))
  return cuts.map((end, at) => ({
    amount: end - (cuts[at - 1] ?? 0n),
    scriptPubKey: random(6) === 0 ? OP_RETURN_SCRIPT : PAYMENT,
  }))
}

/** The input as an index or a PSBT that says less of it would have it. */
function withhold(random: Random, { amount, assets }: TracedInput): TracedInput {
  return {
    amount: random(8) === 0 ? null : amount,
    assets: {
      known: true,
      assets: (assets.known ? assets.assets : []).map(asset =>
        asset.kind === 'inscription' && random(4) === 0 ? { ...asset, offset: null } : asset,
      ),
    },
  }
}
