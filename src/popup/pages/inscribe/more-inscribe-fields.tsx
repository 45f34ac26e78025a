import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { SigningAccountView } from '../../../background/ui-methods/account-views.ts'
import type { WalletState } from '../../../background/ui-methods/ui-methods.ts'
import { nameSats } from '../../ui/btc-digits.ts'
import { TextField } from '../../ui/field.tsx'
import { Segments } from '../../ui/segments.tsx'
import { type WordKey, words } from '../../words.ts'
import { LONGEST_LABEL } from '../send/send-form.ts'
import { IdField } from './id-field.tsx'
import { type InscribeForm, listPostages, type Postage } from './inscribe-form.ts'

type MoreInscribeFieldsProps = {
  form: InscribeForm
  state: WalletState
  account: SigningAccountView
  /** What is wrong with the parent. */
  error: string | null
  tried: boolean
  onChange: (next: Partial<InscribeForm>) => void
}

const POSTAGE_NOTES: { [postage in Postage]: WordKey } = {
  330: 'inscribeFormPostageLeast',
  546: 'inscribeFormPostageUsual',
  10000: 'inscribeFormPostageLarge',
}

/** What most inscriptions do not need: another postage, a parent, a note of one's own. */
export function MoreInscribeFields(props: MoreInscribeFieldsProps) {
  const { form, state, account, onChange } = props
  // Open at first where something is in it: nothing that counts is out of sight.
  const [isUsed] = useState(form.parent !== '' || form.label !== '' || form.postage !== '546')
  return (
    <details className="more" open={isUsed}>
      <summary>
        <ChevronRight size={16} className="turn" aria-hidden />
        {words('sendMore')}
      </summary>
      <div className="more-fields">
        <div className="field">
          <span className="label">{words('splitPostage')}</span>
          <Segments
            label={words('splitPostage')}
            value={form.postage}
            options={listPostages(account, state.network).map(value => ({
              value,
              name: nameSats(BigInt(value)),
            }))}
            onChoose={postage => onChange({ postage })}
          />
          <p className="field-note" aria-live="polite">
            {words(POSTAGE_NOTES[form.postage])}
          </p>
        </div>
        <IdField
          label={words('inscribeFormParent')}
          note={words('inscribeFormParentNote')}
          value={form.parent}
          error={props.error}
          tried={props.tried}
          state={state}
          onWrite={parent => onChange({ parent })}
        />
        <TextField
          label={words('sendLabel')}
          note={words('sendLabelNote')}
          value={form.label}
          maxLength={LONGEST_LABEL}
          onChange={event => onChange({ label: event.currentTarget.value })}
        />
      </div>
    </details>
  )
}
