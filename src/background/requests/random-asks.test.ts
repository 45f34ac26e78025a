import { expect, it } from 'vitest'
import type { Response } from '../../provider/envelope.ts'
import { inHurry } from '../testing/fast-timers.ts'
import { RECIPIENT, selectedAccount } from '../testing/funded-wallet.ts'
import { startMortalWorker } from '../testing/mortal-worker.ts'
import { createSeededRandom } from '../testing/seeded-random.ts'
import { createWorld, fund, openPage, PASSWORD, startUnlocked } from '../testing/test-wallet.ts'

// Pages, a person and a browser that ends workers, at random: whatever they do, a question has a page that waits for its answer,
// a call has one answer, and a site sees the addresses that it was allowed to see.

const SEEDS = Array.from({ length: 25 }, (_, index) => index + 1)
const STEPS = 60

const SITES = ['https://a.example', 'https://b.example']

const CALLS: readonly (readonly [method: string, ...params: unknown[]])[] = [
  ['connect'],
  ['connect'],
  ['connect'],
  ['requestAccounts'],
  ['getAccounts'],
  ['signMessage', 'hello'],
  ['sendBitcoin', RECIPIENT, 2_000],
  ['switchNetwork', 'signet'],
  ['switchNetwork', 'regtest'],
  ['disconnect'],
  ['satsConnect.wallet_connect', null],
  ['satsConnect.getAddresses', { purposes: ['payment'] }],
  ['leather.signMessage', { message: 'hello' }],
  ['leather.getAddresses', {}],
  ['unisat.sendBitcoin', RECIPIENT, 2_000, { memo: 'hello' }],
]

type Tab = {
  origin: string
  id: number
  page: ReturnType<typeof openPage>
  /** Calls without an answer, by id. */
  open: Map<string, (typeof CALLS)[number]>
}

/** The addresses of accounts that an answer names. */
function accountOf(method: string, answer: Response): string[] {
  if (!('result' in answer)) return []
  const { result } = answer
  if (method === 'connect') return [Object(result).address]
  if (method === 'requestAccounts' || method === 'getAccounts') return result as string[]
  return Object(result).addresses?.map(({ address }: { address: string }) => address) ?? []
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve))
}

async function play(seed: number) {
  const { below, chance, pick } = createSeededRandom(seed)
  const world = createWorld()
  const first = await startUnlocked(world)
  const used = await selectedAccount(first)
  fund(world, used.address, 90_000n)
  const second = await first.ui('addAccount', { addressType: 'p2wpkh', name: 'Second' })
  const watched = await first.ui('watchAddress', { address: RECIPIENT, name: 'Watched' })
  const accounts = [used, used, second, second, watched]
  let worker = startMortalWorker(world, null, () => {})
  let tabs: Tab[] = []
  let count = 0
  const allowed = new Set<string>()
  const told: string[] = []
  const wrongly: string[] = []
  const failed: string[] = []
  const answers = new Map<string, number>()

  function tell(one: string): void {
    told.push(one)
    if (!allowed.has(one)) wrongly.push(one)
  }

  function openTab(origin: string, id: number, open: Tab['open'] = new Map()): Tab {
    const page = openPage(worker, origin, id)
    const { post } = page.port
    page.port.post = message => {
      if ('state' in message) {
        const { account } = message.state
        for (const address of [account?.address, account?.ordinals?.address])
          if (address) tell(`${origin} ${address}`)
      }
      return post(message)
    }
    return { origin, id, page, open }
  }

  function call(tab: Tab, id: string, [method, ...params]: (typeof CALLS)[number]): void {
    tab.open.set(id, [method, ...params])
    void tab.page.send(id, method, ...params).then((answer: Response) => {
      if (!tabs.includes(tab)) return
      tab.open.delete(id)
      const key = `${tab.id} ${id}`
      answers.set(key, (answers.get(key) ?? 0) + 1)
      for (const address of accountOf(method, answer)) tell(`${tab.origin} ${address}`)
      if ('error' in answer && answer.error.code === -32603) failed.push(method)
    })
  }

  /** The page of this tab by another connection, over which it sends again what is open. */
  function reconnect({ origin, id, open }: Tab): Tab {
    const tab = openTab(origin, id, new Map(open))
    tabs = [...tabs.filter(other => other.id !== id), tab]
    for (const [asked, what] of open) call(tab, asked, what)
    return tab
  }

  async function decide(decision: 'approve' | 'reject'): Promise<void> {
    let asked = await worker.ui('getApproval', null)
    for (let turn = 0; turn < 10 && !asked && tabs.some(({ open }) => open.size > 0); turn++) {
      await turns(2)
      asked = await worker.ui('getApproval', null)
    }
    if (!asked) return
    const { key, digest, review, account, origin } = asked
    if (review.kind === 'unlock' && decision === 'approve') {
      await worker.ui('unlock', { password: PASSWORD })
      return
    }
    const shown = review.kind === 'switch-network' ? review.account : account
    if (decision === 'approve')
      for (const address of [shown?.address, shown?.ordinals?.address])
        if (address) allowed.add(`${origin} ${address}`)
    await worker.ui('decide', { key, digest, decision }).catch(() => {})
  }

  const ignoreRefusal = () => {}
  const moves: [weight: number, move: () => unknown][] = [
    [4, () => tabs.length < 4 && tabs.push(openTab(pick(SITES), count++))],
    [8, () => tabs.length > 0 && call(pick(tabs), `ask ${count++}`, pick(CALLS))],
    [10, () => decide(chance(0.7) ? 'approve' : 'reject')],
    [
      3,
      async () => {
        const tab = pick(tabs)
        tabs = tabs.filter(other => other !== tab)
        await tab?.page.leave()
      },
    ],
    [
      2,
      async () => {
        if (tabs.length === 0) return
        const tab = pick(tabs)
        const isLate = chance(0.5)
        if (!isLate) reconnect(tab)
        await turns(below(5))
        await tab.page.leave()
        if (isLate) reconnect(tab)
      },
    ],
    [1, () => worker.ui('lock', null)],
    [1, () => worker.ui('unlock', { password: PASSWORD })],
    [1, () => worker.ui('selectAccount', { accountId: pick(accounts).id }).catch(ignoreRefusal)],
    [1, () => worker.ui('selectNetwork', { network: pick(['regtest', 'signet'] as const) })],
    [1, () => worker.wallet.approvals.rejectAll()],
    [
      1,
      async () => {
        const origin = pick(SITES)
        await worker.ui('revokeSite', { origin, grant: null }).catch(ignoreRefusal)
        for (const one of allowed) if (one.startsWith(`${origin} `)) allowed.delete(one)
      },
    ],
    [
      1,
      () =>
        worker
          .ui('setOrdinalsAddress', { accountId: second.id, on: chance(0.5) })
          .catch(ignoreRefusal),
    ],
    [
      1,
      () => {
        worker.life.end()
        worker = startMortalWorker(world, null, () => {})
        const { router } = worker
        void inHurry(() => router.settleOrphans(), 5)
        // Some pages have left while there was no worker.
        tabs = tabs.filter(() => chance(0.7))
        for (const tab of tabs) reconnect(tab)
      },
    ],
  ]
  const all = moves.flatMap(([weight, move]) => Array.from({ length: weight }, () => move))
  for (let step = 0; step < STEPS; step++) {
    await pick(all)()
    await turns(below(8))
  }

  const findLeft = async () =>
    (await worker.wallet.requests.load()).find(({ id, tabId, outcome }) => {
      const asked = id.replace(/\/\d+$/, '')
      return !outcome && !tabs.some(tab => tab.id === tabId && tab.open.has(asked))
    })?.key
  await expect
    .poll(findLeft, { message: `seed ${seed}: waits for nobody`, timeout: 5_000 })
    .toBe(undefined)
  for (let turn = 0; turn < 500 && tabs.some(({ open }) => open.size > 0); turn++) {
    const asked = await worker.ui('getApproval', null)
    await decide(asked?.review.kind === 'unlock' ? 'approve' : 'reject')
    await new Promise(resolve => setTimeout(resolve, 2))
  }
  expect(
    tabs.flatMap(({ open }) => [...open.keys()]),
    `seed ${seed}: unanswered`,
  ).toEqual([])
  for (const { page } of tabs) await page.leave()
  await turns(20)
  expect(await worker.ui('getApproval', null), `seed ${seed}: left`).toBeNull()
  expect(
    [...answers].filter(([, times]) => times > 1),
    `seed ${seed}: twice`,
  ).toEqual([])
  expect(wrongly, `seed ${seed}: told`).toEqual([])
  expect(failed, `seed ${seed}: internal errors`).toEqual([])
  worker.life.end()
  return { allowed: allowed.size, told: told.length, answered: answers.size }
}

it('pages, a person and workers that end leave no question behind, no call unanswered, and show no site what it may not see', async () => {
  const sums = { allowed: 0, told: 0, answered: 0 }
  for (const seed of SEEDS) {
    const { allowed, told, answered } = await play(seed)
    sums.allowed += allowed
    sums.told += told
    sums.answered += answered
  }
  // Most of what can happen does.
  for (const sum of Object.values(sums)) expect(sum).toBeGreaterThan(10)
}, 120_000)
