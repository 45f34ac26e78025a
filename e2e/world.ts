import { startDevnet } from '../src/devnet/start-devnet.ts'
import { startDappServer } from './dapp-server.ts'
import type { BrowserName } from './driver/engine.ts'
import { type Dapp, launch, type Wallet } from './driver.ts'

export const BROWSERS: readonly BrowserName[] = ['chromium', 'firefox']

/** The phrase of BIP-39's vectors, used on regtest only. */
export const WORDS = `${'abandon '.repeat(11)}about`
export const PASSWORD = 'correct horse battery'

/** A plain page, and whatever pages a test adds. */
const PLAIN_PAGE = '<!doctype html><title>Dapp</title><h1>Dapp</h1>'

export type World = {
  devnet: Awaited<ReturnType<typeof startDevnet>>
  /** Ends in a slash; `127.0.0.1` and `localhost` are two origins of the same server. */
  site: string
  otherSite: string
  wallet: Wallet
  /** Ends the browser, and starts it again with the profile that it was started with: only `profileDir` outlives that. */
  restartBrowser(): Promise<void>
  /** Opens the plain page of the site and connects it. */
  openConnected(site?: string): Promise<Dapp>
  stop(): Promise<void>
}

/** A devnet, a server of pages, and a browser whose wallet is set up on regtest. */
export async function startWorld(
  browser: BrowserName,
  options: {
    pages?: { [path: string]: string }
    csp?: string
    setUp?: boolean
    profileDir?: string
  } = {},
): Promise<World> {
  const devnet = await startDevnet()
  const server = await startDappServer({
    pages: { '/plain.html': PLAIN_PAGE, ...options.pages },
    devnet,
    ...(options.csp === undefined ? {} : { csp: options.csp }),
  })
  const stopServers = async () => {
    await server.stop()
    await devnet.stop()
  }
  const { profileDir } = options
  const start = () => launch({ browser, ...(profileDir === undefined ? {} : { profileDir }) })
  const wallet = await start().catch(async error => {
    await stopServers()
    throw error
  })
  const site = server.url
  const otherSite = site.replace('127.0.0.1', 'localhost')
  if (options.setUp !== false) {
    const { esploraUrl } = devnet
    await wallet.setUpOnRegtest({ words: WORDS, password: PASSWORD, esploraUrl })
  }
  const world: World = {
    devnet,
    site,
    otherSite,
    wallet,
    async restartBrowser() {
      await world.wallet.close()
      world.wallet = await start()
    },
    openConnected: (at = site) => connectPage(world.wallet, at),
    async stop() {
      await world.wallet.close()
      await stopServers()
    },
  }
  return world
}

/** Opens the plain page of a site in a wallet's browser and connects it. */
export async function connectPage(wallet: Wallet, site: string): Promise<Dapp> {
  const dapp = await wallet.openDapp(`${site}plain.html`)
  if ((await resultOf<string[]>(dapp.request('getAccounts'))).length > 0) return dapp
  const answer = dapp.request('connect')
  await (await wallet.nextApproval()).approve()
  await resultOf(answer)
  await wallet.waitForNoApproval()
  return dapp
}

/** Stops the background with no stored request: what an earlier one left would be mistaken for the next one's steps. */
export async function forgetRequests(wallet: Wallet): Promise<void> {
  await wallet.evaluateInBackground(() =>
    Object(globalThis).chrome.storage.session.remove('requests'),
  )
  await wallet.killBackground()
}

/** What a call resolved to; throws when it did not. */
export async function resultOf<T = unknown>(outcome: ReturnType<Dapp['request']>): Promise<T> {
  const settled = await outcome
  if ('result' in settled) return settled.result as T
  throw new Error(`The call failed: ${JSON.stringify(settled)}`)
}
