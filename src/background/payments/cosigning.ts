import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { MultisigDescriptor } from '../../bitcoin/descriptors/descriptor.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import { deriveKeyExpression } from '../../bitcoin/descriptors/key-expression.ts'
import type { SpendType } from '../../bitcoin/multisig-type.ts'
import type { Payment, SignedPayment } from '../../bitcoin/payments/payment.ts'
import { addCosignatures, listSignedKeys } from '../../bitcoin/psbt/cosign.ts'
import { extractTransaction } from '../../bitcoin/psbt/extract.ts'
import { finalizePsbt } from '../../bitcoin/psbt/finalize.ts'
import { readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { encodePsbt, type Psbt, parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { ReturnedPsbtError } from '../../bitcoin/psbt/returned.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { failure, invalidParams } from '../../provider/errors.ts'
import { type PayingContext, payFromAny } from '../accounts/payment-context.ts'
import type { SentRecord } from '../activity/activity.ts'
import { decodePayment } from '../activity/stored-payment.ts'
import { type ReadMultisig, readMultisig } from '../keys/multisig-source.ts'
import { refuseReturned } from '../keys/signing-device.ts'
import { sendRecord } from '../sending/outgoing.ts'
import type { MultisigAccountView } from '../views/account-views.ts'
import type { CosigningEntry, CosigningView } from '../views/cosigning-views.ts'
import type { PaymentResult } from '../views/payment-views.ts'
import { beginCosigned } from './cosigned-psbt.ts'
import { assertNamesCurrent } from './named-recipients.ts'
import type { Plan } from './payment-plan.ts'
import {
  assertParentWaits,
  describeSigned,
  fetchParentTransactions,
  findOwnAddresses,
} from './payment-signing.ts'
import { assertPlanCurrent, assertPlanStands, assertUnclaimed } from './plan-checks.ts'
import {
  type ConfirmationParts,
  type CosignedPlan,
  explainTooMany,
  findPlan,
  findRecord,
  type Plans,
  requirePlan,
  TooManyCosignedError,
} from './plans.ts'

type CosigningContext = PayingContext<ConfirmationParts> & { account: MultisigAccountView }

/**
 * A plan on its way round the signers of the account in use: begun where it was not, with all that they need to know. Throws
 * PLAN_OUTDATED and TOO_MANY_PAYMENTS.
 */
export async function describeCosigning(
  wallet: ConfirmationParts,
  planId: string,
  digest: string,
): Promise<CosigningView> {
  const context = await payWithSigners(wallet)
  const multisig = readMultisig(context.account.descriptor, context.network)
  return view(context, multisig, await findCosigned(context, multisig, planId, digest))
}

/** Adds what came back from a signer. Throws -32602 that says what differs, PLAN_OUTDATED and TOO_MANY_PAYMENTS. */
export async function addCosignature(
  wallet: ConfirmationParts,
  planId: string,
  digest: string,
  returned: Uint8Array,
): Promise<CosigningView> {
  return addSigned(wallet, planId, digest, async () => returned)
}

/** Adds the signatures of this wallet's own keys, where it has some of the account's. Throws as {@link addCosignature} does. */
export async function signCosigning(
  wallet: ConfirmationParts,
  planId: string,
  digest: string,
): Promise<CosigningView> {
  return addSigned(wallet, planId, digest, async ({ account, network }, sent, places) => {
    const prevouts = readPrevouts(sent, new Map())
    const request = { accountId: account.id, network, psbt: sent, prevouts, places }
    return encodePsbt(await wallet.signer.cosign(request))
  })
}

async function addSigned(
  wallet: ConfirmationParts,
  planId: string,
  digest: string,
  sign: (
    context: CosigningContext,
    sent: Psbt,
    places: readonly DescriptorPlace[],
  ) => Promise<Uint8Array>,
): Promise<CosigningView> {
  return wallet.planInTurn(async () => {
    const context = await payWithSigners(wallet)
    const multisig = readMultisig(context.account.descriptor, context.network)
    const stored = await findCosigned(context, multisig, planId, digest)
    const sent = parsePsbt(fromHex(stored.cosigned.psbt))
    const isFirst = !isSigned(sent)
    if (isFirst) {
      await assertPlanCurrent(context, stored.plan)
      await assertUnclaimed(context, stored.plan)
    } else await assertPlanStands(context, stored.plan)
    const returned = await sign(context, sent, stored.cosigned.places)
    const signed = takeCosignatures(sent, returned)
    // Its change address is kept for it, so that nothing else is paid there while it goes round.
    if (isFirst) await markUsed(context, stored.plan)
    const cosigned = { ...stored.cosigned, psbt: toHex(encodePsbt(signed)), isSigned: true }
    const next = { ...stored, cosigned }
    await keep(wallet, next)
    return view(context, multisig, next)
  })
}

/**
 * Makes the transaction of the signatures, and sends it. The same plan again is the same transaction. One that the network refuses
 * is kept with its signatures.
 */
export async function sendCosigned(
  wallet: ConfirmationParts,
  planId: string,
  digest: string,
): Promise<PaymentResult> {
  const record = await wallet.planInTurn(() => settleCosigned(wallet, planId, digest))
  const result = await sendRecord(wallet, record)
  if (result.outcome === 'sent') await wallet.plans.keepCosigned(({ id }) => id !== planId)
  return result
}

/** The payments of the account in use that go round its signers, the newest first. */
export async function listCosignings(wallet: ConfirmationParts): Promise<CosigningEntry[]> {
  const network = await wallet.accounts.network()
  const account = await wallet.accounts.selected(network)
  if (account?.source !== 'multisig') return []
  const multisig = readMultisig(account.descriptor, network)
  const all = await listUnsent(wallet)
  const plans = all.filter(plan => plan.network === network && plan.accountId === account.id)
  // Of one that a backup brought nobody has kept the change address yet.
  for (const { plan, cosigned } of plans)
    if (cosigned.isSigned) await markUsed({ wallet, account, network }, plan)
  return plans.map(stored => {
    const { required, signed } = viewCosigning(multisig, stored, [])
    const { id: planId, digest, label, plan } = stored
    return { planId, digest, at: plan.at, sats: plan.review.sats, label, required, signed }
  })
}

/** Those that no record has. One that was refused may be sent again; those that arrived are forgotten. */
async function listUnsent(wallet: CosignedParts): Promise<CosignedPlan[]> {
  const unsent: CosignedPlan[] = []
  const arrived = new Set<string>()
  for (const plan of await wallet.plans.listCosigned()) {
    const record = await findRecord(wallet, plan)
    if (!record) unsent.push(plan)
    else if (record.status !== 'sending') arrived.add(plan.id)
  }
  if (arrived.size > 0) await wallet.plans.keepCosigned(({ id }) => !arrived.has(id))
  return unsent
}

export type CosignedParts = Pick<ConfirmationParts, 'activity'> & {
  plans: Pick<Plans, 'listCosigned' | 'keepCosigned'>
}

/** The coins of payments that some signer has signed and that are not on their way. */
export async function listCosignedOutpoints(wallet: CosignedParts): Promise<readonly string[]> {
  const signed = (await listUnsent(wallet)).filter(({ cosigned }) =>
    isSigned(parsePsbt(fromHex(cosigned.psbt))),
  )
  return signed.flatMap(({ plan }) => plan.spends)
}

async function settleCosigned(
  wallet: ConfirmationParts,
  planId: string,
  digest: string,
): Promise<SentRecord> {
  const stored = await findPlan(wallet, planId, digest)
  const recorded = await findRecord(wallet, stored)
  if (recorded) return recorded
  const context = await payWithSigners(wallet)
  const plan = requirePlan(stored, context)
  const { cosigned } = stored
  if (!cosigned) throw notEnough(planId)
  await assertParentWaits(context, plan.review)
  await assertPlanStands(context, plan)
  const signed = finishCosigned(parsePsbt(fromHex(cosigned.psbt)), decodePayment(plan.payment))
  if (!signed) throw notEnough(planId)
  const record = await describeSigned(context, plan, null, signed)
  const { network, label } = stored
  const { txid } = record
  const next: CosignedPlan = { ...stored, plan, cosigned, txid }
  await keep(wallet, next)
  if (label !== '') await wallet.activity.setLabel(network, txid, label)
  await wallet.activity.record(record)
  const { cosigned: _, ...settled } = stored
  await wallet.plans.put({ ...settled, txid, plan: null })
  return record
}

/** The account in use. Throws SEVERAL_SIGNERS where it is one of one signer. */
async function payWithSigners(wallet: ConfirmationParts): Promise<CosigningContext> {
  const { account, ...context } = await payFromAny(wallet)
  if (account.source === 'multisig') return { ...context, account }
  throw failure('SEVERAL_SIGNERS', 'This account has one signer.')
}

async function findCosigned(
  context: CosigningContext,
  multisig: ReadMultisig,
  planId: string,
  digest: string,
): Promise<CosignedPlan> {
  const { wallet } = context
  const stored = await findPlan(wallet, planId, digest)
  const plan = requirePlan(stored, context)
  if (stored.cosigned) return { ...stored, plan, cosigned: stored.cosigned }
  await assertParentWaits(context, plan.review)
  await assertNamesCurrent(context, plan)
  await assertPlanCurrent(context, plan)
  const payment = decodePayment(plan.payment)
  const previous = await fetchParentTransactions(context, payment)
  const own = await findOwnAddresses(context, payment)
  const { parsed: descriptor } = multisig
  const cosigned = beginCosigned({ descriptor, payment, previous, own })
  const begun = { ...stored, plan, cosigned }
  await keep(wallet, begun)
  return begun
}

function takeCosignatures(sent: Psbt, returned: Uint8Array): Psbt {
  try {
    return addCosignatures({ sent, returned, prevouts: readPrevouts(sent, new Map()) })
  } catch (cause) {
    if (!(cause instanceof ReturnedPsbtError)) throw cause
    throw refuseReturned(cause, 0)
  }
}

/** Null while signatures are missing. Throws a plain error when it is larger than was reckoned. */
function finishCosigned(psbt: Psbt, payment: Payment<SpendType>): SignedPayment | null {
  const prevouts = readPrevouts(psbt, new Map())
  const indexes = [...psbt.inputs.keys()]
  const final = finalizePsbt(psbt, prevouts, indexes)
  if (final.inputs.some(({ finalScriptWitness }) => finalScriptWitness === null)) return null
  const rawTx = extractTransaction(final)
  const { txid, vsize } = parseTransaction(rawTx)
  if (vsize > payment.vsize)
    throw new Error(`payment: signed ${vsize} vB where ${payment.vsize} vB were reckoned`)
  return { rawTx, txid, vsize }
}

async function markUsed(context: CosigningContext, { payment }: Plan): Promise<void> {
  const own = await findOwnAddresses(context, decodePayment(payment))
  await context.wallet.addresses.markUsed(context.network, context.account, own)
}

async function view(
  { wallet, account, network }: CosigningContext,
  multisig: ReadMultisig,
  stored: CosignedPlan,
): Promise<CosigningView> {
  const own = await wallet.signer.findOwnSigners({ accountId: account.id, network })
  return viewCosigning(multisig, stored, own)
}

function viewCosigning(
  { parsed, signers }: ReadMultisig,
  stored: CosignedPlan,
  own: readonly number[],
): CosigningView {
  const { id: planId, digest, plan, cosigned } = stored
  const { inputs } = parsePsbt(fromHex(cosigned.psbt))
  const signed = inputs.map(input => new Set(listSignedKeys(input).map(toHex)))
  const keys = cosigned.places.map(place => listSignerKeys(parsed, place))
  const counts = signed.map(({ size }) => size)
  return {
    ...{ planId, digest, review: plan.review, psbt: cosigned.psbt },
    required: parsed.threshold,
    signed: Math.min(parsed.threshold, ...counts),
    signers: signers.map((signer, at) => ({
      ...signer,
      isOwn: own.includes(at),
      hasSigned: signed.every((names, input) => names.has(keys[input]?.[at] ?? '')),
    })),
  }
}

/** The key of each signer at an address, in hex as its signatures name it. */
function listSignerKeys(descriptor: MultisigDescriptor, place: DescriptorPlace): string[] {
  const isTaproot = descriptor.script === 'p2tr'
  return descriptor.keys.map(key => {
    const { publicKey } = deriveKeyExpression(key, place)
    return toHex(isTaproot ? publicKey.subarray(1) : publicKey)
  })
}

function isSigned({ inputs }: Psbt): boolean {
  return inputs.some(input => listSignedKeys(input).length > 0)
}

/** Throws TOO_MANY_PAYMENTS that names one to finish or discard first; what is kept stays. */
async function keep({ plans, accounts }: ConfirmationParts, plan: CosignedPlan): Promise<void> {
  try {
    await plans.putCosigned(plan)
  } catch (cause) {
    if (!(cause instanceof TooManyCosignedError)) throw cause
    const { accountId, network } = cause.oldest
    const owner = (await accounts.list(network)).find(account => account.id === accountId)
    throw explainTooMany(cause, owner?.name ?? '')
  }
}

function notEnough(planId: string) {
  return invalidParams('planId', planId, 'a payment that enough signers have signed')
}
