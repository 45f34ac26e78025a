import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { BackendUnavailableError, BroadcastRejectedError } from '../../chain/chain-source.ts'
import { inHurry } from '../testing/fast-timers.ts'
import {
  draft,
  outputsOf,
  RECIPIENT,
  readBroadcast,
  startFunded,
} from '../testing/funded-wallet.ts'
import { createSeededRandom } from '../testing/seeded-random.ts'
import { PASSWORD, startWorker } from '../testing/test-wallet.ts'

/**
 * A person who pays, pays again what was refused or taken back, and bumps, at a server that takes transactions, refuses them, keeps
 * what it says it refused or relays it, loses answers, and publishes what it kept whenever it likes, as miners do with what was replaced. It hides no
 * coins and undoes no blocks: nothing could stand against that. Each amount is of one payment: whatever is published in the end, none
 * is made twice.
 */
const { count: COUNT, seed: SEED } = campaign('payments through servers that lie of broadcasts')
const ROUNDS = 40
const KINDS = ['speed-up', 'cancel', 'child'] as const
const WAYS = ['take', 'refuse', 'keep', 'relay', 'lose before', 'lose after'] as const

describe(`payments through a server that lies of broadcasts, ${COUNT} times ${ROUNDS} moves`, () => {
  it.each(Array.from({ length: COUNT }, (_, at) => SEED + at))(
    'are made once each, and end (seed %i)',
    seed => inHurry(() => play(seed), 0.5),
    60_000,
  )
})

async function play(seed: number): Promise<void> {
  const random = createSeededRandom(seed)
  const { world, account, ...started } = await startFunded(100_000n, 80_000n, 60_000n, 40_000n)
  let { worker } = started
  const { chain } = world
  chain.mine(30)
  const server = deceive(world, random)
  const amounts: number[] = []
  const moves = [
    () => pay(10_000 + amounts.length),
    () => payAgain(),
    () => bump(),
    () => bump(),
    async () => void chain.mine(),
    async () => server.publish(random.below(3) === 0),
    async () => server.change(),
    () => look(),
    async () => {
      worker = startWorker(world)
      await worker.ui('unlock', { password: PASSWORD })
    },
  ]
  for (let round = 0; round < ROUNDS; round++) await random.pick(moves)()

  server.change('take')
  for (let block = 0; block < 3; block++) {
    for (let count = 0; count < 20; count++) server.publish(true)
    chain.mine()
  }
  const made = chain
    .list()
    .flatMap(({ txid }) => outputsOf(readBroadcast(world, txid)))
    .flatMap(({ address, sats }) => (address === RECIPIENT ? Number(sats) : []))
  expect(made.toSorted()).toEqual([...new Set(made)].toSorted())
  for (let block = 0; block < 6; block++) {
    await look()
    chain.mine()
  }
  await look()
  for (const { txid, status } of await list())
    expect(status === 'confirmed', txid).toBe(chain.heightOf(txid) !== null)
  const coins = await worker.ui('getCoins', null)
  expect(coins.filter(({ held }) => held === 'reserved')).toEqual([])

  function list() {
    return worker.wallet.activity.listSent('regtest', account.id)
  }

  async function look(): Promise<void> {
    world.clock.now += 60_000
    await worker.ui('unlock', { password: PASSWORD })
    await worker.ui('getOverview', null)
  }

  async function pay(amount: number): Promise<void> {
    amounts.push(amount)
    const recipients = [{ to: RECIPIENT, sats: String(amount) }]
    await attempt(async () => {
      const free = (await worker.ui('getCoins', null)).filter(({ held }) => held === null)
      const coins = random.below(2) === 0 && free[0] ? [random.pick(free).outpoint] : null
      const order = draft({ recipients, feeRate: 2 + random.below(30), coins })
      await worker.ui('confirmPayment', await worker.ui('planPayment', order))
    })
  }

  /** What the wallet says was refused, taken back, or gave way to something else, and the person wants after all. */
  async function payAgain(): Promise<void> {
    const over = await listOver()
    if (over.length > 0) await pay(random.pick(over))
  }

  async function listOver(): Promise<number[]> {
    const records = await list()
    return amounts.filter(amount => {
      const own = records.filter(one => amountsOf(one).includes(amount))
      return own.length > 0 && own.every(one => ['failed', 'replaced'].includes(one.status))
    })
  }

  async function bump(): Promise<void> {
    const waiting = (await list()).filter(
      ({ status }) => status === 'pending' || status === 'sending',
    )
    if (waiting.length === 0) return
    const { txid } = random.pick(waiting)
    const kind = random.pick(KINDS)
    const { leastFeeRate } = (await worker.ui('getBumpOptions', { txid }))[kind]
    if (leastFeeRate === null) return
    const feeRate = Math.ceil(leastFeeRate + random.below(5))
    await attempt(async () => {
      await worker.ui('confirmPayment', await worker.ui('planBump', { txid, kind, feeRate }))
    })
  }
}

type World = Awaited<ReturnType<typeof startFunded>>['world']
type Random = ReturnType<typeof createSeededRandom>

function amountsOf({ payment }: { payment: { outputs: { sats: string }[] } | null }): number[] {
  return payment?.outputs.map(({ sats }) => Number(sats)) ?? []
}

/** What cannot be done is refused with its reason. */
async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    expect([-32602, -32000], String(error)).toContain(Object(error).code)
  }
}

/** Has the chain's server lie of broadcasts, in one way or in all of them. */
function deceive({ chain }: World, random: Random) {
  const kept: Uint8Array[] = []
  let way: (typeof WAYS)[number] | 'any' = 'take'
  const broadcast = chain.chain.broadcast.bind(chain.chain)
  const isThere = ({ txid }: { txid: string }) => chain.get(txid) !== undefined
  chain.chain.broadcast = async rawTx => {
    const how = way === 'any' ? random.pick(WAYS) : way
    if (how !== 'refuse' && how !== 'lose before') kept.push(rawTx)
    if (how === 'keep' || how === 'refuse') throw new BroadcastRejectedError('mempool full')
    if (how === 'lose before') throw lost()
    if (!parseTransaction(rawTx).inputs.every(isThere))
      throw new BroadcastRejectedError('bad-txns-inputs-missingorspent')
    const txid = await broadcast(rawTx)
    if (how === 'relay') throw new BroadcastRejectedError('mempool full')
    if (how === 'lose after') throw lost()
    return txid
  }
  return {
    change(to: typeof way = random.pick(['take', 'any', 'take'])): void {
      way = to
    },
    /** Something that was kept, or replaced meanwhile, gets into the mempool, or into the newest block, if it can. */
    publish(inBlock: boolean): void {
      if (kept.length === 0) return
      const rawTx = random.pick(kept)
      const { txid, inputs } = parseTransaction(rawTx)
      const mined = chain.list().filter(({ height }) => height !== null)
      const isSpent = inputs.some(({ txid, vout }) =>
        mined.some(one => one.inputs.some(other => other.txid === txid && other.vout === vout)),
      )
      const isReady = inputs.every(input =>
        inBlock ? chain.heightOf(input.txid) !== null : isThere(input),
      )
      if (isThere({ txid }) || isSpent || !isReady) return
      if (inBlock) chain.add(rawTx)
      else void broadcast(rawTx).catch(() => {})
    },
  }
}

function lost(): BackendUnavailableError {
  const problem = { kind: 'unreachable', host: 'memory.test', detail: 'lost' } as const
  return new BackendUnavailableError({ ...problem, retryInMs: null })
}
