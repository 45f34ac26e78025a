import type { Brc20Source, Brc20Token, Brc20Transferable } from '../../chain/brc20-source.ts'
import { BackendUnavailableError, type ServerProblem } from '../../chain/chain-source.ts'
import { parseBrc20Amount } from '../../ordinals/brc20/brc20-amount.ts'
import { foldTicker } from '../../ordinals/brc20/brc20-operation.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import type { MemoryChain } from './memory-chain.ts'

const HOST = 'brc20.memory.test'

/** A token as tests write it: amounts in decimal. */
export type Deploying = {
  max?: string
  lim?: string
  decimals?: number
  minted?: string | null
  selfMint?: boolean
  deploy?: InscriptionId | null
}

/** An index of BRC-20 behind the wallet's port. It says what tests tell it; nothing is worked out. */
export function createMemoryBrc20(memory: MemoryChain) {
  const tokens = new Map<string, Brc20Token>()
  const balances = new Map<string, Map<string, { available: bigint; transferable: bigint }>>()
  const transferables = new Map<string, Brc20Transferable[]>()
  const asked: string[] = []
  const faults: {
    unreachable?: boolean
    /** How many of the newest blocks are not indexed yet. */
    lagBlocks?: number
    /** Lists no balances: only those that are asked for. */
    listsNone?: boolean
    /** Cannot tell of tokens. */
    tokensUnknown?: boolean
    /** The person named no server. */
    none?: boolean
  } = {}

  const source: Brc20Source = {
    network: memory.chain.network,
    async fetchTip() {
      answer('tip')
      return { height: memory.tip() - (faults.lagBlocks ?? 0) }
    },
    async fetchBalances(address, ticks) {
      answer(`balances ${address} ${ticks.join(' ')}`)
      const wanted = new Set(ticks.map(foldTicker))
      return [...(balances.get(address) ?? [])]
        .filter(([tick]) => !faults.listsNone || wanted.has(tick))
        .map(([tick, amounts]) => ({ tick, ...amounts }))
        .filter(({ available, transferable }) => available + transferable > 0n)
    },
    async fetchTransferables(address) {
      answer(`transferables ${address}`)
      return transferables.get(address) ?? []
    },
    async fetchToken(tick) {
      answer(`token ${tick}`)
      return faults.tokensUnknown ? 'unknown' : (tokens.get(foldTicker(tick)) ?? null)
    },
  }

  return {
    source,
    /** As the wallet opens it. */
    open: async () => (faults.none ? null : source),
    faults,
    /** What it was asked, in order. */
    asked,
    deploy(tick: string, options: Deploying = {}): void {
      const { max = '21000000', lim = max, decimals = 18, minted = null } = options
      tokens.set(foldTicker(tick), {
        tick: foldTicker(tick),
        decimals,
        supply: parseBrc20Amount(max, 18),
        limit: parseBrc20Amount(lim, 18),
        minted: minted === null ? null : minted === '0' ? 0n : parseBrc20Amount(minted, 18),
        selfMint: options.selfMint ?? false,
        deploy: options.deploy ?? null,
      })
    },
    /** Amounts in decimal; `0` for none. */
    credit(address: string, tick: string, available: string, transferable = '0'): void {
      const read = (text: string) => (text === '0' ? 0n : parseBrc20Amount(text, 18))
      const of = balances.get(address) ?? new Map()
      of.set(foldTicker(tick), { available: read(available), transferable: read(transferable) })
      balances.set(address, of)
    },
    /** A transfer inscription that has not moved yet. */
    note(address: string, tick: string, id: InscriptionId, amount: string): void {
      const one = { tick: foldTicker(tick), id, amount: parseBrc20Amount(amount, 18) }
      transferables.set(address, [...(transferables.get(address) ?? []), one])
    },
  }

  function answer(question: string): void {
    asked.push(question)
    if (!faults.unreachable) return
    const kind: ServerProblem['kind'] = 'unreachable'
    const detail = 'The server did not answer.'
    throw new BackendUnavailableError({ kind, host: HOST, detail, retryInMs: null })
  }
}

export type MemoryBrc20 = ReturnType<typeof createMemoryBrc20>
