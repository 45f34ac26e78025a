import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createShownTransactions } from '../sending/shown-transactions.ts'
import { approveSigning, startSigner } from '../testing/psbt-site.ts'
import { connectPage, decideNext, nextApproval } from '../testing/test-wallet.ts'

/** What an extension's session storage holds. */
const QUOTA = 10_485_760

describe('a PSBT of 1,000 inputs', () => {
  const thousand = (key: Uint8Array, from: number) =>
    toHex(
      buildPsbt({
        inputs: Array.from({ length: 1000 }, () => ({
          type: 'p2tr' as const,
          key,
          amount: 1_000n,
        })),
        outputs: [{ type: 'p2wpkh', amount: 900_000n }],
        from,
      }).bytes,
    )

  it('is reviewed in full within what session storage holds, several at once too', async () => {
    const { page, worker, key, world } = await startSigner()
    const answers = [0, 1000, 2000].map(from => page.call('signPsbt', thousand(key, from)))
    const { review } = await nextApproval(worker, 'sign-psbt')
    expect(review.kind === 'sign-psbt' && review.items[0]?.inputs).toHaveLength(1000)
    // They are looked through in turns: which is shown first is not said.
    for (const _ of answers) {
      expect(JSON.stringify(world.session.dump()).length).toBeLessThan(QUOTA)
      await decideNext(worker, 'reject', 'sign-psbt')
    }
    for (const answer of await Promise.all(answers))
      expect(answer).toMatchObject({ error: { code: 4001 } })
  })

  it('is signed', async () => {
    const site = await startSigner()
    const { response } = await approveSigning(site, 'signPsbt', thousand(site.key, 0))
    expect(response).toHaveProperty('result')
  })
})

describe('PSBTs that nobody could look through', () => {
  it('are refused with TOO_LARGE, in one and in a batch', async () => {
    const { page, key } = await startSigner()
    const outputs = (count: number) =>
      Array.from({ length: count }, () => ({ type: 'p2wpkh' as const, amount: 1_000n }))
    const psbt = (count: number) =>
      toHex(
        buildPsbt({ inputs: [{ type: 'p2tr', key, amount: 10_000_000n }], outputs: outputs(count) })
          .bytes,
      )
    const refused = { error: { code: -32000, data: { reason: 'TOO_LARGE' } } }
    expect(await page.call('signPsbt', psbt(3_000))).toMatchObject(refused)
    expect(await page.call('signPsbts', [psbt(1_500), psbt(1_500)])).toMatchObject(refused)
  })

  it('and those whose leaves would keep the wallet busy are refused, to push as well', async () => {
    const { page, key } = await startSigner()
    const leaf = (i: number) => `4215c0${toHex(key)}${i.toString(16).padStart(64, '0')}0251c0`
    const leaves = Array.from({ length: 5_001 }, (_, i) => leaf(i)).join('')
    const outputs = [{ type: 'p2wpkh' as const, amount: 9_000n }]
    const { bytes } = buildPsbt({ inputs: [{ type: 'p2tr', key, amount: 10_000n }], outputs })
    // Before the end of the input's map and the output's, which is empty.
    const psbt = toHex(bytes).replace(/0000$/, `${leaves}0000`)
    const refused = { error: { code: -32000, data: { reason: 'TOO_LARGE' } } }
    expect(await page.call('signPsbt', psbt)).toMatchObject(refused)
    expect(await page.call('pushPsbt', psbt)).toMatchObject(refused)
  })

  it('of 4 MB are refused before anything is stored', async () => {
    const { worker, world } = await startSigner()
    const page = await connectPage(worker, 'https://big.example', 3)
    const before = JSON.stringify(world.session.dump()).length
    expect(await page.call('signPsbt', `70736274ff${'00'.repeat(2_000_000)}`)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('psbt: expected at most') },
    })
    expect(JSON.stringify(world.session.dump()).length).toBe(before)
  })
})

describe('transactions that were shown', () => {
  it('are remembered by the newest 200, each once', async () => {
    const session = createMemoryArea()
    const shown = createShownTransactions({ session })
    const one = (n: number) => ({
      unsignedTxid: String(n),
      network: 'regtest' as const,
      accountId: 'a',
      fee: '1',
      moves: [{ what: '0 inscription', to: 'own 0' }],
    })
    await Promise.all(Array.from({ length: 205 }, (_, n) => shown.add([one(n), one(0)])))
    const again = createShownTransactions({ session })
    expect(await again.has(one(0))).toBe(true)
    expect(await again.has(one(5))).toBe(false)
    expect(await again.has(one(6))).toBe(true)
    expect(await again.has({ ...one(204), accountId: 'b' })).toBe(false)
    expect(await again.has({ ...one(204), moves: [] })).toBe(true)
    const moved = (what: string, to: string) => again.has({ ...one(204), moves: [{ what, to }] })
    expect(await moved('0 inscription', 'unknown')).toBe(true)
    expect(await moved('0 inscription', 'foreign 0')).toBe(false)
    expect(await moved('1 inscription', 'own 0')).toBe(false)
  })
})
