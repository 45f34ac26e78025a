import { Eye, EyeOff, KeyRound, Plus, TextCursorInput } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type {
  MnemonicCheck,
  UnknownWord,
  WalletOrigin,
} from '../../../background/views/account-views.ts'
import { replaceWord, splitWords } from '../../../bitcoin/phrase-words.ts'
import type { PhraseKind } from '../../../bitcoin/phrases/phrase-kind.ts'
import { type ChosenKey, KeyEntry } from '../../forms/secrets/key-entry.tsx'
import { HelpButton } from '../../help/help-button.tsx'
import { joinList } from '../../platform/join-words.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import { useSecret } from '../../state/use-secret.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceGroup } from '../../ui/fields/choice.tsx'
import { SecretText } from '../../ui/fields/secret-text.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { NearestWords, spellTyped } from './nearest-words.tsx'
import { PasswordStep } from './password-step.tsx'

type ImportProps = {
  onBack: () => void
  onDone: () => Promise<void>
  /** The screen that searches for used addresses of words. */
  next: { preload(): Promise<unknown> }
}
type EntryProps = {
  onBack: () => void
  onOrigin: (origin: WalletOrigin) => void
  /** Goes to the other kind of import. */
  onOther: () => void
}
type PhraseProps = Omit<EntryProps, 'onOther'> & Partial<Pick<EntryProps, 'onOther'>>

/** A wallet from its recovery words, or from one private key. */
export function Import({ onBack, onDone, next }: ImportProps) {
  const [kind, setKind] = useState<WalletOrigin['kind']>('mnemonic')
  const [origin, holdOrigin] = useSecret<WalletOrigin>()
  const hasWords = origin?.kind === 'mnemonic'
  // While a password is chosen.
  useEffect(() => void (hasWords && next.preload()), [hasWords, next])
  if (origin === null) {
    return kind === 'mnemonic' ? (
      <Phrase onBack={onBack} onOrigin={holdOrigin} onOther={() => setKind('wif')} />
    ) : (
      <Key onBack={onBack} onOrigin={holdOrigin} onOther={() => setKind('mnemonic')} />
    )
  }
  return (
    <PasswordStep
      action={words('importWallet')}
      origin={origin}
      onBack={() => holdOrigin(null)}
      // The next screen searches for addresses of these words that were used before.
      onDone={async () => {
        if (origin.kind === 'wif' || isElectrum(origin.phraseKind)) return onDone()
        navigate('/accounts/restore', { replace: true })
      }}
    />
  )
}

/** Words that a person has, and their passphrase. */
export function Phrase({ onBack, onOrigin, onOther }: PhraseProps) {
  const mnemonic = useRef('')
  const passphrase = useRef('')
  const [count, setCount] = useState(0)
  const [error, setError] = useState<string | null>(null)
  const [unknown, setUnknown] = useState<readonly UnknownWord[]>([])
  /** Whose words they can be, where a person has to say it, and which of them they say. */
  const [kinds, setKinds] = useState<readonly PhraseKind[]>([])
  const [chosen, setChosen] = useState<PhraseKind>('bip39')
  const write = useRef<(text: string) => void>(null)
  const [masked, setMasked] = useState(false)
  const [withPassphrase, setWithPassphrase] = useState(false)
  const task = useTask()

  const show = async (check: MnemonicCheck) => {
    const refusal = await refuseElectrum(check, mnemonic.current)
    setError(refusal ?? (check.valid ? null : explain(check)))
    setUnknown(refusal === null && !check.valid ? check.unknownWords : [])
    return refusal === null && check.valid
  }
  const choose = (place: number, word: string) =>
    task.run(async () => {
      write.current?.(replaceWord(mnemonic.current, place, word))
      const check = await call('checkMnemonic', { mnemonic: mnemonic.current })
      if (!check.valid) await show(check)
    })
  const submit = () =>
    task.run(async () => {
      const check = await call('checkMnemonic', { mnemonic: mnemonic.current })
      if (!(await show(check)) || !check.valid) return
      // One typo in 240 makes a seed of Electrum, which has no list of words to check them by.
      if (!(check.kinds.length === 1 && check.kinds[0] === 'bip39') && kinds.length === 0)
        return setKinds(check.kinds)
      const phraseKind = check.kinds.find(kind => kind === chosen) ?? check.kinds[0] ?? 'bip39'
      onOrigin({
        kind: 'mnemonic',
        mnemonic: mnemonic.current,
        passphrase: passphrase.current,
        phraseKind,
      })
      mnemonic.current = ''
      passphrase.current = ''
    })

  return (
    <FormScreen
      title={words('importTitle')}
      fieldFirst
      onBack={onBack}
      onSubmit={submit}
      busy={task.busy}
      failure={task.failure}
    >
      <SecretText
        label={words('wordsLabel')}
        many
        first
        masked={masked}
        placeholder={words('importPlaceholder')}
        note={count === 0 ? words('importLengths') : countWords('importCount', count)}
        error={error}
        writer={write}
        onText={text => {
          mnemonic.current = text
          setCount(splitWords(text).length)
          setError(null)
          setUnknown([])
          setKinds([])
          setChosen('bip39')
        }}
      />
      {kinds.length > 1 ? (
        <section className={layoutStyles.stack}>
          <div className={layoutStyles.stack} role="status">
            <h2>{words('importWhoseWords')}</h2>
            <p className={textStyles.note}>{words('importWhoseWordsNote')}</p>
          </div>
          <ChoiceGroup
            label={words('importWhoseWords')}
            value={chosen}
            options={kinds.map(kind => ({
              value: kind,
              name: words(isElectrum(kind) ? 'importOfElectrum' : 'importOfMost'),
              note: words(isElectrum(kind) ? 'importOfElectrumNote' : 'importOfMostNote'),
            }))}
            onChoose={setChosen}
          />
        </section>
      ) : null}
      {kinds.length === 1 ? (
        <Notice tone="caution" title={words('importOnlyElectrum')} live>
          {words('importOnlyElectrumNote')}
        </Notice>
      ) : null}
      <NearestWords unknown={unknown} onChoose={choose} />
      <div className={layoutStyles.rowButtons}>
        <Button variant="quiet" onClick={() => setMasked(!masked)}>
          {masked ? <Eye size={16} aria-hidden /> : <EyeOff size={16} aria-hidden />}
          {masked ? words('wordsShow') : words('wordsHide')}
        </Button>
        {withPassphrase ? null : (
          <Button variant="quiet" onClick={() => setWithPassphrase(true)}>
            <Plus size={16} aria-hidden />
            {words('importAddPassphrase')}
          </Button>
        )}
        {onOther ? (
          <Button variant="quiet" onClick={onOther}>
            <KeyRound size={16} aria-hidden />
            {words('importUseKey')}
          </Button>
        ) : null}
        <HelpButton term="recovery-words" />
      </div>
      {withPassphrase ? (
        <SecretText
          label={words('passphraseLabel')}
          first
          masked={masked}
          note={words('importPassphraseNote')}
          onText={text => {
            passphrase.current = text
          }}
        />
      ) : null}
    </FormScreen>
  )
}

function Key({ onBack, onOrigin, onOther }: EntryProps) {
  const [key, holdKey] = useSecret<ChosenKey>()
  const task = useTask()
  const submit = () => {
    if (key === null) return
    void task.run(async () => {
      // A wallet of one key begins on a network of that key.
      await call('selectNetwork', { network: key.network })
      onOrigin({ kind: 'wif', wif: key.wif, addressType: key.addressType })
    })
  }
  return (
    <FormScreen
      title={words('importKeyTitle')}
      lead={words('importKeyLead')}
      fieldFirst
      onBack={onBack}
      onSubmit={submit}
      busy={task.busy}
      disabled={key === null}
      failure={task.failure}
    >
      <KeyEntry networks={['mainnet', 'testnet4']} onKey={holdKey} />
      <div className={layoutStyles.rowButtons}>
        <Button variant="quiet" onClick={onOther}>
          <TextCursorInput size={16} aria-hidden />
          {words('importUseWords')}
        </Button>
      </div>
    </FormScreen>
  )
}

function isElectrum(kind: PhraseKind | undefined): boolean {
  return kind !== undefined && kind !== 'bip39'
}

/** Why words cannot be imported that are a seed of Electrum; null for others. */
async function refuseElectrum(check: MnemonicCheck, text: string): Promise<string | null> {
  if (check.valid && check.kinds.includes('bip39')) return null
  // Electrum takes such words for an old seed first.
  const { isHexOfKey, isOldElectrumSeed } = await import(
    '../../../bitcoin/phrases/electrum-old-seed.ts'
  )
  if (isHexOfKey(text)) return words('importHexKey')
  if (isOldElectrumSeed(text)) return words('importOldElectrum')
  return !check.valid && check.isTwoFactor ? words('importTwoFactor') : null
}

function explain(check: MnemonicCheck & { valid: false }): string {
  if (check.problem === 'WORD_COUNT') return countWords('importWordCount', check.wordCount)
  if (check.problem === 'CHECKSUM') return words('importChecksum')
  const unknown = check.unknownWords.map(({ word }) => spellTyped(word))
  return countWords('importUnknown', unknown.length, { words: joinList(unknown.slice(0, 3)) })
}
