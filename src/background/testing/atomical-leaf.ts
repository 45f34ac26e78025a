import { concatBytes, fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { FOREIGN_KEY } from '../../bitcoin/testing/psbt-building.ts'

export const FOREIGN_X_ONLY = publicKeyOf(FOREIGN_KEY).slice(1)

/** `<key> OP_CHECKSIG OP_FALSE OP_IF "atom" "z" <{ id: { "1": 1 } }> OP_ENDIF`: it goes to output 1. */
export function colouringLeaf(id: string): Uint8Array {
  const payload = concatBytes(fromHex('a17842'), toUtf8(id), fromHex('a1613101'))
  return concatBytes(
    fromHex('20'),
    FOREIGN_X_ONLY,
    fromHex('ac00630461746f6d017a4c'),
    Uint8Array.of(payload.length),
    payload,
    fromHex('68'),
  )
}
