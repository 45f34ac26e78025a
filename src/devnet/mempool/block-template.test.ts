import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { recordTransaction, type TransactionRecord } from '../chain/transaction-record.ts'
import { orderForBlock } from './block-template.ts'
import { createPool } from './pool.ts'

const SCRIPT = Uint8Array.of(0, 20, ...new Uint8Array(20))

/** A transaction that pays `fee`, spends the parents' first outputs, and is made large by `padding` bytes of witness. */
function make(
  fee: bigint,
  parents: readonly TransactionRecord[] = [],
  padding = 0,
): TransactionRecord {
  const tx = new Transaction()
  const hashes = parents.length > 0 ? parents.map(parent => parent.tx.getHash()) : [randomHash()]
  for (const hash of hashes) tx.addInput(hash, 0)
  tx.setWitness(0, [new Uint8Array(padding)])
  const prevouts = hashes.map(
    (_, i) => parents[i]?.tx.outs[0] ?? { script: SCRIPT, value: 10_000_000n },
  )
  const total = prevouts.reduce((sum, { value }) => sum + value, 0n)
  tx.addOutput(SCRIPT, total - fee)
  return recordTransaction(tx, prevouts)
}

let nextHash = 1
function randomHash(): Uint8Array {
  const hash = new Uint8Array(32)
  hash[0] = nextHash & 0xff
  hash[1] = nextHash++ >> 8
  return hash
}

function order(records: readonly TransactionRecord[]): TransactionRecord[] {
  const pool = createPool()
  for (const record of records) pool.add(record, 0)
  return orderForBlock(pool).map(entry => entry.record)
}

describe('the order of a block', () => {
  it('is by fee rate', () => {
    const [low, high, middle] = [make(100n), make(900n), make(500n)]
    expect(order([low, high, middle])).toEqual([high, middle, low])
  })

  it('puts parents first and lets a child pay for them', () => {
    const poorParent = make(10n)
    const richChild = make(5000n, [poorParent])
    const middle = make(1000n)
    expect(order([middle, poorParent, richChild])).toEqual([poorParent, richChild, middle])
  })

  it('leaves out what no longer fits, with its descendants', () => {
    const large = Array.from({ length: 10 }, (_, i) => make(1_000_000n - BigInt(i), [], 399_000))
    const leftOut = large.at(-1)
    const child = make(100n, leftOut ? [leftOut] : [])
    const small = make(50n)
    const chosen = order([...large, child, small])
    expect(chosen).toHaveLength(10)
    expect(chosen).not.toContain(leftOut)
    expect(chosen).not.toContain(child)
    expect(chosen.at(-1)).toBe(small)
    expect(chosen.reduce((sum, { weight }) => sum + weight, 0)).toBeLessThan(4_000_000)
  })
})
