import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { SigningAccountView } from '../../../background/views/account-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import formStyles from '../../forms/form.module.css'
import { WithHelp } from '../../help/help-button.tsx'
import { type WordKey, words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import fieldStyles from '../../ui/fields/field.module.css'
import { FieldNote, TextField } from '../../ui/fields/field.tsx'
import { Segments } from '../../ui/fields/segments.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import rowStyles from '../../ui/row.module.css'
import foldStyles from '../../ui/styles/fold.module.css'
import { nameSats } from '../../ui/text/btc-digits.ts'
import { LONGEST_LABEL } from '../../ui/text/label.ts'
import { formatSize } from '../../ui/text/size-text.ts'
import { IdField } from './id-field.tsx'
import styles from './inscribe.module.css'
import { countSaved, type InscribeForm, listPostages, type Postage } from './inscribe-form.ts'
import { type InscribeErrors, LONGEST_METADATA } from './parse-inscribe-form.ts'

type MoreInscribeFieldsProps = {
  form: InscribeForm
  state: WalletState
  account: SigningAccountView
  errors: Pick<InscribeErrors, 'parent' | 'metadata'>
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
  const { form, state, account, errors, tried, onChange } = props
  const saved = countSaved(form)
  // Open at first where something is filled in, so that nothing that counts is hidden.
  const [isUsed] = useState(isMoreUsed(form))
  return (
    <details className={foldStyles.fold} open={isUsed}>
      <summary>
        <ChevronRight size={16} className={foldStyles.turn} aria-hidden />
        {words('sendMore')}
      </summary>
      <div className={formStyles.moreFields}>
        <div className={fieldStyles.field}>
          <WithHelp term="postage">
            <span className={fieldStyles.label}>{words('splitPostage')}</span>
          </WithHelp>
          <Segments
            label={words('splitPostage')}
            value={form.postage}
            options={listPostages(account, state.network).map(value => ({
              value,
              name: nameSats(BigInt(value)),
            }))}
            onChoose={postage => onChange({ postage })}
          />
          <p className={fieldStyles.note} aria-live="polite">
            {words(POSTAGE_NOTES[form.postage])}
          </p>
        </div>
        <IdField
          label={words('inscribeFormParent')}
          note={words('inscribeFormParentNote')}
          value={form.parent}
          error={errors.parent}
          tried={tried}
          state={state}
          onWrite={parent => onChange({ parent })}
        />
        <MetadataField
          value={form.metadata}
          error={errors.metadata}
          tried={tried}
          onWrite={metadata => onChange({ metadata })}
        />
        {saved === 0 ? null : (
          <div className={rowStyles.rows}>
            <Switch
              label={words('inscribeFormPack')}
              note={words('inscribeFormPackNote', { saved: formatSize(saved) })}
              on={form.isPacked}
              onChange={isPacked => onChange({ isPacked })}
            />
          </div>
        )}
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

function isMoreUsed({ parent, metadata, isPacked, label, postage }: InscribeForm): boolean {
  return [parent, metadata, label].some(text => text !== '') || isPacked || postage !== '546'
}

type MetadataFieldProps = {
  value: string
  error: string | null
  /** Whether the person has tried to go on: until then, or until the field is left, it is still being written. */
  tried: boolean
  onWrite: (metadata: string) => void
}

/** JSON that each inscription says of itself. */
function MetadataField({ value, tried, onWrite, ...props }: MetadataFieldProps) {
  const id = useId()
  const [isLeft, setIsLeft] = useState(value !== '')
  const error = tried || isLeft ? props.error : null
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id}>{words('inscribeFormMetadata')}</label>
      <textarea
        id={id}
        className={classNames(fieldStyles.input, styles.text)}
        rows={2}
        value={value}
        maxLength={LONGEST_METADATA}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        onFocus={() => setIsLeft(false)}
        onBlur={() => setIsLeft(true)}
        onChange={event => onWrite(event.currentTarget.value)}
      />
      <FieldNote id={`${id}-note`} error={error} note={words('inscribeFormMetadataNote')} />
    </div>
  )
}
