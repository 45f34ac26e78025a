import type { SigningAccountView } from '../../../background/ui-methods/account-views.ts'
import type { InscribeDraft, InscribeItem } from '../../../background/ui-methods/inscribe-views.ts'
import type { FeeRatesView } from '../../../background/ui-methods/payment-views.ts'
import { parseAddress } from '../../../bitcoin/address.ts'
import { toHex } from '../../../bitcoin/bytes.ts'
import { dustLimit } from '../../../bitcoin/dust.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { MAX_STANDARD_WEIGHT } from '../../../bitcoin/transaction-size.ts'
import { parseInscriptionId } from '../../../ordinals/inscription-id.ts'
import { formatSize } from '../../ui/size-text.ts'
import { words } from '../../words.ts'
import { cleanLabel, type FeeChoice, readFeeRate } from '../send/send-form.ts'
import { weighReveal } from './inscribe-size.ts'

/** One inscription to be, as typed or chosen; `key` tells it apart from all others. */
export type ItemForm = { key: string } & (
  | { kind: 'text'; text: string }
  | { kind: 'file'; name: string; contentType: string; bytes: Uint8Array }
  | { kind: 'delegate'; id: string }
)

export type Postage = '330' | '546' | '10000'

/** What the person has typed and chosen; public data only. */
export type InscribeForm = {
  items: ItemForm[]
  postage: Postage
  fee: FeeChoice
  customRate: string
  /** Id of an own inscription; empty for none. */
  parent: string
  label: string
}

export type InscribeErrors = {
  /** In the order of the items. */
  items: (string | null)[]
  /** What is wrong with all of them together. */
  together: string | null
  customRate: string | null
  parent: string | null
}

/** Nodes relay a chain of 25 unconfirmed transactions: the commit and so many reveals. */
export const MOST_ITEMS = 24

/** Nodes relay so many vB of transactions that depend on each other; a little is left for the commit. */
const MAX_TOGETHER = 4 * 100_000

export function emptyInscribeForm(): InscribeForm {
  return { items: [], postage: '546', fee: 'halfHour', customRate: '', parent: '', label: '' }
}

/** Sats that an inscription's output of this account may have. */
export function listPostages({ address }: SigningAccountView, network: Network): Postage[] {
  const least = dustLimit(parseAddress(address, network).scriptPubKey)
  return (['330', '546', '10000'] as const).filter(sats => BigInt(sats) >= least)
}

/** The draft that the form means, or null with all that stands against it. */
export function readInscribeForm(
  form: InscribeForm,
  rates: FeeRatesView | null,
): { draft: InscribeDraft | null; errors: InscribeErrors } {
  const rate = readFeeRate(form, rates)
  const errors: InscribeErrors = {
    items: form.items.map(explainItem),
    together: explainTogether(form),
    customRate: form.fee === 'custom' && rate === null ? words('sendRateInvalid') : null,
    parent: form.parent.trim() === '' ? null : explainId(form.parent),
  }
  const isWrong =
    rate === null ||
    form.items.length === 0 ||
    [...errors.items, errors.together, errors.parent].some(error => error !== null)
  if (isWrong) return { draft: null, errors }
  const draft = {
    items: form.items.map(toItem),
    postage: Number(form.postage),
    feeRate: rate,
    parent: form.parent.trim() || null,
    label: cleanLabel(form.label),
  }
  return { draft, errors }
}

function toItem(item: ItemForm): InscribeItem {
  if (item.kind === 'text') return { kind: 'text', text: item.text }
  if (item.kind === 'delegate') return { kind: 'delegate', id: item.id.trim() }
  return { kind: 'file', contentType: item.contentType, hex: toHex(item.bytes) }
}

function explainItem(item: ItemForm): string | null {
  if (item.kind === 'text' && item.text === '') return words('inscribeFormTextMissing')
  if (item.kind === 'delegate') return explainId(item.id)
  return weighReveal(item) > MAX_STANDARD_WEIGHT
    ? words('inscribeFormTooLarge', { most: formatSize(MOST_BYTES) })
    : null
}

/** About what fits: the network counts the weight of the whole transaction. */
export const MOST_BYTES = 396_000

function explainId(id: string): string | null {
  return parseInscriptionId(id.trim()) ? null : words('inscribeFormIdInvalid')
}

function explainTogether({ items }: InscribeForm): string | null {
  const weight = items.reduce((sum, item) => sum + weighReveal(item), 0)
  return items.length > 1 && weight > MAX_TOGETHER
    ? words('inscribeFormTooLargeTogether', { most: formatSize(MOST_BYTES) })
    : null
}
