import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { payFromPopup, selectedAccount } from '../../src/background/testing/funded-wallet.ts'
import { PASSWORD } from '../../src/background/testing/test-wallet.ts'
import type { LieName } from '../../src/devnet/lies/lies.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createDevnetAdmin, type DevnetAdmin } from '../fixtures/devnet-admin.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'

const MINUTE = 60_000

let devnet: Devnet
let client: Client
let admin: DevnetAdmin
/** What the wallet calls devnet's servers, which are on one host. */
let hosts: { first: string; second: string }

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
  admin = createDevnetAdmin(devnet)
  const { host } = new URL(devnet.url)
  hosts = { first: `${host}/api`, second: `${host}/second` }
})
afterEach(() => admin.repair())
afterAll(() => devnet?.stop())

const tell: DevnetAdmin['tellLie'] = (...lie) => admin.tellLie(...lie)
const end = () => admin.call('lies/end', {})

/** A wallet that has followed the chain of devnet to its newest block, and a payment to it that no block has yet. */
async function start(options: { isPaired?: boolean } = {}) {
  const { world, worker, access } = await startOnDevnet(devnet, options)
  const wait = async (minutes: number) => {
    world.clock.now += minutes * MINUTE
    await worker.ui('unlock', { password: PASSWORD })
  }
  await wait((Date.now() - world.clock.now) / MINUTE)
  const { address } = await selectedAccount(worker)
  // What came before is of other tests, and below all forks.
  await devnet.mine(3)
  await devnet.faucet(address, 100_000n)
  const txid = await devnet.faucet(address, 50_000n, false)
  const chain = () => worker.ui('getChainState', null)
  const proof = () => worker.ui('getConfirmationProof', { txid })
  const unproven = async () => {
    await worker.ui('getOverview', null)
    return worker.ui('getUnprovenPayments', null)
  }
  const unshared = async () => (await worker.ui('getUnsharedPayments', null)).payments
  expect(await chain()).toEqual({ is: 'followed' })
  /** As by now after a failure. */
  const rest = () => access.resetBackoff(devnet.secondUrl)
  const unconfirmed = async () => (await worker.ui('getOverview', null)).balance?.unconfirmed
  const tip = await devnet.rpc<number>('getblockcount')
  return { worker, txid, tip, wait, rest, chain, proof, unproven, unshared, unconfirmed }
}

describe('the newest block', () => {
  it.each<[LieName, object]>([
    ['no-work', { is: 'refused', fault: 'no-work' }],
    ['difficulty', { is: 'refused', fault: 'no-work' }],
    ['unlinked', { is: 'refused', fault: 'unlinked' }],
  ])(
    'is refused that is shown with the lie %s, as %j, and nothing in it is confirmed, until the truth is told',
    async (name, state) => {
      const { tip, chain, proof, unconfirmed } = await start()
      await tell(name)
      await devnet.mine(1)
      expect(await chain()).toEqual({ ...state, checkedTo: tip })
      expect(await unconfirmed()).toBe('50000')
      expect(await proof()).toEqual({ is: 'unproven', fault: 'chain' })
      // The next one is altered in its place, and the true one is under it.
      await devnet.mine(1)
      expect(await chain()).toEqual({ ...state, checkedTo: tip })
      await end()
      expect(await chain()).toEqual({ is: 'followed' })
      expect(await unconfirmed()).toBe('0')
      expect(await proof()).toMatchObject({ is: 'proven', confirmations: 2 })
    },
  )
})

describe('a fork', () => {
  it('that is longer, of blocks that took less work, is refused', async () => {
    const { tip, chain, proof } = await start()
    await devnet.mine(1)
    expect(await chain()).toEqual({ is: 'followed' })
    await tell('less-work-fork', { depth: 4, blocks: 9 })
    expect(await client.getJson('/api/blocks/tip/height')).toBe(
      (await devnet.rpc<number>('getblockcount')) + 5,
    )
    expect(await chain()).toEqual({ is: 'refused', fault: 'no-work', checkedTo: tip + 1 - 4 })
    // In a block that is held.
    expect(await proof()).toMatchObject({ is: 'proven' })
  })

  it('of a server’s own, with no more work, is told of, and nothing in it is confirmed', async () => {
    const { txid, tip, chain, proof, unproven, unconfirmed } = await start()
    await tell('private-fork', { txid })
    const { status } = await client.getJson<{ status: object }>(`/api/tx/${txid}`)
    expect(status).toMatchObject({ confirmed: true })
    // Before the first look at its blocks.
    expect(await unproven()).toContainEqual({ txid, fault: 'merkle-proof' })
    expect(await chain()).toEqual({ is: 'forked', blocks: 3, checkedTo: tip - 3 })
    expect(await proof()).toEqual({ is: 'unproven', fault: 'merkle-proof' })
    expect(await unconfirmed()).toBe('150000')
    expect(await unproven()).toEqual([])
  })

  it('of a server’s own with more work is the chain for a wallet that asks nobody else', async () => {
    const { txid, tip, chain, proof } = await start()
    await tell('private-fork', { txid, blocks: 5 })
    expect(await chain()).toEqual({ is: 'followed' })
    expect(await proof()).toEqual({ is: 'proven', confirmations: 5, blocks: null })
    await end()
    // What was seen with more work is left for more alone.
    expect(await chain()).toEqual({ is: 'forked', blocks: 5, checkedTo: tip - 3 })
    await devnet.mine(3)
    expect(await chain()).toEqual({ is: 'followed' })
    expect(await proof()).toMatchObject({ is: 'proven', confirmations: 3 })
  })

  it('is told of where the second server has other blocks, whichever took more work', async () => {
    for (const blocks of [3, 5]) {
      const { tip, chain } = await start({ isPaired: true })
      await tell('private-fork', { blocks })
      expect(await chain()).toEqual({
        ...{ is: 'disagree', blocks, second: hosts.second, checkedTo: tip - 3 },
      })
      await end()
    }
  })
})

describe('a tip that stands still', () => {
  it('says nothing to a wallet that asks nobody else', async () => {
    const { chain, proof } = await start()
    await tell('still-tip')
    await devnet.mine(3)
    expect(await chain()).toEqual({ is: 'followed' })
    expect(await proof()).toEqual({ is: 'unproven', fault: 'no-block' })
  })

  it('is told of where the second server has two blocks more', async () => {
    const { tip, chain } = await start({ isPaired: true })
    await tell('still-tip')
    await devnet.mine(1)
    expect(await chain()).toEqual({ is: 'followed' })
    await devnet.mine(2)
    expect(await chain()).toEqual({
      ...{ is: 'disagree', blocks: 3, second: hosts.second, checkedTo: tip },
    })
    await end()
    expect(await chain()).toEqual({ is: 'followed' })
  })
})

it('the proof of another transaction proves nothing, and the wallet says so of the newest payments', async () => {
  const { txid, chain, proof, unproven } = await start()
  await tell('other-proof', { txid })
  await devnet.mine(1)
  expect(await chain()).toEqual({ is: 'followed' })
  expect(await proof()).toEqual({ is: 'unproven', fault: 'merkle-proof' })
  expect(await unproven()).toEqual([{ txid, fault: 'merkle-proof' }])
  await end()
  expect(await unproven()).toEqual([])
})

describe('a payment that a server takes and keeps', () => {
  it('is not noticed where it is the only server, and is in no block', async () => {
    const { worker, wait, unshared } = await start()
    await tell('kept-broadcast')
    const { txid } = await payFromPopup(worker)
    await devnet.mine(3)
    await wait(2)
    expect(await unshared()).toEqual([])
    expect(await client.getJson(`/api/tx/${txid}`)).toMatchObject({ status: { confirmed: false } })
  })

  it('goes out by the second server, which it is handed to as well', async () => {
    const { worker } = await start({ isPaired: true })
    await tell('kept-broadcast')
    const { txid } = await payFromPopup(worker)
    await devnet.mine(1)
    expect(await client.getJson(`/api/tx/${txid}`)).toMatchObject({ status: { confirmed: true } })
  })

  it('is told of where the second server could not take it, and goes out by that once it can', async () => {
    const { worker, wait, rest, unshared } = await start({ isPaired: true })
    await tell('kept-broadcast')
    await admin.addFault({ endpoint: 'POST /second/tx', status: 503 })
    const { txid } = await payFromPopup(worker)
    const told = { txid, knows: [hosts.first], lacks: [hosts.second] }
    rest()
    await wait(1)
    expect(await unshared()).toEqual([])
    await wait(1)
    expect(await unshared()).toMatchObject([told])
    await expect(worker.ui('shareTransaction', { txid })).rejects.toMatchObject({
      data: { reason: 'BACKEND_UNAVAILABLE' },
    })
    await devnet.mine(1)
    rest()
    expect(await unshared()).toMatchObject([told])
    await admin.call('faults/clear', {})
    await worker.ui('shareTransaction', { txid })
    expect(await unshared()).toEqual([])
    await wait(1)
    expect(await unshared()).toEqual([])
    await devnet.mine(1)
    expect(await client.getJson(`/api/tx/${txid}`)).toMatchObject({ status: { confirmed: true } })
  })
})

describe('the call for lies', () => {
  it('lists what is told, and names what is wrong with a call', async () => {
    await tell('still-tip')
    await tell('other-proof')
    const listed = await client.getJson<{ name: string }[]>('/devnet/lies')
    expect(listed.map(({ name }) => name)).toEqual(['still-tip', 'other-proof'])
    for (const [fields, words] of [
      [{ name: 'flat-earth' }, /^name: must be one of no-work, /],
      [{}, /^name: /],
      [{ name: 'private-fork', depth: 0 }, /^depth: /],
      [{ name: 'private-fork', depth: 999 }, /^depth: /],
      [{ name: 'private-fork', blocks: 'many' }, /^blocks: /],
      [{ name: 'other-proof', txid: 7 }, /^txid: /],
      [{ name: 'other-proof', of: 7 }, /^of: is not a field/],
    ] as const) {
      const { status, body } = await client.post('/devnet/lies', fields)
      expect(status).toBe(400)
      expect(body).toMatch(words)
    }
    await end()
    expect(await client.getJson('/devnet/lies')).toEqual([])
  })
})
