import type { Common } from '@ethereumjs/common'
import type { EVM, ExecResult, PrecompileFunc, PrecompileInput } from '@ethereumjs/evm'
import { encodeHex } from '../../codec/hex.ts'
import type { Clock } from '../clock.ts'
import { BLAKE2F_INPUT, compressBlake2b } from './blake2f.ts'
import { raiseModulo } from './modexp.ts'

/** What takes longer is done here, with pauses; below that EthereumJS does it. */
const FEW_ROUNDS = 1_000
const SHORT_EXPONENT = 64

/**
 * Puts precompiled contracts that a caller can make long into the place of EthereumJS's: they look at the clock, so that others
 * have their turn and the time of a call is kept. What they cost and refuse is EthereumJS's word.
 */
export function replaceLongPrecompiles(evm: EVM, clock: Clock): void {
  replace(evm, MODEXP, original => input => runModexp(original, input, clock))
  replace(evm, BLAKE2F, original => input => runBlake2f(original, input, evm.common, clock))
}

const MODEXP = 5
const BLAKE2F = 9

function replace(
  evm: EVM,
  index: number,
  change: (original: PrecompileFunc) => PrecompileFunc,
): void {
  const address = index.toString(16).padStart(40, '0')
  const original = evm.precompiles.get(address)
  if (original !== undefined) evm.precompiles.set(address, change(original))
}

async function runBlake2f(
  original: PrecompileFunc,
  input: PrecompileInput,
  common: Common,
  clock: Clock,
): Promise<ExecResult> {
  const { data } = input
  const rounds = Buffer.from(data.subarray(0, 4)).readUInt32BE()
  const gas = BigInt(rounds) * common.param('blake2RoundGas')
  const isRefused = data.length !== BLAKE2F_INPUT || (data[212] ?? 2) > 1 || gas > input.gasLimit
  if (isRefused || rounds <= FEW_ROUNDS) return original(input)
  return { executionGasUsed: gas, returnValue: await compressBlake2b(data, clock) }
}

/** Lengths of base, exponent and modulus, in 32 bytes each, then the three; what is not there is zero. */
async function runModexp(
  original: PrecompileFunc,
  input: PrecompileInput,
  clock: Clock,
): Promise<ExecResult> {
  const { data } = input
  const [baseLength, exponentLength, modulusLength] = [0, 32, 64].map(start =>
    readInteger(data, start, 32),
  ) as [bigint, bigint, bigint]
  if (exponentLength <= SHORT_EXPONENT) return original(input)
  const exponentStart = 96n + baseLength
  // Its cost depends on the lengths and the begin of the exponent. Without its modulus, which is zero then, there is nothing to compute.
  const known = Number(min(exponentStart + 32n, BigInt(data.length)))
  const priced = await original({ ...input, data: data.subarray(0, known) })
  if (priced.exceptionError !== undefined) return priced
  const modulusStart = exponentStart + exponentLength
  const modulus = readInteger(data, Number(modulusStart), Number(modulusLength))
  if (modulus === 0n) return priced
  const exponent = data.subarray(Number(exponentStart), Number(modulusStart))
  const power = await raiseModulo(
    readInteger(data, 96, Number(baseLength)),
    exponent,
    Number(exponentLength) - exponent.length,
    modulus,
    clock,
  )
  const digits = power.toString(16).padStart(2 * Number(modulusLength), '0')
  return { ...priced, returnValue: new Uint8Array(Buffer.from(digits, 'hex')) }
}

/** Big-endian; bytes beyond the end are zero. */
function readInteger(data: Uint8Array, start: number, length: number): bigint {
  const bytes = data.subarray(start, start + length)
  if (length === 0) return 0n
  const read = bytes.length === 0 ? 0n : BigInt(encodeHex(bytes))
  return read << BigInt(8 * (length - bytes.length))
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
