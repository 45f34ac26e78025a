import { describe, expect, it } from 'vitest'
import type { SentRecord } from './sent-records.ts'
import {
  buildRecord,
  createActivityWorld,
  createPayment,
  drawOutpoint,
  fundAccount,
  OTHER_ADDRESS,
  OWN_ADDRESS,
} from './testing/activity-world.ts'

const MANY = 24

/** Transactions of others that wait for a block, which a site handed over; oldest first. */
function listPushed(): SentRecord[] {
  return Array.from({ length: MANY }, () =>
    buildRecord([{ ...drawOutpoint(), sats: 9_000n }], [{ address: OTHER_ADDRESS, sats: 8_900n }], {
      kind: 'pushed',
      net: null,
      spends: [],
    }),
  )
}

describe('a payment that never arrived', () => {
  it('is sent on, however many transactions of others wait for a block', async () => {
    const world = createActivityWorld()
    for (const record of listPushed()) await world.send(record)
    const { record } = createPayment(world)
    await world.activity.record(record)
    await world.refresh()
    expect(world.memory.broadcasts.slice(MANY)).toEqual([record.txid])
    expect(await world.entry(record.txid)).toMatchObject({ status: 'pending' })
  })

  it('is sent on, however many mints or reveals of a job wait before it', async () => {
    const world = createActivityWorld()
    const coin = { ...fundAccount(world, 500_000n), sats: 500_000n }
    let pot = coin
    for (let count = 0; count < MANY; count++) {
      const sats = pot.sats - 1_000n
      const outputs = [{ address: OWN_ADDRESS, sats }]
      const facts = count % 2 ? { kind: 'mint', status: 'unsent' } : { kind: 'reveal', rawTx: '' }
      const record = buildRecord([pot], outputs, facts as Partial<SentRecord>)
      await world.activity.record(record)
      pot = { txid: record.txid, vout: 0, sats }
    }
    const { record } = createPayment(world)
    await world.activity.record(record)
    await world.refresh()
    expect(world.memory.broadcasts).toEqual([record.txid])
  })

  it('comes after what it spends, which a site handed over and the server lost', async () => {
    const world = createActivityWorld()
    for (const record of listPushed()) await world.send(record)
    const deposit = buildRecord(
      [{ ...drawOutpoint(), sats: 51_000n }],
      [{ address: OWN_ADDRESS, sats: 50_000n }],
      { kind: 'pushed', net: null, spends: [] },
    )
    await world.send(deposit)
    const coin = { txid: deposit.txid, vout: 0, sats: 50_000n }
    const record = buildRecord([coin], [{ address: OTHER_ADDRESS, sats: 49_000n }])
    await world.send(record)
    world.memory.evict(deposit.txid)
    const before = world.memory.broadcasts.length
    await world.refresh()
    expect(world.memory.broadcasts.slice(before)).toEqual([deposit.txid, record.txid])
    expect(await world.entry(record.txid)).toMatchObject({ status: 'pending' })
  })
})
