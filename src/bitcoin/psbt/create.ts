import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { encodeMaps, type PsbtEntry } from './maps.ts'
import { type Psbt, parsePsbt } from './psbt.ts'

const UNSIGNED_TX = 0x00

/** BIP-174's Creator: the PSBT (version 0) of a transaction whose inputs have no scripts yet, with nothing known of its coins. */
export function createPsbt(unsigned: Transaction): Psbt {
  const global: PsbtEntry = { key: Uint8Array.of(UNSIGNED_TX), value: unsigned.toBuffer() }
  const maps = {
    global: [global],
    inputs: unsigned.ins.map(() => []),
    outputs: unsigned.outs.map(() => []),
  }
  return parsePsbt(encodeMaps(maps))
}
