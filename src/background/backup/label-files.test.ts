import { describe, expect, it } from 'vitest'
import published from '../../bitcoin/testing/vectors/bip329.json' with { type: 'json' }
import { RECIPIENT, SECOND_RECIPIENT, THIRD_RECIPIENT } from '../testing/funded-wallet.ts'
import { startUnlocked } from '../testing/test-wallet.ts'
import { SOME_TXID, startFull } from './testing/full-wallet.ts'

const line = (record: object) => JSON.stringify(record)

describe('labels for other wallets', () => {
  it('are notes, contacts and locked coins, a record a line as BIP-329 has them', async () => {
    const { worker, coins } = await startFull()
    const { text, count } = await worker.ui('exportLabels', null)
    const lines = text
      .trim()
      .split('\n')
      .map(each => JSON.parse(each))
    expect(lines).toHaveLength(count)
    expect(lines).toContainEqual({ type: 'tx', ref: SOME_TXID, label: 'rent' })
    expect(lines).toContainEqual({ type: 'addr', ref: RECIPIENT, label: 'Alice' })
    expect(lines).toContainEqual({ type: 'output', ref: coins[2], spendable: false })
  })

  it('come back into another wallet, and nothing is there to add after that', async () => {
    const { worker } = await startFull()
    const { text, count } = await worker.ui('exportLabels', null)
    const there = await startUnlocked()
    const review = await there.ui('reviewLabels', { text })
    const added = review.sections.reduce((sum, { addedCount }) => sum + addedCount, 0)
    expect({ ...review, added }).toMatchObject({ added: count, skipped: 0, malformed: 0 })
    expect(await there.ui('getContacts', null)).toEqual([])
    await there.ui('importLabels', { text, digest: review.digest })
    const sorted = (told: string) => told.split('\n').sort()
    expect(sorted((await there.ui('exportLabels', null)).text)).toEqual(sorted(text))
    const again = await there.ui('reviewLabels', { text })
    expect(again.sections.map(({ addedCount }) => addedCount)).toEqual([0, 0, 0])
  })

  it('never take the place of what the wallet has: that is shown as differing', async () => {
    const { worker, coins } = await startFull()
    await worker.ui('setCoinChoice', { outpoint: coins[0] ?? '', choice: 'unlocked' })
    const text = [
      line({ type: 'tx', ref: SOME_TXID, label: 'food' }),
      line({ type: 'addr', ref: SECOND_RECIPIENT, label: 'Mallory' }),
      line({ type: 'addr', ref: THIRD_RECIPIENT, label: 'alice' }),
      line({ type: 'output', ref: coins[0], spendable: false }),
    ].join('\n')
    const review = await worker.ui('reviewLabels', { text })
    expect(review.sections.map(({ addedCount }) => addedCount)).toEqual([0, 0, 0])
    expect(review.sections.flatMap(({ differing }) => differing.map(({ own }) => own))).toEqual([
      ...['rent', 'Bob', RECIPIENT, 'unlocked'],
    ])
    const before = await worker.ui('exportLabels', null)
    await worker.ui('importLabels', { text, digest: review.digest })
    expect(await worker.ui('exportLabels', null)).toEqual(before)
  })

  it('of the BIP’s example give notes and a locked coin; the kinds without a place are counted', async () => {
    const worker = await startUnlocked()
    await worker.ui('selectNetwork', { network: 'mainnet' })
    const text = published.bip.join('\n')
    const review = await worker.ui('reviewLabels', { text })
    expect(review.sections.map(({ part, addedCount }) => [part, addedCount])).toEqual([
      ['labels', 2],
      ['contacts', 1],
      ['coins', 1],
    ])
    expect(review.skipped).toBe(3)
  })

  it('of own addresses, and addresses of another network, become no contacts', async () => {
    const worker = await startUnlocked()
    const [account] = (await worker.ui('getState', null)).accounts
    const text = [
      line({ type: 'addr', ref: account?.address, label: 'from Bob' }),
      line({ type: 'addr', ref: '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', label: 'mainnet' }),
    ].join('\n')
    expect(await worker.ui('reviewLabels', { text })).toMatchObject({ sections: [], skipped: 2 })
  })

  it('that are too long are cut, and those with characters that are not seen are left out', async () => {
    const worker = await startUnlocked()
    const text = [
      line({ type: 'tx', ref: SOME_TXID, label: 'x'.repeat(255) }),
      line({ type: 'tx', ref: 'cd'.repeat(32), label: 'a\u202eb' }),
      line({ type: 'addr', ref: RECIPIENT, label: 'A\u200blice' }),
    ].join('\n')
    const { sections, malformed } = await worker.ui('reviewLabels', { text })
    expect(malformed).toBe(2)
    expect(sections[0]?.added[0]?.name).toBe(`${'x'.repeat(139)}…`)
  })

  it('are not added as something else than what was shown, nor twice', async () => {
    const worker = await startUnlocked()
    const text = line({ type: 'addr', ref: RECIPIENT, label: 'Carol' })
    const { digest } = await worker.ui('reviewLabels', { text })
    await worker.ui('saveContact', { id: null, name: 'Dave', address: RECIPIENT })
    const late = worker.ui('importLabels', { text, digest })
    await expect(late).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED' } })
    const { digest: next } = await worker.ui('reviewLabels', { text })
    await worker.ui('importLabels', { text, digest: next })
    await worker.ui('importLabels', { text, digest: next })
    expect(await worker.ui('getContacts', null)).toHaveLength(1)
  })
})
