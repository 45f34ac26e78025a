import { createHash } from 'node:crypto'
import type { InscriptionId } from '../../../ordinals/inscription-id.ts'
import { toHex } from '../../chain/hex.ts'
import type { Journal } from '../../chain/journal.ts'
import type { Passage } from '../inscriptions/flotsam.ts'
import type { Brc20Event, Brc20Predeploy } from './brc20-event.ts'
import { type Brc20TickerRequest, parseBrc20 } from './brc20-inscription.ts'
import { parseTokenAmount } from './token-amount.ts'

/** Amounts times 10^18. */
export interface Brc20Token {
  tick: string
  originalTick: string
  decimals: number
  max: bigint
  limit: bigint
  selfMint: boolean
  /** Its inscription. */
  deploy: InscriptionId
  height: number
  minted: bigint
  burned: bigint
}

export interface Brc20Balance {
  available: bigint
  transferable: bigint
}

/** An inscription that takes its amount along when it moves. */
export interface Brc20Transfer {
  id: InscriptionId
  tick: string
  originalTick: string
  amount: bigint
  /** The scriptPubKey that it was inscribed to, in hex. */
  script: string
  height: number
}

export type Brc20Ledger = ReturnType<typeof createBrc20Ledger>

const NOTHING: Brc20Balance = { available: 0n, transferable: 0n }
/** A bare OP_RETURN destroys what is sent to it (BP05); with anything behind it, it is an owner like others. */
const BURN_SCRIPT = '6a'

/** Blocks between a predeploy and a deploy that takes it (`PREDEPLOY_BLOCK_HEIGHT_DELAY` in OPI). */
const PREDEPLOY_DELAY = 3

/** Whether the parent of a deploy is old enough and is of this very ticker. */
function isPredeployed(
  predeploy: Brc20Predeploy | undefined,
  tick: string,
  salt: string,
  height: number,
): boolean {
  if (!predeploy || predeploy.height > height - PREDEPLOY_DELAY) return false
  const salted = [Buffer.from(tick), Buffer.from(salt, 'hex'), Buffer.from(predeploy.script, 'hex')]
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
  return predeploy.hash === sha256(sha256(Buffer.concat(salted))).toString('hex')
}

/** Balances by scriptPubKey (in hex) and ticker (in lower case), by the rules of 2026. */
export function createBrc20Ledger() {
  const tokens = new Map<string, Brc20Token>()
  const accounts = new Map<string, Map<string, Brc20Balance>>()
  const transfers = new Map<InscriptionId, Brc20Transfer>()
  const predeploys = new Map<InscriptionId, Brc20Predeploy>()
  const events = new Map<number, readonly Brc20Event[]>()

  /** `passages` in the order of the block's transactions, and in each by the place of their sats. */
  function connect(height: number, passages: readonly Passage[], journal: Journal): void {
    const made = passages.flatMap(passage => pass(passage) ?? [])
    if (made.length > 0) journal.set(events, height, made)

    function pass({ id, reveal, script }: Passage): Brc20Event | null {
      if (!reveal) return move(id, script && toHex(script))
      // A curse voids it even where ord vindicates it.
      if (!script || reveal.curse || reveal.unbound) return null
      const request = parseBrc20(reveal.fields)
      if (!request) return null
      if (request.op === 'predeploy') {
        const { hash } = request
        const type = 'predeploy-inscribe'
        const predeploy = { type, id, height, script: toHex(script), hash } as const
        journal.set(predeploys, id, predeploy)
        return predeploy
      }
      const { tick, originalTick } = request
      const made = inscribe(id, request, toHex(script), reveal.parents[0] ?? null)
      return made && { id, height, tick, originalTick, ...made }
    }

    function inscribe(
      id: InscriptionId,
      request: Brc20TickerRequest,
      script: string,
      parent: InscriptionId | null,
    ) {
      const { tick } = request
      const token = tokens.get(tick)
      if (request.op === 'deploy') {
        if (token) return null
        const { op: _, salt, originalTick: written, ...terms } = request
        if (salt !== null && !isPredeployed(predeploys.get(parent ?? ''), written, salt, height))
          return null
        const deployed = { ...terms, originalTick: written, deploy: id, height }
        journal.set(tokens, tick, { ...deployed, minted: 0n, burned: 0n })
        const { max, limit, decimals, selfMint } = terms
        return { type: 'deploy-inscribe' as const, script, max, limit, decimals, selfMint }
      }
      const wanted = token && parseTokenAmount(request.amt, token.decimals)
      if (!wanted) return null
      if (request.op === 'mint') {
        const left = token.max - token.minted
        if (token.selfMint && parent !== token.deploy) return null
        if (wanted > token.limit || left === 0n) return null
        const amount = wanted < left ? wanted : left
        journal.set(tokens, tick, { ...token, minted: token.minted + amount })
        change(script, tick, { available: amount })
        return { type: 'mint-inscribe' as const, script, amount, parent }
      }
      if (wanted > balance(script, tick).available) return null
      const { originalTick } = request
      journal.set(transfers, id, { id, tick, originalTick, amount: wanted, script, height })
      change(script, tick, { available: -wanted, transferable: wanted })
      return { type: 'transfer-inscribe' as const, script, amount: wanted }
    }

    /** Its first move is what counts, and the only one. */
    function move(id: InscriptionId, to: string | null): Brc20Event | null {
      const transfer = transfers.get(id)
      const token = transfer && tokens.get(transfer.tick)
      if (!token) return null
      const { tick, originalTick, amount, script } = transfer
      journal.delete(transfers, id)
      change(script, tick, { transferable: -amount })
      if (to === BURN_SCRIPT) journal.set(tokens, tick, { ...token, burned: token.burned + amount })
      else change(to ?? script, tick, { available: amount })
      return { type: 'transfer-transfer', id, height, tick, originalTick, script, to, amount }
    }

    function change(script: string, tick: string, by: Partial<Brc20Balance>): void {
      const before = balance(script, tick)
      journal.set(accountOf(script), tick, {
        available: before.available + (by.available ?? 0n),
        transferable: before.transferable + (by.transferable ?? 0n),
      })
    }
  }

  function accountOf(script: string): Map<string, Brc20Balance> {
    const known = accounts.get(script)
    if (known) return known
    const made = new Map<string, Brc20Balance>()
    accounts.set(script, made)
    return made
  }

  function balance(script: string, tick: string): Brc20Balance {
    return accounts.get(script)?.get(tick) ?? NOTHING
  }

  return {
    connect,
    token: (tick: string): Brc20Token | undefined => tokens.get(tick),
    tokenCount: () => tokens.size,
    /** Every ticker that it ever had, with what is left. */
    balances: (script: string): [tick: string, Brc20Balance][] => [...(accounts.get(script) ?? [])],
    /** Who ever had some, with what is left. */
    holders: (tick: string): [script: string, Brc20Balance][] =>
      [...accounts].flatMap(([script, account]) => {
        const held = account.get(tick)
        return held ? [[script, held] as [string, Brc20Balance]] : []
      }),
    /** Those that have not moved, in no order. */
    transfers: (script: string): Brc20Transfer[] =>
      [...transfers.values()].filter(transfer => transfer.script === script),
    /** Of a block, in order. */
    eventsAt: (height: number): readonly Brc20Event[] => events.get(height) ?? [],
    /** Of all blocks, in order. */
    events: (): Brc20Event[] => [...events.values()].flat(),
  }
}
