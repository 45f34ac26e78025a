import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { poll } from '../../driver/engine.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import prepared from '../../fixtures/prepared-wallet.json' with { type: 'json' }
import { type RecordedRequest, startRecordingServer } from '../../fixtures/recording-server.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

describe.each(browsersFor('requests'))('what a server sees of the wallet in %s', browser => {
  let world: World
  let server: Awaited<ReturnType<typeof startRecordingServer>>

  beforeAll(async () => {
    world = await startWorld(browser, { setUp: false })
    server = await startRecordingServer(world.devnet.esploraUrl)
    // Its page is open in a tab, and has set its cookies.
    await world.wallet.openDapp(server.pageUrl)
    await world.wallet.restoreWallet({
      ...prepared,
      network: world.network,
      esploraUrl: server.url,
    })
    const dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await world.devnet.faucet(address, 500_000n)
    const page = await world.wallet.popup()
    await page.find('region', 'Balance')
    await poll(
      'a connection that stays open',
      20_000,
      async () => server.requests.find(({ path }) => path.endsWith('/ws')) ?? null,
    )
    const paying = dapp.request('sendBitcoin', RECIPIENT, 20_000, { feeRate: 2 })
    await (await world.wallet.nextApproval()).approve()
    await resultOf(paying)
    await page.close()
  })
  afterAll(async () => {
    await world?.stop()
    await server?.stop()
  })

  const isSocket = ({ path }: RecordedRequest) => path.endsWith('/ws')
  /** Of the wallet, over HTTP; pages and their icons are the browser's. */
  const listQuestions = () =>
    server.requests.filter(one => /^\/(api|second)/.test(one.path) && !isSocket(one))
  const findPage = (requests = server.requests) => requests.find(({ path }) => path === '/page')

  it('is no cookie, no referrer, and nothing that names the wallet or its version', () => {
    const questions = listQuestions()
    expect(questions.length).toBeGreaterThan(5)
    expect(new Set(questions.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']))
    const names = new Set(questions.flatMap(({ headers }) => Object.keys(headers)))
    expect([...names].filter(name => !CARRIED.test(name))).toEqual([])
    for (const { headers } of questions) {
      expect(headers['user-agent']).toBe(findPage()?.headers['user-agent'])
      expect(headers['accept-language']).toBe(findPage()?.headers['accept-language'])
    }
  })

  it('is the origin of the extension where something is handed over, and nowhere else', () => {
    const origin = world.wallet.extensionUrl.replace(/\/$/, '')
    for (const { method, path, headers } of listQuestions()) {
      expect(headers.origin, path).toBe(method === 'POST' ? origin : undefined)
    }
  })

  it('is none of its cookies later: what it sets with an answer is not kept', async () => {
    const before = server.requests.length
    await (await world.wallet.openDapp(server.pageUrl)).close()
    const cookies = findPage(server.requests.slice(before))?.headers.cookie ?? ''
    for (const kind of [0, 1, 2, 3]) expect(cookies).toContain(`page${kind}=1`)
    expect(cookies).not.toContain('answer')
  })

  it('is its cookies over the connection that stays open, as PRIVACY.md says', () => {
    const socket = server.requests.find(isSocket)
    // Chromium sends those for other sites, Firefox all.
    const sent = [0, 1, 2, 3].filter(kind => socket?.headers.cookie?.includes(`page${kind}=1`))
    expect(sent).toEqual(browser === 'firefox' ? [0, 1, 2, 3] : [2])
    expect(socket?.headers.origin).toBe(world.wallet.extensionUrl.replace(/\/$/, ''))
  })
})

/** Beside what the question itself has: its address, and what the answer is to be. The browser says `sec-` of any page's requests. */
const CARRIED =
  /^(host|connection|user-agent|accept(-\w+)*|content-(type|length)|origin|pragma|cache-control|priority|te|sec-[\w-]+)$/
