import type { Network } from '../../../bitcoin/network.ts'
import type { Response } from '../../../provider/envelope.ts'
import { canSign } from '../../accounts/accounts.ts'
import type { UiMethodName } from '../../views/ui-methods.ts'
import { SITE } from '../funded-wallet.ts'
import { type Ended, type MortalBrowser, openBrowser, UnansweredError } from '../mortal-browser.ts'
import { type Stop, saveWorld } from '../mortal-worker.ts'
import { openPage, PASSWORD, startWorker, type World } from '../test-wallet.ts'
import { type Scene, startEmptyScene, startScene } from '../wallet-scene.ts'
import type { Operation } from './operation.ts'

/** What became of an operation, for who asked and in the wallet. */
export type Outcome = {
  /** What the page or the popup got; null for nothing. */
  answer: { result: unknown } | { error: unknown } | null
  answers: number
  /** Digests of the questions that the person answered, repeated ones too. */
  questions: string[]
  /** Txids that were handed over, each once. */
  sent: string[]
  /** Requests that still wait, or have no outcome. */
  waiting: number
  /** The wallet as its own pages show it. */
  wallet: string
  vault: string
  points: readonly string[]
  wasStopped: boolean
}

/** What is wrong with the end of an operation whose worker was stopped. */
export type Fault = { kind: 'lost' | 'doubled' | 'hanging'; what: string }

const REQUEST_ID = 'request'
const ANSWER_MS = 4_000
const QUIET_MS = 20
const ALARM_MS = 61_000

/** The popup says that it had no answer, and to look whether it is done. */
const UNANSWERED: Answer = { error: { code: 4900 } }

/** The wallets that operations begin with, made once. */
export async function startScenes(serverUrl: string) {
  const [scene, empty] = [await startScene(serverUrl), await startEmptyScene()]
  await wait(QUIET_MS)
  return {
    ...{ scene, makeWorld: saveWorld(scene.world) },
    ...{ empty: empty as Scene, makeEmpty: saveWorld(empty.world) },
  }
}

/** An operation on a wallet that was prepared for it once, to be run as often as wanted. */
export async function prepareOperation(
  scenes: Awaited<ReturnType<typeof startScenes>>,
  operation: Operation,
) {
  const scene = takeScene(scenes, operation)
  const prepared = (await operation.prepare?.(scene)) as never
  const params = operation.params(scene, prepared)
  // What the scene's worker still has to do is not to be seen.
  if (operation.prepare) await wait(QUIET_MS)
  const makeWorld = saveWorld(scene.world)
  const before = await readUntouched(makeWorld, operation)
  const whole = await run(makeWorld, operation, params, null)
  return {
    points: whole.points,
    whole,
    before,
    /** What is wrong when the worker is stopped there; and what became of it. */
    async stopAt(stop: Stop, ended: Ended) {
      const outcome = await run(makeWorld, operation, params, stop, ended)
      return { outcome, faults: listFaults({ before, whole, outcome, ended, operation }) }
    },
  }
}

/** The scene in a world of its own. */
function takeScene(scenes: Awaited<ReturnType<typeof startScenes>>, { isFirst }: Operation): Scene {
  const world = isFirst ? scenes.makeEmpty() : scenes.makeWorld()
  const worker = startWorker(world)
  return { ...(isFirst ? scenes.empty : scenes.scene), world, worker, page: openPage(worker, SITE) }
}

async function readUntouched(makeWorld: () => World, operation: Operation) {
  const browser = openBrowser(makeWorld(), null)
  const wallet = await readWallet(browser, operation)
  browser.close()
  return wallet
}

async function run(
  makeWorld: () => World,
  operation: Operation,
  params: unknown,
  stop: Stop | null,
  ended: Ended = 'worker',
): Promise<Outcome> {
  const world = makeWorld()
  const before = world.chain.broadcasts.length
  const browser = openBrowser(world, stop, ended)
  const { life } = browser.worker()
  const questions: string[] = []
  const answers = operation.method.startsWith('ui.')
    ? await askAsPopup(browser, operation, params)
    : await askAsSite(browser, operation, params as unknown[], questions)
  await browser.whenQuiet()
  const points = life.spare()
  const wasStopped = browser.wasStopped()
  const [answer = null] = answers
  let waiting = await countWaiting(browser)
  if (wasStopped && waiting > 0) {
    // As background.ts does at its start, after the time that pages have to come back.
    await browser.worker().run(() => browser.worker().router.settleOrphans())
    waiting = await countWaiting(browser)
  }
  const { vault, wallet } = await readWallet(browser, operation)
  const sent = [...new Set(world.chain.broadcasts.slice(before))].sort()
  browser.close()
  return {
    ...{ answer, answers: answers.length, questions, sent, waiting, wallet, vault, wasStopped },
    points,
  }
}

type Answer = NonNullable<Outcome['answer']>

async function askAsPopup(
  browser: MortalBrowser,
  { method }: Operation,
  params: unknown,
): Promise<Answer[]> {
  const name = method.slice('ui.'.length) as UiMethodName
  const asked: Promise<Answer> = browser.askAgain(name, params as never).then(
    result => (result === undefined ? UNANSWERED : { result }),
    error => ({ error: describeError(error) }),
  )
  const answer = await Promise.race([asked, wait(ANSWER_MS).then(() => null)])
  return answer === null ? [] : [answer]
}

async function askAsSite(
  browser: MortalBrowser,
  { method, origin = SITE }: Operation,
  params: unknown[],
  questions: string[],
): Promise<Answer[]> {
  const page = browser.openPage(origin)
  page.send({ id: REQUEST_ID, method, params: JSON.parse(JSON.stringify(params)) })
  const isAnswered = () => page.answersTo(REQUEST_ID).length > 0
  const end = Date.now() + ANSWER_MS
  while (!isAnswered() && browser.hasPages() && Date.now() < end) {
    await answerQuestion(browser, questions)
    await wait(1)
  }
  // What is answered twice comes after.
  await browser.whenQuiet()
  return page.answersTo(REQUEST_ID).map(withoutId)
}

function withoutId(response: Response): Answer {
  return 'result' in response ? { result: response.result } : { error: response.error }
}

/** As a person does who agrees to everything. */
async function answerQuestion(browser: MortalBrowser, questions: string[]): Promise<void> {
  try {
    const approval = await browser.ask('getApproval', null)
    if (!approval) return
    const { key, digest, review } = approval
    if (review.kind === 'unlock') {
      await browser.ask('unlock', { password: PASSWORD })
      return
    }
    questions.push(digest)
    const input = review.kind === 'brc20-amount' ? { input: '5' } : {}
    await browser.ask('decide', { key, digest, decision: 'approve', ...input })
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error
  }
}

async function countWaiting(browser: MortalBrowser): Promise<number> {
  const records = await browser.worker().run(() => browser.worker().wallet.requests.load())
  return records.filter(({ outcome }) => outcome === null).length
}

/**
 * The wallet as its own pages show it, in JSON: lock, accounts, sites, contacts, settings, servers, jobs, activity, coins; and
 * the chain. Random ids are replaced by their order. Throws where something cannot be read.
 */
async function readWallet(browser: MortalBrowser, operation: Operation) {
  const { ask } = browser
  // As at the next alarm.
  browser.world().clock.now += ALARM_MS
  await browser.worker().run(() => browser.worker().wallet.followJobs())
  const first = await ask('getState', null)
  const { vault, network } = first
  const seen: { [name: string]: unknown } = { network }
  if (vault === 'none') {
    seen.stored = Object.keys(browser.world().local.dump()).sort()
    return { vault, wallet: JSON.stringify(seen) }
  }
  if (operation.nextPassword) await ask('lock', null)
  if (operation.nextPassword || vault === 'locked') seen.password = await unlock(browser, operation)
  if (!operation.nextPassword) delete seen.password
  if (network !== 'regtest') await ask('selectNetwork', { network: 'regtest' as Network })
  const { accounts, accountId, settings, phrases } = await ask('getState', null)
  Object.assign(seen, { accounts, accountId, settings, phrases })
  // What rooms keep of accounts that are not there any more would show here.
  seen.labels = await browser.world().local.get('labels')
  seen.choices = await browser.world().local.get('coinChoices')
  seen.leaving = (await browser.world().local.get('accounts.leaving')) ?? []
  // When a site was used last is noted beside its calls, whether they end or not.
  seen.sites = (await ask('getSites', null)).map(({ usedAt: _, ...site }) => site)
  seen.contacts = await ask('getContacts', null)
  seen.servers = await ask('getServers', { network: 'regtest' })
  seen.alias = await ask('getOkxAlias', null)
  seen.tickers = await browser.world().local.get('brc20Tickers')
  const jobs = await ask('getJobs', null)
  for (const { id } of jobs) await ask('getJob', { jobId: id })
  const selected = accounts.find(({ id }) => id === accountId)
  if (selected && canSign(selected)) {
    await ask('getActivity', { offset: 0, limit: 50 })
    seen.activity = await ask('getActivity', { offset: 0, limit: 50 })
    seen.jobs = await ask('getJobs', null)
    seen.coins = await ask('getCoins', null)
  }
  seen.chain = browser
    .world()
    .chain.list()
    .map(({ txid }) => txid)
    .sort()
  return { vault, wallet: JSON.stringify(seen) }
}

async function unlock(browser: MortalBrowser, { nextPassword }: Operation): Promise<string> {
  const opens: string[] = []
  for (const [name, password] of [
    ['first', PASSWORD],
    ['next', nextPassword],
  ] as const) {
    if (password === undefined) continue
    browser.world().clock.now += 3_600_000
    const { unlocked } = await browser.ask('unlock', { password })
    if (unlocked) opens.push(name)
    if (unlocked && nextPassword && name === 'first') await browser.ask('lock', null)
  }
  const [open] = opens
  if (nextPassword && open) {
    browser.world().clock.now += 3_600_000
    await browser.ask('unlock', { password: open === 'next' ? nextPassword : PASSWORD })
  }
  if (opens.length !== 1) throw new Error(`The wallet opens with ${opens.join(' and ') || 'none'}`)
  return opens.join()
}

/** Replaces hex of 16 to 40 digits by its order of appearance: ids of accounts, contacts and jobs. */
function nameIds(json: string): string {
  const names = new Map<string, string>()
  return json.replace(/"[0-9a-f]{16,40}"/g, id => {
    const name = names.get(id) ?? `"id ${names.size}"`
    names.set(id, name)
    return name
  })
}

function listFaults({
  before,
  whole,
  outcome,
  ended,
  operation,
}: {
  before: { vault: string; wallet: string }
  whole: Outcome
  outcome: Outcome
  ended: Ended
  operation: Operation
}): Fault[] {
  const faults: Fault[] = []
  const blame = (kind: Fault['kind'], what: string) =>
    void faults.push({ kind, what: what.slice(0, 500) })
  const isUi = operation.method.startsWith('ui.')
  const { answer, wallet } = outcome
  const isLike = (other: string) => nameIds(wallet) === nameIds(other)
  if (outcome.sent.some(txid => !whole.sent.includes(txid)))
    blame('doubled', `sent ${outcome.sent} instead of ${whole.sent}`)
  if (outcome.answers > 1) blame('doubled', `${outcome.answers} answers`)
  if (outcome.questions.length > whole.questions.length + 1)
    blame('doubled', `${outcome.questions.length} questions`)
  if (outcome.questions.some(digest => !whole.questions.includes(digest)))
    blame('doubled', 'the person was shown something else')
  if (outcome.waiting > (isUi ? whole.waiting : 0) && ended === 'worker')
    blame('hanging', `${outcome.waiting} requests wait`)
  const isDone = isLike(whole.wallet) && (ended === 'browser' || outcome.vault === whole.vault)
  const isUndone = isLike(before.wallet) && (ended === 'browser' || outcome.vault === before.vault)
  if (ended === 'browser') {
    const isHalf = withoutHalves(wallet, operation) === withoutHalves(before.wallet, operation)
    const isMore = withoutHalves(wallet, operation) === withoutHalves(whole.wallet, operation)
    if (!isDone && !isUndone && !(operation.halves && (isHalf || isMore)))
      blame('lost', differenceOf(nameIds(whole.wallet), nameIds(wallet)))
    return faults
  }
  const isSame = readAnswer(answer) === readAnswer(whole.answer)
  if (answer === null) blame('hanging', 'no answer')
  else if (isSame && !isDone) blame('lost', differenceOf(nameIds(whole.wallet), nameIds(wallet)))
  else if (
    !isSame &&
    !('error' in answer && isUndone) &&
    !(answer === UNANSWERED && isLike(whole.wallet))
  )
    blame(
      'lost',
      `${JSON.stringify(answer)}: ${isDone ? 'done' : differenceOf(nameIds(whole.wallet), nameIds(wallet))}`,
    )
  return faults
}

/** The same for answers that differ in ids, in the digest of a plan (which covers its id), in how long a server took and in what was drawn to seal a file alone. */
function readAnswer(answer: Outcome['answer']): string {
  return nameIds(JSON.stringify(answer))
    .replace(/"(retryInMs|latencyMs)":\d+/g, '"$1":0')
    .replace(/"digest":"[0-9a-f]+"/g, '"digest":""')
    .replace(/"file":"(?:[^"\\]|\\.)*"/g, '"file":""')
}

function withoutHalves(wallet: string, { halves = [] }: Operation): string {
  const kept = Object.entries(JSON.parse(wallet)).filter(([key]) => !halves.includes(key))
  return nameIds(JSON.stringify(kept))
}

/** Where two texts of JSON differ first. */
function differenceOf(expected: string, found: string): string {
  let at = 0
  while (at < expected.length && expected[at] === found[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 140)
  return `…${around(found)}… instead of …${around(expected)}…`
}

function describeError(error: unknown): unknown {
  const { code, message, data } = Object(error)
  return { code, message, data }
}

function wait(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
