import { formatBtc } from '../../bitcoin/amount.ts'

/** The digits of an amount in BTC, cut where the eye needs it: 0.01 020 400. */
export type BtcDigits = {
  sign: '' | '−'
  /** "0.01", "020", "400": joined they are the plain number with eight decimals. */
  groups: [string, string, string]
  /** How many characters at the start carry no value ("0.00 000 " of 0.00 000 546). */
  leading: number
}

/** Cuts sats into the digit groups of a BTC amount. */
export function groupBtc(sats: bigint): BtcDigits {
  const text = formatBtc(sats < 0n ? -sats : sats)
  const leading = /^0\.0*/.exec(text)?.[0].length ?? 0
  const groups: BtcDigits['groups'] = [text.slice(0, -6), text.slice(-6, -3), text.slice(-3)]
  return { sign: sats < 0n ? '−' : '', groups, leading }
}

/** BTC without trailing zeros, for sentences: 1020000n is "0.0102". */
export function formatShortBtc(sats: bigint): string {
  const { sign, groups } = groupBtc(sats)
  return sign + groups.join('').replace(/\.?0+$/, '')
}

/** Sats with commas between thousands: "1,020,400". */
export function formatSats(sats: bigint): string {
  const digits = (sats < 0n ? -sats : sats).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  return sats < 0n ? `−${digits}` : digits
}

/** "1 sat", "1,020 sats". */
export function nameSats(sats: bigint): string {
  return `${formatSats(sats)} ${sats === 1n || sats === -1n ? 'sat' : 'sats'}`
}

/** Share of `part` in `whole` in plain words, never rounded down to nothing: "0.15 %", "under 0.01 %". */
export function formatShare(part: bigint, whole: bigint): string {
  if (whole <= 0n) return '—'
  const hundredths = (part * 10_000n + whole / 2n) / whole
  if (part > 0n && hundredths === 0n) return 'under 0.01\u00a0%'
  const text = `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')}`
  return `${text.replace(/\.?0+$/, '')}\u00a0%`
}
