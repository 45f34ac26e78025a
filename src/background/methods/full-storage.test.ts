import { describe, expect, it } from 'vitest'
import { RECIPIENT, startFunded } from '../testing/funded-wallet.ts'
import { nextApproval, type Worker } from '../testing/test-wallet.ts'

/** Bytes of JSON that open requests may have together. */
const ROOM = 8_000_000

/** Requests of other sites take all but so many bytes. */
async function fill({ wallet }: Worker, left: number): Promise<void> {
  const sizeOf = (value: unknown) => JSON.stringify(value).length
  for (const key of ['a', 'b']) {
    // What is answered gives way.
    const open = (await wallet.requests.load()).filter(({ outcome }) => outcome === null)
    const [record] = open
    if (!record) throw new Error('Nobody asks')
    const used = open.reduce((sum, one) => sum + sizeOf(one), 0)
    const other = { ...record, key, origin: `https://${key}.example`, review: null, journal: {} }
    const empty = sizeOf({ ...other, params: [''] })
    const size = Math.min(4_000_000, ROOM - used - empty - left)
    await wallet.requests.add({ ...other, params: ['0'.repeat(size)] })
  }
}

describe('a site’s request that is approved where the storage of requests is full', () => {
  it('inscribes once, and the site is told so', async () => {
    const { world, worker, page, account } = await startFunded(100_000n)
    const inscriptions = [{ body: 'hello' }]
    const answer = page.call('mint', { type: 61, from: account.address, inscriptions, feeRate: 2 })
    const { key, digest } = await nextApproval(worker, 'inscribe')
    await fill(worker, 100)
    await worker.ui('decide', { key, digest, decision: 'approve' })
    expect(await answer).toMatchObject({
      result: { commitTx: world.chain.broadcasts[0], revealTxs: [world.chain.broadcasts[1]] },
    })
    expect(await worker.wallet.jobs.list()).toHaveLength(1)
  })

  it('pays once, or says that nothing was sent', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000)
    const { key, digest } = await nextApproval(worker, 'payment')
    await fill(worker, 100)
    await worker.ui('decide', { key, digest, decision: 'approve' })
    const response = await answer
    const sent = 'result' in response ? [response.result] : []
    expect(world.chain.broadcasts).toEqual(sent)
  })
})
