import { describe, expect, it } from 'vitest'
import {
  draft,
  findCoin,
  inputsOf,
  payFromPopup,
  RECIPIENT,
  readBroadcast,
} from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import { fund } from '../testing/test-wallet.ts'

/** A wallet whose payment of a coin with runes, which the person unlocked, and of a clean coin was refused; and an inscription to send. */
async function startRefused() {
  const started = await startInscribed([{ sats: 546n, with: [{}] }], [400_000n])
  const { world, worker, account, ids } = started
  const [runic = '', clean = ''] = [80_000n, 10_000n].map(
    sats => `${fund(world, account.address, sats)}:0`,
  )
  world.assets.etch(runic, { name: 'SILVER•OF•TESTS', rune: '90:2', amount: 3n })
  const shown = await findCoin(worker, runic)
  await worker.ui('setCoinChoice', { outpoint: runic, choice: 'unlocked', shown } as never)
  world.chain.faults.refuse = 'mempool full'
  const recipients = [{ to: RECIPIENT, sats: '85000' }]
  await expect(payFromPopup(worker, { recipients, coins: [runic, clean] })).rejects.toMatchObject({
    data: { reason: 'BROADCAST_REJECTED' },
  })
  delete world.chain.faults.refuse
  return { ...started, id: ids[0] ?? '', runic, clean }
}

describe('after a refused payment of a coin with runes that the person unlocked, and a clean one,', () => {
  it('sending an inscription spends the clean one alone, and nobody gets the runes', async () => {
    const { world, worker, id, runic, clean } = await startRefused()
    const plan = await worker.ui('planTransfer', {
      ids: [id],
      to: RECIPIENT,
      feeRate: 20,
      label: '',
    })
    expect(plan.review.assets.map(({ asset }) => asset.kind)).toEqual(['inscription'])
    const { txid } = await worker.ui('confirmPayment', plan)
    const inputs = inputsOf(readBroadcast(world, txid))
    expect(inputs).toContain(clean)
    expect(inputs).not.toContain(runic)
  })

  it('inscribing spends the clean one', async () => {
    const { worker, runic, clean } = await startRefused()
    const items = [{ kind: 'text' as const, text: 'hello' }]
    const { review } = await worker.ui('planInscribe', {
      ...{ items, postage: 546, feeRate: 20, parent: null, metadata: null, label: '' },
    })
    const inputs = review.commit?.inputs.map(({ outpoint }) => outpoint)
    expect(inputs).toContain(clean)
    expect(inputs).not.toContain(runic)
  })

  it('minting a rune spends the clean one', async () => {
    const { world, worker, runic, clean } = await startRefused()
    const none = { start: null, end: null }
    world.assets.etch('', { name: 'GOLD•OF•TESTS', rune: '90:1', amount: 1n })
    world.assets.describeRune('90:1', {
      ...{ mints: 0n, isMintable: true },
      terms: { amount: 1_000n, cap: 100n, height: none, offset: none },
    })
    const order = { rune: 'GOLD•OF•TESTS', count: 1, feeRate: 20, label: '' }
    const { review } = await worker.ui('planRuneMint', order)
    const inputs = review.inputs.map(({ outpoint }) => outpoint)
    expect(inputs).toContain(clean)
    expect(inputs).not.toContain(runic)
  })

  it('the next payment spends one of the two', async () => {
    const { worker, runic, clean } = await startRefused()
    const { review } = await worker.ui('planPayment', draft({ feeRate: 200 }))
    const inputs = review.inputs.map(({ outpoint }) => outpoint)
    expect(inputs.some(outpoint => outpoint === runic || outpoint === clean)).toBe(true)
  })
})
