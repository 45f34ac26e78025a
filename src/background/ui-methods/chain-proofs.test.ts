import { describe, expect, it } from 'vitest'
import { RECIPIENT, startWithCoin } from '../testing/funded-wallet.ts'
import { createMemoryChain } from '../testing/memory-chain.ts'
import { fund } from '../testing/test-wallet.ts'

const FEES = { fastest: 10, halfHour: 5, hour: 2, minimum: 1 }

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
    expect(await worker.ui('getChainState', null)).toEqual({
      is: 'behind',
      blocks: 4,
      checkedTo: 105,
    })
    goBack()
    expect(await worker.ui('getChainState', null)).toEqual({
      is: 'behind',
      blocks: 5,
      checkedTo: 105,
    })
    world.chain.mine(9)
    expect(await worker.ui('getChainState', null)).toEqual({ is: 'followed' })
  })

  it('is that there are no headers where none are given, whatever else is', async () => {
    const { world, worker } = await startWithCoin(100_000n)
    world.chain.faults.unreachable = true
    expect(await worker.ui('getChainState', null)).toEqual({ is: 'unanswered' })
  })
})

describe('what the wallet says of a fork that took no more work', () => {
  it('is how many blocks of the held ones the server has others for, from two on', async () => {
    const { world, worker } = await startWithCoin(100_000n)
    world.chain.mine(4)
    const goBack = world.chain.save()
    const fork = (depth: number) => {
      goBack()
      // Of the same height once the last is taken off.
      world.chain.reorg(depth)
      world.chain.dropTip()
    }
    expect(await worker.ui('getChainState', null)).toEqual({ is: 'followed' })
    fork(1)
    expect(await worker.ui('getChainState', null)).toEqual({ is: 'followed' })
    fork(4)
    expect(await worker.ui('getChainState', null)).toEqual({
      ...{ is: 'forked', blocks: 4, checkedTo: 100 },
    })
  })
})

describe('two servers', () => {
  const startTwo = async () => {
    const { world, worker } = await startWithCoin(100_000n)
    const second = createMemoryChain('regtest', FEES)
    world.chain.servers.push({ host: 'second.test', source: second.chain })
    const state = () => worker.ui('getChainState', null)
    const mineBoth = (blocks: number) => {
      world.chain.mine(blocks)
      second.mine(blocks)
    }
    mineBoth(5)
    expect(await state()).toEqual({ is: 'followed' })
    return { first: world.chain, second, mineBoth, state }
  }
  const disagree = (blocks: number, checkedTo: number) => ({
    ...{ is: 'disagree', blocks, second: 'second.test', checkedTo },
  })

  it('agree while one is a block ahead, and do not from two blocks on that the first keeps back', async () => {
    const { first, second, state } = await startTwo()
    second.mine(1)
    expect(await state()).toEqual({ is: 'followed' })
    second.mine(1)
    expect(await state()).toEqual(disagree(2, 105))
    expect(await state()).toEqual(disagree(2, 105))
    first.mine(2)
    expect(await state()).toEqual({ is: 'followed' })
  })

  it('do not agree where the second shows a fork with more work, whichever was seen first', async () => {
    const { first, second, state } = await startTwo()
    second.reorg(3)
    expect(await state()).toEqual(disagree(4, 102))
    first.mine(1)
    expect(await state()).toEqual(disagree(4, 102))
    second.mine(1)
    expect(await state()).toEqual(disagree(5, 102))
    expect(await state()).toEqual(disagree(5, 102))
  })

  it('do not agree where the second has others in the place of what the first has more of', async () => {
    const { first, second, state } = await startTwo()
    second.reorg(3)
    first.mine(4)
    expect(await state()).toEqual(disagree(7, 102))
  })

  it('agree while the second is only late, silent or shows what is no chain', async () => {
    const { first, second, mineBoth, state } = await startTwo()
    first.mine(6)
    expect(await state()).toEqual({ is: 'followed' })
    second.faults.unreachable = true
    expect(await state()).toEqual({ is: 'followed' })
    second.faults.unreachable = false
    second.mine(6)
    mineBoth(1)
    const honest = second.chain.fetchNewestHeaders
    second.chain.fetchNewestHeaders = async () => {
      const { height, raws } = await honest()
      return { height, raws: raws.with(-1, new Uint8Array(80)) }
    }
    expect(await state()).toEqual({ is: 'followed' })
  })

  it('do not make of one that is only old one that disagrees, where the second shows what is no chain', async () => {
    const { first, second, mineBoth, state } = await startTwo()
    const goBack = first.save()
    mineBoth(4)
    expect(await state()).toEqual({ is: 'followed' })
    goBack()
    second.chain.fetchNewestHeaders = async () => ({ height: 1, raws: [new Uint8Array(80)] })
    expect(await state()).toEqual({ is: 'behind', blocks: 4, checkedTo: 109 })
  })

  it('are asked once each while they show the same', async () => {
    const { first, second, mineBoth, state } = await startTwo()
    const asked: string[] = []
    for (const [name, { chain }] of Object.entries({ first, second })) {
      const honest = chain.fetchNewestHeaders
      chain.fetchNewestHeaders = async () => {
        asked.push(name)
        return honest()
      }
    }
    mineBoth(1)
    await state()
    expect(asked).toEqual(['first', 'second'])
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

  it('is told of what others bring too: how deep it is, that no block holds it, or that none is shown to', async () => {
    const { world, worker } = await startWithCoin(100_000n)
    const proven = fund(world, RECIPIENT, 10_000n, { confirmed: false })
    world.chain.mineChecked()
    world.chain.mine(2)
    const waiting = fund(world, RECIPIENT, 20_000n, { confirmed: false })
    const claimed = fund(world, RECIPIENT, 30_000n)
    const txids = [proven, waiting, claimed]
    expect(await worker.ui('getCoinProofs', { txids })).toEqual([
      { is: 'proven', confirmations: 3, blocks: null },
      { is: 'unproven', fault: 'no-block' },
      { is: 'unproven', fault: 'merkle-proof' },
    ])
    world.chain.faults.unreachable = true
    const later = await worker.ui('getCoinProofs', { txids })
    expect(later.slice(0, 2)).toEqual([
      { is: 'proven', confirmations: 3, blocks: null },
      { is: 'unproven', fault: 'no-answer' },
    ])
  })

  it('names the list of coins where it is none, and what in it is no id by its place', async () => {
    const { worker, outpoint } = await startWithCoin(100_000n)
    const txid = outpoint.slice(0, 64)
    for (const [txids, message] of [
      [null, 'txids: expected a list of transaction ids, got null'],
      [txid, 'txids: expected a list of transaction ids'],
      [[txid, 'abc'], 'txids[1]: expected a transaction id'],
    ] as [string[], string][])
      await expect(worker.ui('getCoinProofs', { txids })).rejects.toMatchObject({
        ...{ code: -32602, message: expect.stringContaining(message) },
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
