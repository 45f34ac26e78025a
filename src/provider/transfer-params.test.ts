import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProviderError } from './errors.ts'
import { parsers } from './methods.ts'

const ID = `${'ab'.repeat(32)}i0`
const OTHER_ID = `${'cd'.repeat(32)}i1`

describe('sendTransfer takes', () => {
  it('amounts as numbers, decimal strings and bigints, and an address more than once', () => {
    const recipients = [1000, '1000', 1000n].map(amount => ({ address: 'a', amount, memo: 'x' }))
    expect(parsers.sendTransfer([{ recipients, feeRate: '2.5', from: 'me' }])).toEqual({
      recipients: recipients.map(() => ({ address: 'a', sats: 1000n })),
      feeRate: 2.5,
    })
    expect(parsers.sendTransfer([{ recipients, feeRate: null }]).feeRate).toBeNull()
  })

  it('no more than there can ever be, alone and together', () => {
    const all = 2_100_000_000_000_000n
    const of = (...amounts: bigint[]) => [
      { recipients: amounts.map(amount => ({ address: 'a', amount })) },
    ]
    expect(parsers.sendTransfer(of(all - 1n, 1n)).recipients).toHaveLength(2)
    expect(() => parsers.sendTransfer(of(all, 1n))).toThrow('recipients: expected amounts')
    expect(() => parsers.sendTransfer(of(all + 1n))).toThrow('recipients[0].amount')
  })

  it('no list with holes', () => {
    const recipients = new Array(3)
    recipients[0] = { address: 'a', amount: 1 }
    expect(() => parsers.sendTransfer([{ recipients }])).toThrow('recipients[1].address')
  })
})

describe('transferNft takes', () => {
  it('one receiver for all, or one for each in their order', () => {
    const data = [ID, `${OTHER_ID}-Atomicals`]
    expect(parsers.transferNft([{ from: 'me', to: 'a', data }])).toEqual({
      from: 'me',
      moves: data.map(id => ({ id, to: 'a', field: 'to' })),
      feeRate: null,
    })
    expect(parsers.transferNft([{ from: 'me', to: ['b', 'a'], data, feeRate: 3 }])).toEqual({
      from: 'me',
      moves: [
        { id: data[0], to: 'b', field: 'to[0]' },
        { id: data[1], to: 'a', field: 'to[1]' },
      ],
      feeRate: 3,
    })
  })

  it('a single id with a list of one', () => {
    const { moves } = parsers.transferNft([{ from: 'me', to: ['a'], data: ID }])
    expect(moves).toEqual([{ id: ID, to: 'a', field: 'to[0]' }])
  })

  it('no list with holes, and none of another length', () => {
    const data = [ID, OTHER_ID]
    expect(() => parsers.transferNft([{ from: 'me', to: new Array(2), data }])).toThrow('to[0]')
    for (const to of [[], ['a'], ['a', 'b', 'c']])
      expect(() => parsers.transferNft([{ from: 'me', to, data }])).toThrow(
        'one for each of the 2 in data',
      )
  })
})

describe('whatever a page sends', () => {
  const part = fc.oneof(
    fc.anything({ withBigInt: true, withSparseArray: true }),
    fc.constantFrom('a', ID, 546, '546', 0, -1, 1.5, Number.NaN, 'signet', 'testnet'),
  )
  const list = fc.oneof(fc.array(part, { maxLength: 4 }), part)
  const order = fc.record(
    {
      recipients: fc.oneof(fc.array(fc.record({ address: part, amount: part })), list),
      feeRate: part,
      from: part,
      to: list,
      data: list,
    },
    { requiredKeys: [] },
  )

  it.each(['sendTransfer', 'transferNft', 'switchNetwork'] as const)(
    '%s reads it, or refuses it as wrong parameters',
    method => {
      fc.assert(
        fc.property(fc.array(fc.oneof(order, part), { maxLength: 2 }), params => {
          try {
            parsers[method](params)
          } catch (error) {
            expect(error).toBeInstanceOf(ProviderError)
            expect(error).toMatchObject({ code: -32602 })
          }
        }),
        { numRuns: 1000 },
      )
    },
  )
})
