import { Trash2 } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { toUtf8 } from '../../../bitcoin/bytes.ts'
import { kindOfContent } from '../../../ordinals/content/content-kind.ts'
import { describeContent } from '../../../ordinals/content/content-view.ts'
import formStyles from '../../forms/form.module.css'
import { UNKNOWN_TYPE } from '../../forms/read-file.ts'
import { words } from '../../platform/words.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import fieldStyles from '../../ui/fields/field.module.css'
import { FieldNote } from '../../ui/fields/field.tsx'
import { type DrawnContent, useDrawnContent } from '../../ui/pictures/drawn-content.ts'
import { DrawnPicture } from '../../ui/pictures/inscription-picture.tsx'
import rowStyles from '../../ui/row.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { formatSize } from '../../ui/text/size-text.ts'
import { VisibleText } from '../../ui/text/visible-text.tsx'
import { IdField } from './id-field.tsx'
import styles from './inscribe.module.css'
import type { ItemForm } from './inscribe-form.ts'

type ItemFieldsProps = {
  item: ItemForm
  /** From 1; null for the only one. */
  place: number | null
  error: string | null
  /** Whether the person has tried to go on, so that an empty field is an error. */
  tried: boolean
  state: WalletState
  onChange: (item: ItemForm) => void
  onRemove: () => void
}

/** One inscription to be: its text, its file, or the one that it is like. */
export function ItemFields(props: ItemFieldsProps) {
  const { item, place, tried, error, onChange } = props
  switch (item.kind) {
    case 'text':
      return <TextItem {...props} item={item} />
    case 'file':
      return <FileItem {...props} item={item} />
    case 'delegate': {
      const label =
        place === null
          ? words('inscribeFormDelegateId')
          : words('inscribeFormDelegateNumber', { number: place })
      return (
        <li>
          <IdField
            label={label}
            value={item.id}
            error={error}
            tried={tried}
            state={props.state}
            focus={item.id === ''}
            onWrite={id => onChange({ ...item, id })}
            onRemove={props.onRemove}
          />
        </li>
      )
    }
  }
}

function TextItem(props: ItemFieldsProps & { item: ItemForm & { kind: 'text' } }) {
  const { item, place, tried, onChange } = props
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [isNew] = useState(item.text === '')
  useEffect(() => {
    if (isNew) field.current?.focus()
  }, [isNew])
  const name =
    place === null ? words('inscribeFormText') : words('inscribeFormTextNumber', { number: place })
  const error = tried || item.text !== '' ? props.error : null
  return (
    <li className={fieldStyles.field}>
      <div className={formStyles.labelLine}>
        <label htmlFor={id}>{name}</label>
        <span className={formStyles.tools}>
          <IconButton label={words('inscribeFormRemove', { name })} onClick={props.onRemove}>
            <Trash2 size={20} aria-hidden />
          </IconButton>
        </span>
      </div>
      <textarea
        ref={field}
        id={id}
        className={classNames(fieldStyles.input, styles.text)}
        rows={4}
        value={item.text}
        placeholder={words('inscribeFormTextPlaceholder')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        onChange={event => onChange({ ...item, text: event.currentTarget.value })}
      />
      <FieldNote
        id={`${id}-note`}
        error={error}
        note={item.text === '' ? null : formatSize(toUtf8(item.text.toWellFormed()).length)}
      />
    </li>
  )
}

function FileItem(props: ItemFieldsProps & { item: ItemForm & { kind: 'file' } }) {
  const { item, place, error } = props
  const content = usePicture(item)
  const kind = kindOfContent(item.contentType, item.bytes.length)
  const isAlone = place === null
  const name = (
    <span className={styles.fileName}>
      <span className={classNames(rowStyles.title, textStyles.breakable)}>
        {place === null ? '' : `${place}. `}
        <VisibleText text={item.name} />
      </span>
      <span className={classNames(rowStyles.note, textStyles.breakable)}>
        {`${formatSize(item.bytes.length)} · ${item.contentType}`}
      </span>
    </span>
  )
  return (
    <li className={classNames(styles.file, isAlone && styles.alone)}>
      <DrawnPicture
        content={content}
        kind={kind}
        size={isAlone ? 'large' : 'small'}
        label={item.name}
      />
      <div className={styles.fileLine}>
        {name}
        <IconButton
          label={words('inscribeFormRemove', { name: item.name })}
          onClick={props.onRemove}
        >
          <Trash2 size={20} aria-hidden />
        </IconButton>
      </div>
      <FieldNote id={`${item.key}-note`} error={error} note={explainFile(item, content)} />
    </li>
  )
}

/** A warning about a file that may not be what the person meant; null for none. */
function explainFile(
  { contentType, bytes }: ItemForm & { kind: 'file' },
  content: DrawnContent | null,
): string | null {
  if (contentType === UNKNOWN_TYPE) return words('inscribeFormUnknownType')
  const isDamaged = content?.kind === 'placeholder' && content.why === 'damaged'
  return isDamaged && kindOfContent(contentType, bytes.length) === 'image'
    ? words('inscribeFormDamaged')
    : null
}

const DRAWN = { side: 800, moving: true }

/** What a file will look like; null until that is known. */
function usePicture({ contentType, bytes }: ItemForm & { kind: 'file' }): DrawnContent | null {
  const whole = useMemo(() => describeContent({ contentType, bytes }, true), [contentType, bytes])
  return useDrawnContent(whole, DRAWN)
}
