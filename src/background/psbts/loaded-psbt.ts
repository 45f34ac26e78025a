import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { combinePsbts } from '../../bitcoin/psbt/combine.ts'
import { finalizePsbt, finalizePsbtInSteps } from '../../bitcoin/psbt/finalize.ts'
import { listUnproven, readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { encodePsbt, type Psbt, parsePsbt, unsignedTransaction } from '../../bitcoin/psbt/psbt.ts'
import { isFinal } from '../../bitcoin/psbt/signatures.ts'
import { failure, invalidParams, type ProviderError, unauthorized } from '../../provider/errors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import {
  type AccountContext,
  type PayingContext,
  payFromAny,
  payFromSelected,
} from '../accounts/payment-context.ts'
import { assertNothingNew } from '../coins/spent-assets.ts'
import type { SigningDevice } from '../keys/signing-device.ts'
import { digestOf } from '../primitives/digest.ts'
import { runInTurns } from '../primitives/turns.ts'
import { fetchKnownTransactions } from '../sending/known-transactions.ts'
import { sendRecord } from '../sending/outgoing.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'
import type { PaymentResult } from '../views/payment-views.ts'
import type { LoadedPsbtPush, LoadedPsbtReview, LoadedPsbtView } from '../views/psbt-views.ts'
import { completePsbt, parseCompletePsbt } from './complete-psbt.ts'
import { viewCosigners } from './cosigner-psbts.ts'
import { describeItemForDevice, signItemOnDevice } from './device-psbts.ts'
import type { LoadedPsbt, StoredPsbt } from './loaded-psbt-store.ts'
import { decodePrevouts, type Prepared, planPsbts, preparePsbts } from './psbt-request.ts'
import { type PsbtSigningParts, signPrepared } from './psbt-signing.ts'
import { parseTask } from './psbt-tasks.ts'
import { gatherFacts, preparePush } from './push.ts'

/** The parts of the wallet that work on a PSBT which the person brings. */
export type LoadedPsbtParts = PsbtSigningParts & {
  accounts: Pick<Accounts, 'network' | 'selected' | 'list'>
  loadedPsbt: LoadedPsbt
}

/** Takes a PSBT (hex) instead of the one before. Throws -32602 that names the place in it, and TOO_LARGE. */
export async function loadPsbt(
  wallet: LoadedPsbtParts,
  id: string,
  psbt: string,
): Promise<LoadedPsbtView> {
  await contextOf(wallet)
  parseTask('psbt', psbt)
  const stored = { id, psbt, shown: null, signedAs: null, push: null }
  await wallet.loadedPsbt.inTurn(() => wallet.loadedPsbt.put(stored))
  return viewLoaded(stored)
}

export async function findLoadedPsbt(wallet: LoadedPsbtParts): Promise<LoadedPsbtView | null> {
  await contextOf(wallet)
  const stored = await wallet.loadedPsbt.find()
  return stored && viewLoaded(stored)
}

/** Finds out for the account in use what signing does, as for a site's request. Nothing is signed. */
export async function reviewLoadedPsbt(
  wallet: LoadedPsbtParts,
  id: string,
): Promise<LoadedPsbtReview> {
  const context = await contextOf(wallet)
  const stored = await needLoaded(wallet, id)
  const task = parseTask('psbt', stored.psbt)
  const prepared = await preparePsbts(context, [task])
  const { review } = prepared
  if (review.kind !== 'sign-psbt') {
    throw failure(
      'MESSAGE_IN_PSBT',
      'psbt: signing it would sign a message; a message is signed for the site that asks for it.',
    )
  }
  const place = { network: context.network, accountId: context.account.id }
  const digest = digestOf({ id, psbt: stored.psbt, ...place, prepared })
  await replaceLoaded(wallet, stored, { shown: { ...place, prepared, digest } })
  const inputs = review.items.flatMap(item => item.inputs)
  const { account } = context
  const prevouts = prepared.prevouts.map(decodePrevouts)[0] ?? []
  const isShared = account.source === 'multisig'
  return {
    cosigners: isShared ? await viewCosigners(context, account, task.psbt, prevouts) : null,
    id,
    digest,
    review,
    toSign: inputs.filter(({ state }) => state === 'to-sign').length,
    given: inputs.filter(({ state, sighash }) => state !== 'to-sign' && sighash !== null).length,
    ready: canFinalize(task.psbt, prepared),
  }
}

/** What the device that has the account's key is to sign of it as it was shown. Throws PLAN_OUTDATED, and -32602 where the wallet has the key. */
export async function describeLoadedTask(
  wallet: LoadedPsbtParts,
  id: string,
  digest: string,
): Promise<SignOnDeviceReview> {
  const context = await payFromSelected(wallet)
  const { account } = context
  const stored = await needLoaded(wallet, id)
  const prepared = requireShown(stored, context, digest)
  if (account.source !== 'device')
    throw invalidParams('id', id, 'a PSBT for an account whose key is on a device')
  const task = parseTask('psbt', stored.psbt)
  const prevouts = prepared.prevouts.map(decodePrevouts)
  const [plan = []] = await planPsbts(context, [task], prevouts)
  if (plan.length === 0) throw nothingToSign()
  const item = { psbt: task.psbt, prevouts: prevouts[0] ?? [], plan }
  return describeItemForDevice(context, account, item)
}

/**
 * Signs the PSBT exactly as it was shown, on the device where that has the account's key. Called again with the same digest, in
 * another worker too, it is signed once. Throws PLAN_OUTDATED when it, the account or the network is another one than was shown, and
 * -32602 where something else comes back from the device; nothing was signed here then.
 */
export async function signLoadedPsbt(
  wallet: LoadedPsbtParts,
  id: string,
  digest: string,
  device: SigningDevice,
): Promise<LoadedPsbtView> {
  // One at a time: nobody changes it between the check and the signature.
  return wallet.loadedPsbt.inTurn(async () => {
    const context = await payFromAny(wallet)
    const stored = await needLoaded(wallet, id)
    if (stored.signedAs === digest) return viewLoaded(stored)
    const { psbt } = stored
    const prepared = requireShown(stored, context, digest)
    const tasks = [parseTask('psbt', psbt)]
    const [signed] = await signPrepared(context, tasks, prepared, (account, items) =>
      Promise.all(items.map(item => signItemOnDevice(context, account, item, device))),
    )
    if (signed === undefined) throw new Error('psbt: nothing came back')
    if (signed === psbt) throw nothingToSign()
    const after = { ...stored, psbt: signed, shown: null, signedAs: digest, push: null }
    await wallet.loadedPsbt.put(after)
    return viewLoaded(after)
  })
}

/** What was found out of it, where that is what was shown under this digest, for this account. Throws PLAN_OUTDATED. */
function requireShown(
  { id, psbt, shown }: StoredPsbt,
  context: PayingContext,
  digest: string,
): Prepared {
  if (!shown) throw outdated()
  const { prepared, network, accountId } = shown
  const place = { network: context.network, accountId: context.account.id }
  if (digestOf({ id, psbt, ...place, prepared }) !== digest) throw outdated()
  if (network !== place.network || accountId !== place.accountId) throw outdated()
  return prepared
}

/** Adds what another PSBT (hex) of the same transaction holds. Throws -32602 that names what differs. */
export async function combineLoadedPsbt(
  wallet: LoadedPsbtParts,
  id: string,
  other: string,
): Promise<LoadedPsbtView> {
  await contextOf(wallet)
  const stored = await needLoaded(wallet, id)
  const { psbt } = parseTask('psbt', other)
  const combined = toHex(encodePsbt(combinePsbts([parsePsbt(fromHex(stored.psbt)), psbt])))
  // Two that fit alone can be too large together.
  parseTask('psbt', combined)
  return viewLoaded(await replacePsbt(wallet, stored, combined))
}

/** Gives all inputs their final scripts. Throws as {@link completePsbt} does for one that is not signed, or wrongly. */
export async function finalizeLoadedPsbt(
  wallet: LoadedPsbtParts,
  id: string,
): Promise<LoadedPsbtView> {
  const context = await contextOf(wallet)
  const stored = await needLoaded(wallet, id)
  const { psbt, previous } = await completeLoaded(context, stored)
  const prevouts = readPrevouts(psbt, previous)
  const final = await runInTurns(finalizePsbtInSteps(psbt, prevouts, [...psbt.inputs.keys()]))
  return viewLoaded(await replacePsbt(wallet, stored, toHex(encodePsbt(final))))
}

/** What broadcasting its transaction does, finalized where it is not, as for a site's request. Nothing is sent. */
export async function reviewLoadedPush(
  wallet: LoadedPsbtParts,
  id: string,
): Promise<LoadedPsbtPush> {
  const context = { ...(await contextOf(wallet)), origin: null }
  const stored = await needLoaded(wallet, id)
  const { signed } = await completeLoaded(context, stored)
  const facts = await gatherFacts(context, [signed])
  const { review, record, own } = await preparePush(context, signed, facts, null)
  const place = { network: context.network, accountId: context.account.id }
  const digest = digestOf({ id, psbt: stored.psbt, ...place, review, record })
  await replaceLoaded(wallet, stored, {
    push: { ...place, digest, record, own, approved: false },
  })
  return { id, digest, review }
}

/**
 * Broadcasts the transaction as it was shown. Called again it is the same transaction, on record once. Throws PLAN_OUTDATED when
 * something else was shown, or something turned up on own coins since.
 */
export async function pushLoadedPsbt(
  wallet: LoadedPsbtParts,
  id: string,
  digest: string,
): Promise<PaymentResult> {
  const record = await wallet.loadedPsbt.inTurn(async () => {
    const context = await contextOf(wallet)
    const stored = await needLoaded(wallet, id)
    const { push } = stored
    if (push?.digest !== digest) throw outdated()
    if (push.network !== context.network || push.accountId !== context.account.id) throw outdated()
    if (push.approved) return push.record
    await assertNothingNew(context, push.own)
    const record = { ...push.record, at: wallet.now() }
    await wallet.loadedPsbt.put({ ...stored, push: { ...push, record, approved: true } })
    return record
  })
  return sendRecord(wallet, record)
}

/** The account in use, which may be watched only. Throws 4100 while locked. */
async function contextOf(wallet: LoadedPsbtParts): Promise<AccountContext<LoadedPsbtParts>> {
  const network = await wallet.accounts.network()
  const account = await wallet.accounts.selected(network)
  if (!account) throw unauthorized('The wallet is locked, or has no account on this network.')
  return { wallet, network, account }
}

async function needLoaded({ loadedPsbt }: LoadedPsbtParts, id: string): Promise<StoredPsbt> {
  const stored = await loadedPsbt.find()
  if (stored?.id !== id) throw outdated()
  return stored
}

/** Changes it unless somebody else has meanwhile. */
function replaceLoaded(
  { loadedPsbt }: LoadedPsbtParts,
  before: StoredPsbt,
  change: Partial<StoredPsbt>,
): Promise<StoredPsbt> {
  return loadedPsbt.inTurn(async () => {
    const stored = await loadedPsbt.find()
    if (stored?.id !== before.id || stored.psbt !== before.psbt) throw outdated()
    const after = { ...stored, ...change }
    await loadedPsbt.put(after)
    return after
  })
}

/** What was shown of it before is of another PSBT then. */
async function replacePsbt(
  wallet: LoadedPsbtParts,
  before: StoredPsbt,
  psbt: string,
): Promise<StoredPsbt> {
  if (psbt === before.psbt) return before
  return replaceLoaded(wallet, before, { psbt, shown: null, push: null })
}

async function completeLoaded(
  { wallet, network }: AccountContext<LoadedPsbtParts>,
  { psbt: hex }: StoredPsbt,
) {
  const psbt = parseCompletePsbt('psbt', hex)
  const previous = await fetchKnownTransactions(wallet, network, listUnproven(psbt))
  return { psbt, previous, signed: await completePsbt('psbt', psbt, previous) }
}

function canFinalize(psbt: Psbt, { prevouts: [stored = []] }: Prepared): boolean {
  const final = finalizePsbt(psbt, decodePrevouts(stored), [...psbt.inputs.keys()])
  return final.inputs.every(isFinal)
}

function viewLoaded({ id, psbt: hex, signedAs }: StoredPsbt): LoadedPsbtView {
  const psbt = parsePsbt(fromHex(hex))
  const { version, inputs, outputs } = psbt
  return {
    id,
    psbt: hex,
    version,
    unsignedTxid: unsignedTransaction(psbt).getId(),
    inputs: inputs.length,
    outputs: outputs.length,
    final: inputs.filter(isFinal).length,
    signed: signedAs !== null,
  }
}

function nothingToSign(): ProviderError {
  return failure('NOTHING_TO_SIGN', 'psbt: Nothing of it is left to sign for this account.')
}

function outdated(): ProviderError {
  return failure(
    'PLAN_OUTDATED',
    'The transaction, the account or the network is not the one that was shown. Nothing was signed or sent; look at it again.',
  )
}
