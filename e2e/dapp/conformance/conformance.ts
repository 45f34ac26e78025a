// conformance: a page that holds any wallet against the specification, operation by operation. It sees the wallet only as
// a page does, and asks its server for coins, PSBTs and a second opinion on signatures.

import { byId } from '../element.ts'
import { findProvider, type Provider } from '../provider.ts'
import type { Check } from './check.ts'
import { CHECKS } from './checks.ts'
import {
  addCheck,
  downloadReport,
  loadReport,
  type Report,
  saveReport,
  startReport,
} from './report.ts'
import { runChecks } from './run.ts'
import { markRunning, renderChecks, showOnly, showPerson, showVerdict } from './view.ts'

declare global {
  interface Window {
    conformanceReport: Report | null
  }
}

/** Milliseconds until a call without a question counts as hanging, and one with a question; `?timeout=`, `?person-timeout=`. */
const TIMEOUT = 15_000
const PERSON_TIMEOUT = 180_000

const options = new URLSearchParams(location.search)
const pathField = byId('path', HTMLInputElement)
const { dataset } = document.body
const chosen = CHECKS.filter(isChosen)
let report: Report | null = null
let isStopped = false
let devnetUrl: string | null = null

pathField.value = options.get('global') ?? 'satchel'
renderChecks(chosen, operation => void run(chosen.filter(check => check.operation === operation)))
byId('picker', HTMLFormElement).addEventListener('submit', event => event.preventDefault())
pathField.addEventListener('input', choosePath)
byId('run', HTMLButtonElement).addEventListener('click', () => void runAll())
byId('resume', HTMLButtonElement).addEventListener('click', () => void resume())
byId('stop', HTMLButtonElement).addEventListener('click', () => {
  isStopped = true
})
byId('download', HTMLButtonElement).addEventListener(
  'click',
  () => report && downloadReport(report),
)
for (const radio of document.querySelectorAll<HTMLInputElement>('input[name="show"]'))
  radio.addEventListener('change', () => showOnly(radio.value))
showOnly('all')
await findDevnet()
choosePath()
// A wallet that injects late.
setInterval(showPresence, 500)
if (options.has('resume')) void resume()
else if (options.has('run')) void runAll()

/** `?only=signPsbt,send.bad` runs operations by their name, and checks by the beginning of their id. */
function isChosen({ id, operation }: Check): boolean {
  const only = options.get('only')?.split(',') ?? []
  return (
    only.length === 0 || only.some(name => name === operation || `${id}.`.startsWith(`${name}.`))
  )
}

function provider(): Provider | null {
  return findProvider(`${pathField.value.trim()}.bitcoin`)
}

function choosePath(): void {
  report = loadReport(pathField.value.trim())
  window.conformanceReport = report
  renderChecks(chosen, operation => void run(chosen.filter(check => check.operation === operation)))
  for (const check of report?.checks ?? []) showVerdict(check)
  showPresence()
  showScore()
}

function showPresence(): void {
  const presence = byId('presence', HTMLElement)
  const state = provider() ? 'found' : 'missing'
  if (presence.dataset.state === state && presence.textContent) return
  presence.dataset.state = state
  const path = `window.${pathField.value.trim()}.bitcoin`
  presence.textContent = provider() ? 'Found on this page' : `No ${path} on this page`
}

/** The chain that the wallet has to be on for checks that spend; `?devnet=` where it is not this server's. */
async function findDevnet(): Promise<void> {
  const given = options.get('devnet')
  const answer = await fetch('devnet').catch(() => null)
  const own = answer?.ok ? ((await answer.json()) as { url: string | null }).url : null
  devnetUrl = given === 'none' ? null : (given ?? own)?.replace(/\/$/, '') || null
  byId('chain', HTMLElement).textContent = devnetUrl
    ? `Payments are made and looked up on the devnet at ${devnetUrl}, which the wallet has to use. It pays the account what it needs.`
    : 'There is no devnet: nothing is spent, and checks that would spend are not applicable.'
}

async function runAll(): Promise<void> {
  report = null
  await run(chosen)
}

/** What has no verdict yet. */
async function resume(): Promise<void> {
  const done = new Set(report?.checks.map(({ id }) => id))
  await run(chosen.filter(({ id }) => !done.has(id)))
}

async function run(checks: readonly Check[]): Promise<void> {
  const wallet = provider()
  if (!wallet || dataset.state === 'running') return
  const path = pathField.value.trim()
  const kept = report ?? startReport(path, devnetUrl)
  publish({ ...kept, endedAt: null })
  isStopped = false
  setRunning(true)
  await runChecks(checks, {
    provider: wallet,
    devnetUrl,
    timeout: Number(options.get('timeout') ?? TIMEOUT),
    personTimeout: Number(options.get('person-timeout') ?? PERSON_TIMEOUT),
    askPerson: showPerson,
    isStopped: () => isStopped,
    started(check) {
      dataset.check = check.id
      markRunning(check)
    },
    ended(check) {
      publish(addCheck(report ?? kept, check))
      showVerdict(check)
    },
  })
  if (!isStopped) publish({ ...(report ?? kept), endedAt: new Date().toISOString() })
  delete dataset.check
  setRunning(false)
}

function publish(next: Report): void {
  report = next
  window.conformanceReport = next
  saveReport(next)
  showScore()
}

function setRunning(isRunning: boolean): void {
  dataset.state = isRunning ? 'running' : 'done'
  byId('stop', HTMLElement).hidden = !isRunning
  byId('current', HTMLElement).hidden = !isRunning
  byId('run', HTMLElement).hidden = isRunning
  pathField.disabled = isRunning
  for (const button of document.querySelectorAll<HTMLButtonElement>('.run-one'))
    button.disabled = isRunning
  showScore()
}

function showScore(): void {
  const counts = report?.totals ?? { pass: 0, fail: 0, 'not applicable': 0 }
  const ids = new Set(chosen.map(({ id }) => id))
  const done = report?.checks.filter(({ id }) => ids.has(id)).length ?? 0
  const write = (id: string, number: number) => {
    byId(id, HTMLElement).textContent = String(number)
  }
  write('passed', counts.pass)
  write('failed', counts.fail)
  write('inapplicable', counts['not applicable'])
  write('left', chosen.length - done)
  byId('failed', HTMLElement).parentElement?.setAttribute('data-count', String(counts.fail))
  const progress = byId('progress', HTMLProgressElement)
  progress.max = chosen.length
  progress.value = done
  dataset.done = String(done)
  dataset.total = String(chosen.length)
  byId('download', HTMLButtonElement).disabled = done === 0
  const isPartly = done > 0 && done < chosen.length && dataset.state !== 'running'
  byId('resume', HTMLElement).hidden = !isPartly
}
