import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { feeRateOf } from '../../bitcoin/fee-rate.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { createOwners } from '../../bitcoin/psbt/owners.ts'
import {
  InvalidTransactionError,
  type ParsedTransaction,
  parseTransaction,
  type TransactionOutput,
} from '../../bitcoin/transaction.ts'
import type { CoinAssets } from '../../ordinals/asset.ts'
import { invalidParams, unauthorized } from '../../provider/errors.ts'
import type { Methods } from '../../provider/methods.ts'
import type { AccountContext } from '../accounts/payment-context.ts'
import type { SentRecord } from '../activity/activity.ts'
import { assetsByOutpoint, describeCarried } from '../activity/stored-assets.ts'
import type { CoinChoices, CoinDecision } from '../coins/coin-choices.ts'
import type { OwnScriptParts } from '../coins/coins.ts'
import {
  assertNothingNew,
  hasNews,
  type OwnCoin,
  type SpentAssetParts,
} from '../coins/spent-assets.ts'
import { accountChanged } from '../keys/account-errors.ts'
import type { Method } from '../requests/method.ts'
import { assertKept, describeMoves, warnOfCoins } from '../review/asset-moves.ts'
import { type FeeParts, type FeeReferences, loadFeeReferences } from '../review/fee-rates.ts'
import { warnOfFee, warnOfUnconfirmed } from '../review/payment-warnings.ts'
import {
  describeRunestone,
  identifyRunestones,
  type KnownRunes,
  warnOfRunestone,
} from '../review/runestones.ts'
import { fetchKnownTransactions } from '../sending/known-transactions.ts'
import {
  broadcastTransaction,
  finishSending,
  isSent,
  type SendingParts,
} from '../sending/outgoing.ts'
import type { PushLimit } from '../sending/push-limit.ts'
import {
  listOwnMoves,
  type ShownTransactions,
  unsignedTxidOf,
} from '../sending/shown-transactions.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { ReviewedInput } from '../views/payment-views.ts'
import type { BatchAbout, PushedTransaction } from '../views/psbt-views.ts'
import { loadOwnScripts } from './cosigner-psbts.ts'
import { type PushAssets, tracePushes } from './push-assets.ts'

/** The parts of the wallet that look at signed transactions and hand them over. */
export type PushParts = SpentAssetParts &
  FeeParts &
  SendingParts &
  OwnScriptParts & {
    coinChoices: Pick<CoinChoices, 'load'>
    settings: Pick<SettingsStore, 'load'>
    shownTransactions: Pick<ShownTransactions, 'has'>
    pushLimit: PushLimit
  }

/** `origin` is null for what the person hands over in our own pages. */
export type PushContext = AccountContext<PushParts> & { origin: string | null }

/** What a site wants broadcast, in hex, and raw transactions by txid (proven by it) that came along. */
export type SignedTransaction = { rawTx: string; previous: ReadonlyMap<string, Uint8Array> }

/** What it does, whether it may go without a question, what it spends of this wallet, and the record that it will have. */
export type Push = {
  review: PushedTransaction
  clean: boolean
  own: OwnCoin[]
  record: SentRecord
}

type Amount = Pick<TransactionOutput, 'amount'>

/** What is needed to look at transactions, gathered once for all of them. */
type PushFacts = {
  owners: ReturnType<typeof createOwners>
  fees: FeeReferences
  /** By txid. */
  outputs: ReadonlyMap<string, readonly TransactionOutput[]>
  /** By txid. */
  assets: ReadonlyMap<string, PushAssets>
  choices: ReadonlyMap<string, CoinDecision>
  runes: KnownRunes
  mayBurn: boolean
}

/**
 * An operation that broadcasts one transaction and resolves its txid. Without a question when it is clean: what it spends
 * is known, none of it is a coin of this wallet, and its fee is not high; or all of it was shown, with this fee and what
 * sits on its coins, when it was signed; or the wallet has sent it for this site already. More than 10,000 sat/vB is refused, and so is losing an asset of this wallet.
 */
export function createPush<M extends 'pushTx' | 'pushPsbt'>(
  read: (
    context: Pick<PushContext, 'wallet' | 'network'>,
    params: Methods[M]['params'],
  ) => Promise<SignedTransaction>,
): Method<M, PushParts> {
  const prepare = async (context: PushContext, signed: SignedTransaction) =>
    preparePush(context, signed, await gatherFacts(context, [signed]), null)
  return {
    access: 'connected',
    asksServers: true,
    mayNotAsk: true,
    answer: async (context, params) => {
      const { wallet, account, network, origin } = context
      if (!account) return undefined
      // Also for one that turns out to be sent already: the server is asked about it.
      wallet.pushLimit.take(origin, 1)
      const signed = await read(context, params)
      const { txid } = parseTransaction(fromHex(signed.rawTx))
      if (await isSent(wallet, { txid, network, origin, accountId: account.id })) return txid
      const { clean, own, record } = await prepare({ ...context, account }, signed)
      return clean && !(await hasNews(context, own))
        ? broadcastTransaction(wallet, record)
        : undefined
    },
    ask: async (context, params) => {
      const { wallet } = context
      const push = await context.once('push', async () =>
        prepare(context, await read(context, params)),
      )
      const { review, clean, own, record } = push
      if (!clean) await context.approve({ kind: 'push-tx', ...review })
      const approved = async () => {
        await assertNothingNew(context, own)
        return { ...record, at: wallet.now() }
      }
      return broadcastTransaction(wallet, await context.once('signed', approved))
    },
    finish: finishSending,
  }
}

/** Fetches what the transactions spend, where neither they bring it nor one of them makes it, and what sits on it. */
export async function gatherFacts(
  context: PushContext,
  signed: readonly SignedTransaction[],
): Promise<PushFacts> {
  const { wallet, network } = context
  const parsed = signed.map(({ rawTx }) => parseTransaction(fromHex(rawTx)))
  const outputs = new Map(parsed.map(transaction => [transaction.txid, transaction.outputs]))
  for (const { previous } of signed) keep(previous)
  const wanted = parsed.flatMap(({ inputs }) => inputs.map(({ txid }) => txid))
  const missing = wanted.filter(txid => !outputs.has(txid))
  keep(await fetchKnownTransactions(wallet, network, missing))
  const scripts = [...outputs.values()].flatMap(some => some.map(one => one.scriptPubKey))
  const owners = await loadOwners(context, scripts)
  const [fees, choices, { expert }, assets] = await Promise.all([
    loadFeeReferences(wallet, network),
    wallet.coinChoices.load(network),
    wallet.settings.load(),
    tracePushes(context, signed, outputs, owners),
  ])
  const runes = await identifyRunestones(
    wallet,
    network,
    // Nobody is asked about what spends no coin of this wallet.
    parsed.flatMap(({ txid, outputs }) => {
      const contents = assets.get(txid)?.contents
      return contents ? { outputs, assets: contents.flatMap(each => each.assets) } : []
    }),
  )
  return { owners, fees, outputs, assets, choices, runes, mayBurn: expert.burnAssets }

  function keep(transactions: ReadonlyMap<string, Uint8Array>): void {
    for (const [txid, raw] of transactions) {
      if (!outputs.has(txid)) outputs.set(txid, parseTransaction(raw).outputs)
    }
  }
}

/** The accounts are known only while the wallet is open; without them no coin would be ours. */
async function loadOwners(
  context: PushContext,
  scripts: readonly Uint8Array[],
): Promise<PushFacts['owners']> {
  const { wallet, network, account } = context
  const accounts = await wallet.accounts.list(network)
  if (accounts.length === 0) throw unauthorized('The wallet is locked.')
  if (!accounts.some(({ id }) => id === account.id)) throw accountChanged()
  return createOwners(await loadOwnScripts(context, scripts))
}

/** Throws PROTECTED_ASSET and ABSURD_FEE. */
export async function preparePush(
  context: PushContext,
  { rawTx }: SignedTransaction,
  facts: PushFacts,
  about: BatchAbout,
): Promise<Push> {
  const transaction = parseTransaction(fromHex(rawTx))
  const { net, ...review } = reviewPush(context, transaction, facts)
  const assets = facts.assets.get(review.txid)
  const wasShown = await isShown(context, rawTx, review)
  if (assets && !wasShown && !facts.mayBurn) {
    assertKept(`Transaction ${review.txid}`, transaction.outputs, {
      moves: [...assets.moves, ...assets.proposed].filter(({ input }) => review.inputs[input]?.own),
      amounts: review.inputs.map(({ sats }) => (sats === null ? null : BigInt(sats))),
    })
  }
  return {
    review,
    clean: wasShown || isHarmless(review),
    own: assets?.own ?? [],
    record: describePush(context, rawTx, review, net, about, assets),
  }
}

/** For a transaction that spends nothing of this wallet: the person need not know what it moves. */
const NO_ASSETS: PushAssets = {
  ...{ moves: [], proposed: [], contents: [], numbers: new Map(), own: [] },
  unconfirmed: new Set(),
}

/** With what the account that is asked gains. */
function reviewPush(
  { network, account }: PushContext,
  { txid, vsize, ...transaction }: ParsedTransaction,
  facts: PushFacts,
): Push['review'] & { net: bigint } {
  const spent = transaction.inputs.map(input => {
    const output = facts.outputs.get(input.txid)?.[input.vout] ?? null
    return { input, output, ...facts.owners.ownerOfInput(output, [], undefined) }
  })
  const inputs = spent.map(
    ({ input, output, owner }): ReviewedInput => ({
      outpoint: formatOutpoint(input),
      address: output && addressOfScript(output.scriptPubKey, network),
      sats: output && String(output.amount),
      own: owner === 'own',
    }),
  )
  const made = transaction.outputs.map(output => ({
    output,
    ...facts.owners.ownerOfOutput(output),
  }))
  const outputs = made.map(({ output: { scriptPubKey, amount }, owner }) => ({
    address: addressOfScript(scriptPubKey, network),
    script: toHex(scriptPubKey),
    sats: String(amount),
    own: owner === 'own',
  }))
  const sumOfAccount = (some: readonly { accountId: string | null; output: Amount | null }[]) =>
    some.reduce(
      (total, { accountId, output }) =>
        accountId === account.id ? total + (output?.amount ?? 0n) : total,
      0n,
    )
  const paid = sum(outputs)
  const fee = inputs.some(({ sats }) => sats === null) ? null : sum(inputs) - paid
  const { moves, contents, numbers, unconfirmed } = facts.assets.get(txid) ?? NO_ASSETS
  // What is signed by all, others cannot change.
  const runestone = describeRunestone(transaction.outputs, facts.runes, { isOpen: false })
  return {
    net: sumOfAccount(made) - sumOfAccount(spent),
    txid,
    netCost: String(sum(inputs.filter(({ own }) => own)) - sum(outputs.filter(({ own }) => own))),
    fee: fee === null ? null : String(fee),
    feeRate: fee === null ? null : feeRateOf(fee, vsize),
    recentFeeRate: facts.fees.recent,
    vsize,
    inputs,
    outputs,
    assets: describeMoves(moves, { inputs, outputs, numbers }),
    runestone,
    warnings: [
      ...warnOfRunestone(runestone),
      ...warnOfCoins(inputs, contents, facts.choices),
      ...warnOfUnconfirmed(inputs.map(({ outpoint }) => unconfirmed.has(outpoint))),
      ...(fee === null ? [] : warnOfFee({ fee, vsize, amount: paid, fees: facts.fees })),
    ],
  }
}

/** Whether it was shown when it was signed, with the fee and the assets that it has now. */
async function isShown(
  { wallet, network, account }: PushContext,
  rawTx: string,
  { fee, assets }: Push['review'],
): Promise<boolean> {
  if (fee === null) return false
  const unsignedTxid = unsignedTxidOf(fromHex(rawTx))
  const moves = listOwnMoves(assets)
  return wallet.shownTransactions.has({ unsignedTxid, network, accountId: account.id, fee, moves })
}

function isHarmless({ fee, inputs, warnings }: Push['review']): boolean {
  const isHigh = warnings.some(({ kind }) => kind === 'high-fee')
  return fee !== null && !isHigh && !inputs.some(({ own }) => own)
}

function describePush(
  { wallet, network, account, origin }: PushContext,
  rawTx: string,
  { txid, fee, inputs, outputs }: Push['review'],
  net: bigint,
  about: BatchAbout,
  assets: PushAssets | undefined,
): SentRecord {
  const carried = assets ? describeCarried(listHeld(assets), assets.moves) : null
  const spends = inputs.filter(({ own }) => own).map(({ outpoint }) => outpoint)
  return {
    txid,
    network,
    accountId: account.id,
    kind: 'pushed',
    net: fee === null || spends.length === 0 ? null : String(net),
    counterparty: outputs.find(({ own, address }) => !own && address !== null)?.address ?? null,
    fee,
    origin,
    at: wallet.now(),
    status: 'sending',
    height: null,
    replacedBy: null,
    about,
    rawTx,
    spends,
    creates: [],
    ...(carried && { carries: assetsByOutpoint(txid, carried) }),
    payment: null,
    replaces: null,
  }
}

function listHeld({ contents }: PushAssets): CoinAssets[] {
  return contents.map(({ assets, unknown }) =>
    unknown === null ? { known: true, assets } : { known: false, why: unknown },
  )
}

/** Throws -32602 that names the field. */
export function parseRawTransaction(field: string, rawTx: string): SignedTransaction {
  try {
    parseTransaction(fromHex(rawTx))
    return { rawTx, previous: new Map() }
  } catch (cause) {
    if (!(cause instanceof InvalidTransactionError)) throw cause
    throw Object.assign(invalidParams(field, rawTx, 'a signed transaction in hex'), { cause })
  }
}

function sum(parts: readonly { sats: string | null }[]): bigint {
  return parts.reduce((total, { sats }) => total + BigInt(sats ?? 0), 0n)
}
