import { describe, expect, it } from 'vitest'
import { toBase64, toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { parseEnvelopes } from '../../ordinals/inscriptions/envelope.ts'
import { tinyImage } from '../../ordinals/testing/tiny-images.ts'
import type { MintResult } from '../../provider/inscribe-params.ts'
import { refreshJobs } from '../inscribing/job-run.ts'
import {
  dieAfter,
  inputsOf,
  outputsOf,
  RECIPIENT,
  readBroadcast,
  SITE,
  startFunded,
} from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import {
  decideAll,
  decideNext,
  nextApproval,
  openPage,
  startWorker,
  type World,
} from '../testing/test-wallet.ts'

const HELLO_WORLD = [{ body: 'hello' }, { body: 'world' }]
const MINT = '{"p":"brc-20","op":"mint","tick":"ordi","amt":"1000"}'

type Funded = Awaited<ReturnType<typeof startFunded>>

function request({ account }: Pick<Funded, 'account'>, changes: object = {}) {
  return { type: 61, from: account.address, inscriptions: HELLO_WORLD, feeRate: 7, ...changes }
}

async function mint(funded: Funded, changes: object = {}) {
  const answer = funded.page.call('mint', request(funded, changes))
  const { review } = await decideNext(funded.worker, 'approve', 'inscribe')
  const response = await answer
  return {
    response,
    review,
    result: Object('result' in response ? response.result : {}) as MintResult,
  }
}

/** Type and body of what a transaction inscribes. */
function readInscribed(world: World, txid = '') {
  const { finalScriptWitness: witness = [] } = readBroadcast(world, txid).getInput(0)
  return parseEnvelopes([witness]).map(({ fields: { contentType, body } }) => [
    Buffer.from(contentType ?? []).toString(),
    toHex(body ?? new Uint8Array()),
  ])
}

describe('mint', () => {
  it('inscribes two texts with one commit and two reveals, at the fees that are the rule', async () => {
    const funded = await startFunded(100_000n)
    const { world, account } = funded
    const { result } = await mint(funded)
    const commit = readBroadcast(world, result.commitTx)
    expect(result).toEqual({
      commitTx: world.chain.broadcasts[0],
      revealTxs: world.chain.broadcasts.slice(1),
      commitTxFee: 1379,
      revealTxFees: [973, 973],
      commitAddrs: outputsOf(commit)
        .slice(0, 2)
        .map(({ address }) => address),
      feeRate: 7,
      size: 546,
    })
    expect(world.chain.broadcasts).toHaveLength(3)
    expect(outputsOf(commit).map(({ sats }) => sats)).toEqual([1519n, 1519n, 95_583n])
    for (const [at, text] of ['hello', 'world'].entries()) {
      const reveal = readBroadcast(world, result.revealTxs[at] ?? '')
      expect(inputsOf(reveal)).toEqual([`${result.commitTx}:${at}`])
      expect(outputsOf(reveal)).toEqual([{ address: account.address, sats: 546n }])
      expect(readInscribed(world, result.revealTxs[at])).toEqual([
        ['text/plain;charset=utf-8', toHex(toUtf8(text))],
      ])
    }
  })

  it('takes the fee rate of half an hour where the page names none, and counts fractions', async () => {
    const funded = await startFunded(100_000n, 100_000n)
    expect((await mint(funded, { feeRate: undefined })).result.feeRate).toBe(5)
    const { result } = await mint(funded, { feeRate: 1.5, inscriptions: [{ body: 'hello' }] })
    expect(result).toMatchObject({ feeRate: 1.5, revealTxFees: [Math.ceil(139 * 1.5)] })
  })

  it('shows images and what BRC-20 makes of an operation before anything is signed', async () => {
    const funded = await startFunded(100_000n)
    const png = tinyImage('png')
    const image = { contentType: 'image/png', body: toHex(png) }
    const { review, result } = await mint(funded, { type: 62, inscriptions: [image] })
    expect(review).toMatchObject({
      items: [
        {
          kind: 'image',
          contentType: 'image/png',
          preview: { kind: 'image', base64: toBase64(png), width: 7, height: 5 },
        },
      ],
    })
    expect(readInscribed(funded.world, result.revealTxs[0])).toEqual([['image/png', toHex(png)]])

    funded.world.brc20.deploy('ordi', { lim: '500', minted: '0' })
    const minted = await mint(funded, { type: 50, inscriptions: [{ body: MINT }] })
    expect(minted.review).toMatchObject({
      items: [{ kind: 'brc-20', brc20: { checked: true, obstacles: ['over-limit'] } }],
    })
    expect(readInscribed(funded.world, minted.result.revealTxs[0])).toEqual([
      ['text/plain;charset=utf-8', toHex(toUtf8(MINT))],
    ])
  })

  it.each([
    [60, '{"p":"brc-20","op":"deploy","tick":"ordi","max":"21000000","lim":"1000"}'],
    [50, MINT],
    [51, '{"p":"brc-20","op":"transfer","tick":"ordi","amt":"0.5"}'],
    [61, 'Grüße, 世界 🧡'],
  ])('of type %i inscribes what the page wrote, as plain text in UTF-8', async (type, body) => {
    const funded = await startFunded(100_000n)
    const { result } = await mint(funded, { type, inscriptions: [{ body }] })
    expect(result.revealTxs).toHaveLength(1)
    expect(readInscribed(funded.world, result.revealTxs[0])).toEqual([
      ['text/plain;charset=utf-8', Buffer.from(body).toString('hex')],
    ])
  })

  it('mints a self-mint token with its deploy inscription as the parent, which comes back', async () => {
    const funded = await startInscribed([{ sats: 600n, with: [{}] }])
    const { world, account, ids, outpoints } = funded
    world.brc20.deploy('selfy', { selfMint: true, deploy: ids[0] ?? '' })
    const body = MINT.replace('ordi', 'selfy')
    const { result } = await mint(funded, { type: 50, inscriptions: [{ body }, { body }] })
    let parent = outpoints[0]
    for (const [at, txid] of result.revealTxs.entries()) {
      const reveal = readBroadcast(world, txid)
      expect(inputsOf(reveal)).toEqual([
        `${result.commitTx}:${at}`,
        parent,
        `${result.commitTx}:${at + 2}`,
      ])
      expect(outputsOf(reveal)).toEqual(
        [546n, 600n].map(sats => ({ address: account.address, sats })),
      )
      parent = `${txid}:1`
    }
    expect(world.assets.truth(parent ?? '')).toMatchObject([{ id: ids[0], offset: 0n }])
    expect(result.commitAddrs).toHaveLength(2)
  })

  it('tells a page what is wrong before anybody is asked', async () => {
    const funded = await startFunded(100_000n)
    const { world, page } = funded
    const { shown } = world.window
    for (const [changes, text] of [
      [{ type: 63 }, 'type: expected one of 60, 50, 51, 61, 62, got the number 63'],
      [{ type: 50 }, /^inscriptions\[0\]\.body: BRC-20/],
      [
        { type: 50, inscriptions: [{ body: MINT.replace('"1000"', '1000') }] },
        /amt: expected a text/,
      ],
      [{ type: 60, inscriptions: [{ body: MINT }] }, /body\.op: expected "deploy" for type 60/],
      [{ type: 62 }, /^inscriptions\[0\]\.contentType: expected a type of image/],
      [{ inscriptions: Array(25).fill({ body: 'x' }) }, /^inscriptions: .*got an array of 25$/],
    ] as const) {
      const response = await page.call('mint', request(funded, changes))
      expect(response).toMatchObject({
        error: {
          code: -32602,
          message: typeof text === 'string' ? text : expect.stringMatching(text),
        },
      })
    }
    expect(world.window.shown).toBe(shown)
  })

  it('tells a page what nodes would not relay, or what there is no money for, before anybody is asked', async () => {
    const funded = await startFunded(900_000n)
    const { world, page } = funded
    const { shown } = world.window
    for (const [changes, data] of [
      [{ inscriptions: [{ body: 'x'.repeat(400_000) }] }, { reason: 'TOO_LARGE', limit: 'weight' }],
      [
        { inscriptions: Array(3).fill({ body: 'x'.repeat(200_000) }) },
        { reason: 'TOO_LARGE', limit: 'size', allowed: 101_000 },
      ],
      [{ feeRate: 5_000 }, { reason: 'INSUFFICIENT_FUNDS', available: '900000' }],
    ] as const) {
      const response = await page.call('mint', request(funded, { feeRate: 1, ...changes }))
      expect(response).toMatchObject({ error: { code: -32000, data } })
    }
    expect(world.window.shown).toBe(shown)
  })

  it('serves the account that the page is connected to and no other', async () => {
    const funded = await startFunded(100_000n)
    const other = funded.page.call('mint', request(funded, { from: RECIPIENT }))
    expect(await other).toMatchObject({ error: { code: 4100 } })
    const stranger = openPage(funded.worker, 'https://other.example', 2)
    expect(await stranger.call('mint', request(funded))).toMatchObject({ error: { code: 4100 } })
  })

  it('that is rejected leaves nothing behind', async () => {
    const funded = await startFunded(100_000n)
    const answer = funded.page.call('mint', request(funded))
    await decideNext(funded.worker, 'reject', 'inscribe')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(funded.world.chain.broadcasts).toEqual([])
    expect(await funded.worker.wallet.jobs.list()).toEqual([])
    expect((await mint(funded)).response).toHaveProperty('result')
  })

  it('holds its coins for itself while it is asked about', async () => {
    const funded = await startFunded(100_000n)
    void funded.page.call('mint', request(funded))
    await nextApproval(funded.worker, 'inscribe')
    expect(await funded.page.call('sendBitcoin', RECIPIENT, 20_000)).toMatchObject({
      error: { data: { reason: 'COINS_HELD', heldByPayments: '100000' } },
    })
  })

  it('says what the node said, and which transactions it is about', async () => {
    const funded = await startFunded(100_000n)
    funded.world.chain.faults.refuse = 'min relay fee not met'
    const { response } = await mint(funded)
    expect(response).toMatchObject({
      error: {
        code: -32000,
        data: {
          reason: 'BROADCAST_REJECTED',
          node: 'min relay fee not met',
          commitTx: expect.stringMatching(/^[0-9a-f]{64}$/),
          revealTxs: [0, 1].map(() => expect.stringMatching(/^[0-9a-f]{64}$/)),
        },
      },
    })
  })

  it('says which transactions may have been sent where the server did not answer, and goes on with these', async () => {
    const funded = await startFunded(100_000n)
    const { world, worker } = funded
    world.chain.faults.loseAnswers = true
    const { response } = await mint(funded)
    const { code, data } = Object('error' in response ? response.error : {})
    expect([code, data.reason]).toEqual([-32000, 'BACKEND_UNAVAILABLE'])
    world.chain.faults.loseAnswers = false
    world.clock.now += 60_000
    await refreshJobs(worker.wallet)
    const sent = world.chain.list().slice(-3)
    expect(new Set(sent.map(({ txid }) => txid))).toEqual(
      new Set([data.commitTx, ...data.revealTxs]),
    )
    expect(data.revealTxs.map((txid: string) => readInscribed(world, txid)[0]?.[1])).toEqual(
      ['hello', 'world'].map(text => toHex(toUtf8(text))),
    )
  })

  it('is one job however often its worker dies on the way, and the page gets its answer', async () => {
    const counted = await startFunded(100_000n)
    const whole = dieAfter(counted.world, Number.POSITIVE_INFINITY)
    await send(whole, counted)
    const writes = whole.writes()
    expect(writes).toBeGreaterThan(5)
    for (let point = 0; point < writes; point++) {
      const funded = await startFunded(100_000n)
      const { world } = funded
      const dying = dieAfter(world, point)
      await Promise.race([send(dying, funded).catch(() => {}), dying.died])
      const response = await send(world, funded)
      expect(response, `after ${point} writes`).toHaveProperty('result')
      const { commitTx, revealTxs } = Object('result' in response ? response.result : {})
      expect(new Set(world.chain.broadcasts), `after ${point} writes`).toEqual(
        new Set([commitTx, ...revealTxs]),
      )
      expect(world.chain.broadcasts.filter(txid => txid === commitTx)).not.toHaveLength(0)
    }
  })

  it('that is signed is answered by a worker whose wallet is locked, and nobody is asked again', async () => {
    let answered = 0
    for (let point = 0; answered < 3; point++) {
      expect(point).toBeLessThan(100)
      const funded = await startFunded(100_000n)
      const { world } = funded
      const dying = dieAfter(world, point)
      await Promise.race([send(dying, funded).catch(() => {}), dying.died])
      const next = startWorker(world)
      const [stored] = (await next.wallet.requests.load()).filter(({ method }) => method === 'mint')
      if (!stored?.journal.signed) continue
      await next.ui('lock', null)
      const { shown } = world.window
      const response = await openPage(next, SITE).send('mint-1', 'mint', request(funded))
      const { commitTx, revealTxs } = Object('result' in response ? response.result : {})
      expect(new Set(world.chain.broadcasts)).toEqual(new Set([commitTx, ...revealTxs]))
      expect(world.window.shown).toBe(shown)
      expect((await next.ui('getState', null)).vault).toBe('locked')
      answered++
    }
  })
})

/** Sends the same request to a new worker on this world, and approves what is asked. */
async function send(world: World, funded: Funded) {
  const worker = startWorker(world)
  const answer = openPage(worker, SITE).send('mint-1', 'mint', request(funded))
  return decideAll(worker, 'approve', answer)
}
