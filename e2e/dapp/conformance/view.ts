import { byId, element } from '../element.ts'
import type { Check } from './check.ts'
import type { CallRecord } from './kit.ts'
import type { Answer } from './outcome.ts'
import type { CheckReport } from './run.ts'

/** The specification's own order; events and what is beyond it follow. */
const ORDER = [
  ...['connect', 'requestAccounts', 'getAccounts', 'getNetwork', 'getPublicKey', 'getBalance'],
  ...['getInscriptions', 'sendBitcoin', 'send', 'sendInscription', 'transferNft', 'signMessage'],
  ...['pushTx', 'splitUtxo', 'inscribe', 'mint', 'signPsbt', 'signPsbts', 'pushPsbt', 'sendPsbt'],
  ...['accountChanged', 'accountsChanged'],
]

const ABOUT: { [operation: string]: string } = {
  unisat: 'window.unisat, where the wallet stands in for it on this page. Does not count.',
  listeners: 'Beyond the specification: what pages use to stop listening. Does not count.',
  connection: 'Beyond the specification: what pages read of a connection. Does not count.',
  calls: 'Beyond the specification: how pages call all the same. Does not count.',
}

/** Above the first of them in the contents. */
const TITLES_OF_GROUPS: { [operation: string]: string } = {
  connect: 'Operations',
  accountChanged: 'Events',
  unisat: 'Beyond the specification',
}

/** Draws a section for each operation, with a row for each of its checks; `run` runs one operation. */
export function renderChecks(checks: readonly Check[], run: (operation: string) => void): void {
  const place = (operation: string) => {
    const at = ORDER.indexOf(operation)
    return at < 0 ? ORDER.length : at
  }
  const operations = [...new Set(checks.map(({ operation }) => operation))]
  operations.sort((a, b) => place(a) - place(b))
  const list = element('div', {})
  const sections = operations.map(operation => {
    const title = TITLES_OF_GROUPS[operation]
    if (title) list.append(element('h2', {}, title))
    const link = element('a', { href: `#${operation}`, 'data-operation': operation })
    link.append(element('span', {}, operation), element('span', { class: 'count' }))
    list.append(link)
    const own = checks.filter(check => check.operation === operation)
    return renderSection(operation, own, run)
  })
  byId('contents', HTMLElement).replaceChildren(list)
  byId('sections', HTMLElement).replaceChildren(...sections)
  for (const operation of operations) count(operation)
}

function renderSection(
  operation: string,
  checks: readonly Check[],
  run: (operation: string) => void,
): HTMLElement {
  const section = element('section', { id: operation, 'aria-labelledby': `${operation}-title` })
  const head = element('div', { class: 'section-head' })
  const button = element(
    'button',
    { type: 'button', class: 'quiet run-one', 'aria-label': `Run ${operation}` },
    'Run',
  )
  button.addEventListener('click', () => run(operation))
  head.append(element('h2', { id: `${operation}-title` }, operation), button)
  const rows = element('div', { class: 'checks' })
  rows.append(...checks.map(renderCheck))
  section.append(head)
  if (ABOUT[operation]) section.append(element('p', { class: 'about' }, ABOUT[operation]))
  section.append(rows)
  return section
}

function renderCheck({ id, name, section, person }: Check): HTMLElement {
  const row = element('details', { class: 'check', 'data-id': id, 'data-verdict': 'to do' })
  const summary = element('summary', {})
  const mark = element('span', { class: 'mark', role: 'img', 'aria-label': 'to do' })
  const asks = person.length === 0 ? '' : 'asks you'
  summary.append(mark, element('span', { class: 'name' }, name))
  summary.append(element('span', { class: 'tag' }, asks), element('span', { class: 'seen' }))
  const detail = element('div', { class: 'detail' })
  detail.append(element('p', { class: 'id' }, id), element('p', { class: 'about' }, section))
  row.append(summary, detail)
  return row
}

function findRow(id: string): HTMLElement | null {
  return document.querySelector(`.check[data-id="${id}"]`)
}

export function markRunning({ id, operation, name }: Check): void {
  byId('current', HTMLElement).textContent = `Running ${operation}: ${name} …`
  const row = findRow(id)
  if (!row) return
  row.dataset.verdict = 'running'
  row.querySelector('.mark')?.setAttribute('aria-label', 'running')
}

/** Writes the verdict into the row of a check, and its details below. */
export function showVerdict(report: CheckReport): void {
  const row = findRow(report.id)
  if (!row) return
  row.dataset.verdict = report.verdict
  row.querySelector('.mark')?.setAttribute('aria-label', report.verdict)
  const seen = row.querySelector('.seen')
  if (seen) seen.textContent = report.seen
  const facts = element('dl', {})
  const add = (term: string, words: string) =>
    facts.append(element('dt', {}, term), element('dd', {}, words))
  if (report.words) add('Specification', `${report.section}: “${report.words}”`)
  add('Check', report.id)
  add('Took', `${report.ms} ms`)
  const detail = row.querySelector('.detail')
  detail?.replaceChildren(facts, ...report.calls.map(renderCall))
  count(report.operation)
}

function renderCall({ operation, args, outcome, ms }: CallRecord): HTMLElement {
  const spelled = args.map(arg => JSON.stringify(arg)).join(', ')
  return element('pre', {}, `${operation}(${spelled})\n→ ${outcome}  (${ms} ms)`)
}

/** Beside the name of an operation: how many of its checks have passed. */
function count(operation: string): void {
  const link = document.querySelector<HTMLElement>(`[data-operation="${operation}"]`)
  const rows = [...document.querySelectorAll<HTMLElement>(`section[id="${operation}"] .check`)]
  const passed = rows.filter(({ dataset }) => dataset.verdict === 'pass').length
  const failed = rows.filter(({ dataset }) => dataset.verdict === 'fail').length
  const label = link?.querySelector('.count')
  if (!link || !label) return
  label.textContent = failed > 0 ? `${failed} failed` : `${passed}/${rows.length}`
  link.dataset.verdict = failed > 0 ? 'fail' : passed === rows.length ? 'pass' : 'to do'
}

/** Hides the rows of other verdicts. */
export function showOnly(verdict: string): void {
  document.body.dataset.show = verdict
  let isAny = verdict === 'all'
  for (const section of document.querySelectorAll('#sections section')) {
    let isShown = false
    for (const row of section.querySelectorAll<HTMLElement>('.check')) {
      const isMeant = row.dataset.verdict === verdict
      row.toggleAttribute('data-shown', isMeant)
      isShown ||= isMeant
    }
    section.toggleAttribute('data-shown', isShown)
    isAny ||= isShown
  }
  byId('none', HTMLElement).hidden = isAny
}

const TITLES: { [answer: string]: string } = {
  approve: 'Approve what the wallet asks now',
  reject: 'Reject what the wallet asks now',
  'approve if asked': 'Approve, if the wallet asks anything',
  switch: 'Switch to another account in the wallet',
  'switch back': 'Switch back to the first account',
}

const ABOUTS: { [answer: string]: string } = {
  reject: 'This check sees how the page hears of a no.',
  switch: 'Choose one that has not allowed this page yet.',
  'switch back': 'To the account that this run began with.',
}

/** The panel that says what a person has to do; gives what ends it. */
export function showPerson(answer: Answer, operation: string) {
  const panel = byId('person', HTMLElement)
  const skip = byId('skip', HTMLButtonElement)
  const amount = /^fill (.*)$/.exec(answer)?.[1]
  byId('person-title', HTMLElement).textContent =
    amount === undefined ? (TITLES[answer] ?? answer) : `Write ${amount} as the amount, and approve`
  byId('person-about', HTMLElement).textContent = ABOUTS[answer] ?? `For ${operation}.`
  panel.dataset.answer = answer
  panel.hidden = false
  document.body.dataset.person = answer
  document.body.dataset.step = String(Number(document.body.dataset.step ?? 0) + 1)
  let giveUp = () => {}
  const skipped = new Promise<void>(resolve => {
    giveUp = resolve
  })
  skip.onclick = giveUp
  return {
    skipped,
    end() {
      panel.hidden = true
      delete document.body.dataset.person
      skip.onclick = null
    },
  }
}
