import { useState } from 'react'
import { parseRateText } from '../../forms/fee-form.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { showToast } from '../../ui/toast.tsx'

/** The fee under which the person is told; none at first. */
export function FeeAlert({ state, onChanged }: PageProps) {
  const { feeAlert } = state.settings
  const [text, setText] = useState(feeAlert === null ? '' : String(feeAlert))
  const [tried, setTried] = useState(false)
  const { busy, failure, run } = useTask()
  const rate = parseRateText(text)
  const set = (next: number | null) =>
    void run(async () => {
      await call('changeSettings', { feeAlert: next })
      await onChanged()
      if (next === null) setText('')
      showToast(words(next === null ? 'feeAlertNowOff' : 'feeAlertNowSet'))
    })
  return (
    <form
      className={layoutStyles.stack}
      onSubmit={event => {
        event.preventDefault()
        setTried(true)
        if (rate !== null) set(rate)
      }}
    >
      <h2 className={textStyles.muted}>{words('feeAlertSetting')}</h2>
      <TextField
        label={words('feeAlertLimit')}
        inputMode="decimal"
        value={text}
        note={words('feeAlertSettingNote')}
        error={tried && rate === null ? words('sendRateInvalid') : null}
        onChange={event => {
          setTried(false)
          setText(event.currentTarget.value)
        }}
      />
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
      <div className={layoutStyles.pair}>
        {feeAlert === null ? null : (
          <Button variant="secondary" busy={busy} onClick={() => set(null)}>
            {words('feeAlertOff')}
          </Button>
        )}
        <Button
          variant="secondary"
          type="submit"
          busy={busy}
          disabled={text.trim() === '' || (rate !== null && rate === feeAlert)}
        >
          {words('feeAlertSet')}
        </Button>
      </div>
    </form>
  )
}
