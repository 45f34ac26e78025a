import { describe, expect, it } from 'vitest'
import {
  draft,
  inputsOf,
  RECIPIENT,
  readBroadcast,
  SITE,
  startFunded,
} from '../testing/funded-wallet.ts'
import { connectPage, openPage, type Worker } from '../testing/test-wallet.ts'

const PAYMENTS = 200
const OTHER_SITE = 'https://other.example'

/** mulberry32: the same order for the same seed. */
function createSeededRandom(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}

/** A person who answers what is asked, now and then with no. */
function answerAll(worker: Worker, roll: (sides: number) => number) {
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      const approval = await worker.ui('getApproval', null)
      if (approval) {
        const decision = roll(8) === 0 ? 'reject' : 'approve'
        await worker.ui('decide', { key: approval.key, digest: approval.digest, decision })
      } else await new Promise(resolve => setTimeout(resolve, 1))
    }
  })()
  return {
    stop: () => {
      isOver = true
      return done
    },
  }
}

/** Txids by the payment that they took the place of. */
type Replaced = Map<string, string>

type Payer = (sats: number, feeRate: number) => Promise<string | null>

function payFromTab(page: ReturnType<typeof openPage>): Payer {
  return async (sats, feeRate) => {
    const response = await page.call('sendBitcoin', RECIPIENT, sats, { feeRate })
    return 'result' in response ? String(response.result) : null
  }
}

/** Hesitates between review and confirmation, so that others take the coins meanwhile; now and then speeds up what it sent. */
function payFromPopup(worker: Worker, roll: (sides: number) => number, replaced: Replaced): Payer {
  return async (sats, feeRate) => {
    const recipients = [{ to: RECIPIENT, sats: String(sats) }]
    try {
      const { planId, digest } = await worker.ui('planPayment', draft({ recipients, feeRate }))
      await new Promise(resolve => setTimeout(resolve, roll(20)))
      const confirm = () => worker.ui('confirmPayment', { planId, digest })
      // A double press: what the first could not send, the second may.
      const txid = await sentByAny(roll(3) === 0 ? [confirm(), confirm()] : [confirm()])
      if (roll(2) === 0) await speedUp(txid).catch(expectFailure)
      return txid
    } catch (error) {
      expectFailure(error)
      return null
    }
  }

  async function speedUp(txid: string): Promise<void> {
    const { leastFeeRate } = (await worker.ui('getBumpOptions', { txid }))['speed-up']
    if (leastFeeRate === null) return
    const bump = { txid, kind: 'speed-up', feeRate: leastFeeRate + roll(5) } as const
    const { planId, digest } = await worker.ui('planBump', bump)
    await new Promise(resolve => setTimeout(resolve, roll(20)))
    replaced.set(txid, (await worker.ui('confirmPayment', { planId, digest })).txid)
  }
}

/** The txid of one transaction, however many of the presses sent it; throws what the first failed with when none did. */
async function sentByAny(presses: Promise<{ txid: string }>[]): Promise<string> {
  const settled = await Promise.allSettled(presses)
  const sent = settled.flatMap(press => (press.status === 'fulfilled' ? [press.value.txid] : []))
  expect(new Set(sent).size).toBeLessThanOrEqual(1)
  const [txid] = sent
  if (txid !== undefined) return txid
  const [first] = settled
  throw first?.status === 'rejected' ? first.reason : new Error('Nothing was pressed')
}

function expectFailure(error: unknown): void {
  expect(error).toMatchObject({ code: -32000 })
}

describe('two hundred payments from two tabs and the popup, all mixed up', () => {
  it('never spend one coin twice', { timeout: 120_000 }, async () => {
    const roll = createSeededRandom(2)
    const coins = Array.from({ length: 12 }, () => BigInt(40_000 + roll(200_000)))
    const { world, worker, page, account } = await startFunded(...coins)
    const other = await connectPage(worker, OTHER_SITE, 2)
    const again = openPage(worker, SITE, 3)
    const replaced: Replaced = new Map()
    const payers: Payer[] = [
      payFromTab(page),
      payFromTab(again),
      payFromTab(other),
      payFromPopup(worker, roll, replaced),
    ]
    const person = answerAll(worker, roll)
    const outcomes: (string | null)[] = []
    await Promise.all(
      payers.map(async pay => {
        for (let payment = 0; payment < PAYMENTS / payers.length; payment++) {
          outcomes.push(await pay(1_000 + roll(20_000), 1 + roll(20)))
          if (roll(25) === 0) world.chain.mine()
          if (roll(25) === 0) world.chain.faults.refuse = 'mempool full'
          else delete world.chain.faults.refuse
        }
      }),
    )
    await person.stop()
    // It hangs on the machine how many were sped up in the crowd; alone, one is.
    delete world.chain.faults.refuse
    const alone = payFromPopup(worker, roll, replaced)
    for (let more = 0; more < 20 && replaced.size === 0; more++)
      outcomes.push(await alone(1_000, 1))
    const paid = outcomes.flatMap(txid => (txid === null ? [] : (replaced.get(txid) ?? txid)))
    expect(outcomes.length).toBeGreaterThanOrEqual(PAYMENTS)
    expect(replaced.size).toBeGreaterThan(0)
    expect(paid.length).toBeGreaterThan(PAYMENTS / 4)
    // The chain lets a dearer one take the place of another, so each of them being there means that none did.
    const spent = [...new Set(paid)].flatMap(txid => inputsOf(readBroadcast(world, txid)))
    expect(new Set(paid).size).toBe(paid.length)
    expect(new Set(spent).size).toBe(spent.length)
    expect(new Set(world.chain.broadcasts)).toEqual(new Set([...paid, ...replaced.keys()]))
    const records = await worker.wallet.activity.listSent('regtest', account.id)
    const gone = records.filter(({ status }) => status === 'replaced')
    expect(new Set(gone.map(({ txid }) => txid))).toEqual(new Set(replaced.keys()))
    const live = records
      .filter(({ status }) => status !== 'failed' && status !== 'replaced')
      .flatMap(({ spends }) => spends)
    expect(new Set(live).size).toBe(live.length)
    // Nothing stays reserved when all is over.
    expect(await worker.ui('getCoins', null)).not.toContainEqual(
      expect.objectContaining({ held: 'reserved' }),
    )
  })
})
