// atomicals: an index of Atomicals by the rules of atomicals-electrumx, its proxy and a minter. It shares no rule
// with `src/ordinals/flow`, which the tests compare it with.

import { crypto, type Transaction } from 'bitcoinjs-lib'
import { joinBytes } from '../../bitcoin/bytes.ts'
import type { AtomicalId } from '../../ordinals/atomical-id.ts'
import { createJournal, type Journal } from '../chain/journal.ts'
import { spentOutpoint } from '../chain/transaction-record.ts'
import { meetsBitwork, parseBitwork } from './bitwork.ts'
import type { CborMap } from './cbor.ts'
import { createCoinSet } from './coin-set.ts'
import { colour, compareIds, type SpentAtomical } from './colouring.ts'
import { type Mint, parseMint, parseTokenMint } from './mint.ts'
import { createNameLedger, NAME_DELAY } from './name-ledger.ts'
import { type Operation, parseOperation } from './operation.ts'

export interface AtomicalsBlock {
  hash: string
  height: number
  /** The 80 bytes, in hex. */
  header: string
  /** The coinbase first. */
  transactions: readonly { txid: string; tx: Transaction }[]
}

/** An Atomical that was minted. */
export interface Atomical extends Mint {
  number: number
  payload: CborMap
  commit: { txid: string; vout: number; txNum: number; height: number }
  reveal: {
    txid: string
    txNum: number
    height: number
    header: string
    value: bigint
    script: Uint8Array
  }
  /** Units that were made, or can be. */
  maxSupply: bigint
}

/** The Atomicals on an output, or on a spent one those that were on it. */
export interface Holding {
  id: AtomicalId
  /** Units of a token; of an NFT the sats of its output. */
  amount: bigint
}

/** What a transaction spends, does and makes of it. */
export interface Blueprint {
  spent: readonly SpentAtomical[]
  operation: Operation | null
  colouring: ReturnType<typeof colour>
}

export type AtomicalsIndex = ReturnType<typeof createAtomicalsIndex>

const REVEAL_DELAY = 100

/**
 * Atomicals of a chain as atomicals-electrumx sees them where every rule holds from height 0. Left out: later changes of state
 * (`mod`, `evt`), subrealms, items of containers and payments for them, tokens without an end, and proof of work for names.
 */
export function createAtomicalsIndex() {
  const coins = createCoinSet()
  const names = createNameLedger()
  const atomicals = new Map<AtomicalId, Atomical>()
  const numbers = new Map<number, AtomicalId>()
  const holdings = new Map<string, readonly Holding[]>()
  const places = new Map<AtomicalId, readonly string[]>()
  const mintCounts = new Map<AtomicalId, number>()
  const sealed = new Map<AtomicalId, string>()
  const transactions = new Map<string, { txNum: number; height: number }>()
  const blocks: { hash: string; fingerprint: Uint8Array; journal: Journal }[] = []

  function put(outpoint: string, id: AtomicalId, amount: bigint, journal: Journal): void {
    const others = (holdings.get(outpoint) ?? []).filter(holding => holding.id !== id)
    const all = [...others, { id, amount }].sort((a, b) => compareIds(a.id, b.id))
    journal.set(holdings, outpoint, all)
    const known = places.get(id) ?? []
    if (!known.includes(outpoint)) journal.set(places, id, [...known, outpoint])
  }

  /** What the inputs hold; an output holds it for ever, but only what is unspent is spent. */
  function listSpent(tx: Transaction): SpentAtomical[] {
    return tx.ins.flatMap((input, i) =>
      (holdings.get(spentOutpoint(input)) ?? []).map(({ id, amount }) => ({
        input: i,
        id,
        type: atomicals.get(id)?.type ?? 'nft',
        amount,
      })),
    )
  }

  function foresee(tx: Transaction): Blueprint {
    const spent = listSpent(tx)
    const operation = parseOperation(tx)
    const first = operation?.input === 0 ? operation : null
    return { spent, operation, colouring: colour({ spent, outputs: tx.outs, operation: first }) }
  }

  /** Whether anything of Atomicals happened. */
  function connect(
    { txid, tx }: AtomicalsBlock['transactions'][number],
    block: AtomicalsBlock,
    journal: Journal,
  ): boolean {
    const { height } = block
    const txNum = transactions.size
    const plan = tx.isCoinbase() ? null : foresee(tx)
    if (plan) for (const input of tx.ins) spend(spentOutpoint(input), journal)
    for (const [vout, output] of tx.outs.entries()) {
      coins.add({ txid, vout, height, txNum }, output, journal)
    }
    journal.set(transactions, txid, { txNum, height })
    if (!plan) return false
    const { operation, colouring, spent } = plan
    const isSealing = operation?.op === 'sl' && operation.input === 0
    for (const { output, id, type, amount } of colouring.landed) {
      const outpoint = `${txid}:${output}`
      if (type === 'ft') put(outpoint, id, amount, journal)
      else if (isSealing) journal.set(sealed, id, outpoint)
      else put(outpoint, id, tx.outs[output]?.value ?? 0n, journal)
    }
    const isMint = operation !== null && (mintUnits() || mintNew())
    return isMint || spent.length > 0

    function mintUnits(): boolean {
      const ticker = operation && parseTokenMint(operation)
      const holder = ticker ? names.holder('ticker', ticker, height) : null
      const token = holder?.isSettled ? atomicals.get(holder.id) : undefined
      const commit = operation && transactions.get(operation.commit.txid)
      if (!token?.terms || !commit || operation.commit.vout !== 0) return false
      const { terms } = token
      if (height < terms.height || commit.height < terms.height) return false
      const count = mintCounts.get(token.id) ?? 0
      if (tx.outs[0]?.value !== terms.amount || count >= terms.maxMints) return false
      const demands = [
        [operation.commit.txid, parseBitwork(terms.bitworkc)],
        [txid, parseBitwork(terms.bitworkr)],
      ] as const
      if (!demands.every(([id, bitwork]) => !bitwork || meetsBitwork(id, bitwork))) return false
      journal.set(mintCounts, token.id, count + 1)
      put(`${txid}:0`, token.id, terms.amount, journal)
      return true
    }

    function mintNew(): boolean {
      const sums = new Map<AtomicalId, bigint>()
      for (const { id, amount } of spent) sums.set(id, (sums.get(id) ?? 0n) + amount)
      const mint = operation && parseMint(operation, txid, sums)
      const commit = operation && transactions.get(operation.commit.txid)
      const output = tx.outs[0]
      if (!mint || !commit || !output || commit.height < height - REVEAL_DELAY) return false
      if (mint.name) {
        const { kind, text } = mint.name
        if (commit.height < height - NAME_DELAY || operation.commit.vout !== 0) return false
        const candidate = {
          id: mint.id,
          txNum: commit.txNum,
          commitHeight: commit.height,
          revealHeight: height,
        }
        if (!names.request(kind, text, candidate, journal)) return false
      }
      const atomical: Atomical = {
        ...mint,
        number: atomicals.size,
        payload: operation.payload,
        commit: { ...operation.commit, ...commit },
        reveal: { txid, txNum, height, header: block.header, ...output },
        maxSupply: mint.terms ? mint.terms.amount * BigInt(mint.terms.maxMints) : output.value,
      }
      journal.set(numbers, atomical.number, atomical.id)
      journal.set(atomicals, atomical.id, atomical)
      if (!mint.terms) put(`${txid}:0`, atomical.id, output.value, journal)
      return true
    }
  }

  function spend(outpoint: string, journal: Journal): void {
    coins.spend(outpoint, journal)
    for (const { id } of holdings.get(outpoint) ?? []) {
      const left = (places.get(id) ?? []).filter(place => place !== outpoint)
      journal.set(places, id, left)
    }
  }

  return {
    /** Of the last block; -1 before the genesis block. */
    height: () => blocks.length - 1,
    /** The last block's; an empty text before the genesis block. */
    tip: () => blocks.at(-1)?.hash ?? '',
    /** Appends a block; throws, and stays as it was, when it does not follow the last one or spends what is not there. */
    applyBlock(block: AtomicalsBlock): void {
      if (block.height !== blocks.length) {
        throw new Error(`atomicals: block ${block.height} does not follow ${blocks.length - 1}`)
      }
      const journal = createJournal()
      try {
        const touched = block.transactions.filter(each => connect(each, block, journal))
        const before = blocks.at(-1)?.fingerprint ?? new Uint8Array()
        const txids = touched.map(({ txid }) => toWireHash(txid))
        const fingerprint = crypto.hash256(joinBytes([toWireHash(block.hash), before, ...txids]))
        blocks.push({ hash: block.hash, fingerprint, journal })
      } catch (error) {
        journal.revert()
        throw error
      }
    },
    /** Takes the last block off; throws when there is none. */
    undoBlock(): void {
      const last = blocks.pop()
      if (!last) throw new Error('atomicals: there is no block to undo')
      last.journal.revert()
    },
    /** What a transaction, signed or not, would do; of inputs that are in no block it knows nothing. */
    foresee,
    /** By id, or by number. */
    atomical: (key: AtomicalId | number): Atomical | undefined =>
      atomicals.get(typeof key === 'number' ? (numbers.get(key) ?? '') : key),
    count: () => atomicals.size,
    /** By `txid:vout`, in the order of the ids; what was spent stays listed. */
    holdings: (outpoint: string): readonly Holding[] => holdings.get(outpoint) ?? [],
    /** Outpoints that hold something of an Atomical now. */
    places: (id: AtomicalId): readonly string[] => places.get(id) ?? [],
    /** How many mints of a decentralized token there were. */
    mints: (id: AtomicalId): number => mintCounts.get(id) ?? 0,
    /** The output where an NFT was sealed; it is on none after that. */
    sealedAt: (id: AtomicalId): string | undefined => sealed.get(id),
    /** The hash of a block's changes, by which servers compare their indexes; undefined for a height that is not there. */
    fingerprint: (height: number): Uint8Array | undefined => blocks[height]?.fingerprint,
    coin: coins.get,
    /** Unspent coins by Electrum's scripthash, oldest first. */
    coinsOf: coins.list,
    names,
  }
}

function toWireHash(hash: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hash, 'hex')).reverse()
}
