import { sha256 } from '@noble/hashes/sha2.js'
import { Transaction } from 'bitcoinjs-lib'
import { parseAddress } from '../../bitcoin/address.ts'
import { fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { createJoinedAssets } from '../../chain/open/joined-assets.ts'
import type { BackgroundMessage, PageState, Response } from '../../provider/envelope.ts'
import { createMemoryArea, type MemoryArea } from '../../storage/testing/memory-area.ts'
import { createAccounts } from '../accounts/accounts.ts'
import { createContacts } from '../accounts/contacts.ts'
import { createActivity } from '../activity/activity.ts'
import { createBrc20Tickers } from '../brc20/brc20-tickers.ts'
import { createCoinAssetStore } from '../coins/coin-assets.ts'
import { createCoinChoices } from '../coins/coin-choices.ts'
import { createInscriptionListings } from '../collectibles/inscription-listings.ts'
import { createInscriptionProofs } from '../collectibles/inscription-proofs.ts'
import { createInscribePlans } from '../inscribing/inscribe-plans.ts'
import { createJobs } from '../inscribing/jobs.ts'
import { createSigner } from '../keys/signer.ts'
import { createVault } from '../keys/vault.ts'
import { createPlans } from '../payments/plans.ts'
import { createMutex } from '../primitives/mutex.ts'
import { createOpenSignatures } from '../psbts/open-signatures.ts'
import { createApprovals } from '../requests/approvals.ts'
import { dropStale } from '../requests/authorisation.ts'
import { createOkxAlias } from '../requests/okx-alias.ts'
import { createPages, type PagePort } from '../requests/pages.ts'
import { createRequests } from '../requests/requests.ts'
import { createRouter } from '../requests/router.ts'
import { createSites } from '../requests/sites.ts'
import { createShownTransactions } from '../sending/shown-transactions.ts'
import { createPrices } from '../settings/prices.ts'
import { createServers } from '../settings/servers.ts'
import { createSettings } from '../settings/settings.ts'
import { createUiRouter } from '../ui-router.ts'
import type { UiMethodName, UiMethods } from '../views/ui-methods.ts'
import type { Wallet } from '../wallet.ts'
import { createMemoryAssets, type MemoryAssets } from './memory-assets.ts'
import { createMemoryAtomicals, type MemoryAtomicals } from './memory-atomicals.ts'
import { createMemoryBrc20, type MemoryBrc20 } from './memory-brc20.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'

/** The phrase of BIP-39's and BIP-86's vectors. */
export const ABANDON_MNEMONIC = `${'abandon '.repeat(11)}about`
export const PASSWORD = 'correct horse battery'

/** The worlds outside the worker: they stay when a worker dies and another starts. */
export type World = {
  local: MemoryArea
  session: MemoryArea
  chain: MemoryChain
  assets: MemoryAssets
  brc20: MemoryBrc20
  atomicals: MemoryAtomicals
  clock: { now: number }
  window: { open: boolean; shown: number }
}

export function createWorld(): World {
  const chain = createMemoryChain('regtest', { fastest: 10, halfHour: 5, hour: 2, minimum: 1 })
  return {
    local: createMemoryArea(),
    session: createMemoryArea(),
    chain,
    assets: createMemoryAssets(chain),
    brc20: createMemoryBrc20(chain),
    atomicals: createMemoryAtomicals(chain),
    clock: { now: 1_700_000_000_000 },
    window: { open: false, shown: 0 },
  }
}

/** The background as background.ts wires it, on a world in memory. Call again on the same world for a new worker. */
export function startWorker(world: World) {
  const { local, session, clock } = world
  const now = () => clock.now
  const random = (n: number) => crypto.getRandomValues(new Uint8Array(n))
  // Not Argon2id: what a password costs is the vault's own test.
  const deriveKey = async (password: string, salt: Uint8Array) =>
    sha256(new Uint8Array([...salt, ...toUtf8(password)]))
  const vault = createVault({ local, session, now, random, deriveKey })
  const signer = createSigner({ vault })
  const requests = createRequests({ session, now })
  const logged: unknown[] = []
  const approvals = createApprovals({
    requests,
    now,
    onChange: () => {},
    window: {
      async show() {
        world.window.open = true
        world.window.shown += 1
      },
      async close() {
        world.window.open = false
      },
      async wasClosedUnseen() {
        return false
      },
    },
  })
  const accounts = createAccounts({ vault, session, local })
  const wallet: Wallet = {
    vault,
    signer,
    requests,
    approvals,
    accounts,
    sites: createSites({ local, now }),
    settings: createSettings({ local }),
    okxAlias: createOkxAlias({ local, network: () => accounts.network() }),
    activity: createActivity({ local, now }),
    contacts: createContacts({ local, random }),
    coinChoices: createCoinChoices({ local, now }),
    coinAssets: createCoinAssetStore({ local, session, now }),
    inscriptionProofs: createInscriptionProofs({ local }),
    inscriptionListings: createInscriptionListings({ now }),
    plans: createPlans({ session }),
    inscribePlans: createInscribePlans({ session }),
    jobs: createJobs({ local, onChange() {} }),
    brc20Tickers: createBrc20Tickers({ local }),
    shownTransactions: createShownTransactions({ session }),
    openSignatures: createOpenSignatures({ local }),
    servers: createServers({ local, session, now, random }),
    prices: createPrices({ session, now }),
    chain: async () => world.chain.chain,
    async assets() {
      const { source } = world.assets
      const atomicals = await world.atomicals.open()
      return atomicals ? createJoinedAssets(source, atomicals) : source
    },
    brc20: world.brc20.open,
    atomicals: world.atomicals.open,
    now,
    planInTurn: createMutex(),
    announce() {
      void wallet.okxAlias
        .follow()
        .then(() => dropStale(wallet))
        .then(() => pages.tellAll())
    },
  }
  const pages = createPages(wallet)
  vault.onLock(() => requests.forgetAccounts())
  void wallet.okxAlias.follow()
  const log = (message: string, error: unknown) => void logged.push([message, error])
  const router = createRouter({ wallet, pages, log })
  const answerUi = createUiRouter({ wallet, random }, log)
  return { wallet, router, pages, logged, ui }

  async function ui<M extends UiMethodName>(
    method: M,
    params: Parameters<UiMethods[M]>[0],
  ): Promise<ReturnType<UiMethods[M]>> {
    const answer = await answerUi({ ui: method, params })
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.result as ReturnType<UiMethods[M]>
  }
}

export type Worker = ReturnType<typeof startWorker>

/** A worker with an unlocked wallet of known words on regtest. */
export async function startUnlocked(world = createWorld()): Promise<Worker> {
  const worker = startWorker(world)
  const { ui } = worker
  const origin = { kind: 'mnemonic', mnemonic: ABANDON_MNEMONIC, passphrase: '' } as const
  await ui('createVault', { origin, password: PASSWORD })
  await ui('selectNetwork', { network: 'regtest' })
  return worker
}

/** A page in a tab: sends requests as its content script would, and keeps all that comes back. */
export function openPage(worker: Worker, origin: string, tabId = 1) {
  const received: BackgroundMessage[] = []
  const waiting = new Map<string, (response: Response) => void>()
  let count = 0
  const port: PagePort = {
    origin,
    tabId,
    frameId: 0,
    post(message) {
      received.push(JSON.parse(JSON.stringify(message)))
      if ('id' in message) waiting.get(message.id)?.(message)
    },
  }
  worker.router.connect(port)
  return {
    port,
    received,
    states: (): PageState[] =>
      received.flatMap(message => ('state' in message ? [message.state] : [])),
    /** Resolves `{ result }` or `{ error }`. */
    call(method: string, ...params: unknown[]): Promise<Response> {
      return this.send(`${method}-${count++}`, method, ...params)
    },
    send(id: string, method: string, ...params: unknown[]): Promise<Response> {
      return new Promise(resolve => {
        waiting.set(id, resolve)
        void worker.router.receive(port, JSON.parse(JSON.stringify({ id, method, params })))
      })
    },
    leave: () => worker.router.disconnect(port),
  }
}

/** Resolves the approval that is shown once there is one of this kind. */
export async function nextApproval(worker: Worker, kind?: string) {
  for (let turn = 0; turn < 2000; turn++) {
    const approval = await worker.ui('getApproval', null)
    if (approval && (kind === undefined || approval.review.kind === kind)) return approval
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  throw new Error(`No approval ${kind ?? ''} came`)
}

/** Approves (or rejects) the next approval, and resolves what was shown. */
export async function decideNext(worker: Worker, decision: 'approve' | 'reject', kind?: string) {
  const approval = await nextApproval(worker, kind)
  await worker.ui('decide', { key: approval.key, digest: approval.digest, decision })
  return approval
}

/** Decides whatever is asked until the answer to a request is there, and resolves that. */
export async function decideAll<T>(
  worker: Worker,
  decision: 'approve' | 'reject',
  answer: Promise<T>,
): Promise<T> {
  let isThere = false
  const watched = answer.finally(() => {
    isThere = true
  })
  while (!isThere) {
    const approval = await worker.ui('getApproval', null)
    if (approval) {
      const { key, digest } = approval
      await worker.ui('decide', { key, digest, decision })
    }
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  return watched
}

/** Connects a page with the person's approval. */
export async function connectPage(worker: Worker, origin: string, tabId = 1) {
  const page = openPage(worker, origin, tabId)
  const answer = page.call('connect')
  await decideNext(worker, 'approve', 'connect')
  await answer
  return page
}

/** Puts a coin on an address of the world's chain: into its newest block, or into the mempool. */
export function fund(
  world: World,
  address: string,
  sats: bigint,
  { confirmed = true }: { confirmed?: boolean } = {},
): string {
  const transaction = new Transaction()
  transaction.version = 2
  transaction.addInput(crypto.getRandomValues(new Uint8Array(32)), 0)
  transaction.addOutput(parseAddress(address, 'regtest').scriptPubKey, sats)
  transaction.setWitness(0, [fromHex('00')])
  const rawTx = transaction.toBuffer()
  return confirmed ? world.chain.add(rawTx) : world.chain.receive(rawTx)
}
