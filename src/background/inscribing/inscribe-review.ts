import { addressOfScript } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Payment } from '../../bitcoin/payments/payment.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import { transactionVsize } from '../../bitcoin/transaction-size.ts'
import { decodeCbor, InvalidCborError } from '../../ordinals/cbor.ts'
import { kindOfContent } from '../../ordinals/content/content-kind.ts'
import {
  describeContent,
  describeSource,
  MAX_CONTENT,
  placeholder,
} from '../../ordinals/content/content-view.ts'
import type { EnvelopeContent } from '../../ordinals/inscriptions/envelope-script.ts'
import type { Inscribing, Reveal } from '../../ordinals/inscriptions/inscribing.ts'
import { COMMIT_CONFIRMATIONS } from '../../ordinals/runes/etching.ts'
import { assetAddressOf } from '../accounts/accounts.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import { type Coins, createIsOf, scriptOf } from '../coins/coins.ts'
import { type ContentParts, fetchContentView } from '../collectibles/inscription-content.ts'
import { decodeContent } from '../collectibles/inscription-reveal.ts'
import type { FeeReferences } from '../review/fee-rates.ts'
import { warnOfFee, warnOfUnconfirmed } from '../review/payment-warnings.ts'
import type { ContentView } from '../views/asset-views.ts'
import type { Brc20Effect } from '../views/brc20-views.ts'
import type { EtchingReview, EtchingView } from '../views/etching-views.ts'
import type { InscribeItemView, InscribeReview } from '../views/inscribe-views.ts'
import type { ReviewedDelivery } from './delivery-review.ts'

/** What a person is shown of a new commit and its reveals before they are signed. Throws ABSURD_FEE. */
export function reviewInscribing(
  context: PaymentContext,
  inscribing: Inscribing,
  {
    items,
    etching,
    delivered,
    coins,
    fees,
    own,
  }: {
    items: InscribeItemView[]
    etching: EtchingView | null
    delivered: ReviewedDelivery
    coins: Coins
    fees: FeeReferences
    /** The account's addresses that the commit pays. */
    own: readonly AccountAddress[]
  },
): InscribeReview {
  const { commit, reveals, parent, delivery } = inscribing
  const postage = delivery?.amount ?? inscribing.postage
  const all = [commit, ...reveals, ...(delivery ? [delivery] : [])]
  const fee = all.reduce((total, one) => total + one.fee, 0n)
  const vsize = all.reduce((total, one) => total + one.vsize, 0)
  const spent = new Set(commit.inputs.map(formatOutpoint))
  const remaining = coins.spendable.filter(({ outpoint }) => !spent.has(outpoint))
  const change = commit.changeIndex === null ? undefined : commit.outputs[commit.changeIndex]
  return {
    kind: 'inscribe',
    purpose: 'inscribe',
    jobId: null,
    items,
    parent: parent?.id ?? null,
    etching: etching && reviewEtching(context, etching, commit.feeRate),
    delivery: delivered.delivery,
    receiver: assetAddressOf(context.account),
    postage: String(postage),
    feeRate: commit.feeRate,
    recentFeeRate: fees.recent,
    commit: describeTransaction(context, commit, own),
    totalFee: String(fee),
    previousFee: null,
    cost: String(fee + postage * BigInt(countOwnOutputs(inscribing))),
    balanceAfter: String(
      remaining.reduce((total, { amount }) => total + amount, change?.amount ?? 0n),
    ),
    warnings: [
      ...warnOfFee({ fee, vsize, amount: null, fees }),
      ...delivered.warnings,
      ...warnOfUnconfirmed(commit.inputs.map(({ height }) => height === null)),
    ],
  }
}

/** A rune with what it takes to etch it, at a fee rate (sat/vB). */
export function reviewEtching(
  { account, network }: PaymentContext,
  etching: EtchingView,
  feeRate: number,
): EtchingReview {
  const refundVsize = transactionVsize('p2tr', 1, [scriptOf(account, network)])
  return {
    ...etching,
    blocks: COMMIT_CONFIRMATIONS,
    refundFee: String(feeForVsize(refundVsize, feeRate)),
  }
}

/** Outputs of all reveals that keep the postage, for inscriptions and for a premine. */
function countOwnOutputs({ reveals, etching }: Inscribing): number {
  return reveals.length + Number(etching?.isPremineApart ?? false)
}

/** The transaction that is signed first; of its outputs, only those to these addresses of the account are its own. */
export function describeTransaction(
  { network }: PaymentContext,
  { inputs, outputs, fee, vsize }: Pick<Payment, 'inputs' | 'outputs' | 'fee' | 'vsize'>,
  own: readonly AccountAddress[],
): NonNullable<InscribeReview['commit']> {
  const isOwn = createIsOf(own)
  return {
    fee: String(fee),
    vsize,
    inputs: inputs.map(input => ({
      outpoint: formatOutpoint(input),
      address: addressOfScript(input.scriptPubKey, network),
      sats: String(input.amount),
      own: true,
    })),
    outputs: outputs.map(({ scriptPubKey, amount }) => ({
      address: addressOfScript(scriptPubKey, network),
      script: toHex(scriptPubKey),
      sats: String(amount),
      own: isOwn(scriptPubKey),
    })),
  }
}

/** Address of the first output: of the receiver of a delivery, and of the account in a refund; null for a script without one. */
export function addressOfFirst(
  outputs: readonly TransactionOutput[],
  network: Network,
): string | null {
  const [first] = outputs
  return first ? addressOfScript(first.scriptPubKey, network) : null
}

/** An item as it is shown; `preview` is what {@link loadPreview} resolves. */
export function describeItem(
  { contentType, contentEncoding, body, delegate, metadata }: EnvelopeContent,
  preview: ContentView,
  { fee, vsize }: Pick<Reveal, 'fee' | 'vsize'>,
  brc20: Brc20Effect | null,
): InscribeItemView {
  return {
    kind:
      preview.kind === 'brc-20'
        ? 'brc-20'
        : kindOfContent(contentType ?? null, body?.length ?? null),
    contentType: contentType ?? null,
    contentLength: body?.length ?? 0,
    encoding: contentEncoding ?? null,
    metadata: metadata === undefined ? null : readJson(metadata),
    preview,
    delegate: delegate ?? null,
    brc20,
    fee: String(fee),
    vsize,
  }
}

function readJson(metadata: Uint8Array): string | null {
  try {
    return JSON.stringify(decodeCbor(metadata), null, 2)
  } catch (error) {
    if (error instanceof InvalidCborError) return null
    throw error
  }
}

/** What an envelope will look like; of a delegate, what it stands for looks like; of what is never drawn, its source where it has one. */
export async function loadPreview(
  wallet: ContentParts,
  network: Network,
  { contentType, contentEncoding, body, delegate }: EnvelopeContent,
): Promise<ContentView> {
  if (delegate !== undefined) return fetchContentView(wallet, network, delegate, { preview: true })
  const bytes = await decodeContent(body ?? new Uint8Array(), contentEncoding ?? '', MAX_CONTENT)
  if (bytes === null) return placeholder('damaged')
  const kind = kindOfContent(contentType ?? null, bytes.length)
  return kind === 'svg' || kind === 'html'
    ? describeSource(bytes)
    : describeContent({ contentType: contentType ?? null, bytes }, false)
}
