import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { MethodName } from '../../provider/method-names.ts'
import { startFunded } from '../testing/funded-wallet.ts'
import { decideAll } from '../testing/test-wallet.ts'

const MINT = '{"p":"brc-20","op":"mint","tick":"ordi","amt":"1"}'

/** What a page may get wrong, the right things among it. */
const garbage = fc.oneof(
  fc.anything({ withNullPrototype: true }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    'NaN',
    '1e3',
    '\ud800',
    '00',
    'zz',
    'image/png',
    'text/plain',
    MINT,
  ),
  fc.constantFrom(0, -1, 1.5, 2, 50, 51, 60, 61, 62, 1e21, Number.NaN, Number.POSITIVE_INFINITY),
)
const item = fc.record({ contentType: garbage, body: garbage }, { requiredKeys: [] })
const fields = fc.record(
  {
    from: fc.oneof({ weight: 1, arbitrary: garbage }, { weight: 6, arbitrary: fc.constant('OWN') }),
    type: fc.oneof(fc.constantFrom(50, 51, 60, 61, 62), garbage),
    inscriptions: fc.oneof(fc.array(fc.oneof(item, garbage), { maxLength: 3 }), garbage),
    tick: fc.oneof(fc.constantFrom('ordi', 'pizza', 'abc'), garbage),
    amt: garbage,
    amount: garbage,
    feeRate: fc.oneof(fc.constant(undefined), garbage),
    tid: garbage,
  },
  { requiredKeys: [] },
)
const calls = fc.tuple(
  fc.constantFrom<MethodName[]>('mint', 'inscribe', 'splitUtxo'),
  fc.oneof({ weight: 5, arbitrary: fields }, { weight: 1, arbitrary: garbage }),
)

it('whatever a page asks to inscribe or split is asked about, or refused by name, and leaves nothing', async () => {
  const { world, worker, page, account } = await startFunded(1_000_000n)
  const tally = { refused: 0, asked: 0 }
  await fc.assert(
    fc.asyncProperty(calls, async ([method, request]) => {
      const isOwn = Object(request).from === 'OWN'
      // As it crosses to the background.
      const sent = JSON.parse(
        JSON.stringify(
          [isOwn ? { ...Object(request), from: account.address } : request],
          (_, one) => (typeof one === 'bigint' ? String(one) : one),
        ),
      )
      const { shown } = world.window
      const answer = page.call(method, ...sent)
      const { error } = Object(await decideAll(worker, 'reject', answer))
      if (error.code === -32602) {
        tally.refused++
        expect(error.message).toMatch(/^[a-z]+(\[\d+\])?(\.\w+)*: ./i)
        expect(world.window.shown).toBe(shown)
      } else {
        tally.asked++
        expect(error).toMatchObject(
          sent[0]?.from === account.address ? { code: 4001 } : { code: 4100 },
        )
      }
      const open = (await worker.wallet.requests.load()).filter(({ outcome }) => !outcome)
      expect(open).toEqual([])
    }),
    { numRuns: 600 },
  )
  expect(await worker.wallet.jobs.list()).toEqual([])
  expect(world.chain.broadcasts).toEqual([])
  expect(Math.min(...Object.values(tally))).toBeGreaterThan(10)
})
