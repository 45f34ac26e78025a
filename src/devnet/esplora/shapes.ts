// The JSON of Esplora's REST interface; amounts are sats.

export type Status =
  | { confirmed: false }
  | { confirmed: true; block_height: number; block_hash: string; block_time: number }

export interface UtxoJson {
  txid: string
  vout: number
  status: Status
  value: number
}

export interface AddressStats {
  funded_txo_count: number
  funded_txo_sum: number
  spent_txo_count: number
  spent_txo_sum: number
  tx_count: number
}

export interface VoutJson {
  scriptpubkey: string
  scriptpubkey_asm: string
  scriptpubkey_type: string
  scriptpubkey_address?: string
  value: number
}

export interface VinJson {
  txid: string
  vout: number
  prevout: VoutJson | null
  scriptsig: string
  scriptsig_asm: string
  witness?: string[]
  is_coinbase: boolean
  sequence: number
  inner_redeemscript_asm?: string
  inner_witnessscript_asm?: string
}

export interface TransactionJson {
  txid: string
  version: number
  locktime: number
  vin: VinJson[]
  vout: VoutJson[]
  size: number
  weight: number
  fee: number
  status: Status
}

export interface BlockJson {
  id: string
  height: number
  version: number
  timestamp: number
  tx_count: number
  size: number
  weight: number
  merkle_root: string
  previousblockhash: string | null
  mediantime: number
  nonce: number
  bits: number
  difficulty: number
}
