import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OrdBlock } from './inscriptions/output-set.ts'
import { LOST_OUTPOINT, UNBOUND_OUTPOINT } from './inscriptions/satpoint.ts'
import { createSatRanges } from './testing/sat-ranges.ts'
import {
  COIN,
  childOf,
  coinbaseCoin,
  createTestChain,
  envelope,
  inscribe,
  OP_RETURN_SCRIPT,
  type Pay,
  pointTo,
  type Spend,
  tag,
} from './testing/test-chain.ts'

const HELLO = inscribe('hello')
const UNBOUND = { outpoint: UNBOUND_OUTPOINT, offset: 0n }

describe('an inscription', () => {
  it('is found by id and by number, with height, time and content', () => {
    const { index, mine, send } = createTestChain()
    const txid = send([[mine(), HELLO]], [COIN])
    expect(index.inscription(`${txid}i0`)).toBeUndefined()
    mine()
    const found = index.inscription(0)
    expect(found).toMatchObject({
      id: `${txid}i0`,
      sequence: 0,
      height: 2,
      timestamp: 1_600_000_002,
    })
    expect(Buffer.from(found?.fields.body ?? []).toString()).toBe('hello')
    expect(index.inscription(`${txid}i0`)).toEqual(found)
    expect(index.inscription(`${txid}i1`)).toBeUndefined()
    expect(index.inscription(-1)).toBeUndefined()
  })

  it('has an even share of the fee (inscription fee distributed evenly)', () => {
    const { index, mine, send } = createTestChain()
    const txid = send([[mine(), HELLO, HELLO, HELLO]], [COIN - 35n])
    mine()
    expect([0, 1, 2].map(i => index.inscription(`${txid}i${i}`)?.fee)).toEqual([11n, 11n, 11n])
  })

  it('is burned in an OP_RETURN, whether it was sent there or made there', () => {
    const { mine, mineCoins, send, placeOf, charmsOf } = createTestChain()
    const [a = '', b = ''] = mineCoins(2)
    const sent = send([[a, HELLO]], [COIN])
    mine()
    const burn = send([`${sent}:0`], [[COIN, OP_RETURN_SCRIPT]])
    const made = send([[b, HELLO]], [[1n, OP_RETURN_SCRIPT], COIN - 1n])
    mine()
    expect(placeOf(`${sent}i0`)).toBe(`${burn}:0:0`)
    expect([`${sent}i0`, `${made}i0`].map(charmsOf)).toEqual([['burned'], ['burned']])
  })
})

describe('an output', () => {
  it('lists what it holds until it is spent (inscriptions on output)', () => {
    const { index, mine, send } = createTestChain()
    const first = send([[mine(), HELLO]], [COIN])
    expect(index.output(`${first}:0`)).toBeUndefined()
    mine()
    const held = { value: COIN, scriptPubKey: Uint8Array.of(0x51), height: 2, spent: false }
    const inscriptions = [{ id: `${first}i0`, offset: 0n }]
    expect(index.output(`${first}:0`)).toEqual({ ...held, inscriptions })
    const second = send([`${first}:0`], [COIN])
    mine()
    expect(index.output(`${first}:0`)).toEqual({ ...held, spent: true, inscriptions: [] })
    expect(index.output(`${second}:0`)?.inscriptions).toEqual(inscriptions)
  })

  it('lists in the order of numbering, wherever the sats are', () => {
    const { index, mine, mineCoins, send } = createTestChain()
    const [a = '', b = ''] = mineCoins(2)
    const older = send([[a, HELLO]], [COIN])
    mine()
    const newer = send([[b, HELLO]], [COIN])
    mine()
    const merged = send([`${newer}:0`, `${older}:0`], [2n * COIN])
    mine()
    expect(index.output(`${merged}:0`)?.inscriptions).toEqual([
      { id: `${older}i0`, offset: COIN },
      { id: `${newer}i0`, offset: 0n },
    ])
  })

  it('is listed for its script until it is spent (output addresses are updated)', () => {
    const { index, mine, mineCoins, send } = createTestChain()
    const script = Uint8Array.of(0x52)
    const coins = mineCoins(2)
    const first = send(coins, [
      [COIN, script],
      [COIN, script],
    ])
    mine()
    expect(index.unspentOf(script)).toEqual([`${first}:0`, `${first}:1`])
    const second = send([`${first}:0`], [[COIN, script]])
    mine()
    expect(index.unspentOf(script)).toEqual([`${first}:1`, `${second}:0`])
    index.undoBlock()
    expect(index.unspentOf(script).sort()).toEqual([`${first}:0`, `${first}:1`])
  })

  it('can be spent in the block that made it', () => {
    const { mine, send, placeOf } = createTestChain()
    const first = send([[mine(), HELLO]], [COIN])
    const second = send([`${first}:0`], [1n, COIN - 1n])
    mine()
    expect(placeOf(`${first}i0`)).toBe(`${second}:0:0`)
  })
})

describe('a block', () => {
  it('must follow the last one', () => {
    const { index, assemble } = createTestChain()
    expect(() => index.applyBlock({ ...assemble(), height: 2 })).toThrow('does not follow')
    expect(index.height()).toBe(0)
  })

  it('that spends what is not there leaves no trace', () => {
    const { index, mine, send, assemble } = createTestChain()
    const coin = mine()
    const made = send([[coin, HELLO]], [COIN])
    send([coin], [COIN])
    expect(() => index.applyBlock(assemble())).toThrow(`${coin} is not there to spend`)
    expect(index.height()).toBe(1)
    expect(index.inscription(`${made}i0`)).toBeUndefined()
    expect(index.output(`${made}:0`)).toBeUndefined()
    expect(index.output(coin)?.spent).toBe(false)
    expect(index.counts().blessed).toBe(0)
  })

  it('of another branch takes the place of one that was undone (recover from reorg)', () => {
    const { index, mine, mineCoins, send, placeOf, numberOf } = createTestChain()
    const [a = '', b = ''] = mineCoins(2)
    const kept = send([[a, HELLO]], [COIN])
    mine()
    const dropped = send([[b, HELLO]], [COIN])
    const moved = send([`${kept}:0`], [COIN])
    mineCoins(3)
    expect(placeOf(`${kept}i0`)).toBe(`${moved}:0:0`)
    for (let i = 0; i < 3; i++) index.undoBlock()
    const other = send([[b, inscribe('other')]], [COIN - 1n])
    mineCoins(4)
    expect(placeOf(`${kept}i0`)).toBe(`${kept}:0:0`)
    expect(index.inscription(`${dropped}i0`)).toBeUndefined()
    expect(numberOf(`${other}i0`)).toBe(1)
  })

  it.each([3, 7])('recover from %d block deep and consecutive reorg', depth => {
    const { index, mine, mineCoins, send, placeOf, numberOf } = createTestChain()
    const kept = send([[mine(), HELLO]], [COIN])
    mine()
    for (const text of ['a', 'b', 'c']) {
      const [coin = ''] = mineCoins(1)
      const dropped = send([[coin, inscribe(text)]], [COIN])
      mineCoins(depth - 1)
      expect(numberOf(`${dropped}i0`)).toBe(1)
      for (let i = 0; i < depth; i++) index.undoBlock()
      expect(index.inscription(`${dropped}i0`)).toBeUndefined()
      expect(index.inscription(1)).toBeUndefined()
    }
    expect(placeOf(`${kept}i0`)).toBe(`${kept}:0:0`)
    expect(index.height()).toBe(2)
  })

  it('before the first cannot be undone', () => {
    const { index } = createTestChain()
    index.undoBlock()
    expect(index.height()).toBe(-1)
    expect(() => index.undoBlock()).toThrow('no block to undo')
  })
})

// Instructions of which any makes a valid chain: numbers are taken modulo what there is to choose from.
const SMALL = fc.nat({ max: 1_000 })
const RANDOM_TRANSACTION = fc.record({
  inputs: fc.array(
    fc.record({ coin: SMALL, reveals: fc.array(fc.nat({ max: 7 }), { maxLength: 3 }) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  shares: fc.array(fc.record({ weight: fc.nat({ max: 3 }), burns: fc.nat({ max: 9 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  feeWeight: fc.nat({ max: 3 }),
  choice: SMALL,
})
const RANDOM_BLOCK = fc.record({
  transactions: fc.array(RANDOM_TRANSACTION, { maxLength: 4 }),
  claim: fc.option(fc.nat({ max: 100 }), { freq: 3 }),
})
const RANDOM_CHAIN = fc.array(RANDOM_BLOCK, { minLength: 3, maxLength: 9 })

type RandomTransaction<T> = T extends fc.Arbitrary<infer U> ? U : never

describe('any chain', () => {
  it('keeps every inscription in one existing place, on the sat where it was made', () => {
    fc.assert(
      fc.property(RANDOM_CHAIN, sample => {
        const { index, blocks, ids, outpoints } = randomChain(sample)
        const { blessed, cursed, unbound } = index.counts()
        expect(blessed + cursed).toBe(ids.size)
        const numbers = [...ids].map(id => index.inscription(id)?.number ?? NaN)
        expect(numbers.sort((a, b) => a - b)).toEqual(
          Array.from({ length: ids.size }, (_, i) => i - cursed),
        )
        for (let undone = blocks.length; undone > 0; undone--) index.undoBlock()

        const ranges = createSatRanges(() => COIN)
        const sats = new Map<string, bigint>()
        for (const block of blocks) {
          index.applyBlock(block)
          ranges.apply(block)
          const listed = [...outpoints].flatMap(outpoint =>
            (index.output(outpoint)?.inscriptions ?? []).map(
              ({ id, offset }) => `${id} ${outpoint}:${offset}`,
            ),
          )
          const placed: string[] = []
          const astray: string[] = []
          for (const id of ids) {
            const { outpoint, offset } = index.inscription(id)?.satpoint ?? UNBOUND
            if (outpoint === UNBOUND_OUTPOINT) continue
            const isLost = outpoint === LOST_OUTPOINT
            if (!isLost) placed.push(`${id} ${outpoint}:${offset}`)
            const exists = isLost
              ? offset < index.counts().lostSats
              : index.output(outpoint)?.spent === false
            const sat = ranges.satAt(isLost ? null : outpoint, offset)
            if (!exists || sat === undefined || sat !== (sats.get(id) ?? sat)) astray.push(id)
            else sats.set(id, sat)
          }
          expect(astray).toEqual([])
          expect(listed.sort()).toEqual(placed.sort())
        }
        expect(index.counts()).toMatchObject({ blessed, cursed, unbound })
        expect(sats.size + unbound).toBe(ids.size)
      }),
      { numRuns: 30 },
    )
  })

  it('is after an undone block what it was before', () => {
    fc.assert(
      fc.property(RANDOM_CHAIN, sample => {
        const { index, blocks, ids, outpoints } = randomChain(sample)
        const takeSnapshot = () => ({
          counts: index.counts(),
          outputs: [...outpoints].map(outpoint => index.output(outpoint)),
          inscriptions: [...ids].map(id => index.inscription(id)),
          numbers: [...ids].map((_, i) => [index.inscription(i)?.id, index.inscription(-i)?.id]),
        })
        const end = takeSnapshot()
        const snapshots: ReturnType<typeof takeSnapshot>[] = []
        for (const _ of blocks) {
          index.undoBlock()
          snapshots.push(takeSnapshot())
        }
        for (const block of blocks) {
          expect(takeSnapshot()).toEqual(snapshots.pop())
          index.applyBlock(block)
        }
        expect(takeSnapshot()).toEqual(end)
      }),
      { numRuns: 15 },
    )
  })
})

/** Mines a chain, with the jubilee in the middle, by drawn instructions; `blocks` are those after its genesis block. */
function randomChain(sample: readonly RandomTransaction<typeof RANDOM_BLOCK>[]) {
  const chain = createTestChain(8)
  const { index } = chain
  const blocks: OrdBlock[] = []
  const unspent: string[] = []
  const ids = new Set<string>()
  const outpoints = new Set<string>()

  function add(claim?: bigint): void {
    const block = chain.assemble(claim)
    index.applyBlock(block)
    blocks.push(block)
    unspent.push(coinbaseCoin(block))
    outpoints.add(coinbaseCoin(block))
  }

  function randomTransaction({
    inputs,
    shares,
    feeWeight,
    choice,
  }: RandomTransaction<typeof RANDOM_TRANSACTION>): void {
    let revealed = 0
    let total = 0n
    const spends: Spend[] = []
    const kinds = [
      HELLO,
      HELLO,
      inscribe('', ...pointTo((BigInt(choice) * COIN) / 300n)),
      envelope([tag(1), 'a', tag(1), 'b']),
      envelope([tag(4), 'b']),
      envelope([''], [0x51]),
      inscribe('', ...childOf([...ids][choice % Math.max(ids.size, 1)]?.slice(0, 64) ?? '')),
      inscribe('', ...pointTo(BigInt(choice))),
    ]
    for (const { coin, reveals } of inputs) {
      const [outpoint] = unspent.splice(coin % Math.max(unspent.length, 1), 1)
      if (outpoint === undefined) break
      total += chain.valueOf(outpoint)
      revealed += reveals.length
      spends.push([outpoint, ...reveals.map(kind => kinds[kind] ?? HELLO)])
    }
    if (spends.length === 0) return
    const weights = shares.reduce((sum, { weight }) => sum + weight, feeWeight)
    const pays = shares.map(({ weight, burns }): Pay => {
      const value = weights === 0 ? 0n : (total * BigInt(weight)) / BigInt(weights)
      return burns === 0 ? [value, OP_RETURN_SCRIPT] : value
    })
    const txid = chain.send(spends, pays)
    for (let i = 0; i < revealed; i++) ids.add(`${txid}i${i}`)
    for (const [vout, pay] of pays.entries()) {
      outpoints.add(`${txid}:${vout}`)
      if (typeof pay === 'bigint') unspent.push(`${txid}:${vout}`)
    }
  }

  for (let i = 0; i < 3; i++) add()
  for (const { transactions, claim } of sample) {
    for (const transaction of transactions) randomTransaction(transaction)
    add(claim === null ? undefined : (BigInt(claim) * COIN) / 100n)
  }
  return { index, blocks, ids, outpoints }
}
