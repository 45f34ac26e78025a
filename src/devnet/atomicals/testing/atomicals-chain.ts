import { Transaction } from 'bitcoinjs-lib'
import type { AtomicalId } from '../../../ordinals/atomical-id.ts'
import { sumValues } from '../../chain/transaction-record.ts'
import { type AtomicalsBlock, createAtomicalsIndex } from '../atomicals-index.ts'
import { buildOperationLeaf } from '../envelope-leaf.ts'
import type { OperationName } from '../operation.ts'

export const COIN = 50n * 100_000_000n
export const RETURN_SCRIPT = Uint8Array.of(0x6a)
const ANYONE = Uint8Array.of(0x51)
const CONTROL_BLOCK = Uint8Array.from([0xc0, ...new Uint8Array(32)])

/** What to spend, with the operation that its witness reveals. */
export type Spend = string | readonly [outpoint: string, op: OperationName, payload: object]
export type Pay = number | bigint | readonly [value: number | bigint, script: Uint8Array]

/** An index over a chain that begins with a genesis block; signatures are left out, as no index checks them. */
export function createAtomicalsChain() {
  const index = createAtomicalsIndex()
  const values = new Map<string, bigint>()
  const waiting: Transaction[] = []
  const mined: AtomicalsBlock[] = []
  let blocks = 0

  function register(tx: Transaction): string {
    const txid = tx.getId()
    for (const [vout, { value }] of tx.outs.entries()) values.set(`${txid}:${vout}`, value)
    return txid
  }

  /** Puts a transaction into the next block; returns its id. */
  function send(spends: readonly Spend[], pays: readonly Pay[]): string {
    const tx = new Transaction()
    for (const [vin, spend] of spends.entries()) {
      const [outpoint, op, payload] = typeof spend === 'string' ? [spend] : spend
      const [txid = '', vout] = outpoint.split(':')
      tx.addInput(Uint8Array.from(Buffer.from(txid, 'hex')).reverse(), Number(vout))
      if (op && payload) {
        tx.setWitness(vin, [new Uint8Array(64), buildOperationLeaf(op, payload), CONTROL_BLOCK])
      }
    }
    for (const pay of pays) {
      const [value, script] = typeof pay === 'object' ? pay : [pay, ANYONE]
      tx.addOutput(script, BigInt(value))
    }
    waiting.push(tx)
    return register(tx)
  }

  /** Mines a block; returns what its coinbase pays. */
  function mine(): string {
    const coinbase = new Transaction()
    const mark = new Uint8Array(Uint32Array.of(blocks++).buffer)
    coinbase.addInput(new Uint8Array(32), 0xffffffff, 0xffffffff, Uint8Array.from([4, ...mark]))
    coinbase.addOutput(ANYONE, COIN)
    const transactions = [coinbase, ...waiting.splice(0)].map(tx => ({ txid: tx.getId(), tx }))
    const header = Buffer.from(mark).toString('hex').padEnd(160, '0')
    const hash = Buffer.from(mark).toString('hex').padStart(64, 'b')
    const block = { height: index.height() + 1, hash, header, transactions }
    index.applyBlock(block)
    mined.push(block)
    register(coinbase)
    return `${coinbase.getId()}:0`
  }

  /** Mines a commit of these sats, and its reveal in the block behind it; returns id and outpoint. */
  function mint(op: OperationName, payload: object, sats: number, commitVout = 0) {
    const commit = commitTo(sats, commitVout)
    mine()
    const minted = reveal(commit, op, payload, sats)
    mine()
    return minted
  }

  function commitTo(sats: number, commitVout = 0): string {
    const before = new Array<number>(commitVout).fill(1000)
    return `${send([mine()], [...before, sats + 1000])}:${commitVout}`
  }

  function reveal(commit: string, op: OperationName, payload: object, sats: number) {
    const txid = send([[commit, op, payload]], [sats])
    const id: AtomicalId = commit.replace(':', 'i')
    return { id, txid, outpoint: `${txid}:0` }
  }

  mine()
  return {
    index,
    send,
    mine,
    mineBlocks: (count: number) => Array.from({ length: count }, () => mine()),
    mint,
    commitTo,
    reveal,
    /** What `mine` made, the genesis block first. */
    mined: (): readonly AtomicalsBlock[] => mined,
    valueOf: (outpoint: string) => values.get(outpoint) ?? 0n,
    total: (outpoints: readonly string[]) =>
      sumValues(outpoints.map(outpoint => ({ value: values.get(outpoint) ?? 0n }))),
    /** Amounts on an output by id. */
    held: (outpoint: string): Record<AtomicalId, number> =>
      Object.fromEntries(index.holdings(outpoint).map(({ id, amount }) => [id, Number(amount)])),
  }
}
