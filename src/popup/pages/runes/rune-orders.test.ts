import { describe, expect, it } from 'vitest'
import { checkOrders, leftFor, type TypedOrder } from './rune-orders.ts'

const FRIEND = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const HELD = { sendable: '10.5', divisibility: 2 }

const orders = (...amounts: string[]): TypedOrder[] =>
  amounts.map((amount, id) => ({ id, amount, to: FRIEND }))
const errorsOf = (held: typeof HELD | null, ...amounts: string[]) =>
  checkOrders(orders(...amounts), held, 'regtest').map(({ amount }) => amount)

describe('amounts of a rune that were typed', () => {
  it.each([
    ['', 'How much is missing.'],
    ['1,5', 'Without commas, please: 0.01, with a point before the decimals.'],
    ['x', 'This is not an amount. Digits, and a point before the decimals.'],
    ['0.00', 'It has to be more than zero.'],
    ['0.001', 'At most 2 digits after the point.'],
    ['10.51', 'You have 10.5 available.'],
    ['9'.repeat(39), 'No rune has amounts as large as this.'],
    ['10.5', null],
    ['1 0.5', null],
    ['.5', 'This is not an amount. Digits, and a point before the decimals.'],
  ])('%o: %s', (typed, error) => {
    expect(errorsOf(HELD, typed)).toEqual([error])
  })

  it('may be as much as there is, all together', () => {
    expect(errorsOf(HELD, '10', '0.5')).toEqual([null, null])
    expect(errorsOf(HELD, '10', '0.51')).toEqual([null, 'You have 0.5 available.'])
    expect(errorsOf(HELD, '11', '1')).toEqual(['You have 10.5 available.', null])
  })

  it('of a rune without decimals are whole', () => {
    const held = { sendable: '7', divisibility: 0 }
    expect(errorsOf(held, '1.5')).toEqual(['This rune has no decimals: whole ones only.'])
  })

  it('are not judged while it is not known what there is', () => {
    expect(errorsOf(null, '123')).toEqual([null])
    expect(errorsOf(null, '')).toEqual(['How much is missing.'])
  })

  it('leave the rest for the others', () => {
    expect(leftFor(orders('3', '0.25'), 1, HELD)).toBe('7.5')
    expect(leftFor(orders('3', 'x'), 0, HELD)).toBe('10.5')
    expect(leftFor(orders('10.5', ''), 1, HELD)).toBeNull()
  })

  it('need an address each', () => {
    const [first] = checkOrders([{ id: 0, amount: '1', to: '' }], HELD, 'regtest')
    expect(first?.to).not.toBeNull()
  })
})
