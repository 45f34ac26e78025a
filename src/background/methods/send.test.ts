import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsers } from '../../provider/methods.ts'
import {
  inputsOf,
  outputsOf,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
  startFunded,
} from '../testing/funded-wallet.ts'
import { decideNext } from '../testing/test-wallet.ts'

async function sendApproved(
  funded: Awaited<ReturnType<typeof startFunded>>,
  changes: { [field: string]: unknown },
) {
  const { worker, page, account, world } = funded
  const answer = page.call('send', {
    from: account.address,
    to: RECIPIENT,
    satBytes: '2',
    ...changes,
  })
  const { review } = await decideNext(worker, 'approve', 'payment')
  if (review.kind !== 'payment') throw new Error('Wrong review')
  const response = await answer
  const { txhash } = Object('result' in response ? response.result : null)
  return { review, txhash, sent: readBroadcast(world, String(txhash)) }
}

describe('send', () => {
  it.each([
    ['0.0002', 20_000n],
    [0.0002, 20_000n],
    ['.00020001', 20_001n],
    [1e-5, 1_000n],
    ['1,234.5', 123_450_000_000n],
  ])('pays the value %o exactly, and resolves its txhash', async (value, sats) => {
    const funded = await startFunded(200_000_000_000n)
    const { review, txhash, sent } = await sendApproved(funded, { value })
    expect(sent.id).toBe(txhash)
    expect(outputsOf(sent)[0]).toEqual({ address: RECIPIENT, sats })
    expect(review).toMatchObject({ sats: String(sats), memo: null, feeRate: 2 })
  })

  it.each([0, 1, 2])('puts the memo at output %i', async memoPos => {
    const funded = await startFunded(100_000n)
    const memo = 'grüße ⚡'
    const { review, sent } = await sendApproved(funded, { value: '0.0002', memo, memoPos })
    const text = Buffer.from(memo)
    const script = Buffer.concat([Buffer.from([0x6a, text.length]), text])
    expect(Buffer.from(sent.getOutput(memoPos).script ?? [])).toEqual(script)
    expect(sent.getOutput(memoPos).amount).toBe(0n)
    expect(review).toMatchObject({ memo, sats: '20000', recipients: [{ address: RECIPIENT }] })
    expect(review.outputs).toHaveLength(3)
  })

  it('takes a memo of 80 bytes, which is shown whole', async () => {
    const memo = 'x'.repeat(80)
    const { review } = await sendApproved(await startFunded(100_000n), {
      ...{ value: '0.0002', memo, memoPos: 1 },
    })
    expect(review.memo).toBe(memo)
  })

  it.each([
    { memo: 'hello' },
    { memo: 'x'.repeat(200) },
    { memo: 'hello', memoPos: null },
    { memo: '', memoPos: 0 },
    { memoPos: 0 },
  ])('without memo and memoPos together has no memo: %o', async changes => {
    const funded = await startFunded(100_000n)
    const { review, sent } = await sendApproved(funded, { value: '0.0002', ...changes })
    expect(review.memo).toBeNull()
    expect(sent.outputsLength).toBe(2)
  })

  it('answers 4100 to another address than the connected one', async () => {
    const { page, worker } = await startFunded(100_000n)
    expect(
      await page.call('send', { from: RECIPIENT, to: RECIPIENT, value: '0.0002' }),
    ).toMatchObject({ error: { code: 4100, message: expect.stringContaining(RECIPIENT) } })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it.each([
    ['from', { from: 5 }],
    ['from', { from: undefined }],
    ['to', { to: null }],
    ['to', { to: 'nonsense' }],
    ['to', { to: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }],
    ['value', { value: '-1' }],
    ['value', { value: '1,23' }],
    ['value', { value: 0 }],
    ['value', { value: '0.000000001' }],
    ['value', { value: 21_000_001 }],
    ['value', { value: undefined }],
    ['value', { value: '0.00000293' }],
    ['satBytes', { satBytes: '0' }],
    ['satBytes', { satBytes: 'fast' }],
    ['satBytes', { satBytes: 10_001 }],
    ['memo', { memo: 5, memoPos: 0 }],
    ['memo', { memo: 'x'.repeat(81), memoPos: 0 }],
    ['memo', { memo: 'ü'.repeat(41), memoPos: 0 }],
    ['memo', { memo: '\ud800', memoPos: 0 }],
    ['memoPos', { memo: 'hello', memoPos: 3 }],
    ['memoPos', { memo: 'hello', memoPos: -1 }],
    ['memoPos', { memo: 'hello', memoPos: 0.5 }],
    ['memoPos', { memo: 'hello', memoPos: '0' }],
  ])('names the field %s when it is %o', async (field, changes) => {
    const { page, account } = await startFunded(100_000n)
    const good = { from: account.address, to: RECIPIENT, value: '0.0002', satBytes: '2' }
    expect(await page.call('send', { ...good, ...changes })).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(new RegExp(`^${field}: `)) },
    })
  })

  it('says which network an address of another one belongs to', async () => {
    const { page, account } = await startFunded(100_000n)
    const payment = { from: account.address, value: '0.0002' }
    expect(
      await page.call('send', { ...payment, to: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }),
    ).toMatchObject({ error: { message: expect.stringContaining('belongs to Bitcoin mainnet') } })
  })

  it.each([undefined, null, 'text', 5, []])(
    'answers -32602 to %o in place of an object',
    async payment => {
      const { page } = await startFunded()
      expect(await page.call('send', payment)).toMatchObject({ error: { code: -32602 } })
    },
  )

  it('rejected by the person reserves nothing', async () => {
    const { page, account, worker } = await startFunded(100_000n)
    const answer = page.call('send', { from: account.address, to: RECIPIENT, value: '0.0002' })
    await decideNext(worker, 'reject', 'payment')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(await worker.ui('getCoins', null)).toMatchObject([{ held: null }])
  })

  it('twice at once spends different coins', async () => {
    const { page, account, worker, world } = await startFunded(100_000n, 100_000n)
    const payment = { from: account.address, to: SECOND_RECIPIENT, value: '0.0006', satBytes: 20 }
    const answers = [page.call('send', payment), page.call('send', payment)]
    await decideNext(worker, 'approve', 'payment')
    await decideNext(worker, 'approve', 'payment')
    await Promise.all(answers)
    const spent = world.chain.broadcasts.flatMap(txid => inputsOf(readBroadcast(world, txid)))
    expect(new Set(spent).size).toBe(2)
  })

  it('reads every decimal of a value, and nothing else', () => {
    const read = (value: unknown) => parsers.send([{ from: 'a', to: 'b', value }]).sats
    const sats = fc.bigInt({ min: 1n, max: 2_100_000_000_000_000n })
    fc.assert(
      fc.property(sats, amount => {
        const digits = amount.toString().padStart(9, '0')
        expect(read(`${digits.slice(0, -8)}.${digits.slice(-8)}`)).toBe(amount)
      }),
      { numRuns: 1_000 },
    )
  })
})
