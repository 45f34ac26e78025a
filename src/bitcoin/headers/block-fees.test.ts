import { crypto } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../bytes.ts'
import { type BlockContent, buildBlock } from '../testing/block-building.ts'
import { BLOCK_542213 } from '../testing/mainnet-blocks.ts'
import { averageFeeRate, parsePaidBlock, type ReportedBlock } from './block-fees.ts'

const TXIDS = Array.from({ length: 40 }, (_, at) => (at + 1).toString(16).padStart(64, '0'))
const FULL = { height: 120, previous: 'ab'.repeat(32), fees: 22_440n, txids: TXIDS }

/** What an honest server tells of a block of regtest, and what a lying one says instead. */
function tell(
  content: Partial<BlockContent> = {},
  lies: Partial<ReportedBlock> = {},
): ReportedBlock {
  const block = buildBlock({ ...FULL, ...content })
  const { hash, height, weight, header, coinbase } = block
  const branch = block.branchOf(block.coinbaseTxid)?.branch ?? []
  return { hash, height, weight, header, coinbase, branch, ...lies }
}

/** The block of mainnet on a network without a bound for the difficulty, which was 7 T then. */
const REAL: ReportedBlock = {
  hash: BLOCK_542213.hash,
  height: BLOCK_542213.height,
  weight: BLOCK_542213.weight,
  header: fromHex(BLOCK_542213.header),
  coinbase: fromHex(BLOCK_542213.coinbase),
  branch: BLOCK_542213.branch,
}

describe('what a block paid', () => {
  it('is what its coinbase takes beyond the new coins, by the size of the other transactions', () => {
    const paid = parsePaidBlock('testnet4', REAL)
    expect(paid).toMatchObject({ fees: 4_874n, vsize: 1_943.5 })
    expect(paid && averageFeeRate(paid)).toBe(2.508)
  })

  it('is an average over the whole block', () => {
    const paid = parsePaidBlock('regtest', tell())
    // 40 transactions of 561 weight units each.
    expect(paid).toMatchObject({ fees: 22_440n, vsize: 5_610 })
    expect(paid && averageFeeRate(paid)).toBe(4)
  })

  it('is nothing where there is nothing but the coinbase', () => {
    const paid = parsePaidBlock('regtest', tell({ txids: [], fees: 0n }))
    expect(paid).not.toBeNull()
    expect(paid && averageFeeRate(paid)).toBeNull()
  })

  it('is not known where the miner did not take it, as generateblock of Bitcoin Core does not', () => {
    const paid = parsePaidBlock('regtest', tell({ fees: 0n }))
    expect(paid?.vsize).toBe(5_610)
    expect(paid && averageFeeRate(paid)).toBeNull()
  })

  it('halves its new coins with regtest’s halving', () => {
    expect(parsePaidBlock('regtest', tell({ height: 150 }))).toMatchObject({ fees: 22_440n })
  })
})

describe('a forged block counts for nothing', () => {
  const good = tell()

  it.each<[string, ReportedBlock]>([
    ['whose header has another hash', { ...good, hash: 'cd'.repeat(32) }],
    ['whose header is not 80 bytes', { ...good, header: good.header.subarray(1) }],
    [
      'whose coinbase is not under the merkle root',
      { ...good, coinbase: tell({ fees: 9n }).coinbase },
    ],
    ['with a wrong merkle branch', { ...good, branch: good.branch.toReversed() }],
    ['with a merkle branch that is too short', { ...good, branch: good.branch.slice(1) }],
    ['whose coinbase names another height', tell({ coinbaseHeight: 121 })],
    ['whose height is another one than its coinbase names', { ...good, height: 121 }],
    ['whose coinbase takes less than the new coins', tell({ fees: -1n })],
    ['whose first transaction is no coinbase', { ...good, coinbase: new Uint8Array(80) }],
    ['whose transactions would not fit into its weight', { ...good, weight: 4 * 81 + 400 }],
    ['that is heavier than a block may be', { ...good, weight: 4_000_001 }],
  ])('%s', (_, told) => {
    expect(parsePaidBlock('regtest', good)).not.toBeNull()
    expect(parsePaidBlock('regtest', told)).toBeNull()
  })

  it('whose miner did not work for it', () => {
    const header = good.header.slice()
    // The target of block 542,213, which a hash of regtest does not meet.
    header.set(fromHex(BLOCK_542213.header).subarray(72, 76), 72)
    const hash = toHex(crypto.hash256(header).reverse())
    expect(parsePaidBlock('regtest', { ...good, header, hash })).toBeNull()
  })

  it('on mainnet, where it was too easy to find', () => {
    expect(parsePaidBlock('mainnet', good)).toBeNull()
    expect(parsePaidBlock('mainnet', REAL)).toBeNull()
  })
})
