import type { SigningAccountView } from '../../../background/views/account-views.ts'
import type { InscribeDraft, InscribeItem } from '../../../background/views/inscribe-views.ts'
import type { FeeRatesView } from '../../../background/views/payment-views.ts'
import { parseAddress } from '../../../bitcoin/address.ts'
import { toHex } from '../../../bitcoin/bytes.ts'
import { dustLimit } from '../../../bitcoin/dust.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { MAX_STANDARD_WEIGHT } from '../../../bitcoin/transaction-size.ts'
import { parseInscriptionId } from '../../../ordinals/inscription-id.ts'
import { cleanLabel, type FeeChoice, parseFeeRateText } from '../../forms/send-form.ts'
import { words } from '../../platform/words.ts'
import { formatSize } from '../../ui/text/size-text.ts'
import { weighReveal } from './inscribe-size.ts'

/** One inscription to be, as typed or chosen; `key` tells it apart from all others. */
export type ItemForm = { key: string } & (
  | { kind: 'text'; text: string }
  /** `packed` are its bytes compressed; null where that makes them no smaller. */
  | {
      kind: 'file'
      name: string
      contentType: string
      bytes: Uint8Array
      packed: Uint8Array | null
    }
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
  /** JSON; empty for none. */
  metadata: string
  /** Whether files are inscribed compressed where that makes them smaller. */
  isPacked: boolean
  label: string
}

export type InscribeErrors = {
  /** In the order of the items. */
  items: (string | null)[]
  /** What is wrong with all of them together. */
  together: string | null
  customRate: string | null
  parent: string | null
  metadata: string | null
}

/** Nodes relay so many vB of transactions that depend on each other; a little is left for the commit. */
const MAX_TOGETHER = 4 * 100_000

export function emptyInscribeForm(): InscribeForm {
  return {
    ...{ items: [], postage: '546', fee: 'halfHour', customRate: '' },
    ...{ parent: '', metadata: '', isPacked: false, label: '' },
  }
}

/** Sats that an inscription's output of this account may have. */
export function listPostages({ address }: SigningAccountView, network: Network): Postage[] {
  const least = dustLimit(parseAddress(address, network).scriptPubKey)
  return (['330', '546', '10000'] as const).filter(sats => BigInt(sats) >= least)
}

/** The draft that the form means, or null with all that stands against it. */
export function parseInscribeForm(
  form: InscribeForm,
  rates: FeeRatesView | null,
): { draft: InscribeDraft | null; errors: InscribeErrors } {
  const rate = parseFeeRateText(form, rates)
  const errors: InscribeErrors = {
    items: form.items.map(item => explainItem(item, form)),
    together: explainTogether(form),
    customRate: form.fee === 'custom' && rate === null ? words('sendRateInvalid') : null,
    parent: form.parent.trim() === '' ? null : explainId(form.parent),
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
  if (item.kind === 'delegate') return explainId(item.id)
  return weighReveal(item, form) > MAX_STANDARD_WEIGHT
    ? words('inscribeFormTooLarge', { most: formatSize(MOST_BYTES) })
    : null
}

/** About what fits: the network counts the weight of the whole transaction. */
export const MOST_BYTES = 396_000

function explainId(id: string): string | null {
  return parseInscriptionId(id.trim()) ? null : words('inscribeFormIdInvalid')
}

/** As long as the background takes. */
export const LONGEST_METADATA = 20_000

function explainMetadata(metadata: string): string | null {
  if (metadata.trim() === '') return null
  if (!metadata.isWellFormed()) return words('commonBrokenCharacter')
  try {
    JSON.parse(metadata)
    return null
  } catch {
    return words('inscribeFormMetadataInvalid')
  }
}

function explainTogether(form: InscribeForm): string | null {
  const { items } = form
  const weight = items.reduce((sum, item) => sum + weighReveal(item, form), 0)
  return items.length > 1 && weight > MAX_TOGETHER
    ? words('inscribeFormTooLargeTogether', { most: formatSize(MOST_BYTES) })
    : null
}

/** Bytes that compressing files saves; 0 where it saves none. */
export function countSaved({ items }: Pick<InscribeForm, 'items'>): number {
  return items.reduce(
    (sum, item) =>
      sum + (item.kind === 'file' && item.packed ? item.bytes.length - item.packed.length : 0),
    0,
  )
}
