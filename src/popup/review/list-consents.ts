import type { AssetMoveView } from '../../background/views/asset-views.ts'
import type { PaymentReview, Warning } from '../../background/views/payment-views.ts'
import { type WordKey, words } from '../platform/words.ts'
import { listAssets } from '../ui/text/asset-names.ts'
import { formatFeeRate, nameSats, nameTwice } from '../ui/text/btc-digits.ts'
import { groupMoves, type Outcome, splitAsked } from './asset-outcomes.ts'
import { listIndexes, nameIndexes, placesOfItems } from './index-words.ts'

/** What is approved: one transaction, or one of several; `assets` are those that nobody asked to move. */
export type Subject = {
  warnings: readonly Warning[]
  fee: bigint | null
  assets: readonly AssetMoveView[]
}

/** Something that has to be confirmed beside approving. */
export type Consent = {
  kind: Warning['kind'] | AssetConsent | 'brc20-obstacles' | 'brc20-order' | 'sign-in'
  text: string
}

type AssetConsent = `assets-${'lost' | 'unknown' | 'open' | 'leaves' | 'promised'}`

/** A danger of one transaction; amounts that can be lost are repeated in it. */
type Danger = Consent & { index: number; fee: bigint | null; moves: readonly AssetMoveView[] }

/** A payment to be approved. The assets that the person asked to send are in its title and need no box. */
export function subjectOfPayment(review: PaymentReview): Subject {
  const { warnings, fee } = review
  return {
    warnings,
    fee: BigInt(fee),
    assets: review.purpose === 'burn' ? review.assets : splitAsked(review).others,
  }
}

/** The dangers that need a second confirmation: first those of all transactions together, then those of assets. One box stands for the same danger of several transactions. */
export function listConsents(
  subjects: readonly Subject[],
  together: readonly Warning[] = [],
): Consent[] {
  if (together.length > 0)
    return [
      ...listConsents([{ warnings: together, fee: null, assets: [] }]),
      ...listConsents(subjects),
    ]
  const dangers = subjects.flatMap(listDangers)
  if (subjects.length < 2) {
    const texts = new Map(dangers.map(({ kind, text }) => [text, kind]))
    return [...texts].map(([text, kind]) => ({ kind, text }))
  }
  const kinds = [...new Set(dangers.map(({ kind }) => kind))]
  return kinds.map(kind => ({ kind, text: joinDangers(dangers.filter(d => d.kind === kind)) }))
}

/** Whether others can use the signature in a way that is worse than the transaction shown. */
export function isCostly(warning: Warning & { kind: 'open-signature' }): boolean {
  return BigInt(warning.worst) < BigInt(warning.proposed)
}

/** Whether the person should read it in full; true also for what needs a box. */
export function needsAttention(subject: Subject): boolean {
  return (
    subject.warnings.some(({ kind }) => NEEDING_ATTENTION.includes(kind)) ||
    listDangers(subject, 0).length > 0
  )
}

const NEEDING_ATTENTION: readonly Warning['kind'][] = [
  'bad-signature',
  'shared-inputs',
  'unknown-outputs',
  'from-dust',
  'name-moved',
]

/** Boxes that already say what a signature leaves to others to decide. */
const SAYS_OPEN: readonly Danger['kind'][] = ['assets-open', 'open-signature', 'blank-signature']

function listDangers(subject: Subject, index: number): Danger[] {
  const dangers = listAllDangers(subject, index)
  const isSaid = dangers.some(({ kind }) => SAYS_OPEN.includes(kind))
  return isSaid ? dangers.filter(({ kind }) => kind !== 'unasked-sighash') : dangers
}

function listAllDangers({ warnings, fee, assets }: Subject, index: number): Danger[] {
  return [
    ...groupMoves(assets).flatMap(({ outcome, moves }): Danger[] => {
      const consent = ASSET_CONSENTS[outcome]
      if (consent === undefined) return []
      const text = words(consent.one, { what: listMoved(moves) })
      return [{ index, kind: consent.kind, text, fee, moves }]
    }),
    ...warnings.flatMap((warning): Danger[] => {
      const text = describeConsent(warning, fee)
      return text === null ? [] : [{ index, kind: warning.kind, text, fee, moves: [] }]
    }),
  ]
}

const ASSET_CONSENTS: {
  [outcome in Outcome]?: { kind: AssetConsent; one: WordKey; many: WordKey }
} = {
  lost: { kind: 'assets-lost', one: 'assetsConsentLost', many: 'assetsConsentLostMany' },
  unknown: {
    kind: 'assets-unknown',
    one: 'assetsConsentUnknown',
    many: 'assetsConsentUnknownMany',
  },
  open: { kind: 'assets-open', one: 'assetsConsentOpen', many: 'assetsConsentOpenMany' },
  leaves: { kind: 'assets-leaves', one: 'assetsConsentLeaves', many: 'assetsConsentLeavesMany' },
  promised: {
    kind: 'assets-promised',
    one: 'assetsConsentPromised',
    many: 'assetsConsentPromisedMany',
  },
}

function listMoved(moves: readonly AssetMoveView[]): string {
  return listAssets(moves.map(({ asset }) => asset))
}

/** Null for warnings that need no box. */
function describeConsent(warning: Warning, fee: bigint | null): string | null {
  switch (warning.kind) {
    case 'looks-like':
      return words('warningLooksLikeConsent')
    case 'blank-signature':
      return words('warningBlankConsent')
    case 'unasked-sighash':
      return words('warningUnaskedConsent')
    case 'one-sided-items':
      return words('warningConsentOf', {
        place: listIndexes(placesOfItems(warning.items)),
        text: describeOneSided(BigInt(warning.worst)),
      })
    case 'burned-sats':
      return words('warningBurnedConsent', { amount: nameTwice(BigInt(warning.sats)) })
    case 'large-postage':
      return words('warningPostageConsent', { amount: nameTwice(BigInt(warning.sats)) })
    case 'unchecked-coins':
      return words('warningUncheckedConsent', {
        inputs: nameIndexes('warningUncheckedInputs', warning.inputs),
      })
    case 'open-signature':
      return isCostly(warning) ? describeWorst(BigInt(warning.worst), CONSENTS) : null
    case 'high-fee':
      if (fee === null) return words('warningHighFeeConsentUnknown')
      return warning.percent === null
        ? words('warningHighFeeConsent', { fee: nameSats(fee) })
        : words('warningHighFeeConsentShare', {
            fee: nameSats(fee),
            percent: formatFeeRate(warning.percent),
          })
    default:
      return null
  }
}

/** Assets that leave besides sats have a box of their own. */
function describeOneSided(worst: bigint): string {
  return worst < 0n
    ? words('batchOneSidedConsentPay', { amount: nameTwice(worst) })
    : words('batchOneSidedConsentNothing')
}

const CONSENTS: WorstWords = {
  pays: 'warningOpenConsentPay',
  gets: 'warningOpenConsentGet',
  nothing: 'warningOpenConsentNothing',
}

/** Words for an amount that is paid, received, or nothing. */
export type WorstWords = { pays: WordKey; gets: WordKey; nothing: WordKey }

/** The least that the person can end up with, as a sentence: what is paid, received, or nothing. Never a signed number. */
export function describeWorst(worst: bigint, told: WorstWords): string {
  if (worst === 0n) return words(told.nothing)
  return words(worst < 0n ? told.pays : told.gets, { amount: nameTwice(worst) })
}

const MANY: { [kind in Warning['kind']]?: WordKey } = {
  'blank-signature': 'warningBlankConsentMany',
  'open-signature': 'warningOpenConsentMany',
  'looks-like': 'warningLooksLikeConsentMany',
  'burned-sats': 'warningBurnedConsentMany',
  'large-postage': 'warningPostageConsentMany',
  'unchecked-coins': 'warningUncheckedConsentMany',
  'unasked-sighash': 'warningUnaskedConsentMany',
}

/** One danger by its place in the list, several by their number. */
function joinDangers(dangers: readonly Danger[]): string {
  const [first] = dangers
  if (first === undefined) return ''
  const places = new Set(dangers.map(({ index }) => index))
  const count = places.size
  if (count === 1) {
    const place = words('psbtPlace', { index: first.index + 1 })
    return words('warningConsentOf', { place, text: first.text })
  }
  const asset = Object.values(ASSET_CONSENTS).find(({ kind }) => kind === first.kind)
  if (asset) return words(asset.many, { count, what: listMoved(dangers.flatMap(d => d.moves)) })
  const many = Object.entries(MANY).find(([kind]) => kind === first.kind)?.[1]
  if (many) return words(many, { count })
  const known = dangers.flatMap(({ fee }) => (fee === null ? [] : [fee]))
  if (known.length < count) return words('warningHighFeeConsentManyUnknown', { count })
  const fee = nameSats(known.reduce((sum, part) => sum + part, 0n))
  return words('warningHighFeeConsentMany', { count, fee })
}
