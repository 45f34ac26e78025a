import { useState } from 'react'
import { toBase64, toHex } from '../../../bitcoin/bytes.ts'
import type { ReadResult } from '../../../bitcoin/qr/part-reader.ts'
import { ScanPanel } from '../../forms/scan-panel.tsx'
import { goBack } from '../../platform/route.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import fieldStyles from '../../ui/fields/field.module.css'
import { AnimatedQr } from '../../ui/pictures/animated-qr.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import styles from './scan-result.module.css'

const KINDS: { [kind in ReadResult['kind']]: WordKey } = {
  psbt: 'scanPsbt',
  transaction: 'scanTransaction',
  keys: 'scanKeys',
  text: 'scanText',
}

/** Reads codes from the camera, pictures, files or pasted text, and gives what they hold as text to copy. */
export function Scan() {
  const [result, setResult] = useState<ReadResult | null>(null)
  const [isShown, setShown] = useState(false)
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('scanTitle')}</Title>
      {result === null ? (
        <ScanPanel onRead={setResult} />
      ) : (
        <>
          <p role="status">
            {words(KINDS[result.kind])}{' '}
            {words('scanLength', { length: formatResult(result).length })}
          </p>
          {isShown ? null : (
            <>
              <textarea
                className={classNames(fieldStyles.input, styles.result)}
                readOnly
                rows={8}
                aria-label={words('scanResult')}
                value={formatResult(result)}
              />
              <CopyButton text={formatResult(result)} label={words('scanCopy')} />
            </>
          )}
          {result.kind !== 'psbt' ? null : isShown ? (
            <AnimatedQr psbt={result.bytes} label={words('scanCodes')} />
          ) : (
            <Button variant="secondary" onClick={() => setShown(true)}>
              {words('scanShow')}
            </Button>
          )}
          <Button
            variant="secondary"
            onClick={() => {
              setResult(null)
              setShown(false)
            }}
          >
            {words('scanAnother')}
          </Button>
        </>
      )}
    </Screen>
  )
}

/** A PSBT as base64, a transaction as hex, keys as descriptors. */
function formatResult(result: ReadResult): string {
  if (result.kind === 'psbt') return toBase64(result.bytes)
  if (result.kind === 'transaction') return toHex(result.bytes)
  if (result.kind === 'text') return result.text
  return result.keys.descriptors.map(({ text }) => text).join('\n')
}
