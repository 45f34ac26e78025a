import type { Dapp, Screen, Wallet } from '../driver/driver.ts'
import { goTo, pay } from '../driver/own-pages.ts'
import { OWNERS } from '../fixtures/account-owners.ts'
import { inscribe } from '../fixtures/ordinals/devnet-ord.ts'
import { PASSWORD, resultOf, startWorld, type World } from '../fixtures/world.ts'
import { measureWorkerHeap } from './debugging.ts'
import { countFigure, type Figure } from './figure.ts'

/** Each is what a person and two sites do in ten minutes, without the pauses. */
const ROUNDS = 6
const COIN_SATS = 200_000n
const INSCRIPTIONS = 3
const READS = 20
const { address: OWN } = OWNERS.regtest.taproot
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** What the worker's heap and the extension's storage hold, in bytes; the heap after a full collection. */
type Held = { heap: number; session: number; local: number; startedAt: number }

/** An hour's use of the wallet, replayed in minutes: what the worker and the storage hold after each part of it. */
export async function measureUse(): Promise<Figure[]> {
  const world = await startWorld('chromium')
  try {
    for (let coin = 0; coin < 2 * ROUNDS; coin++) await world.devnet.faucet(OWN, COIN_SATS)
    for (let at = 0; at < INSCRIPTIONS; at++)
      await inscribe(world.devnet, OWN, { body: `number ${at}` })
    const other = await world.openConnected(world.otherSite)
    const steps = countSteps()
    const held: Held[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await replayTenMinutes(world, other, steps)
      held.push(await readHeld(world.wallet))
    }
    return describeGrowth(held, steps.count)
  } finally {
    await world.stop()
  }
}

type Steps = ReturnType<typeof countSteps>

function countSteps() {
  const steps = {
    count: 0,
    async take<T>(step: Promise<T>): Promise<T> {
      const result = await step
      steps.count++
      return result
    },
  }
  return steps
}

async function replayTenMinutes(world: World, other: Dapp, steps: Steps): Promise<void> {
  const { wallet, devnet } = world
  const site = await steps.take(world.openConnected())
  for (let read = 0; read < READS; read++) {
    await steps.take(resultOf(site.request('getBalance')))
    await steps.take(resultOf(other.request(read % 2 === 0 ? 'getInscriptions' : 'getAccounts')))
  }
  await steps.take(decide(wallet, site, true, ['signMessage', 'of a site']))
  await steps.take(decide(wallet, other, true, ['signMessage', 'of another', 'bip322-simple']))
  await steps.take(decide(wallet, site, false, ['signMessage', 'that nobody signs']))
  await steps.take(decide(wallet, other, false, ['sendBitcoin', RECIPIENT, 3_000]))
  await steps.take(decide(wallet, site, true, ['sendBitcoin', RECIPIENT, 5_000, { feeRate: 2 }]))
  const screen = await steps.take(wallet.popup())
  await screen.find('region', 'Balance')
  await steps.take(pay(screen, { recipients: [{ to: RECIPIENT, btc: '0.0001' }], feeRate: '2' }))
  await devnet.mine()
  await steps.take(lookAround(screen))
  await steps.take(screen.close())
  await steps.take(wallet.lock())
  await steps.take(wallet.unlock(PASSWORD))
  await steps.take(resultOf(site.request('getBalance')))
  await steps.take(resultOf(site.request('disconnect')))
  await site.close()
}

async function lookAround(screen: Screen): Promise<void> {
  await goTo(screen, '/activity', 'Activity')
  await screen.find('listitem')
  await goTo(screen, '/receive', 'Receive*')
  await goTo(screen, '/', 'Wallet')
}

/** Throws where the call does not end as it was decided. */
async function decide(
  wallet: Wallet,
  dapp: Dapp,
  yes: boolean,
  [method, ...params]: readonly [string, ...unknown[]],
): Promise<void> {
  const answer = dapp.request(method, ...params)
  const approval = await wallet.nextApproval()
  await (yes ? approval.approve() : approval.reject())
  const outcome = await answer
  if ('result' in outcome !== yes) throw new Error(`${method}: ${JSON.stringify(outcome)}`)
  await wallet.waitForNoApproval()
}

async function readHeld(wallet: Wallet): Promise<Held> {
  const { used } = await measureWorkerHeap(wallet)
  const { session, local } = await wallet.storageDump()
  const startedAt = await wallet.evaluateInBackground(() => performance.timeOrigin)
  return { heap: used, session: sizeOf(session), local: sizeOf(local), startedAt }
}

function sizeOf(area: object): number {
  return Buffer.byteLength(JSON.stringify(area))
}

function describeGrowth(held: readonly Held[], steps: number): Figure[] {
  const [first] = held
  const last = held.at(-1)
  if (!first || !last) throw new Error('Nothing was used')
  const workers = new Set(held.map(({ startedAt }) => startedAt)).size
  const MIB = 1024 * 1024
  const list = (read: (now: Held) => number, digits: number) =>
    held.map(now => read(now).toFixed(digits)).join(', ')
  return [
    countFigure(
      {
        name: 'worker heap after an hour’s use',
        unit: 'MiB',
        note: `${steps} steps by ${workers} worker${workers === 1 ? '' : 's'}; each ten minutes ${list(({ heap }) => heap / MIB, 2)}`,
      },
      last.heap / MIB,
    ),
    countFigure(
      { name: 'its growth since the first ten minutes', unit: 'KiB', aim: 0 },
      (last.heap - first.heap) / 1024,
    ),
    countFigure(
      {
        name: 'session storage after it',
        unit: 'kB',
        note: list(({ session }) => session / 1000, 1),
      },
      last.session / 1000,
    ),
    countFigure(
      { name: 'local storage after it', unit: 'kB', note: list(({ local }) => local / 1000, 1) },
      last.local / 1000,
    ),
  ]
}
