import { Images, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { parseInscriptionId } from '../../../ordinals/inscription-id.ts'
import { words } from '../../platform/words.ts'
import { IconButton } from '../../ui/button.tsx'
import { FieldNote } from '../../ui/fields/field.tsx'
import { InscriptionPicture } from '../../ui/pictures/inscription-picture.tsx'
import { InscriptionPicker } from './inscription-picker.tsx'

/** Of an id with a place of one digit. */
const FULL_ID = 66

type IdFieldProps = {
  label: string
  note?: string
  value: string
  error: string | null
  /** Whether the person has tried to go on: until then a short id is one that is still being typed. */
  tried: boolean
  state: WalletState
  focus?: boolean
  onWrite: (id: string) => void
  onRemove?: () => void
}

/** The id of an inscription, typed, pasted or chosen among the person's own, with what it looks like. */
export function IdField(props: IdFieldProps) {
  const { label, note, value, onWrite, onRemove } = props
  const error = props.tried || value.length >= FULL_ID ? props.error : null
  const id = useId()
  const [picking, setPicking] = useState(false)
  const known = parseInscriptionId(value.trim()) ? value.trim() : null
  return (
    <div className="field">
      <div className="label-line">
        <label htmlFor={id}>{label}</label>
        <span className="tools">
          <IconButton label={words('inscribeFormChoose')} onClick={() => setPicking(true)}>
            <Images size={20} aria-hidden />
          </IconButton>
          {onRemove ? (
            <IconButton label={words('inscribeFormRemove', { name: label })} onClick={onRemove}>
              <Trash2 size={20} aria-hidden />
            </IconButton>
          ) : null}
        </span>
      </div>
      <div className="id-line">
        {known ? <InscriptionPicture key={known} id={known} size="small" /> : null}
        <textarea
          id={id}
          className="input mono address-input"
          rows={2}
          value={value}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: who has just added it writes it next
          autoFocus={props.focus ?? false}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
          onChange={event => onWrite(event.currentTarget.value.replace(/\s/g, ''))}
        />
      </div>
      <FieldNote id={`${id}-note`} error={error} note={note} />
      {picking ? (
        <InscriptionPicker
          state={props.state}
          onChoose={chosen => {
            setPicking(false)
            onWrite(chosen)
          }}
          onClose={() => setPicking(false)}
        />
      ) : null}
    </div>
  )
}
