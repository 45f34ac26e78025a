import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { toUtf8 } from '../../../bitcoin/bytes.ts'
import formStyles from '../../forms/form.module.css'
import { MEMO_BYTES, type SendErrors, type SendForm } from '../../forms/send-form.ts'
import type { SendFacts } from '../../forms/use-send-facts.ts'
import { countWords, words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/fields/field.module.css'
import { FieldNote, TextField } from '../../ui/fields/field.tsx'
import foldStyles from '../../ui/styles/fold.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { LONGEST_LABEL } from '../../ui/text/label.ts'
import { CoinPicker } from './coin-picker.tsx'
import styles from './send.module.css'

type MoreFieldsProps = {
  form: SendForm
  onChange: (form: SendForm) => void
  facts: SendFacts
  errors: Pick<SendErrors, 'memo' | 'coins'>
}

/** What most payments do not need: a note of one's own, a public one, and a choice of coins. */
export function MoreFields({ form, onChange, facts, errors }: MoreFieldsProps) {
  const [picking, setPicking] = useState(false)
  // Open at first where something is in it: nothing that counts is out of sight.
  const [isUsed] = useState(form.label !== '' || form.memo !== '' || form.coins !== null)
  const coins = facts.coins.answer
  return (
    <details className={foldStyles.fold} open={isUsed}>
      <summary>
        <ChevronRight size={16} className={foldStyles.turn} aria-hidden />
        {words('sendMore')}
      </summary>
      <div className={formStyles.moreFields}>
        <TextField
          label={words('sendLabel')}
          note={words('sendLabelNote')}
          value={form.label}
          maxLength={LONGEST_LABEL}
          onChange={event => onChange({ ...form, label: event.currentTarget.value })}
        />
        <TextField
          label={words('sendMemo')}
          note={
            form.memo === ''
              ? words('sendMemoNote')
              : countWords('sendMemoLeft', MEMO_BYTES - toUtf8(form.memo.toWellFormed()).length)
          }
          error={errors.memo}
          value={form.memo}
          onChange={event => onChange({ ...form, memo: event.currentTarget.value })}
        />
        <div className={fieldStyles.field}>
          <span className={fieldStyles.label}>{words('sendCoins')}</span>
          <div className={styles.coinsLine}>
            <span className={textStyles.muted}>
              {form.coins === null
                ? words('sendCoinsAuto')
                : countWords('sendCoinsChosen', form.coins.length)}
            </span>
            <Button
              variant="quiet"
              disabled={coins === null}
              data-wrong={errors.coins ? true : undefined}
              onClick={() => setPicking(true)}
            >
              {words('sendCoinsChoose')}
            </Button>
          </div>
          <FieldNote id="coins-note" error={errors.coins} />
        </div>
      </div>
      {picking && coins ? (
        <CoinPicker
          coins={coins}
          chosen={form.coins}
          onChoose={chosen => {
            onChange({ ...form, coins: chosen })
            setPicking(false)
          }}
          onClose={() => setPicking(false)}
        />
      ) : null}
    </details>
  )
}
