// psbts: PSBTs and signed transactions of sites: what signing or pushing them does in every way that others can
// use them, shown, signed and broadcast. It promises that a claim is called certain only where our signatures bind
// it; it never signs an input that the review did not show.

import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import { buildToSpend } from '../../bitcoin/messages/message-bip322.ts'
import { parseMessage } from '../../bitcoin/messages/psbt-message.ts'
import type { Network } from '../../bitcoin/network.ts'
import {
  type InputOrder,
  type InputPlan,
  listOfAddress,
  listSignable,
  planSigningInSteps,
  type SigningKey,
} from '../../bitcoin/psbt/plan.ts'
import { type Prevout, readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { type OpenSignature, type PsbtReview, reviewPsbt } from '../../bitcoin/psbt/review.ts'
import { checkSignaturesInSteps, type InputCheck } from '../../bitcoin/psbt/signatures.ts'
import { failure, ProviderError } from '../../provider/errors.ts'
import { MAX_MESSAGE_LENGTH } from '../../provider/message-params.ts'
import { canSign } from '../accounts/accounts.ts'
import { listFixedAddresses } from '../accounts/fixed-addresses.ts'
import type { AccountContext, PaymentContext } from '../accounts/payment-context.ts'
import type { CoinChoices } from '../coins/coin-choices.ts'
import type { OwnScriptParts } from '../coins/coins.ts'
import type { OwnCoin, SpentAssetParts } from '../coins/spent-assets.ts'
import { runInTurns } from '../primitives/turns.ts'
import { withParameterName } from '../requests/known-failures.ts'
import { type FeeParts, loadFeeReferences } from '../review/fee-rates.ts'
import { type KnownAddressParts, loadKnownAddresses } from '../review/payment-warnings.ts'
import { listWaitingPayments, warnOfRepeatedPsbt } from '../review/repeated-payments.ts'
import { identifyRunestones } from '../review/runestones.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { SignMessageReview } from '../views/approval-views.ts'
import type { SignPsbtReview } from '../views/psbt-views.ts'
import { type CosignerParts, loadOwnScriptsWithKeys, planCosigning } from './cosigner-psbts.ts'
import type { OpenSignatures } from './open-signatures.ts'
import { tracePsbts } from './psbt-assets.ts'
import { viewBatch } from './psbt-batch-view.ts'
import {
  fetchPreviousTransactions,
  type LookupParts,
  MAX_BYTES,
  MAX_TRANSACTIONS,
  type PreviousTransactions,
} from './psbt-lookups.ts'
import { viewPsbt } from './psbt-review-view.ts'
import type { PsbtTask } from './psbt-tasks.ts'
import { warnOfPsbt } from './psbt-warnings.ts'

/** The parts of the wallet that find out what signing a PSBT does. */
export type PsbtParts = SpentAssetParts &
  FeeParts &
  KnownAddressParts &
  LookupParts &
  CosignerParts & {
    coinChoices: Pick<CoinChoices, 'load'>
    settings: Pick<SettingsStore, 'load'>
    openSignatures: Pick<OpenSignatures, 'list' | 'add'>
  }

/** What the person is asked, and what every input spends, as it was found out then: JSON, kept until the end. */
export type Prepared = {
  review: SignPsbtReview | SignMessageReview
  prevouts: StoredPrevouts[]
  /** What the items spend of this wallet, but for what one of them makes. */
  own: OwnCoin[]
}

type StoredPrevouts = ({ script: string; sats: string; proof: Prevout['proof'] } | null)[]

/** Finds out all that there is to know before the person is asked. Nothing is signed. */
export async function preparePsbts(
  context: AccountContext<PsbtParts>,
  tasks: readonly PsbtTask[],
): Promise<Prepared> {
  const message = readOnlyMessage(context, tasks)
  const previous = message
    ? { raw: message.previous, missing: null }
    : await fetchPreviousTransactions(
        context,
        tasks.map(({ psbt, inputs }) => ({
          psbt,
          named: new Set(inputs === 'signable' ? [] : inputs?.map(({ index }) => index)),
        })),
      )
  const prevouts = tasks.map(({ field, psbt }) =>
    withParameterName(field, () => readPrevouts(psbt, previous.raw)),
  )
  const plans = await planPsbts(context, tasks, prevouts).catch(error => {
    throw describeUnproven(error, previous.missing)
  })
  if (!message) assertNoMessage(tasks, prevouts, plans)
  const reviewed: Pick<Prepared, 'review' | 'own'> = message
    ? { review: message.review, own: [] }
    : await reviewTasks(context, tasks, prevouts, plans)
  return { ...reviewed, prevouts: prevouts.map(encodePrevouts) }
}

/** Addresses that the outputs pay. */
function listRecipients(tasks: readonly PsbtTask[], network: Network): string[] {
  return tasks.flatMap(({ psbt }) =>
    psbt.outputs.flatMap(({ scriptPubKey }) => addressOfScript(scriptPubKey, network) ?? []),
  )
}

/** Works out, from the same facts always in the same way, which inputs are signed and how. */
export async function planPsbts(
  context: AccountContext<PsbtParts>,
  tasks: readonly PsbtTask[],
  prevouts: readonly (readonly (Prevout | null)[])[],
): Promise<(readonly InputPlan[])[]> {
  const { wallet, account } = context
  const { expert } = await wallet.settings.load()
  const plans: (readonly InputPlan[])[] = []
  for (const [at, { field, psbt, inputs }] of tasks.entries()) {
    const spent = prevouts[at] ?? []
    const fail = (error: unknown) =>
      withParameterName(field, () => {
        throw error
      })
    if (!canSign(account)) {
      const isShared = account.source === 'multisig'
      const shared = isShared ? planCosigning(context, account, psbt, spent).catch(fail) : []
      plans.push((await shared).map(({ plan }) => plan))
      continue
    }
    const isAll = inputs === 'signable'
    const plan: InputPlan[] = []
    const keys = await listSigningKeys({ ...context, account }, isAll ? spent : [])
    for (const { address, key } of keys) {
      const orders = listOrders(address, key)
      // With several keys each signs what is its own; with one it is said why there is nothing.
      if (orders?.length === 0 && (isAll || keys.length > 1)) continue
      const asked = { psbt, key, prevouts: spent, inputs: orders, expert: expert.anySighash }
      plan.push(...(await runInTurns(planSigningInSteps(asked)).catch(fail)))
    }
    if (plan.length === 0 && keys.length > 1 && !isAll) throw nothingToSign(field)
    // A script can have several of the keys in it: an input is signed with the first.
    const first = new Map(plan.toReversed().map(one => [one.index, one]))
    plans.push([...first.values()].sort((a, b) => a.index - b.index))

    /** What a key is asked to sign; null where the page names no input, and the key is the only one. */
    function listOrders(address: string, key: SigningKey): readonly InputOrder[] | null {
      if (isAll) return listSignable(psbt, spent, key)
      if (inputs === null) return keys.length > 1 ? listOfAddress(spent, key) : null
      return inputs.filter(order => order.address === address)
    }
  }
  return plans
}

/**
 * The keys that sign for an account, with their addresses and the places of these: those of its fixed addresses, which sites know, and of the
 * others those whose addresses are spent.
 */
export async function listSigningKeys(
  { wallet, account, network }: PaymentContext<OwnScriptParts>,
  prevouts: readonly (Prevout | null)[],
): Promise<{ place: DescriptorPlace; address: string; key: SigningKey }[]> {
  const scripts = prevouts.flatMap(prevout => prevout?.scriptPubKey ?? [])
  const addresses = await wallet.addresses.find(network, account, scripts)
  return addresses.flatMap(({ branch, index, address, addressType, publicKey }) =>
    publicKey && addressType
      ? [{ place: { branch, index }, address, key: { publicKey, addressType } }]
      : [],
  )
}

/** Works out what signing as planned does, beside the open signatures that were given before. */
export async function createReviewer(
  context: AccountContext<PsbtParts>,
  tasks: readonly PsbtTask[],
  prevouts: readonly (readonly (Prevout | null)[])[],
  plans: readonly (readonly InputPlan[])[],
): Promise<(earlier: readonly OpenSignature[]) => PsbtReview[]> {
  const scripts = [
    ...prevouts.flat().flatMap(prevout => prevout?.scriptPubKey ?? []),
    ...tasks.flatMap(({ psbt }) => psbt.outputs.map(({ scriptPubKey }) => scriptPubKey)),
  ]
  const own = await loadOwnScriptsWithKeys(context, scripts)
  const checks: (readonly InputCheck[])[] = []
  for (const [at, { psbt }] of tasks.entries())
    checks.push(await runInTurns(checkSignaturesInSteps(psbt, prevouts[at] ?? [])))
  return earlier =>
    tasks.map(({ field, psbt }, at) =>
      withParameterName(field, () => {
        const [spent, plan, signatures] = [prevouts[at] ?? [], plans[at] ?? [], checks[at] ?? []]
        return reviewPsbt({ psbt, prevouts: spent, plan, own, signatures, earlier })
      }),
    )
}

async function reviewTasks(
  context: AccountContext<PsbtParts>,
  tasks: readonly PsbtTask[],
  prevouts: readonly (readonly (Prevout | null)[])[],
  plans: readonly (readonly InputPlan[])[],
): Promise<{ review: SignPsbtReview; own: OwnCoin[] }> {
  const { wallet, network, account } = context
  const [accounts, fees, knownAddresses, review, choices, { expert }, sent] = await Promise.all([
    wallet.accounts.list(network),
    loadFeeReferences(wallet, network),
    loadKnownAddresses(context, listRecipients(tasks, network)),
    createReviewer(context, tasks, prevouts, plans),
    wallet.coinChoices.load(network),
    wallet.settings.load(),
    listWaitingPayments(context),
  ])
  const accountNames = new Map(accounts.map(({ id, name }) => [id, name]))
  const earlier = await wallet.openSignatures.list(network)
  const reviews = review(earlier)
  const reviewed = tasks.flatMap((task, at) => {
    const review = reviews[at]
    if (!review) return []
    const mayLook = task.inputs === 'signable'
    if (!mayLook && review.inputs.every(({ sighash }) => sighash === null))
      throw nothingToSign(task.field)
    return { ...task, review }
  })
  const traced = await tracePsbts(context, reviewed, { mayBurn: expert.burnAssets, earlier })
  const runes = await identifyRunestones(
    wallet,
    network,
    reviewed.map(({ review: { outputs } }, at) => ({
      outputs,
      assets: traced.items[at]?.contents.flatMap(({ assets }) => assets) ?? [],
    })),
  )
  const views = reviewed.flatMap(({ field, unasked, broadcast, review }, at) => {
    if (broadcast) assertComplete(field, review)
    const assets = traced.items[at]
    if (!assets) return []
    const { contents, unconfirmed, ancestors } = assets
    const asked = { network, fees, knownAddresses, unasked, contents, unconfirmed, choices }
    const warnings = [
      ...withParameterName(field, () => warnOfPsbt(review, asked)),
      ...warnOfRepeatedPsbt(review, { network, sent }),
    ]
    const recentFeeRate = fees.recent
    const known = {
      network,
      account,
      knownAddresses,
      accountNames,
      assets,
      recentFeeRate,
      runes,
      warnings,
    }
    return { view: viewPsbt(review, known), ancestors }
  })
  const broadcast = tasks.some(task => task.broadcast)
  const batch = viewBatch(views, broadcast)
  const [conflict] = batch.conflicts
  if (broadcast && conflict) {
    const [first, second] = conflict.map(at => tasks[at]?.field)
    throw new ProviderError(-32602, `${second}: cannot be sent: ${first} spends the same coin`)
  }
  return { review: batch, own: traced.own }
}

/**
 * The text of a PSBT that signs a message (BIP-322), and the transaction of no chain that it spends; null for ordinary
 * PSBTs. Throws MESSAGE_IN_PSBT where the text could not be shown.
 */
function readOnlyMessage({ account, network }: AccountContext, tasks: readonly PsbtTask[]) {
  for (const { field, psbt, broadcast } of tasks) {
    const found = listFixedAddresses(account, network).map(({ address, scriptPubKey }) => ({
      own: scriptPubKey,
      address,
      text: parseMessage(psbt, scriptPubKey),
    }))
    const message = found.find(({ text }) => text !== 'refused') ?? found[0]
    if (!message || message.text === null) continue
    const { own, address, text } = message
    const { genericSignedMessage } = psbt
    const shown =
      tasks.length === 1 && !broadcast && text !== 'refused' && text.length <= MAX_MESSAGE_LENGTH
    if (!shown || genericSignedMessage === null) throw hiddenMessage(field)
    const raw = buildToSpend(genericSignedMessage, own).toBuffer()
    const from = address === account.address ? {} : { from: address }
    const review = { kind: 'sign-message', message: text, type: 'bip322', ...from } as const
    return { review, previous: new Map(psbt.inputs.map(({ txid }) => [txid, raw])) }
  }
  return null
}

/**
 * What a BIP-322 signature spends holds 0 sats. Were one made with less than SIGHASH_ALL, it would be good for the message
 * whatever else the PSBT drew around it.
 */
function assertNoMessage(
  tasks: readonly PsbtTask[],
  prevouts: readonly (readonly (Prevout | null)[])[],
  plans: readonly (readonly InputPlan[])[],
): void {
  for (const [at, { field }] of tasks.entries()) {
    if (plans[at]?.some(({ index }) => prevouts[at]?.[index]?.amount === 0n))
      throw hiddenMessage(field)
  }
}

function nothingToSign(field: string): ProviderError {
  return failure('NOTHING_TO_SIGN', `${field}: Nothing of it is left to sign`)
}

/** Nobody is asked to send what cannot be sent. */
function assertComplete(field: string, { after, inputs }: PsbtReview): void {
  if (after === 'complete') return
  const index = inputs.findIndex(({ state }) => state === 'open')
  const why =
    index < 0
      ? 'its outputs hold more than its inputs, or its signatures are wrong'
      : `input ${index} is not complete, as others must sign it first`
  throw new ProviderError(-32602, `${field}: cannot be sent: ${why}`)
}

function hiddenMessage(field: string): ProviderError {
  return failure(
    'MESSAGE_IN_PSBT',
    `${field}: signing it would sign a message that cannot be shown here; use signMessage.`,
  )
}

/** An amount that only a previous transaction could have proven which is missing for a reason. */
function describeUnproven(error: unknown, missing: PreviousTransactions['missing']): unknown {
  const reason = error instanceof ProviderError ? error.data?.reason : null
  if (reason !== 'UNVERIFIED_INPUT' || missing === null) return error
  return missing === 'unanswered'
    ? failure(
        'BACKEND_UNAVAILABLE',
        'The wallet’s server did not answer, and what the inputs hold could not be proven without it. Nothing was signed.',
        { cause: error },
      )
    : failure(
        'TOO_LARGE',
        `What the inputs hold could not be proven: that takes more than ${MAX_TRANSACTIONS} previous transactions, or ${MAX_BYTES} bytes of them. Nothing was signed; put them into the PSBT, or sign fewer inputs at once.`,
        { cause: error },
      )
}

function encodePrevouts(prevouts: readonly (Prevout | null)[]): StoredPrevouts {
  return prevouts.map(
    prevout =>
      prevout && {
        script: toHex(prevout.scriptPubKey),
        sats: String(prevout.amount),
        proof: prevout.proof,
      },
  )
}

/** The prevouts of the inputs, as the request keeps them; null where one is not known. */
export function decodePrevouts(stored: StoredPrevouts): (Prevout | null)[] {
  return stored.map(
    prevout =>
      prevout && {
        scriptPubKey: fromHex(prevout.script),
        amount: BigInt(prevout.sats),
        proof: prevout.proof,
      },
  )
}
