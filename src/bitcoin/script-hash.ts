import { sha256 } from 'bitcoinjs-lib/src/crypto'
import { toHex } from './bytes.ts'

/** What Electrum's protocol knows a scriptPubKey by: its SHA-256 in hex, last byte first (docs/protocol-basics.rst). */
export function scriptHashOf(scriptPubKey: Uint8Array): string {
  return toHex(sha256(scriptPubKey).slice().reverse())
}
