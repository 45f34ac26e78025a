import { toHex } from '../../bitcoin/bytes.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import type { SpendType } from '../../bitcoin/multisig-type.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Payment } from '../../bitcoin/payments/payment.ts'
import { parseTransaction, type TransactionOutput } from '../../bitcoin/transaction.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { type ChainSource, TransactionNotFoundError } from '../../chain/chain-source.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import type { SentRecord } from '../activity/activity.ts'
import { isLive } from '../activity/sent-status.ts'
import { decodePayment } from '../activity/stored-payment.ts'
import {
  type CoinParts,
  type Coins,
  createIsOnOrdinals,
  loadCoinRules,
  loadCoins,
  reasonToHold,
} from '../coins/coins.ts'
import type { BatchAbout } from '../views/psbt-views.ts'

/** A transaction that is to be replaced or lifted, and what it can be done with. */
export type BumpSubject = {
  txid: string
  state: 'waiting' | 'CONFIRMED' | 'ENDED'
  /** What it pays the miner now, and its size. */
  paid: { fee: bigint; vsize: number }
  /** Null unless this wallet made it. */
  sent: Payment<SpendType> | null
  /** What its entry in the activity says that it is. */
  about: BatchAbout
  /** Its outputs to the account. */
  ownOutputs: readonly Utxo[]
  /** Whether a payment under way spends one of them. */
  hasChildren: boolean
  /** Those that no payment spends, and that payments may spend. */
  freeOutputs: readonly Utxo[]
  /** The others that no payment spends and the person has not locked: they may carry anything, and can be spent whole. */
  laden: readonly Utxo[]
  coins: Coins
}

/** Throws BackendUnavailableError. */
export async function loadBumpSubject(
  context: PayingContext<CoinParts>,
  txid: string,
): Promise<BumpSubject> {
  const { wallet, account, network } = context
  const chain = await wallet.chain(network)
  const [coins, height, records, choices, rules] = await Promise.all([
    loadCoins(wallet, account, network),
    chain.fetchTransactionHeight(txid),
    wallet.activity.listSent(network, account.id),
    wallet.coinChoices.load(network),
    loadCoinRules(wallet, network),
  ])
  const record = records.find(one => one.txid === txid)
  const others = records.filter(one => isLive(one) && one.txid !== txid)
  const taken: ReadonlySet<string> = new Set([
    ...others.flatMap(({ spends }) => spends),
    ...(await wallet.listReserved()),
  ])
  const told = await describeTransaction(chain, txid, record)
  const scripts = told.outputs.map(({ scriptPubKey }) => scriptPubKey)
  const addresses = await wallet.addresses.find(network, account, scripts)
  const own = new Set(addresses.map(({ scriptPubKey }) => toHex(scriptPubKey)))
  const ownOutputs = told.outputs.flatMap((output, vout) =>
    own.has(toHex(output.scriptPubKey)) ? [{ txid, vout, ...output, height: null }] : [],
  )
  const contents = await wallet.coinAssets.classify(wallet, network, account.id, ownOutputs)
  const isOnOrdinals = createIsOnOrdinals(account)
  const unspent = ownOutputs.filter(output => !taken.has(formatOutpoint(output)))
  const freeOutputs = unspent.filter(output => {
    const outpoint = formatOutpoint(output)
    const assets = contents.get(outpoint)
    const isChange = record?.creates.includes(outpoint) ?? false
    const decision = choices.get(outpoint)
    const terms = {
      decision,
      rules,
      isChange,
      isOnOrdinals: isOnOrdinals(output.scriptPubKey),
      isDust: false,
    }
    return assets && reasonToHold({ ...output, assets }, terms) === null
  })
  return {
    txid,
    state: stateOf(record, others, height),
    paid: told.paid,
    sent: told.sent,
    about: record?.about ?? null,
    ownOutputs,
    hasChildren: ownOutputs.some(output => taken.has(formatOutpoint(output))),
    freeOutputs,
    laden: unspent.filter(
      output =>
        !freeOutputs.includes(output) &&
        output.amount >= dustLimit(output.scriptPubKey) &&
        choices.get(formatOutpoint(output))?.choice !== 'locked',
    ),
    coins,
  }
}

function stateOf(
  record: SentRecord | undefined,
  others: readonly SentRecord[],
  height: number | null | undefined,
): BumpSubject['state'] {
  if (typeof height === 'number' || record?.status === 'confirmed') return 'CONFIRMED'
  if (!record) return height === null ? 'waiting' : 'ENDED'
  // Another record spends the same coins. Until the activity knows which of the two arrived, neither can be replaced.
  const isContested = others.some(({ spends }) => spends.some(one => record.spends.includes(one)))
  // The network does not have a withheld transaction, so there is nothing to replace; mints are a chain, and changed as one.
  const isSent = isLive(record) && record.status !== 'unsent' && record.kind !== 'mint'
  return isSent && !isContested ? 'waiting' : 'ENDED'
}

type Told = {
  paid: BumpSubject['paid']
  outputs: TransactionOutput[]
  sent: Payment<SpendType> | null
}

/** From our own record where we made it; else outputs and size from its bytes, and the fee by the server's word. */
async function describeTransaction(
  chain: ChainSource,
  txid: string,
  record: SentRecord | undefined,
): Promise<Told> {
  if (record?.payment) {
    const sent = decodePayment(record.payment)
    return { paid: sent, outputs: sent.outputs, sent }
  }
  try {
    const { fee } = await chain.fetchTransactionRecord(txid)
    const { vsize, outputs } = parseTransaction(await chain.fetchTransaction(txid))
    return { paid: { fee, vsize }, outputs, sent: null }
  } catch (error) {
    if (!(error instanceof TransactionNotFoundError)) throw error
    return { paid: { fee: 0n, vsize: 0 }, outputs: [], sent: null }
  }
}
