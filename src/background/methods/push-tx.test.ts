import { describe, expect, it } from 'vitest'
import { buildTransaction } from '../testing/activity-world.ts'
import { RECIPIENT } from '../testing/funded-wallet.ts'
import { publishPrevious, startSigner } from '../testing/psbt-site.ts'
import { buildFresh, signElsewhere } from '../testing/signed-transactions.ts'
import { decideNext, fund, nextApproval, PASSWORD } from '../testing/test-wallet.ts'

const stranger = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })

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
      ...{ netCost: '61000', fee: '1000', warnings: [{ kind: 'unchecked-coins' }] },
    })
    const { result: txid } = (await answer) as { result: string }
    const { entry } = await worker.ui('getActivityDetails', { txid })
    expect(entry).toMatchObject({ net: '-41000', counterparty: RECIPIENT })
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
