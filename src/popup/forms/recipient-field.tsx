import { BookUser, QrCode, Trash2 } from 'lucide-react'
import { type ClipboardEvent, type ReactNode, useId, useState } from 'react'
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
import { sayName } from '../ui/text/names.ts'
import formStyles from './form.module.css'
import { NameNote } from './name-note.tsx'
import { type PaymentText, parsePaymentText } from './payment-text.ts'
import { PictureDialog, readCode } from './picture-dialog.tsx'
import { RecipientPicker } from './recipient-picker.tsx'
import { type AddressReader, parseAddressText, payeeText } from './send-form.ts'
import type { KnownAddress } from './use-send-facts.ts'

export type RecipientFieldProps = {
  to: string
  /** Number among several; null for the only one. */
  place: number | null
  error: string | null
  /** Whether the person has tried to go on, so that an empty field is an error. */
  tried: boolean
  state: WalletState
  known: KnownAddress[]
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
  const [linkError, setLinkError] = useState<string | null>(null)
  const id = useId()
  const close = () => setDialog(null)
  const fill = (text: PaymentText) => {
    setLinkError(null)
    setLeft(true)
    onFill(text)
  }
  const write = (text: string) => {
    setLinkError(null)
    onWrite(text)
  }
  const read = (text: string) => {
    try {
      fill(parsePaymentText(text, state.network))
    } catch (error) {
      setLinkError(explainError(error))
    }
  }
  const paste = (event: ClipboardEvent) => {
    const picture = event.clipboardData.files[0]
    const text = event.clipboardData.getData('text')
    if (!picture && text.trim() === '') return
    event.preventDefault()
    if (picture) readCode(picture).then(read, error => setLinkError(explainError(error)))
    else read(text)
  }
  // Long enough to be whole, or left: until then a person is still typing.
  const isDone = left || to.trim().length >= (isSilentPaymentAddress(to.trim()) ? 116 : 62)
  const name = props.takesNames ? (parsePaymentName(to)?.text ?? null) : null
  const contact = known.find(({ address }) => address === name)
  const error = linkError ?? (tried || (isDone && to !== '') ? props.error : null)
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
        onChange={event => write(event.currentTarget.value.replace(/\s/g, ''))}
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
          note={nameOf(parse(to, state.network), state, known)}
        />
      ) : (
        <NameNote id={`${id}-note`} name={name} contact={contact?.name ?? null} />
      )}
      {dialog === 'known' ? (
        <RecipientPicker
          known={known}
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

/** Who this is, where it is known. */
function nameOf(
  parsed: ReturnType<AddressReader>,
  state: WalletState,
  known: readonly KnownAddress[],
): ReactNode {
  if ('error' in parsed) return null
  const own = state.accounts.find(({ address }) => address === parsed.address)
  if (own) return words('sendOwnAccount', { name: sayName(own.name) })
  const found = known.find(({ address }) => address === parsed.address)
  if (found?.kind === 'recent') return words('sendPaidBefore')
  return found?.name ?? words('sendNeverPaid')
}
