import { describe, expect, it } from 'vitest'
import type { Description } from '../../../e2e/openrpc/description.ts'
import { DESCRIPTIONS } from '../../../e2e/openrpc/descriptions.ts'
import { listCodes } from '../../../e2e/openrpc/document.ts'
import { EVENTS } from '../../../e2e/openrpc/event-descriptions.ts'
import {
  createArgumentValidator,
  describeArguments,
} from '../../../e2e/openrpc/testing/argument-validator.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { createProvider, type Provider } from '../../inpage/provider.ts'
import { openTestChannel } from '../../inpage/testing/test-channel.ts'
import { METHOD_NAMES, type MethodName } from '../../provider/method-names.ts'
import { RECIPIENT, SECOND_RECIPIENT } from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import { hexOf, privateKeyOf, publishPrevious } from '../testing/psbt-site.ts'
import { buildFresh, signElsewhere } from '../testing/signed-transactions.ts'
import { fund, openPage, type Worker } from '../testing/test-wallet.ts'
import { methods } from './methods.ts'

const isValid = createArgumentValidator()

const OPEN_RUNE = 'OPEN•RUNE•OF•TESTS'

type Site = Awaited<ReturnType<typeof start>>

/** A connected site, and an account with coins, two inscriptions and tokens. */
async function start() {
  const coins = [546n, 10_000n].map(sats => ({ sats, with: [{}] }))
  const started = await startInscribed(coins)
  const { world, account } = started
  world.brc20.deploy('ordi', { decimals: 1, minted: '1000' })
  world.brc20.credit(account.address, 'ordi', '80', '20')
  const runic = `${fund(world, account.address, 546n)}:0`
  const rune = world.assets.etch(runic, { amount: 1_000n, divisibility: 2 })
  world.assets.etch('', { name: OPEN_RUNE, rune: '90:1' })
  const none = { start: null, end: null }
  world.assets.describeRune('90:1', {
    terms: { amount: 5n, cap: 100n, height: none, offset: none },
  })
  return { ...started, rune, key: await privateKeyOf(account) }
}

const stranger = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })

/** A transaction of other people, of coins that the chain knows. */
function foreign({ world }: Site) {
  const built = buildFresh({ inputs: [stranger(10_000n)], outputs: [stranger(9_000n)] })
  return signElsewhere(publishPrevious({ world }, built))
}

/** A PSBT that spends a coin of the account. */
function own({ world, key }: Site): string {
  const params = {
    inputs: [{ type: 'p2tr' as const, key, amount: 20_000n }],
    outputs: [stranger(19_000n)],
  }
  publishPrevious({ world }, buildFresh(params))
  return hexOf(params)
}

/** Arguments that a site would hand over, of every operation. */
const ARGUMENTS: { [M in MethodName]: (site: Site) => unknown[] } = {
  connect: () => [],
  requestAccounts: () => [],
  getAccounts: () => [],
  getNetwork: () => [],
  getPublicKey: () => [],
  getBalance: () => [],
  getInscriptions: () => [0, 20],
  sendBitcoin: () => [RECIPIENT, 20_000, { feeRate: 2 }],
  send: ({ account }) => [
    { from: account.address, to: RECIPIENT, value: '0.0002', memo: 'Hi', memoPos: 1 },
  ],
  sendInscription: ({ ids }) => [RECIPIENT, ids[0]],
  transferNft: ({ account, ids }) => [
    { from: account.address, to: [RECIPIENT, SECOND_RECIPIENT], data: ids, feeRate: 2 },
  ],
  signMessage: () => ['Hello', 'bip322-simple'],
  signMessages: () => [[{ text: 'Hello', type: 'bip322-simple' }, { text: 'Hello' }]],
  pushTx: site => [foreign(site).raw],
  splitUtxo: ({ account }) => [{ from: account.address, amount: 3 }],
  inscribe: ({ account }) => [{ from: account.address, tick: 'ordi', amt: '12.5' }],
  mint: ({ account }) => [
    { type: 61, from: account.address, inscriptions: [{ body: 'one' }, { body: 'two' }] },
  ],
  signPsbt: site => [own(site), { autoFinalized: false }],
  signPsbts: site => [[own(site), own(site)]],
  pushPsbt: site => [foreign(site).base64],
  sendPsbt: site => [
    [
      { itemId: 'b', signedTx: foreign(site).raw, type: 52, dependItemId: ['a'] },
      { itemId: 'a', signedTx: foreign(site).psbt, type: 20 },
    ],
    site.account.address,
  ],
  disconnect: () => [],
  deriveContextHash: () => ['babylon-btc-vault', 'deadbeef'],
  switchNetwork: () => ['testnet'],
  sendTransfer: () => [
    {
      recipients: [
        { address: RECIPIENT, amount: 20_000 },
        { address: SECOND_RECIPIENT, amount: '1000' },
      ],
    },
  ],
  getRunes: () => [0, 20],
  sendRunes: ({ rune }) => [
    {
      recipients: [
        { address: RECIPIENT, rune: rune.name, amount: '2.5' },
        { address: SECOND_RECIPIENT, rune: rune.rune, units: 7 },
      ],
      feeRate: 2,
    },
  ],
  mintRune: () => [{ rune: OPEN_RUNE, count: 2, feeRate: 2 }],
  etchRune: () => [{ name: 'SATCHEL•TEST•RUNES', premine: '1000', feeRate: 2 }],
  estimateMintRune: () => [{ rune: OPEN_RUNE, count: 2, feeRate: 2 }],
  estimateEtchRune: () => [{ name: 'SATCHEL•TEST•RUNES', premine: '1000', feeRate: 2 }],
}

/** Approves whatever is asked, filling in an amount; resolves the answer and how often a person was asked. */
async function approveAll<T>({ ui }: Worker, answer: Promise<T>) {
  let asked = 0
  let isThere = false
  const watched = answer.finally(() => {
    isThere = true
  })
  while (!isThere) {
    const approval = await ui('getApproval', null)
    if (approval) {
      const { key, digest, review } = approval
      const input = review.kind === 'brc20-amount' ? { input: '12.5' } : {}
      await ui('decide', { key, digest, decision: 'approve', ...input })
      asked++
    }
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  return { response: await watched, asked }
}

describe('the OpenRPC document tells the truth of', () => {
  it.each(METHOD_NAMES)('what %s resolves to, and whether it asks', async name => {
    const description: Description = DESCRIPTIONS[name]
    const site = await start()
    const args = ARGUMENTS[name](site)
    expect(isValid(describeArguments(description), args)).toBe(true)
    const { response, asked } = await approveAll(site.worker, site.page.call(name, ...args))
    if (!('result' in response)) throw new Error(JSON.stringify(response))
    const { result } = response
    expect(isValid(description.result.schema, result), JSON.stringify(result)).toBe(true)
    if (description.asks === 'always') expect(asked).toBeGreaterThan(0)
    if (description.asks === 'never') expect(asked).toBe(0)
  })

  it('an inscription in a list', async () => {
    const { page, ids } = await start()
    const response = await page.call('getInscriptions')
    const { list } = Object('result' in response ? response.result : null)
    expect(list).toHaveLength(ids.length)
    const { schema } = (DESCRIPTIONS.getInscriptions as Description).result
    expect(isValid(schema, { total: 1, list: [{ ...list[0], offset: '0' }] })).toBe(false)
  })

  it('the question of connect, which comes once', async () => {
    const { worker } = await start()
    const page = openPage(worker, 'https://other.example', 2)
    for (const [name, times] of [
      ['connect', 1],
      ['requestAccounts', 0],
    ] as const) {
      const { response, asked } = await approveAll(worker, page.call(name))
      expect(asked).toBe(times)
      const { schema } = (DESCRIPTIONS[name] as Description).result
      expect('result' in response && isValid(schema, response.result)).toBe(true)
    }
  })

  it('who may call an operation, and which of them have a question', () => {
    for (const name of METHOD_NAMES) {
      const { access, asks }: Description = DESCRIPTIONS[name]
      expect([name, access]).toEqual([name, methods[name].access])
      expect([name, asks === 'never']).toEqual([name, methods[name].ask === undefined])
    }
  })

  it('what an unconnected site gets, which is told 4100 or served', async () => {
    const { worker } = await start()
    const page = openPage(worker, 'https://stranger.example', 2)
    for (const name of METHOD_NAMES) {
      const description: Description = DESCRIPTIONS[name]
      if (typeof description.asks === 'object' && description.access === 'anyone') continue
      const response = await page.call(name, ...description.example.args)
      const code = 'error' in response ? response.error.code : null
      expect([name, code]).toEqual([name, description.access === 'connected' ? 4100 : null])
      if (code !== null) expect(listCodes(description)).toContain(code)
    }
  })

  it('the events that connecting on another network brings about', async () => {
    for (const name of ['connect', 'requestAccounts'] as const) {
      const { worker, page } = await start()
      // Of the first change the page hears, by which it loses its account; of the second only with the next account.
      for (const network of ['signet', 'testnet4'] as const) {
        await worker.ui('selectNetwork', { network })
        await page.call('getNetwork')
      }
      const { channel, tell, flush } = openTestChannel()
      const heard = listenToAll(createProvider(channel))
      const before = page.states().length
      for (const state of page.states()) tell({ state })
      await flush()
      heard.length = 0
      await approveAll(worker, page.call(name))
      for (const state of page.states().slice(before)) tell({ state })
      await flush()
      expect([name, heard]).toEqual([name, (DESCRIPTIONS[name] as Description).events])
    }
  })

  it('why PSBTs with more leaves than can be checked are refused, in one and in a batch', async () => {
    const site = await start()
    const leaf = (at: number) =>
      `4215c0${toHex(site.key)}${at.toString(16).padStart(64, '0')}0251c0`
    const leaves = Array.from({ length: 5_001 }, (_, at) => leaf(at)).join('')
    // Before the end of the input's map and the output's, which is empty.
    const psbt = own(site).replace(/0000$/, `${leaves}0000`)
    const batch = [{ itemId: 'a', signedTx: psbt, type: 20 }]
    for (const [name, ...args] of [
      ['pushPsbt', psbt],
      ['sendPsbt', batch, site.account.address],
    ] as const) {
      const answer = await site.page.call(name, ...args)
      expect(answer).toMatchObject({ error: { data: { reason: 'TOO_LARGE' } } })
      expect((DESCRIPTIONS[name] as Description).reasons).toContain('TOO_LARGE')
    }
  })

  it('what an Atomical is refused with where no server tells of them', async () => {
    const { world, page, account } = await start()
    world.atomicals.faults.none = true
    const id = `${'ab'.repeat(32)}i0-Atomicals`
    for (const [name, ...args] of [
      ['sendInscription', RECIPIENT, id],
      ['transferNft', { from: account.address, to: RECIPIENT, data: id }],
    ] as const) {
      expect(await page.call(name, ...args)).toMatchObject({ error: { code: 4200 } })
      expect(listCodes(DESCRIPTIONS[name])).toContain(4200)
    }
  })

  it('what a site hears when the person says no', async () => {
    for (const name of METHOD_NAMES) {
      const description: Description = DESCRIPTIONS[name]
      if (description.asks !== 'always') continue
      const site = await start()
      const answer = site.page.call(name, ...ARGUMENTS[name](site))
      const { response } = await rejectFirst(site.worker, answer)
      expect([name, response]).toMatchObject([name, { error: { code: 4001 } }])
      expect(listCodes(description)).toContain(4001)
    }
  })
})

async function rejectFirst<T>({ ui }: Worker, answer: Promise<T>) {
  for (;;) {
    const approval = await ui('getApproval', null)
    if (approval) {
      const { key, digest } = approval
      await ui('decide', { key, digest, decision: 'reject' })
      return { response: await answer }
    }
    await new Promise(resolve => setTimeout(resolve, 1))
  }
}

/** The names of the events from now on, in their order. */
function listenToAll(provider: Provider): string[] {
  const heard: string[] = []
  const on = provider.on as (event: string, handler: () => void) => void
  for (const event of Object.keys(EVENTS)) on(event, () => heard.push(event))
  return heard
}
