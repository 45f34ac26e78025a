import { createPsbt } from './create.ts'
import { typeOfKey } from './fields.ts'
import { encodeMaps, type PsbtEntry } from './maps.ts'
import { type Psbt, parsePsbt, unsignedTransaction } from './psbt.ts'

/** The fields that BIP-370 adds to the maps of version 0, which has them in its transaction. */
const OF_VERSION_2 = {
  global: new Set([0x02, 0x03, 0x04, 0x05, 0x06, 0xfb]),
  input: new Set([0x0e, 0x0f, 0x10, 0x11, 0x12]),
  output: new Set([0x03, 0x04]),
}

/** The PSBT in version 0, which every signer reads, with everything else that it says. What others may still add is lost (BIP-370). */
export function toVersion0(psbt: Psbt): Psbt {
  if (psbt.version === 0) return psbt
  const { maps } = createPsbt(unsignedTransaction(psbt))
  const without = (map: readonly PsbtEntry[], types: ReadonlySet<number>) =>
    map.filter(({ key }) => !types.has(typeOfKey(key)))
  return parsePsbt(
    encodeMaps({
      global: [...maps.global, ...without(psbt.maps.global, OF_VERSION_2.global)],
      inputs: psbt.maps.inputs.map(map => without(map, OF_VERSION_2.input)),
      outputs: psbt.maps.outputs.map(map => without(map, OF_VERSION_2.output)),
    }),
  )
}
