import { launch, type Wallet } from '../../driver/driver.ts'
import { PASSWORD, WORDS } from '../../fixtures/world.ts'
import { type CrowdSize, startCrowdedServer } from '../crowded-server.ts'
import { describeSamples } from '../figure.ts'
import { readGalleryPaint } from '../ordinals-figures.ts'
import { openHome } from '../wallet-figures.ts'
import { type Curve, spreadSizes } from './growth.ts'

const OPENINGS = 5

/**
 * How long screens take with what there is, in Chromium: home, at its first look at so many coins, until it knows what sits on all,
 * which is measured once; home until it shows their balance with as many entries, all coins being known; the activity until it shows the newest of them, and the gallery until it shows the first picture of as many inscriptions.
 */
export async function growScreens(): Promise<Curve[]> {
  const first: Point[] = []
  const home: Point[] = []
  const activity: Point[] = []
  const gallery: Point[] = []
  await atEachSize(
    size => ({ coins: size, transactions: size }),
    async (wallet, size) => {
      first.push({ size, value: await openUntilAllKnown(wallet) })
      home.push(await measure(size, () => openHomeAtRest(wallet)))
      activity.push(await measure(size, () => openActivity(wallet)))
    },
  )
  await atEachSize(
    size => ({ coins: size, transactions: 0, inscriptions: size }),
    async (wallet, size) => {
      gallery.push(await measure(size, () => openGallery(wallet)))
    },
  )
  return [
    { name: 'first look at new coins', of: 'coins', unit: 'ms', points: first },
    { name: 'home to its balance', of: 'coins and entries', unit: 'ms', points: home },
    { name: 'activity to its newest', of: 'entries', unit: 'ms', points: activity },
    { name: 'gallery to a picture', of: 'inscriptions', unit: 'ms', points: gallery },
  ]
}

/** A wallet whose account has more from one size to the next; what sits on a coin stays, so each kind has a wallet of its own. */
async function atEachSize(
  crowd: (size: number) => CrowdSize,
  look: (wallet: Wallet, size: number) => Promise<void>,
): Promise<void> {
  const sizes = spreadSizes(10, 100_000)
  const server = await startCrowdedServer(crowd(1))
  const wallet = await launch({ browser: 'chromium' })
  try {
    await wallet.importWallet({ words: WORDS, password: PASSWORD })
    await wallet.chooseNetwork('Regtest', server.esploraUrl)
    for (const size of sizes) {
      server.resize(crowd(size))
      await look(wallet, size)
    }
  } finally {
    await wallet.close()
    await server.stop()
  }
}

type Point = Curve['points'][number]

/** The first time, in which what is new is read from the server, does not count. */
async function measure(size: number, open: () => Promise<number>): Promise<Point> {
  await open()
  const times: number[] = []
  for (let run = 0; run < OPENINGS; run++) times.push(await open())
  return { size, value: describeSamples(times).median }
}

/** The worker goes on with the coins of a screen that was closed: the next opening is of one that has nothing left to do. */
async function openHomeAtRest(wallet: Wallet): Promise<number> {
  await openUntilAllKnown(wallet)
  return (await openHome(wallet)).balance
}

/** As long as coins are looked at, all that is asked meanwhile shares the worker with that. */
async function openUntilAllKnown(wallet: Wallet): Promise<number> {
  const screen = await wallet.popup()
  try {
    await screen.page.bringToFront()
    return await screen.evaluate(readUntilAllKnown)
  } finally {
    await screen.close()
  }
}

async function openActivity(wallet: Wallet): Promise<number> {
  const screen = await wallet.popup('src/popup/popup.html#/activity')
  try {
    await screen.page.bringToFront()
    return await screen.evaluate(readFirstEntry)
  } finally {
    await screen.close()
  }
}

async function openGallery(wallet: Wallet): Promise<number> {
  const screen = await wallet.popup('src/popup/popup.html#/inscriptions')
  try {
    await screen.page.bringToFront()
    return (await screen.evaluate(readGalleryPaint)).pictured
  } finally {
    await screen.close()
  }
}

/** Runs in the page: milliseconds from navigation until home says how many inscriptions there are, and of no coin that it is unchecked. */
async function readUntilAllKnown(): Promise<number> {
  const says = () => document.querySelector('main a[href="#/inscriptions"]')?.textContent ?? ''
  while (says() === '' || /Searching|unchecked/.test(says())) {
    await new Promise(resolve => setTimeout(resolve, 5))
    if (performance.now() > 120_000) throw new Error(`Home says of the inscriptions: ${says()}`)
  }
  return performance.now()
}

/** Runs in the page: milliseconds from navigation until a frame has shown an entry. */
async function readFirstEntry(): Promise<number> {
  while (!document.querySelector('main a[href^="#/activity/"]')) {
    await new Promise(resolve => setTimeout(resolve))
  }
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
  return performance.now()
}
