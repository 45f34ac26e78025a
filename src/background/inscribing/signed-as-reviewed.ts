import { equalBytes, toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { parsePushedData } from '../../bitcoin/script.ts'
import {
  decodeTransaction,
  type ParsedTransaction,
  parseTransaction,
} from '../../bitcoin/transaction.ts'
import { foldTicker, parseBrc20Operation } from '../../ordinals/brc20/brc20-operation.ts'
import { parseEnvelopes, splitScriptPath } from '../../ordinals/inscriptions/envelope.ts'
import type { SignedInscribing } from '../../ordinals/inscriptions/inscribing-signature.ts'
import { parseInscription } from '../../ordinals/inscriptions/inscription.ts'
import { COMMIT_CONFIRMATIONS } from '../../ordinals/runes/etching.ts'
import { commitmentOf } from '../../ordinals/runes/rune-name.ts'
import { decipherRunestone } from '../../ordinals/runes/runestone.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import { createIsFixed, createIsOf } from '../coins/coins.ts'
import type { DeliveryReview } from '../views/delivery-views.ts'
import type { EtchingView } from '../views/etching-views.ts'
import type { InscribeItemView, InscribeReview } from '../views/inscribe-views.ts'
import { viewEtching } from './etching-draft.ts'

/** Reads back what was signed; everything that leaves is what was shown, and goes where it was said to go. Throws else. */
export function assertAsReviewed(
  { account, network }: PaymentContext,
  signed: SignedInscribing,
  { commit: shown, items, postage, etching, delivery }: InscribeReview,
): void {
  const isOwn = createIsFixed(account, network)
  const commit = parseTransaction(signed.commit.rawTx)
  const outputs = commit.outputs.map(
    ({ scriptPubKey, amount }) => `${toHex(scriptPubKey)} ${amount}`,
  )
  const isShown =
    commit.inputs.map(formatOutpoint).join() ===
      shown?.inputs.map(({ outpoint }) => outpoint).join() &&
    outputs.join() === shown.outputs.map(({ script, sats }) => `${script} ${sats}`).join()
  const areShown = signed.reveals.every(({ rawTx }, item) => {
    const reveal = parseTransaction(rawTx)
    const [leaf] = reveal.inputs
    return (
      leaf?.txid === commit.txid &&
      leaf.vout === item &&
      reveal.outputs[0]?.amount === BigInt(postage) + BigInt(delivery?.fee ?? 0) &&
      paysOnly(isOwn, etching, reveal) &&
      (etching === null || etches(rawTx, etching)) &&
      inscribes(rawTx, items[item], etching !== null)
    )
  })
  const count = etching ? 1 : items.length
  if (!isShown || !areShown || signed.reveals.length !== count)
    throw new Error('The signed transactions are not those that were shown.')
  assertDelivers(signed.reveals[0]?.rawTx, signed.delivery?.rawTx, { delivery, postage })
}

/** Throws unless a delivery sends what its reveal makes, the transfer of these tokens, to nobody but this receiver, and pays the fee that was shown. */
export function assertDelivers(
  revealRaw: Uint8Array | undefined,
  rawTx: Uint8Array | undefined,
  { delivery, postage }: Pick<InscribeReview, 'delivery' | 'postage'>,
): void {
  if (delivery === null && rawTx === undefined) return
  const isShown = delivery && rawTx && revealRaw && delivers(revealRaw, rawTx, delivery, postage)
  if (!isShown) throw new Error('The signed delivery is not what was shown.')
}

function delivers(
  revealRaw: Uint8Array,
  rawTx: Uint8Array,
  { script, tick, amount, fee }: DeliveryReview,
  postage: string,
): boolean {
  const reveal = parseTransaction(revealRaw)
  const { inputs, outputs } = parseTransaction(rawTx)
  const [envelope] = parseEnvelopes(decodeTransaction(revealRaw).ins.map(({ witness }) => witness))
  if (!envelope) return false
  const { contentType } = parseInscription(envelope.fields)
  const operation = parseBrc20Operation(contentType, envelope.fields.body ?? '')
  return (
    inputs.map(formatOutpoint).join() === `${reveal.txid}:0` &&
    reveal.outputs[0]?.amount === BigInt(postage) + BigInt(fee) &&
    outputs.map(one => `${toHex(one.scriptPubKey)} ${one.amount}`).join() ===
      `${script} ${postage}` &&
    operation.op === 'transfer' &&
    foldTicker(operation.tick) === foldTicker(tick) &&
    operation.amt === amount
  )
}

/** Throws unless all outputs go to these addresses of the account, but for the runestone of an etching that was shown. */
export function assertOwn(
  own: readonly AccountAddress[],
  rawTxs: readonly Uint8Array[],
  etching: EtchingView | null,
): void {
  const isOwn = createIsOf(own)
  const areOwn = rawTxs.every(
    rawTx =>
      paysOnly(isOwn, etching, parseTransaction(rawTx)) &&
      (etching === null || etches(rawTx, etching)),
  )
  if (!areOwn) throw new Error('A signed transaction pays somebody else.')
}

function paysOnly(
  isOwn: (scriptPubKey: Uint8Array) => boolean,
  etching: EtchingView | null,
  { outputs }: ParsedTransaction,
): boolean {
  const others = outputs.filter(({ scriptPubKey }) => !isOwn(scriptPubKey))
  if (etching === null) return others.length === 0
  const [runestone, ...more] = others
  return runestone?.amount === 0n && more.length === 0
}

/** Whether a transaction etches exactly what was shown: name, terms and all, with the premine on an own output, and in time. */
function etches(rawTx: Uint8Array, shown: EtchingView): boolean {
  const { ins, outs } = decodeTransaction(rawTx)
  const scripts = outs.map(({ script }) => script)
  const runestone = decipherRunestone(scripts)
  if (runestone.kind !== 'runestone' || runestone.etching?.rune == null) return false
  const { etching, edicts, mint, pointer } = runestone
  const { rune, terms, symbol } = etching
  if (rune === null || (terms && (terms.amount === null || terms.cap === null))) return false
  const written = viewEtching(
    {
      name: { rune, spacers: etching.spacers ?? 0 },
      divisibility: etching.divisibility ?? 0,
      symbol: symbol ?? '',
      premine: etching.premine ?? 0n,
      terms: terms && { ...terms, amount: terms.amount ?? 0n, cap: terms.cap ?? 0n },
      turbo: etching.turbo,
    },
    shown.isInscribed,
  )
  const [leaf] = ins
  const commitment = commitmentOf(rune)
  const { script } = splitScriptPath(leaf?.witness ?? [])
  const hasPremine = (etching.premine ?? 0n) > 0n
  const home = hasPremine ? Number(shown.isInscribed) : null
  return (
    describe(written) === describe(shown) &&
    edicts.length === 0 &&
    mint === null &&
    pointer === home &&
    leaf?.sequence === COMMIT_CONFIRMATIONS - 1 &&
    parsePushedData(script).some(data => equalBytes(data, commitment))
  )
}

function describe({ name, symbol, divisibility, premine, terms, supply, turbo }: EtchingView) {
  const { amount, cap, height, offset } = terms ?? {}
  return JSON.stringify([
    ...[name, symbol, divisibility, premine, supply, turbo, amount, cap],
    ...[height?.start, height?.end, offset?.start, offset?.end],
  ])
}

/** Whether a reveal inscribes this, and an etching without an inscription nothing. */
function inscribes(
  rawTx: Uint8Array,
  told: InscribeItemView | undefined,
  mayBeNone: boolean,
): boolean {
  const [envelope] = parseEnvelopes(decodeTransaction(rawTx).ins.map(({ witness }) => witness))
  if (envelope === undefined || told === undefined)
    return mayBeNone && envelope === undefined && told === undefined
  const written = parseInscription(envelope.fields)
  return (
    written.contentType === told.contentType &&
    (written.contentLength ?? 0) === told.contentLength &&
    written.contentEncoding === told.encoding &&
    written.delegate === told.delegate
  )
}
