import { useEffect, useState } from 'react'
import { type DraftKey, loadDraft, saveDraft } from '../platform/rpc.ts'

type DraftParams<Form> = {
  key: DraftKey
  /** Whose it is: what was written for one account on one network is not shown for another. */
  subject: string
  /** Takes precedence over the stored draft; null for none. */
  first: Form | null
  empty: () => Form
  /** The part of the form that is stored; all of it unless given. Public data only. */
  kept?: (form: Form) => Form
}

/** A form as the person left it, kept while the browser runs; null until it is read. */
export function useDraft<Form>({ key, subject, first, empty, kept = all }: DraftParams<Form>) {
  const [form, setForm] = useState<Form | null>(first)
  const store = (next: Form | null) =>
    // A draft that cannot be kept is still on the screen.
    void saveDraft(key, next && { subject, form: kept(next) }).catch(() => {})
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the screen appears
  useEffect(() => {
    if (first !== null) return store(first)
    loadDraft(key).then(
      draft => setForm(isDraft<Form>(draft) && draft.subject === subject ? draft.form : empty()),
      () => setForm(empty()),
    )
  }, [])
  return {
    form,
    change(next: Form) {
      setForm(next)
      store(next)
    },
    forget() {
      store(null)
    },
  }
}

function all<Form>(form: Form): Form {
  return form
}

/** Written by the same page in the same version: the browser empties the storage at an update. */
function isDraft<Form>(value: unknown): value is { subject: string; form: Form } {
  return typeof value === 'object' && value !== null && 'subject' in value && 'form' in value
}
