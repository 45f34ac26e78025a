import { describe, expect, it } from 'vitest'
import { draft, payFromPopup, RECIPIENT, startFunded } from '../testing/funded-wallet.ts'
import { fund } from '../testing/test-wallet.ts'

async function startDusted(sats = 900n, ...others: bigint[]) {
  const started = await startFunded(...others)
  const { world, worker, account } = started
  const dust = `${fund(world, account.address, sats)}:0`
  const heldOf = async (outpoint: string) =>
    (await worker.ui('getCoins', null)).find(coin => coin.outpoint === outpoint)?.held
  return { ...started, dust, heldOf }
}

const everything = { recipients: [{ to: RECIPIENT, sats: 'max' }] }

describe('dust from strangers', () => {
  it('is left alone by payments of all there is, and says why', async () => {
    const { worker, dust, heldOf } = await startDusted(1_000n, 50_000n)
    expect(await heldOf(dust)).toBe('dust')
    const { review } = await worker.ui('planPayment', draft(everything))
    expect(review.inputs.map(({ outpoint }) => outpoint)).not.toContain(dust)
  })

  it('is what is at most 1,000 sats', async () => {
    const { dust, heldOf } = await startDusted(1_001n, 50_000n)
    expect(await heldOf(dust)).toBeNull()
  })

  it('is spent where the person lets payments take it', async () => {
    const { worker, dust, heldOf } = await startDusted(900n, 50_000n)
    const shown = (await worker.ui('getCoins', null)).find(coin => coin.outpoint === dust)
    if (!shown) throw new Error('No coin')
    await worker.ui('setCoinChoice', { outpoint: dust, choice: 'unlocked', shown })
    expect(await heldOf(dust)).toBeNull()
    const { review } = await worker.ui('planPayment', draft({ ...everything, feeRate: 1 }))
    expect(review.inputs.map(({ outpoint }) => outpoint)).toContain(dust)
  })

  it('is what the shortage names where there is nothing else', async () => {
    const { world, worker, account } = await startDusted(900n)
    for (let coin = 0; coin < 3; coin++) fund(world, account.address, 1_000n)
    const order = { recipients: [{ to: RECIPIENT, sats: '600' }], feeRate: 1 }
    const error = await worker.ui('planPayment', draft(order)).catch(cause => cause)
    expect(error.data).toMatchObject({ reason: 'COINS_HELD', heldDust: '3900' })
  })

  it('is not the first thing that an account ever got: it links nothing', async () => {
    const { dust, heldOf } = await startDusted(900n)
    expect(await heldOf(dust)).toBeNull()
  })

  it('is not what came from somebody whom the account has paid, once the history says so, nor its own change', async () => {
    const { worker, world, heldOf } = await startDusted(50_000n, 40_000n)
    const { txid } = await payFromPopup(worker, {
      recipients: [
        { to: RECIPIENT, sats: '20000' },
        { to: (await worker.wallet.accounts.selected('regtest'))?.address ?? '', sats: '700' },
      ],
    })
    world.chain.mine()
    expect(await heldOf(`${txid}:1`)).toBeNull()
  })
})
