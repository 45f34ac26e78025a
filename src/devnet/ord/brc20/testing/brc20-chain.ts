import { createTestChain, envelope, type Pay, tag } from '../../testing/test-chain.ts'
import { UNIT } from '../token-amount.ts'

export const ALICE = script(0xa1)
export const BOB = script(0xb0)
const POSTAGE = 10_000n
const COINS = 60
const MOST_PUSH = 75

/** Inscribed as it is where it is a text, else as JSON. */
export type Body = string | Record<string, unknown>

/** A chain whose transactions inscribe BRC-20 and move it. */
export function createBrc20Chain(jubileeHeight?: number) {
  const chain = createTestChain(jubileeHeight)
  const ledger = chain.index.brc20
  const shares = Array.from({ length: COINS }, () => POSTAGE)
  const split = chain.send([chain.mine()], shares)
  let used = 0
  chain.mine()

  /** A coin without inscriptions. */
  const freshCoin = () => `${split}:${used++}`

  /** Puts a reveal into the next block; returns the inscription's id. `parent`: whose deploy moves along, back to its owner. */
  function reveal(body: Body, to: Pay = [POSTAGE, ALICE], options: Options = {}): string {
    const inscription = [options.coin ?? freshCoin(), encode(body, options)] as const
    const parent = options.parent && chain.index.inscription(options.parent)?.satpoint.outpoint
    const output = parent && chain.index.output(parent)
    if (!parent || !output) return `${chain.send([inscription], [to])}i0`
    const home: Pay = [output.value, output.scriptPubKey]
    return `${chain.send([inscription, parent], [to, home])}i0`
  }

  return {
    ...chain,
    ledger,
    freshCoin,
    reveal,
    /** In a block of its own. */
    inscribe(body: Body, to: Uint8Array = ALICE, options: Options = {}): string {
      const id = reveal(body, [POSTAGE, to], options)
      chain.mine()
      return id
    },
    /** Sends an inscription that is on the chain; to the miner when `to` is null. */
    move(id: string, to: Uint8Array | null): void {
      const outpoint = chain.index.inscription(id)?.satpoint.outpoint ?? ''
      // The first sats are those that an output does not get.
      if (to) chain.send([outpoint], [[chain.valueOf(outpoint), to]])
      else chain.send([freshCoin(), outpoint], [POSTAGE])
      chain.mine()
    },
    /** Whole tokens: `available` and `transferable`. */
    balanceOf(owner: Uint8Array, tick: string): [number, number] {
      const balances = new Map(ledger.balances(Buffer.from(owner).toString('hex')))
      const { available = 0n, transferable = 0n } = balances.get(tick) ?? {}
      return [Number(available / UNIT), Number(transferable / UNIT)]
    },
  }
}

interface Options {
  contentType?: string
  /** Fields besides content type and parent. */
  fields?: readonly Uint8Array[]
  parent?: string
  coin?: string
}

function encode(body: Body, { contentType = 'text/plain', fields = [], parent }: Options) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += MOST_PUSH) {
    chunks.push(bytes.subarray(at, at + MOST_PUSH))
  }
  const parents = parent ? [tag(3), Buffer.from(parent.slice(0, 64), 'hex').reverse()] : []
  return envelope([tag(1), contentType, ...parents, ...fields, '', ...chunks])
}

export function brc20(op: string, fields: Record<string, unknown>): Record<string, unknown> {
  return { p: 'brc-20', op, tick: 'ordi', ...fields }
}

/** P2WPKH of an unknown key. */
function script(filler: number): Uint8Array {
  return Uint8Array.of(0, 20, ...new Uint8Array(20).fill(filler))
}
