import type { InscriptionId } from '../../../ordinals/inscription-id.ts'

/** What an inscription did to the ledger, in OPI's names. Amounts times 10^18; scripts are scriptPubKeys in hex. */
export type Brc20Event = Brc20Predeploy | Brc20TickerEvent

/** What a deploy of a ticker of six bytes has to match: the hash of ticker, salt and the script that it was inscribed to. */
export type Brc20Predeploy = {
  type: 'predeploy-inscribe'
  id: InscriptionId
  height: number
  script: string
  hash: string
}

export type Brc20TickerEvent = {
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
