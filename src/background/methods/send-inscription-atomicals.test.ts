import { describe, expect, it } from 'vitest'
import { startWithAtomicals } from '../testing/atomical-wallet.ts'
import { inputsOf, outputsOf, RECIPIENT, readBroadcast, SITE } from '../testing/funded-wallet.ts'
import { decideNext, fund, nextApproval } from '../testing/test-wallet.ts'
import type { PaymentReview } from '../views/payment-views.ts'

type Started = Awaited<ReturnType<typeof startWithAtomicals>>

const NFT = { sats: 546n, with: [{}] }
const NOT_FOUND = { code: -32602, message: expect.stringContaining('inscriptionId') }

/** Sends with the person's approval; what was shown, and the transaction as the independent implementation reads it. */
async function sendOne({ world, worker, page }: Started, ...params: unknown[]) {
  const answer = page.call('sendInscription', ...params)
  const { review } = await decideNext(worker, 'approve', 'payment')
  const response = await answer
  if (!('result' in response)) throw new Error(response.error.message)
  const txid = String(response.result)
  return { txid, review: review as PaymentReview, sent: readBroadcast(world, txid) }
}

function namesOf({ assets }: PaymentReview): string[] {
  return assets.map(({ asset }) => ('id' in asset ? asset.id : asset.name))
}

/** Nothing was asked, signed or sent. */
function expectNothing({ world }: Pick<Started, 'world'>, shown: number): void {
  expect(world.window.shown).toBe(shown)
  expect(world.chain.broadcasts).toEqual([])
}

describe('sendInscription of an Atomical', () => {
  it('moves the NFT to the receiver, as the first input to the first output of the same sats', async () => {
    const started = await startWithAtomicals([{ sats: 700n, with: [{ name: 'satchel' }] }])
    const { world, worker, account, keys, assets, outpoints } = started
    const { txid, review, sent } = await sendOne(started, RECIPIENT, keys[0], { feeRate: 3 })
    expect(world.chain.broadcasts).toEqual([txid])
    expect(inputsOf(sent)[0]).toBe(outpoints[0])
    expect(outputsOf(sent)).toMatchObject([
      { address: RECIPIENT, sats: 700n },
      { address: account.address },
    ])
    expect(started.assetsAfter(txid)).toEqual([`0 ${keys[0]} 1`])
    expect(review).toMatchObject({
      ...{ purpose: 'transfer', asked: 1 },
      recipients: [{ address: RECIPIENT, sats: '700' }],
      assets: [
        {
          asset: { kind: 'atomical', id: assets[0]?.id, name: 'satchel' },
          ...{ input: 0, own: true, to: 'foreign', output: 0, address: RECIPIENT },
        },
      ],
      fee: String(Math.ceil(sent.vsize * 3)),
    })
    const { activity } = await worker.ui('getOverview', null)
    expect(activity[0]).toMatchObject({
      ...{ txid, kind: 'sent', origin: SITE, counterparty: RECIPIENT },
      about: { kind: 'nft', inscription: keys[0] },
    })
  })

  it('leaves a large coin whole: an Atomical follows no sats', async () => {
    const started = await startWithAtomicals([{ sats: 60_000n, with: [{}] }])
    const { txid, review, sent } = await sendOne(started, RECIPIENT, started.keys[0])
    expect(outputsOf(sent)[0]).toEqual({ address: RECIPIENT, sats: 60_000n })
    expect(started.assetsAfter(txid)).toEqual([`0 ${started.keys[0]} 1`])
    expect(review.warnings).toContainEqual({ kind: 'large-postage', sats: '60000' })
  })

  it('shows all that goes along on the same coin: NFTs, units and inscriptions', async () => {
    const with_ = [{}, {}, { type: 'ft' as const, amount: 546n }]
    const started = await startWithAtomicals([{ sats: 546n, with: with_, inscribed: [{}] }])
    const { world, assets, keys, outpoints } = started
    const [{ id = '' } = {}] = world.assets
      .truth(outpoints[0] ?? '')
      .flatMap(asset => (asset.kind === 'inscription' ? asset : []))
    const { txid, review } = await sendOne(started, RECIPIENT, keys[1])
    expect(review.asked).toBe(1)
    expect(namesOf(review)[0]).toBe(assets[1]?.id)
    expect(namesOf(review).toSorted()).toEqual([...assets.map(one => one.id), id].toSorted())
    expect(review.assets.map(({ to }) => to)).toEqual(['foreign', 'foreign', 'foreign', 'foreign'])
    expect(started.assetsAfter(txid).toSorted()).toEqual(
      [`0 ${keys[0]} 1`, `0 ${keys[1]} 1`, `0 ${keys[2]} 546`].toSorted(),
    )
  })

  it('moves one back to the account itself, and knows it there before a block has it', async () => {
    const started = await startWithAtomicals([NFT])
    const { worker, account, keys, assets } = started
    const { txid } = await sendOne(started, account.address, keys[0])
    const coins = await worker.ui('getCoins', null)
    expect(coins.find(({ outpoint }) => outpoint === `${txid}:0`)).toMatchObject({
      held: 'atomical',
      assets: [{ id: assets[0]?.id }],
    })
    expect(coins.find(({ outpoint }) => outpoint === `${txid}:1`)).toMatchObject({ held: null })
  })

  it('is told from the inscription of the same id by the protocol that is asked for', async () => {
    const started = await startWithAtomicals([])
    const { world, account } = started
    const [inscribed, minted] = [700n, 600n].map(sats => `${fund(world, account.address, sats)}:0`)
    const id = world.assets.inscribe(inscribed ?? '', { body: 'same' })
    world.atomicals.mint(minted ?? '', { id })
    world.atomicals.foretell(() => {
      return { outputs: [{ output: 0, id, type: 'nft', amount: 1n }], burned: [] }
    })
    const { sent } = await sendOne(started, RECIPIENT, `${id}-Atomicals`)
    expect(inputsOf(sent)[0]).toBe(minted)
    expect(inputsOf(sent)).not.toContain(inscribed)
    const { sent: other } = await sendOne(started, RECIPIENT, `${id}-Ordinals`)
    expect(inputsOf(other)[0]).toBe(inscribed)
  })

  it('signs nothing when the index finds more on a coin than was shown', async () => {
    for (const isFee of [false, true]) {
      const started = await startWithAtomicals([NFT], [50_000n])
      const { worker, page, world, keys, outpoints, txids } = started
      const answer = page.call('sendInscription', RECIPIENT, keys[0])
      const { key, digest } = await nextApproval(worker, 'payment')
      world.atomicals.mint(isFee ? `${txids[0]}:0` : (outpoints[0] ?? ''))
      await worker.ui('decide', { key, digest, decision: 'approve' })
      expect(await answer).toMatchObject({ error: { data: { reason: 'PLAN_OUTDATED' } } })
      expect(world.chain.broadcasts).toEqual([])
    }
  })

  it('goes as it was shown when the server is silent by the time of the approval', async () => {
    const started = await startWithAtomicals([NFT])
    const { worker, page, world, keys } = started
    const answer = page.call('sendInscription', RECIPIENT, keys[0])
    const { key, digest } = await nextApproval(worker, 'payment')
    world.atomicals.faults.unreachable = true
    await worker.ui('decide', { key, digest, decision: 'approve' })
    const response = await answer
    const txid = 'result' in response ? String(response.result) : ''
    expect(started.assetsAfter(txid)).toEqual([`0 ${keys[0]} 1`])
  })
})

describe('sendInscription refuses', () => {
  it('ids with another protocol behind them', async () => {
    const started = await startWithAtomicals([NFT])
    const { page, world, assets } = started
    const { shown } = world.window
    const wrong = ['-atomicals', '-ATOMICALS', '-Atomicals ', '-Atomicals-Ordinals', '-Runes', '-']
    for (const suffix of wrong) {
      const id = `${assets[0]?.id}${suffix}`
      expect(await page.call('sendInscription', RECIPIENT, id)).toMatchObject({ error: NOT_FOUND })
    }
    expectNothing(started, shown)
  })

  it('the id of an Atomical as that of an inscription, and the reverse, also where both are on one coin', async () => {
    const coins = [{ sats: 900n, with: [{}], inscribed: [{ body: 'both' }] }]
    const started = await startWithAtomicals(coins)
    const { page, world, assets, outpoints } = started
    const { shown } = world.window
    const [inscription] = world.assets.truth(outpoints[0] ?? '')
    const inscribed = inscription?.kind === 'inscription' ? inscription.id : ''
    const wrong = [`${assets[0]?.id}`, `${assets[0]?.id}-Ordinals`, `${inscribed}-Atomicals`]
    for (const id of wrong)
      expect(await page.call('sendInscription', RECIPIENT, id)).toMatchObject({ error: NOT_FOUND })
    expectNothing(started, shown)
  })

  it('a token, and says how its units are sent', async () => {
    const started = await startWithAtomicals([{ sats: 900n, with: [{ type: 'ft', amount: 900n }] }])
    const { page, world, keys } = started
    const { shown } = world.window
    expect(await page.call('sendInscription', RECIPIENT, keys[0])).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/inscriptionId.*amount/) },
    })
    expectNothing(started, shown)
  })

  it('Atomicals that it knows of once no server is set any more', async () => {
    const started = await startWithAtomicals([NFT])
    const { worker, page, world, keys } = started
    await worker.ui('getCoins', null)
    const { shown } = world.window
    world.atomicals.faults.none = true
    expect(await page.call('sendInscription', RECIPIENT, keys[0])).toMatchObject({
      error: { code: 4200, message: expect.stringContaining('Atomicals') },
    })
    expectNothing(started, shown)
  })

  it('what the server sees burned, elsewhere, or not at all', async () => {
    const started = await startWithAtomicals([NFT])
    const { page, world, keys, assets } = started
    const { shown } = world.window
    const id = assets[0]?.id ?? ''
    const there = { id, type: 'nft' as const, amount: 1n }
    for (const blueprint of [
      { outputs: [], burned: [{ id, amount: 1n }] },
      { outputs: [{ ...there, output: 0 }], burned: [{ id, amount: 1n }] },
      { outputs: [{ ...there, output: 1 }], burned: [] },
      {
        outputs: [
          { ...there, output: 0 },
          { ...there, id: `${'cd'.repeat(32)}i0`, output: 0 },
        ],
        burned: [],
      },
      { outputs: [], burned: [] },
    ]) {
      world.atomicals.foretell(() => blueprint)
      expect(await page.call('sendInscription', RECIPIENT, keys[0])).toMatchObject({
        error: { code: -32000, data: { reason: 'PROTECTED_ASSET' } },
      })
    }
    expectNothing(started, shown)
  })

  it('everything while the server does not answer, or cannot say what it would make of it', async () => {
    const started = await startWithAtomicals([NFT])
    const { page, world, worker, keys } = started
    await worker.ui('getCoins', null)
    const { shown } = world.window
    world.atomicals.faults.unreachable = true
    expect(await page.call('sendInscription', RECIPIENT, keys[0])).toMatchObject({
      error: { code: -32000 },
    })
    world.atomicals.faults.unreachable = false
    world.atomicals.foretell(() => {
      throw new Error('not to be asked')
    })
    expect(await page.call('sendInscription', RECIPIENT, keys[0])).toHaveProperty('error')
    expectNothing(started, shown)
  })

  it('what sits on a coin of unknown content, and what its own transaction contradicts', async () => {
    const started = await startWithAtomicals([NFT])
    const { page, world, keys, outpoints } = started
    const { shown } = world.window
    for (const why of ['behind', 'contradicted'] as const) {
      world.atomicals.lie(outpoints[0] ?? '', { known: false, why })
      expect(await page.call('sendInscription', RECIPIENT, keys[0])).toMatchObject({
        error: { data: { reason: 'PROTECTED_ASSET', why } },
      })
    }
    expectNothing(started, shown)
  })

  it('an NFT for the fee of another: it says what is held instead', async () => {
    const coins = [NFT, { sats: 90_000n, with: [{}] }]
    const started = await startWithAtomicals(coins, [])
    const { page, keys, world } = started
    expect(await page.call('sendInscription', RECIPIENT, keys[0], { feeRate: 1 })).toMatchObject({
      error: { code: -32000, data: { reason: 'COINS_HELD' } },
    })
    expect(world.chain.broadcasts).toEqual([])
  })
})
