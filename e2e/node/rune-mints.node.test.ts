import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectedAccount } from '../../src/background/testing/funded-wallet.ts'
import type { AddressType } from '../../src/bitcoin/address.ts'
import { ADDRESS_TYPES } from '../../src/bitcoin/testing/spending.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'
import { etch, holdingsOf, mintElsewhere } from '../fixtures/ordinals/devnet-ord.ts'

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

/** A wallet on devnet with a coin, and a rune that anybody can mint so many times. */
async function startMinter(name: string, { type = 'p2tr' as AddressType, cap = 100 } = {}) {
  const { world, worker } = await startOnDevnet(devnet)
  const { id } = await worker.ui('addAccount', { addressType: type, name })
  await worker.ui('selectAccount', { accountId: id })
  const account = await selectedAccount(worker)
  await devnet.faucet(account.address, 100_000n)
  await etch(devnet, null, { name, amount: '0', terms: { amount: '7', cap } })
  const plan = (count: number) =>
    worker.ui('planRuneMint', { rune: name, count, feeRate: 2, label: '' })
  return {
    plan,
    async mint(count: number) {
      const { planId, digest } = await plan(count)
      return worker.ui('confirmRuneMint', { planId, digest })
    },
    async look(mintId: string) {
      world.clock.now += 20_000
      const view = await worker.ui('resumeRuneMint', { mintId })
      return { ...view, states: view.mints.map(({ state }) => state) }
    },
    confirm: (planned: { planId: string; digest: string }) =>
      worker.ui('confirmRuneMint', { planId: planned.planId, digest: planned.digest }),
    /** Units on the coin of each mint, by devnet's index. */
    async minted(txids: readonly { txid: string }[]) {
      const held = await Promise.all(txids.map(({ txid }) => holdingsOf(devnet, `${txid}:0`)))
      return held.map(({ runes }) => runes[name]?.amount ?? 0)
    },
  }
}

describe('mints on a real node', () => {
  it('are 24 in a chain that its mempool takes at once, and all count in the next block', async () => {
    const { mint, look, minted } = await startMinter('MANY•TEST•MINTS')
    const { jobId } = await mint(24)
    expect((await look(jobId)).states).toEqual(Array(24).fill('pending'))
    await devnet.mine()
    const { state, minted: sum, mints } = await look(jobId)
    expect([state, sum]).toEqual(['done', '168'])
    expect(await minted(mints)).toEqual(Array(24).fill(7))
  })

  it.each(ADDRESS_TYPES)('are signed and taken from a %s address', async type => {
    const name = `${type.replace(/\d|-/g, '').toUpperCase().padEnd(14, 'X')}`
    const { mint, look, minted } = await startMinter(name, { type })
    const { jobId } = await mint(3)
    await devnet.mine()
    const { state, mints } = await look(jobId)
    expect(state).toBe('done')
    expect(await minted(mints)).toEqual([7, 7, 7])
  })

  it('are handed over as far as mints are left, and stopped at the cap; after a reorganisation they count again', async () => {
    const { plan, confirm, look, minted } = await startMinter('FEW•TEST•MINTS•X', { cap: 6 })
    const planned = await plan(5)
    await mintElsewhere(devnet, 'FEW•TEST•MINTS•X', 3)
    const { jobId } = await confirm(planned)
    expect((await look(jobId)).states).toEqual([...Array(3).fill('pending'), 'waiting', 'waiting'])
    await devnet.mine()
    const stopped = await look(jobId)
    expect(stopped).toMatchObject({ state: 'stopped', stopped: 'cap', minted: '21' })
    expect(await minted(stopped.mints.slice(0, 3))).toEqual([7, 7, 7])
    const body = JSON.stringify({ depth: 1 })
    await fetch(`${devnet.url}/devnet/reorg`, { method: 'POST', body })
    expect((await look(jobId)).states.slice(0, 3)).toEqual(Array(3).fill('pending'))
    await devnet.mine()
    expect((await look(jobId)).states).toEqual(stopped.states)
  })

  it('that others beat in a block give nothing, and lose nothing', async () => {
    const name = 'LATE•TEST•MINTS•X'
    const { mint, look, minted } = await startMinter(name, { cap: 4 })
    const { jobId } = await mint(4)
    // Which of them come first is the miner’s to say.
    const [first] = (await look(jobId)).mints
    expect(first?.txid).toHaveLength(64)
    await fetch(`${devnet.url}/devnet/mint-rune`, {
      method: 'POST',
      body: JSON.stringify({ rune: name, count: 2 }),
    })
    await devnet.mine()
    const { mints, states } = await look(jobId)
    const held = await minted(mints)
    expect(states).toEqual(held.map(units => (units > 0 ? 'minted' : 'empty')))
    expect(held.filter(units => units > 0).length).toBeGreaterThanOrEqual(2)
  })
})
