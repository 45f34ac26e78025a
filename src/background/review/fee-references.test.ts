import { describe, expect, it } from 'vitest'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { buildTransaction } from '../activity/testing/activity-world.ts'
import { textDraft } from '../inscribing/testing/job-world.ts'
import { inHurry } from '../testing/fast-timers.ts'
import { defer, draft, payFromPopup, RECIPIENT, startFunded } from '../testing/funded-wallet.ts'
import { approveSigning, hexOf, startSigner } from '../testing/psbt-site.ts'
import { nextApproval } from '../testing/test-wallet.ts'
import { loadFeeReferences } from './fee-rates.ts'

const BITCOIN = 100_000_000n

const AWAY = new BackendUnavailableError({
  ...{ kind: 'unreachable', host: 'memory.test', detail: 'is away', retryInMs: null },
})

/** A server that says that 400 sat/vB are usual. */
async function startDear() {
  const funded = await startFunded(BITCOIN + BITCOIN / 2n)
  const { chain } = funded.world
  chain.faults.fees = { fastest: 400, halfHour: 400, hour: 400, minimum: 1 }
  const plan = async (feeRate: number, sats = BITCOIN) => {
    const recipients = [{ to: RECIPIENT, sats: String(sats) }]
    return (await funded.worker.ui('planPayment', draft({ recipients, feeRate }))).review
  }
  const references = () => loadFeeReferences(funded.worker.wallet, 'regtest')
  return { ...funded, chain, plan, references }
}

describe('a fee that a server calls usual', () => {
  it('warns where the last blocks were paid far less, and says what', async () => {
    const { chain, plan } = await startDear()
    for (let block = 0; block < 3; block++) chain.mineChecked({ feeRate: 4 })
    const review = await plan(400)
    expect(review.recentFeeRate).toBe(4)
    expect(review.warnings).toEqual([{ kind: 'high-fee', percent: 0, fastest: 400, recent: 4 }])
  })

  it('does not warn where it is near what the last blocks were paid', async () => {
    const { chain, plan } = await startDear()
    for (let block = 0; block < 3; block++) chain.mineChecked({ feeRate: 100 })
    const review = await plan(400)
    expect(review.recentFeeRate).toBe(100)
    expect(review.warnings).toEqual([])
  })

  it('is held against the dearest of the last blocks', async () => {
    const { chain, plan } = await startDear()
    for (const feeRate of [900, 4, 100, 7]) chain.mineChecked({ feeRate })
    expect((await plan(400)).recentFeeRate).toBe(100)
  })

  it('is held against blocks whose headers are asked for while the coinbase of the first is on its way', async () => {
    const { chain, references } = await startDear()
    for (const feeRate of [7, 8, 9]) chain.mineChecked({ feeRate })
    const { fetchBlockHeader, fetchTransaction } = chain.chain
    const { promise: hasAll, resolve } = defer()
    let headers = 0
    chain.chain.fetchBlockHeader = hash => {
      if (++headers === 3) resolve()
      return fetchBlockHeader(hash)
    }
    chain.chain.fetchTransaction = async txid => {
      await hasAll
      return fetchTransaction(txid)
    }
    expect((await references()).recent).toBe(9)
  })

  it('warns where another server calls far less the fastest', async () => {
    const { chain, plan } = await startDear()
    chain.faults.otherFastest = 10
    const fastest = { kind: 'high-fee', percent: 0, fastest: 10, recent: null }
    expect((await plan(51)).warnings).toEqual([fastest])
    expect((await plan(49)).warnings).toEqual([])
  })

  it('is paid all the same where the blocks are not told in time', async () => {
    const { chain, plan, worker } = await startDear()
    chain.mineChecked({ feeRate: 4 })
    chain.faults.silentBlocks = true
    const { recentFeeRate, warnings } = await inHurry(() => plan(400), 2)
    expect({ recentFeeRate, warnings }).toEqual({ recentFeeRate: null, warnings: [] })
    expect(await inHurry(() => payFromPopup(worker), 2)).toMatchObject({ outcome: 'sent' })
  })

  it('is held against the last blocks in a site’s PSBT', async () => {
    const site = await startSigner()
    site.world.chain.faults.fees = { fastest: 400, halfHour: 400, hour: 400, minimum: 1 }
    site.world.chain.mineChecked({ feeRate: 4 })
    const psbt = hexOf({
      inputs: [{ type: 'p2tr', key: site.key, amount: BITCOIN }],
      outputs: [{ type: 'p2wpkh', amount: BITCOIN - 40_000n }],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt)
    expect(review.items[0]?.recentFeeRate).toBe(4)
    expect(review.items[0]?.warnings).toContainEqual({
      ...{ kind: 'high-fee', percent: 0, fastest: 400, recent: 4 },
    })
  })

  it('is held against the last blocks in what a site pushes', async () => {
    const { chain, worker, page, txids } = await startDear()
    chain.mineChecked({ feeRate: 4 })
    const coin = { txid: txids[0] ?? '', vout: 0 }
    const sats = BITCOIN + BITCOIN / 2n - 40_000n
    void page.call('pushTx', buildTransaction([coin], [{ address: RECIPIENT, sats }]))
    const { review } = await nextApproval(worker, 'push-tx')
    expect(review).toMatchObject({
      recentFeeRate: 4,
      warnings: [{ kind: 'high-fee', percent: 0, fastest: 400, recent: 4 }],
    })
  })

  it('is held against the last blocks in an inscription', async () => {
    const { chain, worker } = await startDear()
    chain.mineChecked({ feeRate: 4 })
    const bodies = ['hello']
    const { review } = await worker.ui('planInscribe', textDraft(bodies, { feeRate: 300 }))
    expect(review).toMatchObject({
      recentFeeRate: 4,
      warnings: [{ kind: 'high-fee', percent: null, fastest: 400, recent: 4 }],
    })
  })
})

describe('what the last blocks were paid', () => {
  it('is asked for once per block', async () => {
    const { chain, references } = await startDear()
    for (let block = 0; block < 3; block++) chain.mineChecked()
    const asked: string[] = []
    const { fetchBlock } = chain.chain
    chain.chain.fetchBlock = hash => {
      asked.push(hash)
      return fetchBlock(hash)
    }
    expect((await references()).recent).toBe(4)
    expect((await references()).recent).toBe(4)
    expect(asked).toHaveLength(3)
    chain.mineChecked()
    await references()
    expect(asked).toHaveLength(4)
  })

  it('is asked for again where the server did not answer', async () => {
    const { chain, references } = await startDear()
    chain.mineChecked()
    const { fetchBlock } = chain.chain
    chain.chain.fetchBlock = () => Promise.reject(AWAY)
    expect((await references()).recent).toBeNull()
    chain.chain.fetchBlock = fetchBlock
    expect((await references()).recent).toBe(4)
  })

  it('is not what a server says of a block that does not hold together', async () => {
    const { chain, references } = await startDear()
    chain.mineChecked({ feeRate: 4 })
    chain.mineChecked({ feeRate: 900 })
    const { fetchBlock } = chain.chain
    chain.chain.fetchBlock = async hash => ({ ...(await fetchBlock(hash)), height: 7 })
    expect((await references()).recent).toBeNull()
  })

  it('on mainnet is not what real blocks of long ago were paid', async () => {
    const { chain, worker, world } = await startDear()
    const at = world.clock.now - 7 * 3_600_000
    const block = { hash: 'ab'.repeat(32), feeRate: 900 }
    chain.chain.fetchRecentBlocks = async () => [{ ...block, at }]
    expect((await loadFeeReferences(worker.wallet, 'mainnet')).recent).toBeNull()
    chain.chain.fetchRecentBlocks = async () => [{ ...block, at: world.clock.now - 3_600_000 }]
    expect((await loadFeeReferences(worker.wallet, 'mainnet')).recent).toBe(900)
  })
})
