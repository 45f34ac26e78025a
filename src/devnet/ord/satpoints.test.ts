import { describe, expect, it } from 'vitest'
import { LOST_OUTPOINT, UNBOUND_OUTPOINT } from './inscriptions/satpoint.ts'
import { COIN, createTestChain, envelope, inscribe, pointTo, tag } from './testing/test-chain.ts'

const HELLO = inscribe('hello')

// The scenarios of ord's own tests (src/index.rs), by their names.
describe('satpoints', () => {
  it('inscriptions are tracked correctly', () => {
    const { mine, send, placeOf } = createTestChain()
    const txid = send([[mine(), HELLO]], [COIN])
    mine()
    expect(placeOf(`${txid}i0`)).toBe(`${txid}:0:0`)
  })

  it('unaligned inscriptions are tracked correctly', () => {
    const { mine, send, placeOf } = createTestChain()
    const txid = send([[mine(), HELLO]], [COIN])
    const sent = send([mine(), `${txid}:0`], [2n * COIN])
    mine()
    expect(placeOf(`${txid}i0`)).toBe(`${sent}:0:${COIN}`)
  })

  it('merged inscriptions are tracked correctly', () => {
    const { mine, mineCoins, send, placeOf } = createTestChain()
    const [a = '', b = ''] = mineCoins(2)
    const first = send([[a, HELLO]], [COIN])
    const second = send([[b, HELLO]], [COIN])
    mine()
    const merged = send([`${first}:0`, `${second}:0`], [2n * COIN])
    mine()
    expect(placeOf(`${first}i0`)).toBe(`${merged}:0:0`)
    expect(placeOf(`${second}i0`)).toBe(`${merged}:0:${COIN}`)
  })

  it('inscriptions that are sent to second output are tracked correctly', () => {
    const { mine, send, placeOf } = createTestChain()
    const txid = send([[mine(), HELLO]], [COIN])
    const sent = send([mine(), `${txid}:0`], [COIN, COIN])
    mine()
    expect(placeOf(`${txid}i0`)).toBe(`${sent}:1:0`)
  })

  it('inscription skips zero value first output of inscribe transaction', () => {
    const { mine, send, placeOf } = createTestChain()
    const txid = send([[mine(), HELLO]], [0n, COIN])
    mine()
    expect(placeOf(`${txid}i0`)).toBe(`${txid}:1:0`)
  })
})

describe('fees', () => {
  it('one input fee spent inscriptions are tracked correctly', () => {
    const { mine, send, placeOf } = createTestChain()
    const txid = send([[mine(), HELLO]], [COIN])
    mine()
    send([`${txid}:0`], [0n])
    const coin = mine()
    expect(placeOf(`${txid}i0`)).toBe(`${coin}:${COIN}`)
  })

  it('two input fee spent inscriptions are tracked correctly', () => {
    const { mine, mineCoins, send, placeOf } = createTestChain()
    const [a = '', b = ''] = mineCoins(2)
    const txid = send([[a, HELLO]], [COIN])
    mine()
    send([b, `${txid}:0`], [COIN])
    const coin = mine()
    expect(placeOf(`${txid}i0`)).toBe(`${coin}:${COIN}`)
  })

  it('inscription can be fee spent in first transaction', () => {
    const { mine, send, placeOf } = createTestChain()
    const txid = send([[mine(), HELLO]], [0n])
    const coin = mine()
    expect(placeOf(`${txid}i0`)).toBe(`${coin}:${COIN}`)
  })

  it('inscribe into fee: two of three inputs', () => {
    const { mine, mineCoins, send, placeOf } = createTestChain()
    const [a = '', b = '', c = ''] = mineCoins(3)
    const spends = [[a, HELLO] as const, [b, HELLO] as const, [c, HELLO] as const]
    const txid = send(spends, [COIN])
    const coin = mine()
    expect([0, 1, 2].map(i => placeOf(`${txid}i${i}`))).toEqual([
      `${txid}:0:0`,
      `${coin}:${COIN}`,
      `${coin}:${2n * COIN}`,
    ])
  })

  it('inscribe into fee with reduced subsidy', () => {
    const { mine, send, placeOf } = createTestChain()
    const txid = send([[mine(), HELLO]], [0n])
    const coin = mine(COIN + COIN / 2n)
    expect(placeOf(`${txid}i0`)).toBe(`${coin}:${COIN}`)
  })

  it('reach the coinbase in the order of the block, behind the subsidy', () => {
    const { mine, mineCoins, send, placeOf } = createTestChain()
    const [a = '', b = '', c = ''] = mineCoins(3)
    const first = send([[a, HELLO]], [COIN])
    const second = send([[b, HELLO]], [COIN])
    mine()
    send([`${second}:0`], [0n])
    send([c, `${first}:0`], [COIN - 7n])
    const coin = mine()
    expect(placeOf(`${second}i0`)).toBe(`${coin}:${COIN}`)
    expect(placeOf(`${first}i0`)).toBe(`${coin}:${2n * COIN + 7n}`)
  })

  it('come behind the halved subsidy of regtest from height 150 on', () => {
    const { index, mine, mineCoins, send, placeOf } = createTestChain()
    const [coin = ''] = mineCoins(149)
    const txid = send([[coin, HELLO]], [0n])
    const halved = mine()
    expect(index.height()).toBe(150)
    expect(placeOf(`${txid}i0`)).toBe(`${halved}:${COIN / 2n}`)
  })
})

describe('lost sats', () => {
  it('lost sats are tracked correctly', () => {
    const { index, mine } = createTestChain()
    const lostAfter = (claim?: bigint) => {
      mine(claim)
      return index.counts().lostSats
    }
    expect([lostAfter(), lostAfter(0n), lostAfter(0n), lostAfter()]).toEqual([
      0n,
      COIN,
      2n * COIN,
      2n * COIN,
    ])
  })

  it('inscription can be lost in first transaction', () => {
    const { mine, send, placeOf, charmsOf } = createTestChain()
    const txid = send([[mine(), HELLO]], [0n])
    mine(COIN)
    expect(placeOf(`${txid}i0`)).toBe(`${LOST_OUTPOINT}:0`)
    expect(charmsOf(`${txid}i0`)).toEqual(['lost'])
  })

  it('multiple inscriptions can be lost', () => {
    const { mine, mineCoins, send, placeOf } = createTestChain()
    const [a = '', b = ''] = mineCoins(2)
    const first = send([[a, HELLO]], [0n])
    mine(0n)
    const second = send([[b, HELLO]], [0n])
    mine(0n)
    // Behind the subsidies that were lost with them.
    expect(placeOf(`${first}i0`)).toBe(`${LOST_OUTPOINT}:${COIN}`)
    expect(placeOf(`${second}i0`)).toBe(`${LOST_OUTPOINT}:${3n * COIN}`)
  })

  it('lost inscriptions get lost satpoints', () => {
    const { mine, send, placeOf, charmsOf } = createTestChain()
    mine(0n)
    const txid = send([[mine(), HELLO]], [COIN / 2n, COIN / 2n])
    mine()
    send([`${txid}:1`, `${txid}:0`], [0n])
    mine(COIN)
    // Behind the subsidy that was lost before, in the second half of the fee.
    expect(placeOf(`${txid}i0`)).toBe(`${LOST_OUTPOINT}:${COIN + COIN / 2n}`)
    expect(charmsOf(`${txid}i0`)).toEqual(['lost'])
  })
})

describe('inscriptions without a sat', () => {
  it('inscriptions without sats are unbound', () => {
    const { index, mine, mineCoins, send, placeOf, charmsOf } = createTestChain()
    const places = mineCoins(2).map(coin => {
      const empty = send([coin], [0n])
      mine()
      const txid = send([[`${empty}:0`, HELLO]], [0n])
      mine()
      // Without a sat of its own it is past the coinbase's end when it is numbered, which ord calls lost too.
      expect(charmsOf(`${txid}i0`)).toEqual(['unbound', 'lost'])
      return placeOf(`${txid}i0`)
    })
    expect(places).toEqual([`${UNBOUND_OUTPOINT}:0`, `${UNBOUND_OUTPOINT}:1`])
    expect(index.counts()).toEqual({ blessed: 2, cursed: 0, unbound: 2, lostSats: 0n })
  })

  it('transaction with inscription inside zero value 2nd input should be unbound and cursed', () => {
    const { mine, mineCoins, send, placeOf, numberOf } = createTestChain()
    const [a = '', b = ''] = mineCoins(2)
    const empty = send([a], [0n])
    mine()
    const txid = send(
      [
        [b, HELLO],
        [`${empty}:0`, HELLO],
      ],
      [COIN],
    )
    mine()
    expect(placeOf(`${txid}i1`)).toBe(`${UNBOUND_OUTPOINT}:0`)
    expect([numberOf(`${txid}i0`), numberOf(`${txid}i1`)]).toEqual([0, -1])
  })

  it('unrecognized even field inscriptions are cursed and unbound', () => {
    const { mine, send, placeOf, numberOf, charmsOf, index } = createTestChain()
    const txid = send([[mine(), envelope([tag(1), 'text/plain', tag(4), 'ord'])]], [COIN])
    mine()
    expect(placeOf(`${txid}i0`)).toBe(`${UNBOUND_OUTPOINT}:0`)
    expect(numberOf(`${txid}i0`)).toBe(-1)
    expect(charmsOf(`${txid}i0`)).toEqual(['cursed', 'unbound'])
    expect(index.output(`${txid}:0`)?.inscriptions).toEqual([])
  })

  it('unrecognized even field inscriptions are unbound after jubilee', () => {
    const { mine, mineCoins, send, placeOf, numberOf } = createTestChain()
    const [coin = ''] = mineCoins(109)
    const txid = send([[coin, envelope([tag(1), 'text/plain', tag(4), 'ord'])]], [COIN])
    mine()
    expect(placeOf(`${txid}i0`)).toBe(`${UNBOUND_OUTPOINT}:0`)
    expect(numberOf(`${txid}i0`)).toBe(0)
  })
})

describe('pointers', () => {
  it.each([
    ['inscription with pointer', 100n, COIN, ':0:100'],
    ['inscription with pointer greater than output value assigned default', COIN, COIN, ':0:0'],
    [
      'inscription with pointer into fee ignored and assigned default location',
      COIN / 2n,
      COIN / 2n,
      ':0:0',
    ],
  ])('%s', (_, pointer, paid, place) => {
    const { mine, send, placeOf, numberOf } = createTestChain()
    const txid = send([[mine(), inscribe('hello', ...pointTo(pointer))]], [paid])
    mine()
    expect(placeOf(`${txid}i0`)).toBe(`${txid}${place}`)
    expect(numberOf(`${txid}i0`)).toBe(-1)
  })

  it('inscriptions in same input with pointers to different outputs', () => {
    const { mine, send, placeOf } = createTestChain()
    const pointed = [100n, 100_111n, 299_999n].map(sat => inscribe('', ...pointTo(sat)))
    const txid = send([[mine(300_000n), ...pointed]], [100_000n, 100_000n, 100_000n])
    mine()
    expect([0, 1, 2].map(i => placeOf(`${txid}i${i}`))).toEqual([
      `${txid}:0:100`,
      `${txid}:1:111`,
      `${txid}:2:99999`,
    ])
  })

  it('inscriptions in same input with pointers to same output', () => {
    const { index, mine, send, placeOf } = createTestChain()
    const pointed = [10n, 0n, 20n].map(sat => inscribe('', ...pointTo(sat)))
    const txid = send([[mine(), ...pointed]], [COIN])
    mine()
    expect([0, 1, 2].map(i => placeOf(`${txid}i${i}`))).toEqual([
      `${txid}:0:10`,
      `${txid}:0:0`,
      `${txid}:0:20`,
    ])
    // In the order of their sats, which is the order of numbering.
    expect(index.output(`${txid}:0`)?.inscriptions.map(({ id }) => id)).toEqual(
      [1, 0, 2].map(i => `${txid}i${i}`),
    )
  })

  it('inscription with pointer of more than 64 bits or of trailing zeros is read as ord reads it', () => {
    const { mine, mineCoins, send, placeOf } = createTestChain()
    const [a = '', b = ''] = mineCoins(2)
    const padded = inscribe('', tag(2), Uint8Array.of(5, ...new Uint8Array(9)))
    const large = inscribe('', tag(2), Uint8Array.of(5, ...new Uint8Array(8), 1))
    const first = send([[a, padded]], [COIN])
    const second = send([[b, large]], [COIN])
    mine()
    expect(placeOf(`${first}i0`)).toBe(`${first}:0:5`)
    expect(placeOf(`${second}i0`)).toBe(`${second}:0:0`)
  })

  it('inscriptions in different inputs with pointers to different outputs', () => {
    const { mine, mineCoins, send, placeOf } = createTestChain()
    const [a = '', b = '', c = ''] = mineCoins(3)
    const at = (sat: bigint) => inscribe('', ...pointTo(sat))
    const spends = [[a, at(COIN)] as const, [b, at(2n * COIN)] as const, [c, at(0n)] as const]
    const txid = send(spends, [COIN, COIN, COIN])
    mine()
    expect([0, 1, 2].map(i => placeOf(`${txid}i${i}`))).toEqual([
      `${txid}:1:0`,
      `${txid}:2:0`,
      `${txid}:0:0`,
    ])
  })

  it('inscriptions in different inputs with pointers to same output', () => {
    const { mine, mineCoins, send, placeOf } = createTestChain()
    const [a = '', b = '', c = ''] = mineCoins(3)
    const at = (sat: bigint) => inscribe('', ...pointTo(sat))
    const txid = send(
      [
        [a, HELLO],
        [b, at(1n)],
        [c, at(2n)],
      ],
      [3n * COIN],
    )
    mine()
    expect([0, 1, 2].map(i => placeOf(`${txid}i${i}`))).toEqual([
      `${txid}:0:0`,
      `${txid}:0:1`,
      `${txid}:0:2`,
    ])
  })
})
