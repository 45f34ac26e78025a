import type { InscriptionId } from '../../../ordinals/inscription-id.ts'

/** What an inscription did to the ledger, in OPI's names. Amounts times 10^18; scripts are scriptPubKeys in hex. */
export type Brc20Event = {
  id: InscriptionId
  height: number
  tick: string
  originalTick: string
} & (
  | {
      type: 'deploy-inscribe'
      script: string
      max: bigint
      limit: bigint
      decimals: number
      selfMint: boolean
    }
  | { type: 'mint-inscribe'; script: string; amount: bigint; parent: InscriptionId | null }
  | { type: 'transfer-inscribe'; script: string; amount: bigint }
  /** `to` is null where it went to the miner, which gives the amount back. */
  | { type: 'transfer-transfer'; script: string; to: string | null; amount: bigint }
)
