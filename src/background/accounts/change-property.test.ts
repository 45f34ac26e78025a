import { DescriptorsFactory, ecc } from '@bitcoinerlab/descriptors'
import { Transaction } from '@scure/btc-signer'
import * as networks from 'bitcoinjs-lib/src/networks'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { elsewhere, MINT_RUNE, offerRune } from '../backup/testing/full-wallet.ts'
import { refreshJobs } from '../inscribing/job-run.ts'
import { etch } from '../inscribing/testing/etching-world.ts'
import { bump, mintTexts, refund } from '../inscribing/testing/job-world.ts'
import { refreshMints } from '../minting/mint-run.ts'
import { RECIPIENT } from '../testing/funded-wallet.ts'
import { fund, type Worker, type World } from '../testing/test-wallet.ts'
import {
  balance,
  MASTER,
  PURPOSES,
  pay,
  receiveAddress,
  startWithMany,
} from './testing/many-addresses.ts'

/**
 * Random sequences of payments, inscribings, etchings, mints, fee bumps and refunds of an account of many addresses, some of which the
 * network refuses. What the chain has then is read by scure-btc-signer, and whose it is by @bitcoinerlab/descriptors from the extended
 * public key alone: no address for change is paid by two transactions, and a search with a gap of 20 finds every coin.
 */
const { count: COUNT, seed: SEED } = campaign('sequences of change')

const GAP = 20
/** No sequence comes so far. */
const MOST = 120
const { Output } = DescriptorsFactory(ecc)

const act = fc.record({
  kind: fc.constantFrom(
    ...([
      'pay',
      'pay',
      'inscribe',
      'inscribe',
      'mint',
      'etch',
      'receive',
      'mine',
      'abandon',
    ] as const),
    ...(['bump', 'bump', 'refund', 'refund', 'resume', 'resume'] as const),
  ),
  size: fc.integer({ min: 1, max: 4 }),
  sats: fc.integer({ min: 1_000, max: 15_000 }),
  feeRate: fc.integer({ min: 1, max: 9 }),
  /** Which of its transactions the network takes: all, none, or the first alone. */
  taken: fc.constantFrom('all', 'all', 'all', 'none', 'first'),
})
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

/** Which of the reasons not to do something are no failure of the wallet. */
const EXPECTED = [
  ...['INSUFFICIENT_FUNDS', 'COINS_HELD', 'BUMP_IMPOSSIBLE', 'BROADCAST_REJECTED', 'PLAN_OUTDATED'],
]

it(`${COUNT} sequences use no address for change twice, and all is found again from the key alone`, async () => {
  const done = new Map<string, number>()
  const seen = { change: 0, furthest: 0 }
  const sequence = fc.record({
    type: fc.constantFrom('p2wpkh' as const, 'p2tr' as const),
    acts: fc.array(act, { minLength: 6, maxLength: 14 }),
  })
  await fc.assert(
    fc.asyncProperty(sequence, async ({ type, acts }) => {
      const { world, worker } = await startWithMany(type)
      for (const sats of [90_000n, 60_000n, 40_000n, 30_000n])
        fund(world, (await receiveAddress(worker)).address, sats)
      offerRune(world)
      await balance(worker)
      for (const [at, one] of acts.entries()) {
        const key = `${one.kind} ${(await perform(world, worker, one, at)) ? 'done' : 'not'}`
        done.set(key, (done.get(key) ?? 0) + 1)
        world.clock.now += 61_000
      }
      await refreshJobs(worker.wallet)
      await refreshMints(worker.wallet)
      // Nothing moves while it is judged.
      world.chain.faults.refuse = 'no'
      const { reused, found, all, change } = judge(world, type)
      expect(reused).toEqual([])
      expect(found).toBe(all)
      expect(await balance(worker).then(sum)).toBe(all)
      const { worker: there } = await startWithMany(type, elsewhere(world))
      expect(await balance(there).then(sum)).toBe(all)
      seen.change += change.size
      seen.furthest = Math.max(seen.furthest, ...change)
    }),
    { numRuns: COUNT, seed: SEED },
  )
  console.info(JSON.stringify({ ...Object.fromEntries([...done].sort()), ...seen }))
  for (const kind of ['pay', 'inscribe', 'mint', 'etch', 'bump', 'refund', 'resume'])
    expect(done.get(`${kind} done`), kind).toBeGreaterThan(0)
  expect(seen.change).toBeGreaterThan(COUNT)
}, 3_600_000)

/** Whether it was done; a network that takes nothing of it does not undo that it was signed. */
async function perform(world: World, worker: Worker, act: Act, at: number): Promise<boolean> {
  const { kind, size, sats, feeRate, taken } = act
  const { chain } = world.chain
  const { broadcast } = chain
  let offered = 0
  chain.broadcast = async rawTx => {
    if (taken !== 'all' && (taken === 'none' || offered++ > 0)) world.chain.faults.refuse = 'no'
    return broadcast.call(chain, rawTx).finally(() => delete world.chain.faults.refuse)
  }
  try {
    return await attempt()
  } catch (error) {
    const { data, code } = error as { data?: { reason?: string }; code?: number }
    if (EXPECTED.includes(data?.reason ?? '') || code === -32602) return false
    throw error
  } finally {
    chain.broadcast = broadcast
  }

  async function attempt(): Promise<boolean> {
    if (kind === 'mine') return world.chain.mine(size) > 0
    if (kind === 'receive')
      return fund(world, (await receiveAddress(worker)).address, BigInt(sats) * 4n) !== ''
    if (kind === 'pay') return (await pay(worker, String(sats), { feeRate })).txid !== ''
    if (kind === 'abandon') {
      const recipients = [{ to: RECIPIENT, sats: String(sats) }]
      const rest = { memo: null, feeRate, coins: null, label: '' }
      return (await worker.ui('planPayment', { recipients, ...rest })).planId !== ''
    }
    if (kind === 'inscribe') {
      const texts = Array.from({ length: size }, (_, k) => `${at}.${k}`)
      const made = await mintTexts(worker, texts, { feeRate, postage: Math.max(546, sats >> 2) })
      return made.jobId !== ''
    }
    if (kind === 'etch') {
      const letter = String.fromCharCode(65 + at)
      const made = await etch(worker, { name: `SATCHEL•TEST•${letter.repeat(6)}`, feeRate })
      return made.jobId !== ''
    }
    if (kind === 'mint') {
      const draft = { rune: MINT_RUNE, count: size, feeRate, label: '' }
      const plan = await worker.ui('planRuneMint', draft)
      return (await worker.ui('confirmRuneMint', plan)).jobId !== ''
    }
    const jobs = await worker.ui('getJobs', null)
    if (kind === 'resume') {
      const held = jobs.filter(({ can }) => can.resume)
      for (const { id } of held) await worker.ui('resumeJob', { jobId: id })
      return held.length > 0
    }
    const open = jobs.filter(({ can }) => (kind === 'bump' ? can.bump : can.refund) !== null)
    const job = open[sats % Math.max(1, open.length)]
    if (!job) return false
    const least = (kind === 'bump' ? job.can.bump : job.can.refund)?.leastFeeRate ?? 1
    await (kind === 'bump' ? bump : refund)(worker, job.id, Math.ceil(least) + feeRate)
    return true
  }
}

function sum(balance: { confirmed: string; unconfirmed: string } | null): bigint {
  return BigInt(balance?.confirmed ?? 0) + BigInt(balance?.unconfirmed ?? 0)
}

/** What the chain has of the account, judged by others’ code. */
function judge(world: World, type: 'p2wpkh' | 'p2tr') {
  const xpub = MASTER.derivePath(`m/${PURPOSES[type]}'/1'/0'`).neutered().toBase58()
  const write = type === 'p2tr' ? 'tr' : 'wpkh'
  const descriptor = `${write}(${xpub}/<0;1>/*)`
  const places = new Map<string, { branch: number; index: number }>()
  for (const branch of [0, 1])
    for (let index = 0; index < MOST; index++) {
      const output = new Output({ descriptor, index, change: branch, network: networks.regtest })
      places.set(toHex(output.getScriptPubKey()), { branch, index })
    }
  const transactions = world.chain
    .list()
    .map(({ rawTx }) =>
      Transaction.fromRaw(rawTx, { allowUnknownOutputs: true, allowLegacyWitnessUtxo: true }),
    )
  const spentBy = new Map<string, string>()
  for (const one of transactions)
    for (let at = 0; at < one.inputsLength; at++) {
      const { txid, index } = one.getInput(at)
      spentBy.set(`${toHex(txid ?? new Uint8Array())}:${index}`, one.id)
    }
  const coins = transactions.flatMap(one =>
    Array.from({ length: one.outputsLength }, (_, vout) => {
      const { script, amount = 0n } = one.getOutput(vout)
      const place = places.get(toHex(script ?? new Uint8Array()))
      return place ? [{ txid: one.id, outpoint: `${one.id}:${vout}`, amount, ...place }] : []
    }).flat(),
  )
  const used = coins.map(({ branch, index }) => `${branch}/${index}`)
  const reachable = new Set<string>()
  for (const branch of [0, 1])
    for (let index = 0, unused = 0; unused < GAP; index++) {
      const place = `${branch}/${index}`
      unused = used.includes(place) ? 0 : unused + 1
      reachable.add(place)
    }
  const unspent = coins.filter(({ outpoint }) => !spentBy.has(outpoint))
  const total = (some: typeof coins) => some.reduce((sats, { amount }) => sats + amount, 0n)
  const ofChange = coins.filter(({ branch }) => branch === 1)
  const change = new Set(ofChange.map(({ index }) => index))
  const reused = [...change].filter(index => {
    const paid = ofChange.filter(one => one.index === index)
    // What pays the mints after one is spent by the next, which pays the rest of it to the same address.
    const passedOn = paid.filter(one => paid.some(({ txid }) => txid === spentBy.get(one.outpoint)))
    return paid.length - passedOn.length > 1
  })
  return {
    ...{ reused, change, all: total(unspent) },
    found: total(unspent.filter(({ branch, index }) => reachable.has(`${branch}/${index}`))),
  }
}
