import { invalidParams } from '../../provider/errors.ts'
import { parseIds } from '../../provider/inscription-params.ts'
import { MAX_PAYEE_LENGTH } from '../../provider/methods.ts'
import {
  parseFeeRateParam,
  parseIndex,
  parseMemo,
  parseSatsParam,
  parseString,
} from '../../provider/params.ts'
import { MAX_RUNE_RECIPIENTS } from '../../provider/rune-params.ts'
import { payFromAny, payFromSelected } from '../accounts/payment-context.ts'
import type { Activity } from '../activity/activity.ts'
import { parseLabel } from '../activity/labels.ts'
import type { ProofParts } from '../collectibles/inscription-proofs.ts'
import { listBumpOptions, planBump } from '../payments/bumps.ts'
import { planBurn } from '../payments/burn-plan.ts'
import { planMerge } from '../payments/merge-plan.ts'
import { type NameParts, resolveRecipients, showNames } from '../payments/named-recipients.ts'
import {
  type OrderedRecipient,
  type PaymentOrder,
  type PlanningParts,
  planPayment,
} from '../payments/payment-plan.ts'
import {
  type ConfirmationParts,
  confirmPlan,
  describeDeviceTask,
  storePlan,
} from '../payments/plans.ts'
import {
  identifyRunes,
  type NamedRuneOrder,
  planRuneTransfer,
} from '../payments/rune-transfer-plan.ts'
import type { SilentPaymentParts } from '../payments/silent-payments.ts'
import { planSplit } from '../payments/split-plan.ts'
import { planTokenTransfer } from '../payments/token-transfer-plan.ts'
import { planTransfer, proveTransfer } from '../payments/transfer-plan.ts'
import { loadFeeRates } from '../review/fee-rates.ts'
import type { PaymentDraft } from '../views/payment-views.ts'
import {
  parseAtomicalIdParam,
  parseGivenFeeRate,
  parseInscriptionIdParam,
  parseOutpointParam,
  parseRuneParam,
  parseTxid,
} from './params.ts'
import type { UiMethodsOf } from './ui-context.ts'

/** More recipients than fit into a transaction that nodes relay. */
const MAX_RECIPIENTS = 3_000

/** A name (BIP-353) is longer than any address. */
const LONGEST_NAME = 300

/** Sats that an inscription's output may be given when a coin is split. */
const MAX_SPLIT_POSTAGE = 100_000_000

export type PaymentMethodParts = PlanningParts &
  SilentPaymentParts &
  ProofParts &
  NameParts &
  ConfirmationParts & { activity: Pick<Activity, 'labelOf'> }

/**
 * Payments that the person makes in our own pages: a plan is worked out and shown, and confirming it by its digest signs and
 * sends exactly that. A plan reserves no coins and signs nothing; only `confirmPayment` does.
 */
export const paymentMethods = {
  async getFeeRates({ wallet }) {
    return loadFeeRates(wallet, await wallet.accounts.network())
  },

  async lookUpName({ wallet }, { name }) {
    const text = parseString('name', name, LONGEST_NAME)
    const network = await wallet.accounts.network()
    const found = await wallet.paymentNames.resolve(network, text)
    return { name: found.name, address: found.address }
  },

  async planPayment({ wallet, random }, draft) {
    const label = parseLabel(draft.label)
    const asked = parseDraft(draft)
    const context = await payFromAny(wallet)
    const { order, names } = await resolveRecipients(context, asked)
    const plan = showNames(await planPayment(context, order), names)
    return storePlan(context, random, plan, label)
  },

  async planTransfer({ wallet, random }, draft) {
    const ids = parseIds('ids', draft.ids)
    const to = parseString('to', draft.to, 100)
    const order = {
      moves: ids.map(id => ({ id, to, field: 'to' })),
      feeRate: parseFeeRateParam('feeRate', draft.feeRate),
      seed: JSON.stringify(ids),
      field: 'ids',
    }
    const label = parseLabel(draft.label)
    const context = await payFromAny(wallet)
    const proven = await proveTransfer(context, order)
    return storePlan(context, random, await planTransfer(context, order, proven), label)
  },

  async planTokenTransfer({ wallet, random }, draft) {
    const id = parseAtomicalIdParam(draft.id)
    const order = {
      id,
      amount: parseUnits('amount', draft.amount),
      to: parseString('to', draft.to, 100),
      feeRate: parseFeeRateParam('feeRate', draft.feeRate),
      seed: id,
      fields: { amount: 'amount', to: 'to' },
    }
    const label = parseLabel(draft.label)
    const context = await payFromSelected(wallet)
    return storePlan(context, random, await planTokenTransfer(context, order), label)
  },

  async planRuneTransfer({ wallet, random }, draft) {
    const orders = parseRuneOrders(draft.orders)
    const order = {
      orders,
      feeRate: parseFeeRateParam('feeRate', draft.feeRate),
      seed: JSON.stringify(orders.map(({ rune, amount, to }) => [rune, amount, to])),
      field: 'orders',
    }
    const label = parseLabel(draft.label)
    const context = await payFromAny(wallet)
    const runes = await identifyRunes(context, orders)
    return storePlan(context, random, await planRuneTransfer(context, order, runes), label)
  },

  async planSplit({ wallet, random }, draft) {
    const feeRate = parseGivenFeeRate(draft.feeRate)
    const outpoint = parseOutpointParam('outpoint', draft.outpoint)
    const postage = BigInt(parseIndex('postage', draft.postage, MAX_SPLIT_POSTAGE))
    const context = await payFromSelected(wallet)
    const order = { outpoint, postage, feeRate, seed: outpoint }
    return storePlan(context, random, await planSplit(context, order), '')
  },

  async planBurn({ wallet, random }, draft) {
    const feeRate = parseGivenFeeRate(draft.feeRate)
    const id = parseInscriptionIdParam(draft.id)
    const context = await payFromSelected(wallet)
    // Nothing goes there: what is to be burned is proven as what is to be moved.
    const moves = [{ id, to: context.account.address, field: 'id' }]
    const proven = await proveTransfer(context, { moves })
    return storePlan(context, random, await planBurn(context, { id, feeRate }, proven), '')
  },

  async planMerge({ wallet, random }, draft) {
    const feeRate = parseGivenFeeRate(draft.feeRate)
    const coins = parseCoins(draft.coins)
    const context = await payFromAny(wallet)
    return storePlan(context, random, await planMerge(context, { coins, feeRate }), '')
  },

  async getBumpOptions({ wallet }, { txid }) {
    return listBumpOptions(await payFromAny(wallet), parseTxid(txid))
  },

  async planBump({ wallet, random }, params) {
    const { kind } = params
    if (kind !== 'speed-up' && kind !== 'child' && kind !== 'cancel')
      throw invalidParams('kind', kind, 'speed-up, child or cancel')
    const feeRate = parseGivenFeeRate(params.feeRate)
    const context = await payFromAny(wallet)
    const txid = parseTxid(params.txid)
    const plan = await planBump(context, { txid, kind, feeRate })
    // A replacement with a higher fee is the same payment, so it keeps the person's note.
    const label = kind === 'speed-up' ? await wallet.activity.labelOf(context.network, txid) : ''
    return storePlan(context, random, plan, label)
  },

  async getDeviceTask({ wallet }, { planId, digest }) {
    const shown = parseString('digest', digest, 64)
    return describeDeviceTask(wallet, parseString('planId', planId, 64), shown)
  },

  async confirmPayment({ wallet }, { planId, digest, returned = null }) {
    const shown = parseString('digest', digest, 64)
    return confirmPlan(wallet, parseString('planId', planId, 64), shown, returned)
  },
} satisfies UiMethodsOf<PaymentMethodParts>

function parseDraft({ recipients, memo, feeRate, coins }: PaymentDraft): PaymentOrder {
  return {
    recipients: parseRecipients(recipients),
    memo: memo && {
      text: parseMemo('memo', memo.text),
      position: parseIndex('memo.position', memo.position, MAX_RECIPIENTS),
    },
    feeRate: parseFeeRateParam('feeRate', feeRate),
    coins: coins && parseCoins(coins),
    // The same draft takes the same coins, whatever its fee rate.
    seed: JSON.stringify(recipients),
  }
}

function parseRecipients(recipients: PaymentDraft['recipients']): OrderedRecipient[] {
  if (!Array.isArray(recipients) || recipients.length < 1 || recipients.length > MAX_RECIPIENTS)
    throw invalidParams('recipients', recipients, `1 to ${MAX_RECIPIENTS} recipients`)
  const parsed = recipients.map(({ to, sats }, index): OrderedRecipient => {
    const fields = { to: `recipients[${index}].to`, amount: `recipients[${index}].sats` }
    const amount = sats === 'max' ? sats : parseSatsParam(fields.amount, sats)
    return { to: parseString(fields.to, to, MAX_PAYEE_LENGTH), amount, fields }
  })
  if (parsed.filter(({ amount }) => amount === 'max').length > 1)
    throw invalidParams('recipients', recipients, 'at most one that takes the rest')
  return parsed
}

/** Outpoints, each once. */
function parseCoins(coins: readonly string[]): string[] {
  if (!Array.isArray(coins) || coins.length === 0)
    throw invalidParams('coins', coins, 'at least one coin, or nothing')
  return [...new Set(coins.map(coin => parseOutpointParam('coins', coin)))]
}

function parseRuneOrders(orders: unknown): NamedRuneOrder[] {
  if (!Array.isArray(orders) || orders.length < 1 || orders.length > MAX_RUNE_RECIPIENTS)
    throw invalidParams('orders', orders, `1 to ${MAX_RUNE_RECIPIENTS} orders`)
  return orders.map((order, index) => {
    const { rune, amount, to } = Object(order)
    const name = (field: string) => `orders[${index}].${field}`
    return {
      rune: parseRuneParam(name('rune'), rune),
      amount: parseString(name('amount'), amount, 80),
      to: parseString(name('to'), to, 100),
      fields: { rune: name('rune'), amount: name('amount'), to: name('to') },
    }
  })
}

/** Units of an ARC-20 token: a whole number above 0. */
function parseUnits(field: string, value: unknown): bigint {
  if (typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value)) return BigInt(value)
  throw invalidParams(field, value, 'units of the token as a decimal text, above 0')
}
