import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AtomicalsIndex, createAtomicalsIndex } from './atomicals-index.ts'
import { createAtomicalsChain, RETURN_SCRIPT, type Spend } from './testing/atomicals-chain.ts'

const token = (ticker: string) => ({ args: { request_ticker: ticker } })
const realm = (name: string) => ({ args: { request_realm: name } })
const deploy = (ticker: string, terms = {}) => ({
  args: { request_ticker: ticker, mint_amount: 1000, max_mints: 2, mint_height: 0, ...terms },
})
const units = (ticker: string) => ({ args: { mint_ticker: ticker } })

describe('a mint', () => {
  it('of an NFT is named by what its first input spends, and numbered from 0', () => {
    const { index, mint, held } = createAtomicalsChain()
    const first = mint('nft', { 'a.txt': 'hello' }, 546)
    const second = mint('nft', { meta: { name: 'second' } }, 1000)
    expect(index.atomical(first.id)).toMatchObject({ number: 0, type: 'nft', name: null })
    expect(index.atomical(1)?.id).toBe(second.id)
    expect(index.count()).toBe(2)
    expect(held(first.outpoint)).toEqual({ [first.id]: 546 })
    expect(index.atomical(first.id)).toMatchObject({
      commit: { height: 2, vout: 0 },
      reveal: { txid: first.txid, height: 3, value: 546n },
    })
  })

  it('of a direct token makes as many units as its output has sats', () => {
    const { index, mint, held } = createAtomicalsChain()
    const { id, outpoint } = mint('ft', token('gold'), 21_000)
    expect(held(outpoint)).toEqual({ [id]: 21_000 })
    expect(index.atomical(id)).toMatchObject({
      type: 'ft',
      subtype: 'direct',
      maxSupply: 21_000n,
      name: { kind: 'ticker', text: 'gold' },
    })
  })

  it('may be in the block of its commit', () => {
    const { index, commitTo, reveal, mine } = createAtomicalsChain()
    const { id } = reveal(commitTo(546), 'nft', { a: 1 }, 546)
    mine()
    expect(index.atomical(id)?.number).toBe(0)
  })

  it.each<[string, 'nft' | 'ft' | 'dft', object]>([
    ['a token without a ticker', 'ft', { args: {} }],
    ['a ticker in capitals', 'ft', token('Gold')],
    ['a ticker of 22 letters', 'ft', token('a'.repeat(22))],
    ['a realm that begins with a digit', 'nft', realm('1a')],
    ['a realm that ends with a hyphen', 'nft', realm('a-')],
    ['an empty realm', 'nft', realm('')],
    ['two names', 'nft', { args: { request_realm: 'a', request_container: 'b' } }],
    ['an immutable realm', 'nft', { args: { request_realm: 'a', i: true } }],
    ['an immutable token', 'ft', { args: { request_ticker: 'a', i: true } }],
    ['bitwork that is not done', 'nft', { args: { bitworkc: 'zz' } }],
    ['bitwork that no txid has', 'nft', { args: { bitworkr: 'f'.repeat(32) } }],
    ['a mint of less than 546', 'dft', deploy('a', { mint_amount: 545 })],
    ['a mint of more than a bitcoin', 'dft', deploy('a', { mint_amount: 100_000_001 })],
    ['no mints', 'dft', deploy('a', { max_mints: 0 })],
    ['a token without a height', 'dft', deploy('a', { mint_height: 'x' })],
    ['a parent that is not spent', 'nft', { args: { parents: { [`${'0'.repeat(64)}i0`]: 1 } } }],
  ])('is refused: %s', (_, op, payload) => {
    const { index, mint } = createAtomicalsChain()
    mint(op, payload, 1000)
    expect(index.count()).toBe(0)
  })

  it('of a name must be revealed within three blocks, of anything within a hundred', () => {
    const revealAfter = (blocks: number, payload: object) => {
      const { index, commitTo, reveal, mineBlocks } = createAtomicalsChain()
      const commit = commitTo(546)
      mineBlocks(blocks)
      reveal(commit, 'nft', payload, 546)
      mineBlocks(1)
      return index.count()
    }
    expect([3, 4].map(blocks => revealAfter(blocks, realm('a')))).toEqual([1, 0])
    expect([100, 101].map(blocks => revealAfter(blocks, { a: 1 }))).toEqual([1, 0])
  })

  it('of a name must spend output 0 of its commit', () => {
    const { index, mint } = createAtomicalsChain()
    mint('nft', realm('a'), 546, 1)
    expect(index.count()).toBe(0)
    mint('nft', { a: 1 }, 546, 1)
    expect(index.count()).toBe(1)
  })

  it('takes bitwork that its commit has', () => {
    const { index, commitTo, reveal, mine } = createAtomicalsChain()
    const commit = commitTo(546)
    const args = { bitworkc: commit.slice(0, 4) }
    const { id } = reveal(commit, 'nft', { args }, 546)
    mine()
    expect(index.atomical(id)?.bitwork).toEqual({ bitworkc: commit.slice(0, 4), bitworkr: null })
  })

  it('takes a parent that is spent', () => {
    const { index, mint, send, mine, commitTo } = createAtomicalsChain()
    const parent = mint('nft', { a: 1 }, 546)
    const commit = commitTo(546)
    mine()
    send([[commit, 'nft', { args: { parents: { [parent.id]: 546 } } }], parent.outpoint], [546])
    mine()
    expect(index.count()).toBe(2)
  })
})

describe('a name', () => {
  it('belongs to the first commit, three blocks after it', () => {
    const { index, mint, mine } = createAtomicalsChain()
    const first = mint('nft', realm('alice'), 546)
    mint('nft', realm('alice'), 546)
    const holder = () => index.names.holder('realm', 'alice', index.height())
    expect(index.count()).toBe(1)
    mine()
    expect(holder()).toEqual({ id: first.id, isSettled: true })
  })

  it('is lost to an earlier commit that is revealed later', () => {
    const { index, commitTo, reveal, mine } = createAtomicalsChain()
    const [early, late] = [commitTo(546), commitTo(600)]
    const second = reveal(late, 'nft', realm('bob'), 600)
    mine()
    const holder = () => index.names.holder('realm', 'bob', index.height())
    expect(holder()).toEqual({ id: second.id, isSettled: false })
    const first = reveal(early, 'nft', realm('bob'), 546)
    mine()
    expect(holder()?.id).toBe(first.id)
    expect(index.names.list('realm', 'bob').map(({ id }) => id)).toEqual([first.id, second.id])
    expect(index.count()).toBe(2)
  })

  it('is another as a ticker and as a container', () => {
    const { index, mint } = createAtomicalsChain()
    mint('nft', realm('x'), 546)
    mint('ft', token('x'), 546)
    mint('nft', { args: { request_container: 'x' } }, 546)
    expect(index.count()).toBe(3)
  })
})

describe('a decentralized token', () => {
  it('is minted by exact sats until all mints are made', () => {
    const { index, mint, mine, mineBlocks, commitTo, reveal, held } = createAtomicalsChain()
    const commit = commitTo(1000)
    const { id, outpoint } = mint('dft', deploy('free'), 546)
    expect(held(outpoint)).toEqual({})
    const early = reveal(commit, 'dmt', units('free'), 1000)
    mine()
    expect(held(early.outpoint)).toEqual({})
    mineBlocks(3)
    const wrong = mint('dmt', units('free'), 999)
    const mints = [1, 2, 3].map(() => mint('dmt', units('free'), 1000))
    expect(held(wrong.outpoint)).toEqual({})
    expect(mints.map(each => held(each.outpoint))).toEqual([{ [id]: 1000 }, { [id]: 1000 }, {}])
    expect(index.mints(id)).toBe(2)
    expect(index.count()).toBe(1)
  })

  it('is minted from its height on, commit and reveal', () => {
    const { mint, mineBlocks, held, index } = createAtomicalsChain()
    mint('dft', deploy('later', { mint_height: 20 }), 546)
    mineBlocks(19 - index.height() - 3)
    const early = mint('dmt', units('later'), 1000)
    expect(held(early.outpoint)).toEqual({})
    mineBlocks(20 - index.height())
    const { outpoint } = mint('dmt', units('later'), 1000)
    expect(Object.values(held(outpoint))).toEqual([1000])
  })

  it('is minted with the bitwork that it asks for alone', () => {
    const { index, mint, mineBlocks, commitTo, reveal, mine, held } = createAtomicalsChain()
    const commit = commitTo(1000)
    const { id } = mint('dft', deploy('hard', { mint_bitworkc: commit.slice(0, 6) }), 546)
    mineBlocks(3)
    const { outpoint } = reveal(commit, 'dmt', units('hard'), 1000)
    mine()
    const other = mint('dmt', units('hard'), 1000)
    expect([held(outpoint), held(other.outpoint)]).toEqual([{ [id]: 1000 }, {}])
    expect(index.mints(id)).toBe(1)
  })

  it('of a direct token’s ticker, or of none, mints nothing', () => {
    const { mint, mineBlocks, held } = createAtomicalsChain()
    mint('ft', token('direct'), 1000)
    mineBlocks(3)
    expect(held(mint('dmt', units('direct'), 1000).outpoint)).toEqual({})
    expect(held(mint('dmt', units('nobody'), 1000).outpoint)).toEqual({})
  })
})

describe('a transfer', () => {
  it('moves NFTs by input and units by output, and leaves the spent output its past', () => {
    const { index, mint, send, mine, held } = createAtomicalsChain()
    const a = mint('nft', { a: 1 }, 546)
    const b = mint('nft', { b: 1 }, 546)
    const gold = mint('ft', token('gold'), 5000)
    const txid = send([b.outpoint, a.outpoint, gold.outpoint], [700, 546, 4000])
    mine()
    expect([0, 1, 2].map(vout => held(`${txid}:${vout}`))).toEqual([
      { [b.id]: 700, [gold.id]: 700 },
      { [a.id]: 546, [gold.id]: 546 },
      { [gold.id]: 3754 },
    ])
    expect(index.places(a.id)).toEqual([`${txid}:1`])
    expect(index.places(gold.id)).toEqual([0, 1, 2].map(vout => `${txid}:${vout}`))
    expect(held(a.outpoint)).toEqual({ [a.id]: 546 })
  })

  it('burns units that no output takes, and says so before', () => {
    const { index, mint, send, mine, mined } = createAtomicalsChain()
    const gold = mint('ft', token('gold'), 5000)
    const txid = send([gold.outpoint], [600, [0, RETURN_SCRIPT]])
    mine()
    expect(index.places(gold.id)).toEqual([`${txid}:0`])
    const tx = mined().at(-1)?.transactions[1]?.tx
    index.undoBlock()
    expect(tx && index.foresee(tx).colouring.burned).toEqual([
      { id: gold.id, type: 'ft', amount: 4400n },
    ])
  })

  it('with an operation parts, splits and paints', () => {
    const { mint, send, mine, held } = createAtomicalsChain()
    const a = mint('nft', { a: 1 }, 546)
    const b = mint('nft', { b: 1 }, 546)
    const gold = mint('ft', token('gold'), 1000)
    const move = (spends: readonly Spend[], pays: number[]) => {
      const txid = send(spends, pays)
      mine()
      return pays.map((_, vout) => `${txid}:${vout}`)
    }
    const [pile = ''] = move([a.outpoint, [b.outpoint, 'y', { z: 1 }], gold.outpoint], [2092])
    expect(Object.keys(held(pile)).sort()).toEqual([a.id, b.id, gold.id].sort())
    const parted = move([[pile, 'x', { x: 1 }]], [1000, 1092])
    expect(parted.map(each => [a.id, b.id].filter(id => id in held(each)).length)).toEqual([1, 1])
    const payload = { [gold.id]: { 1: 400, 0: 600 } }
    const [first = '', second = ''] = move([[parted[0] ?? '', 'z', payload]], [1000, 1000])
    expect([held(first)[gold.id], held(second)[gold.id]]).toEqual([600, 400])
  })

  it('within a block of the mint is followed', () => {
    const { commitTo, reveal, send, mine, held } = createAtomicalsChain()
    const { id, outpoint } = reveal(commitTo(546), 'nft', { a: 1 }, 546)
    const txid = send([outpoint], [546])
    mine()
    expect(held(`${txid}:0`)).toEqual({ [id]: 546 })
  })

  it('that seals an NFT leaves it nowhere', () => {
    const { index, mint, send, mine, held } = createAtomicalsChain()
    const { id, outpoint } = mint('nft', { a: 1 }, 546)
    const txid = send([[outpoint, 'sl', { a: 1 }]], [546])
    mine()
    expect(held(`${txid}:0`)).toEqual({})
    expect(index.sealedAt(id)).toBe(`${txid}:0`)
  })
})

describe('the index', () => {
  it('takes blocks in their order alone, and stays as it was where one is wrong', () => {
    const { index, mine, send, mined } = createAtomicalsChain()
    mine()
    const last = mined().at(-1)
    expect(() => last && index.applyBlock(last)).toThrow('does not follow')
    send([`${'ab'.repeat(32)}:0`], [1000])
    const before = dump(index)
    expect(() => mine()).toThrow('not there to spend')
    expect(dump(index)).toEqual(before)
    expect(() => createAtomicalsIndex().undoBlock()).toThrow('no block to undo')
  })

  it('is, block by block, what it was before once blocks are taken off', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 }), steps => {
        const { index, mined, mint, mineBlocks, send, mine, total } = createAtomicalsChain()
        const own: string[] = []
        for (const [i, step] of steps.entries()) {
          if (step === 0) own.push(mint('nft', realm(`r${i % 3}`), 600 + i).outpoint)
          if (step === 1) own.push(mint('ft', token(`t${i}`), 2000).outpoint)
          if (step === 2) mint('dft', deploy(`d${i % 2}`), 546)
          if (step === 3) mineBlocks(2)
          if (step === 4) own.push(mint('dmt', units('d0'), 1000).outpoint)
          if (step === 5 && own.length > 0) {
            const spent = own.splice(0, 2)
            const txid = send(spent, [500, total(spent) - 500n])
            own.push(`${txid}:1`, `${txid}:0`)
            mine()
          }
        }
        const other = createAtomicalsIndex()
        const states = mined().map(block => {
          other.applyBlock(block)
          return dump(other)
        })
        for (const state of states.toReversed()) {
          expect(dump(index)).toEqual(state)
          index.undoBlock()
        }
        expect(index.height()).toBe(-1)
      }),
      { numRuns: 40 },
    )
  })
})

/** All that an index tells of what it has numbered. */
function dump(index: AtomicalsIndex) {
  const height = index.height()
  return {
    height,
    tip: index.tip(),
    fingerprint: index.fingerprint(height),
    atomicals: Array.from({ length: index.count() + 1 }, (_, number) => {
      const atomical = index.atomical(number)
      const places = atomical ? index.places(atomical.id) : []
      return {
        atomical,
        mints: atomical && index.mints(atomical.id),
        holder: atomical?.name && index.names.list(atomical.name.kind, atomical.name.text),
        places: places.map(place => [place, index.holdings(place), index.coin(place)]),
      }
    }),
  }
}
