import type { EVM, ExecResult, PrecompileFunc, PrecompileInput } from '@ethereumjs/evm'
import { encodeHex } from '../../codec/hex.ts'
import type { Clock } from '../clock.ts'
import { BLAKE2F_INPUT, compressBlake2b } from './blake2f.ts'
import { priceModexp, raiseModulo } from './modexp.ts'
import { BLS12_381, BN254, checkPairing, type PairingCurve, pairLength } from './pairing.ts'

/** What takes longer is done here, with pauses; below that EthereumJS does it. */
const FEW_ROUNDS = 1_000
const SHORT_EXPONENT = 64
const FEW_PAIRS = 4
/** EIP-2537: more pairs than that have no further discount. */
const MOST_DISCOUNTED_PAIRS = 128

/**
 * Puts precompiled contracts that a caller can make long into the place of EthereumJS's: they look at the clock, so that others
 * have their turn and the time of a call is kept. What they refuse is EthereumJS's word.
 */
export function replaceLongPrecompiles(evm: EVM, clock: Clock): void {
  replace(evm, clock, MODEXP, runModexp)
  replace(evm, clock, BN254_PAIRING, runPairing(BN254, 'bn254PairingGas', 'bn254PairingWordGas'))
  replace(evm, clock, BLAKE2F, runBlake2f)
  replace(evm, clock, BLS_G1_MSM, runMultiScalar(160, evm.precompiles.get(addressOf(BLS_G1_ADD))))
  replace(evm, clock, BLS_G2_MSM, runMultiScalar(288, evm.precompiles.get(addressOf(BLS_G2_ADD))))
  const [base, perPair] = ['bls12381PairingBaseGas', 'bls12381PairingPerPairGas'] as const
  replace(evm, clock, BLS_PAIRING, runPairing(BLS12_381, base, perPair))
}

const MODEXP = 5
const BN254_PAIRING = 8
const BLAKE2F = 9
const BLS_G1_ADD = 0x0b
const BLS_G1_MSM = 0x0c
const BLS_G2_ADD = 0x0d
const BLS_G2_MSM = 0x0e
const BLS_PAIRING = 0x0f

/** Runs one in the place of EthereumJS's, which does what is short and what is refused. */
type LongPrecompile = (
  original: PrecompileFunc,
  input: PrecompileInput,
  clock: Clock,
) => Promise<ExecResult>

function replace(evm: EVM, clock: Clock, index: number, run: LongPrecompile): void {
  const address = addressOf(index)
  const original = evm.precompiles.get(address)
  if (original === undefined) return
  evm.precompiles.set(address, input => run(original, input, clock))
}

function addressOf(index: number): string {
  return index.toString(16).padStart(40, '0')
}

const runBlake2f: LongPrecompile = async (original, input, clock) => {
  const { data, common } = input
  const rounds = Number(readInteger(data, 0, 4))
  const gas = BigInt(rounds) * common.param('blake2RoundGas')
  const isRefused = data.length !== BLAKE2F_INPUT || (data[212] ?? 2) > 1 || gas > input.gasLimit
  if (isRefused || rounds <= FEW_ROUNDS) return original(input)
  return { executionGasUsed: gas, returnValue: await compressBlake2b(data, clock) }
}

type GasName = Parameters<PrecompileInput['common']['param']>[0]

function runPairing(pairing: PairingCurve, baseGas: GasName, pairGas: GasName): LongPrecompile {
  return async (original, input, clock) => {
    const { data, common, gasLimit } = input
    const length = pairLength(pairing)
    const pairs = data.length / length
    if (!Number.isInteger(pairs) || pairs <= FEW_PAIRS) return original(input)
    const gas = common.param(baseGas) + BigInt(pairs) * common.param(pairGas)
    if (gas > gasLimit) return original(input)
    const result = await checkPairing(pairing, data, clock)
    if (typeof result === 'object') {
      return original({ ...input, data: data.subarray(result.place, result.place + length) })
    }
    const returnValue = new Uint8Array(32)
    returnValue[31] = Number(result)
    return { executionGasUsed: gas, returnValue }
  }
}

/**
 * The sum of multiples of points (EIP-2537) as a sum of such sums.
 *
 * @param length - bytes of a point and its factor
 * @param add - the precompiled contract that adds two points
 */
function runMultiScalar(length: number, add: PrecompileFunc | undefined): LongPrecompile {
  return async (original, input, clock) => {
    const { data } = input
    const pairs = data.length / length
    if (add === undefined || !Number.isInteger(pairs) || pairs <= FEW_PAIRS) return original(input)
    // The gas is the length's alone: it grows with the pairs from so many on, and points at infinity take no time.
    const few = Math.min(pairs, MOST_DISCOUNTED_PAIRS)
    const priced = await original({ ...input, data: new Uint8Array(few * length) })
    if (priced.exceptionError) return priced
    const gas = (priced.executionGasUsed * BigInt(pairs)) / BigInt(few)
    if (gas > input.gasLimit) return original(input)
    let sum: Uint8Array | null = null
    for (let start = 0; start < data.length; start += FEW_PAIRS * length) {
      const part = await original({
        ...input,
        data: data.subarray(start, start + FEW_PAIRS * length),
      })
      if (part.exceptionError) return part
      sum =
        sum === null
          ? part.returnValue
          : (await add({ ...input, data: Buffer.concat([sum, part.returnValue]) })).returnValue
      await clock.tick()
    }
    return { executionGasUsed: gas, returnValue: sum ?? new Uint8Array(0) }
  }
}

/** Lengths of base, exponent and modulus, in 32 bytes each, then the three; what is not there is zero. */
const runModexp: LongPrecompile = async (original, input, clock) => {
  const { data, common, gasLimit } = input
  const [baseLength, exponentLength, modulusLength] = [0, 32, 64].map(start =>
    readInteger(data, start, 32),
  ) as [bigint, bigint, bigint]
  const longest = [baseLength, exponentLength, modulusLength].reduce(max)
  const most = common.isActivatedEIP(7823) ? LONGEST_PART : LONGEST_EVER
  if (exponentLength <= SHORT_EXPONENT || longest > most) return original(input)
  const exponentStart = 96 + Number(baseLength)
  const gas = priceModexp(common, {
    length: max(baseLength, modulusLength),
    exponentLength,
    exponentHead: readInteger(data, exponentStart, 32),
  })
  if (gas > gasLimit) return original(input)
  const modulusStart = exponentStart + Number(exponentLength)
  const modulus = readInteger(data, modulusStart, Number(modulusLength))
  const returnValue = new Uint8Array(Number(modulusLength))
  if (modulus === 0n) return { executionGasUsed: gas, returnValue }
  const exponent = data.subarray(exponentStart, modulusStart)
  const power = await raiseModulo(
    readInteger(data, 96, Number(baseLength)),
    exponent,
    Number(exponentLength) - exponent.length,
    modulus,
    clock,
  )
  const digits = power.toString(16).padStart(2 * returnValue.length, '0')
  returnValue.set(Buffer.from(digits, 'hex'))
  return { executionGasUsed: gas, returnValue }
}

/** EIP-7823. */
const LONGEST_PART = 1024n
/** EthereumJS's. */
const LONGEST_EVER = 2n ** 31n - 1n

/** Big-endian; bytes beyond the end are zero. */
function readInteger(data: Uint8Array, start: number, length: number): bigint {
  const bytes = data.subarray(start, start + length)
  if (length === 0) return 0n
  const read = bytes.length === 0 ? 0n : BigInt(encodeHex(bytes))
  return read << BigInt(8 * (length - bytes.length))
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
