import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isLong } from '../../../testing/campaigns.ts'
import type { Dapp, Screen } from '../../driver/driver.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import {
  approveUntil,
  drawStops,
  fetchJson,
  freshAddress,
} from '../../fixtures/killed-background.ts'
import { etch, runeBalance } from '../../fixtures/ordinals/devnet-ord.ts'
import { forgetRequests, resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** How many stops of each operation are drawn. `every-stop.test.ts` has all points of all operations, without a browser. */
const DRAWN = isLong ? 10 : 1

type Scene = { world: World; dapp: Dapp; popup: Screen }

type Operation = {
  name: string
  /** Writes to storage that it makes in each area, at the least, the first of them first. */
  writes: { session?: number; local?: number }
  /** Starts it; what it resolves is looked at once. */
  start(scene: Scene): Promise<unknown>
  /** What it left behind once the background was stopped in it and came back. */
  check(scene: Scene, answer: unknown): Promise<void>
}

const recipient = { address: '' }
const account = { address: '' }

/** Anybody can mint it for as long as the tests take; `held` is what the account has before an operation. */
const RUNE = { name: 'SATCHEL•KILL•MINTS', each: 1_000, held: 0 }

const OPERATIONS: readonly Operation[] = [
  {
    name: 'connect',
    writes: { session: 4, local: 2 },
    start: ({ dapp }) => connectAgain(dapp),
    check: async ({ dapp }) => {
      expect(await resultOf(dapp.request('getAccounts'))).toHaveLength(1)
    },
  },
  {
    name: 'disconnect',
    writes: { local: 2 },
    start: ({ dapp }) => resultOf(dapp.request('disconnect')),
    check: async ({ dapp }) => {
      expect(await resultOf(dapp.request('getAccounts'))).toEqual([])
    },
  },
  {
    name: 'signMessage',
    writes: { session: 5 },
    start: ({ dapp }) => resultOf(dapp.request('signMessage', 'hello', 'ecdsa')),
    check: async ({ dapp, world }, answer) => {
      // RFC 6979: the same signature for the same text.
      const again = dapp.request('signMessage', 'hello', 'ecdsa')
      await (await world.wallet.nextApproval()).approve()
      expect(answer).toBe(await resultOf(again))
    },
  },
  {
    name: 'sendTransfer',
    writes: { session: 6, local: 2 },
    start: ({ dapp }) => {
      recipient.address = freshAddress()
      const order = { recipients: [{ address: recipient.address, amount: 20_000 }] }
      return resultOf(dapp.request('sendTransfer', order))
    },
    check: async ({ world: { devnet } }, answer) => {
      const sent = await fetchJson(`${devnet.esploraUrl}/address/${recipient.address}/txs`)
      expect(sent).toMatchObject([{ txid: Object(answer).txid ?? answer }])
      await devnet.mine(1)
    },
  },
  {
    name: 'splitUtxo',
    writes: { session: 6, local: 1 },
    start: async ({ dapp }) => {
      const [from] = await resultOf<string[]>(dapp.request('getAccounts'))
      return resultOf(dapp.request('splitUtxo', { from, amount: 2 }))
    },
    // Withheld, and so in nobody's mempool.
    check: async ({ world }, answer) => {
      expect(Object(answer).utxos).toHaveLength(2)
      expect(await listWaiting(world)).toEqual([])
    },
  },
  {
    name: 'mintRune',
    writes: { session: 6, local: 2 },
    start: async ({ dapp, world }) => {
      RUNE.held = await readHeld(world)
      return resultOf(dapp.request('mintRune', { rune: RUNE.name, count: 2 }))
    },
    check: async ({ world }, answer) => {
      expect(Object(answer).txids).toHaveLength(2)
      await expect.poll(() => listWaiting(world)).toHaveLength(2)
      await world.devnet.mine(1)
      await expect.poll(() => readHeld(world)).toBe(RUNE.held + 2 * RUNE.each)
      expect(await listWaiting(world)).toEqual([])
    },
  },
  {
    name: 'saveContact, in the wallet’s own page',
    writes: { local: 2 },
    start: scene => ask(scene, 'saveContact', { id: null, name: 'Alice', address: freshAddress() }),
    check: async scene => {
      const contacts = (await ask(scene, 'getContacts', null)) as { id: string }[]
      expect(contacts.length).toBeLessThanOrEqual(1)
      for (const { id } of contacts) await ask(scene, 'removeContact', { id })
    },
  },
]

describe.each(browsersFor('operation-kill'))('in %s, a background that is killed', browser => {
  let world: World
  let popup: Screen

  beforeAll(async () => {
    world = await startWorld(browser, { hooks: true })
    popup = await world.wallet.popup()
    const dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    for (let coin = 0; coin < 3; coin++) await world.devnet.faucet(address, 5_000_000n)
    await etch(world.devnet, null, {
      ...{ name: RUNE.name, amount: '0', divisibility: 0, symbol: 'K' },
      terms: { amount: `${RUNE.each}`, cap: 1_000 },
    })
    account.address = address
  })
  afterAll(() => world?.stop())

  beforeEach(() => forgetRequests(world.wallet))

  it.each(drawAll(DRAWN))(
    '%s does it once, answers once and leaves nothing waiting',
    async (_, { point, operation }) => {
      const { wallet } = world
      const scene = { world, popup, dapp: await world.openConnected() }
      const hang = await wallet.hangBackground(point)
      const running = operation.start(scene)
      const approving = approveUntil(wallet, running)
      await hang.reached()
      await wallet.killBackground()
      const answer = await running
      await approving
      expect(await wallet.countApprovalWindows()).toBeLessThanOrEqual(1)
      await wallet.waitForNoApproval()
      await operation.check(scene, answer)
    },
  )
})

/** Ids of what is in devnet's mempool, which is not the node's. */
function listWaiting({ devnet }: World): Promise<unknown> {
  return fetchJson(`${devnet.esploraUrl}/mempool/txids`)
}

/** Of the rune that is minted, by devnet's index. */
async function readHeld({ devnet }: World): Promise<number> {
  return Number(await runeBalance(devnet, account.address, RUNE.name))
}

function drawAll(count: number) {
  return OPERATIONS.flatMap(operation =>
    drawStops(operation.writes, count, operation.name.length).map(
      ({ name, point }) => [`${name} of ${operation.name}`, { point, operation }] as const,
    ),
  )
}

/** Takes the page's leave away and asks for it anew. */
async function connectAgain(dapp: Dapp): Promise<unknown> {
  await resultOf(dapp.request('disconnect'))
  return resultOf(dapp.request('connect'))
}

/** Asks the background as the wallet's own pages do; undefined where it died before it answered. */
function ask({ popup }: Scene, method: string, params: unknown): Promise<unknown> {
  return popup.evaluate(
    (ui, sent) =>
      Object(globalThis)
        .chrome.runtime.sendMessage({ ui, params: sent })
        .then((answer: unknown) => Object(answer).result)
        .catch(() => undefined),
    method,
    params,
  )
}
