import { describe, expect, it } from 'vitest'
import { type AtomicalCoin, startWithAtomicals } from '../testing/atomical-wallet.ts'
import {
  dieAfter,
  inputsOf,
  outputsOf,
  RECIPIENT,
  readBroadcast,
  SITE,
} from '../testing/funded-wallet.ts'
import { decideAll, decideNext, openPage, startWorker } from '../testing/test-wallet.ts'
import type { PaymentReview } from '../views/payment-views.ts'

type Started = Awaited<ReturnType<typeof startWithAtomicals>>

const THREE: AtomicalCoin[] = [
  { sats: 546n, with: [{ name: 'first' }] },
  { sats: 9_000n, with: [{}] },
  { sats: 700n, with: [{}] },
]
const INSCRIBED: AtomicalCoin[] = [
  { sats: 800n, with: [], inscribed: [{ offset: 3n, body: 'a' }] },
  { sats: 546n, with: [], inscribed: [{ body: 'b' }] },
]

async function transfer(started: Started, data: unknown) {
  const { worker, page, account, world } = started
  const answer = page.call('transferNft', { from: account.address, to: RECIPIENT, data })
  const { review } = await decideNext(worker, 'approve', 'payment')
  const response = await answer
  if (!('result' in response)) throw new Error(response.error.message)
  const { txhash } = response.result as { txhash: string }
  return { txhash, review: review as PaymentReview, sent: readBroadcast(world, txhash) }
}

/** Ids of the inscriptions on these coins. */
function inscribedOn({ world }: Started, ...outpoints: (string | undefined)[]): string[] {
  return outpoints.flatMap(outpoint =>
    world.assets
      .truth(outpoint ?? '')
      .flatMap(asset => (asset.kind === 'inscription' ? asset.id : [])),
  )
}

describe('transferNft of Atomicals', () => {
  it('moves a batch in one transaction, input i to output i, in the order that was asked', async () => {
    const started = await startWithAtomicals(THREE)
    const { keys, assets, outpoints } = started
    const { txhash, review, sent } = await transfer(started, [keys[2], keys[0], keys[1]])
    expect(inputsOf(sent).slice(0, 3)).toEqual([outpoints[2], outpoints[0], outpoints[1]])
    expect(outputsOf(sent).slice(0, 3)).toEqual(
      [700n, 546n, 9_000n].map(sats => ({ address: RECIPIENT, sats })),
    )
    expect(started.assetsAfter(txhash)).toEqual([
      `0 ${keys[2]} 1`,
      `1 ${keys[0]} 1`,
      `2 ${keys[1]} 1`,
    ])
    expect(review).toMatchObject({
      ...{ purpose: 'transfer', asked: 3, sats: '10246' },
      assets: [
        { asset: { id: assets[2]?.id }, input: 0, output: 0, to: 'foreign' },
        { asset: { id: assets[0]?.id, name: 'first' }, input: 1, output: 1, to: 'foreign' },
        { asset: { id: assets[1]?.id }, input: 2, output: 2, to: 'foreign' },
      ],
    })
  })

  it('takes a single id as text', async () => {
    const started = await startWithAtomicals(THREE)
    const { txhash } = await transfer(started, started.keys[1])
    expect(started.assetsAfter(txhash)).toEqual([`0 ${started.keys[1]} 1`])
  })

  it('moves them together with inscriptions: every coin to an output of its own, those with NFTs first', async () => {
    const started = await startWithAtomicals([...INSCRIBED, ...THREE])
    const { world, keys, outpoints } = started
    const [a = '', b = ''] = inscribedOn(started, ...outpoints)
    const { txhash, review, sent } = await transfer(started, [a, keys[0], `${b}-Ordinals`, keys[2]])
    const order = [outpoints[2], outpoints[4], outpoints[0], outpoints[1]]
    expect(inputsOf(sent).slice(0, 4)).toEqual(order)
    expect(outputsOf(sent).slice(0, 4)).toEqual(
      [546n, 700n, 800n, 546n].map(sats => ({ address: RECIPIENT, sats })),
    )
    expect(started.assetsAfter(txhash)).toEqual([`0 ${keys[0]} 1`, `1 ${keys[2]} 1`])
    const truth = [2, 3].map(vout => world.assets.truth(`${txhash}:${vout}`))
    expect(truth).toEqual([
      [{ kind: 'inscription', id: a, offset: 3n }],
      [{ kind: 'inscription', id: b, offset: 0n }],
    ])
    expect(review).toMatchObject({ asked: 4, sats: '2592' })
    expect(
      review.assets.every(({ to, address }) => to === 'foreign' && address === RECIPIENT),
    ).toBe(true)
  })

  it('moves a coin once that holds several of those asked for, with an inscription among them', async () => {
    const coins = [{ sats: 800n, with: [{}, {}], inscribed: [{ offset: 700n, body: 'c' }] }]
    const started = await startWithAtomicals(coins)
    const { keys, outpoints } = started
    const [id = ''] = inscribedOn(started, outpoints[0])
    const { txhash, review, sent } = await transfer(started, [keys[1], id, keys[0]])
    expect(inputsOf(sent)[0]).toBe(outpoints[0])
    expect(outputsOf(sent).filter(({ address }) => address === RECIPIENT)).toHaveLength(1)
    expect(started.assetsAfter(txhash).toSorted()).toEqual(
      [`0 ${keys[0]} 1`, `0 ${keys[1]} 1`].toSorted(),
    )
    expect(review.asked).toBe(3)
  })

  it('puts coins with units first, so that these stay where they are', async () => {
    const coins = [
      { sats: 546n, with: [{}] },
      { sats: 900n, with: [{}, { type: 'ft' as const, amount: 900n }] },
    ]
    const started = await startWithAtomicals(coins)
    const [plain, beside, units] = started.keys
    const { txhash } = await transfer(started, [plain, beside])
    expect(started.assetsAfter(txhash)).toEqual([`0 ${beside} 1`, `0 ${units} 900`, `1 ${plain} 1`])
  })

  it('moves 100 at once, each to its own output', async () => {
    const coins = Array.from({ length: 100 }, (_, n) => ({ sats: 546n + BigInt(n), with: [{}] }))
    const started = await startWithAtomicals(coins, [200_000n])
    const data = started.keys.toReversed()
    const { txhash } = await transfer(started, data)
    expect(started.assetsAfter(txhash)).toEqual(data.map((key, vout) => `${vout} ${key} 1`))
  })
})

describe('transferNft refuses', () => {
  it('batches with anything that is not there by that name, and signs nothing', async () => {
    const started = await startWithAtomicals([...INSCRIBED, ...THREE])
    const { world, page, account, keys, assets, outpoints } = started
    const [a = ''] = inscribedOn(started, outpoints[0])
    const { shown } = world.window
    const wrong = [
      [keys[0], assets[0]?.id],
      [keys[0], `${assets[1]?.id}-Ordinals`],
      [a, `${a}-Atomicals`],
      [keys[0], `${assets[1]?.id}-atomicals`],
      [keys[0], keys[0]],
      [keys[0], `${'ab'.repeat(32)}i0-Atomicals`],
    ]
    for (const data of wrong) {
      const order = { from: account.address, to: RECIPIENT, data }
      expect(await page.call('transferNft', order)).toMatchObject({
        error: { code: -32602, message: expect.stringContaining('data') },
      })
    }
    expect(world.window.shown).toBe(shown)
    expect(world.chain.broadcasts).toEqual([])
  })

  it('tokens, alone and in a batch, and says how their units are sent', async () => {
    const token = { sats: 900n, with: [{ type: 'ft' as const, amount: 900n }] }
    const { world, page, account, keys } = await startWithAtomicals([...THREE, token])
    const { shown } = world.window
    for (const data of [keys[3], [keys[0], keys[3]]]) {
      const order = { from: account.address, to: RECIPIENT, data }
      expect(await page.call('transferNft', order)).toMatchObject({
        error: { code: -32602, message: expect.stringMatching(/data.*amount/) },
      })
    }
    expect(world.window.shown).toBe(shown)
  })

  it('coins whose units would end on the outputs of others', async () => {
    const token = { type: 'ft' as const, id: `${'ef'.repeat(32)}i0` }
    const coins = [
      { sats: 546n, with: [{}, { ...token, amount: 100n }] },
      { sats: 900n, with: [{}, { ...token, amount: 900n }] },
    ]
    const { world, page, account, keys } = await startWithAtomicals(coins)
    const { shown } = world.window
    const order = { from: account.address, to: RECIPIENT, data: [keys[0], keys[2]] }
    expect(await page.call('transferNft', order)).toMatchObject({
      error: { code: -32000, data: { reason: 'PROTECTED_ASSET' } },
    })
    expect(world.window.shown).toBe(shown)
  })

  it('a whole batch, inscriptions too, of which the server sees an Atomical go elsewhere', async () => {
    const started = await startWithAtomicals([...INSCRIBED, ...THREE])
    const { world, page, account, keys, assets, outpoints } = started
    const [a = ''] = inscribedOn(started, outpoints[0])
    const id = assets[0]?.id ?? ''
    world.atomicals.foretell(() => {
      return { outputs: [{ output: 1, id, type: 'nft', amount: 1n }], burned: [] }
    })
    const { shown } = world.window
    const order = { from: account.address, to: RECIPIENT, data: [a, keys[0]] }
    expect(await page.call('transferNft', order)).toMatchObject({
      error: { data: { reason: 'PROTECTED_ASSET' } },
    })
    expect(world.window.shown).toBe(shown)
    // Of inscriptions alone nobody asks it.
    const { asked } = world.atomicals
    asked.length = 0
    await transfer(started, [a])
    expect(asked).not.toContain('foresee')
  })

  it('Atomicals in a batch where no server tells of them', async () => {
    const started = await startWithAtomicals([...INSCRIBED, ...THREE])
    const { world, page, account, keys, outpoints } = started
    const [a = ''] = inscribedOn(started, outpoints[0])
    world.atomicals.faults.none = true
    const order = { from: account.address, to: RECIPIENT, data: [a, keys[0]] }
    expect(await page.call('transferNft', order)).toMatchObject({ error: { code: 4200 } })
    expect(world.chain.broadcasts).toEqual([])
  })
})

describe('a worker that dies', () => {
  /** Every write to storage that a transfer makes, as a moment to die after. */
  const moments = Array.from({ length: 15 }, (_, index) => index)

  it.each(moments)('after write %i of a mixed batch moves it exactly once', async moment => {
    const started = await startWithAtomicals([...INSCRIBED, ...THREE])
    const { world, account, keys, outpoints } = started
    const [a = ''] = inscribedOn(started, outpoints[0])
    const order = { from: account.address, to: RECIPIENT, data: [a, keys[0]] }
    const dying = startWorker(dieAfter(world, moment))
    void openPage(dying, SITE).send('move-1', 'transferNft', order)
    // Hangs where the worker does.
    void decideNext(dying, 'approve', 'payment').catch(() => {})
    await new Promise(resolve => setTimeout(resolve, 400))

    const second = startWorker(world)
    const page = openPage(second, SITE)
    const response = await decideAll(second, 'approve', page.send('move-1', 'transferNft', order))
    const [txhash = ''] = world.chain.broadcasts
    expect(response).toMatchObject({ result: { txhash } })
    expect(await page.send('move-1', 'transferNft', order)).toEqual(response)
    expect(new Set(world.chain.broadcasts).size).toBe(1)
    expect(started.assetsAfter(txhash)).toEqual([`0 ${keys[0]} 1`])
    expect(inscribedOn(started, `${txhash}:1`)).toEqual([a])
  })
})
