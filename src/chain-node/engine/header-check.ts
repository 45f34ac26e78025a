import type { Common } from '@ethereumjs/common'
import type { Hex } from '../codec/hex.ts'
import { nextBaseFee, nextExcessBlobGas, nextGasLimit } from './base-fee.ts'
import type { Header } from './block.ts'
import { nextDifficulty } from './difficulty.ts'
import { hasUncles, NO_UNCLES } from './encoding/block-codec.ts'
import type { Rules } from './rules.ts'

/** Yellow paper 4.3.4: bytes of `extraData`, and what a gas limit is at least and changes at most from block to block. */
const MAX_EXTRA_BYTES = 32
const LEAST_GAS_LIMIT = 5_000n
const MAX_GAS_LIMIT = 2n ** 63n - 1n
const GAS_LIMIT_DIVISOR = 1_024n
/** EIP-779: what the first blocks after the fork of the DAO have for their extra data, `dao-hard-fork` in ASCII. */
export const DAO_FORK_EXTRA_DATA: Hex = '0x64616f2d686172642d666f726b'
/** How many blocks these are. */
const DAO_FORK_EXTRA_RANGE = 10n

/**
 * Why a block with this header cannot come after `parent`, as far as the two tell; null where it can. The seal is not looked
 * at: of proof of work there is the difficulty alone, which stays zero on a chain whose blocks cost no work.
 */
export function findHeaderFault(rules: Rules, parent: Header, header: Header): string | null {
  const common = rules.commonAt(header.number, header.timestamp)
  const has = (eip: number) => common.isActivatedEIP(eip)
  return (
    unless('parent', header.parentHash, parent.hash) ??
    unless('number', header.number, parent.number + 1n) ??
    (header.timestamp <= parent.timestamp
      ? 'its time is not later than that of its parent'
      : null) ??
    findExtraFault(rules, header) ??
    findGasLimitFault(rules, parent, header) ??
    unless('base fee', header.baseFeePerGas, has(1559) ? nextBaseFee(rules, parent) : undefined) ??
    unless(
      'excess of blob gas',
      header.excessBlobGas,
      has(4844) ? nextExcessBlobGas(rules, parent, header.timestamp) : undefined,
    ) ??
    findBlobFault(common, header) ??
    unless(
      'difficulty',
      header.difficulty,
      nextDifficulty(common, parent, hasUncles(parent), header.timestamp),
    ) ??
    (common.gteHardfork('paris') ? findStakeFault(header) : null)
  )
}

function findExtraFault(rules: Rules, { number, extraData }: Header): string | null {
  const bytes = (extraData.length - 2) / 2
  if (bytes > MAX_EXTRA_BYTES) return `its extra data has ${bytes} bytes, at most 32 are allowed`
  return namesDaoFork(rules, number) ? unless('extra data', extraData, DAO_FORK_EXTRA_DATA) : null
}

/** EIP-779: whether a block of this height is one of those whose extra data tells the two chains apart. */
export function namesDaoFork({ daoForkBlock }: Rules, number: bigint): boolean {
  if (daoForkBlock === null) return false
  return number >= daoForkBlock && number < daoForkBlock + DAO_FORK_EXTRA_RANGE
}

function findGasLimitFault(rules: Rules, parent: Header, header: Header): string | null {
  const { gasLimit, gasUsed, timestamp } = header
  const before = nextGasLimit(rules, parent, { gasLimit: parent.gasLimit, timestamp })
  const change = gasLimit > before ? gasLimit - before : before - gasLimit
  if (gasLimit < LEAST_GAS_LIMIT || gasLimit > MAX_GAS_LIMIT)
    return `its gas limit is ${gasLimit}, expected ${LEAST_GAS_LIMIT} to ${MAX_GAS_LIMIT}`
  if (change >= before / GAS_LIMIT_DIVISOR && change > 0n)
    return `its gas limit is ${gasLimit}, which is too far from ${before}`
  return gasUsed > gasLimit ? `it uses ${gasUsed} of ${gasLimit} gas` : null
}

/** EIP-4844. */
function findBlobFault(common: Common, { blobGasUsed = 0n }: Header): string | null {
  const limit = common.isActivatedEIP(4844) ? common.param('maxBlobGasPerBlock') : 0n
  return blobGasUsed > limit
    ? `its blobs use ${blobGasUsed} gas, at most ${limit} are allowed`
    : null
}

/** EIP-3675: nobody works for a block any more. */
function findStakeFault({ nonce, uncleHash }: Header): string | null {
  return unless('nonce', nonce, '0x0000000000000000') ?? unless('uncleHash', uncleHash, NO_UNCLES)
}

function unless(what: string, found: unknown, wanted: unknown): string | null {
  return found === wanted ? null : `its ${what} is ${found}, expected ${wanted}`
}
