import { describe, expect, it } from 'vitest'
import type { AssetMove } from '../../ordinals/flow/asset-flow.ts'
import { runestoneScript } from '../../ordinals/testing/runestone-script.ts'
import { asCertain, assertKept, describeAsset, describeMoves, warnOfCoins } from './asset-moves.ts'

const ID = `${'ab'.repeat(32)}i0`
const inscription = { kind: 'inscription', id: ID, offset: 7n } as const
const rune = (amount: bigint, divisibility: number) =>
  ({ kind: 'rune', name: 'GOLD•BARS', rune: '5:1', amount, divisibility, symbol: '$' }) as const

describe('describeMoves', () => {
  const inputs = [{ own: false }, { own: true }]
  const outputs = [
    { own: true, address: 'mine' },
    { own: false, address: 'theirs' },
    { own: false, address: null },
  ]
  const numbers = new Map([[ID, -5]])
  const describe = (move: Omit<AssetMove, 'asset'>) =>
    describeMoves(asCertain([{ asset: inscription, ...move }]), { inputs, outputs, numbers })[0]

  it('says whose output it lands on, and on which sat of it', () => {
    expect(describe({ input: 1, to: { kind: 'output', output: 1, offset: 33n } })).toEqual({
      asset: { kind: 'inscription', id: ID, number: -5 },
      input: 1,
      own: true,
      to: 'foreign',
      certainty: 'certain',
      output: 1,
      offset: '33',
      address: 'theirs',
    })
    expect(describe({ input: 0, to: { kind: 'output', output: 0, offset: null } })).toMatchObject({
      own: false,
      to: 'own',
      offset: null,
      address: 'mine',
    })
  })

  it('says how it is lost', () => {
    const nowhere = { output: null, offset: null, address: null }
    expect(describe({ input: 1, to: { kind: 'fee' } })).toMatchObject({ to: 'fee', ...nowhere })
    expect(describe({ input: 1, to: { kind: 'unknown' } })).toMatchObject({
      to: 'unknown',
      ...nowhere,
    })
    expect(describe({ input: 1, to: { kind: 'burned', output: 2 } })).toMatchObject({
      to: 'burned',
      output: 2,
      offset: null,
      address: null,
    })
  })

  it('puts what is ours before what is others’', () => {
    const moves: AssetMove[] = [
      { asset: inscription, input: 0, to: { kind: 'fee' } },
      { asset: inscription, input: 1, to: { kind: 'fee' } },
    ]
    expect(
      describeMoves(asCertain(moves), { inputs, outputs, numbers }).map(({ input }) => input),
    ).toEqual([1, 0])
  })
})

describe('describeAsset', () => {
  it('writes amounts of runes as people know them', () => {
    const amounts: [bigint, number, string][] = [
      [1n, 0, '1'],
      [1n, 2, '0.01'],
      [1_050n, 2, '10.5'],
      [100n, 2, '1'],
      [2n ** 128n - 1n, 38, '3.40282366920938463463374607431768211455'],
    ]
    for (const [amount, divisibility, text] of amounts)
      expect(describeAsset(rune(amount, divisibility), new Map())).toEqual({
        kind: 'rune',
        name: 'GOLD•BARS',
        amount: text,
        symbol: '$',
      })
  })

  it('leaves the number of an inscription open while no index has told it', () => {
    expect(describeAsset(inscription, new Map())).toMatchObject({ number: null })
  })
})

describe('assertKept', () => {
  const NOTE = Uint8Array.of(0x6a)
  const PAYMENT = Uint8Array.of(0x51)
  const unplaced = { ...inscription, offset: null }
  const check = (input: number, ...outputs: [bigint, Uint8Array][]) =>
    assertKept(
      'psbt',
      outputs.map(([amount, scriptPubKey]) => ({ amount, scriptPubKey })),
      { moves: [{ asset: unplaced, input, to: { kind: 'unknown' } }], amounts: [1_000n, 1_000n] },
    )

  it('refuses an inscription on nobody knows which sat if one of them is burned or paid as a fee', () => {
    const lost = expect.objectContaining({ data: { reason: 'PROTECTED_ASSET', input: 1 } })
    expect(() => check(1, [1_200n, PAYMENT], [100n, NOTE], [700n, PAYMENT])).toThrow(lost)
    expect(() => check(1, [1_200n, PAYMENT], [799n, PAYMENT])).toThrow(lost)
    expect(() => check(0, [999n, PAYMENT], [1n, NOTE], [900n, PAYMENT])).toThrow()
  })

  it('lets it pass where all of its sats are kept', () => {
    check(1, [1_200n, PAYMENT], [0n, NOTE], [800n, PAYMENT])
    check(1, [1_000n, NOTE], [1_000n, PAYMENT])
    check(0, [1_000n, PAYMENT], [10n, NOTE])
  })
})

describe('a rune whose id no index has told', () => {
  const nameless = { ...rune(100n, 0), rune: null }
  const outputsOf = (output: number) =>
    [Uint8Array.of(0x51), runestoneScript([0, 5, 1, 1, output])].map(scriptPubKey => ({
      scriptPubKey,
      amount: 0n,
    }))
  const check = (output: number) =>
    assertKept('psbt', outputsOf(output), {
      moves: [{ asset: nameless, input: 0, to: { kind: 'unknown' } }],
      amounts: [1_000n],
    })

  it('is refused beside an edict that burns some rune, and only then', () => {
    expect(() => check(1)).toThrow(
      expect.objectContaining({ data: { reason: 'PROTECTED_ASSET', input: 0 } }),
    )
    check(0)
  })
})

describe('warnOfCoins', () => {
  it('names own coins that nobody has looked at by the reason, and those that the person locked', () => {
    const coins = ['a:0', 'b:0', 'c:0', 'd:0', 'e:0'].map(outpoint => ({
      outpoint,
      own: outpoint !== 'a:0',
    }))
    const contents = (['behind', 'behind', 'contradicted', null, 'behind'] as const).map(
      unknown => ({ assets: [], unknown }),
    )
    const knew = { assets: [] }
    const choices = new Map([
      ['a:0', { choice: 'locked', knew } as const],
      ['b:0', { choice: 'unlocked', knew } as const],
      ['d:0', { choice: 'locked', knew } as const],
    ])
    expect(warnOfCoins(coins, contents, choices)).toEqual([
      { kind: 'unchecked-coins', inputs: [2], why: 'contradicted' },
      { kind: 'unchecked-coins', inputs: [1, 4], why: 'behind' },
      { kind: 'locked-coins', inputs: [3] },
    ])
  })
})
