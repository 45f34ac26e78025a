import { useDraft } from '../../state/use-draft.ts'
import { emptyInscribeForm, type InscribeForm } from './inscribe-form.ts'

/** The last form with its files, which are too large for the browser's session storage; it survives a lock. */
let last: { subject: string; form: InscribeForm } | null = null

/**
 * The form as the person left it; null until it is read. Files are kept while this page is there, the rest while the browser
 * runs. `subject` is whose it is, as of any draft.
 */
export function useInscribeDraft(subject: string) {
  const { form, change, forget } = useDraft({
    key: 'draft.inscribe',
    subject,
    first: last?.subject === subject ? last.form : null,
    empty: emptyInscribeForm,
    kept: withoutFiles,
  })
  return {
    form,
    change(next: InscribeForm) {
      last = { subject, form: next }
      change(next)
    },
    forget() {
      last = null
      forget()
    },
  }
}

function withoutFiles(form: InscribeForm): InscribeForm {
  return { ...form, items: form.items.filter(({ kind }) => kind !== 'file') }
}
