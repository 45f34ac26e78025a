import { sha256 } from '@noble/hashes/sha2.js'
import { Transaction } from 'bitcoinjs-lib'
import { parseAddress } from '../../bitcoin/address.ts'
import { fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { createJoinedAssets } from '../../chain/open/joined-assets.ts'
import type { BackgroundMessage, PageState, Response } from '../../provider/envelope.ts'
import { createMemoryArea, type MemoryArea } from '../../storage/testing/memory-area.ts'
import { createWallet } from '../create-wallet.ts'
import { createMemoryNames, type MemoryNames } from '../names/testing/memory-names.ts'
import {
  createMemoryNotifications,
  type MemoryNotifications,
} from '../notifications/testing/memory-notifications.ts'
import type { PagePort } from '../requests/pages.ts'
import { createUiRouter } from '../ui-router.ts'
import type { UiMethodName, UiMethods } from '../views/ui-methods.ts'
import { createMemoryAssets, type MemoryAssets } from './memory-assets.ts'
import { createMemoryAtomicals, type MemoryAtomicals } from './memory-atomicals.ts'
import { createMemoryBrc20, type MemoryBrc20 } from './memory-brc20.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'
import { createMemoryPanels, type MemoryPanels } from './memory-panels.ts'
import { createMemoryScripting, type MemoryScripting } from './memory-scripting.ts'

/** The phrase of BIP-39's and BIP-86's vectors. */
export const ABANDON_MNEMONIC = `${'abandon '.repeat(11)}about`
export const PASSWORD = 'correct horse battery'

/** The worlds outside the worker: they stay when a worker dies and another starts. */
export type World = {
  local: MemoryArea
  session: MemoryArea
  sync: MemoryArea
  chain: MemoryChain
  assets: MemoryAssets
  brc20: MemoryBrc20
  atomicals: MemoryAtomicals
  names: MemoryNames
  scripting: MemoryScripting
  notifications: MemoryNotifications
  clock: { now: number }
  /** Of the extension: it goes up with an update. */
  version: string
  window: { open: boolean; shown: number }
  panels: MemoryPanels
}

export function createWorld(): World {
  const clock = { now: 1_700_000_000_000 }
  const chain = createMemoryChain('regtest', { fastest: 10, halfHour: 5, hour: 2, minimum: 1 })
  return {
    local: createMemoryArea(),
    session: createMemoryArea(),
    sync: createMemoryArea(),
    version: '0.1.0',
    chain,
    assets: createMemoryAssets(chain),
    brc20: createMemoryBrc20(chain),
    atomicals: createMemoryAtomicals(chain),
    scripting: createMemoryScripting(),
    notifications: createMemoryNotifications(),
    names: createMemoryNames(clock),
    clock,
    window: { open: false, shown: 0 },
    panels: createMemoryPanels(),
  }
}

/**
 * The wallet of background.ts on a world in memory. Call again on the same world for a new worker. However slow the machine
 * is, no test sees that a question is being worked out, unless it says after how long it wants to.
 */
export function startWorker(world: World, { preparingAfterMs = 600_000 } = {}) {
  const random = (n: number) => crypto.getRandomValues(new Uint8Array(n))
  const logged: unknown[] = []
  const log = (message: string, error: unknown) => void logged.push([message, error])
  const wallet = createWallet({
    local: world.local,
    session: world.session,
    sync: world.sync,
    now: () => world.clock.now,
    random,
    log,
    // Not Argon2id: what a password costs is the vault's own test.
    deriveKey: async (password, salt) => sha256(new Uint8Array([...salt, ...toUtf8(password)])),
    sources: {
      chain: async () => world.chain.chain,
      async assets() {
        const { source } = world.assets
        const atomicals = await world.atomicals.open()
        return atomicals ? createJoinedAssets(source, atomicals) : source
      },
      brc20: world.brc20.open,
      atomicals: world.atomicals.open,
      names: world.names.open,
    },
    approvalWindow: {
      async show() {
        world.window.open = true
        world.window.shown += 1
      },
      async close(isIdle) {
        const isOver = await isIdle()
        if (isOver) world.window.open = false
        return isOver
      },
      async wasClosedUnseen() {
        return false
      },
    },
    panels: world.panels.panels,
    version: world.version,
    preparingAfterMs,
    scripting: world.scripting.scripting,
    permissions: world.scripting.permissions,
    pageScripts: { inpage: ['inpage.js'], content: ['content.js'] },
    alarms: world.notifications.alarms,
    notices: {
      ...world.notifications.notices,
      release: async () => world.scripting.allowed.delete('notifications'),
    },
    openPage: world.notifications.openPage,
    onWaiting() {},
    async onChange() {},
    async onPagesTold() {},
  })
  world.scripting.onChanged = async () => {
    await Promise.all([
      wallet.okxAlias.follow(),
      wallet.httpSites.follow(),
      wallet.notify('follow'),
    ])
  }
  void world.scripting.onChanged()
  const { router, pages } = wallet
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
      return this.deliver({ id, method, params })
    },
    deliver(request: { id: string; [member: string]: unknown }): Promise<Response> {
      return new Promise(resolve => {
        waiting.set(request.id, resolve)
        void worker.router.receive(port, JSON.parse(JSON.stringify(request)))
      })
    },
    /** As a sibling of `okxwallet.bitcoin` calls: for one network alone. */
    callOn(network: unknown, method: string, ...params: unknown[]): Promise<Response> {
      return this.deliver({ id: `${method}-${count++}`, method, params, network })
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
