import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { assertSignable } from '../../bitcoin/payments/payment.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { UNANSWERED } from '../../chain/open/asset-answers.ts'
import type { Delivery } from '../../ordinals/inscriptions/delivery.ts'
import type { Inscribing } from '../../ordinals/inscriptions/inscribing.ts'
import {
  listTransactions,
  readTransactions,
  type SignedInscribing,
} from '../../ordinals/inscriptions/inscribing-signature.ts'
import type { SignedReveal } from '../../ordinals/inscriptions/reveal.ts'
import { type PaymentContext, payerOf } from '../accounts/payment-context.ts'
import type { CoinParts } from '../coins/coins.ts'
import type { Signer } from '../keys/signer.ts'
import type { SigningDevice } from '../keys/signing-device.ts'
import {
  claimPaidAddresses,
  fetchParentTransactions,
  findOwnAddresses,
} from '../payments/payment-signing.ts'
import { assertChangeFree, assertSpendCurrent, listChange } from '../payments/plan-checks.ts'
import type { DeliveryReview, DeliveryTerms } from '../views/delivery-views.ts'
import type { EtchingReview, EtchingView } from '../views/etching-views.ts'
import type { InscribeReview } from '../views/inscribe-views.ts'
import type { InscribePlan } from './inscribe-plan.ts'
import { signWithDevice } from './inscribing-on-device.ts'
import { type JobRecordParts, recordJob } from './job-activity.ts'
import type { JobRecord, JobTransaction } from './job-record.ts'
import { describeSigning, type SignedPart, type SigningInput } from './job-signing.ts'
import { assertAsReviewed } from './signed-as-reviewed.ts'
import { decodeInscribing } from './stored-inscribing.ts'

/** The parts of the wallet that sign an inscribing and store it as a job. */
export type OpeningParts = CoinParts &
  JobRecordParts & { signer: Pick<Signer, 'signInscribing' | 'signAround'> }

/**
 * Signs a commit and its reveals as they were shown, checks them against that, and stores all of it as a job, which nothing
 * has left of when this resolves. A job with this id is resolved as it is: never is there a second commit for one. `device` is asked
 * where the account's key is on one. Throws PLAN_OUTDATED, 4100 while locked, BackendUnavailableError; nothing is stored then.
 */
export function openJob(
  context: PaymentContext<OpeningParts>,
  plan: InscribePlan,
  { id, origin, label }: { id: string; origin: string | null; label: string },
  device: SigningDevice | null,
): Promise<JobRecord> {
  const { wallet, account, network } = context
  return wallet.jobs.inTurn(id, async () => {
    const known = await wallet.jobs.find(id)
    if (known) return known
    const inscribing = decodeInscribing(plan.inscribing)
    const { commit, parent } = inscribing
    const assertCurrent = async () => {
      await assertSpendCurrent(context, {
        coins: commit.inputs,
        shown: new Set(),
        doubted: [],
        spends: plan.spends,
        at: plan.at,
        replaces: [],
      })
      await assertChangeFree(context, listChange(commit))
    }
    await assertCurrent()
    const coins = await loadSpent(context, commit.inputs, parent ? [parent.coin] : [])
    const parts = await signParts(context, inscribing, { review: plan.review, device }, null)
    // A device takes minutes.
    if (account.source === 'device') await assertCurrent()
    const signing = describeSigning(context, parts, {
      inscribing,
      coins,
      before: [],
      attempt: 0,
      origin,
      own: await claimPaidAddresses(
        context,
        parts.map(({ rawTx }) => rawTx),
      ),
    })
    const listTxids = (kind: JobTransaction['kind']) =>
      signing.transactions.flatMap(one => (one.kind === kind ? one.txid : []))
    const [commitTxid = ''] = listTxids('commit')
    const revealTxids = listTxids('reveal')
    const job = await wallet.jobs.add(
      {
        id,
        network,
        accountId: account.id,
        address: account.address,
        origin,
        label,
        at: wallet.now(),
        postage: plan.review.postage,
        items: listItems(plan.review),
        etching: plan.review.etching && {
          shown: readShown(plan.review.etching),
          tip: 0,
          takenBy: null,
        },
        delivery: plan.review.delivery && readTerms(plan.review.delivery),
        commitTxid,
        revealTxids,
        transactions: signing.transactions,
        attempts: [id],
        recorded: 0,
        seen: {},
        refused: {},
        wasAccepted: false,
        conflict: null,
        problem: null,
        checkedAt: 0,
        finishedAt: null,
        lifecycle: 'open',
      },
      signing.bytes,
    )
    await recordJob(wallet, job)
    return job
  })
}

/** What each reveal makes; an etching has one item, whether it inscribes something or not. */
function listItems({ items, etching }: InscribeReview): JobRecord['items'] {
  if (etching && items.length === 0) return [{ kind: 'none', contentType: null, contentLength: 0 }]
  return items.map(({ kind, contentType, contentLength }) => ({ kind, contentType, contentLength }))
}

function readShown({ blocks: _, refundFee: __, ...shown }: EtchingReview): EtchingView {
  return shown
}

function readTerms({ to, tick, amount }: DeliveryReview): DeliveryTerms {
  return { to, tick, amount }
}

/** The commit, its reveals and the delivery, signed and as reviewed. `replaces` is the commit that it takes the place of. */
export async function signParts(
  context: PaymentContext<OpeningParts>,
  inscribing: Inscribing,
  { review, device }: { review: InscribeReview; device: SigningDevice | null },
  replaces: string | null,
): Promise<SignedPart[]> {
  const { commit, reveals, delivery } = inscribing
  const signed = await signAll(context, inscribing, device)
  assertAsReviewed(context, signed, review)
  const { feeRate } = commit
  return [
    { kind: 'commit', rawTx: signed.commit.rawTx, fee: commit.fee, feeRate, replaces },
    ...signed.reveals.map(
      ({ rawTx }, item): SignedPart => ({
        kind: 'reveal',
        rawTx,
        fee: reveals[item]?.fee ?? 0n,
        feeRate,
        replaces: null,
      }),
    ),
    ...(signed.delivery && delivery ? [partOfDelivery(signed.delivery, delivery, feeRate)] : []),
  ]
}

async function signAll(
  context: PaymentContext<OpeningParts>,
  inscribing: Inscribing,
  device: SigningDevice | null,
): Promise<SignedInscribing> {
  const { wallet, account, network } = context
  const { commit, nonce } = inscribing
  const previousTransactions = await fetchParentTransactions(context, commit)
  if (account.source !== 'device')
    return wallet.signer.signInscribing({
      ...{ accountId: account.id, network, inscribing, previousTransactions },
      places: await findOwnAddresses(context, commit),
    })
  const own = payerOf(account)
  const addresses = await findOwnAddresses(context, commit)
  const scripts = addresses.map(({ scriptPubKey }) => scriptPubKey)
  assertSignable(commit, scripts, previousTransactions)
  const transactions = listTransactions(inscribing, own)
  return readTransactions(
    inscribing,
    await signWithDevice(context, account, device, transactions, nonce),
  )
}

/** A signed delivery as a part of its signing; `feeRate` in sat/vB. */
export function partOfDelivery(
  { rawTx }: SignedReveal,
  { fee }: Delivery,
  feeRate: number,
): SignedPart {
  return { kind: 'delivery', rawTx, fee, feeRate, replaces: null }
}

/** Own coins that are spent, and what sits on them; those that `pay` are clean, or the plan would not stand. */
export async function loadSpent(
  { wallet, account, network }: PaymentContext<OpeningParts>,
  pay: readonly Utxo[],
  laden: readonly Utxo[],
): Promise<SigningInput[]> {
  const clean = pay.map((coin): SigningInput => describe(coin, { known: true, assets: [] }))
  if (laden.length === 0) return clean
  const contents = await wallet.coinAssets.classify(wallet, network, account.id, laden)
  const told = laden.map(coin => describe(coin, contents.get(formatOutpoint(coin)) ?? UNANSWERED))
  const { assets } = await wallet.coinAssets.complete(wallet, network, told)
  return [...clean, ...told.map(coin => ({ ...coin, ...pick(assets.get(coin.outpoint)) }))]

  function describe(coin: Utxo, assets: SigningInput['assets']): SigningInput {
    return { outpoint: formatOutpoint(coin), amount: coin.amount, assets }
  }
  function pick(assets: SigningInput['assets'] | undefined) {
    return assets ? { assets } : {}
  }
}
