import { useEffect, useState } from 'react'
import { loadDraft, saveDraft } from '../../rpc.ts'
import { emptyForm, type SendForm } from './send-form.ts'

type Draft = { subject: string; form: SendForm }

/**
 * The form as the person left it, kept while the browser runs; null until it is read. `subject` is whose it is: what was
 * written for one account on one network is not shown for another. `first` goes before what was kept.
 */
export function useDraft(subject: string, first: SendForm | null) {
  const [form, setForm] = useState<SendForm | null>(first)
  const store = (next: SendForm | null) =>
    // A draft that cannot be kept is still on the screen.
    void saveDraft('draft', next && ({ subject, form: next } satisfies Draft)).catch(() => {})
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the screen appears
  useEffect(() => {
    if (first !== null) return store(first)
    loadDraft('draft').then(
      kept => setForm(isDraft(kept) && kept.subject === subject ? kept.form : emptyForm()),
      () => setForm(emptyForm()),
    )
  }, [])
  return {
    form,
    change(next: SendForm) {
      setForm(next)
      store(next)
    },
    forget() {
      store(null)
    },
  }
}

/** Written by this page in the same version: the browser empties the storage at an update. */
function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && 'subject' in value && 'form' in value
}
