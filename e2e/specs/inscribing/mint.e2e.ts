import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { MintResult } from '../../../src/provider/inscribe-params.ts'
import type { Dapp } from '../../driver/driver.ts'
import { readJobs } from '../../driver/inscribing.ts'
import { describeRows, readPictures } from '../../driver/pictures.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import {
  type Content,
  expectMinted,
  heightOf,
  listMined,
  listWaiting,
  textContent,
} from '../../fixtures/ordinals/mined-inscriptions.ts'
import { drawPixelArt, paintPixelArt } from '../../fixtures/ordinals/pixel-art.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

const TEXT = 61
const IMAGE = 62
/** An address of nobody in particular: BIP-173's example key. */
const STRANGER = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** What nodes take as descendants of one unconfirmed transaction, itself counted. */
const MOST_IN_A_ROW = 25

const SEEDS = [0, 1, 2, 3, 4]
const IMAGES = SEEDS.map(drawPixelArt)
const [PNG = ''] = IMAGES.map(image => image.toString('hex'))

/** What a page may get wrong, and the field that the error has to name. */
const WRONG: [string, object][] = [
  ['type', { type: 63 }],
  ['type', { type: '61' }],
  ['type', { type: undefined }],
  ['from', { from: undefined }],
  ['from', { from: 7 }],
  ['feeRate', { feeRate: -1 }],
  ['inscriptions', { inscriptions: undefined }],
  ['inscriptions', { inscriptions: [] }],
  ['inscriptions', { inscriptions: Array(MOST_IN_A_ROW).fill({ body: 'x' }) }],
  ['inscriptions[1].body', { inscriptions: [{ body: 'x' }, {}] }],
  ['inscriptions[0].body', { inscriptions: [{ body: 7 }] }],
  ['inscriptions[0].contentType', { inscriptions: [{ contentType: 'image/png', body: PNG }] }],
  ['inscriptions[0].contentType', { type: IMAGE, inscriptions: [{ body: PNG }] }],
  [
    'inscriptions[0].body',
    { type: IMAGE, inscriptions: [{ contentType: 'image/png', body: 'no hex' }] },
  ],
  [
    'inscriptions[0].body',
    { type: IMAGE, inscriptions: [{ contentType: 'image/jpeg', body: PNG }] },
  ],
]

describe.each(browsersFor('mint'))('mint in %s', browser => {
  let world: World
  let dapp: Dapp
  let address: string

  beforeAll(async () => {
    world = await startWorld(browser)
    dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
    await world.devnet.faucet(address, 1_000_000n)
  })
  afterAll(() => world?.stop())
  afterEach(async () => {
    expect(await world.wallet.countApprovalWindows()).toBe(0)
  })

  const ask = (changes: object) =>
    dapp.request('mint', {
      ...{ type: TEXT, from: address, inscriptions: [{ body: 'hello' }], feeRate: 7 },
      ...changes,
    })

  /** Has it approved, after a look at the screen, and mined; holds everything against node and index. */
  const mint = async (
    changes: object,
    { feeRate, contents }: { feeRate: number; contents: readonly Content[] },
    inspect: (screen: Awaited<ReturnType<World['wallet']['nextApproval']>>) => Promise<void>,
  ) => {
    const { wallet, devnet } = world
    const above = await heightOf(devnet)
    const minting = ask({ ...changes, feeRate })
    const approval = await wallet.nextApproval()
    await inspect(approval)
    await approval.approve()
    const result = await resultOf<MintResult>(minting)
    await wallet.waitForNoApproval()
    await devnet.mine()
    await expectMinted(devnet, result, { above, address, feeRate, contents })
    return result
  }

  it('inscribes two texts after all of it was shown, at the fees that are the rule', async () => {
    const inscriptions = [
      { body: 'hello' },
      { contentType: 'text/plain;charset=utf-8', body: 'world' },
    ]
    const contents = ['hello', 'world'].map(text => textContent(text))
    const result = await mint({ inscriptions }, { feeRate: 7, contents }, async screen => {
      expect(screen.title).toBe('You inscribe 2 inscriptions for 4,417 sats')
      for (const content of ['hello', 'world']) await screen.waitForText(content)
      const text = await screen.text()
      for (const shown of [
        '973 sats fee',
        ...[
          '3,325 sats',
          '1,379 sats for the payment',
          '1,946 sats for 2 inscriptions',
          '7 sat/vB',
        ],
        ...['1,092 sats', '546 sats each, yours'],
        ...['127.0.0.1', `${address.slice(0, 6)}`],
      ])
        expect(text).toContain(shown)
    })
    expect(result).toMatchObject({ commitTxFee: 1379, revealTxFees: [973, 973] })
  })

  it('inscribes five images, each of which is seen before', async () => {
    const inscriptions = IMAGES.map(image => ({
      contentType: 'image/png',
      body: image.toString('hex'),
    }))
    const contents = IMAGES.map(body => ({ type: 'image/png', body }))
    const order = { feeRate: 2.5, contents }
    await mint({ type: IMAGE, inscriptions }, order, async screen => {
      expect(screen.title).toMatch(/^You inscribe 5 inscriptions for /)
      await expect
        .poll(() => screen.evaluate(readPictures))
        .toEqual(SEEDS.map(seed => ({ label: null, ...describeRows(paintPixelArt(seed)) })))
      expect(await screen.text()).toContain('2.5 sat/vB')
    })
  })

  it('inscribes as many as nodes take in a row, of any script and type', async () => {
    const texts = Array.from({ length: MOST_IN_A_ROW - 1 }, (_, i) => `${i} – Grüße, 世界 🧡\n`)
    const type = 'text/markdown;charset=utf-8'
    const inscriptions = texts.map(body => ({ contentType: type, body }))
    const contents = texts.map(text => textContent(text, type))
    await mint({ inscriptions }, { feeRate: 1, contents }, async screen => {
      expect(screen.title).toMatch(/^You inscribe 24 inscriptions for /)
      for (const text of texts) await screen.waitForText(text.trim())
    })
  })

  it('rejected, or its window closed, is 4001 and leaves nothing on the chain', async () => {
    const { wallet, devnet } = world
    const above = await heightOf(devnet)
    const before = await resultOf(dapp.request('getBalance'))
    const jobs = async () => (await readJobs(wallet)).map(({ id }) => id)
    const known = await jobs()
    for (const end of ['reject', 'close'] as const) {
      const minting = ask({})
      await (await wallet.nextApproval())[end]()
      expect(await minting).toMatchObject({ error: { code: 4001, isError: true } })
      await wallet.waitForNoApproval()
    }
    expect(await listWaiting(devnet)).toEqual([])
    await devnet.mine()
    expect(await listMined(devnet, above)).toEqual([])
    expect(await resultOf(dapp.request('getBalance'))).toEqual(before)
    expect(await jobs()).toEqual(known)
  })

  it('asked in a wrong way names the field, and nobody is asked', async () => {
    for (const [field, changes] of WRONG) {
      const answer = await ask(changes)
      expect(answer, JSON.stringify(changes).slice(0, 100)).toMatchObject({
        error: { code: -32602, isError: true },
      })
      expect(Object(answer).error.message.slice(0, field.length + 2)).toBe(`${field}: `)
    }
    expect(await dapp.request('mint')).toMatchObject({ error: { code: -32602 } })
    expect(await ask({ from: STRANGER })).toMatchObject({ error: { code: 4100 } })
    expect(await ask({ feeRate: 5_000 })).toMatchObject({
      error: { code: -32000, data: { reason: 'INSUFFICIENT_FUNDS' } },
    })
    expect(await listWaiting(world.devnet)).toEqual([])
  })
})
