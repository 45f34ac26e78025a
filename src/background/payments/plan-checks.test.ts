import { describe, expect, it } from 'vitest'
import type { CoinAssets } from '../../ordinals/asset.ts'
import { inscription } from '../../ordinals/testing/test-assets.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import type { SentRecord } from '../activity/activity.ts'
import type { CoinParts } from '../coins/coins.ts'
import type { PaymentReview } from '../views/payment-views.ts'
import type { Plan } from './payment-plan.ts'
import {
  assertPlanCurrent,
  assertSpendCurrent,
  assertUnclaimed,
  isWaiting,
  type PlannedSpend,
  replacedBy,
} from './plan-checks.ts'

const txid = (n: number) => n.toString(16).padStart(64, '0')
const outpoint = (n: number) => `${txid(n)}:0`
const CLEAN: CoinAssets = { known: true, assets: [] }
const AT = 1_000

const record = (changes: Partial<SentRecord>): SentRecord =>
  ({
    ...{ txid: txid(900), kind: 'payment', status: 'pending', at: AT - 1, payment: {} },
    ...{ spends: [], creates: [], replaces: null },
    ...changes,
  }) as SentRecord

/** A wallet whose activity, choices and index say this. */
function open({
  records = [],
  told = {},
  locked = [],
  reserved = [],
}: {
  records?: SentRecord[]
  told?: { [outpoint: string]: CoinAssets }
  locked?: string[]
  reserved?: string[]
} = {}) {
  const wallet = {
    activity: { listSent: async () => records },
    coinAssets: { recheck: async () => new Map(Object.entries(told)) },
    coinChoices: {
      load: async () => new Map(locked.map(one => [one, { choice: 'locked', knew: {} }])),
    },
    listReserved: async () => new Set(reserved),
  }
  return {
    ...{ wallet, network: 'regtest', account: { id: 'one' } },
  } as unknown as PaymentContext<CoinParts>
}

const utxo = (n: number) => ({
  ...{ txid: txid(n), vout: 0, amount: 1_000n, height: 1, scriptPubKey: new Uint8Array() },
})

function spendOf(changes: Partial<PlannedSpend> = {}): PlannedSpend {
  return {
    ...{ coins: [utxo(1), utxo(2)], shown: new Set(), doubted: [] },
    ...{ spends: [outpoint(1), outpoint(2)], at: AT, replaces: [] },
    ...changes,
  }
}

const check = (wallet: Parameters<typeof open>[0], spend: Partial<PlannedSpend> = {}) =>
  assertSpendCurrent(open(wallet), spendOf(spend))

const outdated = (why: string) => ({
  ...{ code: -32000, data: { reason: 'PLAN_OUTDATED' }, message: expect.stringContaining(why) },
})

describe('a payment that was worked out', () => {
  it('is signed where nothing has happened to its coins', async () => {
    const records = [
      record({ spends: [outpoint(3)], creates: [outpoint(1)] }),
      record({ status: 'failed', at: AT, spends: [outpoint(4)] }),
      record({ status: 'failed', at: AT + 1, payment: null, spends: [outpoint(4)] }),
    ]
    const told = { [outpoint(1)]: CLEAN }
    await expect(check({ records, told, locked: [outpoint(3)] })).resolves.toBeUndefined()
  })

  it('is not signed where another payment spends a coin of it', async () => {
    const records = [record({ spends: [outpoint(7), outpoint(2)] })]
    await expect(check({ records })).rejects.toMatchObject(outdated('Another payment spends'))
    const failed = records.map(one => ({ ...one, status: 'failed' as const }))
    await expect(check({ records: failed })).resolves.toBeUndefined()
    // Unless it takes the place of that one.
    await expect(check({ records }, { replaces: [txid(900)] })).resolves.toBeUndefined()
  })

  it.each([
    ['was refused', record({ status: 'failed', creates: [outpoint(5), outpoint(1)] }), []],
    ['is about to be replaced', record({ creates: [outpoint(1)] }), [{ replaces: txid(900) }]],
  ])('is not signed where the payment that makes a coin of it %s', async (_, made, others) => {
    const later = others.map(changes =>
      record({ txid: txid(901), ...changes } as Partial<SentRecord>),
    )
    await expect(check({ records: [made, ...later] })).rejects.toMatchObject(
      outdated('does not come to be'),
    )
    const elsewhere = { ...made, creates: [outpoint(5)] }
    await expect(check({ records: [elsewhere, ...later] })).resolves.toBeUndefined()
  })

  it('is not signed where the person locked one of its coins', async () => {
    await expect(check({ locked: [outpoint(2)] })).rejects.toMatchObject(outdated('was locked'))
  })

  it('is not signed where a payment was refused since, of which it spends nothing', async () => {
    const ended = record({ status: 'failed', at: AT + 1, spends: [outpoint(7), outpoint(8)] })
    await expect(check({ records: [ended] })).rejects.toMatchObject(outdated('refused or replaced'))
    const commit = { ...ended, payment: null, kind: 'commit' as const }
    await expect(check({ records: [commit] })).rejects.toMatchObject(outdated('refused'))
    const shared = { ...ended, spends: [outpoint(7), outpoint(2)] }
    await expect(check({ records: [shared] })).resolves.toBeUndefined()
    // Or which another payment stands against.
    const other = record({ txid: txid(901), spends: [outpoint(8)] })
    await expect(check({ records: [ended, other] })).resolves.toBeUndefined()
  })

  it('is not signed where a later payment spends the change of what it takes the place of', async () => {
    const replaced = record({
      txid: txid(5),
      spends: [outpoint(1)],
      creates: [outpoint(50), outpoint(51)],
    })
    const child = record({ txid: txid(6), spends: [outpoint(51)] })
    const replaces = [txid(5)]
    await expect(check({ records: [replaced, child] }, { replaces })).rejects.toMatchObject(
      outdated('spends the change'),
    )
    await expect(check({ records: [replaced] }, { replaces })).resolves.toBeUndefined()
    const gone = { ...replaced, status: 'failed' as const }
    await expect(check({ records: [gone, child] }, { replaces })).resolves.toBeUndefined()
    await expect(check({ records: [replaced, child] }, {})).rejects.toMatchObject(
      outdated('Another payment spends'),
    )
  })
})

describe('what sits on the coins', () => {
  const id = inscription(1, null)
  const inscribed: CoinAssets = { known: true, assets: [id] }
  const doubted: CoinAssets = { known: false, why: 'contradicted' }
  const news = outdated('Something else may sit')

  it('ends the payment where it was not shown on this very coin', async () => {
    const told = { [outpoint(1)]: CLEAN, [outpoint(2)]: inscribed }
    await expect(check({ told })).rejects.toMatchObject(news)
    await expect(check({ told }, { shown: new Set([`0 ${id.id}`]) })).rejects.toMatchObject(news)
    await expect(check({ told }, { shown: new Set([`1 ${id.id}`]) })).resolves.toBeUndefined()
  })

  it('ends it where servers contradict each other and the person was not told', async () => {
    const told = { [outpoint(2)]: doubted }
    await expect(check({ told })).rejects.toMatchObject(news)
    await expect(check({ told }, { doubted: [0] })).rejects.toMatchObject(news)
    await expect(check({ told }, { doubted: [1] })).resolves.toBeUndefined()
  })

  it('ends nothing where nobody answers', async () => {
    const told = { [outpoint(2)]: { known: false, why: 'unanswered' } as const }
    await expect(check({ told })).resolves.toBeUndefined()
    await expect(check({ told: {} })).resolves.toBeUndefined()
  })
})

describe('a plan', () => {
  const planOf = (review: Partial<PaymentReview> = {}, input = 1): Plan =>
    ({
      at: AT,
      spends: [outpoint(input)],
      payment: {
        ...{ inputs: [{ script: '', sats: '1000', txid: txid(input), vout: 0, height: 1 }] },
        ...{ outputs: [], addressType: 'p2wpkh', fee: '0', vsize: 1, feeRate: 1 },
        changeIndex: null,
      },
      review: { ...{ purpose: 'send', previous: null, assets: [], warnings: [] }, ...review },
    }) as unknown as Plan
  const previous = { txid: txid(5), fee: '1' }

  it('takes the place of another transaction where it is sped up or cancelled, and not as its child', () => {
    const of = (purpose: PaymentReview['purpose']) =>
      replacedBy({ purpose, previous } as PaymentReview)
    expect([of('speed-up'), of('cancel')]).toEqual([txid(5), txid(5)])
    expect([of('child'), of('send')]).toEqual([null, null])
    expect(replacedBy({ purpose: 'cancel', previous: null } as PaymentReview)).toBeNull()
  })

  it('is judged by what its review has shown', async () => {
    const id = inscription(1, null)
    const told: { [outpoint: string]: CoinAssets } = {
      [outpoint(1)]: { known: true, assets: [id] },
    }
    await expect(assertPlanCurrent(open({ told }), planOf())).rejects.toThrow('Something else')
    const asset = { kind: 'inscription', id: id.id, number: null } as const
    const assets = [{ input: 0, asset }] as PaymentReview['assets']
    await expect(assertPlanCurrent(open({ told }), planOf({ assets }))).resolves.toBeUndefined()
  })

  it('is judged by the doubts that its review has told', async () => {
    const told = { [outpoint(1)]: { known: false, why: 'contradicted' } as const }
    const warned = (why: 'contradicted' | 'behind') =>
      planOf({ warnings: [{ kind: 'unchecked-coins', inputs: [0], why }] })
    await expect(assertPlanCurrent(open({ told }), warned('contradicted'))).resolves.toBeUndefined()
    await expect(assertPlanCurrent(open({ told }), warned('behind'))).rejects.toThrow('Something')
  })

  it('that bumps another transaction needs that one to wait still', async () => {
    const sent = record({ txid: txid(5), spends: [outpoint(1)] })
    const bump = planOf({ purpose: 'speed-up', previous })
    await expect(assertPlanCurrent(open({ records: [sent] }), bump)).resolves.toBeUndefined()
    const confirmed = { ...sent, status: 'confirmed' as const }
    await expect(assertPlanCurrent(open({ records: [confirmed] }), bump)).rejects.toMatchObject(
      outdated('no longer waits'),
    )
    const child = planOf({ purpose: 'child', previous }, 50)
    await expect(assertPlanCurrent(open({ records: [confirmed] }), child)).rejects.toMatchObject(
      outdated('no longer waits'),
    )
    await expect(assertPlanCurrent(open({ records: [] }), bump)).resolves.toBeUndefined()
  })

  it('gives way to a request of a site that has chosen its coins meanwhile', async () => {
    const claim = outdated('A site’s request')
    const unclaimed = (of: Parameters<typeof open>[0], plan: Plan) =>
      assertUnclaimed(open(of), plan)
    await expect(unclaimed({ reserved: [outpoint(1)] }, planOf())).rejects.toMatchObject(claim)
    await expect(unclaimed({ reserved: [outpoint(2)] }, planOf())).resolves.toBeUndefined()
    // Also to one that spends the change of what the plan takes the place of.
    const records = [
      record({ txid: txid(4), creates: [outpoint(40)] }),
      record({ txid: txid(5), creates: [outpoint(50)] }),
    ]
    const bump = planOf({ purpose: 'cancel', previous })
    const reserved = [outpoint(50)]
    await expect(unclaimed({ records, reserved }, bump)).rejects.toMatchObject(claim)
    await expect(unclaimed({ records, reserved }, planOf())).resolves.toBeUndefined()
    await expect(unclaimed({ records, reserved: [outpoint(40)] }, bump)).resolves.toBeUndefined()
  })

  it('waits while a transaction may still get into a block', () => {
    const waits = (status: SentRecord['status']) => isWaiting(record({ status }))
    expect((['sending', 'pending', 'reorganised'] as const).map(waits)).toEqual([true, true, true])
    expect((['confirmed', 'failed', 'replaced', 'unsent'] as const).map(waits)).toEqual(
      Array(4).fill(false),
    )
  })
})
