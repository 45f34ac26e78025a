// requests: From a page's call to a person's answer: origin, size and rate (`admission.ts`), access, lock, room
// (`room.ts`), only then parameters; grant (`authorisation.ts`), approval (`approvals.ts`), result. It promises that a
// request is asked about at most once, and answered once, however often the worker dies; it never signs, and never
// takes an origin from a page's message.

import type { Network } from '../../bitcoin/network.ts'
import type { Request, Response } from '../../provider/envelope.ts'
import {
  notReady,
  unauthorized,
  unknownMethod,
  userRejected,
  wrongNetwork,
} from '../../provider/errors.ts'
import { isMethodName, type MethodName } from '../../provider/method-names.ts'
import { canSign } from '../accounts/accounts.ts'
import { notForSites } from '../keys/account-errors.ts'
import type { SigningAccountView } from '../views/account-views.ts'
import { type AdmissionParts, createAdmission } from './admission.ts'
import type { Approvals } from './approvals.ts'
import type { AuthorisationParts } from './authorisation.ts'
import { askAlways, askBy, type FindMethod, type FoundMethod, type Method } from './method.ts'
import {
  describeRequest,
  parseWantedNetwork,
  readRequest,
  type ServedRequest,
} from './page-message.ts'
import {
  type Connected,
  connectedAccount,
  type PageParts,
  type PagePort,
  type Pages,
} from './pages.ts'
import { outerKeyOf, type Requests, type StoredRequest } from './requests.ts'
import { createRoom } from './room.ts'
import type { Sites } from './sites.ts'
import { toWireError, txidOfUnanswered } from './wire-error.ts'

type Outcome = NonNullable<StoredRequest['outcome']>

/** Content scripts re-send what is in flight at once; a request that nobody re-sends by then has lost its page. */
const REATTACH_MS = 5_000

/** What a request passes on its way. */
export type RouterParts = AuthorisationParts &
  AdmissionParts &
  PageParts & {
    sites: Pick<Sites, 'noteUse'>
    requests: Requests
    approvals: Approvals
  }

/** Requests in the words of another wallet, worked out with operations that the page could have called itself. */
export type Translator = {
  handles(request: Request): boolean
  /** Whether it does nothing for a page that is not connected, not even ask to connect. */
  needsGrant(request: Request): boolean
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
      /** Throws 4100 where the page is not connected, and 4200 where a network is named that is not in use. */
      readConnected(port: PagePort, network: string | undefined): Promise<Connected>
    },
  ): Promise<unknown>
}

/** From a page's message to its answer: origin, method, parameters, leave, person, result. */
export function createRouter<Parts extends RouterParts>(deps: {
  wallet: Parts
  find: FindMethod<Parts>
  translator: Translator
  pages: Pages
  log(message: string, error: unknown): void
}) {
  const { wallet, find, translator, pages, log } = deps
  const admit = createAdmission(wallet)
  const room = createRoom()
  const running = new Map<string, Promise<Outcome>>()
  const attached = new Map<string, PagePort>()
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
    const outcome = await serveAdmitted(port, request)
    // A page hears of a new state before the answer that goes with it.
    await pages.tell(port).catch(error => log('Could not tell a page its state', error))
    const response: Response = { id: request.id, ...outcome }
    if (!pages.has(port)) return
    await port.post(response)
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
    // What another page has sent again meanwhile goes on for that one.
    await wallet.approvals.leave(
      ({ key }) => (keys.includes(key) || keys.includes(outerKeyOf(key))) && !isAttached(key),
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
    const isOrphan = ({ key }: StoredRequest) => !isAttached(key) && !running.has(key)
    await wallet.approvals.settle(isOrphan, userRejected())
    for (const left of await wallet.requests.load())
      if (!left.outcome && isOrphan(left)) await askPerson(left.key)
    // No page waits for these any more: the window shows them no more, and what was to close it died with the worker before.
    await wallet.approvals.leave(({ key }) => !isAttached(key))
    await wallet.approvals.close()
    await wallet.requests.purge()
  }

  async function serveAdmitted(port: PagePort, request: Request): Promise<Outcome> {
    const key = keyOf(port, request)
    // At once: the page that it was sent by before may leave in the next moment.
    const before = attached.get(key)
    attached.set(key, port)
    try {
      await admit(port.origin, request, () => wallet.requests.has(key))
      if (!pages.has(port)) throw userRejected()
    } catch (error) {
      if (before && pages.has(before)) attached.set(key, before)
      else attached.delete(key)
      return fail(error)
    }
    const outcome = await serve(port, request)
    if (attached.get(key) === port && !running.has(key)) attached.delete(key)
    return outcome
  }

  async function serve(port: PagePort, request: ServedRequest): Promise<Outcome> {
    try {
      const { method: name } = request
      if (translator.handles(request)) return { result: await translateFor(port, request) }
      if (!isMethodName(name)) throw unknownMethod(name)
      const found = await find(name)
      // While its code was read the page may have left.
      if (!pages.has(port)) throw userRejected()
      return await serveMethod(port, request, name, found)
    } catch (error) {
      return fail(error)
    }
  }

  async function translateFor(port: PagePort, request: Request): Promise<unknown> {
    if (translator.needsGrant(request) && !(await wallet.sites.isKnown(port.origin)))
      throw unauthorized()
    const key = keyOf(port, request)
    attached.set(key, port)
    try {
      return await translator.translate(port, request, {
        serve,
        mayAsk: () => maySiteAsk(port.origin),
        isOpen: pages.has,
        withinLimit: work => room.withinLimit(port.origin, work),
        readConnected,
      })
    } catch (error) {
      // What a worker before this one asked for it, and this one has not come to.
      const isLeft = (step: StoredRequest) => outerKeyOf(step.key) === key && !running.has(step.key)
      if (attached.get(key) === port && (await wallet.requests.has(key)))
        await wallet.approvals.settle(isLeft, userRejected())
      throw error
    } finally {
      if (attached.get(key) === port) attached.delete(key)
    }
  }

  async function serveMethod(
    port: PagePort,
    request: ServedRequest,
    name: MethodName,
    { method, parse }: FoundMethod<MethodName, Parts>,
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
      room.leave(key)
      if (attached.get(key) === port) attached.delete(key)
    }

    async function answer(): Promise<Outcome> {
      try {
        const stored = ask && (await wallet.requests.find(key))
        if (stored?.outcome) return stored.outcome
        if (!stored) {
          // A call for another network is refused for that, whatever else is wrong with it.
          const wanted = parseWantedNetwork(request.network)
          const network = await requireNetwork(wanted)
          const account = await connectedAccount(wallet, origin, network)
          const isAccessible = await assertAccess(origin, method, account)
          if (ask && (!isAccessible || method.answer === askAlways)) room.take(key, origin)
          const alone = async () => {
            const params = parse(request.params)
            return isAccessible
              ? method.answer({ wallet, origin, network, account }, params)
              : undefined
          }
          const result = await (method.asksServers ? room.withinLimit(origin, alone) : alone())
          if (account) wallet.sites.noteUse({ origin, accountId: account.id, network })
          if (result !== undefined) return { result }
          room.take(key, origin)
          const record = describeRequest(port, request, key, name, wallet.now())
          await wallet.requests.add({ ...record, network: wanted })
        }
        room.keep(key, origin)
        return await (method.mayNotAsk ? askPerson(key) : askPrepared(key))
      } catch (error) {
        return fail(error)
      }
    }
  }

  /** Connected, or known to some account while the wallet is locked, which then is to be unlocked first. */
  async function maySiteAsk(origin: string): Promise<boolean> {
    const network = await wallet.accounts.network()
    if (await connectedAccount(wallet, origin, network)) return true
    return (await wallet.vault.status()) === 'locked' && (await wallet.sites.isKnown(origin))
  }

  async function readConnected({ origin }: PagePort, wanted?: string): Promise<Connected> {
    const network = await requireNetwork(parseWantedNetwork(wanted))
    const account = await connectedAccount(wallet, origin, network)
    const { method } = await find('getPublicKey')
    await assertAccess(origin, method, account)
    if (!account) throw unauthorized()
    wallet.sites.noteUse({ origin, accountId: account.id, network })
    return { account, network }
  }

  /** The network in use. Throws 4200 where another is wanted. */
  async function requireNetwork(wanted: Network | null): Promise<Network> {
    const inUse = await wallet.accounts.network()
    if (wanted && wanted !== inUse) throw wrongNetwork(inUse, wanted)
    return inUse
  }

  /** Whether the method may answer now; false where the wallet is to be unlocked first. Throws 4100 for a page that may not ask. */
  async function assertAccess(
    origin: string,
    { access, ask }: Pick<Method<MethodName>, 'access'> & { ask?: unknown },
    account: SigningAccountView | null,
  ): Promise<boolean> {
    const status = await wallet.vault.status()
    if (access === 'connected' && !account) {
      // A site that some account knows may ask for the wallet to be unlocked; others are told at once.
      if (!(await wallet.sites.isKnown(origin))) throw unauthorized()
      if (ask && status === 'locked') return false
      const selected = await wallet.accounts.selected(await wallet.accounts.network())
      throw selected && !canSign(selected) ? notForSites(selected, true) : unauthorized()
    }
    if (ask && status === 'none')
      throw notReady('The wallet is not set up yet. Open Satchel first.')
    if (ask && status === 'damaged')
      throw notReady('The stored wallet is damaged. Open Satchel first.')
    return true
  }

  /** A person who rejects it while it is still being worked out has answered: the page does not wait for that work. */
  async function askPrepared(key: string): Promise<Outcome> {
    const { rejected, end } = wallet.approvals.prepare(key)
    return Promise.race([askPerson(key), rejected]).finally(end)
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
      outcome = await fail(error)
    }
    const request = await wallet.requests.find(key)
    // It was ended, which has been noted; a wallet that was erased has forgotten it.
    if (!request || request.outcome) return request?.outcome ?? outcome
    await noteOutcome(request, outcome)
    const record = await wallet.requests.update(key, { outcome })
    return record.outcome ?? outcome
  }

  async function noteOutcome(request: StoredRequest, outcome: Outcome): Promise<void> {
    const result = 'result' in outcome ? outcome.result : txidOfUnanswered(outcome.error)
    const unanswered = request.approvedDigest === null ? 'ended' : 'failed'
    const answer = result === undefined ? unanswered : 'approved'
    await wallet.approvals.note([{ request, answer, ...outcome, result }])
  }

  async function isSecret(key: string): Promise<boolean> {
    const record = await wallet.requests.find(key)
    return record !== undefined && (await find(record.method)).method.isSecret === true
  }

  async function workOn(key: string): Promise<unknown> {
    const record = await wallet.requests.require(key)
    const { method, parse } = await find(record.method)
    const finished = await method.finish?.(wallet, record.journal)
    if (finished) return finished
    const { authorise } = await import('./authorisation.ts')
    // The page left before it was clear that a person is needed.
    if (!attached.has(key)) throw userRejected()
    const context = await authorise(wallet, find, key, () => isAttached(key))
    return askBy(method, context, parse(record.params))
  }

  async function fail(error: unknown): Promise<Outcome> {
    const wire = await toWireError(error)
    if (wire.code === -32603) log('A request failed', error)
    return { error: wire }
  }
}

function keyOf({ origin, tabId, frameId }: PagePort, { id }: Request): string {
  return [origin, tabId, frameId, id].join(' ')
}
