// requests: From a page's call to a person's answer: origin, rate, parameters, grant (`authorisation.ts`),
// approval (`approvals.ts`), result. It promises that a request is asked about at most once, and answered once,
// however often the worker dies; it never signs, and never takes an origin from a page's message.

import type { Network } from '../../bitcoin/network.ts'
import type { Request, Response } from '../../provider/envelope.ts'
import {
  invalidParams,
  notReady,
  rateLimited,
  tooManyPending,
  unauthorized,
  unknownMethod,
  userRejected,
  wrongNetwork,
} from '../../provider/errors.ts'
import type { MethodName } from '../../provider/method-names.ts'
import { isMethodName, parsers } from '../../provider/methods.ts'
import { parseNetwork } from '../../provider/params.ts'
import { canSign } from '../accounts/accounts.ts'
import { watchedOnly } from '../keys/account-errors.ts'
import type { Clock } from '../primitives/clock.ts'
import type { Approvals } from './approvals.ts'
import { type AuthorisationParts, authorise } from './authorisation.ts'
import type { Method, MethodTable } from './method.ts'
import { connectedAccount, type PageParts, type PagePort, type Pages } from './pages.ts'
import { createRateLimit } from './rate-limit.ts'
import type { Requests, StoredRequest } from './requests.ts'
import { toWireError } from './wire-error.ts'

/** `purpose` is the operation that it is a step of, for one that the wallet makes itself. */
export type ServedRequest = Request & { purpose?: MethodName }

type Outcome = NonNullable<StoredRequest['outcome']>

/** Requests that need a person: so many at once from one origin, and from all together. */
const MAX_PENDING_PER_ORIGIN = 5
const MAX_PENDING = 20

/** Requests that are answered without a person after many lookups: so many at once from one origin. */
const MAX_AT_WORK_PER_ORIGIN = 20

/** Characters of JSON: PSBTs of 4 MB in hex, with options for each input. */
const MAX_STORED_LENGTH = 4_800_000

/** Content scripts re-send what is in flight at once; a request that nobody re-sends by then has lost its page. */
const REATTACH_MS = 5_000

/** The parts of the wallet that a request passes on its way. */
export type RouterParts = AuthorisationParts &
  PageParts &
  Clock & {
    requests: Requests
    approvals: Approvals
  }

/** Requests in the words of another wallet, worked out with operations that the page could have called itself. */
export type Translator = {
  handles(request: Request): boolean
  /** Resolves the other wallet's own result; throws what the page gets instead. */
  translate(
    port: PagePort,
    request: Request,
    deps: {
      serve(port: PagePort, request: ServedRequest): Promise<Outcome>
      /** Whether the site may ask the person. */
      mayAsk(): Promise<boolean>
      isOpen(port: PagePort): boolean
      /** Throws -32002 while enough of this origin is at work. */
      withinLimit<T>(work: () => Promise<T>): Promise<T>
    },
  ): Promise<unknown>
}

/** From a page's message to its answer: origin, method, parameters, leave, person, result. */
export function createRouter<Parts extends RouterParts>(deps: {
  wallet: Parts
  methods: MethodTable<Parts>
  translator: Translator
  pages: Pages
  log(message: string, error: unknown): void
}) {
  const { wallet, methods, translator, pages, log } = deps
  const take = createRateLimit({ burst: 2000, perSecond: 100, now: wallet.now })
  const running = new Map<string, Promise<Outcome>>()
  /** Origins of the requests that are stored, by key. */
  const asking = new Map<string, string>()
  const attached = new Map<string, PagePort>()
  const atWork = new Map<string, number>()
  /** Requests that were answered with a secret and are stored as approved until a page has it. */
  const confided = new Set<string>()

  return { connect, receive, disconnect, settleOrphans }

  function connect(port: PagePort): void {
    pages.add(port)
    pages.tell(port).catch(error => log('Could not tell a page its state', error))
  }

  /** Serves one message of a page; never throws. */
  async function receive(port: PagePort, message: unknown): Promise<void> {
    const request = readRequest(message)
    if (!request) return
    const outcome = await serve(port, request)
    // A page hears of a new state before the answer that goes with it.
    await pages.tell(port).catch(error => log('Could not tell a page its state', error))
    const response: Response = { id: request.id, ...outcome }
    if (!pages.has(port)) return
    port.post(response)
    await forgetConfided(keyOf(port, request))
  }

  /** Of a request, and of those that it was translated into. */
  async function forgetConfided(asked: string): Promise<void> {
    for (const key of confided) {
      if (key !== asked && !key.startsWith(`${asked}/`)) continue
      confided.delete(key)
      await wallet.requests.forget(key)
    }
  }

  /** The page is gone (or frozen): what only waits for an answer to it has ended. */
  async function disconnect(port: PagePort): Promise<void> {
    pages.remove(port)
    const keys = [...attached].filter(([, owner]) => owner === port).map(([key]) => key)
    for (const key of keys) attached.delete(key)
    await wallet.approvals.settle(
      ({ key }) => keys.includes(key) || keys.includes(outerKeyOf(key)),
      userRejected(),
    )
  }

  /** Whether a page waits for this request, or for one that was translated into it and has yet to come to it again. */
  function isAttached(key: string): boolean {
    return attached.has(key) || attached.has(outerKeyOf(key))
  }

  /**
   * To be called when the worker starts. Requests that no page has come back for are ended; those whose transaction is
   * signed already are completed.
   */
  async function settleOrphans(): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, REATTACH_MS))
    for (const { key, outcome } of await wallet.requests.load()) {
      if (!outcome && !isAttached(key) && !running.has(key)) await askPerson(key)
    }
    // No page waits for these any more, so the approval window does not show them either.
    await wallet.approvals.settle(({ key }) => !isAttached(key), userRejected())
    await wallet.requests.purge()
  }

  async function serve(port: PagePort, request: ServedRequest): Promise<Outcome> {
    try {
      if (!take(port.origin)) throw rateLimited()
      const { method: name } = request
      if (translator.handles(request)) return { result: await translateFor(port, request) }
      if (!isMethodName(name)) throw unknownMethod(name)
      return await serveMethod(port, request, name, methods[name] as Method<MethodName, Parts>)
    } catch (error) {
      return fail(error)
    }
  }

  async function translateFor(port: PagePort, request: Request): Promise<unknown> {
    assertStorable(request.params)
    const mayAsk = () => maySiteAsk(port.origin)
    const key = keyOf(port, request)
    attached.set(key, port)
    try {
      return await translator.translate(port, request, {
        serve,
        mayAsk,
        isOpen: pages.has,
        withinLimit: work => withinLimit(port.origin, work),
      })
    } finally {
      if (attached.get(key) === port) attached.delete(key)
    }
  }

  async function serveMethod(
    port: PagePort,
    request: ServedRequest,
    name: MethodName,
    method: Method<MethodName, Parts>,
  ): Promise<Outcome> {
    const { origin } = port
    const key = keyOf(port, request)
    const again = running.get(key)
    if (again) {
      attached.set(key, port)
      return again
    }
    const ask = method.ask
    const outcome = answer()
    if (!ask) return outcome
    running.set(key, outcome)
    attached.set(key, port)
    try {
      return await outcome
    } finally {
      running.delete(key)
      asking.delete(key)
      if (attached.get(key) === port) attached.delete(key)
    }

    async function answer(): Promise<Outcome> {
      try {
        const stored = ask && (await wallet.requests.find(key))
        if (stored?.outcome) return stored.outcome
        if (!stored) {
          // A call for another network is refused for that, whatever else is wrong with it.
          const wanted = parseWantedNetwork(request)
          await assertNetwork(wanted)
          const params = parsers[name](request.params)
          const alone = () => answerAlone(origin, method, params, wanted)
          const result = await (method.asksServers ? withinLimit(origin, alone) : alone())
          if (result !== undefined) return { result }
          takeRoom(key, origin)
          const record = describeRequest(port, request, key, name, wallet.now())
          await wallet.requests.add({ ...record, network: wanted })
        }
        asking.set(key, origin)
        return await askPerson(key)
      } catch (error) {
        return fail(error)
      }
    }
  }

  /** Connected, or known to some account while the wallet is locked, which then is to be unlocked first. */
  async function maySiteAsk(origin: string): Promise<boolean> {
    if (await connectedAccount(wallet, origin)) return true
    return (await wallet.vault.status()) === 'locked' && (await wallet.sites.isKnown(origin))
  }

  /** Throws 4200 where a network is wanted that is not in use. */
  async function assertNetwork(wanted: Network | null): Promise<void> {
    const inUse = await wallet.accounts.network()
    if (wanted && wanted !== inUse) throw wrongNetwork(inUse, wanted)
  }

  /** Answers without a person where the method can; throws 4100 for a page that may not ask. */
  async function answerAlone(
    origin: string,
    method: Method<MethodName, Parts>,
    params: Parameters<Method<MethodName, Parts>['answer']>[1],
    wanted: Network | null,
  ): Promise<unknown> {
    const account = await connectedAccount(wallet, origin)
    if (method.access === 'connected' && !account) {
      // A site that some account knows may ask for the wallet to be unlocked; others are told at once.
      const locked = (await wallet.vault.status()) === 'locked'
      if (!(await wallet.sites.isKnown(origin))) throw unauthorized()
      if (method.ask && locked) return undefined
      const selected = await wallet.accounts.selected(await wallet.accounts.network())
      throw selected && !canSign(selected) ? watchedOnly() : unauthorized()
    }
    const status = await wallet.vault.status()
    if (method.ask && status === 'none')
      throw notReady('The wallet is not set up yet. Open Satchel first.')
    if (method.ask && status === 'damaged')
      throw notReady('The stored wallet is damaged. Open Satchel first.')
    // The person may have chosen another since the request came.
    await assertNetwork(wanted)
    const network = await wallet.accounts.network()
    return method.answer({ wallet, origin, network, account }, params)
  }

  /** Works on a stored request: what counts is what was stored, not what is sent again under its id. */
  async function askPerson(key: string): Promise<Outcome> {
    let outcome: Outcome
    try {
      outcome = { result: await workOn(key) }
      if (await isSecret(key)) {
        confided.add(key)
        return outcome
      }
    } catch (error) {
      outcome = fail(error)
    }
    const record = await wallet.requests.update(key, { outcome })
    return record.outcome ?? outcome
  }

  async function isSecret(key: string): Promise<boolean> {
    const record = await wallet.requests.find(key)
    return record !== undefined && methods[record.method].isSecret === true
  }

  async function workOn(key: string): Promise<unknown> {
    const record = await wallet.requests.find(key)
    if (!record) throw new Error(`No stored request ${key}`)
    const method = methods[record.method] as Method<MethodName, Parts>
    const finished = await method.finish?.(wallet, record.journal)
    if (finished) return finished
    // The page left before it was clear that a person is needed.
    if (!attached.has(key)) throw userRejected()
    if (!method.ask) throw unauthorized()
    return method.ask(await authorise(wallet, methods, key), parsers[record.method](record.params))
  }

  /** Check and entry are one step: many requests may arrive at once. */
  function takeRoom(key: string, origin: string): void {
    const ofOrigin = [...asking.values()].filter(other => other === origin)
    if (asking.size >= MAX_PENDING || ofOrigin.length >= MAX_PENDING_PER_ORIGIN) {
      throw tooManyPending()
    }
    asking.set(key, origin)
  }

  /** Throws -32002 while enough of this origin is at work. */
  async function withinLimit<T>(origin: string, work: () => Promise<T>): Promise<T> {
    const count = atWork.get(origin) ?? 0
    if (count >= MAX_AT_WORK_PER_ORIGIN) throw tooManyPending()
    atWork.set(origin, count + 1)
    try {
      return await work()
    } finally {
      const left = (atWork.get(origin) ?? 1) - 1
      if (left === 0) atWork.delete(origin)
      else atWork.set(origin, left)
    }
  }

  function fail(error: unknown): Outcome {
    const wire = toWireError(error)
    if (wire.code === -32603) log('A request failed', error)
    return { error: wire }
  }
}

function keyOf({ origin, tabId, frameId }: PagePort, { id }: Request): string {
  return [origin, tabId, frameId, id].join(' ')
}

/** The key of the request that was translated into this one; the same where none was. */
function outerKeyOf(key: string): string {
  return key.replace(/\/\d+$/, '')
}

/** Parameters in excess are not stored: methods without any have none, whatever a page hands them. */
function describeRequest(
  { origin, tabId, frameId }: PagePort,
  { id, params, purpose }: ServedRequest,
  key: string,
  method: MethodName,
  createdAt: number,
): StoredRequest {
  const stored = method === 'connect' || method === 'requestAccounts' ? [] : params
  assertStorable(stored)
  return {
    key,
    origin,
    tabId,
    frameId,
    id,
    method,
    purpose: purpose ?? method,
    params: stored,
    createdAt,
    accountId: null,
    network: null,
    review: null,
    digest: null,
    approvedDigest: null,
    input: null,
    journal: {},
    outcome: null,
  }
}

function assertStorable(params: readonly unknown[]): void {
  if (JSON.stringify(params).length > MAX_STORED_LENGTH) {
    throw invalidParams('params', params, `at most ${MAX_STORED_LENGTH} characters of JSON`)
  }
}

/**
 * A request with an id, or null for anything else; the content script is not trusted. Ids with a slash are the router's own.
 */
function readRequest(message: unknown): Request | null {
  if (typeof message !== 'object' || message === null) return null
  if (!('id' in message) || !('method' in message) || !('params' in message)) return null
  const { id, method, params } = message
  const network = 'network' in message ? { network: message.network as string } : {}
  if (typeof id !== 'string' || id.length === 0 || id.length > 64 || id.includes('/')) return null
  if (typeof method !== 'string' || !Array.isArray(params)) return null
  return { id, method: method.slice(0, 64), params, ...network }
}

function parseWantedNetwork({ network }: Request): Network | null {
  return network === undefined ? null : parseNetwork('network', network)
}
