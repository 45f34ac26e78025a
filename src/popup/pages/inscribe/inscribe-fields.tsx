import { History } from 'lucide-react'
import { type RefObject, useEffect, useId, useRef } from 'react'
import type { SigningAccountView } from '../../../background/views/account-views.ts'
import type { InscribeDraft } from '../../../background/views/inscribe-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { MAX_ITEMS } from '../../../provider/inscribe-params.ts'
import { Available } from '../../forms/available.tsx'
import { FeeField } from '../../forms/fee-field.tsx'
import { parseFeeRateText } from '../../forms/fee-form.ts'
import formStyles from '../../forms/form.module.css'
import { useAttempt } from '../../forms/use-attempt.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { navigate } from '../../platform/route.ts'
import { countWords, richWords, words } from '../../platform/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FieldNote } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { VisibleText } from '../../ui/text/visible-text.tsx'
import { AddItems } from './add-items.tsx'
import { DropZone } from './drop-zone.tsx'
import styles from './inscribe.module.css'
import { emptyInscribeForm, type InscribeForm, type ItemForm } from './inscribe-form.ts'
import { estimateInscribing } from './inscribe-size.ts'
import { ItemFields } from './item-fields.tsx'
import { MoreInscribeFields } from './more-inscribe-fields.tsx'
import { parseInscribeForm } from './parse-inscribe-form.ts'
import { useFiles } from './use-files.ts'

type InscribeFieldsProps = {
  form: InscribeForm
  state: WalletState
  account: SigningAccountView
  /** Why the last try to work it out failed, in words. */
  problem: string | null
  busy: boolean
  onBack: () => void
  onChange: (form: InscribeForm) => void
  onReview: (draft: InscribeDraft) => void
}

/** What is inscribed, and at which fee. */
export function InscribeFields(props: InscribeFieldsProps) {
  const { form, state, account } = props
  const { items } = form
  const facts = useSendFacts(state)
  const rates = facts.rates.answer
  const { draft, errors } = parseInscribeForm(form, rates)
  const { content, attempt, isTried, isWaiting } = useAttempt(form, facts.rates)
  const busy = props.busy || isWaiting
  // A file takes a moment to read: what was typed meanwhile stays.
  const latest = useRef(form)
  latest.current = form
  const change = (next: Partial<InscribeForm>) => {
    latest.current = { ...latest.current, ...next }
    props.onChange(latest.current)
  }
  const add = (item: ItemForm) => change({ items: [...latest.current.items, item] })
  const files = useFiles({ roomFor: () => MAX_ITEMS - latest.current.items.length, onRead: add })
  const { removing } = useItemFocus(content, items.length)
  const submit = () => {
    if (draft && files.reading === null) props.onReview(draft)
    else attempt()
  }
  const isEmpty = items.length === 0
  return (
    <DropZone onFiles={files.read}>
      <Screen
        onSubmit={submit}
        head={
          <>
            <BackButton onBack={props.onBack} />
            {isEmpty ? (
              <span className={layoutStyles.push}>
                <IconButton label={words('jobsSoFar')} onClick={() => navigate('/inscribe/jobs')}>
                  <History size={20} aria-hidden />
                </IconButton>
              </span>
            ) : (
              <span className={layoutStyles.push}>
                <Button
                  variant="quiet"
                  onClick={() => {
                    props.onChange(emptyInscribeForm())
                    // The button that had the focus goes.
                    document.querySelector('h1')?.focus()
                  }}
                >
                  {words('sendClear')}
                </Button>
              </span>
            )}
          </>
        }
        foot={
          isEmpty ? null : (
            <>
              {props.problem ? (
                <Notice tone="danger" live>
                  {props.problem}
                </Notice>
              ) : null}
              <Button
                variant="primary"
                type="submit"
                busy={busy}
                disabled={files.reading !== null}
                data-testid="inscribe-review"
              >
                {words(busy ? 'sendPlanning' : 'sendReview')}
              </Button>
            </>
          )
        }
      >
        <div ref={content} className={formStyles.form}>
          <div className={layoutStyles.stack}>
            <Title>{words('inscribeTitle')}</Title>
            {isEmpty ? (
              <p className={textStyles.muted}>{words('inscribeFormLead')}</p>
            ) : (
              <Available facts={facts} chosen={null} />
            )}
          </div>
          <p className={textStyles.visuallyHidden} role="status">
            {isEmpty ? '' : countWords('jobCount', items.length)}
          </p>
          {items.length === 0 ? null : (
            <ol className={styles.items}>
              {items.map((item, index) => (
                <ItemFields
                  key={item.key}
                  item={item}
                  place={items.length === 1 ? null : index + 1}
                  error={errors.items[index] ?? null}
                  tried={isTried}
                  state={state}
                  onChange={next => change({ items: items.with(index, next) })}
                  onRemove={() => {
                    removing(index)
                    change({ items: items.toSpliced(index, 1) })
                  }}
                />
              ))}
            </ol>
          )}
          {files.reading ? <ReadingFile {...files.reading} /> : null}
          {files.skipped.length > 0 ? (
            <Notice tone="caution" live>
              {files.skipped.map(text => (
                <p key={text}>{text}</p>
              ))}
            </Notice>
          ) : null}
          <FieldNote id="inscribe-together" error={errors.together} />
          <AddItems count={items.length} onAdd={add} onFiles={files.read} />
          {isEmpty ? null : (
            <>
              <FeeField
                form={form}
                facts={facts}
                tried={isTried}
                fee={estimateInscribing(form, {
                  account,
                  network: state.network,
                  coins: facts.coins.answer,
                  feeRate: parseFeeRateText(form, facts.rates.answer),
                })}
                note={words('inscribeFormFeeNote')}
                onChange={change}
              />
              <MoreInscribeFields
                form={form}
                state={state}
                account={account}
                errors={errors}
                tried={isTried}
                onChange={change}
              />
            </>
          )}
        </div>
      </Screen>
    </DropZone>
  )
}

/**
 * Moves the focus when the element that had it is gone: to the item that was added, or to the one in the place of the removed
 * one.
 */
function useItemFocus(content: RefObject<HTMLElement | null>, count: number) {
  const removed = useRef<number | null>(null)
  const before = useRef(count)
  useEffect(() => {
    const place = removed.current ?? count
    removed.current = null
    if (before.current === count) return
    before.current = count
    if (document.activeElement !== document.body) return
    const items = content.current?.querySelectorAll('ol > li')
    const item = items?.[Math.min(place, count - 1)] ?? content.current
    item?.querySelector<HTMLElement>('textarea, button')?.focus()
  }, [content, count])
  return {
    removing(index: number) {
      removed.current = index
    },
  }
}

/** How far a file is read. */
function ReadingFile({ name, share }: { name: string; share: number }) {
  const id = useId()
  return (
    <div className={styles.reading}>
      <label htmlFor={id} className={textStyles.breakable}>
        {richWords('inscribeFormReading', { name: <VisibleText text={name} /> })}
      </label>
      <progress id={id} value={share} max={1} />
    </div>
  )
}
