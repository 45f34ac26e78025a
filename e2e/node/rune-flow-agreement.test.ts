import { describe, expect, it } from 'vitest'
import { createRandom, pick, type Random } from '../../src/bitcoin/testing/signable-psbts.ts'
import { createRuneChain } from '../../src/devnet/ord/runes/testing/rune-chain.ts'
import { COIN, OP_RETURN_SCRIPT } from '../../src/devnet/ord/testing/test-chain.ts'
import type { RuneAsset } from '../../src/ordinals/asset.ts'
import { type AssetMove, traceAssets } from '../../src/ordinals/flow/asset-flow.ts'
import { runestoneScript } from '../../src/ordinals/testing/runestone-script.ts'
import { campaign } from '../../testing/campaigns.ts'

const { count: COUNT, seed: SEED } = campaign('transactions with runes')
const CHAIN_LENGTH = 100
const PAYMENT = Uint8Array.of(0x51)
const PREMINE = 1_000n

/** The wallet reads the inputs from devnet's ledger, says where all runes land, and then the ledger mines it. */
describe(`${COUNT} random transactions with runes (seed ${SEED})`, () => {
  it(
    'give every output what the wallet said, and burn what it said',
    () => {
      const random = createRandom(SEED)
      const seen = { output: 0, burned: 0 }
      for (let done = 0; done < COUNT; done += CHAIN_LENGTH)
        for (const { to } of followChain(random, Math.min(CHAIN_LENGTH, COUNT - done)))
          if (to.kind === 'output' || to.kind === 'burned') seen[to.kind]++
      console.info(JSON.stringify({ seed: SEED, ...seen }))
      for (const often of Object.values(seen)) expect(often).toBeGreaterThan(COUNT / 20)
    },
    Math.max(120_000, 10 * COUNT),
  )
})

function followChain(random: Random, length: number): AssetMove[] {
  const chain = createRuneChain()
  const runes: string[] = []
  const coins: string[] = []
  const moved: AssetMove[] = []
  for (let sent = 0; sent < length; sent++) {
    if (coins.length < 4 || sent % 10 === 0) {
      const { txid, id } = chain.etch({ premine: PREMINE })
      runes.push(id)
      coins.push(`${txid}:0`)
    }
    const spent = Array.from({ length: 1 + random(3) }, () =>
      coins.splice(random(coins.length), 1),
    ).flat()
    const outputs = randomOutputs(random, runes)
    const inputs = spent.map(outpoint => ({
      amount: chain.valueOf(outpoint),
      assets: { known: true, assets: Object.entries(chain.held(outpoint)).map(toAsset) } as const,
    }))
    const { moves } = traceAssets({ inputs, outputs })
    const burnedBefore = new Map(runes.map(id => [id, chain.rune(id)?.burned ?? 0n]))
    const pays = outputs.map(({ amount, scriptPubKey }) => [amount, scriptPubKey] as const)
    const { txid } = chain.mineRunes(spent, pays)

    for (const [vout, { scriptPubKey }] of outputs.entries()) {
      const landed = moves.filter(({ to }) => to.kind === 'output' && to.output === vout)
      expect(sumByRune(landed)).toEqual(chain.held(`${txid}:${vout}`))
      if (scriptPubKey === PAYMENT) coins.push(`${txid}:${vout}`)
    }
    const burned = sumByRune(moves.filter(({ to }) => to.kind === 'burned'))
    for (const [id, before] of burnedBefore)
      expect((chain.rune(id)?.burned ?? 0n) - before).toBe(burned[id] ?? 0n)
    moved.push(...moves)
  }
  return moved
}

/** Outputs of a few sats each, among them mostly a runestone, which is malformed at times. */
function randomOutputs(random: Random, runes: readonly string[]) {
  const scripts: Uint8Array[] = Array.from({ length: 1 + random(4) }, () =>
    random(8) === 0 ? OP_RETURN_SCRIPT : PAYMENT,
  )
  if (random(4) > 0)
    scripts.splice(
      random(scripts.length + 1),
      0,
      randomRunestone(random, runes, scripts.length + 1),
    )
  const amount = COIN / 1_000_000n
  return scripts.map(scriptPubKey => ({ amount, scriptPubKey }))
}

function randomRunestone(random: Random, runes: readonly string[], outputs: number): Uint8Array {
  const edicts = Array.from({ length: random(5) }, () => pick(random, runes).split(':').map(Number))
    .toSorted(([blockA = 0], [blockB = 0]) => blockA - blockB)
    .flatMap(([block = 0, tx = 0], at, all) => {
      const [before = 0, txBefore = 0] = all[at - 1] ?? []
      const delta = block === before ? tx - txBefore : tx
      const amount = random(3) === 0 ? 0 : random(Number(PREMINE))
      return [block - before, delta, amount, random(outputs + 1)]
    })
  const pointer = random(3) === 0 ? [22, random(outputs)] : []
  const flaw = random(25) === 0 ? [126, 0] : []
  return runestoneScript([...pointer, ...flaw, 0, ...edicts])
}

function toAsset([id, amount]: [string, bigint]): RuneAsset {
  return { kind: 'rune', name: id, rune: id, amount, divisibility: 0, symbol: null }
}

function sumByRune(moves: readonly AssetMove[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  for (const { asset } of moves)
    if (asset.kind === 'rune') sums[asset.name] = (sums[asset.name] ?? 0n) + asset.amount
  return sums
}
