import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProviderError } from './errors.ts'
import { parseInscribe, parseMint } from './inscribe-params.ts'

const FROM = 'bc1qxyz'
const ITEM = { body: 'hello' }

function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof ProviderError && error.code === -32602) return error.message
    throw error
  }
  throw new Error('It was taken')
}

describe('parameters of mint', () => {
  it('are a type, an address and items, with a fee rate by either of its names', () => {
    const request = { type: 61, from: FROM, inscriptions: [{ ...ITEM, contentType: undefined }] }
    const read = {
      type: 61,
      from: FROM,
      inscriptions: [{ contentType: null, body: 'hello' }],
      feeRate: null,
    }
    expect(parseMint([request])).toEqual(read)
    expect(parseMint([{ ...request, feeRate: 2.5 }])).toEqual({ ...read, feeRate: 2.5 })
    expect(parseMint([{ ...request, satBytes: '3' }])).toEqual({ ...read, feeRate: 3 })
    expect(parseMint([{ ...request, tid: 1, chain: 'btc' }, 'more'])).toEqual(read)
  })

  it.each([
    ['type', { type: '61' }, 'expected one of 60, 50, 51, 61, 62, got the string "61"'],
    ['type', { type: undefined }, 'got undefined'],
    ['from', { from: undefined }, 'expected a string, got undefined'],
    ['from', { from: 'x'.repeat(101) }, 'expected at most 100 characters'],
    ['inscriptions', { inscriptions: [] }, 'expected a list of 1 to 24 items, got an array of 0'],
    ['inscriptions', { inscriptions: Array(25).fill(ITEM) }, 'got an array of 25'],
    ['inscriptions', { inscriptions: ITEM }, 'got a value of type object'],
    ['inscriptions[1]', { inscriptions: [ITEM, 'x'] }, 'expected an object'],
    ['inscriptions[1].body', { inscriptions: [ITEM, {}] }, 'expected a string, got undefined'],
    ['inscriptions[0].body', { inscriptions: [{ body: 1 }] }, 'got the number 1'],
    ['inscriptions[0].body', { inscriptions: [{ body: 'x'.repeat(808_001) }] }, 'at most 808000'],
    [
      'inscriptions',
      { inscriptions: Array(24).fill({ body: 'x'.repeat(33_667) }) },
      'expected at most 808000 characters together, got an array of 24',
    ],
    ['inscriptions[0].contentType', { inscriptions: [{ ...ITEM, contentType: 1 }] }, 'a string'],
    ['feeRate', { feeRate: 0 }, 'expected sat/vB from 0.1 to 10,000'],
    ['satBytes', { satBytes: 10_001 }, 'expected sat/vB from 0.1 to 10,000'],
  ])('that are wrong are named: %s', (field, changes, text) => {
    const request = { type: 61, from: FROM, inscriptions: [ITEM], ...changes }
    const message = refusal(() => parseMint([request]))
    expect(message.split(':')[0]).toBe(field)
    expect(message).toContain(text)
  })

  it('that are missing or no object at all are refused', () => {
    expect(refusal(() => parseMint([]))).toMatch(/^type: /)
    expect(refusal(() => parseMint(['61']))).toMatch(/^mint: expected an object/)
  })

  it('with holes among the items are refused, and never read as less of them', () => {
    const inscriptions = [ITEM, null, undefined]
    expect(refusal(() => parseMint([{ type: 61, from: FROM, inscriptions }]))).toMatch(
      /^inscriptions\[1\]\.body: /,
    )
  })
})

describe('parameters of inscribe', () => {
  it('are an address and a ticker; the type, the amount and `tid` may be there', () => {
    const read = { from: FROM, tick: 'ordi', proposed: null, feeRate: null }
    expect(parseInscribe([{ from: FROM, tick: 'ordi' }])).toEqual(read)
    expect(parseInscribe([{ type: 51, from: FROM, tick: 'ordi', tid: 'x' }])).toEqual(read)
    for (const [amount, proposed] of [
      [{ amt: '12.5' }, '12.5'],
      [{ amount: 12.5 }, '12.5'],
      [{ amt: 1, amount: '2' }, '1'],
      [{ amt: '' }, null],
      [{ amount: null }, null],
    ])
      expect(parseInscribe([{ from: FROM, tick: 'ordi', ...Object(amount) }])).toEqual({
        ...read,
        proposed,
      })
  })

  it.each([
    ['type', { type: 50 }],
    ['from', { from: 1 }],
    ['tick', { tick: undefined }],
    ['tick', { tick: 'x'.repeat(65) }],
    ['amt', { amt: '-1' }],
    ['amount', { amount: 1e21 }],
    ['feeRate', { feeRate: 'fast', satBytes: 1 }],
    ['satBytes', { satBytes: -1 }],
    ['amt', { amt: Number.NaN }],
    ['amt', { amt: { toString: () => '1' } }],
  ])('that are wrong are named: %s', (field, changes) => {
    const message = refusal(() => parseInscribe([{ from: FROM, tick: 'ordi', ...changes }]))
    expect(message.split(':')[0]).toBe(field)
  })
})

describe('whatever a page hands over', () => {
  it('is read as it stands or refused by name, and breaks nothing', () => {
    const item = fc.record({ contentType: fc.anything(), body: fc.anything() })
    const request = fc.record(
      {
        type: fc.oneof(fc.constantFrom(50, 51, 60, 61, 62), fc.anything()),
        from: fc.oneof(fc.string(), fc.anything()),
        inscriptions: fc.oneof(fc.array(fc.oneof(item, fc.anything())), fc.anything()),
        tick: fc.oneof(fc.string(), fc.anything()),
        amt: fc.anything(),
        feeRate: fc.anything(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(request, fc.anything()), value => {
        for (const parse of [parseMint, parseInscribe])
          try {
            parse([value])
          } catch (error) {
            expect(error).toMatchObject({ name: 'ProviderError', code: -32602 })
          }
      }),
      { numRuns: 2_000 },
    )
  })
})
