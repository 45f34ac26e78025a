import type { Warning } from '../../background/ui-methods/payment-views.ts'
import { formatFeeRate, nameSats, nameTwice } from '../ui/btc-digits.ts'
import { type WordKey, words } from '../words.ts'

/** What is approved: one transaction, or one of several. */
export type Subject = { warnings: readonly Warning[]; fee: bigint | null }

/** Something that has to be confirmed beside approving. */
export type Consent = { kind: Warning['kind']; text: string }

/** A danger of one transaction; its figures that can hurt are spelled again. */
type Danger = Consent & { index: number; fee: bigint | null }

/** The dangers that need a second confirmation; those of one kind in several transactions are confirmed together, and those that only all together have before. */
export function listConsents(
  subjects: readonly Subject[],
  together: readonly Warning[] = [],
): Consent[] {
  if (together.length > 0)
    return [...listConsents([{ warnings: together, fee: null }]), ...listConsents(subjects)]
  const dangers = subjects.flatMap(({ warnings, fee }, index) =>
    warnings.flatMap((warning): Danger[] => {
      const text = describeConsent(warning, fee)
      return text === null ? [] : [{ index, kind: warning.kind, text, fee }]
    }),
  )
  if (subjects.length < 2) {
    const texts = new Map(dangers.map(({ kind, text }) => [text, kind]))
    return [...texts].map(([text, kind]) => ({ kind, text }))
  }
  const kinds = [...new Set(dangers.map(({ kind }) => kind))]
  return kinds.map(kind => ({ kind, text: joinDangers(dangers.filter(d => d.kind === kind)) }))
}

/** Whether others can use the signature in a way that is worse than what is drawn. */
export function isCostly(warning: Warning & { kind: 'open-signature' }): boolean {
  return BigInt(warning.worst) < BigInt(warning.drawn)
}

/** Whether a person has to look into it, be it that a box asks for more. */
export function needsLook({ warnings, fee }: Subject): boolean {
  return warnings.some(
    warning => LOOKED_AT.includes(warning.kind) || describeConsent(warning, fee) !== null,
  )
}

const LOOKED_AT: readonly Warning['kind'][] = [
  'bad-signature',
  'shared-inputs',
  'unknown-outputs',
  'from-dust',
]

/** Null for warnings that need no box. */
function describeConsent(warning: Warning, fee: bigint | null): string | null {
  switch (warning.kind) {
    case 'looks-like':
      return words('warningLooksLikeConsent')
    case 'blank-signature':
      return words('warningBlankConsent')
    case 'burned-sats':
      return words('warningBurnedConsent', { amount: nameTwice(BigInt(warning.sats)) })
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

const CONSENTS: WorstWords = {
  pays: 'warningOpenConsentPay',
  gets: 'warningOpenConsentGet',
  nothing: 'warningOpenConsentNothing',
}

/** How an outcome is told, by its sign. */
export type WorstWords = { pays: WordKey; gets: WordKey; nothing: WordKey }

/** The least that one can end up with as a sentence, never with a sign: it is paid, received, or nothing. */
export function describeWorst(worst: bigint, told: WorstWords): string {
  if (worst === 0n) return words(told.nothing)
  return words(worst < 0n ? told.pays : told.gets, { amount: nameTwice(worst) })
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
  switch (first.kind) {
    case 'blank-signature':
      return words('warningBlankConsentMany', { count })
    case 'open-signature':
      return words('warningOpenConsentMany', { count })
    case 'looks-like':
      return words('warningLooksLikeConsentMany', { count })
    case 'burned-sats':
      return words('warningBurnedConsentMany', { count })
    default: {
      const known = dangers.flatMap(({ fee }) => (fee === null ? [] : [fee]))
      if (known.length < count) return words('warningHighFeeConsentManyUnknown', { count })
      const fee = nameSats(known.reduce((sum, part) => sum + part, 0n))
      return words('warningHighFeeConsentMany', { count, fee })
    }
  }
}
