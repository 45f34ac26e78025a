import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import {
  ACCOUNT,
  buildTransaction,
  createActivityWorld,
  createPayment,
  drawOutpoint,
  fundAccount,
  OTHER_ADDRESS,
  OWN_ADDRESS,
} from './testing/activity-world.ts'

describe('peers of an account', () => {
  it('are those it paid, and those who sent it something with what came', async () => {
    const world = createActivityWorld()
    const txids: string[] = []
    const foreign = world.memory.add(
      fromHex(
        buildTransaction(
          [drawOutpoint()],
          [600n, 700n].map(sats => ({ address: OTHER_ADDRESS, sats })),
        ),
      ),
    )
    for (const [vout, sats] of [546n, 600n].entries()) {
      const dust = [{ address: OWN_ADDRESS, sats }]
      txids.push(world.memory.add(fromHex(buildTransaction([{ txid: foreign, vout }], dust))))
    }
    await world.refresh()
    const received = {
      paidIn: [],
      receivedIn: [
        { txid: txids[1], sats: 600n },
        { txid: txids[0], sats: 546n },
      ],
    }
    expect(await world.activity.listPeers('regtest', ACCOUNT.id)).toEqual([
      { address: OTHER_ADDRESS, paid: false, ...received },
    ])
    const { record } = createPayment(world)
    await world.activity.record(record)
    expect(await world.activity.listPeers('regtest', ACCOUNT.id)).toEqual([
      { address: OTHER_ADDRESS, paid: true, ...received },
    ])
  })

  it('are not paid for being in the history: they are said to be', async () => {
    const world = createActivityWorld()
    const { record } = createPayment(world)
    world.memory.add(fromHex(record.rawTx))
    await world.refresh()
    expect(await world.activity.listPeers('regtest', ACCOUNT.id)).toEqual([
      { address: OTHER_ADDRESS, paid: false, paidIn: [record.txid], receivedIn: [] },
    ])
  })

  it('do not include whom a site’s pushed transaction pays at somebody else’s cost', async () => {
    const world = createActivityWorld()
    const { record } = createPayment(world)
    await world.activity.record({ ...record, kind: 'pushed', net: null, spends: [] })
    expect(await world.activity.listPeers('regtest', ACCOUNT.id)).toEqual([])
  })
})

describe('an account that is removed', () => {
  it('leaves nothing behind, and takes nothing of the others', async () => {
    const world = createActivityWorld()
    const other = { ...ACCOUNT, id: 'bb', address: OTHER_ADDRESS }
    const { record } = createPayment(world)
    await world.send(record)
    await world.activity.record({ ...record, accountId: other.id })
    const { txid } = fundAccount(world, 7_000n)
    await world.refresh()
    await world.activity.refresh(world.memory.chain, other)
    await world.activity.setLabel('regtest', record.txid, 'rent')
    await world.activity.setLabel('regtest', txid, 'salary')
    await world.activity.forgetAccount(ACCOUNT.id)
    world.restart()
    expect(await world.entries()).toEqual([])
    expect(JSON.stringify(world.local.dump())).not.toMatch(/[".]aa"/)
    expect(JSON.stringify(world.local.dump())).not.toContain(txid)
    expect(await world.activity.labelOf('regtest', record.txid)).toBe('rent')
    expect(await world.activity.listSent('regtest', other.id)).toHaveLength(1)
    expect((await world.activity.load('regtest', other.id)).ledger.rows).toHaveLength(1)
  })
})
