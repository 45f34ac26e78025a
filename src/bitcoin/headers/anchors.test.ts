import { describe, expect, it } from 'vitest'
import {
  ADJUSTMENTS,
  MAINNET_RUN,
  TESTNET4_PERIOD,
  TESTNET4_RUN,
} from '../testing/header-vectors.ts'
import anchors from './anchors.json' with { type: 'json' }
import {
  type Anchor,
  agreesWithAnchors,
  anchoredTarget,
  blocksOfWork,
  hasAnchoredDifficulty,
  lastAnchors,
  readAnchors,
} from './anchors.ts'
import { parseBlockHeader } from './block-header.ts'
import { CONSENSUS } from './consensus.ts'
import { isPermittedTransition } from './difficulty.ts'
import { extendHeaders, startHeaders } from './header-chain.ts'
import { formatCompactTarget, workOfTarget } from './target.ts'

const mainnet = readAnchors(anchors.mainnet)
const testnet4 = readAnchors(anchors.testnet4)
const signet = readAnchors(anchors.signet)

/** nMinimumChainWork and the block of defaultAssumeValid, in kernel/chainparams.cpp of Bitcoin Core 29, 30 and 31 (MIT). */
const CORE_WORK: [number, bigint][] = [
  [886_157, 0xb1f3b93b65b16d035a82be84n],
  [912_683, 0xdee8e2a309ad8a9820433c68n],
  [938_343, 0x1128750f82f4c366153a3a030n],
]

describe('the anchors that the worker has', () => {
  it.each([
    ['mainnet', mainnet],
    ['testnet4', testnet4],
    ['signet', signet],
  ] as const)(
    'of %s are those of the table, of which only the last has its hash',
    (network, table) => {
      const last = lastAnchors(network)
      expect(last.map(({ height, nextTarget }) => [height, nextTarget])).toEqual(
        table.map(({ height, nextTarget }) => [height, nextTarget]),
      )
      expect(last.at(-1)).toEqual(table.at(-1))
      expect(last.slice(0, -1).every(({ hash }) => hash === null)).toBe(true)
    },
  )

  it('are none of regtest', () => {
    expect(lastAnchors('regtest')).toEqual([])
  })
})

describe('the anchors of mainnet', () => {
  it('are the headers that others published, up to block 832,607', () => {
    const headers = new Map(ADJUSTMENTS.map(({ height, raw }) => [height, parseBlockHeader(raw)]))
    const known = mainnet.filter(({ height }) => headers.has(height))
    expect(known).toHaveLength(413)
    for (const { height, hash, nextTarget } of known) {
      expect(headers.get(height)?.hash).toBe(hash)
      expect(headers.get(height + 1)?.target).toBe(nextTarget)
    }
  })

  it('tell the target of every header after the first period', () => {
    const after = ADJUSTMENTS.filter(({ height }) => height >= 2016)
    expect(after).toHaveLength(825)
    for (const { height, raw } of after)
      expect(anchoredTarget(mainnet, height)).toBe(parseBlockHeader(raw)?.target)
    expect(anchoredTarget(mainnet, 2015)).toBeNull()
    expect(anchoredTarget(mainnet, 953_568)).not.toBeNull()
    expect(anchoredTarget(mainnet, 955_584)).toBeNull()
    expect(anchoredTarget(testnet4, 5_000)).toBeNull()
  })

  it.each(CORE_WORK)(
    'add up to the work that Bitcoin Core counts up to block %i',
    (height, work) => {
      // The first 2016 blocks have difficulty 1.
      const targets = [0xffffn << 208n, ...mainnet.map(({ nextTarget }) => nextTarget ?? 0n)]
      const sum = targets.reduce((sum, target, period) => {
        const blocks = Math.min(Math.max(height + 1 - period * 2016, 0), 2016)
        return sum + BigInt(blocks) * workOfTarget(target)
      }, 0n)
      expect(sum).toBe(work)
    },
  )

  it('change the difficulty no more than the network does', () => {
    for (const [index, { height, nextTarget }] of mainnet.entries()) {
      const before = mainnet[index - 1]?.nextTarget ?? 0xffffn << 208n
      const [bits, next] = [before, nextTarget ?? 0n].map(formatCompactTarget)
      expect(isPermittedTransition(CONSENSUS.mainnet, height + 1, bits ?? 0, next ?? 0)).toBe(true)
      expect(BigInt(`0x${mainnet[index]?.hash}`) <= before).toBe(true)
    }
  })
})

describe('the anchors of Testnet4', () => {
  it('are the blocks of headers that others published', () => {
    const hashOf = (raw: Uint8Array) => parseBlockHeader(raw)?.hash
    const at = (height: number) => testnet4.find(anchor => anchor.height === height)?.hash
    expect(at(28_223)).toBe(parseBlockHeader(TESTNET4_PERIOD.first)?.previous)
    expect(at(30_239)).toBe(hashOf(TESTNET4_PERIOD.last))
  })
})

it.each<[string, Anchor[], bigint]>([
  ['mainnet', mainnet, CONSENSUS.mainnet.powLimit],
  ['testnet4', testnet4, CONSENSUS.testnet4.powLimit],
  ['signet', signet, CONSENSUS.signet.powLimit],
])('the anchors of %s are different blocks with proof of work', (_, anchors, powLimit) => {
  expect(new Set(anchors.map(({ hash }) => hash)).size).toBe(anchors.length)
  for (const { hash } of anchors) expect(BigInt(`0x${hash}`) <= powLimit).toBe(true)
})

it('a table with half an entry is none', () => {
  expect(() => readAnchors({ hashes: '', nextBits: null })).toThrow('anchors.hashes')
  expect(() => readAnchors({ hashes: 'AAAA', nextBits: null })).toThrow('anchors.hashes')
  const { hashes } = anchors.testnet4
  expect(() => readAnchors({ hashes, nextBits: 'AAAA' })).toThrow('anchors.nextBits')
})

describe('a chain of headers', () => {
  const [first = new Uint8Array(), ...rest] = MAINNET_RUN.raws
  const extended = extendHeaders(
    startHeaders('mainnet', MAINNET_RUN.height, first),
    rest,
    Date.parse('2026-11-01'),
  )
  if ('invalid' in extended) throw new Error('The headers are real')
  const { chain } = extended
  const target = chain.headers[0]?.target ?? 0n

  it('agrees with the anchors that it passes', () => {
    expect(agreesWithAnchors(chain, mainnet)).toBe(true)
    const changed = mainnet.map(anchor =>
      anchor.height === 824_543 ? { ...anchor, hash: '00'.repeat(32) } : anchor,
    )
    expect(agreesWithAnchors(chain, changed)).toBe(false)
    expect(agreesWithAnchors({ ...chain, headers: chain.headers.slice(0, 2015) }, changed)).toBe(
      true,
    )
  })

  it('is held against the difficulty of the last anchor', () => {
    const upTo = (height: number) => mainnet.filter(anchor => anchor.height <= height)
    expect(hasAnchoredDifficulty(chain, upTo(822_527), 1n)).toBe(true)
    expect(hasAnchoredDifficulty(chain, mainnet, 1n)).toBe(false)
    expect(hasAnchoredDifficulty(chain, mainnet, 4n)).toBe(true)
    expect(hasAnchoredDifficulty(chain, testnet4, 4n)).toBe(false)
  })

  it('counts the work from a block on in blocks of today', () => {
    const works = new Map(ADJUSTMENTS.map(({ height, chainwork }) => [height, chainwork]))
    const [first = 0n, last = 0n, next = 0n] = [822_528, 824_543, 824_544].map(at => works.get(at))
    const before = (last - first) / 2015n
    const hundredths = ((before + 17n * (next - last)) * 100n) / before
    expect(blocksOfWork(chain, 824_543, target)).toBe(Number(hundredths) / 100)
    expect(blocksOfWork(chain, 824_543, target / 2n)).toBe(Number(hundredths / 2n) / 100)
    expect(blocksOfWork(chain, 824_561, target)).toBeNull()
    expect(blocksOfWork(chain, 822_527, target)).toBeNull()
  })
})

it('headers of Testnet4 between two anchors contradict none', () => {
  const [first = new Uint8Array()] = TESTNET4_RUN.raws
  expect(agreesWithAnchors(startHeaders('testnet4', TESTNET4_RUN.height, first), testnet4)).toBe(
    true,
  )
})
