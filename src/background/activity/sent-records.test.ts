import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createSentRecords, listPaid, type SentRecord } from './sent-records.ts'
import { ACCOUNT, buildRecord, drawOutpoint, OTHER_ADDRESS } from './testing/activity-world.ts'

const RECORD = buildRecord(
  [{ ...drawOutpoint(), sats: 90_000n }],
  [{ address: OTHER_ADDRESS, sats: 80_000n }],
  { origin: 'https://dapp.example', status: 'pending' },
)

const now = () => RECORD.at

/** Newest first, as they are added. */
function createMany(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    ...RECORD,
    txid: index.toString(16).padStart(64, '0'),
    at: 2_000_000 - index,
  }))
}

describe('records of what was sent', () => {
  it('are bounded: the newest 500 whole, 5,000 more in short, in 2 MB', async () => {
    const local = createMemoryArea()
    await createSentRecords({ local, now }).change(() => createMany(6_000))
    const listed = await createSentRecords({ local, now }).list('regtest', ACCOUNT.id)
    expect(listed.map(({ at }) => at)).toEqual(createMany(5_500).map(({ at }) => at))
    expect(listed.filter(({ rawTx }) => rawTx !== '')).toHaveLength(500)
    expect(JSON.stringify(local.dump()).length).toBeLessThan(2_000_000)
  })

  it('of payments of others, which sites push unasked, are a hundred, and put none of ours away', async () => {
    const sent = createSentRecords({ local: createMemoryArea(), now })
    await sent.change(() => [RECORD])
    const pushed: SentRecord = { ...RECORD, kind: 'pushed', payment: null, spends: [] }
    for (const { txid, at } of createMany(600)) {
      await sent.change(open => [{ ...pushed, txid, at }, ...open])
    }
    const listed = await sent.list('regtest', ACCOUNT.id)
    expect(listed.find(({ txid }) => txid === RECORD.txid)).toEqual(RECORD)
    expect(listed).toHaveLength(101)
  })

  it('lose nothing but their bytes when they are settled, and are there once however often', async () => {
    const sent = createSentRecords({ local: createMemoryArea(), now })
    for (let times = 0; times < 2; times++) {
      await sent.change(open => [RECORD, ...open])
      expect(await sent.list('regtest', ACCOUNT.id)).toEqual([RECORD])
      await sent.settle(() => true)
      expect(await sent.list('regtest', ACCOUNT.id)).toEqual([
        { ...RECORD, rawTx: '', spends: [], creates: [] },
      ])
    }
  })

  it('keep all whom they paid, also in short, beside those of earlier versions that kept one', async () => {
    const local = createMemoryArea()
    const earlier = ['d'.repeat(64), 'regtest', ACCOUNT.id, 'sent', '-9', OTHER_ADDRESS, '1', 0]
    await local.set({
      'activity.settled': [[...earlier, null, 'confirmed', 7, null, null, null, { 'a@b.c': 'x' }]],
    })
    const record = { ...RECORD, alsoPaid: ['second', 'third'] }
    const sent = createSentRecords({ local, now })
    await sent.change(() => [record])
    for (let times = 0; times < 2; times++) {
      const listed = await createSentRecords({ local, now }).list('regtest', ACCOUNT.id)
      expect(listed.map(listPaid)).toEqual([[OTHER_ADDRESS, 'second', 'third'], [OTHER_ADDRESS]])
      expect(listed[1]?.paymentNames).toEqual({ 'a@b.c': 'x' })
      await sent.settle(() => true)
    }
  })

  it('keep 10,000 further addresses in short, those of the newest', async () => {
    const local = createMemoryArea()
    const sent = createSentRecords({ local, now })
    const paying = createMany(6).map((one, at) => ({
      ...{ ...RECORD, ...one },
      alsoPaid: Array.from({ length: 3_000 }, (_, index) => `to ${at} ${index}`),
    }))
    await sent.change(() => paying)
    await sent.settle(() => true)
    const listed = await sent.list('regtest', ACCOUNT.id)
    expect(listed.map(({ alsoPaid }) => alsoPaid?.length)).toEqual([
      ...[3_000, 3_000, 3_000],
      ...[undefined, undefined, undefined],
    ])
  })

  it('keep what a site said of them, and those of earlier versions say nothing', async () => {
    const local = createMemoryArea()
    const about = { kind: 'brc-20', inscription: `${RECORD.txid}i0` } as const
    const { about: _, ...earlier } = { ...RECORD, txid: 'e'.repeat(64), at: 1 }
    await local.set({
      'activity.open': [earlier],
      'activity.settled': [
        [...['d'.repeat(64), 'regtest', ACCOUNT.id, 'pushed', null, null, null, 0]].concat([
          null,
          'confirmed',
          7,
          null,
          null,
        ] as never[]),
      ],
    })
    const sent = createSentRecords({ local, now })
    await sent.change(open => [{ ...RECORD, about }, ...open])
    for (let times = 0; times < 2; times++) {
      const listed = await sent.list('regtest', ACCOUNT.id)
      expect(listed.map(record => record.about)).toEqual([about, null, null])
      await sent.settle(() => true)
    }
  })

  it('of huge transactions that sites pushed keep no bytes beyond 1 MB', async () => {
    const local = createMemoryArea()
    const sent = createSentRecords({ local, now })
    const pushed = { ...RECORD, kind: 'pushed', rawTx: '00'.repeat(400_000) } as const
    await sent.change(() => createMany(20).map(({ txid, at }) => ({ ...pushed, txid, at })))
    expect(await sent.list('regtest', ACCOUNT.id)).toHaveLength(20)
    expect(JSON.stringify(local.dump()).length).toBeLessThan(2_100_000)
  })
})
