import { concatBytes } from '../../bitcoin/bytes.ts'
import { encodePushes } from '../../bitcoin/script.ts'
import { LEAF_KEY } from '../admin/leaf-output.ts'
import { encodeCborItem } from './cbor.ts'
import type { OperationName } from './operation.ts'

const OP_0 = 0x00
const OP_IF = 0x63
const OP_ENDIF = 0x68
const OP_CHECKSIG = 0xac
const MOST_PUSHED = 520

/** A leaf with an operation behind a signature check by devnet's key, in the form of atomicals-js. */
export function buildOperationLeaf(op: OperationName, payload: object): Uint8Array {
  const bytes = encodeCborItem(payload)
  const count = Math.ceil(bytes.length / MOST_PUSHED)
  const chunks = Array.from({ length: count }, (_, i) =>
    bytes.subarray(i * MOST_PUSHED, (i + 1) * MOST_PUSHED),
  )
  const text = (value: string) => new TextEncoder().encode(value)
  return concatBytes(
    encodePushes([LEAF_KEY]),
    Uint8Array.of(OP_CHECKSIG, OP_0, OP_IF),
    encodePushes([text('atom'), text(op), ...chunks]),
    Uint8Array.of(OP_ENDIF),
  )
}
