import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint, parseOutpoint } from '../../bitcoin/outpoint.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { colour } from '../../devnet/atomicals/colouring.ts'
import { keyOfAtomical } from '../../ordinals/asset-key.ts'
import type { AtomicalId } from '../../ordinals/atomical-id.ts'
import { decodePayment } from '../activity/stored-payment.ts'
import { textDraft } from '../inscribing/testing/job-world.ts'
import { RECIPIENT } from '../testing/funded-wallet.ts'
import { privateKeyOf, trySigning } from '../testing/psbt-site.ts'
import { createSeededRandom } from '../testing/seeded-random.ts'
import { type Simulation, startSimulation } from './testing/atomicals-simulation.ts'

/**
 * Payments of all kinds, mint commits, bumps, refunds and PSBTs of sites, with Atomicals about and indexes that do what they
 * like. Left out is what no wallet can see through: an index that hides an Atomical from the first question on, where nobody
 * else knows of it.
 */

const { count: COUNT, seed: SEED } = campaign('wallets with Atomicals')
const ACTIONS = 25

const ACTS = [
  ...(['pay', 'pay', 'pay', 'max', 'bump', 'bump', 'bump', 'mint', 'job'] as const),
  ...(['send', 'units', 'units', 'psbt', 'psbt', 'split'] as const),
]
type Act = (typeof ACTS)[number]
/** Coins that may be spent with what is on them, those of them that must come back whole, and units that are to be sent. */
type Asked = {
  leading: Set<string>
  returned: Set<string>
  units: { id: AtomicalId; amount: bigint } | null
}
type SeededRandom = ReturnType<typeof createSeededRandom>

const tally = { refused: 0, named: 0, warned: 0, kept: 0 }
const done = { pay: 0, max: 0, bump: 0, mint: 0, job: 0, send: 0, units: 0, psbt: 0, split: 0 }

describe(`a wallet with Atomicals, ${COUNT} times ${ACTIONS} actions`, () => {
  it(
    'spends no coin that was ever named or that nobody vouched for, whatever the indexes say',
    async () => {
      for (let world = 0; world < COUNT; world++)
        await play(createSeededRandom(SEED * 100_000 + world))
      console.info(JSON.stringify({ seed: SEED, ...tally, ...done }))
      expect(done.pay + done.max).toBeGreaterThan(COUNT)
      // A split finds something to cut out a few times only.
      const usual = { ...tally, ...done, split: done.split + done.send }
      // Of the rarest, bumps and transfers of units, one in thirty worlds at least.
      for (const often of Object.values(usual)) expect(often).toBeGreaterThan(COUNT / 30 - 1)
    },
    60_000 + COUNT * 4_000,
  )
})

async function play(random: SeededRandom): Promise<void> {
  const simulation = await startSimulation(random)
  for (let more = 2 + random.below(5); more > 0; more--) simulation.receive()
  for (let turn = 0; turn < ACTIONS; turn++) {
    simulation.redraw()
    if (random.chance(0.3)) simulation.receive()
    if (random.chance(0.3)) simulation.world.chain.mine(random.pick([1, 1, 7]))
    if (random.chance(0.5)) simulation.world.clock.now += random.pick([1_000, 61_000])
    const act = random.pick(ACTS)
    const asked: Asked = { leading: new Set(), returned: new Set(), units: null }
    let isDone = true
    try {
      await perform(act, simulation, random, asked)
    } catch (error) {
      assertRefusal(error)
      tally.refused++
      isDone = false
    }
    if (isDone) done[act]++
    assertSettled(simulation, asked)
  }
}

async function perform(act: Act, simulation: Simulation, random: SeededRandom, asked: Asked) {
  const { worker, account } = simulation
  const { ui } = worker
  const { leading, returned } = asked
  const feeRate = random.pick([1, 3, 12])
  const confirm = async (plan: { planId: string; digest: string }) => {
    if (random.chance(0.5)) simulation.redraw()
    await ui('confirmPayment', { planId: plan.planId, digest: plan.digest })
  }
  const confirmJob = async (plan: { planId: string; digest: string }) => {
    if (random.chance(0.5)) simulation.redraw()
    await ui('confirmInscribe', { planId: plan.planId, digest: plan.digest })
  }
  switch (act) {
    case 'pay':
    case 'max': {
      const coins = random.chance(0.2) ? [random.pick(simulation.own())] : null
      const sats = act === 'max' ? ('max' as const) : String(1_000 + random.below(60_000))
      const to = random.chance(0.8) ? RECIPIENT : account.address
      const recipients = [{ to, sats }]
      return confirm(await ui('planPayment', { recipients, memo: null, feeRate, coins, label: '' }))
    }
    case 'bump': {
      const records = await worker.wallet.activity.listSent('regtest', account.id)
      const [txid] = parts(
        random.pick(
          records.length > 0 && random.chance(0.8)
            ? records.map(one => `${one.txid}:0`)
            : simulation.own(),
        ),
      )
      const kind = random.pick(['speed-up', 'child', 'cancel'] as const)
      const plan = await ui('planBump', { txid, kind, feeRate: random.pick([20, 60]) })
      // A child may spend what came with its parent, whatever is on it, if nothing of it moves.
      if (kind === 'child') {
        const created = simulation.own().filter(outpoint => parts(outpoint)[0] === txid)
        for (const outpoint of created) for (const set of [leading, returned]) set.add(outpoint)
      }
      const original = simulation.world.chain.get(txid)
      // What a transfer carries may be moved again, and only that.
      const { payment } = records.find(one => one.txid === txid) ?? {}
      const led = payment ? decodePayment(payment).leading.inputs : 0
      if (original)
        for (const input of parseTransaction(original).inputs.slice(0, led))
          leading.add(formatOutpoint(input))
      return confirm(plan)
    }
    case 'mint':
      return confirmJob(await ui('planInscribe', textDraft(['one', 'two'], { feeRate })))
    case 'job': {
      simulation.gate.refusesReveals = true
      try {
        await confirmJob(await ui('planInscribe', textDraft(['one', 'two'], { feeRate })))
        const [job] = await ui('getJobs', null)
        if (!job) throw missing('job')
        const method = random.chance(0.6) ? 'planJobRefund' : 'planJobBump'
        simulation.redraw()
        return await confirmJob(await ui(method, { jobId: job.id, feeRate: random.pick([20, 60]) }))
      } finally {
        simulation.gate.refusesReveals = false
      }
    }
    case 'send': {
      const nfts = simulation
        .own()
        .flatMap(outpoint =>
          (simulation.truth.get(outpoint) ?? []).flatMap(({ id, type }) =>
            type === 'nft' ? { id, outpoint } : [],
          ),
        )
      if (nfts.length === 0) throw missing('NFT')
      const { id, outpoint } = random.pick(nfts)
      leading.add(outpoint)
      const to = random.chance(0.6) ? account.address : RECIPIENT
      const order = { ids: [keyOfAtomical(id)], to, feeRate, label: '' }
      return confirm(await ui('planTransfer', order))
    }
    case 'split': {
      const outpoint = random.pick(simulation.own())
      // Inscriptions may be split off; what else is there may not.
      if (!simulation.truth.has(outpoint)) leading.add(outpoint)
      return confirm(await ui('planSplit', { outpoint, postage: 546, feeRate }))
    }
    case 'units': {
      const tokens = simulation.own().flatMap(outpoint => {
        const [asset, ...others] = simulation.truth.get(outpoint) ?? []
        return asset?.type === 'ft' && others.length === 0 ? { outpoint, asset } : []
      })
      if (tokens.length === 0) throw missing('token')
      const { asset } = random.pick(tokens)
      for (const other of tokens) if (other.asset.id === asset.id) leading.add(other.outpoint)
      const amount = String(random.chance(0.5) ? asset.amount : asset.amount / 2n)
      const to = random.chance(0.6) ? account.address : RECIPIENT
      const order = { id: asset.id, amount, to, feeRate, label: '' }
      const { planId, digest } = await ui('planTokenTransfer', order)
      await confirm({ planId, digest })
      asked.units = { id: asset.id, amount: BigInt(amount) }
      return
    }
    case 'psbt':
      return signForSite(simulation, random)
  }
}

function parts(outpoint: string): [txid: string, vout: number] {
  const { txid, vout } = parseOutpoint(outpoint)
  return [txid, vout]
}

/** A site names own coins as inputs; what is on them is shown, and what would be lost is not signed. */
async function signForSite(simulation: Simulation, random: SeededRandom): Promise<void> {
  const { world, account } = simulation
  const key = await privateKeyOf(account)
  const coins = [...new Set([random.pick(simulation.own()), random.pick(simulation.own())])]
  const inputs = coins.map(outpoint => {
    const [txid, vout] = parts(outpoint)
    const { amount } =
      parseTransaction(world.chain.get(txid) ?? new Uint8Array()).outputs[vout] ?? {}
    return { type: account.addressType, key, amount: amount ?? 0n, outpoint: { txid, vout } }
  })
  const total = inputs.reduce((sum, { amount }) => sum + amount, 0n)
  const first = total / BigInt(random.pick([2, 2, 3, 1])) - 200n
  if (first < 330n) throw missing('coin')
  const outputs = [
    random.chance(0.2)
      ? { type: 'op-return' as const, amount: 0n }
      : { type: 'p2wpkh' as const, amount: first },
    ...(random.chance(0.5) && total - first > 1_000n
      ? [{ type: account.addressType, key, amount: total - first - 400n }]
      : []),
  ]
  const { bytes } = buildPsbt({ inputs, outputs })
  const { review, response } = await trySigning(simulation, 'signPsbt', toHex(bytes))
  if ('error' in response) throw Object.assign(new Error(response.error.message), response.error)
  const [item] = review?.items ?? []
  const unchecked = new Set(
    item?.warnings.flatMap(one => (one.kind === 'unchecked-coins' ? one.inputs : [])) ?? [],
  )
  const spent = coins.flatMap((outpoint, input) =>
    (simulation.truth.get(outpoint) ?? []).map(({ id, type, amount }) => ({
      input,
      id,
      type,
      amount,
    })),
  )
  const { landed } = colour({
    spent,
    outputs: parsePsbt(bytes).outputs.map(({ amount, scriptPubKey }) => ({
      value: amount,
      script: scriptPubKey,
    })),
    operation: null,
  })
  // What is named and not there would have its place in the flow, too.
  const isAllKnown =
    unchecked.size === 0 &&
    (item?.assets ?? []).every(
      ({ input, asset }) =>
        asset.kind !== 'atomical' || spent.some(one => one.input === input && one.id === asset.id),
    )
  for (const { input, id } of spent) {
    const views =
      item?.assets.filter(one => one.input === input && 'id' in one.asset && one.asset.id === id) ??
      []
    expect([id, views.length > 0 || unchecked.has(input)]).toEqual([id, true])
    if (views.length > 0) tally.named++
    else tally.warned++
    for (const view of views) {
      expect([id, view.own, view.to]).not.toEqual([id, true, 'burned'])
      if (!isAllKnown || view.output === null) continue
      expect(landed.filter(one => one.id === id).map(({ output }) => output)).toContain(view.output)
    }
  }
}

/** Whatever went out: of coins with something on them, or of unknown content, only what was to go, and where it was to go. */
function assertSettled(simulation: Simulation, { leading, returned, units }: Asked): void {
  const { truth } = simulation
  const vouched = new Set(simulation.vouched)
  const known = new Set(simulation.known())
  for (const { txid, spends, landed, namedBefore } of simulation.settle()) {
    for (const [input, outpoint] of spends.entries()) {
      if (!known.has(outpoint)) continue
      const isNamed = truth.has(outpoint) || namedBefore.has(outpoint)
      if (!leading.has(outpoint)) {
        expect([outpoint, isNamed, vouched.has(outpoint)]).toEqual([outpoint, false, true])
        continue
      }
      tally.kept++
      const isClean = !isNamed && vouched.has(outpoint)
      if (returned.has(outpoint) && !isClean)
        expect([txid, outputOf(simulation, `${txid}:${input}`)]).toEqual([
          txid,
          outputOf(simulation, outpoint),
        ])
      for (const { id } of units ? [] : (truth.get(outpoint) ?? [])) {
        const isThere = landed.some(one => one.id === id && one.output === input)
        expect([txid, id, isThere]).toEqual([txid, id, true])
      }
    }
    if (units) {
      const sent = landed.filter(({ id, output }) => id === units.id && output === 0)
      expect(sent.map(({ amount }) => amount)).toEqual([units.amount])
    }
  }
}

/** Its amount and script. */
function outputOf({ world }: Simulation, outpoint: string) {
  const [txid, vout] = parts(outpoint)
  return parseTransaction(world.chain.get(txid) ?? new Uint8Array()).outputs[vout]
}

function missing(what: string): Error {
  return Object.assign(new Error(`There is no ${what}`), { code: -32602 })
}

const EXPECTED =
  /INSUFFICIENT_FUNDS|COINS_HELD|PLAN_OUTDATED|BUMP_IMPOSSIBLE|TOO_LARGE|PROTECTED_ASSET|BACKEND_UNAVAILABLE|ABSURD_FEE/

function assertRefusal(error: unknown): void {
  const { code, data } = Object(error)
  if (code === -32602 || code === 4200) return
  if (!EXPECTED.test(String(data?.reason))) throw error
}
