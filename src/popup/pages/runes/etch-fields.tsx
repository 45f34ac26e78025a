import { type Ref, useId, useState } from 'react'
import { FeeField } from '../../forms/fee-field.tsx'
import formStyles from '../../forms/form.module.css'
import { contentTypeOf, readFile } from '../../forms/read-file.ts'
import type { SendFacts } from '../../forms/use-send-facts.ts'
import { words } from '../../platform/words.ts'
import { useLatest } from '../../state/latest.ts'
import fieldStyles from '../../ui/fields/field.module.css'
import { FieldNote, SelectField, TextField } from '../../ui/fields/field.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import rowStyles from '../../ui/row.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import { LONGEST_LABEL } from '../../ui/text/label.ts'
import { formatSize } from '../../ui/text/size-text.ts'
import {
  cleanName,
  type EtchErrors,
  type EtchFile,
  type EtchForm,
  LONGEST_NAME,
  MOST_BYTES,
} from './etch-form.ts'

type EtchFieldsProps = {
  ref: Ref<HTMLDivElement>
  form: EtchForm
  errors: EtchErrors
  /** Whether the person has tried to go on, so that what is missing is an error. */
  tried: boolean
  facts: SendFacts
  onChange: (change: Partial<EtchForm>) => void
}

/** What the rune is, who can mint it, what is inscribed with it, and the fee. */
export function EtchFields({ ref, form, errors, tried, facts, onChange }: EtchFieldsProps) {
  /** An error is told once something is typed, or the person wanted to go on. */
  const told = (field: keyof EtchErrors, typed: string) =>
    tried || typed !== '' ? errors[field] : null
  return (
    <div ref={ref} className={formStyles.operation}>
      <TextField
        label={words('etchName')}
        note={words('etchNameNote')}
        value={form.name}
        error={told('name', form.name)}
        maxLength={LONGEST_NAME}
        onChange={event => onChange({ name: cleanName(event.currentTarget.value) })}
      />
      <TextField
        label={words('etchSymbol')}
        note={words('etchSymbolNote')}
        value={form.symbol}
        error={told('symbol', form.symbol)}
        maxLength={8}
        onChange={event => onChange({ symbol: event.currentTarget.value.trim() })}
      />
      <TextField
        label={words('runeDivisibility')}
        note={words('etchDecimalsNote')}
        value={form.divisibility}
        error={errors.divisibility}
        inputMode="numeric"
        maxLength={2}
        onChange={event => onChange({ divisibility: event.currentTarget.value })}
      />
      <TextField
        label={words('etchPremine')}
        note={words('etchPremineNote')}
        value={form.premine}
        error={told('premine', form.premine)}
        inputMode="decimal"
        onChange={event => onChange({ premine: event.currentTarget.value })}
      />
      <div className={rowStyles.rows}>
        <Switch
          label={words('etchMintable')}
          note={words('etchMintableNote')}
          on={form.isMintable}
          onChange={isMintable => onChange({ isMintable })}
        />
      </div>
      {form.isMintable ? <TermsFields {...{ form, errors, tried, onChange }} /> : null}
      <ContentFields {...{ form, errors, tried, onChange }} />
      <FeeField
        form={form}
        facts={facts}
        tried={tried}
        fee={null}
        note={words('splitFeeNote')}
        onChange={onChange}
      />
      <div className={rowStyles.rows}>
        <Switch
          label={words('etchTurbo')}
          note={words('etchTurboNote')}
          on={form.turbo}
          onChange={turbo => onChange({ turbo })}
        />
      </div>
      <TextField
        label={words('sendLabel')}
        note={words('sendLabelNote')}
        value={form.label}
        maxLength={LONGEST_LABEL}
        onChange={event => onChange({ label: event.currentTarget.value })}
      />
    </div>
  )
}

type PartProps = Pick<EtchFieldsProps, 'form' | 'errors' | 'tried' | 'onChange'>

function TermsFields({ form, errors, tried, onChange }: PartProps) {
  const { amount, cap, limits, start, end } = form
  const isCounted = limits === 'offset'
  return (
    <section className={layoutStyles.stack} aria-label={words('runeMinting')}>
      <TextField
        label={words('runePerMint')}
        value={amount}
        error={tried || amount !== '' ? errors.amount : null}
        inputMode="decimal"
        onChange={event => onChange({ amount: event.currentTarget.value })}
      />
      <TextField
        label={words('etchCap')}
        value={cap}
        error={tried || cap !== '' ? errors.cap : null}
        inputMode="numeric"
        onChange={event => onChange({ cap: event.currentTarget.value })}
      />
      <SelectField
        label={words('etchLimits')}
        value={limits}
        options={[
          { value: 'none', name: words('etchLimitsNone') },
          { value: 'offset', name: words('etchLimitsOffset') },
          { value: 'height', name: words('etchLimitsHeight') },
        ]}
        onChoose={limits => onChange({ limits })}
      />
      {limits === 'none' ? null : (
        <>
          <TextField
            label={words(isCounted ? 'etchStartOffset' : 'etchStartHeight')}
            note={words('etchOptional')}
            value={start}
            error={errors.start}
            inputMode="numeric"
            onChange={event => onChange({ start: event.currentTarget.value })}
          />
          <TextField
            label={words(isCounted ? 'etchEndOffset' : 'etchEndHeight')}
            note={words('etchOptional')}
            value={end}
            error={tried || end !== '' ? errors.end : null}
            inputMode="numeric"
            onChange={event => onChange({ end: event.currentTarget.value })}
          />
        </>
      )}
    </section>
  )
}

function ContentFields({ form, errors, tried, onChange }: PartProps) {
  const id = useId()
  const [failure, setFailure] = useState<string | null>(null)
  const latest = useLatest()
  const { inscribes, text, file } = form
  const error = tried || (inscribes === 'text' && text !== '') ? errors.content : null
  const choose = async (chosen: File | undefined) => {
    const isLatest = latest.begin()
    setFailure(null)
    // The field names another one from now on, whatever becomes of that.
    onChange({ file: null })
    if (!chosen) return
    if (chosen.size > MOST_BYTES)
      return setFailure(words('inscribeFormTooLarge', { most: formatSize(MOST_BYTES) }))
    try {
      const file = await loadFile(chosen)
      if (isLatest()) onChange({ file })
    } catch {
      if (isLatest()) setFailure(words('inscribeFormSkippedBroken', { name: chosen.name }))
    }
  }
  return (
    <section className={layoutStyles.stack} aria-label={words('etchContent')}>
      <SelectField
        label={words('etchContent')}
        note={words('etchContentNote')}
        value={inscribes}
        options={[
          { value: 'nothing', name: words('etchContentNone') },
          { value: 'text', name: words('etchContentText') },
          { value: 'file', name: words('etchContentFile') },
        ]}
        onChoose={inscribes => onChange({ inscribes })}
      />
      {inscribes === 'text' ? (
        <div className={fieldStyles.field}>
          <label htmlFor={id}>{words('etchText')}</label>
          <textarea
            id={id}
            className={fieldStyles.input}
            rows={3}
            value={text}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-note` : undefined}
            onChange={event => onChange({ text: event.currentTarget.value })}
          />
          <FieldNote id={`${id}-note`} error={error} />
        </div>
      ) : null}
      {inscribes === 'file' ? (
        <div className={fieldStyles.field}>
          <label htmlFor={id}>{words('etchFile')}</label>
          <input
            id={id}
            type="file"
            className={fieldStyles.input}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-note`}
            onChange={event => void choose(event.currentTarget.files?.[0])}
          />
          <FieldNote
            id={`${id}-note`}
            error={failure ?? error}
            note={file ? `${file.contentType} · ${formatSize(file.bytes.length)}` : null}
          />
        </div>
      ) : null}
    </section>
  )
}

async function loadFile(file: File): Promise<EtchFile> {
  const bytes = await readFile(file, () => {})
  return { name: file.name, contentType: contentTypeOf(file, bytes), bytes }
}
