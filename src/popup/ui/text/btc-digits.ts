import { formatBtc } from '../../../bitcoin/amount.ts'
import { countWords, currentLanguage, isolate, words } from '../../platform/words.ts'

/** The digits of an amount in BTC, cut where the eye needs it: 0.01 020 400, 20 999 999.97 690 000. */
export type BtcDigits = {
  sign: '' | '−'
  /** "0.01", "020", "400": joined they are the plain number with eight decimals. */
  groups: string[]
  /** How many characters at the start carry no value ("0.00 000 " of 0.00 000 546). */
  leading: number
}

/** Cuts sats into the digit groups of a BTC amount. The point stays a point in every language: it is what other wallets take. */
export function groupBtc(sats: bigint): BtcDigits {
  const text = formatBtc(sats < 0n ? -sats : sats)
  const leading = /^0\.0*/.exec(text)?.[0].length ?? 0
  const thousands = text
    .slice(0, -6)
    .replace(/\B(?=(?:\d{3})+\.)/g, ' ')
    .split(' ')
  const groups = [...thousands, text.slice(-6, -3), text.slice(-3)]
  return { sign: sats < 0n ? '−' : '', groups, leading }
}

/** BTC without trailing zeros, for sentences: 1020000n is "0.0102". */
export function formatShortBtc(sats: bigint): string {
  const { sign, groups } = groupBtc(sats)
  return sign + groups.join('').replace(/\.?0+$/, '')
}

/** "0.0102 BTC", in this order in every language. */
export function nameBtc(sats: bigint): string {
  return isolate(`${formatShortBtc(sats)} BTC`)
}

/** Sats with the language's mark between thousands: "1,020,400". */
export function formatSats(sats: bigint): string {
  const digits = (sats < 0n ? -sats : sats).toLocaleString(currentLanguage())
  return sats < 0n ? `−${digits}` : digits
}

/** "1 sat", "1,020 sats". */
export function nameSats(sats: bigint): string {
  const count = Number(sats < 0n ? -sats : sats)
  return countWords('commonSats', count, { count: formatSats(sats) })
}

/** An amount in a sentence: coins of 10,000 sats or less in sats, where BTC would be zeros to count; else "0.0102 BTC". */
export function nameValue(sats: bigint): string {
  const size = sats < 0n ? -sats : sats
  return size > 0n && size <= 10_000n ? nameSats(size) : nameBtc(size)
}

/** What a coin holds; small ones in sats, for the same reason, up to where people are used to BTC. */
export function nameCoin(sats: bigint): string {
  return sats < 100_000n ? nameSats(sats) : nameBtc(sats)
}

/** An amount that can hurt, spelled in both units: "0.0102 BTC (1,020,000 sats)". */
export function nameTwice(sats: bigint): string {
  const size = sats < 0n ? -sats : sats
  return words('psbtTwice', { btc: formatShortBtc(size), sats: nameSats(size) })
}

/** Share of `part` in `whole` in plain words, never rounded down to nothing: "0.15 %", "under 0.01 %". */
export function formatShare(part: bigint, whole: bigint): string {
  if (whole <= 0n) return '—'
  const hundredths = (part * 10_000n + whole / 2n) / whole
  if (part > 0n && hundredths === 0n) {
    return words('commonShareBelow', { share: formatPercent(1) })
  }
  return formatPercent(Number(hundredths))
}

/** A fee rate in sat/vB with at most two decimals, in the language's spelling. */
export function formatFeeRate(feeRate: number): string {
  return feeRate.toLocaleString(currentLanguage(), { maximumFractionDigits: 2 })
}

/** What sats are worth in a currency, such as "$1,020.40"; `perBitcoin` is the price of one bitcoin. */
export function formatFiat(sats: bigint, price: { currency: string; perBitcoin: number }): string {
  // 21 million BTC times a price is beyond whole numbers, and a worth to 15 digits is exact enough.
  return ((Number(sats) / 1e8) * price.perBitcoin).toLocaleString(currentLanguage(), {
    style: 'currency',
    currency: price.currency,
  })
}

function formatPercent(hundredths: number): string {
  const language = currentLanguage()
  const text = (hundredths / 10_000).toLocaleString(language, {
    style: 'percent',
    maximumFractionDigits: 2,
  })
  return language === 'en' ? text.replace('%', '\u00a0%') : text
}
