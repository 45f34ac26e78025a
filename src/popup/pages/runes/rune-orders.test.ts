import { describe, expect, it } from 'vitest'
import { checkOrders, leftFor, type TypedOrder } from './rune-orders.ts'

const FRIEND = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const HELD = { name: 'GOLD', sendable: '10.5', divisibility: 2 }
const SILVER = { name: 'SILVER', sendable: '7', divisibility: 0 }

const orders = (...amounts: string[]): TypedOrder[] =>
  amounts.map((amount, id) => ({ id, rune: HELD.name, amount, to: FRIEND }))
const errorsOf = (held: typeof HELD | null, ...amounts: string[]) =>
  checkOrders(orders(...amounts), held === null ? [] : [held], 'regtest').map(
    ({ amount }) => amount,
  )
/** What the others leave of the rune of the order at a place. */
const leftAt = (typed: TypedOrder[], at: number, held = [HELD]) =>
  leftFor(typed, typed[at] ?? { id: 9, rune: '', amount: '', to: '' }, held)

describe('amounts of a rune that were typed', () => {
  it.each([
    ['', 'How much is missing.'],
    ['1,5', 'Without commas, please: 0.01, with a point before the decimals.'],
    ['x', 'This is not an amount. Digits, and a point before the decimals.'],
    ['0.00', 'It has to be more than zero.'],
    ['0.001', 'At most 2 digits after the decimal point.'],
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
    const held = { ...SILVER, name: HELD.name }
    expect(errorsOf(held, '1.5')).toEqual(['This rune has no decimals: whole ones only.'])
  })

  it('are not judged while it is not known what there is', () => {
    expect(errorsOf(null, '123')).toEqual([null])
    expect(errorsOf(null, '')).toEqual(['How much is missing.'])
  })

  it('leave the rest for the others', () => {
    expect(leftAt(orders('3', '0.25'), 1)).toBe('7.5')
    expect(leftAt(orders('3', 'x'), 0)).toBe('10.5')
    expect(leftAt(orders('10.5', ''), 1)).toBeNull()
    expect(leftAt(orders('3'), 0, [])).toBeNull()
  })

  it('are counted for each rune by itself, with its own decimals', () => {
    const [first, second, third] = orders('10', '6', '2')
    if (!first || !second || !third) throw new Error('three orders')
    const typed = [first, { ...second, rune: SILVER.name }, { ...third, rune: SILVER.name }]
    expect(checkOrders(typed, [HELD, SILVER], 'regtest').map(({ amount }) => amount)).toEqual([
      null,
      null,
      'You have 1 available.',
    ])
    expect(leftAt(typed, 0, [HELD, SILVER])).toBe('10.5')
    expect(leftAt(typed, 2, [HELD, SILVER])).toBe('1')
    const halves = typed.map(order => ({ ...order, amount: '0.5' }))
    expect(checkOrders(halves, [HELD, SILVER], 'regtest').map(({ amount }) => amount)).toEqual([
      null,
      ...Array(2).fill('This rune has no decimals: whole ones only.'),
    ])
  })

  it('need an address each', () => {
    const [first] = checkOrders(
      [{ id: 0, rune: HELD.name, amount: '1', to: '' }],
      [HELD],
      'regtest',
    )
    expect(first?.to).not.toBeNull()
  })
})
