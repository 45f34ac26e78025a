import type { Payment } from '../bitcoin/payment.ts'
import type { Utxo } from '../bitcoin/utxo.ts'
import type { InscriptionId } from './inscription-id.ts'

/** An inscription of the paying account that becomes the parent: its coin goes through every reveal and comes back whole. */
export type ParentCoin = { id: InscriptionId; coin: Utxo }

/** One commit and a reveal an item, before they are signed; `feeRate` in sat/vB, fees in sats. */
export type Inscribing = {
  /** 32 bytes: with the account's key it gives the key of the leaves and of taking back. */
  nonce: Uint8Array
  /** Pays the leaves in the order of the items, then (with a parent) what the reveals' fees are taken from, then the change. */
  commit: Payment
  reveals: Reveal[]
  /** Sats of each inscription's output. */
  postage: bigint
  parent: ParentCoin | null
}

export type Reveal = {
  /** Key check and envelope. */
  leaf: Uint8Array
  /** Sats of the commit's output that it spends. */
  amount: bigint
  fee: bigint
  vsize: number
}
