import type { Rpc } from '../bitcoind/rpc.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import type { ExactJson } from '../server/exact-json.ts'
import { notFound } from './ord-call.ts'

interface NodeHeader {
  bits: string
  chainwork: string
  confirmations: number
  difficulty: number
  merkleroot: string
  nextblockhash?: string
  previousblockhash?: string
  nTx: number
}

/** Fees in sats, rates in whole sat/vB. */
type NodeStats = Record<
  | 'avgfee'
  | 'avgfeerate'
  | 'maxfee'
  | 'maxfeerate'
  | 'maxtxsize'
  | 'medianfee'
  | 'minfee'
  | 'minfeerate'
  | 'subsidy'
  | 'totalfee'
  | 'total_size'
  | 'total_weight',
  number
> & { feerate_percentiles: number[] }

/** ord's `/r/blockinfo` of a height or hash: the node's word, whatever has been indexed. */
export async function describeBlock(
  { chain }: LocalNetwork,
  rpc: Rpc,
  key: string,
): Promise<ExactJson> {
  const block = /^\d{1,9}$/.test(key) ? chain.block(Number(key)) : chain.blockByHash(key)
  if (!block) throw notFound(`block ${key}`)
  const header = await rpc<NodeHeader>('getblockheader', [block.hash])
  const stats = await rpc<NodeStats>('getblockstats', [block.hash])
  return {
    average_fee: stats.avgfee,
    average_fee_rate: stats.avgfeerate,
    bits: block.bits,
    chainwork: header.chainwork,
    confirmations: header.confirmations,
    difficulty: header.difficulty,
    hash: block.hash,
    feerate_percentiles: stats.feerate_percentiles,
    height: block.height,
    max_fee: stats.maxfee,
    max_fee_rate: stats.maxfeerate,
    max_tx_size: stats.maxtxsize,
    median_fee: stats.medianfee,
    median_time: block.medianTime,
    merkle_root: header.merkleroot,
    min_fee: stats.minfee,
    min_fee_rate: stats.minfeerate,
    next_block: header.nextblockhash ?? null,
    nonce: block.nonce,
    previous_block: header.previousblockhash ?? null,
    subsidy: stats.subsidy,
    target: formatTarget(block.bits),
    timestamp: block.timestamp,
    total_fee: stats.totalfee,
    total_size: stats.total_size,
    total_weight: stats.total_weight,
    transaction_count: header.nTx,
    version: block.version >>> 0,
  }
}

/** The compact form written out, as a hash is. */
function formatTarget(bits: number): string {
  const target = BigInt(bits & 0x7fffff) << BigInt(8 * ((bits >>> 24) - 3))
  return target.toString(16).padStart(64, '0')
}
