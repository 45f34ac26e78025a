import { scriptPubKeyOf } from '../../src/bitcoin/address.ts'
import { buildPayment } from '../../src/bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../src/bitcoin/secp256k1.ts'
import type { Utxo } from '../../src/bitcoin/utxo.ts'
import { launch, type Screen, type Wallet } from '../driver/driver.ts'
import { PASSWORD, startWorld, WORDS } from '../fixtures/world.ts'
import { startCrowdedServer } from './crowded-server.ts'
import { measureLongestTask } from './debugging.ts'
import { countFigure, type Figure, sampleFigure } from './figure.ts'

const COINS = 10_000
const TRANSACTIONS = 5_000
const RUNS = 15
const SENDS = 8
/** A window in which activity is a table beside the navigation. */
const WIDE = { width: 1280, height: 800 }
/** One of the activity, in its list and in its table. */
const ENTRY = 'main a[href^="#/activity/"]'
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** Choosing among very many coins, a wallet with a long past, and the way from the form to the signed transaction. */
export async function measureWallet(): Promise<Figure[]> {
  return [measureSelection(), ...(await measureCrowdedHome()), await measureSending()]
}

function measureSelection(): Figure {
  const choose = prepareSelection(COINS)
  choose(0)
  return sampleFigure(
    { name: `coin selection over ${COINS.toLocaleString('en')} coins`, unit: 'ms', aim: 50 },
    Array.from({ length: RUNS }, (_, run) => choose(run)),
  )
}

/** Milliseconds from the coins to the payment, in this process; another seed and amount in each run. */
export function prepareSelection(coins: number): (run: number) => number {
  const own = { publicKey: publicKeyOf(new Uint8Array(32).fill(7)), addressType: 'p2tr' as const }
  const scriptPubKey = scriptPubKeyOf(own.publicKey, own.addressType)
  const utxos: Utxo[] = Array.from({ length: coins }, (_, at) => ({
    txid: at.toString(16).padStart(64, 'a'),
    vout: 0,
    amount: 12_000n + BigInt((at * 7_919_777) % 9_000_000),
    scriptPubKey,
    height: 100,
  }))
  const total = utxos.reduce((sum, { amount }) => sum + amount, 0n)
  return run => {
    const start = performance.now()
    const wanted = 1_000_000n * BigInt(run + 1) ** 2n
    const amount = wanted < total / 2n ? wanted : total / 2n
    const recipients = [{ scriptPubKey, amount }]
    buildPayment({ recipients, memo: null, utxos, own, feeRate: 7.5, seed: `run ${run}` })
    return performance.now() - start
  }
}

async function measureCrowdedHome(): Promise<Figure[]> {
  const server = await startCrowdedServer({ coins: COINS, transactions: TRANSACTIONS })
  const wallet = await launch({ browser: 'chromium' })
  try {
    await wallet.importWallet({ words: WORDS, password: PASSWORD })
    await wallet.chooseNetwork('Regtest', server.esploraUrl)
    // The first look fills what the wallet keeps of the past.
    const first = await openActivity(wallet)
    const filling = await scrollToEnd(first)
    await first.close()

    const openings: { painted: number; balance: number }[] = []
    for (let run = 0; run < RUNS; run++) openings.push(await openHome(wallet))
    const scrolls: { where: string; scroll: Scroll; plain: Scroll; task: number }[] = []
    for (const isWide of [false, true]) {
      const activity = await openActivity(wallet, isWide)
      const scroll = await scrollToEnd(activity)
      await activity.close()
      // Once more, as a trace makes frames longer.
      const traced = await openActivity(wallet, isWide)
      const { longest } = await measureLongestTask(traced.page, () => scrollToEnd(traced))
      await traced.close()
      const plain = await scrollPlainList(wallet, isWide)
      const where = isWide ? 'in a wide tab' : 'in the popup'
      scrolls.push({ where, scroll, plain, task: longest })
    }
    const crowd = `${COINS.toLocaleString('en')} coins, ${TRANSACTIONS.toLocaleString('en')} entries`
    return [
      sampleFigure(
        { name: `home with ${crowd}: first contentful paint`, unit: 'ms', aim: 110 },
        openings.map(({ painted }) => painted),
      ),
      sampleFigure(
        { name: 'the same: balance shown', unit: 'ms' },
        openings.map(({ balance }) => balance),
      ),
      ...scrolls.flatMap(({ where, task, scroll, plain }) => [
        countFigure(
          {
            name: `activity ${where}, scrolled through ${scroll.entries.toLocaleString('en')} entries: longest frame`,
            unit: 'ms',
            aim: 33,
            note: `${describeScroll(scroll)}, ${(filling.ms / 1000).toFixed(1)} s when it came from the server`,
          },
          scroll.longest,
        ),
        countFigure(
          {
            name: 'a list of as many lines of text, nothing of ours: longest frame',
            unit: 'ms',
            note: describeScroll(plain),
          },
          plain.longest,
        ),
        countFigure(
          { name: 'the activity: longest task of the main thread, processor time', unit: 'ms' },
          task,
        ),
      ]),
    ]
  } finally {
    await wallet.close()
    await server.stop()
  }
}

/** Milliseconds until the home screen has painted, and until it shows the balance. */
export async function openHome(wallet: Wallet) {
  const screen = await wallet.popup()
  try {
    await screen.page.bringToFront()
    return await screen.evaluate(readHomePaint)
  } finally {
    await screen.close()
  }
}

async function openActivity(wallet: Wallet, isWide = false): Promise<Screen> {
  const screen = await wallet.popup('src/popup/popup.html#/activity')
  if (isWide) await screen.page.setViewport(WIDE)
  await screen.page.bringToFront()
  await screen.page.waitForSelector(ENTRY)
  return screen
}

/** Runs in the page: milliseconds from navigation to the first paint with content, and to the figures of the balance. */
async function readHomePaint(): Promise<{ painted: number; balance: number }> {
  while (!document.querySelector('section[aria-label="Balance"] .amount__amount')) {
    await new Promise(resolve => setTimeout(resolve))
  }
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
  const balance = performance.now()
  for (;;) {
    const paint = performance.getEntriesByName('first-contentful-paint')[0]
    if (paint) return { painted: paint.startTime, balance }
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** `slow` are the frames of more than 50 ms. */
type Scroll = {
  entries: number
  frames: number
  longest: number
  slow: number
  median: number
  ms: number
}

function describeScroll({ frames, slow, median, ms }: Scroll): string {
  return `${frames} frames, ${slow} over 50 ms, median ${median.toFixed(1)} ms; ${(ms / 1000).toFixed(1)} s in all`
}

/** What the browser itself takes: a list of plain lines as high as the wallet's, made at once. */
async function scrollPlainList(wallet: Wallet, isWide: boolean): Promise<Scroll> {
  const screen = await wallet.popup('manifest.json')
  try {
    if (isWide) await screen.page.setViewport(WIDE)
    await screen.page.bringToFront()
    await screen.evaluate(showPlainList, TRANSACTIONS)
    return await scrollToEnd(screen)
  } finally {
    await screen.close()
  }
}

/** Runs in the page. */
function showPlainList(lines: number): void {
  const main = document.createElement('main')
  main.style.cssText = 'height: 100vh; overflow: auto'
  for (let at = 0; at < lines; at++) {
    const line = document.createElement('a')
    line.href = `#/activity/${at}`
    line.textContent = `Received ${at} sats`
    line.style.cssText = 'display: block; height: 56px'
    main.append(line)
  }
  document.body.replaceChildren(main)
}

function scrollToEnd(screen: Screen): Promise<Scroll> {
  return screen.evaluate(scrollThrough, ENTRY, TRANSACTIONS)
}

/** Runs in the page: scrolls down frame by frame, as far as there is more, and gives the frames' lengths. */
async function scrollThrough(entry: string, expected: number): Promise<Scroll> {
  const frames: number[] = []
  const start = performance.now()
  const count = () => document.querySelectorAll(entry).length
  let last = start
  let still = 0
  while (still < 600) {
    await new Promise(resolve => requestAnimationFrame(resolve))
    const now = performance.now()
    frames.push(now - last)
    last = now
    const box = document.querySelector('main') ?? document.documentElement
    const before = box.scrollTop
    box.scrollTop += 400
    still = box.scrollTop === before ? still + 1 : 0
    if (count() >= expected && box.scrollTop === before) break
  }
  const sorted = frames.toSorted((a, b) => a - b)
  return {
    entries: count(),
    frames: frames.length,
    longest: sorted.at(-1) ?? 0,
    slow: frames.filter(ms => ms > 50).length,
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    ms: performance.now() - start,
  }
}

/** From the press on the last button to the screen that says it is sent: signed, stored and taken by the node. */
async function measureSending(): Promise<Figure> {
  const world = await startWorld('chromium')
  try {
    const { wallet, devnet } = world
    const dapp = await world.openConnected()
    const answer = await dapp.request('getAccounts')
    const [address = ''] = 'result' in answer ? (answer.result as string[]) : []
    for (let coin = 0; coin < SENDS; coin++) await devnet.faucet(address, 100_000n)
    const times: number[] = []
    for (let run = 0; run < SENDS; run++) times.push(await sendOnce(wallet))
    return sampleFigure(
      { name: 'send form confirmed to signed and sent', unit: 'ms', aim: 80, note: 'real node' },
      times,
    )
  } finally {
    await world.stop()
  }
}

async function sendOnce(wallet: Wallet): Promise<number> {
  const screen = await wallet.popup('src/popup/popup.html#/send')
  try {
    await screen.fill('textbox', 'To', RECIPIENT)
    await screen.fill('textbox', 'Amount', '0.0002')
    await screen.click('button', 'Review')
    await screen.page.waitForSelector('[data-testid="approve"]:enabled')
    return await screen.evaluate(pressUntilSent)
  } finally {
    await screen.close()
  }
}

/** Runs in the page. */
async function pressUntilSent(): Promise<number> {
  const start = performance.now()
  document.querySelector<HTMLElement>('[data-testid="approve"]')?.click()
  while (!document.querySelector('.payment-result__good')) {
    await new Promise(resolve => setTimeout(resolve))
  }
  return performance.now() - start
}
