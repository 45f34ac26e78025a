import { p2tr, TaprootControlBlock } from '@scure/btc-signer'
import { Transaction } from 'bitcoinjs-lib'
import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex, toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import { decodeTransaction } from '../../bitcoin/transaction.ts'
import type {
  AssetSource,
  InscriptionContent,
  InscriptionFacts,
  RuneFacts,
} from '../../chain/asset-source.ts'
import { BackendUnavailableError, type ServerProblem } from '../../chain/chain-source.ts'
import type { Asset, CoinAssets, InscriptionAsset, RuneAsset } from '../../ordinals/asset.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import { parseEnvelopes } from '../../ordinals/inscriptions/envelope.ts'
import {
  buildInscriptionLeaf,
  type EnvelopeContent,
} from '../../ordinals/inscriptions/envelope-script.ts'
import type { RuneId } from '../../ordinals/rune-id.ts'
import { followAssets, NOWHERE } from '../coins/testing/asset-walk.ts'
import type { RawTransaction } from '../collectibles/transaction-lookup.ts'
import type { MemoryChain } from './memory-chain.ts'

const HOST = 'index.memory.test'

export type Inscribing = {
  /** Of nobody's transaction unless given, or real. */
  id?: InscriptionId
  /** Which sat of the coin. */
  offset?: bigint
  number?: number
  contentType?: string
  body?: string | Uint8Array
  /** Whether the coin's transaction reveals it, so that the chain tells the same; by default where there is a body. */
  real?: boolean
  /** Other fields of a real one's envelope. */
  fields?: Omit<EnvelopeContent, 'body' | 'contentType' | 'pointer'>
  parents?: InscriptionId[]
  charms?: string[]
  metaprotocol?: string
}

export type Etching = Partial<Omit<RuneAsset, 'kind'>>

/** An inscription and the coin on which it was placed. */
type Placed = { outpoint: string; asset: InscriptionAsset & { offset: bigint }; facts: Known }
type Known = Omit<InscriptionFacts, 'id' | 'address' | 'value' | 'satpoint' | 'height' | 'at'> & {
  body: Uint8Array | null
}

/**
 * An index of assets behind the wallet's port, on a chain in memory. It tells of blocks only: every confirmed coin is clean
 * but for what is inscribed and etched here, which moves on as the chain's transactions say.
 */
export function createMemoryAssets(memory: MemoryChain) {
  const inscriptions = new Map<InscriptionId, Placed>()
  const runes: { outpoint: string; asset: RuneAsset }[] = []
  /** What is told of a rune beyond what coins tell, by its id. */
  const etchings = new Map<RuneId, Partial<RuneFacts>>()
  const lies = new Map<string, CoinAssets>()
  const falseFacts = new Map<InscriptionId, Partial<InscriptionFacts>>()
  const served = new Map<InscriptionId, InscriptionContent | null>()
  const asked: string[] = []
  /** Txids under which an output for a script is served. */
  const commits = new Set<string>()
  const faults: {
    unreachable?: boolean
    rateLimited?: boolean
    /** How many of the newest blocks are not indexed yet. */
    lagBlocks?: number
    /** Keeps no runes: of no coin it can be told what sits on it. */
    notIndexed?: boolean
  } = {}

  const source: AssetSource = {
    network: memory.chain.network,
    async fetchTip() {
      answer('tip')
      return { height: indexedHeight() }
    },
    async fetchAssets(coins) {
      answer(`assets ${coins.map(({ outpoint }) => outpoint).join(' ')}`)
      const { holdings, spent, amounts } = follow()
      return new Map(
        coins.map(coin => {
          const { outpoint, height } = coin
          const told = (): CoinAssets => {
            if (height === null) return { known: false, why: 'unconfirmed' }
            if (height > indexedHeight()) return { known: false, why: 'behind' }
            if (faults.notIndexed) return { known: false, why: 'not-indexed' }
            if (spent.has(outpoint) || !amounts.has(outpoint))
              return { known: false, why: 'unanswered' }
            if (amounts.get(outpoint) !== coin.amount) return { known: false, why: 'contradicted' }
            return { known: true, assets: (holdings.get(outpoint) ?? []).map(withoutDetails) }
          }
          return [outpoint, lies.get(outpoint) ?? told()]
        }),
      )
    },
    async fetchInscriptions(ids) {
      answer(`inscriptions ${ids.join(' ')}`)
      const { holdings } = follow()
      const places = new Map<string, { outpoint: string; offset: bigint }>()
      for (const [outpoint, assets] of holdings) {
        for (const asset of assets) {
          if (asset.kind === 'inscription')
            places.set(asset.id, { outpoint, offset: asset.offset ?? 0n })
        }
      }
      return new Map(
        ids.flatMap(id => {
          const placed = inscriptions.get(id)
          const satpoint = places.get(id)
          return placed && satpoint ? [[id, describe(id, placed, satpoint)] as const] : []
        }),
      )
    },
    async fetchContent(id, maxBytes) {
      answer(`content ${id}`)
      const told = served.get(id)
      if (told !== undefined) return told && told.bytes.length > maxBytes ? null : told
      const { contentType, body } = inscriptions.get(id)?.facts ?? { contentType: null, body: null }
      return body && body.length <= maxBytes ? { contentType, bytes: body } : null
    },
    async fetchRune(name) {
      answer(`rune ${name}`)
      const { asset } = runes.find(one => one.asset.name === name) ?? {}
      if (!asset?.rune) return null
      const facts = describeRune(asset.rune, asset, etchings.get(asset.rune))
      return { ...facts, mints: facts.mints + BigInt(follow().mints.get(asset.rune) ?? 0) }
    },
  }

  return {
    source,
    faults,
    /** What it was asked, in order: `tip`, or `assets`, `inscriptions`, `content`, `rune` and of what. */
    asked,
    /** Puts an inscription on a coin of the chain. A real one gets the id of the coin's transaction, whose first witness then reveals it. */
    inscribe(outpoint: string, options: Inscribing = {}): InscriptionId {
      const { offset = 0n, contentType = 'text/plain;charset=utf-8' } = options
      const body = typeof options.body === 'string' ? toUtf8(options.body) : (options.body ?? null)
      const content = { ...options.fields, contentType, ...(body && { body }) }
      const isReal = options.real ?? options.body !== undefined
      const id = isReal ? reveal(outpoint, offset, content) : (options.id ?? drawId())
      inscriptions.set(id, {
        outpoint,
        asset: { kind: 'inscription', id, offset },
        facts: {
          number: options.number ?? inscriptions.size,
          contentType,
          contentLength: body?.length ?? null,
          parents: options.parents ?? [],
          charms: options.charms ?? [],
          metaprotocol: options.metaprotocol ?? null,
          body,
        },
      })
      return id
    },
    /** Puts an amount of a rune on a coin of the chain. */
    etch(outpoint: string, etching: Etching = {}): RuneAsset {
      const asset: RuneAsset = {
        kind: 'rune',
        name: 'MEMORY•RUNE•OF•TESTS',
        rune: `${memory.tip()}:${runes.length + 1}`,
        amount: 1_000n,
        divisibility: 0,
        symbol: null,
        ...etching,
      }
      runes.push({ outpoint, asset })
      return asset
    },
    /** Tells this of a rune, besides what its coins tell. */
    describeRune(id: RuneId, facts: Partial<RuneFacts>): void {
      etchings.set(id, facts)
    },
    /** Says this of a coin, whatever is so; `forget` ends the lie. */
    lie(outpoint: string, claim: CoinAssets | 'forget'): void {
      if (claim === 'forget') lies.delete(outpoint)
      else lies.set(outpoint, claim)
    },
    /** Tells these facts of an inscription instead. */
    misreport(id: InscriptionId, facts: Partial<InscriptionFacts>): void {
      falseFacts.set(id, facts)
    },
    /** Serves this instead of an inscription's content; null for none. */
    serve(id: InscriptionId, content: InscriptionContent | null): void {
      served.set(id, content)
    },
    /** What really sits on an outpoint, with the exact sats, also while no block holds it. */
    truth: (outpoint: string): readonly Asset[] =>
      followAssets(memory.list(), placements(), createMinting().mint).holdings.get(outpoint) ?? [],
  }

  function answer(question: string): void {
    asked.push(question)
    if (faults.unreachable) throw failure('unreachable', 'The server did not answer.', null)
    if (faults.rateLimited) throw failure('rate-limited', 'answered 429', 60_000)
  }

  function indexedHeight(): number {
    return memory.tip() - (faults.lagBlocks ?? 0)
  }

  function follow() {
    const height = indexedHeight()
    const indexed = memory.list().filter(one => one.height !== null && one.height <= height)
    const { mint, mints } = createMinting()
    return { ...followAssets(indexed, placements(), mint), mints }
  }

  /** Mints by the terms that were told of runes, in the order in which they are asked for. */
  function createMinting() {
    const mints = new Map<RuneId, number>()
    const mint = (id: RuneId, txid: string): RuneAsset | null => {
      const { asset } = runes.find(one => one.asset.rune === id) ?? {}
      const { terms, mints: before = 0n } = etchings.get(id) ?? {}
      const height = memory.list().find(one => one.txid === txid)?.height ?? memory.tip() + 1
      const done = mints.get(id) ?? 0
      const isOver = terms?.height.end != null && BigInt(height) >= terms.height.end
      if (!asset || !terms || isOver || before + BigInt(done) >= (terms.cap ?? 0n)) return null
      mints.set(id, done + 1)
      return { ...asset, amount: terms.amount ?? 0n }
    }
    return { mint, mints }
  }

  function placements(): Map<string, Asset[]> {
    const all = new Map<string, Asset[]>()
    for (const { outpoint, asset } of [...inscriptions.values(), ...runes])
      all.set(outpoint, [...(all.get(outpoint) ?? []), asset])
    return all
  }

  function describe(
    id: InscriptionId,
    { outpoint, facts: { body: _, ...facts } }: Placed,
    satpoint: InscriptionFacts['satpoint'],
  ): InscriptionFacts {
    const output = outputOf(satpoint.outpoint)
    const height =
      memory.list().find(({ txid }) => txid === parseOutpoint(outpoint).txid)?.height ?? 0
    return {
      id,
      ...facts,
      address: output && addressOfScript(output.scriptPubKey, memory.chain.network),
      value: output?.amount ?? null,
      satpoint,
      height,
      at: memory.blockTime(height),
      ...falseFacts.get(id),
    }
  }

  function outputOf(outpoint: string) {
    if (outpoint === NOWHERE) return null
    const { txid, vout } = parseOutpoint(outpoint)
    return memory.list().find(one => one.txid === txid)?.outputs[vout] ?? null
  }

  /**
   * Writes an envelope behind those in the first witness of a coin's transaction, pointing at a sat of the coin. What a coin
   * from nowhere spends then commits to it.
   */
  function reveal(outpoint: string, offset: bigint, content: EnvelopeContent): InscriptionId {
    const { txid, vout } = parseOutpoint(outpoint)
    const rawTx = memory.get(txid)
    if (!rawTx) throw new Error(`Memory assets: ${txid} is not on the chain`)
    const transaction = decodeTransaction(rawTx)
    const before = transaction.outs.slice(0, vout).reduce((sum, { value }) => sum + value, 0n)
    const pointer = before + offset
    const leaf = buildInscriptionLeaf(INTERNAL_KEY, [
      pointer > 0n ? { ...content, pointer } : content,
    ])
    const earlier = parseEnvelopes(transaction.ins.map(({ witness }) => witness))
    const written = earlier.length > 0 ? (transaction.ins[0]?.witness[1] ?? leaf) : null
    const script = written ? Uint8Array.from([...written, ...leaf.subarray(34)]) : leaf
    transaction.setWitness(0, [new Uint8Array(64), script, commit(transaction, script)])
    memory.rewrite(Uint8Array.from(transaction.toBuffer()))
    return `${txid}i${earlier.length}`
  }

  /** The control block of the script, after making the coin from nowhere that a transaction spends first an output for it. */
  function commit({ ins: [input], outs }: RawTransaction, script: Uint8Array): Uint8Array {
    const output = p2tr(INTERNAL_KEY, { script }, undefined, true)
    const [[controlBlock] = []] = output.tapLeafScript ?? []
    if (!input || !controlBlock) throw new Error('Memory assets: nothing is spent')
    const from = toHex(input.hash.toReversed())
    if (!memory.get(from) || commits.has(from)) {
      const funding = new Transaction()
      funding.addInput(new Uint8Array(32).fill(1), 0)
      for (let vout = 0; vout <= input.index; vout++) funding.addOutput(output.script, sumOf(outs))
      memory.pretend(from, Uint8Array.from(funding.toBuffer()))
      commits.add(from)
    }
    return TaprootControlBlock.encode(controlBlock)
  }
}

/** x coordinate of the generator. */
const INTERNAL_KEY = fromHex('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798')

function sumOf(outputs: RawTransaction['outs']): bigint {
  return outputs.reduce((sum, { value }) => sum + value, 0n)
}

export type MemoryAssets = ReturnType<typeof createMemoryAssets>

/** As lists of coins tell it. */
function withoutDetails(asset: Asset): Asset {
  if (asset.kind === 'inscription') return { ...asset, offset: null }
  return asset.kind === 'rune' ? { ...asset, rune: null } : asset
}

function describeRune(id: RuneId, asset: RuneAsset, facts: Partial<RuneFacts> = {}): RuneFacts {
  const { name, divisibility, symbol } = asset
  return {
    id,
    name,
    number: 0,
    divisibility,
    symbol,
    premine: 0n,
    mints: 0n,
    burned: 0n,
    terms: null,
    turbo: false,
    etching: NOWHERE_TXID,
    height: Number(id.split(':')[0]),
    at: 1_700_000_000_000,
    isMintable: false,
    ...facts,
  }
}

/** Of an etching of which no chain knows. */
const NOWHERE_TXID = 'ee'.repeat(32)

function drawId(): InscriptionId {
  return `${toHex(crypto.getRandomValues(new Uint8Array(32)))}i0`
}

function failure(
  kind: ServerProblem['kind'],
  detail: string,
  retryInMs: number | null,
): BackendUnavailableError {
  return new BackendUnavailableError({ kind, host: HOST, detail, retryInMs })
}
