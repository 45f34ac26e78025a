import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import {
  ACCOUNT,
  buildRecord,
  buildTransaction,
  createActivityWorld,
  createPayment,
  drawOutpoint,
  fundAccount,
  OTHER_ADDRESS,
  OWN_ADDRESS,
} from './testing/activity-world.ts'

describe('a payment', () => {
  it('is pending, then confirmed, waits again after a reorganisation, and is confirmed again', async () => {
    const world = createActivityWorld()
    const txid = await world.send(createPayment(world).record)
    await world.refresh()
    expect(await world.entry(txid)).toMatchObject({
      status: 'pending',
      height: null,
      net: '-41000',
    })
    const height = world.memory.mine()
    await world.refresh()
    expect(await world.entry(txid)).toMatchObject({ status: 'confirmed', height })
    world.memory.reorg(1)
    await world.refresh()
    expect(await world.entry(txid)).toMatchObject({ status: 'reorganised', height: null })
    const later = world.memory.mine()
    await world.refresh()
    expect(await world.entry(txid)).toMatchObject({ status: 'confirmed', height: later })
  })

  it('confirmed in another block of a longer branch stays confirmed, at its new height', async () => {
    const world = createActivityWorld()
    const txid = await world.send(createPayment(world).record)
    world.memory.mine()
    await world.refresh()
    world.memory.reorg(1)
    const height = world.memory.mine()
    await world.refresh()
    expect(await world.entry(txid)).toMatchObject({ status: 'confirmed', height })
  })

  it('far below the newest block is seen to be undone by a deep reorganisation', async () => {
    const world = createActivityWorld()
    const txid = await world.send(createPayment(world).record)
    world.memory.mine(20)
    await world.refresh()
    expect(await world.entry(txid)).toMatchObject({ status: 'confirmed' })
    world.memory.reorg(20)
    world.restart()
    await world.refresh()
    expect(await world.entry(txid)).toMatchObject({ status: 'reorganised' })
  })

  it('is handed over again when the server lost it', async () => {
    const world = createActivityWorld()
    const txid = await world.send(createPayment(world).record)
    world.memory.evict(txid)
    await world.refresh()
    expect(world.memory.broadcasts).toEqual([txid, txid])
    expect(await world.entry(txid)).toMatchObject({ status: 'pending' })
  })

  it('is handed over before the payment that spends its change', async () => {
    const world = createActivityWorld()
    const parent = createPayment(world).record
    const change = { txid: parent.txid, vout: 1, sats: 59_000n }
    const child = buildRecord([change], [{ address: OTHER_ADDRESS, sats: 58_000n }])
    await world.send(parent)
    await world.send(child)
    world.memory.evict(parent.txid)
    await world.refresh()
    expect(world.memory.broadcasts).toEqual([parent.txid, child.txid, parent.txid, child.txid])
  })

  it('that never arrived is sent on, and the network’s refusal ends it', async () => {
    const world = createActivityWorld()
    const { record } = createPayment(world)
    await world.activity.record(record)
    world.memory.faults.unreachable = true
    await expect(world.refresh()).rejects.toThrow('did not answer')
    expect(await world.entry(record.txid)).toMatchObject({ status: 'sending' })
    world.memory.faults.unreachable = false
    world.memory.faults.refuse = 'min relay fee not met'
    await world.refresh()
    expect(await world.entry(record.txid)).toMatchObject({ status: 'failed' })
  })

  it('that was refused, and somebody published after all, comes back', async () => {
    const world = createActivityWorld()
    const { record } = createPayment(world)
    await world.activity.record(record)
    await world.activity.setStatus(record.txid, 'failed')
    world.memory.receive(fromHex(record.rawTx))
    await world.refresh()
    expect(await world.entry(record.txid)).toMatchObject({ status: 'pending' })
  })

  it('survives the worker and the browser', async () => {
    const world = createActivityWorld()
    const { record } = createPayment(world)
    await world.activity.record(record)
    world.restart()
    await world.activity.setStatus(record.txid, 'pending')
    world.restart()
    expect(await world.activity.listSent('regtest', ACCOUNT.id)).toEqual([
      { ...record, status: 'pending' },
    ])
    expect(await world.activity.listSent('mainnet', ACCOUNT.id)).toEqual([])
    expect(await world.activity.listSent('regtest', 'bb')).toEqual([])
  })

  it('recorded at the same time as others is not lost', async () => {
    const world = createActivityWorld()
    const records = [1n, 2n, 3n, 4n].map(fee => createPayment(world, fee).record)
    await Promise.all(records.map(record => world.activity.record(record)))
    await Promise.all(records.map(({ txid }) => world.activity.setStatus(txid, 'pending')))
    const sent = await world.activity.listSent('regtest', ACCOUNT.id)
    expect(sent.map(({ status }) => status)).toEqual(Array(4).fill('pending'))
  })

  it('a hundred blocks deep is put away without its bytes, and still shown', async () => {
    const world = createActivityWorld()
    const { record } = createPayment(world)
    await world.send(record)
    const height = world.memory.mine()
    world.memory.mine(98)
    await world.refresh()
    expect(await world.activity.listSent('regtest', ACCOUNT.id)).toMatchObject([
      { rawTx: record.rawTx },
    ])
    world.memory.mine()
    await world.refresh()
    expect(await world.activity.listSent('regtest', ACCOUNT.id)).toEqual([
      { ...record, status: 'confirmed', height, rawTx: '', spends: [], creates: [] },
    ])
    expect(JSON.stringify(world.local.dump())).not.toContain(record.rawTx)
  })
})

describe('a transaction that a site pushed', () => {
  it('is asked about until it is six blocks deep', async () => {
    const world = createActivityWorld()
    const outside = drawOutpoint()
    const record = {
      ...buildRecord([{ ...outside, sats: 9_000n }], [{ address: OTHER_ADDRESS, sats: 8_000n }]),
      kind: 'pushed' as const,
      net: null,
      spends: [],
    }
    await world.send(record)
    let asked = 0
    const { fetchTransactionHeight } = world.memory.chain
    world.memory.chain.fetchTransactionHeight = txid => {
      asked++
      return fetchTransactionHeight(txid)
    }
    world.memory.mine()
    for (let blocks = 1; blocks < 9; blocks++) {
      await world.refresh()
      world.memory.mine()
    }
    expect(asked).toBe(5)
    expect(await world.entry(record.txid)).toMatchObject({ status: 'confirmed' })
  })
})

describe('a payment that is replaced', () => {
  it('by its own bump names the bump', async () => {
    const world = createActivityWorld()
    const { record, pay } = createPayment(world)
    await world.send(record)
    const bump = pay(5_000n, record.txid)
    await world.send(bump)
    expect(await world.entry(record.txid)).toMatchObject({
      status: 'replaced',
      replacedBy: bump.txid,
    })
    world.memory.mine()
    await world.refresh()
    expect(await world.entry(bump.txid)).toMatchObject({ status: 'confirmed', replacedBy: null })
    expect(await world.entry(record.txid)).toMatchObject({
      status: 'replaced',
      replacedBy: bump.txid,
    })
  })

  it('swaps roles with its bump when it is confirmed after all', async () => {
    const world = createActivityWorld()
    const { record, pay } = createPayment(world)
    await world.send(record)
    const bump = pay(5_000n, record.txid)
    await world.send(bump)
    // A miner had not heard of the bump.
    world.memory.add(fromHex(record.rawTx))
    await world.refresh()
    expect(await world.entry(record.txid)).toMatchObject({ status: 'confirmed', replacedBy: null })
    expect(await world.entry(bump.txid)).toMatchObject({
      status: 'replaced',
      replacedBy: record.txid,
    })
  })

  it('stays as it is while the bump is refused', async () => {
    const world = createActivityWorld()
    const { record, pay } = createPayment(world, 5_000n)
    await world.send(record)
    const bump = pay(1_000n, record.txid)
    await expect(world.send(bump)).rejects.toThrow('insufficient fee')
    await world.activity.setStatus(bump.txid, 'failed')
    await world.refresh()
    expect(await world.entry(record.txid)).toMatchObject({ status: 'pending' })
    expect(await world.entry(bump.txid)).toMatchObject({ status: 'failed' })
  })

  it('by a bump whose broadcast got lost is replaced when the wallet tries again', async () => {
    const world = createActivityWorld()
    const { record, pay } = createPayment(world)
    await world.send(record)
    const bump = pay(5_000n, record.txid)
    await world.activity.record(bump)
    await world.refresh()
    expect(world.memory.broadcasts).toEqual([record.txid, bump.txid])
    await world.refresh()
    expect(await world.entry(bump.txid)).toMatchObject({ status: 'pending' })
    expect(await world.entry(record.txid)).toMatchObject({ status: 'replaced' })
  })

  it('waits again when its bump is lost and refused', async () => {
    const world = createActivityWorld()
    const { record, pay } = createPayment(world)
    await world.send(record)
    const bump = pay(5_000n, record.txid)
    await world.send(bump)
    world.memory.evict(bump.txid)
    world.memory.faults.refuse = 'mempool min fee not met'
    await world.refresh()
    expect(await world.entry(bump.txid)).toMatchObject({ status: 'failed' })
    expect(await world.entry(record.txid)).toMatchObject({ status: 'pending', replacedBy: null })
  })

  it('by somebody else with the same key names that transaction', async () => {
    const world = createActivityWorld()
    const { record, coin } = createPayment(world)
    await world.send(record)
    const elsewhere = world.memory.receive(
      fromHex(buildTransaction([coin], [{ address: OTHER_ADDRESS, sats: 90_000n }])),
    )
    await world.refresh()
    expect(await world.entry(record.txid)).toMatchObject({
      status: 'replaced',
      replacedBy: elsewhere,
    })
    expect(await world.entry(elsewhere)).toMatchObject({
      status: 'pending',
      kind: 'sent',
      net: '-100000',
      counterparty: OTHER_ADDRESS,
    })
  })
})

describe('what others sent', () => {
  it('shows when it is seen first, and moves into its block', async () => {
    const world = createActivityWorld()
    const { txid } = fundAccount(world, 5_000n, { confirmed: false })
    await world.refresh()
    const at = world.clock.now
    world.clock.now += 60_000
    await world.refresh()
    expect(await world.entries()).toMatchObject([
      { txid, kind: 'received', status: 'pending', net: '5000', fee: null, at },
    ])
    const height = world.memory.mine()
    await world.refresh()
    expect(await world.entries()).toMatchObject([{ txid, status: 'confirmed', height }])
  })

  it('disappears when it is dropped, or when its sender pays with another transaction', async () => {
    const world = createActivityWorld()
    const { txid } = fundAccount(world, 5_000n, { confirmed: false })
    const coin = drawOutpoint()
    const first = buildTransaction([coin], [{ address: OWN_ADDRESS, sats: 6_000n }])
    world.memory.receive(fromHex(first))
    await world.refresh()
    expect(await world.entries()).toHaveLength(2)
    world.memory.evict(txid)
    const bump = buildTransaction([coin], [{ address: OWN_ADDRESS, sats: 6_001n }])
    const bumped = world.memory.add(fromHex(bump))
    await world.refresh()
    expect(await world.entries()).toMatchObject([{ txid: bumped, status: 'confirmed' }])
  })

  it('is shown as replaced when its sender takes it back, even out of a block', async () => {
    const world = createActivityWorld()
    const coin = drawOutpoint()
    const paid = buildTransaction([coin], [{ address: OWN_ADDRESS, sats: 6_000n }])
    const txid = world.memory.add(fromHex(paid))
    await world.refresh()
    world.restart()
    world.memory.reorg(1)
    await world.refresh()
    expect(await world.entry(txid)).toMatchObject({ status: 'reorganised', height: null })
    const back = buildTransaction([coin], [{ address: OTHER_ADDRESS, sats: 6_000n }])
    const replacedBy = world.memory.add(fromHex(back))
    for (let times = 0; times < 2; times++) {
      await world.refresh()
      world.restart()
      expect(await world.entries()).toMatchObject([{ txid, status: 'replaced', replacedBy }])
    }
  })

  it('is shown as replaced also when a block and its loss pass while nobody looks', async () => {
    const world = createActivityWorld()
    const coin = drawOutpoint()
    const paid = buildTransaction([coin], [{ address: OWN_ADDRESS, sats: 6_000n }])
    const txid = world.memory.add(fromHex(paid))
    await world.refresh()
    world.restart()
    world.memory.reorg(1)
    const back = buildTransaction([coin], [{ address: OTHER_ADDRESS, sats: 6_000n }])
    const replacedBy = world.memory.add(fromHex(back))
    await world.refresh()
    expect(await world.entries()).toMatchObject([{ txid, status: 'replaced', replacedBy }])
  })

  it('and what moved within the account, or was sent with another wallet, is told apart', async () => {
    const world = createActivityWorld()
    const coin = fundAccount(world, 50_000n)
    const moved = buildTransaction([coin], [{ address: OWN_ADDRESS, sats: 49_000n }])
    const movedId = world.memory.add(fromHex(moved))
    const sent = buildTransaction(
      [{ txid: movedId, vout: 0 }],
      [
        { address: OTHER_ADDRESS, sats: 10_000n },
        { address: OWN_ADDRESS, sats: 38_500n },
      ],
    )
    const sentId = world.memory.receive(fromHex(sent))
    await world.refresh()
    expect(await world.entry(movedId)).toMatchObject({ kind: 'moved', net: '-1000', fee: '1000' })
    expect(await world.entry(sentId)).toMatchObject({
      ...{ kind: 'sent', net: '-10500', fee: '500' },
      counterparty: OTHER_ADDRESS,
    })
  })
})
