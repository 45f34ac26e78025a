import { describe, expect, it } from 'vitest'
import {
  dieAfter,
  inputsOf,
  outputsOf,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
  SITE,
} from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import { decideNext, openPage, startWorker, type Worker } from '../testing/test-wallet.ts'

const ONE = { with: [{}] }
const THREE = [
  { sats: 546n, ...ONE },
  { sats: 10_000n, with: [{ offset: 9_999n }] },
  { sats: 700n, with: [{ offset: 3n }] },
]

describe('transferNft', () => {
  it('moves a batch in one transaction, input i to output i, in the order that was asked', async () => {
    const started = await startInscribed(THREE)
    const { world, worker, account, page, ids, outpoints } = started
    const data = [ids[2], `${ids[0]}-Ordinals`, ids[1]]
    const answer = page.call('transferNft', {
      from: account.address,
      to: RECIPIENT,
      data,
      type: 26,
    })
    const { review } = await decideNext(worker, 'approve', 'payment')
    const response = await answer
    const { txhash } = ('result' in response ? response.result : {}) as { txhash: string }
    expect(Object.keys(Object('result' in response ? response.result : {}))).toEqual(['txhash'])
    const sent = readBroadcast(world, txhash)
    expect(inputsOf(sent).slice(0, 3)).toEqual([outpoints[2], outpoints[0], outpoints[1]])
    expect(outputsOf(sent).slice(0, 3)).toEqual(
      [700n, 546n, 10_000n].map(sats => ({ address: RECIPIENT, sats })),
    )
    const truth = [0, 1, 2].map(vout => world.assets.truth(`${txhash}:${vout}`))
    expect(truth).toEqual([
      [{ kind: 'inscription', id: ids[2], offset: 3n }],
      [{ kind: 'inscription', id: ids[0], offset: 0n }],
      [{ kind: 'inscription', id: ids[1], offset: 9_999n }],
    ])
    expect(review).toMatchObject({
      ...{ purpose: 'transfer', asked: 3, sats: '11246' },
      assets: [
        { asset: { id: ids[2] }, input: 0, output: 0, offset: '3' },
        { asset: { id: ids[0] }, input: 1, output: 1, offset: '0' },
        { asset: { id: ids[1] }, input: 2, output: 2, offset: '9999' },
      ],
    })
  })

  it('moves a coin once that holds several of those asked for', async () => {
    const coins = [
      { sats: 800n, with: [{ offset: 0n }, { offset: 700n }] },
      { sats: 546n, ...ONE },
    ]
    const { world, worker, account, page, ids, outpoints } = await startInscribed(coins)
    const order = { from: account.address, to: RECIPIENT, data: [ids[1], ids[2], ids[0]] }
    const answer = page.call('transferNft', order)
    const { review } = await decideNext(worker, 'approve', 'payment')
    const response = await answer
    const { txhash } = ('result' in response ? response.result : {}) as { txhash: string }
    const sent = readBroadcast(world, txhash)
    expect(inputsOf(sent).slice(0, 2)).toEqual(outpoints)
    expect(outputsOf(sent).filter(({ address }) => address === RECIPIENT)).toHaveLength(2)
    expect(review).toMatchObject({
      asked: 3,
      assets: [
        { asset: { id: ids[1] }, output: 0, offset: '700' },
        { asset: { id: ids[2] }, output: 1 },
        { asset: { id: ids[0] }, output: 0, offset: '0' },
      ],
    })
  })

  it('warns of large coins of a batch, which it moves whole', async () => {
    const coins = [
      { sats: 60_000n, ...ONE },
      { sats: 546n, ...ONE },
    ]
    const { worker, account, page, ids } = await startInscribed(coins)
    const answer = page.call('transferNft', { from: account.address, to: RECIPIENT, data: ids })
    const { review } = await decideNext(worker, 'approve', 'payment')
    expect(review).toMatchObject({ warnings: [{ kind: 'large-postage', sats: '60000' }] })
    expect(await answer).toHaveProperty('result')
  })

  it('takes a single id as text', async () => {
    const { worker, account, page, ids } = await startInscribed([{ sats: 546n, ...ONE }])
    const answer = page.call('transferNft', { from: account.address, to: RECIPIENT, data: ids[0] })
    await decideNext(worker, 'approve', 'payment')
    expect(await answer).toMatchObject({
      result: { txhash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
  })

  it('refuses another sender, and ids that are none, not there, or there twice', async () => {
    const { account, page, ids, world } = await startInscribed(THREE)
    const from = account.address
    expect(
      await page.call('transferNft', { from: RECIPIENT, to: RECIPIENT, data: ids }),
    ).toMatchObject({
      error: { code: 4100 },
    })
    const wrong = [[], [ids[0], ids[0]], [ids[0], `${ids[0]}-Ordinals`], [ids[0], 'x'], {}, null]
    const many = Array.from({ length: 101 }, (_, n) => `${'ab'.repeat(32)}i${n}`)
    for (const data of [...wrong, many, [ids[0], `${'ab'.repeat(32)}i0`]]) {
      expect(await page.call('transferNft', { from, to: RECIPIENT, data })).toMatchObject({
        error: { code: -32602, message: expect.stringContaining('data') },
      })
    }
    expect(
      await page.call('transferNft', {
        from,
        to: RECIPIENT,
        data: [ids[0], `${ids[1]}-Atomicals`],
      }),
    ).toMatchObject({ error: { code: 4200, message: expect.stringContaining('server') } })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('moves 100 at once, each to its own output', async () => {
    const coins = Array.from({ length: 100 }, (_, n) => ({
      sats: 546n + BigInt(n),
      with: [{ offset: BigInt((n * 31) % 546) }],
    }))
    const { world, worker, account, page, ids } = await startInscribed(coins, [200_000n])
    const data = ids.toReversed()
    const answer = page.call('transferNft', { from: account.address, to: RECIPIENT, data })
    await decideNext(worker, 'approve', 'payment')
    const response = await answer
    const { txhash } = ('result' in response ? response.result : {}) as { txhash: string }
    const sent = readBroadcast(world, txhash)
    expect(sent.inputsLength).toBe(101)
    for (const [vout, id] of data.entries()) {
      expect(outputsOf(sent)[vout]?.address).toBe(RECIPIENT)
      const offset = BigInt(((99 - vout) * 31) % 546)
      expect(world.assets.truth(`${txhash}:${vout}`)).toEqual([{ kind: 'inscription', id, offset }])
    }
  })

  it('gives each of two that are asked for at once a fee of its own', async () => {
    const { world, worker, account, page, ids } = await startInscribed(THREE)
    const answers = [RECIPIENT, SECOND_RECIPIENT].map((to, n) =>
      page.call('transferNft', { from: account.address, to, data: [ids[n]] }),
    )
    await decideNext(worker, 'approve', 'payment')
    await decideNext(worker, 'approve', 'payment')
    for (const answer of answers) expect(await answer).toHaveProperty('result')
    const spent = world.chain.broadcasts.flatMap(txid => inputsOf(readBroadcast(world, txid)))
    expect(new Set(spent).size).toBe(4)
  })
})

describe('a worker that dies', () => {
  /** Every write to storage that a transfer makes, as a moment to die after. */
  const moments = Array.from({ length: 15 }, (_, index) => index)

  it.each(moments)('after write %i of a transfer moves it exactly once', async moment => {
    const { world, account, ids } = await startInscribed([{ sats: 546n, ...ONE }])
    const order = { from: account.address, to: RECIPIENT, data: ids }
    const dying = startWorker(dieAfter(world, moment))
    void openPage(dying, SITE).send('move-1', 'transferNft', order)
    // Hangs where the worker does.
    void decideNext(dying, 'approve', 'payment').catch(() => {})
    await new Promise(resolve => setTimeout(resolve, 400))

    const second = startWorker(world)
    const page = openPage(second, SITE)
    const answer = page.send('move-1', 'transferNft', order)
    const approving = approveAny(second)
    const response = await answer
    approving.stop()
    expect(new Set(world.chain.broadcasts).size).toBe(1)
    const [txhash = ''] = world.chain.broadcasts
    expect(response).toMatchObject({ result: { txhash } })
    expect(await page.send('move-1', 'transferNft', order)).toEqual(response)
    expect(new Set(world.chain.broadcasts).size).toBe(1)
    expect(world.assets.truth(`${txhash}:0`)).toMatchObject([{ id: ids[0] }])
  })
})

function approveAny(worker: Worker) {
  const timer = setInterval(async () => {
    const approval = await worker.ui('getApproval', null)
    if (!approval) return
    const { key, digest } = approval
    await worker.ui('decide', { key, digest, decision: 'approve' })
  }, 5)
  return { stop: () => clearInterval(timer) }
}
