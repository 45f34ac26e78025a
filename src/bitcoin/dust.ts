import { isWitnessProgram } from './address.ts'

/** Bitcoin Core's default `-dustrelayfee`, in sats per vB. */
const DUST_RATE = 3n

/** vB that the dust rule assumes for spending an output: 32+4+1+107/4+4 for witness programs, else 32+4+1+107+4. */
const WITNESS_SPEND_VSIZE = 67n
const LEGACY_SPEND_VSIZE = 148n

/** The least sats that an output of this script may hold, by Bitcoin Core's `GetDustThreshold` (src/policy/policy.cpp); 0 for OP_RETURN. */
export function dustLimit(scriptPubKey: Uint8Array): bigint {
  if (scriptPubKey[0] === 0x6a) return 0n
  const outputSize = BigInt(8 + (scriptPubKey.length < 0xfd ? 1 : 3) + scriptPubKey.length)
  return (
    DUST_RATE *
    (outputSize + (isWitnessProgram(scriptPubKey) ? WITNESS_SPEND_VSIZE : LEGACY_SPEND_VSIZE))
  )
}
