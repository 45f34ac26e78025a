import { createServerAccess } from '../../src/chain/access/server-access.ts'
import { openAssets } from '../../src/chain/open/open-assets.ts'
import { buildOrdChain, indexOrdChain } from '../../src/devnet/testing/ord-chain.ts'
import { launch, type Wallet } from '../driver/driver.ts'
import { inscribe } from '../fixtures/ordinals/devnet-ord.ts'
import { seatTrader } from '../fixtures/psbt/trader.ts'
import { PASSWORD, startWorld, WORDS } from '../fixtures/world.ts'
import { clockAnswer, clockQuestion } from './clocked-call.ts'
import { coinOf, startCrowdedServer } from './crowded-server.ts'
import { countFigure, type Figure, sampleFigure } from './figure.ts'

const BLOCKS = 1_000
const INSCRIPTIONS = 10_000
const MOVED = 100
const RUNS = 7
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** Devnet's index of a long chain; in the wallet what sits on very many coins, a large gallery, and a large batch. */
export async function measureOrdinals(): Promise<Figure[]> {
  return [
    ...measureReplay(),
    await measureClassification(),
    ...(await measureGallery()),
    ...(await measureTransfer()),
  ]
}

/** In this process. */
function measureReplay(): Figure[] {
  const blocks = buildOrdChain(BLOCKS, INSCRIPTIONS / BLOCKS)
  indexOrdChain(blocks.slice(0, blocks.length / 10))
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now()
    indexOrdChain(blocks)
    return (performance.now() - start) / 1000
  })
  const seconds = times.toSorted((a, b) => a - b)[1] ?? Number.NaN
  const chain = `${BLOCKS.toLocaleString('en')} blocks, ${INSCRIPTIONS.toLocaleString('en')} inscriptions`
  return [
    sampleFigure({ name: `devnet’s index replays ${chain}`, unit: 's', aim: 20 }, times),
    countFigure({ name: 'the same: blocks indexed', unit: '/s' }, blocks.length / seconds),
    countFigure({ name: 'the same: inscriptions indexed', unit: '/s' }, INSCRIPTIONS / seconds),
  ]
}

async function measureClassification(): Promise<Figure> {
  const server = await startCrowdedServer({ coins: INSCRIPTIONS, transactions: 0, inscriptions: 5 })
  try {
    await classify(server, INSCRIPTIONS)
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) times.push(await classify(server, INSCRIPTIONS))
    const name = `what sits on ${INSCRIPTIONS.toLocaleString('en')} coins`
    return sampleFigure({ name, unit: 'ms', note: 'the server’s own time is in it' }, times)
  } finally {
    await server.stop()
  }
}

/** Milliseconds from the wallet's coins to what sits on each, with the index on this machine; nothing is kept between calls. */
export async function classify(server: { ordUrl: string }, count: number): Promise<number> {
  const coins = Array.from({ length: count }, (_, at) => coinOf(at, at < 5))
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const access = createServerAccess({ now: Date.now, random })
  const deps = { access, now: Date.now }
  const source = openAssets('regtest', { assets: server.ordUrl, secondAssets: '' }, deps)
  const start = performance.now()
  const assets = await source.fetchAssets(coins)
  const known = [...assets.values()].filter(one => one.known).length
  if (known !== coins.length) throw new Error(`Only ${known} coins are known`)
  return performance.now() - start
}

async function measureGallery(): Promise<Figure[]> {
  const server = await startCrowdedServer({
    coins: INSCRIPTIONS,
    transactions: 0,
    inscriptions: INSCRIPTIONS,
  })
  const wallet = await launch({ browser: 'chromium' })
  try {
    await wallet.importWallet({ words: WORDS, password: PASSWORD })
    await wallet.chooseNetwork('Regtest', server.esploraUrl)
    await openGallery(wallet)
    const openings = []
    for (let run = 0; run < RUNS; run++) openings.push(await openGallery(wallet))
    const crowd = `gallery of ${INSCRIPTIONS.toLocaleString('en')}`
    return [
      sampleFigure(
        { name: `${crowd}: first contentful paint`, unit: 'ms', aim: 130 },
        openings.map(({ painted }) => painted),
      ),
      sampleFigure(
        { name: 'the same: first picture', unit: 'ms' },
        openings.map(({ pictured }) => pictured),
      ),
      sampleFigure(
        { name: 'the same: scrolled to its end, heap of the page', unit: 'MB' },
        openings.map(({ heap }) => heap / 1_000_000),
      ),
      sampleFigure(
        { name: 'the same: elements on the page at the end', unit: '' },
        openings.map(({ elements }) => elements),
      ),
    ]
  } finally {
    await wallet.close()
    await server.stop()
  }
}

/** Milliseconds until the gallery has painted, and until it shows a picture; what it weighs, scrolled to its end. */
async function openGallery(wallet: Wallet) {
  const screen = await wallet.popup('src/popup/popup.html#/inscriptions')
  try {
    await screen.page.bringToFront()
    const shown = await screen.evaluate(readGalleryPaint)
    const elements = await screen.evaluate(scrollToEnd)
    const { JSHeapUsedSize: heap = 0 } = await screen.page.metrics()
    return { ...shown, elements, heap }
  } finally {
    await screen.close()
  }
}

/** Runs in the page: milliseconds from navigation to the first paint with content, and to the first picture. */
export async function readGalleryPaint(): Promise<{ painted: number; pictured: number }> {
  while (!document.querySelector('main .inscription-picture__picture > canvas')) {
    await new Promise(resolve => setTimeout(resolve, 5))
    if (performance.now() > 60_000) throw new Error('No picture')
  }
  const pictured = performance.now()
  const paint = performance.getEntriesByName('first-contentful-paint')[0]
  return { painted: paint?.startTime ?? Number.NaN, pictured }
}

/** Runs in the page: goes down in large steps and gives how many elements it has at the end. */
async function scrollToEnd(): Promise<number> {
  const boxes = [...document.querySelectorAll('main')]
  const box = boxes.find(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
  if (!box) throw new Error('Nothing to scroll')
  const step = box.scrollHeight / 100
  for (let at = 0; at <= 100; at++) {
    box.scrollTop = at * step
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  await new Promise(resolve => setTimeout(resolve, 500))
  return document.querySelectorAll('*').length
}

/**
 * A hundred inscriptions in one transaction, in a real browser with a real node. Each question is that of a worker that has just
 * started, and knows nothing of them.
 */
async function measureTransfer(): Promise<Figure[]> {
  const world = await startWorld('chromium')
  try {
    const place = { site: world.site, esploraUrl: world.devnet.esploraUrl }
    const trader = await seatTrader(world.wallet, 'Account 1 Taproot', place)
    const { address } = trader.owner
    await world.devnet.faucet(address, 10_000_000n)
    const ids: string[] = []
    for (let at = 0; at < MOVED; at += 20) {
      const items = Array.from({ length: 20 }, (_, item) => ({ body: `number ${at + item}` }))
      ids.push(...(await inscribe(world.devnet, address, { items })))
    }
    const params = [{ from: address, to: RECIPIENT, data: ids }]
    const asked: number[] = []
    for (let run = 0; run < RUNS; run++) {
      await forgetInscriptions(world.wallet)
      // For the code that every question needs.
      await clockQuestion(trader, 'signMessage', ['hello'])
      asked.push(await clockQuestion(trader, 'transferNft', params))
    }
    const answered = await clockAnswer(trader, 'transferNft', params)
    return [
      sampleFigure(
        { name: `transferNft of ${MOVED}: call to question`, unit: 'ms', aim: 600 },
        asked,
      ),
      countFigure({ name: 'the same: approved to answered', unit: 'ms', aim: 300 }, answered),
    ]
  } finally {
    await world.stop()
  }
}

async function forgetInscriptions(wallet: Wallet): Promise<void> {
  await wallet.evaluateInBackground(async () => {
    const { storage } = Object(globalThis).chrome
    await storage.local.remove('inscriptionProofs')
    await storage.session.remove('coinAnswers')
  })
  await wallet.killBackground()
}
