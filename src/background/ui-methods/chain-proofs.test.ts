import { describe, expect, it } from 'vitest'
import { startWithCoin } from '../testing/funded-wallet.ts'
import { fund } from '../testing/test-wallet.ts'

describe('what the wallet says of the chain of its server', () => {
  it('is nothing while new blocks follow those that it has checked', async () => {
    const { world, worker } = await startWithCoin(100_000n)
    expect(await worker.ui('getChainState', null)).toEqual({ is: 'followed' })
    world.chain.mine(3)
    world.chain.reorg(2)
    expect(await worker.ui('getChainState', null)).toEqual({ is: 'followed' })
  })

  it('is how many blocks the server is behind, from two on', async () => {
    const { world, worker } = await startWithCoin(100_000n)
    const goBack = world.chain.save()
    world.chain.mine(1)
    const goBackByOne = world.chain.save()
    world.chain.mine(4)
    await worker.ui('getChainState', null)
    goBackByOne()
    expect(await worker.ui('getChainState', null)).toEqual({ is: 'behind', blocks: 4 })
    goBack()
    expect(await worker.ui('getChainState', null)).toEqual({ is: 'behind', blocks: 5 })
    world.chain.mine(9)
    expect(await worker.ui('getChainState', null)).toEqual({ is: 'followed' })
  })

  it('is that there are no headers where none are given, whatever else is', async () => {
    const { world, worker } = await startWithCoin(100_000n)
    world.chain.faults.unreachable = true
    expect(await worker.ui('getChainState', null)).toEqual({ is: 'unanswered' })
  })
})

describe('what the wallet says of a payment in a block', () => {
  it('is that it is proven where the block shows it, and not where it does not', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    const txid = outpoint.slice(0, 64)
    expect(await worker.ui('getConfirmationProof', { txid })).toEqual({
      ...{ is: 'unproven', fault: 'merkle-proof' },
    })
    const raw = world.chain.get(txid)
    world.chain.evict(txid)
    world.chain.receive(raw ?? new Uint8Array())
    expect(await worker.ui('getConfirmationProof', { txid })).toEqual({
      ...{ is: 'unproven', fault: 'no-block' },
    })
    world.chain.mineChecked()
    expect(await worker.ui('getConfirmationProof', { txid })).toEqual({
      ...{ is: 'proven', confirmations: 1, blocks: null },
    })
  })

  it('is told of the newest payments that were received, those alone that are not proven', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    const txid = outpoint.slice(0, 64)
    await worker.ui('getOverview', null)
    expect(await worker.ui('getUnprovenPayments', null)).toEqual([{ txid, fault: 'merkle-proof' }])
    const raw = world.chain.get(txid)
    world.chain.evict(txid)
    world.chain.receive(raw ?? new Uint8Array())
    await worker.ui('getOverview', null)
    expect(await worker.ui('getUnprovenPayments', null)).toEqual([])
    world.chain.mineChecked()
    await worker.ui('getOverview', null)
    expect(await worker.ui('getUnprovenPayments', null)).toEqual([])
    expect(await worker.ui('getConfirmationProof', { txid })).toMatchObject({ is: 'proven' })
  })

  it('is told of one that true payments were to push out of sight', async () => {
    const { world, worker, account, outpoint } = await startWithCoin(100_000n)
    const address = account.address
    for (let count = 0; count < 7; count++) {
      const raw = world.chain.get(fund(world, address, 1_000n + BigInt(count)))
      const txid = world.chain.list().at(-1)?.txid ?? ''
      world.chain.evict(txid)
      world.chain.receive(raw ?? new Uint8Array())
      world.chain.mineChecked()
    }
    await worker.ui('getOverview', null)
    await worker.ui('getUnprovenPayments', null)
    expect(await worker.ui('getUnprovenPayments', null)).toEqual([
      { txid: outpoint.slice(0, 64), fault: 'merkle-proof' },
    ])
  })

  it('is told of the coins of a payment in their order, with five asked about at a time', async () => {
    const { world, worker, account, outpoint } = await startWithCoin(100_000n)
    const lie = outpoint.slice(0, 64)
    const txids: string[] = []
    for (let count = 0; count < 6; count++) {
      const raw = world.chain.get(fund(world, account.address, 1_000n + BigInt(count)))
      const txid = world.chain.list().at(-1)?.txid ?? ''
      world.chain.evict(txid)
      world.chain.receive(raw ?? new Uint8Array())
      world.chain.mineChecked()
      txids.push(txid)
    }
    const first = await worker.ui('getCoinProofs', { txids: [lie, ...txids] })
    expect(first[0]).toEqual({ is: 'unproven', fault: 'merkle-proof' })
    expect(first.slice(1, 5)).toEqual(Array(4).fill(expect.objectContaining({ is: 'proven' })))
    expect(first.slice(5)).toEqual([null, null])
    const second = await worker.ui('getCoinProofs', { txids: [lie, ...txids] })
    expect(second.slice(1)).toEqual(Array(6).fill(expect.objectContaining({ is: 'proven' })))
  })

  it('names the list of coins where it is none, or has another thing in it', async () => {
    const { worker } = await startWithCoin(100_000n)
    for (const [txids, field] of [
      [null, 'txid'],
      [['abc'], 'txid'],
    ] as [string[], string][])
      await expect(worker.ui('getCoinProofs', { txids })).rejects.toMatchObject({
        ...{ code: -32602, message: expect.stringContaining(field) },
      })
  })

  it('names the field of an id that is none', async () => {
    const { worker } = await startWithCoin(100_000n)
    await expect(worker.ui('getConfirmationProof', { txid: 'abc' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('txid'),
    })
  })
})
