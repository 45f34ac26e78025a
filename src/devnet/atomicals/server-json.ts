import { toDisplayHash } from '../chain/hex.ts'
import type { JsonFields } from './atomical-json.ts'
import type { AtomicalsIndex } from './atomicals-index.ts'

const USUAL_HASHES = 10

/** Where the index stands, with what other indexes can compare of its last blocks. */
export function describeGlobal(index: AtomicalsIndex, hashes = USUAL_HASHES): JsonFields {
  const height = index.height()
  const show = (at: number) => {
    const fingerprint = index.fingerprint(at)
    return fingerprint ? toDisplayHash(fingerprint) : null
  }
  const heights = Array.from({ length: hashes }, (_, i) => height - i)
  return {
    coin: 'BitcoinRegtest',
    network: 'regtest',
    height,
    block_tip: index.tip(),
    server_time: new Date().toISOString(),
    atomicals_block_tip: show(height),
    atomical_count: index.count(),
    atomicals_block_hashes: Object.fromEntries(heights.map(at => [String(at), show(at)])),
  }
}
