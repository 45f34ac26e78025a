import { toHex } from '../../bitcoin/bytes.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import type {
  AtomicalFacts,
  AtomicalsBlueprint,
  AtomicalsSource,
  CoinAtomicals,
} from '../../chain/atomicals-source.ts'
import { BackendUnavailableError, type ServerProblem } from '../../chain/chain-source.ts'
import type { AtomicalAsset } from '../../ordinals/asset.ts'
import type { AtomicalId } from '../../ordinals/atomical-id.ts'
import { followAssets } from '../coins/testing/asset-walk.ts'
import type { MemoryChain } from './memory-chain.ts'

const HOST = 'atomicals.memory.test'

/** An NFT without a name unless more is said. */
export type Minting = Partial<Omit<AtomicalAsset, 'kind'>> & Pick<Partial<AtomicalFacts>, 'subtype'>

/**
 * An index of Atomicals behind the wallet's port, on a chain in memory. It tells of blocks only: every confirmed coin is
 * clean but for what a test puts there, which stays where it was put. The person named no such index until one is minted.
 */
export function createMemoryAtomicals(memory: MemoryChain) {
  const placed = new Map<string, AtomicalAsset[]>()
  const known = new Map<AtomicalId, AtomicalFacts>()
  const lies = new Map<string, CoinAtomicals>()
  const asked: string[] = []
  const foresight: { tell: ((rawTx: Uint8Array) => AtomicalsBlueprint) | null } = { tell: null }
  const faults: {
    unreachable?: boolean
    /** How many of the newest blocks are not indexed yet. */
    lagBlocks?: number
    /** The person named no server. */
    none?: boolean
  } = { none: true }

  const source: AtomicalsSource = {
    network: memory.chain.network,
    async fetchTip() {
      answer('tip')
      return { height: indexedHeight() }
    },
    async fetchAtomicals(coins) {
      answer(`atomicals ${coins.map(({ outpoint }) => outpoint).join(' ')}`)
      const { spent, amounts } = follow()
      return new Map(
        coins.map(({ outpoint, height, amount }) => {
          const told = (): CoinAtomicals => {
            if (height === null) return { known: false, why: 'unconfirmed' }
            if (height > indexedHeight()) return { known: false, why: 'behind' }
            if (spent.has(outpoint) || !amounts.has(outpoint))
              return { known: false, why: 'unanswered' }
            if (amounts.get(outpoint) !== amount) return { known: false, why: 'contradicted' }
            return { known: true, assets: placed.get(outpoint) ?? [] }
          }
          return [outpoint, lies.get(outpoint) ?? told()]
        }),
      )
    },
    async fetchFacts(ids) {
      answer(`facts ${ids.join(' ')}`)
      return new Map(
        ids.flatMap(id => {
          const facts = known.get(id)
          return facts ? [[id, facts]] : []
        }),
      )
    },
    async foresee(rawTx) {
      answer('foresee')
      if (foresight.tell) return foresight.tell(rawTx)
      throw failure('nonsense', 'answered 500')
    },
  }

  return {
    source,
    /** As the wallet opens it. */
    open: async () => (faults.none ? null : source),
    faults,
    /** What it was asked, in order: `tip`, `atomicals`, `facts` and of what, or `foresee`. */
    asked,
    /** Puts an Atomical on a coin of the chain, beside what is there. */
    mint(outpoint: string, { subtype = null, ...minting }: Minting = {}): AtomicalAsset {
      const asset: AtomicalAsset = {
        kind: 'atomical',
        id: drawId(),
        type: 'nft',
        number: known.size,
        name: null,
        amount: 1n,
        ...minting,
      }
      placed.set(outpoint, [...(placed.get(outpoint) ?? []), asset])
      const { id, type, number, name } = asset
      const { txid } = parseOutpoint(outpoint)
      const height = memory.list().find(one => one.txid === txid)?.height ?? memory.tip()
      if (!known.has(id)) {
        const reveal = { txid, height }
        known.set(id, { id, number: number ?? 0, type, subtype, name, reveal })
      }
      faults.none = false
      return asset
    },
    /** Takes all Atomicals off a coin. */
    clear(outpoint: string): void {
      placed.delete(outpoint)
    },
    /** Says this of a coin, whatever is so; `forget` ends the lie. */
    lie(outpoint: string, claim: CoinAtomicals | 'forget'): void {
      if (claim === 'forget') lies.delete(outpoint)
      else lies.set(outpoint, claim)
    },
    /** Foresees this of transactions; until then it cannot say. */
    foretell(tell: (rawTx: Uint8Array) => AtomicalsBlueprint): void {
      foresight.tell = tell
    },
  }

  function answer(question: string): void {
    asked.push(question)
    if (faults.unreachable) throw failure('unreachable', 'The server did not answer.')
  }

  function indexedHeight(): number {
    return memory.tip() - (faults.lagBlocks ?? 0)
  }

  function follow() {
    const height = indexedHeight()
    const indexed = memory.list().filter(one => one.height !== null && one.height <= height)
    return followAssets(indexed, new Map())
  }
}

export type MemoryAtomicals = ReturnType<typeof createMemoryAtomicals>

function drawId(): AtomicalId {
  return `${toHex(crypto.getRandomValues(new Uint8Array(32)))}i0`
}

function failure(kind: ServerProblem['kind'], detail: string): BackendUnavailableError {
  return new BackendUnavailableError({ kind, host: HOST, detail, retryInMs: null })
}
