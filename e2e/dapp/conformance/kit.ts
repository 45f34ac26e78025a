import { type Account, findProvider, type Provider } from '../provider.ts'
import { type Chain, createChain } from './chain.ts'
import { createMaterial, type Material } from './material.ts'
import { type Answer, Failed, NotApplicable, type Outcome } from './outcome.ts'

/** A call as the report has it: `undefined` stands as the text «undefined», long texts are cut. */
export type CallRecord = { operation: string; args: unknown[]; outcome: string; ms: number }

/** Material that can be verified without trusting this page. */
export type Evidence =
  | {
      kind: 'message'
      message: string
      type: string
      address: string
      publicKey: string
      signature: string
    }
  | { kind: 'psbt'; unsigned: string; signed: string }

export type Setting = {
  provider: Provider
  /** Null where there is none. */
  devnetUrl: string | null
  /** Milliseconds until a call counts as hanging: without a person, and with one. */
  timeout: number
  personTimeout: number
  /** Shows what a person has to do until `end` is called; `skipped` resolves when they give up on it. */
  askPerson(answer: Answer, operation: string): { end(): void; skipped: Promise<void> }
  report: {
    call(record: CallRecord): void
    asked(answer: Answer): void
    evidence(fact: Evidence): void
  }
}

/** What checks work with. */
export function createKit(setting: Setting) {
  const { provider, timeout, personTimeout, report } = setting
  const shared = new Map<string, Promise<unknown>>()
  /** Set once the wallet refused to connect, so that it is not asked again before every check. */
  let isRefused = false
  let chain: Chain | null = null
  let material: Material | null = null

  const kit = {
    provider,
    evidence: report.evidence,
    call,
    resolve,
    refuse,
    decline,
    account,
    addresses,
    isConnected: async () => (await addresses()).length > 0,
    leave,
    share,
    waitFor,
    askFor,
    get chain() {
      if (setting.devnetUrl === null) throw new NotApplicable('no devnet')
      chain ??= createChain(setting.devnetUrl)
      return chain
    },
    get material() {
      if (setting.devnetUrl === null) throw new NotApplicable('no devnet')
      material ??= createMaterial(kit, setting.devnetUrl)
      return material
    },
  }
  return kit

  /** Calls an operation as a page does; where a person has to answer, it shows them what. */
  async function call(
    operation: string,
    args: readonly unknown[],
    answer: Answer | null = null,
  ): Promise<Outcome> {
    const started = performance.now()
    const limit = answer === null ? timeout : personTimeout
    const question = answer === null ? null : setting.askPerson(answer, operation)
    if (answer !== null) report.asked(answer)
    const given: Promise<Outcome>[] = [settle(operation, args), beSilent(limit)]
    if (question) given.push(question.skipped.then(() => ({ kind: 'skipped' })))
    const outcome = await Promise.race(given)
    question?.end()
    report.call({
      operation,
      args: args.map(arg => describeArgument(arg)),
      outcome: describeOutcome(outcome),
      ms: Math.round(performance.now() - started),
    })
    return outcome
  }

  async function settle(operation: string, args: readonly unknown[]): Promise<Outcome> {
    const { owner, name } = findOwner(operation)
    const method = owner?.[name]
    if (typeof method !== 'function') return { kind: 'broken', what: 'there is no such operation' }
    let returned: unknown
    try {
      returned = method.apply(owner, args)
    } catch {
      return { kind: 'broken', what: 'it throws instead of rejecting a promise' }
    }
    const isPromise = typeof (returned as { then?: unknown } | null)?.then === 'function'
    if (!isPromise) return { kind: 'broken', what: 'it returns no promise' }
    try {
      return { kind: 'resolved', result: await returned }
    } catch (thrown) {
      return { kind: 'rejected', thrown }
    }
  }

  /** The object that has an operation: the wallet, or for `unisat.…` the global of that name. */
  function findOwner(operation: string): { owner: Provider | null; name: string } {
    const [global = '', name] = operation.split('.')
    if (name === undefined) return { owner: provider, name: operation }
    return { owner: findProvider(global), name }
  }

  /** The result of a call that has to succeed. */
  async function resolve<T = unknown>(
    operation: string,
    args: readonly unknown[],
    answer: Answer | null = null,
  ): Promise<T> {
    const outcome = await call(operation, args, answer)
    if (outcome.kind === 'resolved') return outcome.result as T
    throw new Failed(`${operation}: ${describeOutcome(outcome)}`)
  }

  /** Holds a call that cannot work to its error: it is the wallet's and not a person's, who is asked only where it says so. */
  async function refuse(
    operation: string,
    args: readonly unknown[],
    answer: Answer | null = null,
  ): Promise<string> {
    const outcome = await call(operation, args, answer)
    const { code, message } = readError(outcome)
    if (code === 4001) throw new Failed(`somebody was asked: ${code} ${message}`)
    return `${code}: ${message}`
  }

  /** Holds a call that the person rejects to its error. */
  async function decline(operation: string, args: readonly unknown[]): Promise<string> {
    const outcome = await call(operation, args, 'reject')
    const { code, message } = readError(outcome)
    if (code !== 4001) throw new Failed(`expected code 4001, got ${code}: ${message}`)
    return `4001: ${message}`
  }

  /** The result of getAccounts(), left out of the report. */
  async function addresses(): Promise<readonly unknown[]> {
    const outcome = await Promise.race([settle('getAccounts', []), beSilent(timeout)])
    return outcome.kind === 'resolved' && Array.isArray(outcome.result) ? outcome.result : []
  }

  /** The connected account; connects, with the person, where the page is not. */
  async function account(): Promise<Account> {
    if ((await addresses()).length === 0) {
      if (isRefused) throw new NotApplicable('the page cannot be connected')
      const outcome = await call('connect', [], 'approve')
      isRefused = outcome.kind !== 'resolved'
    }
    const [address] = await addresses()
    if (typeof address !== 'string') throw new NotApplicable('the page cannot be connected')
    return share(`key of ${address}`, async () => {
      const outcome = await Promise.race([settle('getPublicKey', []), beSilent(timeout)])
      const publicKey = outcome.kind === 'resolved' ? String(outcome.result) : ''
      return { address, publicKey }
    })
  }

  /** Disconnects the page. */
  async function leave(): Promise<void> {
    if ((await addresses()).length === 0) return
    if (typeof provider.disconnect !== 'function')
      throw new NotApplicable(
        'the page is connected already: take the permission back in the wallet, and load the page again',
      )
    await Promise.race([settle('disconnect', []), beSilent(timeout)])
    if ((await addresses()).length > 0) throw new Failed('disconnect() does not disconnect')
  }

  /** Asks the person to do something in the wallet, and polls until it has an effect. */
  async function askFor(
    answer: Answer,
    operation: string,
    poll: () => Promise<true | null>,
  ): Promise<void> {
    const question = setting.askPerson(answer, operation)
    report.asked(answer)
    const skipped = question.skipped.then(() => {
      throw new NotApplicable('skipped')
    })
    try {
      const what = `what the person was asked for (${answer})`
      await Promise.race([waitFor(what, poll, personTimeout), skipped])
    } finally {
      question.end()
    }
  }

  /** Does work that several checks share only once. */
  function share<T>(key: string, work: () => Promise<T>): Promise<T> {
    const known = shared.get(key)
    if (known) return known as Promise<T>
    const made = work()
    shared.set(key, made)
    return made
  }

  /** Waits until something is there; an index may take a moment. */
  async function waitFor<T>(
    what: string,
    poll: () => Promise<T | null>,
    limit = timeout,
  ): Promise<T> {
    const until = performance.now() + limit
    for (;;) {
      const found = await poll()
      if (found !== null) return found
      if (performance.now() > until) throw new Failed(`${what}: not within ${limit / 1000} s`)
      await new Promise(done => setTimeout(done, 200))
    }
  }
}

export type Kit = ReturnType<typeof createKit>

async function beSilent(limit: number): Promise<Outcome> {
  await new Promise(done => setTimeout(done, limit))
  return { kind: 'silent', seconds: limit / 1000 }
}

/** The error of a rejected call; throws Failed where there is none that a page can work with. */
function readError(outcome: Outcome): { code: number; message: string } {
  if (outcome.kind !== 'rejected') throw new Failed(`not refused: ${describeOutcome(outcome)}`)
  const { thrown } = outcome
  if (!(thrown instanceof Error)) throw new Failed(`rejected with ${describe(thrown)}, no Error`)
  const { code, message } = thrown as Error & { code?: unknown }
  if (typeof code !== 'number')
    throw new Failed(`the error has the code ${describe(code)}: ${message}`)
  if (typeof message !== 'string' || message === '')
    throw new Failed(`the error ${code} has no message`)
  return { code, message }
}

function describeOutcome(outcome: Outcome): string {
  if (outcome.kind === 'skipped') return 'no answer until the person gave up'
  if (outcome.kind === 'resolved') return `resolved ${describe(outcome.result)}`
  if (outcome.kind === 'broken') return outcome.what
  if (outcome.kind === 'silent')
    return `no answer within ${outcome.seconds} s: it hangs, or asks a person`
  const { code, message } = Object(outcome.thrown)
  return `rejected ${describe(code)}: ${String(message ?? outcome.thrown)}`
}

/** A value in one line, cut where it is long. */
export function describe(value: unknown): string {
  const text =
    JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part)) ??
    'undefined'
  return text.length <= 160 ? text : `${text.slice(0, 159)}…`
}

function describeArgument(value: unknown): unknown {
  if (value === undefined) return '«undefined»'
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number' && !Number.isFinite(value)) return `«${value}»`
  if (typeof value === 'string') return value.length <= 90 ? value : `${value.slice(0, 89)}…`
  if (Array.isArray(value)) return value.map(describeArgument)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, describeArgument(member)]),
  )
}

/** Throws Failed with this explanation unless the condition holds. */
export function expect(condition: boolean, explanation: string): asserts condition {
  if (!condition) throw new Failed(explanation)
}
