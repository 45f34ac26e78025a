import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { decipherRunestone } from '../../ordinals/runes/runestone.ts'
import type { RuneEstimate } from '../../provider/rune-params.ts'
import { listEtchings, MATURITY, NAME, takeName } from '../inscribing/testing/etching-world.ts'
import { ask, readResult } from '../sats-connect/testing/sats-connect-site.ts'
import { SITE, startFunded } from '../testing/funded-wallet.ts'
import { decideNext, nextApproval, openPage, startWorker } from '../testing/test-wallet.ts'
import type { RuneMintReview } from '../views/mint-views.ts'

const GOLD = 'GOLD•OF•TESTS'
const ID = '90:1'
const NONE = { start: null, end: null }

/** A connected site, and a rune that anybody can mint. */
async function start({ cap = 100n } = {}) {
  const started = await startFunded(900_000n, 800_000n)
  const { world } = started
  world.assets.etch('', { name: GOLD, rune: ID, amount: 1n, divisibility: 2, symbol: 'G' })
  const terms = { amount: 1_000n, cap, height: NONE, offset: NONE }
  world.assets.describeRune(ID, { terms, mints: 0n, isMintable: true })
  return started
}

type Started = Awaited<ReturnType<typeof start>>

/** The runestone and the outputs of a transaction that went out. */
function read({ world }: Started, txid: string) {
  const { outputs } = parseTransaction(world.chain.get(txid) ?? new Uint8Array())
  const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
  return { runestone: decipherRunestone(scripts), scripts }
}

describe('mintRune', () => {
  it('asks once, and sends a mint for each to the account alone', async () => {
    const started = await start()
    const { world, worker, page, account } = started
    const answer = page.call('mintRune', { rune: GOLD, count: 3, feeRate: 2 })
    const { review, origin } = await decideNext(worker, 'approve')
    expect(origin).toBe(SITE)
    expect(review).toMatchObject({ kind: 'rune-mint', count: 3, each: '10', total: '30' })
    const { txids } = ((await answer) as { result: { txids: string[] } }).result
    expect(world.chain.broadcasts).toEqual(txids)
    const own = toHex(parseAddress(account.address, 'regtest').scriptPubKey)
    for (const txid of txids) {
      const { runestone, scripts } = read(started, txid)
      expect(runestone).toMatchObject({ kind: 'runestone', mint: ID, edicts: [] })
      const paid = scripts.map(toHex).filter(script => !script.startsWith('6a'))
      expect(new Set(paid)).toEqual(new Set([own]))
    }
    const [job] = await worker.ui('getRuneMints', null)
    expect(job?.mints.map(({ txid }) => txid)).toEqual(txids)
    const [first] = (await worker.ui('getActivity', { offset: 0, limit: 10 })).entries
    expect(first).toMatchObject({ origin: SITE })
  })

  it('signs nothing when the person declines', async () => {
    const { world, worker, page } = await start()
    const answer = page.call('mintRune', { rune: GOLD })
    await decideNext(worker, 'reject')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(world.chain.broadcasts).toEqual([])
    expect(await worker.ui('getRuneMints', null)).toEqual([])
  })

  it('says that nothing was sent where the last mint goes before it is signed', async () => {
    const { world, worker, page } = await start({ cap: 1n })
    const answer = page.call('mintRune', { rune: GOLD })
    const { key, digest } = await nextApproval(worker)
    const terms = { amount: 1_000n, cap: 1n, height: NONE, offset: NONE }
    world.assets.describeRune(ID, { terms, mints: 1n, isMintable: false })
    await worker.ui('decide', { key, digest, decision: 'approve' })
    expect(await answer).toMatchObject({
      error: { data: { reason: 'BROADCAST_REJECTED', stopped: 'cap' } },
    })
    expect(world.chain.broadcasts).toEqual([])
  })

  it.each([
    [{ rune: 'gold' }, 'rune: '],
    [{ rune: GOLD, count: 0 }, 'count: '],
    [{ rune: GOLD, count: 25 }, 'count: '],
    [{ rune: GOLD, count: 1.5 }, 'count: '],
    [{ rune: 'NO•RUNE•OF•TESTS' }, 'rune: '],
    [{ rune: GOLD, count: 24 }, 'count: '],
  ])('refuses %j without a question, and names the field', async (order, field) => {
    const { worker, page } = await start({ cap: 23n })
    expect(await page.call('mintRune', order)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(field) },
    })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })
})

describe('etchRune', () => {
  const etching = {
    ...{ name: NAME, symbol: '⧉', divisibility: 2, premine: '1000.5', feeRate: 5 },
    terms: { amount: '10', cap: '500', offset: { end: 1_000 } },
  }

  it('asks once, pays the commit, and reveals when that is deep enough, also in another worker', async () => {
    const started = await start()
    const { world, worker, page } = started
    const answer = page.call('etchRune', etching)
    const { review } = await decideNext(worker, 'approve')
    expect(review).toMatchObject({
      kind: 'inscribe',
      etching: { name: NAME, premine: '1000.5', supply: '6000.5', turbo: false },
    })
    const { result } = (await answer) as {
      result: { commitTx: string; revealTx: string; commitAddr: string }
    }
    expect(world.chain.broadcasts).toEqual([result.commitTx])
    const { scripts } = read(started, result.commitTx)
    const paid = toHex(parseAddress(result.commitAddr, 'regtest').scriptPubKey)
    expect(scripts.map(toHex)).toContain(paid)
    world.chain.mine(MATURITY)
    world.clock.now += 20_000
    const next = await startWorker(world)
    const [job] = await next.ui('getJobs', null)
    await next.ui('getJob', { jobId: job?.id ?? '' })
    expect(world.chain.broadcasts).toContain(result.revealTx)
    expect(listEtchings(world)).toMatchObject([
      {
        txid: result.revealTx,
        etching: { premine: 100_050n, divisibility: 2, terms: { amount: 1_000n, cap: 500n } },
      },
    ])
  })

  it('inscribes with it what it is given', async () => {
    const { worker, page } = await start()
    const inscription = { contentType: 'text/plain', base64: btoa('Hello') }
    const answer = page.call('etchRune', { ...etching, inscription })
    const { review } = await decideNext(worker, 'reject')
    expect(review).toMatchObject({ items: [{ contentType: 'text/plain', contentLength: 5 }] })
    await answer
  })

  it.each([
    [{ name: 'lower' }, 'name: '],
    [{ name: NAME }, 'supply: expected more than nothing'],
    [{ name: NAME, premine: '1.5' }, 'premine: '],
    [{ name: NAME, premine: 'much' }, 'premine: '],
    [{ name: NAME, premine: '1', divisibility: 39 }, 'divisibility: '],
    [{ name: NAME, premine: '1', symbol: 'ab' }, 'symbol: '],
    [{ name: NAME, terms: { amount: '1' } }, 'terms.cap: '],
    [{ name: NAME, terms: { amount: '1', cap: '2', height: { end: -1 } } }, 'terms.height.end: '],
    [{ name: NAME, premine: '1', inscription: { contentType: 'a/b', base64: '?' } }, 'base64: '],
  ])('refuses %j without a question, and names the field', async (wrong, field) => {
    const { worker, page } = await start()
    expect(await page.call('etchRune', wrong)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(field) },
    })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('refuses a name that is taken', async () => {
    const { world, worker, page } = await start()
    takeName(world)
    expect(await page.call('etchRune', { name: NAME, premine: '1' })).toMatchObject({
      error: { data: { reason: 'NAME_TAKEN' } },
    })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })
})

describe('estimates', () => {
  const price = { fee: expect.any(Number), vsize: expect.any(Number) }

  it('of mints are what the mints then cost, and ask nobody', async () => {
    const { worker, page } = await start()
    const order = { rune: GOLD, count: 3, feeRate: 2 }
    const { result } = (await page.call('estimateMintRune', order)) as { result: RuneEstimate }
    expect(result).toMatchObject({ ...price, postage: 3 * 546 })
    expect(result.total).toBe(result.fee + result.postage)
    expect(await worker.ui('getApproval', null)).toBeNull()
    const minting = page.call('mintRune', order)
    const { review } = await decideNext(worker, 'approve')
    await minting
    expect(review).toMatchObject({ fee: String(result.fee) })
    const sizes = (review as RuneMintReview).transactions.map(({ vsize }) => vsize)
    expect(sizes.reduce((sum, vsize) => sum + vsize)).toBe(result.vsize)
  })

  it('of an etching are what the review then says, and in sats-connect’s words too', async () => {
    const { worker, page } = await start()
    const etching = { name: NAME, premine: '10', feeRate: 5 }
    const { result } = (await page.call('estimateEtchRune', etching)) as { result: RuneEstimate }
    expect(result).toMatchObject({ ...price, postage: 546 })
    expect(result.fee).toBeGreaterThanOrEqual(5 * result.vsize)
    const told = await ask(page, 'runes_estimateEtch', {
      ...{ runeName: NAME, premine: '10', isMintable: false, feeRate: 5 },
    })
    expect(told).toMatchObject({
      result: {
        ...{ totalSize: result.vsize, totalCost: result.total },
        costBreakdown: { postage: 546, networkFee: result.fee, serviceFee: 0, appServiceFee: 0 },
      },
    })
    const asking = page.call('etchRune', etching)
    const { review } = await decideNext(worker, 'reject')
    await asking
    expect(review).toMatchObject({ totalFee: String(result.fee), cost: String(result.total) })
  })

  it('of mints in sats-connect’s words name what does not fit', async () => {
    const { page } = await start()
    expect(await ask(page, 'runes_estimateMint', { runeName: GOLD, repeats: 2 })).toMatchObject({
      result: { costBreakdown: { postage: 2 * 546 } },
    })
    expect(await ask(page, 'runes_estimateMint', { runeName: GOLD, repeats: 99 })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('repeats: ') },
    })
  })
})

describe('the same in the words of sats-connect', () => {
  it('mints, and pays itself', async () => {
    const started = await start()
    const { world, worker, page, account } = started
    const answer = ask(page, 'runes_mint', {
      ...{ runeName: GOLD, repeats: 2, feeRate: 2 },
      ...{ destinationAddress: account.address, refundAddress: account.address },
    })
    await decideNext(worker, 'approve')
    expect(readResult('runes_mint', await answer)).toEqual({
      orderId: world.chain.broadcasts[0],
      fundTransactionId: world.chain.broadcasts[0],
      fundingAddress: account.address,
    })
    expect(world.chain.broadcasts).toHaveLength(2)
  })

  it('etches, with amounts of the smallest units', async () => {
    const { world, worker, page, account } = await start()
    const answer = ask(page, 'runes_etch', {
      ...{ runeName: NAME, divisibility: 2, symbol: '⧉', premine: '100050', isMintable: true },
      terms: { amount: '1000', cap: '500', offsetEnd: '1000' },
      ...{ destinationAddress: account.address, refundAddress: account.address, feeRate: 5 },
    })
    const { review } = await decideNext(worker, 'approve')
    expect(review).toMatchObject({
      etching: { premine: '1000.5', terms: { amount: '10', cap: '500', offset: { end: 1000 } } },
    })
    expect(readResult('runes_etch', await answer)).toMatchObject({
      fundTransactionId: world.chain.broadcasts[0],
    })
  })

  it.each([
    ['runes_mint', { destinationAddress: 'elsewhere' }, 'destinationAddress: '],
    ['runes_mint', { refundAddress: 'elsewhere' }, 'refundAddress: '],
    ['runes_mint', { appServiceFee: 1_000 }, 'appServiceFee: '],
    ['runes_mint', { repeats: 99 }, 'repeats: '],
    ['runes_mint', { runeName: 'none' }, 'runeName: '],
    ['runes_etch', { isMintable: true }, 'terms: '],
    ['runes_etch', { terms: { amount: '1', cap: '2', heightEnd: 'x' } }, 'terms.heightEnd: '],
    ['runes_etch', { terms: { amount: '1', cap: 'x' } }, 'terms.cap: '],
    ['runes_etch', { delegateInscriptionId: `${'ab'.repeat(32)}i0` }, 'delegateInscriptionId: '],
    ['runes_etch', { inscriptionDetails: { contentType: 'a/b' } }, 'contentBase64: '],
    ['runes_etch', { runeName: 'none' }, 'runeName: '],
  ])('%s refuses %j without a question, in its own words', async (name, wrong, field) => {
    const { worker, page } = await start()
    const runeName = name === 'runes_mint' ? GOLD : NAME
    const answer = await ask(page, name, { runeName, repeats: 1, premine: '5', ...wrong })
    expect(answer).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(field) },
    })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('refuses what takes a company’s server', async () => {
    const { page } = await start()
    for (const name of ['runes_getOrder', 'runes_rbfOrder', 'runes_estimateRbfOrder'])
      expect(await ask(page, name, {})).toMatchObject({ error: { code: -32601 } })
  })
})

it('nobody mints or etches for a page that is not connected', async () => {
  const { worker } = await start()
  const other = openPage(worker, 'https://other.example', 2)
  const answers = [
    await other.call('mintRune', { rune: GOLD }),
    await other.call('etchRune', { name: NAME, premine: '1' }),
  ]
  expect(answers).toMatchObject([{ error: { code: 4100 } }, { error: { code: 4100 } }])
})
