// dapp: the pages that the end-to-end tests and people open: here a playground for every operation, and in `conformance/`
// the checks of the specification. The pages see a wallet only as a page does.

import { byId, element } from './element.ts'
import { CARD_GROUPS, type Example, type MethodCard } from './method-cards.ts'
import {
  type Account,
  callMethod,
  fetchExample,
  fillPlaceholders,
  findProvider,
  formatValue,
  listen,
  type Made,
  type Provider,
} from './provider.ts'

const pathField = byId('path', HTMLInputElement)
let provider: Provider | null = null
let account: Account | null = null
let made: Made = { signed: [], split: undefined }
const listenedTo = new WeakSet<Provider>()

renderCards()
fitAllHeights()
addEventListener('resize', fitAllHeights)
void document.fonts.ready.then(fitAllHeights)
byId('picker', HTMLFormElement).addEventListener('submit', event => event.preventDefault())
pathField.addEventListener('input', chooseProvider)
byId('clear-log', HTMLButtonElement).addEventListener('click', clearLog)
chooseProvider()
// A wallet that injects late, or one that is installed while the page is open.
setInterval(() => provider ?? chooseProvider(), 500)

function chooseProvider(): void {
  const path = pathField.value.trim()
  provider = findProvider(path)
  const presence = byId('presence', HTMLElement)
  presence.dataset.state = provider ? 'found' : 'missing'
  presence.textContent = provider ? 'Found on this page' : `No window.${path} on this page`
  if (!provider || listenedTo.has(provider)) return
  const chosen = provider
  listenedTo.add(chosen)
  listen(chosen, (event, args) => {
    logEvent(event, args)
    if (chosen === provider) void refreshAccount()
  })
  void refreshAccount()
}

/** What can be learnt without asking anybody: the rest only once connected, as some wallets would ask. */
async function refreshAccount(): Promise<void> {
  const [addresses, network] = await Promise.all([attempt('getAccounts'), attempt('getNetwork')])
  const address = Array.isArray(addresses) ? addresses[0] : undefined
  const connected = typeof address === 'string'
  const [publicKey, balance] = connected
    ? await Promise.all([attempt('getPublicKey'), attempt('getBalance')])
    : []
  account = connected
    ? { address, publicKey: typeof publicKey === 'string' ? publicKey : '' }
    : null
  byId('address', HTMLElement).textContent = account?.address ?? 'Not connected'
  byId('network', HTMLElement).textContent = typeof network === 'string' ? network : '–'
  byId('balance', HTMLElement).textContent = account ? formatSats(balance) : '–'
}

async function attempt(method: string): Promise<unknown> {
  if (!provider) return undefined
  // An unconnected page is refused most of this: that is an answer too.
  return callMethod(provider, method, []).catch(() => undefined)
}

function formatSats(balance: unknown): string {
  const total = (balance as { total?: unknown } | undefined)?.total
  return typeof total === 'number' ? `${total.toLocaleString('en')} sats` : '–'
}

function renderCards(): void {
  const methods = byId('methods', HTMLElement)
  const contents = byId('contents', HTMLElement)
  for (const group of CARD_GROUPS) {
    const list = element('ul', {})
    contents.append(element('h2', {}, group.title), list)
    const section = element('section', { 'aria-label': group.title })
    section.append(element('h2', {}, group.title))
    for (const card of group.cards) {
      const item = element('li', {})
      item.append(element('a', { href: `#${card.method}` }, card.method))
      list.append(item)
      section.append(renderCard(card))
    }
    methods.append(section)
  }
}

function renderCard(card: MethodCard): HTMLElement {
  const { method } = card
  const box = element('article', { id: method, 'aria-labelledby': `${method}-title` })
  const head = element('header', {})
  head.append(element('h3', { id: `${method}-title` }, card.signature))
  if (card.asks) head.append(element('span', { class: 'tag' }, 'asks you'))
  const args = element('textarea', {
    'aria-label': `${method} arguments`,
    spellcheck: 'false',
    autocapitalize: 'none',
  })
  args.value = formatArgs(card.args)
  const run = element('button', { type: 'button', 'aria-label': `Run ${method}` }, 'Run')
  const outcome = element('div', {
    class: 'outcome',
    role: 'group',
    'aria-label': `${method} result`,
    'aria-live': 'polite',
    'data-testid': `result-${method}`,
    'data-state': 'idle',
  })
  const runCard = () => void runMethod(card, args, run, outcome)
  run.addEventListener('click', runCard)
  args.addEventListener('input', () => fitHeight(args))
  args.addEventListener('keydown', event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) runCard()
  })
  const call = element('div', { class: 'call' })
  call.append(args, run)
  box.append(head, element('p', {}, card.about))
  if (card.examples) box.append(renderExamples(card.examples, args, outcome))
  box.append(call, outcome)
  return box
}

/** Buttons that write arguments which the account can really sign into the card. */
function renderExamples(
  examples: readonly Example[],
  args: HTMLTextAreaElement,
  outcome: HTMLElement,
): HTMLElement {
  const row = element('p', { class: 'examples' })
  row.append(element('span', {}, 'Make an example:'))
  for (const example of examples) {
    const button = element('button', { type: 'button', class: 'quiet' }, example.label)
    button.addEventListener('click', async () => {
      button.disabled = true
      outcome.replaceChildren()
      outcome.dataset.state = 'idle'
      try {
        args.value = formatArgs(
          'args' in example ? example.args : await fetchExample(example.name, account, made),
        )
        fitHeight(args)
      } catch (error) {
        showError(outcome, error, '')
      } finally {
        button.disabled = false
      }
    })
    row.append(button)
  }
  return row
}

async function runMethod(
  card: MethodCard,
  args: HTMLTextAreaElement,
  run: HTMLButtonElement,
  outcome: HTMLElement,
): Promise<void> {
  run.disabled = true
  const started = performance.now()
  showOutcome(outcome, 'pending', card.asks ? 'Waiting for the wallet …' : 'Running …')
  try {
    if (!provider) throw new Error(`There is no window.${pathField.value} on this page`)
    const result = await callMethod(provider, card.method, readArgs(args))
    made = { ...made, ...readMade(card.method, result) }
    showOutcome(outcome, 'ok', formatValue(result), elapsed(started))
  } catch (error) {
    showError(outcome, error, elapsed(started))
  } finally {
    run.disabled = false
  }
  void refreshAccount()
}

/** What later arguments can name of a result. */
function readMade(method: string, result: unknown): Partial<Made> {
  if (method.startsWith('signPsbt')) return { signed: [result].flat().map(String) }
  if (method !== 'splitUtxo') return {}
  const { utxos } = result as { utxos?: { rawTransaction?: string }[] }
  return { split: utxos?.[0]?.rawTransaction }
}

function fitAllHeights(): void {
  for (const field of document.querySelectorAll('textarea')) fitHeight(field)
}

/** As tall as its text. */
function fitHeight(field: HTMLTextAreaElement): void {
  field.rows = 1
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight + 2}px`
}

function readArgs(field: HTMLTextAreaElement): unknown[] {
  const text = field.value.trim()
  let args: unknown
  try {
    args = JSON.parse(text === '' ? '[]' : text)
  } catch (error) {
    throw new Error('The arguments are not JSON', { cause: error })
  }
  if (!Array.isArray(args)) throw new Error('The arguments must be a JSON array: [first, second]')
  return args.map(arg => fillPlaceholders(arg, account, made))
}

function showOutcome(box: HTMLElement, state: string, text: string, note = ''): void {
  box.dataset.state = state
  const label = { ok: 'Result', pending: 'Pending' }[state] ?? ''
  box.replaceChildren(outcomeHead(label, note), element('pre', {}, text))
}

function showError(box: HTMLElement, thrown: unknown, note: string): void {
  const error = thrown as { code?: unknown; message?: unknown; data?: unknown }
  box.dataset.state = 'error'
  const code = typeof error.code === 'number' ? `Error ${error.code}` : 'Error'
  const message = thrown instanceof Error ? thrown.message : String(error.message ?? thrown)
  box.replaceChildren(outcomeHead(code, note), element('p', { class: 'message' }, message))
  if (error.data !== undefined) box.append(element('pre', {}, formatValue(error.data)))
}

function outcomeHead(label: string, note: string): HTMLElement {
  const head = element('p', { class: 'outcome-head' })
  head.append(element('strong', {}, label), element('span', {}, note))
  return head
}

function logEvent(event: string, args: readonly unknown[]): void {
  const item = element('li', { 'data-event': event })
  const head = element('p', {})
  const time = new Date()
  head.append(
    element('strong', {}, event),
    element('time', { datetime: time.toISOString() }, time.toLocaleTimeString('en-GB')),
  )
  item.append(head)
  if (args.length > 0) item.append(element('pre', {}, args.map(formatValue).join('\n')))
  byId('log', HTMLElement).prepend(item)
  byId('log-empty', HTMLElement).hidden = true
}

function clearLog(): void {
  byId('log', HTMLElement).replaceChildren()
  byId('log-empty', HTMLElement).hidden = false
}

function formatArgs(args: readonly unknown[]): string {
  const flat = JSON.stringify(args)
  return flat.length <= 60 ? flat.replaceAll(',', ', ') : JSON.stringify(args, null, 2)
}

function elapsed(started: number): string {
  const ms = performance.now() - started
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
