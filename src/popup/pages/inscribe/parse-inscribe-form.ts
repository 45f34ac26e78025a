import type { InscribeDraft, InscribeItem } from '../../../background/views/inscribe-views.ts'
import type { FeeRatesView } from '../../../background/views/payment-views.ts'
import { toHex } from '../../../bitcoin/bytes.ts'
import { MAX_STANDARD_WEIGHT } from '../../../bitcoin/transaction-size.ts'
import { explainInscriptionId, explainMetadata } from '../../forms/explain-inscribing.ts'
import { parseFeeRateText } from '../../forms/fee-form.ts'
import { words } from '../../platform/words.ts'
import { cleanLabel } from '../../ui/text/label.ts'
import { formatSize } from '../../ui/text/size-text.ts'
import type { InscribeForm, ItemForm } from './inscribe-form.ts'
import { weighItem } from './inscribe-size.ts'

export type InscribeErrors = {
  /** In the order of the items. */
  items: (string | null)[]
  /** What is wrong with all of them together. */
  together: string | null
  parent: string | null
  metadata: string | null
}

/** Weight of all reveals together: Bitcoin Core relays at most 101,000 vB of transactions that depend on each other, and the commit needs a little. */
const MAX_TOGETHER = 4 * 100_000

/** The draft that the form means, or null with all that stands against it. */
export function parseInscribeForm(
  form: InscribeForm,
  rates: FeeRatesView | null,
): { draft: InscribeDraft | null; errors: InscribeErrors } {
  const rate = parseFeeRateText(form, rates)
  const errors: InscribeErrors = {
    items: form.items.map(item => explainItem(item, form)),
    together: explainTogether(form),
    parent: form.parent.trim() === '' ? null : explainInscriptionId(form.parent),
    metadata: explainMetadata(form.metadata),
  }
  const isWrong =
    rate === null ||
    form.items.length === 0 ||
    [...errors.items, errors.together, errors.parent, errors.metadata].some(error => error !== null)
  if (isWrong) return { draft: null, errors }
  const draft = {
    items: form.items.map(item => toItem(item, form)),
    postage: Number(form.postage),
    feeRate: rate,
    parent: form.parent.trim() || null,
    metadata: form.metadata.trim() || null,
    label: cleanLabel(form.label),
  }
  return { draft, errors }
}

function toItem(item: ItemForm, form: InscribeForm): InscribeItem {
  if (item.kind === 'text') return { kind: 'text', text: item.text }
  if (item.kind === 'delegate') return { kind: 'delegate', id: item.id.trim() }
  const { contentType, packed } = item
  return form.isPacked && packed
    ? { kind: 'file', contentType, encoding: 'gzip', hex: toHex(packed) }
    : { kind: 'file', contentType, encoding: null, hex: toHex(item.bytes) }
}

function explainItem(item: ItemForm, form: InscribeForm): string | null {
  if (item.kind === 'text' && item.text === '') return words('inscribeFormTextMissing')
  // Half of a surrogate pair: pasted, or typed a moment before its other half.
  if (item.kind === 'text' && !item.text.isWellFormed()) return words('commonBrokenCharacter')
  if (item.kind === 'delegate') return explainInscriptionId(item.id)
  return weighItem(item, form) > MAX_STANDARD_WEIGHT
    ? words('inscribeFormTooLarge', { most: formatSize(MOST_BYTES) })
    : null
}

/** Bytes of content that about fit into a standard transaction of 400,000 weight units. */
export const MOST_BYTES = 396_000

/** Characters of metadata that the background accepts. */
export const LONGEST_METADATA = 20_000

function explainTogether(form: InscribeForm): string | null {
  const { items } = form
  const weight = items.reduce((sum, item) => sum + weighItem(item, form), 0)
  return items.length > 1 && weight > MAX_TOGETHER
    ? words('inscribeFormTooLargeTogether', { most: formatSize(MOST_BYTES) })
    : null
}
