/** Bitcoin Core's arith_uint256 has so many bits. */
const BITS = 256n

/**
 * The target that a header's `bits` (Bitcoin Core's nBits) stand for, as arith_uint256::SetCompact reads them. Null for a negative one, for 0 and
 * for more than 256 bits.
 */
export function parseCompactTarget(bits: number): bigint | null {
  const exponent = bits >>> 24
  const mantissa = BigInt(bits & 0x7f_ffff)
  const target =
    exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3))
  return (bits & 0x80_0000) !== 0 || target === 0n || target >> BITS > 0n ? null : target
}

/** The `bits` of a target, which keep its first two or three bytes (arith_uint256::GetCompact). */
export function formatCompactTarget(target: bigint): number {
  let size = Math.ceil(target.toString(16).length / 2)
  let mantissa = Number(
    size <= 3 ? target << BigInt(8 * (3 - size)) : target >> BigInt(8 * (size - 3)),
  )
  // The first bit of the mantissa is the sign.
  if ((mantissa & 0x80_0000) !== 0) {
    mantissa >>= 8
    size++
  }
  return size * 0x100_0000 + mantissa
}

/** Hashes that it takes, on average, to find a block (GetBlockProof): 2^256 / (target + 1). */
export function workOfTarget(target: bigint): bigint {
  return (1n << BITS) / (target + 1n)
}
