import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { buildInscriptionLeaf, type EnvelopeContent } from '../inscriptions/envelope-script.ts'
import { assemble } from '../testing/assemble.ts'
import { DMT_TRANSACTION, SPLIT_TRANSACTION } from '../testing/atomical-transactions.ts'
import { findCreatedAssets } from './created-assets.ts'

const KEY = new Uint8Array(32).fill(2)
const P2A = fromHex('51024e73')

/** A transaction with these outputs; `reveals` by input. Outputs are sats, or scripts of an OP_RETURN in hex. */
function build(outputs: (bigint | string)[], ...reveals: EnvelopeContent[][]): Uint8Array {
  const transaction = new Transaction()
  for (const [input, contents] of [...reveals, ...(reveals.length ? [] : [[]])].entries()) {
    transaction.addInput(new Uint8Array(32).fill(1), input)
    const leaf = buildInscriptionLeaf(KEY, contents)
    transaction.setWitness(input, [new Uint8Array(64), leaf, new Uint8Array(33)])
  }
  for (const output of outputs) {
    if (typeof output === 'string') transaction.addOutput(fromHex(output), 0n)
    else transaction.addOutput(P2A, output)
  }
  return transaction.toBuffer()
}

const TEXT: EnvelopeContent = { contentType: 'text/plain', body: toUtf8('hello') }
const found = (...built: Parameters<typeof build>) => [...findCreatedAssets(build(...built))].sort()

describe('the transaction that created a coin', () => {
  it('shows an inscription on the output that has the first sat of its first input', () => {
    expect(found([546n, 1_000n], [TEXT])).toEqual([0])
    expect(found([0n, 546n, 1_000n], [TEXT])).toEqual([1])
    expect(found([546n, 1_000n])).toEqual([])
  })

  it('shows one that any output may have where that hangs on amounts that are not known', () => {
    expect(found([546n, 1_000n], [], [TEXT])).toEqual([0, 1])
  })

  it('shows one that a pointer moves, unless that points past all outputs', () => {
    const at = (pointer: bigint) => found([546n, 1_000n, 2_000n], [{ ...TEXT, pointer }])
    expect([at(0n), at(545n), at(546n), at(1_545n), at(1_546n)]).toEqual([[0], [0], [1], [1], [2]])
    expect([at(3_545n), at(3_546n)]).toEqual([[2], [0]])
    const several = [TEXT, { ...TEXT, pointer: 600n }, { ...TEXT, pointer: 1_600n }]
    expect(found([546n, 1_000n, 2_000n], several)).toEqual([0, 1, 2])
  })

  it('shows runes on the output that takes what no edict gives away', () => {
    // Mints 5:1 without and with a pointer to output 2.
    expect(found(['6a5d0414051401', 546n, 1_000n])).toEqual([1])
    expect(found(['6a5d06140514011602', 546n, 1_000n])).toEqual([2])
  })

  it('shows runes on outputs of edicts, also of one for all', () => {
    // 10 of 5:1 to output 1, and to each output.
    expect(found([546n, 1_000n, 2_000n, '6a5d0500' + '05010a01'])).toEqual([0, 1])
    expect(found([546n, 1_000n, 2_000n, '6a5d0500' + '05010a04'])).toEqual([0, 1, 2])
  })

  it('shows none where a malformed runestone burns them all', () => {
    expect(found([546n, '6a5d027f80'])).toEqual([])
  })

  it.each([
    ['nft', [0]],
    ['ft', [0]],
    ['dmt', [0]],
    ['dft', []],
    ['x', []],
    ['y', []],
    ['z', []],
    ['mod', []],
  ])('shows what the operation %s of Atomicals mints on outputs %j', (operation, outputs) => {
    const transaction = new Transaction()
    const leaf = assemble(KEY, 0xac, 0x00, 0x63, 'atom', operation, fromHex('a0'), 0x68)
    transaction.addInput(new Uint8Array(32).fill(1), 0)
    transaction.addInput(new Uint8Array(32).fill(1), 1)
    transaction.setWitness(1, [new Uint8Array(64), leaf, new Uint8Array(33)])
    transaction.addOutput(P2A, 546n)
    transaction.addOutput(P2A, 546n)
    expect([...findCreatedAssets(transaction.toBuffer())]).toEqual(outputs)
  })

  it('shows what is minted of Atomicals on a transaction of the chain', () => {
    expect([...findCreatedAssets(DMT_TRANSACTION)]).toEqual([0])
    expect([...findCreatedAssets(SPLIT_TRANSACTION)]).toEqual([])
  })

  it('takes no more time where each of thousands of edicts or envelopes may mean every output', () => {
    const outputs = Array.from({ length: 2_000 }, () => 546n)
    // Nothing of 5:1 to each output (2,001 as a LEB128 number), over and over.
    const edicts = `050100d10f${'000000d10f'.repeat(40_000)}`
    const bytes = fromHex(`00${edicts}`)
    const script = concatBytes(fromHex('6a5d4e'), uint32(bytes.length), bytes)
    const raw = build([...outputs, toHex(script)], [], Array(5_000).fill(TEXT))
    const started = process.cpuUsage().user
    expect(findCreatedAssets(raw).size).toBeGreaterThanOrEqual(2_000)
    expect((process.cpuUsage().user - started) / 1_000_000).toBeLessThan(5)
  })
})

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}
