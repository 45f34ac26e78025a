import type { BlockRange } from '../../../background/views/etching-views.ts'
import type { EtchingDraft, InscribeItem } from '../../../background/views/inscribe-views.ts'
import type { FeeRatesView } from '../../../background/views/payment-views.ts'
import { toHex } from '../../../bitcoin/bytes.ts'
import { InvalidRuneAmountError, parseRuneAmount } from '../../../ordinals/runes/rune-amount.ts'
import { parseRuneName } from '../../../ordinals/runes/rune-name.ts'
import { isReserved } from '../../../ordinals/runes/rune-unlock.ts'
import { DEFAULT_FEE, type FeeForm, parseFeeRateText } from '../../forms/fee-form.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { cleanLabel } from '../../ui/text/label.ts'
import { plainNumber } from '../../ui/text/typed-number.ts'

/** A file that is inscribed with the rune. */
export type EtchFile = { name: string; contentType: string; bytes: Uint8Array }

/** What the person has typed and chosen, as typed. */
export type EtchForm = FeeForm & {
  name: string
  symbol: string
  divisibility: string
  premine: string
  isMintable: boolean
  /** Of one mint, and how many there are. */
  amount: string
  cap: string
  /** Whether minting has a first and a last block, and how these are counted. */
  limits: 'none' | 'height' | 'offset'
  start: string
  end: string
  turbo: boolean
  inscribes: 'nothing' | 'text' | 'file'
  text: string
  file: EtchFile | null
  label: string
}

export const EMPTY_ETCH_FORM: EtchForm = {
  ...DEFAULT_FEE,
  ...{ name: '', symbol: '', divisibility: '0', premine: '' },
  ...{ isMintable: false, amount: '', cap: '', limits: 'none', start: '', end: '', turbo: false },
  ...{ inscribes: 'nothing', text: '', file: null, label: '' },
}

type Field =
  | 'name'
  | 'symbol'
  | 'divisibility'
  | 'premine'
  | 'amount'
  | 'cap'
  | 'start'
  | 'end'
  | 'content'

/** What is wrong with a field, in words; null for nothing. */
export type EtchErrors = { [field in Field]: string | null }

/** Letters of a rune's name, and bytes of content that about fit into a standard transaction. */
export const LONGEST_NAME = 55
export const MOST_BYTES = 395_000

const POSTAGE = 546
const MAX_DIVISIBILITY = 38
const U128 = 2n ** 128n - 1n

/** A name as it is typed: letters become capitals, what stands between words becomes •. */
export function cleanName(typed: string): string {
  return typed.toUpperCase().replace(/[ .·_-]/g, '•')
}

/** The draft that the form means, or null with all that stands against it. */
export function parseEtchForm(
  form: EtchForm,
  rates: FeeRatesView | null,
): { draft: EtchingDraft | null; errors: EtchErrors } {
  const feeRate = parseFeeRateText(form, rates)
  const divisibility = readWhole(form.divisibility)
  const decimals = divisibility !== null && divisibility <= MAX_DIVISIBILITY ? divisibility : null
  // How large an amount is cannot be told while its decimals are not known.
  const readRunes = (typed: string) =>
    decimals === null ? { units: 1n } : readAmount(typed, decimals)
  const premine = readRunes(form.premine)
  const amount = readRunes(form.amount)
  const cap = readAmount(form.cap, 0)
  const isLimited = form.isMintable && form.limits !== 'none'
  const start = readWhole(form.start)
  const end = readWhole(form.end)
  const errors: EtchErrors = {
    name: explainName(form.name),
    symbol: isSymbol(form.symbol) ? null : words('etchSymbolInvalid'),
    divisibility: decimals === null ? words('etchDecimalsInvalid') : null,
    premine: explainPremine(form, premine),
    amount: form.isMintable ? explainMint(amount) : null,
    cap: form.isMintable ? explainMint(cap) : null,
    start:
      isLimited && form.start.trim() !== '' && start === null ? words('etchBlockInvalid') : null,
    end: isLimited ? explainEnd(form, start, end) : null,
    content: explainContent(form),
  }
  const supply = unitsOf(premine) + (form.isMintable ? unitsOf(amount) * unitsOf(cap) : 0n)
  if (supply > U128) errors[form.isMintable ? 'cap' : 'premine'] ??= words('runeAmountTooLarge')
  const isWrong = feeRate === null || Object.values(errors).some(error => error !== null)
  if (isWrong || decimals === null) return { draft: null, errors }
  const range: BlockRange = { start, end }
  const free: BlockRange = { start: null, end: null }
  return {
    errors,
    draft: {
      name: form.name,
      symbol: form.symbol,
      divisibility: decimals,
      premine: plainNumber(form.premine),
      terms: form.isMintable
        ? {
            amount: plainNumber(form.amount),
            cap: plainNumber(form.cap),
            height: form.limits === 'height' ? range : free,
            offset: form.limits === 'offset' ? range : free,
          }
        : null,
      turbo: form.turbo,
      inscription: toItem(form),
      postage: POSTAGE,
      feeRate,
      label: cleanLabel(form.label),
    },
  }
}

function toItem({ inscribes, text, file }: EtchForm): InscribeItem | null {
  if (inscribes === 'text') return { kind: 'text', text }
  if (inscribes === 'nothing' || file === null) return null
  const { contentType, bytes } = file
  return { kind: 'file', contentType, encoding: null, hex: toHex(bytes) }
}

function explainName(name: string): string | null {
  if (name === '') return words('etchNameMissing')
  const parsed = parseRuneName(name)
  if (parsed === null) return words('etchNameInvalid')
  return isReserved(parsed.rune) ? words('etchNameReserved') : null
}

/** One character that can be seen. */
function isSymbol(text: string): boolean {
  return /^[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]$/u.test(text)
}

type Amount = { units: bigint } | { error: string }

function explainPremine({ isMintable }: EtchForm, premine: Amount): string | null {
  if ('error' in premine) return premine.error
  return !isMintable && premine.units === 0n ? words('etchNothing') : null
}

function explainMint(amount: Amount): string | null {
  if ('error' in amount) return amount.error
  return amount.units === 0n ? words('brc20AmountMissing') : null
}

function explainEnd(form: EtchForm, start: number | null, end: number | null): string | null {
  if (form.end.trim() === '') return form.start.trim() === '' ? words('etchBlocksMissing') : null
  if (end === null) return words('etchBlockInvalid')
  return end <= (start ?? 0) ? words('etchEndInvalid') : null
}

function explainContent({ inscribes, text, file }: EtchForm): string | null {
  if (inscribes === 'text') {
    if (text === '') return words('inscribeFormTextMissing')
    return text.isWellFormed() ? null : words('commonBrokenCharacter')
  }
  if (inscribes === 'file' && file === null) return words('etchFileMissing')
  return null
}

/** Nothing where the text is empty or zero. */
function readAmount(typed: string, divisibility: number): Amount {
  const text = plainNumber(typed)
  if (/^0*(?:\.0*)?$/.test(text)) return { units: 0n }
  // It means thousands to some people and decimals to others.
  if (text.includes(',')) return { error: words('sendAmountComma') }
  try {
    return { units: parseRuneAmount(text, divisibility) }
  } catch (error) {
    if (!(error instanceof InvalidRuneAmountError)) throw error
    return { error: words(AMOUNT_WORDS[error.reason]) }
  }
}

const AMOUNT_WORDS: { [reason in InvalidRuneAmountError['reason']]: WordKey } = {
  malformed: 'brc20AmountInvalid',
  zero: 'brc20AmountZero',
  'too-precise': 'etchTooPrecise',
  'too-large': 'runeAmountTooLarge',
}

function unitsOf(amount: Amount): bigint {
  return 'units' in amount ? amount.units : 0n
}

function readWhole(typed: string): number | null {
  const text = plainNumber(typed)
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}
