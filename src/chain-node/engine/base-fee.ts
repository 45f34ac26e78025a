import type { Header } from './block.ts'
import type { Rules } from './rules.ts'

/** EIP-1559. */
const INITIAL_BASE_FEE = 1_000_000_000n
const ELASTICITY = 2n
const MAX_CHANGE_DENOMINATOR = 8n
/** EIP-4844. */
const GAS_PER_BLOB = 131_072n
const MIN_BLOB_BASE_FEE = 1n
/** EIP-7918. */
const BLOB_BASE_COST = 8_192n

/** What a unit of gas costs at least in the block after `parent` (EIP-1559), in wei; zero before London. */
export function nextBaseFee(rules: Rules, parent: Header): bigint {
  const common = rules.commonAt(parent.number + 1n, parent.timestamp + 1n)
  if (!common.isActivatedEIP(1559)) return 0n
  const { baseFeePerGas, gasUsed } = parent
  if (baseFeePerGas === undefined) return INITIAL_BASE_FEE
  const target = parent.gasLimit / ELASTICITY
  if (gasUsed === target || target === 0n) return baseFeePerGas
  if (gasUsed > target) {
    const rise = (baseFeePerGas * (gasUsed - target)) / target / MAX_CHANGE_DENOMINATOR
    return baseFeePerGas + (rise > 1n ? rise : 1n)
  }
  const fall = (baseFeePerGas * (target - gasUsed)) / target / MAX_CHANGE_DENOMINATOR
  return baseFeePerGas - fall
}

/** What a gas limit is in the block after `parent`: twice as much in the first one of EIP-1559. */
export function nextGasLimit(
  rules: Rules,
  parent: Header,
  { gasLimit, timestamp }: Pick<Header, 'gasLimit' | 'timestamp'>,
): bigint {
  const has = (number: bigint, time: bigint) => rules.commonAt(number, time).isActivatedEIP(1559)
  const begins = has(parent.number + 1n, timestamp) && !has(parent.number, parent.timestamp)
  return begins ? gasLimit * ELASTICITY : gasLimit
}

/** `excessBlobGas` of the block after `parent` at a time in seconds since 1970 (EIP-4844, EIP-7918); zero before Cancun. */
export function nextExcessBlobGas(rules: Rules, parent: Header, timestamp: bigint): bigint {
  const common = rules.commonAt(parent.number + 1n, timestamp)
  if (!common.isActivatedEIP(4844)) return 0n
  const { excessBlobGas, blobGasUsed, baseFeePerGas } = parent
  if (excessBlobGas === undefined || blobGasUsed === undefined) return 0n
  const target = common.param('targetBlobGasPerBlock')
  const limit = common.param('maxBlobGasPerBlock')
  if (excessBlobGas + blobGasUsed < target) return 0n
  if (common.isActivatedEIP(7918)) {
    const fraction = common.param('blobGasPriceUpdateFraction')
    const price = computeBlobBaseFee(excessBlobGas, fraction)
    if (BLOB_BASE_COST * (baseFeePerGas ?? 0n) > GAS_PER_BLOB * price) {
      return excessBlobGas + (blobGasUsed * (limit - target)) / limit
    }
  }
  return excessBlobGas + blobGasUsed - target
}

/** What a unit of blob gas costs in a block, in wei; null before Cancun. */
export function blobBaseFee(
  rules: Rules,
  header: Pick<Header, 'number' | 'timestamp' | 'excessBlobGas'>,
): bigint | null {
  if (header.excessBlobGas === undefined) return null
  const common = rules.commonAt(header.number, header.timestamp)
  return computeBlobBaseFee(header.excessBlobGas, common.param('blobGasPriceUpdateFraction'))
}

/** EIP-4844's `fake_exponential`. */
function computeBlobBaseFee(excessBlobGas: bigint, updateFraction: bigint): bigint {
  let sum = 0n
  let term = MIN_BLOB_BASE_FEE * updateFraction
  for (let i = 1n; term > 0n; i++) {
    sum += term
    term = (term * excessBlobGas) / (updateFraction * i)
  }
  return sum / updateFraction
}
