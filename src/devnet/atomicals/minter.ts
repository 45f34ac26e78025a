import { type AtomicalId, formatAtomicalId } from '../../ordinals/atomical-id.ts'
import { createDevnetKey } from '../admin/devnet-key.ts'
import type { Faucet } from '../admin/faucet.ts'
import { createLeafOutput } from '../admin/leaf-output.ts'
import { buildReveal, feeOfReveal } from '../admin/reveal.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import type { AtomicalsIndex } from './atomicals-index.ts'
import { buildOperationLeaf } from './envelope-leaf.ts'
import { NAME_DELAY } from './name-ledger.ts'

/** `nft`; `ft`, a token that is made at once; `dft`, a token that others mint; `dmt`, one mint of such a token. */
export const MINT_KINDS = ['nft', 'ft', 'dft', 'dmt'] as const
export type MintKind = (typeof MINT_KINDS)[number]

export interface MintPlan {
  kind: MintKind
  /** Null for devnet's own address. */
  script: Uint8Array | null
  /** Sats of the output, which are the units of a token; null for what its kind usually has. */
  sats: bigint | null
  args: Readonly<Record<string, unknown>>
  /** What stands in the payload beside `args`. */
  fields: Readonly<Record<string, unknown>>
  /** Mines it, and so many blocks more that a name is its own; else nothing. */
  confirm: boolean
}

export interface MintedAtomical {
  /** Of the token, where units of one were minted. */
  id: AtomicalId
  commitTxid: string
  revealTxid: string
  /** `txid:vout`; a token that others mint has nothing there. */
  outpoint: string
}

/** Mints Atomicals with the faucet's coins. Throws RangeError for what was not minted, RejectedError in the node's words. */
export interface Minter {
  mint(plan: MintPlan): Promise<MintedAtomical>
}

const POSTAGE = 546n
const NOWHERE = '00'.repeat(32)

export function createMinter(network: LocalNetwork, faucet: Faucet, index: AtomicalsIndex): Minter {
  const key = createDevnetKey('satchel devnet atomicals')

  function requireToken(ticker: unknown) {
    const holder = index.names.holder('ticker', String(ticker), index.height())
    const token = holder?.isSettled ? index.atomical(holder.id) : undefined
    if (!token?.terms) throw new RangeError(`${ticker}: is no token that can be minted yet`)
    return { id: token.id, terms: token.terms }
  }

  return {
    async mint({ kind, script, sats, args, fields, confirm }) {
      const token = kind === 'dmt' ? requireToken(args.mint_ticker) : null
      const leaf = createLeafOutput(buildOperationLeaf(kind, { ...fields, args }))
      const value = sats ?? token?.terms.amount ?? POSTAGE
      const outputs = [{ script: script ?? key.script, value }]
      const fee = feeOfReveal([{ txid: NOWHERE, vout: 0, value, leaf }], outputs)
      const commit = await faucet.send([{ script: leaf.script, value: value + fee }])
      const commitTxid = commit.getId()
      const coin = { txid: commitTxid, vout: 0, value: value + fee, leaf }
      const { txid } = await network.submit(buildReveal([coin], outputs).toHex())
      const minted = {
        id: token?.id ?? formatAtomicalId({ txid: commitTxid, vout: 0 }),
        commitTxid,
        revealTxid: txid,
        outpoint: `${txid}:0`,
      }
      if (!confirm) return minted
      await network.mine(1, faucet.address)
      const atomical = index.atomical(minted.id)
      const isThere = index.holdings(minted.outpoint).some(({ id }) => id === minted.id)
      if (!atomical || !(isThere || kind === 'dft')) {
        throw new RangeError(`${kind}: the rules of Atomicals refuse it`)
      }
      if (kind !== 'dmt' && atomical.name) await network.mine(NAME_DELAY, faucet.address)
      return minted
    },
  }
}
