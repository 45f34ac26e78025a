import { toDisplayHash } from '../chain/hex.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'
import { sumFees, sumVsizes } from './block-template.ts'
import type { Accept, LocalNetwork } from './local-network.ts'
import { requireTransaction } from './local-network.ts'
import type { AcceptOptions } from './mempool.ts'
import { checkFee, relayFee } from './policy.ts'
import { formatRejection, RejectedError, type Rejection } from './rejection.ts'

interface FeesJson {
  base: number
  'effective-feerate': number
  'effective-includes': string[]
}

/** Core's answer to `submitpackage`, by wtxid. */
export interface PackageJson {
  package_msg: string
  'tx-results': Record<string, { txid: string; vsize?: number; fees?: FeesJson; error?: string }>
  'replaced-transactions': string[]
}

/** `testmempoolaccept` has no such bound. */
const MAX_BURN = 21n * 10n ** 14n

/** One element of Core's answer to `testmempoolaccept`. */
export interface TestJson {
  txid: string
  wtxid: string
  allowed: boolean
  vsize?: number
  fees?: FeesJson
  'reject-reason'?: string
  'reject-details'?: string
}

/** Core's `submitpackage`: parents before their child, all or none; the child may pay for its parents. */
export function submitPackage(
  network: LocalNetwork,
  hexes: readonly string[],
  /** Sats that an unspendable output may hold. */
  maxBurn = 0n,
): Promise<PackageJson> {
  return network.trial(async accept => {
    const records: TransactionRecord[] = []
    const results: PackageJson['tx-results'] = {}
    const replaced = new Set<string>()
    const underpaid: TransactionRecord[] = []
    let failure: Rejection | null = null
    for (const hex of hexes) {
      const options = { isFeePaidByPackage: true, maxBurn }
      const outcome = await tryTransaction(accept, hex, options)
      if ('rejection' in outcome) {
        const { txid, wtxid } = nameTransaction(hex)
        results[wtxid] = { txid, error: formatRejection(outcome.rejection) }
        failure ??= outcome.rejection
        continue
      }
      records.push(outcome.record)
      for (const { record } of outcome.removed) replaced.add(record.txid)
      if (checkFee(outcome.record)) underpaid.push(outcome.record)
    }
    const family = records.map(record => ({ record }))
    const isPaid = underpaid.length === 0 || paysForItself(family)
    for (const record of records) {
      const fee = checkFee(record)
      if (fee && !isPaid) {
        results[record.wtxid] = { txid: record.txid, error: formatRejection(fee) }
        failure ??= fee
      } else {
        const shared = underpaid.length > 0 ? records : [record]
        results[record.wtxid] = {
          txid: record.txid,
          vsize: record.vsize,
          fees: formatFees(record, shared),
        }
      }
    }
    const result: PackageJson = {
      package_msg: failure ? 'transaction failed' : 'success',
      'tx-results': results,
      'replaced-transactions': failure ? [] : [...replaced],
    }
    return { result, keep: failure === null }
  })
}

/** Core's `testmempoolaccept` against the pool of devnet, which stays as it is. `maxFeeRate` in sats per vB. */
export function testTransactions(
  network: LocalNetwork,
  hexes: readonly string[],
  maxFeeRate?: bigint,
): Promise<TestJson[]> {
  return network.trial(async accept => {
    const result: TestJson[] = []
    for (const hex of hexes) {
      const outcome = await tryTransaction(accept, hex, {
        maxBurn: MAX_BURN,
        ...(maxFeeRate === undefined ? {} : { maxFeeRate }),
      })
      if ('record' in outcome) {
        const { record } = outcome
        const { txid, wtxid, vsize } = record
        result.push({ txid, wtxid, allowed: true, vsize, fees: formatFees(record, [record]) })
      } else {
        const reason = testReason(outcome.rejection)
        result.push({
          ...nameTransaction(hex),
          allowed: false,
          'reject-reason': reason,
          'reject-details':
            reason === outcome.rejection.reason ? formatRejection(outcome.rejection) : reason,
        })
      }
    }
    return { result, keep: false }
  })
}

/** `testmempoolaccept` has words of its own for what `sendrawtransaction` refuses with an error of its own. */
function testReason({ reason }: Rejection): string {
  if (reason === 'bad-txns-inputs-missingorspent') return 'missing-inputs'
  if (reason.startsWith('Fee exceeds maximum')) return 'max-fee-exceeded'
  return reason === 'Transaction outputs already in utxo set' ? 'txn-already-known' : reason
}

async function tryTransaction(accept: Accept, hex: string, options: AcceptOptions) {
  try {
    return await accept(hex, options)
  } catch (error) {
    if (error instanceof RejectedError) return { rejection: error.rejection }
    throw error
  }
}

/** Throws RejectedError for what is no transaction. */
function nameTransaction(hex: string): { txid: string; wtxid: string } {
  const tx = requireTransaction(hex)
  return { txid: tx.getId(), wtxid: toDisplayHash(tx.getHash(true)) }
}

function paysForItself(family: readonly { record: TransactionRecord }[]): boolean {
  return sumFees(family) >= relayFee(sumVsizes(family))
}

function formatFees(record: TransactionRecord, shared: readonly TransactionRecord[]): FeesJson {
  const family = shared.map(other => ({ record: other }))
  const rate = Number(sumFees(family)) / sumVsizes(family)
  return {
    base: Number(record.fee) / 1e8,
    'effective-feerate': Math.round(rate * 1000) / 1e8,
    'effective-includes': shared.map(({ wtxid }) => wtxid),
  }
}
