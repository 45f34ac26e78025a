import { equalBytes, toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { decodeTransaction, parseTransaction } from '../../bitcoin/transaction.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { UNANSWERED } from '../../chain/open/asset-answers.ts'
import { parseEnvelopes } from '../../ordinals/inscriptions/envelope.ts'
import type { Inscribing } from '../../ordinals/inscriptions/inscribing.ts'
import type { SignedInscribing } from '../../ordinals/inscriptions/inscribing-signature.ts'
import { parseInscription } from '../../ordinals/inscriptions/inscription.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import { type CoinParts, scriptOf } from '../coins/coins.ts'
import type { Signer } from '../keys/signer.ts'
import { fetchParentTransactions } from '../payments/payment-signing.ts'
import { assertSpendCurrent } from '../payments/plan-checks.ts'
import type { InscribeReview } from '../views/inscribe-views.ts'
import type { InscribePlan } from './inscribe-plan.ts'
import { type JobRecordParts, recordJob } from './job-activity.ts'
import type { JobRecord } from './job-record.ts'
import { describeSigning, type SignedPart, type SigningInput } from './job-signing.ts'
import { decodeInscribing } from './stored-inscribing.ts'

/** The parts of the wallet that sign an inscribing and store it as a job. */
export type OpeningParts = CoinParts & JobRecordParts & { signer: Pick<Signer, 'signInscribing'> }

/**
 * Signs a commit and its reveals as they were shown, checks them against that, and stores all of it as a job, which nothing
 * has left of when this resolves. A job with this id is resolved as it is: never is there a second commit for one. Throws
 * PLAN_OUTDATED, 4100 while locked, BackendUnavailableError; nothing is stored then.
 */
export function openJob(
  context: PaymentContext<OpeningParts>,
  plan: InscribePlan,
  { id, origin, label }: { id: string; origin: string | null; label: string },
): Promise<JobRecord> {
  const { wallet, account, network } = context
  return wallet.jobs.inTurn(id, async () => {
    const known = await wallet.jobs.find(id)
    if (known) return known
    const inscribing = decodeInscribing(plan.inscribing)
    const { commit, parent, postage } = inscribing
    await assertSpendCurrent(context, {
      coins: commit.inputs,
      shown: new Set(),
      doubted: [],
      spends: plan.spends,
      at: plan.at,
      replaces: [],
    })
    const coins = await loadSpent(context, commit.inputs, parent ? [parent.coin] : [])
    const parts = await signParts(context, inscribing, plan.review, null)
    const signing = describeSigning(context, parts, {
      inscribing,
      coins,
      before: [],
      attempt: 0,
      origin,
    })
    const [commitTxid = '', ...revealTxids] = signing.transactions.map(({ txid }) => txid)
    const job = await wallet.jobs.add(
      {
        id,
        network,
        accountId: account.id,
        address: account.address,
        origin,
        label,
        at: wallet.now(),
        postage: String(postage),
        items: plan.review.items.map(({ kind, contentType, contentLength }) => ({
          kind,
          contentType,
          contentLength,
        })),
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

/** The commit and its reveals, signed and as reviewed. `replaces` is the commit that it takes the place of. */
export async function signParts(
  context: PaymentContext<OpeningParts>,
  inscribing: Inscribing,
  review: InscribeReview,
  replaces: string | null,
): Promise<SignedPart[]> {
  const { wallet, account, network } = context
  const { commit, reveals } = inscribing
  const signed = await wallet.signer.signInscribing({
    accountId: account.id,
    network,
    inscribing,
    previousTransactions: await fetchParentTransactions(context, commit),
  })
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
  ]
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

/** Everything that leaves is what was shown, and goes where it was said to go. */
function assertAsReviewed(
  { account, network }: PaymentContext,
  signed: SignedInscribing,
  { commit: shown, items, postage }: InscribeReview,
): void {
  const own = scriptOf(account, network)
  const commit = parseTransaction(signed.commit.rawTx)
  const outputs = commit.outputs.map(
    ({ scriptPubKey, amount }) => `${toHex(scriptPubKey)} ${amount}`,
  )
  const isShown =
    commit.inputs.map(formatOutpoint).join() ===
      shown?.inputs.map(({ outpoint }) => outpoint).join() &&
    outputs.join() === shown.outputs.map(({ script, sats }) => `${script} ${sats}`).join()
  const areShown = signed.reveals.every(({ rawTx }, item) => {
    const { inputs, outputs } = parseTransaction(rawTx)
    const [leaf] = inputs
    const [envelope] = parseEnvelopes(decodeTransaction(rawTx).ins.map(({ witness }) => witness))
    const written = envelope && parseInscription(envelope.fields)
    const told = items[item]
    return (
      written !== undefined &&
      told !== undefined &&
      leaf?.txid === commit.txid &&
      leaf.vout === item &&
      String(outputs[0]?.amount) === postage &&
      outputs.every(({ scriptPubKey }) => equalBytes(scriptPubKey, own)) &&
      written.contentType === told.contentType &&
      (written.contentLength ?? 0) === told.contentLength &&
      written.contentEncoding === told.encoding &&
      written.delegate === told.delegate
    )
  })
  if (!isShown || !areShown || signed.reveals.length !== items.length)
    throw new Error('The signed transactions are not those that were shown.')
}
