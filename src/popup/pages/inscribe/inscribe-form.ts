import type { SigningAccountView } from '../../../background/views/account-views.ts'
import { parseAddress } from '../../../bitcoin/address.ts'
import { dustLimit } from '../../../bitcoin/dust.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { DEFAULT_FEE, type FeeForm } from '../../forms/fee-form.ts'

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
export type InscribeForm = FeeForm & {
  items: ItemForm[]
  postage: Postage
  /** Id of an own inscription; empty for none. */
  parent: string
  /** JSON; empty for none. */
  metadata: string
  /** Whether files are inscribed compressed where that makes them smaller. */
  isPacked: boolean
  label: string
}

/** Nothing chosen yet, at the usual postage and fee rate. */
export function emptyInscribeForm(): InscribeForm {
  return {
    items: [],
    postage: '546',
    ...DEFAULT_FEE,
    parent: '',
    metadata: '',
    isPacked: false,
    label: '',
  }
}

/** Sats that an inscription's output of this account may have. */
export function listPostages({ address }: SigningAccountView, network: Network): Postage[] {
  const least = dustLimit(parseAddress(address, network).scriptPubKey)
  return (['330', '546', '10000'] as const).filter(sats => BigInt(sats) >= least)
}

/** Bytes that compressing the files saves. */
export function countSaved({ items }: Pick<InscribeForm, 'items'>): number {
  return items.reduce(
    (sum, item) =>
      sum + (item.kind === 'file' && item.packed ? item.bytes.length - item.packed.length : 0),
    0,
  )
}
