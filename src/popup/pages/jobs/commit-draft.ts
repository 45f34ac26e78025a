import type { CommitRefundDraft, InscribeItem } from '../../../background/views/inscribe-views.ts'
import { parseRuneName } from '../../../ordinals/runes/rune-name.ts'
import { explainInscriptionId, explainMetadata } from '../../forms/explain-inscribing.ts'
import { words } from '../../platform/words.ts'

/** What a person tells of a commit, as it is typed. */
export type CommitFormFields = {
  txid: string
  text: string
  items: readonly InscribeItem[]
  hashes: string
  parent: string
  metadata: string
  rune: string
}

/** In the order of the fields; null where nothing is wrong. */
export type CommitFormErrors = {
  [field in 'txid' | 'rune' | 'parent' | 'metadata' | 'hashes']: string | null
}

const HASH = /^[0-9a-f]{64}$/i

/** What is to be looked for, and all that stands against it. `isEmpty` where nothing says what was to be inscribed. */
export function parseCommitForm({
  txid,
  text,
  items,
  hashes,
  parent,
  metadata,
  rune,
}: CommitFormFields): {
  draft: CommitRefundDraft
  errors: CommitFormErrors
  isEmpty: boolean
} {
  const leafHashes = hashes.split(/[\s,]+/).filter(hash => hash !== '')
  const draft: CommitRefundDraft = {
    txid: emptyToNull(txid)?.toLowerCase() ?? null,
    items: [...(text === '' ? [] : [{ kind: 'text' as const, text }]), ...items],
    leafHashes,
    feeRate: null,
    parent: emptyToNull(parent),
    metadata: emptyToNull(metadata),
    rune: emptyToNull(rune),
  }
  const isHash = (hash: string) => HASH.test(hash)
  const errors: CommitFormErrors = {
    txid: draft.txid === null || isHash(draft.txid) ? null : words('commitRefundHashInvalid'),
    rune: draft.rune === null || parseRuneName(draft.rune) ? null : words('etchNameInvalid'),
    parent: draft.parent === null ? null : explainInscriptionId(draft.parent),
    metadata: explainMetadata(metadata),
    hashes: leafHashes.every(isHash) ? null : words('commitRefundHashInvalid'),
  }
  const isEmpty = draft.items.length + leafHashes.length === 0 && draft.rune === null
  return { draft, errors, isEmpty }
}

function emptyToNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
