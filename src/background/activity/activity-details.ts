import { addressOfScript, parseAddress } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { feeRateOf } from '../../bitcoin/fee-rate.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import type { HistoryTransaction } from '../../chain/chain-source.ts'
import { fetchCountedHeight } from '../../chain/confirmation-limit.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { Clock } from '../primitives/clock.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import { explorerUrlOf, type Servers } from '../settings/servers.ts'
import type { AccountView } from '../views/account-views.ts'
import type { ActivityDetails } from '../views/activity-views.ts'
import { listKnown, toEntry, txidOf } from './activity-entries.ts'
import { type ActivityParts, loadActivity } from './activity-page.ts'
import { describeTransaction } from './history-rows.ts'
import type { SentRecord } from './sent-records.ts'

/** What a transaction is made of; a server may have left out or invented parts of it. */
type Parts = Pick<HistoryTransaction, 'inputs' | 'outputs' | 'vsize'> & { fee: bigint | null }

/**
 * One transaction of an account in full, from the server, or as far as it is stored. Throws -32602 for one that is none of
 * the account's.
 */
export async function fetchActivityDetails(
  wallet: ActivityParts & Clock & { servers: Pick<Servers, 'urls'> },
  network: Network,
  account: AccountView,
  txid: string,
): Promise<ActivityDetails> {
  const source = await loadActivity(wallet, network, account)
  const chain = await wallet.chain(network)
  const [told, tip] = await Promise.all([
    nullIfUnanswered(chain.fetchTransactionRecord(txid)),
    nullIfUnanswered(fetchCountedHeight(chain)),
  ])
  const addresses = await wallet.addresses.find(network, account, told ? listScripts(told) : [])
  const own = new Set(addresses.map(({ scriptPubKey }) => toHex(scriptPubKey)))
  const stored = listKnown(source, true).find(known => txidOf(known) === txid)
  const isOurs = told !== null && listScripts(told).some(script => own.has(toHex(script)))
  const row = isOurs ? describeTransaction(told, own, network, wallet.now()) : undefined
  const known = stored ?? (row && { record: undefined, row })
  if (!known) throw invalidParams('txid', txid, 'a transaction of this account')
  const entry = toEntry(source, known)
  const accounts = await wallet.accounts.list(network)
  const scripts = new Set([
    ...own,
    ...accounts.map(({ address }) => toHex(parseAddress(address, network).scriptPubKey)),
  ])
  const parts = told ?? (known.record ? readRecord(known.record) : null)
  const fee = parts?.fee ?? (entry.fee === null ? null : BigInt(entry.fee))
  const height = entry.height
  return {
    entry,
    inputs: (parts?.inputs ?? []).map(({ txid, vout, scriptPubKey, amount }) => ({
      outpoint: formatOutpoint({ txid, vout }),
      address: scriptPubKey && addressOfScript(scriptPubKey, network),
      sats: amount === null ? null : String(amount),
      own: scriptPubKey !== null && scripts.has(toHex(scriptPubKey)),
    })),
    outputs: (parts?.outputs ?? []).map(({ scriptPubKey, amount }) => ({
      address: addressOfScript(scriptPubKey, network),
      script: toHex(scriptPubKey),
      sats: String(amount),
      own: scripts.has(toHex(scriptPubKey)),
    })),
    vsize: parts?.vsize ?? null,
    feeRate: parts && fee !== null ? feeRateOf(fee, parts.vsize) : null,
    confirmations: height === null ? 0 : Math.max(1, (tip ?? height) - height + 1),
    explorerUrl: explorerUrlOf((await wallet.servers.urls(network)).chain, network, txid),
  }
}

/** Scripts of all that a transaction spends and creates. */
function listScripts({ inputs, outputs }: HistoryTransaction): Uint8Array[] {
  return [...inputs, ...outputs].flatMap(({ scriptPubKey }) => scriptPubKey ?? [])
}

/** From the bytes that are kept, with the coins of the payment where they are; null when the bytes are gone. */
function readRecord({ rawTx, payment, fee }: SentRecord): Parts | null {
  if (rawTx === '') return null
  const { inputs, outputs, vsize } = parseTransaction(fromHex(rawTx))
  const coins = new Map(payment?.inputs.map(coin => [formatOutpoint(coin), coin]))
  return {
    vsize,
    outputs,
    fee: fee === null ? null : BigInt(fee),
    inputs: inputs.map(({ txid, vout }) => {
      const coin = coins.get(formatOutpoint({ txid, vout }))
      const known = coin && { scriptPubKey: fromHex(coin.script), amount: BigInt(coin.sats) }
      return { txid, vout, ...(known ?? { scriptPubKey: null, amount: null }) }
    }),
  }
}
