import { createAddresses } from '../../src/background/accounts/addresses.ts'
import { createActivity } from '../../src/background/activity/activity.ts'
import { createCoinAssetStore } from '../../src/background/coins/coin-assets.ts'
import { createCoinChoices } from '../../src/background/coins/coin-choices.ts'
import { listRunes } from '../../src/background/collectibles/runes.ts'
import { parseAddress } from '../../src/bitcoin/address.ts'
import { createServerAccess } from '../../src/chain/access/server-access.ts'
import { openAssets } from '../../src/chain/open/open-assets.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createMemoryArea } from '../../src/storage/testing/memory-area.ts'
import { launch, type Screen } from '../driver/driver.ts'
import { etch } from '../fixtures/ordinals/devnet-ord.ts'
import { PASSWORD, resultOf, startWorld, WORDS } from '../fixtures/world.ts'
import { startCrowdedServer } from './crowded-server.ts'
import { type Figure, sampleFigure } from './figure.ts'

const COINS = 2_000
const RUNES_EACH = 5
const RUNS = 9
const PLANS = 12
const NAME = 'BENCH•TEST•RUNES'
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const OWNER = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6'

/** A wallet with very many runes, and the way from the form to the question of a transfer. */
export async function measureRunes(): Promise<Figure[]> {
  return [...(await measureListing()), ...(await measurePage()), await measureQuestion()]
}

const CROWD = `${(COINS * RUNES_EACH).toLocaleString('en')} runes on ${COINS.toLocaleString('en')} coins`

/** In this process, with chain and index on this machine: coins fetched, what sits on each told and reconciled, and summed up by rune. */
async function measureListing(): Promise<Figure[]> {
  const server = await startCrowdedServer({ coins: COINS, transactions: 0, runesEach: RUNES_EACH })
  try {
    const list = async (parts: ReturnType<typeof createParts>) => {
      const start = performance.now()
      const { total } = await listRunes(parts, describeAccount(), 'regtest', {
        offset: 0,
        limit: 200,
      })
      if (total !== COINS * RUNES_EACH) throw new Error(`Only ${total} runes are listed`)
      return performance.now() - start
    }
    await list(createParts(server))
    const first: number[] = []
    const again: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const parts = createParts(server)
      first.push(await list(parts))
      again.push(await list(parts))
    }
    const note = 'the servers’ own time is in it'
    return [
      sampleFigure({ name: `${CROWD}, listed and classified`, unit: 'ms', aim: 300, note }, first),
      sampleFigure({ name: 'the same once more', unit: 'ms', note }, again),
    ]
  } finally {
    await server.stop()
  }
}

/** Nothing is kept from those before. */
function createParts(server: { esploraUrl: string; ordUrl: string }) {
  const [local, session] = [createMemoryArea(), createMemoryArea()]
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const access = createServerAccess({ now: Date.now, random })
  const checks = { has: async () => true, add: async () => {} }
  const deps = { access, checks, now: Date.now }
  const urls = { chain: server.esploraUrl, secondChain: '', fees: '', price: '' }
  const chain = openChain('regtest', urls, deps)
  const assets = openAssets('regtest', { assets: server.ordUrl, secondAssets: '' }, deps)
  const expert = {
    ...{ spendUnconfirmed: false, spendUnchecked: false, holdSmallCoins: false },
    ...{ burnAssets: false, anySighash: false },
  }
  return {
    chain: async () => chain,
    assets: async () => assets,
    atomicals: async () => null,
    now: Date.now,
    addresses: createAddresses({ local, session, now: Date.now }),
    activity: createActivity({ local, now: Date.now }),
    coinAssets: createCoinAssetStore({ local, session, now: Date.now }),
    coinChoices: createCoinChoices({ local, now: Date.now }),
    settings: { load: async () => ({ expert }) as never },
    listReserved: async () => new Set<string>(),
  }
}

/** An account of one address, as the parts of the wallet know it. */
export function describeAccount() {
  const { scriptPubKey } = parseAddress(OWNER, 'regtest')
  return {
    ...{ id: '1', name: 'Account 1', source: 'watch' as const, addressType: 'p2tr' as const },
    ...{
      address: OWNER,
      publicKey: null,
      descriptor: null,
      ordinals: null,
      derivationPath: null,
      hidden: false,
    },
    scriptPubKey,
  }
}

/** The same in the extension: from the page's navigation to the list on the screen. */
async function measurePage(): Promise<Figure[]> {
  const server = await startCrowdedServer({ coins: COINS, transactions: 0, runesEach: RUNES_EACH })
  const wallet = await launch({ browser: 'chromium' })
  try {
    await wallet.importWallet({ words: WORDS, password: PASSWORD })
    await wallet.chooseNetwork('Regtest', server.esploraUrl)
    const times: number[] = []
    for (let run = -1; run < RUNS; run++) {
      const screen = await wallet.popup('src/popup/popup.html#/runes')
      await screen.page.bringToFront()
      const time = await screen.evaluate(waitForRunes)
      if (run >= 0) times.push(time)
      await screen.close()
    }
    return [sampleFigure({ name: 'the same: their page opened to listed', unit: 'ms' }, times)]
  } finally {
    await wallet.close()
    await server.stop()
  }
}

/** Runs in the page: milliseconds from navigation to the first row. */
async function waitForRunes(): Promise<number> {
  while (!document.querySelector('main a[href*="/rune/"]')) {
    await new Promise(resolve => setTimeout(resolve))
    if (performance.now() > 60_000) throw new Error('No rune')
  }
  return performance.now()
}

/** With a real node and devnet's index: from the press on Review to the question, the etching proven on the way. */
async function measureQuestion(): Promise<Figure> {
  const world = await startWorld('chromium')
  try {
    const dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await world.devnet.faucet(address, 1_000_000n)
    await etch(world.devnet, address, { name: NAME, amount: '1000000', divisibility: 2 })
    const times: number[] = []
    for (let run = -1; run < PLANS; run++) {
      const path = `/runes/rune/${encodeURIComponent(NAME)}/send`
      const screen = await world.wallet.popup(`src/popup/popup.html#${path}`)
      const time = await ask(screen)
      if (run >= 0) times.push(time)
      await screen.close()
    }
    const name = 'form to question of a rune transfer'
    return sampleFigure({ name, unit: 'ms', aim: 150, note: 'real node' }, times)
  } finally {
    await world.stop()
  }
}

async function ask(screen: Screen): Promise<number> {
  await screen.fill('textbox', 'Amount', '12.34')
  await screen.fill('textbox', 'To', RECIPIENT)
  await screen.waitForText('sat/vB')
  await screen.page.bringToFront()
  return screen.evaluate(pressUntilAsked)
}

/** Runs in the page. */
async function pressUntilAsked(): Promise<number> {
  const start = performance.now()
  document.querySelector<HTMLElement>('[type="submit"]')?.click()
  while (!document.querySelector('[data-testid="approve"]')) {
    await new Promise(resolve => setTimeout(resolve))
    if (performance.now() - start > 30_000) throw new Error(document.body.innerText)
  }
  return performance.now() - start
}
