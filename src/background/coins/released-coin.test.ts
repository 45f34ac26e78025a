import { describe, expect, it } from 'vitest'
import { draft, RECIPIENT } from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'

async function startReleased() {
  const started = await startInscribed([{ sats: 20_000n, with: [{}] }], [30_000n])
  const { worker, outpoints, ids } = started
  const [outpoint = ''] = outpoints
  const coinAt = async (place: string) =>
    (await worker.ui('getCoins', null)).find(coin => coin.outpoint === place)
  const shown = await coinAt(outpoint)
  if (!shown) throw new Error('No coin')
  await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked', shown })
  return { ...started, outpoint, id: ids[0] ?? '', coinAt }
}

describe('a released inscription', () => {
  it('is money like any other, which its screen says, until that is undone', async () => {
    const { worker, outpoint, id, coinAt } = await startReleased()
    expect(await coinAt(outpoint)).toMatchObject({ held: null, choice: 'unlocked' })
    expect(await worker.ui('getInscription', { id })).toMatchObject({ isReleased: true })
    await worker.ui('setCoinChoice', { outpoint, choice: null })
    expect(await coinAt(outpoint)).toMatchObject({ held: 'inscribed', choice: null })
    expect(await worker.ui('getInscription', { id })).toMatchObject({ isReleased: false })
  })

  it('pays what clean coins alone could not', async () => {
    const { worker, outpoint } = await startReleased()
    const order = { recipients: [{ to: RECIPIENT, sats: '45000' }] }
    await worker.ui('confirmPayment', await worker.ui('planPayment', draft(order)))
    const [sent] = await worker.wallet.activity.listSent(
      ...(['regtest', (await worker.wallet.accounts.selected('regtest'))?.id ?? ''] as const),
    )
    expect(sent?.spends).toContain(outpoint)
  })

  it('is held again on the coin that it is moved to: a release is of one outpoint', async () => {
    const { worker, world, account, outpoint, id, coinAt } = await startReleased()
    const order = { ids: [id], to: account.address, feeRate: 2, label: '' }
    const { txid } = await worker.ui('confirmPayment', await worker.ui('planTransfer', order))
    expect(await coinAt(outpoint)).toBeUndefined()
    world.chain.mine()
    const moved = (await worker.ui('getCoins', null)).filter(coin => coin.outpoint.startsWith(txid))
    const carrying = moved.filter(({ assets }) => assets.length > 0)
    expect(carrying.map(({ held, choice }) => [held, choice])).toEqual([['inscribed', null]])
  })
})
