import { toHex } from '../../bitcoin/bytes.ts'
import { finalizePsbt } from '../../bitcoin/psbt/finalize.ts'
import { splitPlan } from '../../bitcoin/psbt/plan.ts'
import { encodePsbt, type Psbt, unsignedTransaction } from '../../bitcoin/psbt/psbt.ts'
import {
  createSignatureChecks,
  type SignatureChecks,
} from '../../bitcoin/signing/signature-checks.ts'
import { failure } from '../../provider/errors.ts'
import type { PayingContext, PaymentContext } from '../accounts/payment-context.ts'
import { assertNothingNew } from '../coins/spent-assets.ts'
import type { PlannedPsbt, Signer } from '../keys/signer.ts'
import { approveBeforeSigning, type RequestContext } from '../requests/method.ts'
import type { StoredRequest } from '../requests/requests.ts'
import type { SendingParts } from '../sending/outgoing.ts'
import {
  listOwnMoves,
  type ShownTransaction,
  type ShownTransactions,
} from '../sending/shown-transactions.ts'
import type { DeviceAccountView } from '../views/account-views.ts'
import type { PsbtView } from '../views/psbt-views.ts'
import { signAsCosigner } from './cosigner-psbts.ts'
import { type DeviceItem, signPsbtsOnDevice } from './device-psbts.ts'
import { listOpenSignatures } from './open-signatures.ts'
import { assertAsShown, assertOnlySigned } from './psbt-comparison.ts'
import {
  createReviewer,
  decodePrevouts,
  listSigningKeys,
  type Prepared,
  type PsbtParts,
  planPsbts,
  preparePsbts,
} from './psbt-request.ts'
import { type PsbtOrder, type PsbtTask, parseTasks } from './psbt-tasks.ts'
import type { PushParts } from './push.ts'
import { approveAt, prepareBatch, type SignedBatch, sendSteps } from './send-batch.ts'

/** The parts of the wallet that sign PSBTs for a site. */
export type PsbtSigningParts = PsbtParts &
  PushParts & {
    signer: Pick<Signer, 'signPsbts' | 'findOwnSigners' | 'cosign'>
    shownTransactions: Pick<ShownTransactions, 'add' | 'has'>
  }

/**
 * Signs PSBTs for a site with the person's approval, all or none, and resolves them in hex. What is signed follows from the
 * stored parameters and from what had been found out when the person was asked; only what sits on own coins is looked up
 * again. Those with `broadcast` are sent, too. Throws PLAN_OUTDATED when something turns up there, and when signatures that were given meanwhile make the worst
 * case another one.
 */
export async function signPsbtsForSite(
  context: RequestContext<PsbtSigningParts>,
  orders: readonly PsbtOrder[],
): Promise<string[]> {
  const { wallet, account } = context
  const tasks = parseTasks(account, orders)
  const broadcast = tasks.some(task => task.broadcast)
  const prepared = await context.once('review', async () => {
    if (broadcast) wallet.pushLimit.take(context.origin, tasks.length)
    return preparePsbts(context, tasks)
  })
  const { review } = prepared
  // The answer goes into the journal: the question about sending that may follow replaces it in the record.
  if (broadcast) await context.once('approved', () => context.approve(review))
  else await approveBeforeSigning(context, review)
  const results = await signPrepared(context, tasks, prepared, (account, items) =>
    signPsbtsOnDevice(context, account, items),
  )
  if (!broadcast) return results
  const { steps } = await approveSending(context, results)
  return sendSigned(wallet, await context.once('signed', async () => ({ results, steps })))
}

/**
 * Signs PSBTs as they were shown, all or none, and resolves them in hex. Throws PLAN_OUTDATED when something turns up on own
 * coins, and when signatures that were given meanwhile make the worst case another one. `signOnDevice`
 * is asked where the account's key is on a device.
 */
export async function signPrepared(
  context: PayingContext<PsbtSigningParts>,
  tasks: readonly PsbtTask[],
  prepared: Prepared,
  signOnDevice: (account: DeviceAccountView, items: readonly DeviceItem[]) => Promise<Psbt[]>,
): Promise<string[]> {
  const { wallet, account, network } = context
  const { review } = prepared
  const broadcast = tasks.some(task => task.broadcast)
  await assertNothingNew(context, prepared.own)
  const prevouts = prepared.prevouts.map(decodePrevouts)
  const plans = await planPsbts(context, tasks, prevouts)
  const shown = review.kind === 'sign-psbt' ? review.items : []
  const items = tasks.map(({ psbt, autoFinalized }, at) => {
    const plan = plans[at] ?? []
    const view = shown[at] ?? null
    if (view) assertAsShown(psbt, plan, view)
    return { psbt, autoFinalized, plan, prevouts: prevouts[at] ?? [], view }
  })
  const given = shown.flatMap(listOpenSignatures)
  if (given.length > 0) {
    const review = await createReviewer(context, tasks, prevouts, plans)
    const isAllowed = await wallet.openSignatures.add(network, account.id, given, before =>
      review(before).every(({ worst }, at) => worst >= BigInt(shown[at]?.worst ?? worst)),
    )
    if (!isAllowed) throw outdated()
  }
  const checks = createSignatureChecks()
  const signed = await signItems(context, items, checks, signOnDevice)
  const results = items.map(({ psbt, plan, prevouts, autoFinalized, view }, at) => {
    const result = signed[at]
    if (!result) throw new Error('psbt: the signer left one out')
    assertOnlySigned(psbt, result, plan)
    const ours = view ? listSigned(view) : plan.map(({ index }) => index)
    const finalized = broadcast ? [...psbt.inputs.keys()] : ours
    const complete = autoFinalized ? finalizePsbt(result, prevouts, finalized, checks) : result
    return toHex(encodePsbt(complete))
  })
  await wallet.shownTransactions.add(
    items.flatMap(({ psbt, view }): ShownTransaction[] =>
      view && isBound(view)
        ? [
            {
              unsignedTxid: unsignedTransaction(psbt).getId(),
              network,
              accountId: account.id,
              fee: view.fee?.sats ?? null,
              moves: listOwnMoves(view.assets),
            },
          ]
        : [],
    ),
  )
  return results
}

async function signItems(
  { account, ...context }: PayingContext<PsbtSigningParts>,
  items: readonly DeviceItem[],
  checks: SignatureChecks,
  signOnDevice: (account: DeviceAccountView, items: readonly DeviceItem[]) => Promise<Psbt[]>,
): Promise<Psbt[]> {
  const { wallet, network } = context
  if (account.source === 'device') return signOnDevice(account, items)
  if (account.source === 'multisig')
    return Promise.all(
      items.map(({ psbt, prevouts }) => signAsCosigner(context, account, psbt, prevouts)),
    )
  const own = { ...context, account }
  const planned = await Promise.all(items.map(item => splitByKey(own, item)))
  return wallet.signer.signPsbts({ accountId: account.id, network, items: planned, checks })
}

/** What each of the account's keys signs of a PSBT. */
async function splitByKey(
  context: PaymentContext<PsbtSigningParts>,
  { psbt, prevouts, plan }: DeviceItem,
): Promise<PlannedPsbt> {
  const spent = plan.map(({ index }) => prevouts[index] ?? null)
  const keys = await listSigningKeys(context, spent)
  const parts = splitPlan(
    plan,
    prevouts,
    keys.map(({ key }) => key),
  )
  const plans = keys.map(({ place }, at) => ({ place, plan: parts[at] ?? [] }))
  return { psbt, prevouts, plans: plans.filter(({ plan }) => plan.length > 0) }
}

/** Signed PSBTs (hex) on their way, and the steps of sending them. */
type SignedPsbts = { results: string[]; steps: SignedBatch['steps'] }

/** Asks again only about transactions that differ from what was shown when they were signed. */
async function approveSending(
  context: RequestContext<PsbtSigningParts>,
  psbts: readonly string[],
): Promise<SignedBatch> {
  const items = psbts.map((psbt, at) => ({
    ...{ itemId: String(at), signedTx: { psbt }, type: 0, dependItemId: [], inscription: null },
  }))
  const { review, batch, own } = await context.once('batch', () => prepareBatch(context, items))
  if (review.items.some(({ clean }) => !clean)) await context.approve(review)
  await assertNothingNew(context, own)
  return approveAt(context.wallet.now(), batch)
}

/** Broadcasts each transaction whose parents were accepted; throws the first failure. May be called again. */
async function sendSigned(
  wallet: SendingParts,
  { results, steps }: SignedPsbts,
): Promise<string[]> {
  const { failures } = await sendSteps(wallet, steps)
  if (failures.length > 0) throw failures[0]
  return results
}

/** The end of a request whose PSBTs are signed to be sent: nothing could undo that. */
export function finishPsbts(
  wallet: SendingParts,
  { signed }: StoredRequest['journal'],
): Promise<string[]> | null {
  return signed ? sendSigned(wallet, signed as SignedPsbts) : null
}

function outdated() {
  return failure(
    'PLAN_OUTDATED',
    'Another signature that was given meanwhile makes this one worse than it was shown. Nothing was signed; ask again.',
  )
}

/** Inputs with a signature of ours, given now or before. */
function listSigned({ inputs }: PsbtView): number[] {
  return inputs.flatMap(({ sighash, state }, index) =>
    sighash !== null && state !== 'final' ? index : [],
  )
}

/** Whether none of our signatures leaves anything to others. */
function isBound({ inputs }: PsbtView): boolean {
  return inputs.every(({ sighash }) => sighash === null || sighash === 'all')
}
