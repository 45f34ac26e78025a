import type { SpendType } from '../../bitcoin/multisig-type.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Payment } from '../../bitcoin/payments/payment.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { failure, type ProviderError } from '../../provider/errors.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import type { SentRecord } from '../activity/activity.ts'
import { isLive } from '../activity/sent-status.ts'
import { decodePayment } from '../activity/stored-payment.ts'
import { type CoinParts, listYielding } from '../coins/coins.ts'
import { type EndedPayment, listEndedPayments } from '../coins/ended-payments.ts'
import type { PaymentReview } from '../views/payment-views.ts'
import type { Plan } from './payment-plan.ts'

/** What was worked out cannot be signed any more; it has to be worked out anew. */
export function planOutdated(why: string): ProviderError {
  return failure('PLAN_OUTDATED', `${why} Nothing was signed; work the payment out again.`)
}

/** Txid of the transaction that a payment takes the place of; null for one that adds to others. */
export function replacedBy({ purpose, previous }: PaymentReview): string | null {
  return purpose === 'speed-up' || purpose === 'cancel' ? (previous?.txid ?? null) : null
}

/** What is about to be signed, as far as others can be in its way. */
export type PlannedSpend = {
  /** Coins of the account that pay, as they are to be signed, and what was shown of them: `<input> <asset>`, and doubts by input. */
  coins: readonly Utxo[]
  shown: ReadonlySet<string>
  doubted: readonly number[]
  /** All outpoints of the account that it spends. */
  spends: readonly string[]
  /** When it was worked out. */
  at: number
  /** Txids that it takes the place of. */
  replaces: readonly string[]
}

/** Throws PLAN_OUTDATED when what happened to the account's payments and coins since forbids to sign this plan. */
export async function assertPlanCurrent(
  context: PayingContext<CoinParts>,
  plan: Plan,
): Promise<void> {
  await assertPlanStands(context, plan)
  // What takes the place of a payment returns its change to where that did.
  if (replacedBy(plan.review) === null)
    await assertChangeFree(context, listChange(decodePayment(plan.payment)))
}

/** The scriptPubKey of the output that comes back, if any. */
export function listChange({
  outputs,
  changeIndex,
}: Pick<Payment<SpendType>, 'outputs' | 'changeIndex'>): Uint8Array[] {
  const change = changeIndex === null ? undefined : outputs[changeIndex]
  return change ? [change.scriptPubKey] : []
}

/** The same where the change address is the plan's already. */
export async function assertPlanStands(
  context: PayingContext<CoinParts>,
  plan: Plan,
): Promise<void> {
  const { wallet, account, network } = context
  const { assets, warnings, previous: of } = plan.review
  const replaced = replacedBy(plan.review)
  await assertSpendCurrent(context, {
    coins: decodePayment(plan.payment).inputs,
    shown: new Set(assets.map(({ input, asset }) => `${input} ${keyOfAsset(asset)}`)),
    doubted: warnings.flatMap(warning =>
      warning.kind === 'unchecked-coins' && warning.why === 'contradicted' ? warning.inputs : [],
    ),
    spends: plan.spends,
    at: plan.at,
    replaces: replaced === null ? [] : [replaced],
  })
  const records = await wallet.activity.listSent(network, account.id)
  const previous = records.find(({ txid }) => txid === of?.txid)
  if (previous && !isWaiting(previous))
    throw planOutdated('The transaction no longer waits for a block.')
}

/** Throws PLAN_OUTDATED where change would go to an address that another payment has used meanwhile. */
export async function assertChangeFree(
  { wallet, account, network, key = null }: PayingContext<CoinParts>,
  scripts: readonly Uint8Array[],
): Promise<void> {
  for (const script of scripts)
    if (!(await wallet.addresses.isFreeForChange(network, account, script, key)))
      throw planOutdated('Another payment has the change address of this one.')
}

/** Throws PLAN_OUTDATED when coins were taken, locked or came to nothing meanwhile, or something else may sit on them. */
export async function assertSpendCurrent(
  context: PayingContext<CoinParts>,
  spend: PlannedSpend,
): Promise<void> {
  const { wallet, account, network } = context
  await assertContents(context, spend)
  const records = await wallet.activity.listSent(network, account.id)
  const choices = await wallet.coinChoices.load(network)
  const spends = new Set(spend.spends)
  const replaces = new Set(spend.replaces)
  const touches = (outpoints: readonly string[]) => outpoints.some(one => spends.has(one))
  const others = records.filter(record => isLive(record) && !replaces.has(record.txid))
  const taken = new Set(others.flatMap(record => record.spends))
  if (spend.spends.some(outpoint => taken.has(outpoint)))
    throw planOutdated('Another payment spends a coin of this one.')
  const yielding = listYielding(records)
  const isEnding = (record: SentRecord) => !isLive(record) || yielding.has(record.txid)
  if (records.some(record => isEnding(record) && touches(record.creates)))
    throw planOutdated('A coin of this payment does not come to be.')
  if (spend.spends.some(outpoint => choices.get(outpoint)?.choice === 'locked'))
    throw planOutdated('A coin of this payment was locked.')
  // If the server lied about a payment that was refused or replaced meanwhile, it could publish that one and this one.
  const isApart = ({ record: { at, endedAt = at, spends: ended }, opposedBy }: EndedPayment) =>
    endedAt > spend.at && !touches(ended) && opposedBy.length > 0 && !touches(opposedBy)
  if (listEndedPayments(records).some(isApart))
    throw planOutdated('Another payment was refused or replaced meanwhile.')
  const ends = records.filter(record => replaces.has(record.txid) && isLive(record))
  if (ends.some(({ creates }) => creates.some(outpoint => taken.has(outpoint))))
    throw planOutdated('A later payment spends the change of this one.')
}

/**
 * Asks once more what sits on the inputs, past the cache. An asset that was not shown ends the plan. A server that does not
 * answer ends nothing: each coin was known when it was chosen.
 */
async function assertContents(
  { wallet, account, network }: PayingContext<CoinParts>,
  { coins, shown, doubted }: PlannedSpend,
): Promise<void> {
  const contents = await wallet.coinAssets.recheck(wallet, network, account.id, coins)
  for (const [input, coin] of coins.entries()) {
    const now = contents.get(formatOutpoint(coin))
    const isNews = now?.known
      ? now.assets.some(asset => !shown.has(`${input} ${keyOfAsset(asset)}`))
      : now?.why === 'contradicted' && !doubted.includes(input)
    if (isNews)
      throw planOutdated('Something else may sit on a coin of this payment than was shown.')
  }
}

/** Throws PLAN_OUTDATED when a request of a site has chosen a coin of this plan, which reserved nothing, meanwhile. */
export async function assertUnclaimed(
  { wallet, account, network }: PayingContext<CoinParts>,
  plan: Plan,
): Promise<void> {
  const planned = await wallet.listReserved()
  const replaced = replacedBy(plan.review)
  const previous =
    replaced === null ? undefined : await findSent({ wallet, account, network }, replaced)
  if ([...plan.spends, ...(previous?.creates ?? [])].some(outpoint => planned.has(outpoint)))
    throw planOutdated('A site’s request has a coin of this payment.')
}

/** Whether the network may still take a transaction into a block, and no block has it. */
export function isWaiting({ status }: SentRecord): boolean {
  return status === 'sending' || status === 'pending' || status === 'reorganised'
}

async function findSent(
  { wallet, account, network }: PayingContext<CoinParts>,
  txid: string,
): Promise<SentRecord | undefined> {
  return (await wallet.activity.listSent(network, account.id)).find(record => record.txid === txid)
}
