import type { RunestoneSpec } from '@magiceden-oss/runestone-lib'
import { describe, expect, it } from 'vitest'
import { COIN, OP_RETURN_SCRIPT, type Pay } from '../testing/test-chain.ts'
import { createRuneChain, edict, payRunes } from './testing/rune-chain.ts'

const HERE = '0:0'
const THIRD = COIN / 4n
const THREE: Pay[] = [THIRD, THIRD, THIRD]
const BURN: Pay = [0n, OP_RETURN_SCRIPT]

type Case = [name: string, pays: Pay[], rest: Omit<RunestoneSpec, 'etching'>, held: bigint[]]

// The scenarios of ord's own tests (src/runes.rs): 1,000 of a rune, and what each output has afterwards, the runestone last.
const CASES: Case[] = [
  ['nothing said: all to the first output', THREE, {}, [1000n, 0n, 0n]],
  [
    'unallocated runes are assigned to first non op return output',
    [BURN, ...THREE],
    {},
    [0n, 1000n, 0n, 0n],
  ],
  ['unallocated runes are assigned to default output', THREE, { pointer: 2 }, [0n, 0n, 1000n]],
  [
    'unallocated runes are burned if default output is op return',
    [...THREE, BURN],
    { pointer: 3 },
    [0n, 0n, 0n, 0n],
  ],
  [
    'unallocated runes are burned if no non op return output is present',
    [[COIN, OP_RETURN_SCRIPT]],
    {},
    [0n],
  ],
  [
    'may allocate to multiple outputs',
    THREE,
    { edicts: [edict(HERE, 100n, 1), edict(HERE, 300n, 2)] },
    [600n, 100n, 300n],
  ],
  [
    'allocations partially over max supply are honored',
    THREE,
    { edicts: [edict(HERE, 900n, 1), edict(HERE, 900n, 2)] },
    [0n, 900n, 100n],
  ],
  [
    'allocations over max supply are ignored',
    THREE,
    { edicts: [edict(HERE, 1000n, 1), edict(HERE, 1n, 2)] },
    [0n, 1000n, 0n],
  ],
  [
    'allocate all remaining runes',
    THREE,
    { edicts: [edict(HERE, 1n, 1), edict(HERE, 0n, 2)] },
    [0n, 1n, 999n],
  ],
  [
    'edicts which refer to a rune without balance are skipped',
    THREE,
    { edicts: [edict('9:9', 5n, 1)] },
    [1000n, 0n, 0n],
  ],
  [
    'edicts may transfer runes to op return outputs',
    [...THREE, BURN],
    { edicts: [edict(HERE, 400n, 3)] },
    [600n, 0n, 0n, 0n],
  ],
  ['split in etching', THREE, { edicts: [edict(HERE, 0n, 4)] }, [334n, 333n, 333n]],
  [
    'split in etching with preceding edict',
    THREE,
    { edicts: [edict(HERE, 998n, 1), edict(HERE, 0n, 4)] },
    [1n, 999n, 0n],
  ],
  [
    'split in etching with following edict',
    THREE,
    { edicts: [edict(HERE, 0n, 4), edict(HERE, 1n, 0)] },
    [334n, 333n, 333n],
  ],
  ['split with amount', THREE, { edicts: [edict(HERE, 300n, 4)] }, [400n, 300n, 300n]],
  [
    'split with amount that does not go round',
    THREE,
    { edicts: [edict(HERE, 600n, 4)] },
    [600n, 400n, 0n],
  ],
  [
    'split skips op return outputs',
    [THIRD, BURN, THIRD],
    { edicts: [edict(HERE, 0n, 4)] },
    [500n, 0n, 500n],
  ],
  [
    'split without an output to split to burns nothing that the pointer does not',
    [[COIN, OP_RETURN_SCRIPT]],
    { edicts: [edict(HERE, 0n, 2)] },
    [0n],
  ],
]

describe.each(CASES)('%s', (_, pays, rest, held) => {
  it('when it is etched', () => {
    const { etch, held: heldBy, rune } = createRuneChain()
    const { txid, id } = etch({ premine: 1000n }, rest, pays)
    expect(held.map((_, vout) => heldBy(`${txid}:${vout}`)[id] ?? 0n)).toEqual(held)
    expect(rune(id)?.burned).toBe(1000n - held.reduce((sum, amount) => sum + amount))
  })

  it('when it is moved', () => {
    const { etch, mineRunes, held: heldBy, rune } = createRuneChain()
    const first = etch({ premine: 1000n })
    const edicts = rest.edicts?.map(({ id, amount, output }) =>
      edict(id.block === 0n ? first.id : `${id.block}:${id.tx}`, amount, output),
    )
    const stone = payRunes({ ...rest, ...(edicts ? { edicts } : {}) })
    const { txid } = mineRunes([`${first.txid}:0`], [...pays, stone])
    expect(held.map((_, vout) => heldBy(`${txid}:${vout}`)[first.id] ?? 0n)).toEqual(held)
    expect(rune(first.id)?.burned).toBe(1000n - held.reduce((sum, amount) => sum + amount))
    expect(heldBy(`${first.txid}:0`)).toEqual({})
  })
})

describe('runes of inputs', () => {
  it('without a runestone go to the first output that is no op return', () => {
    const { etch, mineRunes, held } = createRuneChain()
    const { txid, id } = etch({ premine: 3n })
    const moved = mineRunes([`${txid}:0`], [BURN, 1n, COIN - 1n])
    expect(held(`${moved.txid}:1`)).toEqual({ [id]: 3n })
    expect(held(`${moved.txid}:2`)).toEqual({})
  })

  it('output may hold multiple runes, and multiple input runes may be allocated', () => {
    const { etch, mineRunes, held } = createRuneChain()
    const [a, b] = [etch({ premine: 10n }), etch({ premine: 20n })]
    const merged = mineRunes([`${a.txid}:0`, `${b.txid}:0`], [2n * COIN])
    expect(held(`${merged.txid}:0`)).toEqual({ [a.id]: 10n, [b.id]: 20n })
    const edicts = [edict(a.id, 4n, 1), edict(b.id, 0n, 1)]
    const split = mineRunes([`${merged.txid}:0`], [COIN, COIN, payRunes({ edicts })])
    expect(held(`${split.txid}:0`)).toEqual({ [a.id]: 6n })
    expect(held(`${split.txid}:1`)).toEqual({ [a.id]: 4n, [b.id]: 20n })
  })

  it('of a rune that the transaction fails to etch are not given away by edicts of id zero', () => {
    const { etch, mineRunes, held } = createRuneChain()
    const { txid, id } = etch({ premine: 5n })
    const stone = payRunes({ edicts: [edict(HERE, 5n, 1)] })
    const moved = mineRunes([`${txid}:0`], [1n, COIN - 1n, stone])
    expect(held(`${moved.txid}:0`)).toEqual({ [id]: 5n })
  })

  it('are where they were when a block is undone', () => {
    const { index, etch, mineRunes, held, rune } = createRuneChain()
    const { txid, id } = etch({ premine: 5n })
    const moved = mineRunes([`${txid}:0`], [[COIN, OP_RETURN_SCRIPT]])
    expect(rune(id)?.burned).toBe(5n)
    index.undoBlock()
    expect(rune(id)?.burned).toBe(0n)
    expect(held(`${txid}:0`)).toEqual({ [id]: 5n })
    expect(held(`${moved.txid}:0`)).toEqual({})
    index.undoBlock()
    expect(rune(id)).toBeUndefined()
    expect(held(`${txid}:0`)).toEqual({})
  })
})
