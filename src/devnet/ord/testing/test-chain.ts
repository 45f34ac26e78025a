import { Transaction } from 'bitcoinjs-lib'
import { sumValues } from '../../chain/transaction-record.ts'
import type { OrdBlock } from '../inscriptions/output-set.ts'
import { createOrdIndex } from '../ord-index.ts'

export const COIN = 50n * 100_000_000n
export const OP_RETURN_SCRIPT = Uint8Array.of(0x6a)
const ANYONE = Uint8Array.of(0x51)
const CONTROL_BLOCK = Uint8Array.from([0xc0, ...new Uint8Array(32)])

/** What to spend, with the envelopes that its witness reveals. */
export type Spend = string | readonly [outpoint: string, ...envelopes: Uint8Array[]]
export type Pay = bigint | readonly [value: bigint, script: Uint8Array]

/** An index over a chain that begins with a genesis block; signatures are left out, as no index checks them. */
export function createTestChain(jubileeHeight = 110) {
  const index = createOrdIndex({ jubileeHeight })
  const values = new Map<string, bigint>()
  const waiting: { tx: Transaction; fee: bigint }[] = []
  const mined: OrdBlock[] = []
  let coinbases = 0

  function register(tx: Transaction): void {
    for (const [vout, { value }] of tx.outs.entries()) values.set(`${tx.getId()}:${vout}`, value)
  }

  /** Puts a transaction into the next block, what is not paid being its fee; returns its id. */
  function send(spends: readonly Spend[], pays: readonly Pay[]): string {
    const tx = new Transaction()
    let total = 0n
    for (const [vin, spend] of spends.entries()) {
      const [outpoint, ...envelopes] = typeof spend === 'string' ? [spend] : spend
      const [txid = '', vout] = outpoint.split(':')
      tx.addInput(Uint8Array.from(Buffer.from(txid, 'hex')).reverse(), Number(vout))
      if (envelopes.length > 0) {
        tx.setWitness(vin, [Uint8Array.from(envelopes.flatMap(e => [...e])), CONTROL_BLOCK])
      }
      total += values.get(outpoint) ?? 0n
    }
    for (const pay of pays) {
      const [value, script] = typeof pay === 'bigint' ? [pay, ANYONE] : pay
      tx.addOutput(script, value)
    }
    register(tx)
    waiting.push({ tx, fee: total - sumValues(tx.outs) })
    return tx.getId()
  }

  /** The next block with all that waits; its coinbase claims everything, or `claim` sats. */
  function assemble(claim?: bigint): OrdBlock {
    const height = index.height() + 1
    const fees = waiting.reduce((sum, { fee }) => sum + fee, 0n)
    const coinbase = new Transaction()
    const script = Uint8Array.from([4, ...new Uint8Array(Uint32Array.of(coinbases++).buffer)])
    coinbase.addInput(new Uint8Array(32), 0xffffffff, 0xffffffff, script)
    coinbase.setWitness(0, [new Uint8Array(32)])
    coinbase.addOutput(ANYONE, claim ?? (COIN >> BigInt(Math.floor(height / 150))) + fees)
    register(coinbase)
    const transactions = [coinbase, ...waiting.splice(0).map(({ tx }) => tx)]
    const records = transactions.map(tx => ({ txid: tx.getId(), tx: reread(tx) }))
    return { height, time: 1_600_000_000 + height, transactions: records }
  }

  /** Mines a block; returns what its coinbase pays. */
  function mine(claim?: bigint): string {
    const block = assemble(claim)
    index.applyBlock(block)
    mined.push(block)
    return coinbaseCoin(block)
  }

  mine()
  return {
    index,
    send,
    mine,
    assemble,
    /** What `mine` made, the genesis block first. */
    mined: (): readonly OrdBlock[] => mined,
    mineCoins: (count: number) => Array.from({ length: count }, () => mine()),
    /** Sats of an output that was ever made. */
    valueOf: (outpoint: string) => values.get(outpoint) ?? 0n,
    /** `txid:vout:offset`. */
    placeOf(id: string): string | undefined {
      const place = index.inscription(id)?.satpoint
      return place && `${place.outpoint}:${place.offset}`
    },
    numberOf: (id: string) => index.inscription(id)?.number,
    charmsOf: (id: string) => index.inscription(id)?.charms,
    parentsOf: (id: string) => index.inscription(id)?.parents,
    childrenOf: (id: string) => index.inscription(id)?.children,
  }
}

export function coinbaseCoin(block: OrdBlock): string {
  return `${block.transactions[0]?.txid}:0`
}

/** An envelope of these pushes, each of at most 75 bytes; `opcodes` stand after them, within it. */
export function envelope(
  pushes: readonly (string | Uint8Array)[],
  opcodes: readonly number[] = [],
): Uint8Array {
  const pushed = ['ord', ...pushes].flatMap(push => [push.length, ...Buffer.from(push)])
  return Uint8Array.from([0x00, 0x63, ...pushed, ...opcodes, 0x68])
}

export const tag = (value: number) => Uint8Array.of(value)

/** A text inscription with more fields in front of its body. */
export function inscribe(body: string, ...fields: readonly (string | Uint8Array)[]): Uint8Array {
  return envelope([tag(1), 'text/plain', ...fields, '', body])
}

/** The fields that ask for a sat of the outputs. */
export function pointTo(sat: bigint): Uint8Array[] {
  return [tag(2), new Uint8Array(BigUint64Array.of(sat).buffer)]
}

/** The fields that name a parent, with `index` as it is written. */
export function childOf(id: string, ...index: number[]): Uint8Array[] {
  return [tag(3), idBytes(id, ...index)]
}

export function idBytes(id: string, ...index: number[]): Uint8Array {
  return Uint8Array.from([...Buffer.from(id.slice(0, 64), 'hex').reverse(), ...index])
}

/** As it comes out of a block. */
function reread(tx: Transaction): Transaction {
  return Transaction.fromBuffer(tx.toBuffer())
}
