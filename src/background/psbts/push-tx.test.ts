import { describe, expect, it } from 'vitest'
import { buildTransaction } from '../activity/testing/activity-world.ts'
import { RECIPIENT } from '../testing/funded-wallet.ts'
import { publishPrevious, startSigner } from '../testing/psbt-site.ts'
import { buildFresh, signElsewhere } from '../testing/signed-transactions.ts'
import { connectPage, decideNext, fund, nextApproval, PASSWORD } from '../testing/test-wallet.ts'

const stranger = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })

const FULL = { code: -32002 }

type Site = Awaited<ReturnType<typeof startSigner>>

/** Somebody else's transaction. */
function foreign(site: Pick<Site, 'world'>, inputs = 1) {
  const built = buildFresh({
    inputs: Array.from({ length: inputs }, () => stranger(10_000n)),
    outputs: [stranger(9_500n * BigInt(inputs))],
  })
  return signElsewhere(publishPrevious(site, built))
}

describe('pushTx', () => {
  it.each(['text', 'object'])('takes a transaction as %s', async form => {
    const site = await startSigner()
    const { raw, txid } = foreign(site)
    const param = form === 'text' ? raw.toUpperCase() : { rawtx: raw }
    expect(await site.page.call('pushTx', param)).toMatchObject({ result: txid })
    const { entry } = await site.worker.ui('getActivityDetails', { txid })
    expect(entry).toMatchObject({ kind: 'pushed', net: null, status: 'pending', about: null })
  })

  it('knows the fee of 120 inputs, and asks the server for each origin once', async () => {
    const site = await startSigner()
    const { raw, txid } = foreign(site, 120)
    const { fetchTransaction } = site.world.chain.chain
    const asked: string[] = []
    site.world.chain.chain.fetchTransaction = origin => {
      asked.push(origin)
      return fetchTransaction(origin)
    }
    expect(await site.page.call('pushTx', raw)).toMatchObject({ result: txid })
    expect(asked).toHaveLength(120)
    expect(new Set(asked).size).toBe(120)
  })

  it('asks about coins of any account of the wallet; activity tells what the one in use pays', async () => {
    const site = await startSigner('p2wpkh')
    const { world, worker, page, account } = site
    const { accounts } = await worker.ui('getState', null)
    const other = accounts.find(({ id }) => id !== account.id)?.address ?? ''
    const coins = [fund(world, account.address, 50_000n), fund(world, other, 20_000n)]
    const raw = buildTransaction(
      coins.map(txid => ({ txid, vout: 0 })),
      [
        { address: RECIPIENT, sats: 60_000n },
        { address: account.address, sats: 9_000n },
      ],
    )
    const answer = page.call('pushTx', raw)
    const { review } = await decideNext(worker, 'approve', 'push-tx')
    expect(review).toMatchObject({
      inputs: [
        { own: true, address: account.address },
        { own: true, address: other },
      ],
      ...{ netCost: '61000', fee: '1000', warnings: [] },
    })
    const { result: txid } = (await answer) as { result: string }
    const { entry } = await worker.ui('getActivityDetails', { txid })
    expect(entry).toMatchObject({ net: '-41000', counterparty: RECIPIENT })
  })

  it('asks about a coin of the bare taproot key, and counts it for its account', async () => {
    const site = await startSigner('p2tr')
    const { page, worker, key, account } = site
    const bare = { type: 'raw-p2tr' as const, key, amount: 50_000n }
    const built = publishPrevious(site, buildFresh({ inputs: [bare], outputs: [] }))
    const raw = buildTransaction(
      [...built.previous.keys()].map(txid => ({ txid, vout: 0 })),
      [
        { address: RECIPIENT, sats: 20_000n },
        { address: account.address, sats: 29_000n },
      ],
    )
    const answer = page.call('pushTx', raw)
    const { review } = await decideNext(worker, 'approve', 'push-tx')
    expect(review).toMatchObject({ inputs: [{ own: true }], netCost: '21000' })
    const { result: txid } = (await answer) as { result: string }
    expect((await worker.ui('getActivityDetails', { txid })).entry.net).toBe('-21000')
  })

  it('is at work for one site at most twenty times at once; more are told so, others are served', async () => {
    const site = await startSigner()
    const other = await connectPage(site.worker, 'https://other.example', 2)
    const pushed = Array.from({ length: 30 }, () => foreign(site))
    const { fetchTransaction } = site.world.chain.chain
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    site.world.chain.chain.fetchTransaction = async txid => {
      await held
      return fetchTransaction(txid)
    }
    const answers = pushed.map(({ raw }) => site.page.call('pushTx', raw))
    const refused = await Promise.all(answers.slice(20))
    expect(refused).toEqual(
      refused.map(() => expect.objectContaining({ error: expect.objectContaining(FULL) })),
    )
    const theirs = foreign(site)
    const elsewhere = other.call('pushTx', theirs.raw)
    release()
    expect(await elsewhere).toMatchObject({ result: theirs.txid })
    const served = await Promise.all(answers.slice(0, 20))
    expect(served.map(answer => 'result' in answer && answer.result)).toEqual(
      pushed.slice(0, 20).map(({ txid }) => txid),
    )
    const again = pushed.slice(20).map(({ raw }) => site.page.call('pushTx', raw))
    expect((await Promise.all(again)).every(answer => 'result' in answer)).toBe(true)
  })

  it('goes on by itself once the wallet is open when nothing else is to be asked', async () => {
    const site = await startSigner()
    const { raw, txid } = foreign(site)
    await site.worker.ui('lock', null)
    const answer = site.page.call('pushTx', raw)
    await nextApproval(site.worker, 'unlock')
    await site.worker.ui('unlock', { password: PASSWORD })
    expect(await answer).toMatchObject({ result: txid })
  })
})
