import { BookUser, QrCode, Trash2 } from 'lucide-react'
import { type ClipboardEvent, useId, useState } from 'react'
import type { WalletState } from '../../background/views/ui-methods.ts'
import { isPaymentLink } from '../../bitcoin/bip321.ts'
import { isSilentPaymentAddress } from '../../bitcoin/silent-payments/silent-payment-address.ts'
import { parsePaymentName } from '../../dnssec/payment-name.ts'
import { openInTab } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { explainError } from '../state/explain-error.ts'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import fieldStyles from '../ui/fields/field.module.css'
import { FieldNote } from '../ui/fields/field.tsx'
import formStyles from './form.module.css'
import { NameNote } from './name-note.tsx'
import { type PaymentText, parsePaymentText } from './payment-text.ts'
import { PictureDialog, readCode } from './picture-dialog.tsx'
import { RecipientPicker } from './recipient-picker.tsx'
import { type AddressReader, cleanPayee, parseAddressText, payeeText } from './send-form.ts'
import { describeRecipient, type KnownAddresses } from './use-send-facts.ts'

export type RecipientFieldProps = {
  to: string
  /** Number among several; null for the only one. */
  place: number | null
  error: string | null
  /** Whether the person has tried to go on, so that an empty field is an error. */
  tried: boolean
  state: WalletState
  known: KnownAddresses
  /** What may be typed; addresses that can get anything unless given. */
  parse?: AddressReader
  showPicture: boolean
  /** Path of this form with the dialog for a picture open, which needs a tab. */
  picturePath: string
  /** Whether a name (BIP-353) can be paid here too. */
  takesNames?: boolean
  onWrite: (to: string) => void
  onFill: (text: PaymentText) => void
  onRemove: () => void
}

/** An address that is typed, pasted with a link, chosen from those known or read from a picture. */
export function RecipientField(props: RecipientFieldProps) {
  const { to, place, tried, state, known, parse = parseAddressText, onWrite, onFill } = props
  const [left, setLeft] = useState(false)
  const [dialog, setDialog] = useState<'known' | 'picture' | null>(
    props.showPicture ? 'picture' : null,
  )
  /** Why the last link was not taken, beside what the field held then: its place may hold another recipient by now. */
  const [refused, setRefused] = useState<{ to: string; why: string } | null>(null)
  const id = useId()
  const close = () => setDialog(null)
  const refuse = (error: unknown) => setRefused({ to, why: explainError(error) })
  const fill = (text: PaymentText) => {
    setRefused(null)
    setLeft(true)
    onFill(text)
  }
  const write = (text: string) => {
    setRefused(null)
    onWrite(text)
  }
  const read = (text: string) => {
    try {
      fill(parsePaymentText(text, state.network))
    } catch (error) {
      refuse(error)
    }
  }
  const paste = (event: ClipboardEvent) => {
    const picture = event.clipboardData.files[0]
    const text = event.clipboardData.getData('text')
    if (!picture && text.trim() === '') return
    event.preventDefault()
    if (picture) readCode(picture).then(read, refuse)
    else read(text)
  }
  // Long enough to be whole, or left: until then a person is still typing.
  const isDone = left || to.trim().length >= (isSilentPaymentAddress(to.trim()) ? 116 : 62)
  const parsed = parse(to, state.network)
  const name = props.takesNames ? (parsePaymentName(to)?.text ?? null) : null
  const contact = known.listed.find(({ address }) => address === name)
  const refusal = refused?.to === to ? refused.why : null
  const error = refusal ?? (tried || (isDone && to !== '') ? props.error : null)
  return (
    <div className={fieldStyles.field}>
      <div className={formStyles.labelLine}>
        <label htmlFor={id}>
          {place === null ? words('sendTo') : words('sendToNumber', { number: place })}
        </label>
        <span className={formStyles.tools}>
          <IconButton label={words('sendChooseRecipient')} onClick={() => setDialog('known')}>
            <BookUser size={20} aria-hidden />
          </IconButton>
          <IconButton
            label={words('sendPicture')}
            onClick={() =>
              // The file dialog takes the focus, and with it the toolbar popup.
              document.documentElement.dataset.surface === 'popup'
                ? void openInTab(props.picturePath)
                : setDialog('picture')
            }
          >
            <QrCode size={20} aria-hidden />
          </IconButton>
          {place === null ? null : (
            <IconButton
              label={words('sendRemoveRecipient', { number: place })}
              onClick={props.onRemove}
            >
              <Trash2 size={20} aria-hidden />
            </IconButton>
          )}
        </span>
      </div>
      <textarea
        id={id}
        className={classNames(fieldStyles.input, formStyles.addressInput)}
        // A silent payment address has more than a hundred characters, which are to be seen at once.
        rows={isSilentPaymentAddress(to.trim()) ? 4 : 2}
        value={to}
        placeholder={words(props.takesNames ? 'sendToPlaceholderNames' : 'sendToPlaceholder')}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        onChange={event => write(cleanPayee(event.currentTarget.value))}
        onPaste={paste}
        onBlur={() => {
          setLeft(true)
          // Typed by hand, a link is taken apart when it is whole.
          if (isPaymentLink(to)) read(to)
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      {name === null || !left || error ? (
        <FieldNote
          id={`${id}-note`}
          error={error}
          note={'error' in parsed ? null : describeRecipient(parsed.address, state.accounts, known)}
        />
      ) : (
        <NameNote id={`${id}-note`} name={name} contact={contact?.name ?? null} />
      )}
      {dialog === 'known' ? (
        <RecipientPicker
          known={known.listed}
          network={state.network}
          parse={parse}
          takesNames={props.takesNames ?? false}
          onClose={close}
          onChoose={address => {
            close()
            fill({ to: payeeText(address), amountBtc: '', label: '' })
          }}
        />
      ) : null}
      {dialog === 'picture' ? (
        <PictureDialog
          network={state.network}
          onClose={close}
          onRead={text => {
            close()
            fill(text)
          }}
        />
      ) : null}
    </div>
  )
}
