import { formatQuantity } from '../codec/hex.ts'
import type { Header } from '../engine/block.ts'

/** A header as subscribers to `newHeads` get it from geth: every field that it has, and the hash. */
export function headerJson(header: Header): string {
  return JSON.stringify({ ...listHeaderFields(header), ...listLaterHeaderFields(header) })
}

/** What headers have in all forks. */
export function listHeaderFields(header: Header) {
  return {
    hash: header.hash,
    parentHash: header.parentHash,
    sha3Uncles: header.uncleHash,
    miner: header.miner,
    stateRoot: header.stateRoot,
    transactionsRoot: header.transactionsRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: header.logsBloom,
    difficulty: formatQuantity(header.difficulty),
    number: formatQuantity(header.number),
    gasLimit: formatQuantity(header.gasLimit),
    gasUsed: formatQuantity(header.gasUsed),
    timestamp: formatQuantity(header.timestamp),
    extraData: header.extraData,
    mixHash: header.mixHash,
    nonce: header.nonce,
  }
}

/** What came with London, Shanghai, Cancun and Prague. */
export function listLaterHeaderFields(header: Header) {
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas } = header
  const { parentBeaconBlockRoot, requestsHash } = header
  return {
    ...(baseFeePerGas !== undefined && { baseFeePerGas: formatQuantity(baseFeePerGas) }),
    ...(withdrawalsRoot && { withdrawalsRoot }),
    ...(blobGasUsed !== undefined && { blobGasUsed: formatQuantity(blobGasUsed) }),
    ...(excessBlobGas !== undefined && { excessBlobGas: formatQuantity(excessBlobGas) }),
    ...(parentBeaconBlockRoot && { parentBeaconBlockRoot }),
    ...(requestsHash && { requestsHash }),
  }
}
