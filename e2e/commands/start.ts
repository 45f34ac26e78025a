/**
 * `npm start`: a browser with the extension, a funded demo wallet on a private Bitcoin network, and the
 * playground. What is missing is installed or built first. Without a display, or with `--tour`, the same
 * is done headless as a tour that checks itself and leaves screenshots in `artifacts/`.
 */
import { createServer } from 'node:net'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { launch, type Wallet } from '../driver/driver.ts'
import { startDappServer } from '../fixtures/dapp-server.ts'
import {
  DEMO_ADDRESS,
  DEMO_PASSWORD,
  DEMO_WORDS,
  fundDemoWallet,
  setUpDemoWallet,
} from '../fixtures/demo-wallet.ts'
import { buildIfStale } from './build.ts'
import { provision } from './provision.ts'
import { runTour } from './tour.ts'

/** Where the wallet looks for regtest by itself, and the playground's port; others when taken. */
const DEVNET_PORT = 18480
const PLAYGROUND_PORT = 18481

const cleanUps: (() => Promise<unknown>)[] = []
let cleaning: Promise<void> | null = null

/** From when on Ctrl-C is the way to end, and not an interruption. */
let isReady = false

const signalled = new Promise<void>(resolve => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve)
})

try {
  const isTour = process.argv.includes('--tour') || !hasDisplay()
  await Promise.race([start(isTour), signalled.then(assertReady)])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await cleanUp()
}
process.exit()

async function start(isTour: boolean): Promise<void> {
  if (isTour) console.log('Headless tour (no display, or --tour).')
  provision(['chromium'])
  buildIfStale()

  const devnet = await startDevnet({
    port: await freePort(DEVNET_PORT),
    onProgress: line => console.log(line),
  })
  cleanUps.push(() => devnet.stop())
  console.log('Inscribing and minting for the demo wallet')
  const assets = await fundDemoWallet(devnet)
  const playground = await startDappServer({
    port: await freePort(PLAYGROUND_PORT),
    devnet,
  })
  cleanUps.push(() => playground.stop())

  console.log('Starting Chromium with the extension')
  const wallet = await launch({
    browser: 'chromium',
    headless: isTour,
    args: ['--window-size=1280,900'],
    handleSignals: false,
  })
  cleanUps.push(() => wallet.close())

  if (isTour) await runTour({ wallet, devnet, playgroundUrl: playground.url, assets })
  else await leaveOpen(wallet, devnet, playground.url)
}

/** Returns when the person closes the browser or presses Ctrl-C. */
async function leaveOpen(wallet: Wallet, devnet: Devnet, playgroundUrl: string): Promise<void> {
  await setUpDemoWallet(wallet, devnet.esploraUrl)
  await wallet.openDapp(playgroundUrl)
  isReady = true
  console.log(
    [
      '',
      'Ready. The wallet is behind the puzzle piece in the toolbar.',
      `  Playground   ${playgroundUrl}`,
      `  Conformance  ${playgroundUrl}conformance/`,
      `  Demo wallet  ${DEMO_WORDS}`,
      '               known to everyone: regtest only, never send real bitcoin to it',
      `  Password     ${DEMO_PASSWORD}`,
      `  Esplora      ${devnet.esploraUrl}`,
      `  ord          ${devnet.ordUrl}`,
      `  BRC-20       ${devnet.opiUrl}`,
      `  Atomicals    ${devnet.atomicalsUrl}`,
      `  Mine         curl ${devnet.url}/devnet/mine -d '{"blocks":1}'`,
      `  Inscribe     curl ${devnet.url}/devnet/inscribe -d '{"address":"${DEMO_ADDRESS}","body":"Hello"}'`,
      `  Mint         curl ${devnet.url}/devnet/atomicals/mint -d '{"kind":"nft","address":"${DEMO_ADDRESS}","realm":"hello"}'`,
      'Ctrl-C, or closing the browser, ends all of it.',
    ].join('\n'),
  )
  const closed = new Promise<void>(resolve => wallet.browser.once('disconnected', () => resolve()))
  await Promise.race([closed, signalled])
}

function assertReady(): void {
  if (!isReady) throw new Error('Stopped before it was ready.')
}

/** Undoes what was started, last first; a second call waits for the first. */
function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    for (const undo of cleanUps.reverse()) {
      await undo().catch((error: unknown) => console.error(error))
    }
  })()
  return cleaning
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

/** The port wished for, or 0, which means any, when something listens there already. */
async function freePort(port: number): Promise<number> {
  const server = createServer()
  const isFree = await new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return 0
  await new Promise(resolve => server.close(resolve))
  return port
}
