import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Network } from '../network.ts'
import { buildBlock } from '../testing/block-building.ts'
import {
  ADJUSTMENTS,
  type HeaderRun,
  MAINNET_RUN,
  STALE_HEADER,
  TESTNET4_RUN,
} from '../testing/header-vectors.ts'
import {
  chainWithMostWork,
  extendHeaders,
  type HeaderChain,
  medianTimePast,
  startHeaders,
} from './header-chain.ts'

const NOW = Date.parse('2026-11-01')

/** The first `count` headers of a run, checked; throws where they are refused. */
function chainOf(network: Network, { height, raws }: HeaderRun, count = raws.length): HeaderChain {
  const [first = new Uint8Array()] = raws
  return grow(startHeaders(network, height, first), raws.slice(1, count))
}

function grow(chain: HeaderChain, raws: readonly Uint8Array[], now = NOW): HeaderChain {
  const extended = extendHeaders(chain, raws, now)
  if ('invalid' in extended) throw new Error(JSON.stringify(extended.invalid))
  return extended.chain
}

function faultOf(chain: HeaderChain, raws: readonly Uint8Array[], now = NOW): unknown {
  const extended = extendHeaders(chain, raws, now)
  return 'invalid' in extended ? extended.invalid : null
}

describe('headers of mainnet', () => {
  const chain = chainOf('mainnet', MAINNET_RUN)
  const chain11 = chainOf('mainnet', MAINNET_RUN, 11)

  it('of a whole period and into the next are accepted, with the work that the network counts', () => {
    expect(chain.headers).toHaveLength(2033)
    const works = new Map(ADJUSTMENTS.map(({ height, chainwork }) => [height, chainwork]))
    const last = chainOf('mainnet', MAINNET_RUN, 2017)
    const [before = 0n, after = 0n] = [works.get(822_528), works.get(824_544)]
    expect(last.work).toBe(after - before)
  })

  it('one after the other or all at once make the same chain', () => {
    let grown = chainOf('mainnet', MAINNET_RUN, 1)
    for (const raw of MAINNET_RUN.raws.slice(1, 40)) grown = grow(grown, [raw])
    expect(grown).toEqual(chainOf('mainnet', MAINNET_RUN, 40))
  })

  it('that leave one out are refused at the one after it', () => {
    const raws = MAINNET_RUN.raws.slice(1, 20).toSpliced(7, 1)
    expect(faultOf(chainOf('mainnet', MAINNET_RUN, 1), raws)).toEqual({
      index: 7,
      height: 822_536,
      fault: 'prev-blk-not-found',
    })
  })

  it('that follow nothing known are refused', () => {
    const raws = MAINNET_RUN.raws.slice(30, 40)
    expect(faultOf(chainOf('mainnet', MAINNET_RUN, 10), raws)).toEqual({
      index: 0,
      height: null,
      fault: 'prev-blk-not-found',
    })
  })

  it('of another length are refused', () => {
    const [, next = new Uint8Array()] = MAINNET_RUN.raws
    const start = chainOf('mainnet', MAINNET_RUN, 1)
    expect(faultOf(start, [next.subarray(1)])).toMatchObject({ fault: 'bad-size' })
  })

  it('more than two hours ahead of our clock are refused', () => {
    const next = MAINNET_RUN.raws.slice(1, 2)
    const start = chainOf('mainnet', MAINNET_RUN, 1)
    const at = grow(start, next).headers[1]?.at ?? 0
    expect(faultOf(start, next, at - 7_200_000)).toBeNull()
    expect(faultOf(start, next, at - 7_201_000)).toMatchObject({ fault: 'time-too-new' })
  })

  it('have the median of eleven times behind them, which fewer do not tell', () => {
    const times = chain11.headers.map(({ at }) => at).sort((a, b) => a - b)
    expect(medianTimePast(chain11, 822_538)).toBe(times[5])
    expect(medianTimePast(chain11, 822_537), 'ten at hand').toBeNull()
    expect(medianTimePast(chain11, 822_539), 'not at hand').toBeNull()
  })

  it('not after the median of the eleven times before them are refused', () => {
    const next = grow(chain11, MAINNET_RUN.raws.slice(11, 12)).headers[11]?.at ?? 0
    const dated = (at: number) => ({
      ...chain11,
      headers: chain11.headers.map((header, index) => (index < 5 ? header : { ...header, at })),
    })
    const raws = MAINNET_RUN.raws.slice(11, 12)
    expect(faultOf(dated(next - 1000), raws)).toBeNull()
    expect(faultOf(dated(next), raws)).toMatchObject({ fault: 'time-too-old' })
  })

  it('as easy as those of regtest are refused, though they meet their target', () => {
    const first = buildBlock({ height: 1, previous: '00'.repeat(32) })
    const second = buildBlock({ height: 2, previous: first.hash })
    expect(faultOf(startHeaders('mainnet', 1, first.header), [second.header])).toMatchObject({
      fault: 'high-hash',
    })
  })

  it('with any bit changed are refused', () => {
    const start = chainOf('mainnet', MAINNET_RUN, 2000)
    const raws = MAINNET_RUN.raws.slice(2000)
    const bit = fc.integer({ min: 0, max: 639 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: raws.length - 1 }), bit, (index, at) => {
        const changed = raws.map(raw => raw.slice())
        const raw = changed[index] ?? new Uint8Array()
        raw[at >> 3] = (raw[at >> 3] ?? 0) ^ (1 << (at & 7))
        expect(faultOf(start, changed)).toMatchObject({ index })
      }),
    )
  })

  it('in any other order are refused', () => {
    const start = chainOf('mainnet', MAINNET_RUN, 2000)
    const raws = MAINNET_RUN.raws.slice(2000)
    const order = fc.shuffledSubarray([...raws.keys()], { minLength: raws.length })
    fc.assert(
      fc.property(order, places => {
        const isSame = places.every((place, index) => place === index)
        const fault = faultOf(
          start,
          places.flatMap(place => raws[place] ?? []),
        )
        expect(fault === null).toBe(isSame)
      }),
    )
  })
})

describe('two blocks at the same height', () => {
  const before = chainOf('mainnet', MAINNET_RUN, STALE_HEADER.height - MAINNET_RUN.height)
  const raws = MAINNET_RUN.raws.slice(before.headers.length)
  const stale = grow(before, [STALE_HEADER.raw])
  const real = grow(before, raws.slice(0, 1))

  it('leave the wallet with the one that it saw first', () => {
    expect(real.work).toBe(stale.work)
    expect(chainWithMostWork(stale, real)).toBe(stale)
    expect(chainWithMostWork(real, stale)).toBe(real)
  })

  it('are decided by the next block', () => {
    const longer = grow(stale, raws.slice(0, 2))
    expect(longer).toEqual(grow(before, raws.slice(0, 2)))
    expect(chainWithMostWork(stale, longer)).toBe(longer)
  })

  it('are chosen by work, not by length', () => {
    const easy = { ...stale, headers: [...stale.headers, ...stale.headers], work: stale.work - 1n }
    expect(chainWithMostWork(real, easy)).toBe(real)
    expect(chainWithMostWork(easy, real)).toBe(real)
  })

  it('of chains that begin elsewhere cannot be compared', () => {
    expect(() => chainWithMostWork(chainOf('testnet4', TESTNET4_RUN, 1), real)).toThrow(
      'same header',
    )
  })
})

describe('headers of Testnet4', () => {
  it('of a whole period with blocks of minimum difficulty, and its adjustment, are accepted', () => {
    const chain = chainOf('testnet4', TESTNET4_RUN)
    expect(chain.headers).toHaveLength(2017)
    const easy = chain.headers.filter(({ bits }) => bits === 0x1d00ffff)
    expect(easy.length).toBeGreaterThan(1000)
    expect(chain.headers.at(-2)?.bits).toBe(0x1d00ffff)
    expect(chain.headers.at(-1)?.bits).not.toBe(0x1d00ffff)
  })

  it('that set the clock back by more than ten minutes at an adjustment are refused (BIP-94)', () => {
    const chain = chainOf('testnet4', TESTNET4_RUN)
    const next = chain.headers.at(-1)?.at ?? 0
    const before = chain.headers.slice(0, -1)
    // The last header of the period is dated anew, and the first one by as much, which keeps the difficulty.
    const dated = (at: number) => {
      const shift = at - (before.at(-1)?.at ?? 0)
      const headers = before.map((header, index) =>
        index === 0 || index === 2015 ? { ...header, at: header.at + shift } : header,
      )
      return { ...chain, headers }
    }
    const raws = TESTNET4_RUN.raws.slice(-1)
    expect(faultOf(dated(next + 600_000), raws)).toBeNull()
    expect(faultOf(dated(next + 601_000), raws)).toMatchObject({ fault: 'time-timewarp-attack' })
  })

  it('are refused by the rules of mainnet', () => {
    const start = chainOf('testnet4', TESTNET4_RUN, 1)
    expect(faultOf({ ...start, network: 'mainnet' }, TESTNET4_RUN.raws.slice(1))).toMatchObject({
      fault: 'bad-diffbits',
    })
  })
})

describe('the version of a header', () => {
  const first = buildBlock({ height: 100, previous: '00'.repeat(32) })
  const next = (version: number) => [
    buildBlock({ height: 101, previous: first.hash, version }).header,
  ]

  it.each([1, 2, 3, -1])('%i is too old where BIP-65 is in force', version => {
    const start = startHeaders('regtest', 100, first.header)
    expect(faultOf(start, next(version))).toMatchObject({ fault: 'bad-version' })
    expect(faultOf(start, next(4))).toBeNull()
  })
})

it('a chain begins with a header that meets its target', () => {
  const [first = new Uint8Array()] = MAINNET_RUN.raws
  expect(() => startHeaders('mainnet', 0, first.toReversed())).toThrow('80 bytes')
})
