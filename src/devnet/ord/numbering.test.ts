import { describe, expect, it } from 'vitest'
import {
  COIN,
  childOf,
  createTestChain,
  envelope,
  inscribe,
  pointTo,
  tag,
} from './testing/test-chain.ts'

const HELLO = inscribe('hello')
const PUSHNUM = envelope([''], [0x51])
const DUPLICATE = envelope([tag(1), 'text/plain', tag(1), 'text/plain'])
const UNKNOWN_EVEN = [tag(4), 'x']
const STUTTER = Uint8Array.of(0x00, ...HELLO)

// Where a title is the name of one of ord's own tests (src/index.rs), so is its scenario.
describe('a curse', () => {
  it.each([
    ['duplicate field', DUPLICATE],
    ['incomplete field', envelope([tag(1)])],
    ['pushnum', PUSHNUM],
    ['stutter', STUTTER],
    ['pointer', inscribe('hello', ...pointTo(0n))],
    ['unrecognized even field', inscribe('hello', ...UNKNOWN_EVEN)],
  ])('is each flaw: %s', (curse, flawed) => {
    const { index, mine, send } = createTestChain()
    const txid = send([[mine(), flawed]], [COIN])
    mine()
    expect(index.inscription(-1)).toMatchObject({ id: `${txid}i0`, curse })
    expect(index.counts()).toMatchObject({ blessed: 0, cursed: 1 })
  })

  it('is named by the first that applies, in the order of ord', () => {
    const { index, mine, mineCoins, send } = createTestChain()
    // Each has every later flaw too: a number opcode (where it stands last, it is a tag without a value), a stutter,
    // a place of its own in the transaction, and a sat that is inscribed already.
    const flawed = (fields: (string | Uint8Array)[]) =>
      Uint8Array.of(0x00, ...envelope(fields, [0x51]))
    const pointer = pointTo(0n)
    const twice = [tag(1), 'a', tag(1), 'b']
    const [a = '', b = ''] = mineCoins(2).map(coin => `${send([[coin, HELLO]], [COIN])}:0`)
    mine()
    const curses = [
      [flawed([...UNKNOWN_EVEN, ...twice, ...pointer]), 'unrecognized even field'],
      [flawed([...twice, ...pointer]), 'duplicate field'],
      [flawed(pointer), 'incomplete field'],
      [flawed([...pointer, '']), 'not in first input'],
    ] as const
    const second = send([a, [b, ...curses.map(([envelope]) => envelope)]], [2n * COIN])
    mine()
    for (const [i, [, curse]] of curses.entries()) {
      expect(index.inscription(`${second}i${i}`)?.curse).toBe(curse)
    }
    const flaws = [flawed([...pointer, '']), flawed(['']), STUTTER, HELLO]
    const named = flaws.map(flaw => {
      const [coin = ''] = mineCoins(1).map(coin => `${send([[coin, HELLO]], [COIN])}:0`)
      mine()
      const txid = send([[coin, flaw, flawed([...pointer, ''])]], [COIN])
      mine()
      return [0, 1].map(i => index.inscription(`${txid}i${i}`)?.curse)
    })
    expect(named).toEqual(
      ['pointer', 'pushnum', 'stutter', 'reinscription'].map(curse => [
        curse,
        'not at offset zero',
      ]),
    )
  })

  it('multiple inscriptions in same tx all but first input are cursed', () => {
    const { index, mine, mineCoins, send, placeOf, numberOf } = createTestChain()
    const txid = send(
      mineCoins(3).map(coin => [coin, HELLO] as const),
      [3n * COIN],
    )
    mine()
    const ids = [0, 1, 2].map(i => `${txid}i${i}`)
    expect(ids.map(numberOf)).toEqual([0, -1, -2])
    expect(ids.map(placeOf)).toEqual([0n, COIN, 2n * COIN].map(offset => `${txid}:0:${offset}`))
    expect(index.inscription(-2)?.curse).toBe('not in first input')
  })

  it('multiple inscriptions same input are cursed reinscriptions', () => {
    const { index, mine, send, placeOf, numberOf, charmsOf } = createTestChain()
    const txid = send([[mine(), HELLO, HELLO, HELLO]], [COIN])
    mine()
    const ids = [0, 1, 2].map(i => `${txid}i${i}`)
    expect(ids.map(numberOf)).toEqual([0, -1, -2])
    expect(ids.map(placeOf)).toEqual(ids.map(() => `${txid}:0:0`))
    expect(ids.map(charmsOf)).toEqual([
      [],
      ['reinscription', 'cursed'],
      ['reinscription', 'cursed'],
    ])
    expect(index.inscription(-1)?.curse).toBe('not at offset zero')
  })

  it('multiple inscriptions different inputs and same inputs', () => {
    const { mine, mineCoins, send, placeOf, numberOf } = createTestChain()
    const spends = mineCoins(3).map(coin => [coin, HELLO, HELLO, HELLO] as const)
    const txid = send(spends, [3n * COIN])
    mine()
    expect([0, 1, 3, 8].map(i => numberOf(`${txid}i${i}`))).toEqual([0, -1, -3, -8])
    expect(placeOf(`${txid}i3`)).toBe(`${txid}:0:${COIN}`)
    expect(placeOf(`${txid}i8`)).toBe(`${txid}:0:${2n * COIN}`)
  })
})

describe('a reinscription', () => {
  it('inscriptions on same sat after the first are not unbound', () => {
    const { index, mine, send, placeOf, numberOf, charmsOf } = createTestChain()
    const first = send([[mine(), HELLO]], [COIN])
    mine()
    const second = send([[`${first}:0`, HELLO]], [COIN])
    mine()
    expect(placeOf(`${second}i0`)).toBe(`${second}:0:0`)
    expect(numberOf(`${second}i0`)).toBe(-1)
    expect(charmsOf(`${second}i0`)).toEqual(['reinscription', 'cursed'])
    expect(index.inscription(`${second}i0`)?.curse).toBe('reinscription')
  })

  it('reinscription on cursed inscription is not cursed, second reinscription is', () => {
    const { index, mine, mineCoins, send, numberOf } = createTestChain()
    const [a = '', b = ''] = mineCoins(2)
    const base = send(
      [
        [a, HELLO],
        [b, HELLO],
      ],
      [COIN, COIN],
    )
    mine()
    const first = send([[`${base}:1`, HELLO]], [COIN])
    mine()
    const second = send([[`${first}:0`, HELLO]], [COIN])
    mine()
    const ids = [`${base}i1`, `${first}i0`, `${second}i0`]
    expect(ids.map(numberOf)).toEqual([-1, 1, -2])
    expect(index.output(`${second}:0`)?.inscriptions.map(({ id }) => id)).toEqual(ids)
  })

  it.each([
    ['pre jubilee first reinscription after cursed inscription is blessed', 1, [-1, 0, -2]],
    [
      'post jubilee first reinscription after vindicated inscription not vindicated',
      110,
      [0, 1, 2],
    ],
  ])('%s', (_, height, numbers) => {
    const { mine, mineCoins, send, numberOf, charmsOf } = createTestChain()
    const [coin = ''] = mineCoins(height)
    let last = coin
    const ids = [PUSHNUM, HELLO, HELLO].map(envelope => {
      const txid = send([[last, envelope]], [COIN])
      last = `${txid}:0`
      mine()
      return `${txid}i0`
    })
    const cursed = height < 110 ? 'cursed' : 'vindicated'
    expect(ids.map(numberOf)).toEqual(numbers)
    expect(ids.map(charmsOf)).toEqual([[cursed], ['reinscription'], ['reinscription', cursed]])
  })

  it('reinscriptions are ordered correctly for many outpoints', () => {
    const { index, mine, mineCoins, send } = createTestChain()
    let [coin = ''] = mineCoins(1)
    const ids = Array.from({ length: 21 }, (_, i) => {
      const txid = send([[coin, inscribe(`hello ${i}`)]], [COIN])
      mine()
      coin = `${txid}:0`
      return `${txid}i0`
    })
    expect(index.output(coin)?.inscriptions).toEqual(ids.map(id => ({ id, offset: 0n })))
  })

  it('inscriptions with pointers to same sat one becomes cursed reinscription', () => {
    const { mine, mineCoins, send, placeOf, numberOf, charmsOf } = createTestChain()
    const [a = '', b = ''] = mineCoins(2)
    const pointed = inscribe('hello', ...pointTo(0n))
    const txid = send(
      [
        [a, HELLO],
        [b, pointed],
      ],
      [COIN, COIN],
    )
    mine()
    expect([`${txid}i0`, `${txid}i1`].map(placeOf)).toEqual([`${txid}:0:0`, `${txid}:0:0`])
    expect([`${txid}i0`, `${txid}i1`].map(numberOf)).toEqual([0, -1])
    expect(charmsOf(`${txid}i1`)).toEqual(['reinscription', 'cursed'])
  })

  it('inscription with pointer to parent is cursed reinscription', () => {
    const { mine, send, placeOf, numberOf, parentsOf, childrenOf } = createTestChain()
    const parent = send([[mine(), HELLO]], [COIN])
    mine()
    const fields = [...childOf(`${parent}i0`), ...pointTo(0n)]
    const child = send([[`${parent}:0`, inscribe('child', ...fields)]], [COIN])
    mine()
    expect([`${parent}i0`, `${child}i0`].map(placeOf)).toEqual([`${child}:0:0`, `${child}:0:0`])
    expect(numberOf(`${child}i0`)).toBe(-1)
    expect(parentsOf(`${child}i0`)).toEqual([`${parent}i0`])
    expect(childrenOf(`${parent}i0`)).toEqual([`${child}i0`])
  })
})

describe('numbers', () => {
  it('inscriptions are uncursed after jubilee', () => {
    const { index, mine, mineCoins, send, charmsOf, numberOf } = createTestChain()
    const [a = '', b = ''] = mineCoins(108)
    const before = send([[a, DUPLICATE]], [COIN])
    mine()
    expect(index.height()).toBe(109)
    const after = send([[b, DUPLICATE]], [COIN])
    mine()
    expect([`${before}i0`, `${after}i0`].map(numberOf)).toEqual([-1, 0])
    expect([`${before}i0`, `${after}i0`].map(charmsOf)).toEqual([['cursed'], ['vindicated']])
    expect(index.inscription(`${after}i0`)?.curse).toBe('duplicate field')
  })

  it('fee spent inscriptions are numbered last in block', () => {
    const { index, mine, mineCoins, send, numberOf } = createTestChain()
    const [a = '', b = '', c = ''] = mineCoins(3)
    const txids = [send([[a, HELLO]], [COIN]), send([[b, HELLO]], [0n]), send([[c, HELLO]], [COIN])]
    mine()
    expect(txids.map(txid => numberOf(`${txid}i0`))).toEqual([0, 2, 1])
    expect(index.inscription(`${txids[1]}i0`)?.sequence).toBe(2)
  })

  it('follow the offsets within a transaction, not the inputs', () => {
    const { mine, mineCoins, send, numberOf } = createTestChain(0)
    const [a = '', b = ''] = mineCoins(2)
    const late = inscribe('late', ...pointTo(COIN + 1n))
    const txid = send(
      [
        [a, late],
        [b, HELLO],
      ],
      [2n * COIN],
    )
    mine()
    expect([`${txid}i0`, `${txid}i1`].map(numberOf)).toEqual([1, 0])
  })
})
