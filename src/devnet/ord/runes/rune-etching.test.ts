import { describe, expect, it } from 'vitest'
import { COIN, inscribe, OP_RETURN_SCRIPT } from '../testing/test-chain.ts'
import { minimumName, parseRuneName } from './rune-name.ts'
import {
  CENOTAPH,
  createRuneChain,
  edict,
  mintOf,
  NAME,
  namePush,
  payIntegers,
  payRunes,
  TAPROOT,
  UNKNOWN_TAG,
} from './testing/rune-chain.ts'

const RUNE = parseRuneName(NAME) ?? 0n

// Where a title is the name of one of ord's own tests (src/runes.rs), so is its scenario.
describe('an etching', () => {
  it('index starts with no runes, and an empty runestone does not create a rune', () => {
    const { index, mine, mineRunes } = createRuneChain()
    const coin = mine()
    expect(index.runeCount()).toBe(0)
    mineRunes([coin], [COIN, payIntegers()])
    expect(index.runeCount()).toBe(0)
  })

  it('with no edicts creates a rune, whose figures can be read by id, name and number', () => {
    const { index, etch, held } = createRuneChain()
    const spec = {
      runeName: 'AAAA•AAAAAAAAA•A',
      divisibility: 3,
      symbol: '¢',
      premine: 21n,
      turbo: true,
    }
    const { id, txid } = etch(spec)
    expect(index.rune({ id })).toEqual({
      id,
      number: 0,
      rune: RUNE,
      spacers: 0b1000000001000,
      divisibility: 3,
      symbol: '¢',
      premine: 21n,
      terms: null,
      mints: 0n,
      burned: 0n,
      turbo: true,
      etching: txid,
      block: index.height(),
      timestamp: 1_600_000_000 + index.height(),
    })
    expect(index.rune({ rune: RUNE })).toEqual(index.rune({ id }))
    expect(index.rune({ number: 0 })).toEqual(index.rune({ id }))
    expect(index.etchedBy(txid)?.id).toBe(id)
    expect(held(`${txid}:0`)).toEqual({ [id]: 21n })
  })

  it.each([
    ['rune is etched with a mature commitment in taproot', 6, TAPROOT, NAME, true],
    ['not with a commitment of five confirmations', 5, TAPROOT, NAME, false],
    ['not with one in an output that is no taproot', 6, Uint8Array.of(0x51), NAME, false],
    ['not with one to another name', 6, TAPROOT, 'AAAAAAAAAAAAAB', false],
  ])('%s', (_, confirmations, script, committed, isEtched) => {
    const { commit, mineRunes, rune, held } = createRuneChain()
    const outpoint = commit(confirmations, script)
    const pays = [COIN, payRunes({ etching: { runeName: NAME, premine: 5n } })]
    const { txid, id } = mineRunes([[outpoint, namePush(committed)]], pays)
    expect(rune(id) !== undefined).toBe(isEtched)
    expect(held(`${txid}:0`)).toEqual(isEtched ? { [id]: 5n } : {})
  })

  it('runes must be greater than or equal to minimum for height', () => {
    const { index, commit, mineRunes, rune } = createRuneChain()
    const etchAt = (offset: bigint) => {
      const outpoint = commit()
      const name = minimumName(index.height() + 1) + offset
      const bytes: number[] = []
      for (let rest = name; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 255n))
      const push = Uint8Array.of(bytes.length, ...bytes)
      return mineRunes([[outpoint, push]], [COIN, payIntegers(2, 1, 4, name)]).id
    }
    expect(rune(etchAt(-1n))).toBeUndefined()
    expect(rune(etchAt(0n))).toBeDefined()
  })

  it('cannot specify a reserved rune; reserved runes may be etched by leaving the name out', () => {
    const { etch, rune } = createRuneChain()
    expect(rune(etch({ runeName: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA' }).id)).toBeUndefined()
    const { id } = etch({ premine: 1n })
    const [block = '', tx = ''] = id.split(':')
    const reserved = 6402364363415443603228541259936211926n + (BigInt(block) << 32n) + BigInt(tx)
    expect(rune(id)?.rune).toBe(reserved)
  })

  it('duplicate runes are forbidden', () => {
    const { index, etch, held } = createRuneChain()
    etch({ runeName: NAME, premine: 1n })
    const { txid } = etch({ runeName: NAME, premine: 1n })
    expect(index.runeCount()).toBe(1)
    expect(held(`${txid}:0`)).toEqual({})
  })

  it('multiple runes may be etched in one block', () => {
    const { index, mine, mineCoins, send } = createRuneChain()
    const coins = mineCoins(2)
    const txids = coins.map(coin => send([coin], [COIN, payRunes({ etching: { premine: 7n } })]))
    mine()
    expect(txids.map(txid => index.etchedBy(txid)?.id)).toEqual([
      `${index.height()}:1`,
      `${index.height()}:2`,
    ])
  })

  it('names the rune of its inscription', () => {
    const { index, commit, mineRunes } = createRuneChain()
    const script = Uint8Array.of(...inscribe('rune'), ...namePush(NAME))
    const { txid, id } = mineRunes(
      [[commit(), script]],
      [COIN, payRunes({ etching: { runeName: NAME } })],
    )
    expect(index.inscription(`${txid}i0`)?.number).toBe(0)
    expect(index.etchedBy(txid)?.id).toBe(id)
  })
})

describe('a cenotaph', () => {
  it('etched rune is allocated with zero supply, its parameters unset', () => {
    const { commit, mineRunes, rune, held } = createRuneChain()
    const stone = payIntegers(2, 1, 4, RUNE, 1, 3, 5, 65, 6, 100, UNKNOWN_TAG, 0)
    const { txid, id } = mineRunes([[commit(), namePush(NAME)]], [COIN, stone])
    expect(held(`${txid}:0`)).toEqual({})
    expect(rune(id)).toMatchObject({
      rune: RUNE,
      premine: 0n,
      divisibility: 0,
      symbol: null,
      terms: null,
      burned: 0n,
    })
  })

  it('reserved runes are not allocated in cenotaph', () => {
    const { index, mine, mineRunes } = createRuneChain()
    mineRunes([mine()], [COIN, payIntegers(2, 1, 6, 100, UNKNOWN_TAG, 0)])
    expect(index.runeCount()).toBe(0)
  })

  it('input runes are burned', () => {
    const { etch, mineRunes, held, rune } = createRuneChain()
    const first = etch({ premine: 100n })
    const { txid } = mineRunes([`${first.txid}:0`], [COIN, [0n, CENOTAPH]])
    expect(held(`${txid}:0`)).toEqual({})
    expect(rune(first.id)?.burned).toBe(100n)
  })

  it('mints only to burn', () => {
    const { etch, mine, mineRunes, rune } = createRuneChain()
    const { id } = etch({ terms: { amount: 10n, cap: 5n } })
    const [block = '', tx = ''] = id.split(':')
    mineRunes([mine()], [COIN, payIntegers(20, BigInt(block), 20, BigInt(tx), UNKNOWN_TAG, 0)])
    expect(rune(id)).toMatchObject({ mints: 1n, burned: 10n })
  })
})

describe('a mint', () => {
  it('gives what the terms say, until the cap is reached', () => {
    const { etch, mine, mineRunes, held, rune } = createRuneChain()
    const { id } = etch({ terms: { amount: 1000n, cap: 2n } })
    const minted = [0, 1, 2].map(() => {
      const { txid } = mineRunes([mine()], [COIN, payRunes({ mint: mintOf(id) })])
      return held(`${txid}:0`)
    })
    expect(minted).toEqual([{ [id]: 1000n }, { [id]: 1000n }, {}])
    expect(rune(id)?.mints).toBe(2n)
  })

  it('open mints without a cap are unmintable, as are runes without terms and those that are not there', () => {
    const { etch, mine, mineRunes, held } = createRuneChain()
    const ids = [etch({ terms: { amount: 1n } }).id, etch({ premine: 1n }).id, '1:5']
    for (const id of ids) {
      const { txid } = mineRunes([mine()], [COIN, payRunes({ mint: mintOf(id) })])
      expect(held(`${txid}:0`)).toEqual({})
    }
  })

  it.each([
    ['from the height start on', (at: bigint) => ({ height: { start: at + 4n } }), [0, 0, 1, 1]],
    ['before the height end', (at: bigint) => ({ height: { end: at + 4n } }), [1, 1, 0, 0]],
    ['from the offset start on', () => ({ offset: { start: 4n } }), [0, 0, 1, 1]],
    ['before the offset end', () => ({ offset: { end: 4n } }), [1, 1, 0, 0]],
    [
      'from the later start on',
      (at: bigint) => ({ height: { start: at + 3n }, offset: { start: 4n } }),
      [0, 0, 1, 1],
    ],
    [
      'before the earlier end',
      (at: bigint) => ({ height: { end: at + 5n }, offset: { end: 4n } }),
      [1, 1, 0, 0],
    ],
  ])('is open %s', (_, when, open) => {
    const { index, etch, mineCoins, mineRunes, held, rune } = createRuneChain()
    // The etching comes in the block behind the one that pays its coin.
    const { id } = etch({ terms: { amount: 1n, cap: 9n, ...when(BigInt(index.height() + 2)) } })
    const height = Number(id.split(':')[0])
    let [coin = ''] = mineCoins(1)
    const minted = [2, 3, 4, 5].map(offset => {
      const before = rune(id)?.mints
      coin = `${mineRunes([coin], [COIN, payRunes({ mint: mintOf(id) })]).txid}:0`
      expect(index.height()).toBe(height + offset)
      return Number(rune(id)?.mints) - Number(before)
    })
    expect(minted).toEqual(open)
    expect(held(coin)).toEqual({ [id]: BigInt(open.filter(Boolean).length) })
  })

  it('of the rune that the same transaction etches gives nothing', () => {
    const { index, mine, mineRunes, rune } = createRuneChain()
    const coin = mine()
    const height = index.height() + 1
    const etching = { terms: { amount: 1n, cap: 9n } }
    const { txid, id } = mineRunes(
      [coin],
      [COIN, payRunes({ etching, mint: mintOf(`${height}:1`) })],
    )
    expect(index.piles(`${txid}:0`)).toEqual([])
    expect(rune(id)?.mints).toBe(0n)
  })

  it('can be dealt out by edicts', () => {
    const { etch, mine, mineRunes, held } = createRuneChain()
    const { id } = etch({ terms: { amount: 10n, cap: 1n } })
    const stone = payRunes({ mint: mintOf(id), edicts: [edict(id, 4n, 1)] })
    const { txid } = mineRunes([mine()], [1n, COIN - 1n, stone])
    expect([0, 1].map(vout => held(`${txid}:${vout}`))).toEqual([{ [id]: 6n }, { [id]: 4n }])
  })
})

describe('a burn', () => {
  it('in an OP_RETURN output is counted, from etchings as from inputs', () => {
    const { etch, mineRunes, rune, held } = createRuneChain()
    const { txid, id } = etch({ premine: 100n }, { edicts: [edict('0:0', 10n, 1)] }, [
      COIN,
      [0n, OP_RETURN_SCRIPT],
    ])
    expect(held(`${txid}:1`)).toEqual({})
    expect(rune(id)?.burned).toBe(10n)
    mineRunes([`${txid}:0`], [[COIN, OP_RETURN_SCRIPT]])
    expect(rune(id)?.burned).toBe(100n)
  })
})
