import { useEffect, useState } from 'react'
import { loadDraft, saveDraft } from '../../rpc.ts'
import { emptyInscribeForm, type InscribeForm } from './inscribe-form.ts'

type Draft = { subject: string; form: InscribeForm }

/** With its files, which are too large for the browser's memory of a session; a lock does not lose them. */
let last: Draft | null = null

/**
 * The form as the person left it; null until it is read. Files are kept while this page is there, the rest while the browser
 * runs. `subject` is whose it is: what was written for one account on one network is not shown for another.
 */
export function useInscribeDraft(subject: string) {
  const [form, setForm] = useState(last?.subject === subject ? last.form : null)
  const store = (next: InscribeForm | null) => {
    last = next && { subject, form: next }
    const kept = next && { ...next, items: next.items.filter(({ kind }) => kind !== 'file') }
    // A draft that cannot be kept is still on the screen.
    void saveDraft('draft.inscribe', kept && { subject, form: kept }).catch(() => {})
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the screen appears
  useEffect(() => {
    if (form !== null) return
    loadDraft('draft.inscribe').then(
      kept => setForm(isDraft(kept) && kept.subject === subject ? kept.form : emptyInscribeForm()),
      () => setForm(emptyInscribeForm()),
    )
  }, [])
  return {
    form,
    change(next: InscribeForm) {
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
