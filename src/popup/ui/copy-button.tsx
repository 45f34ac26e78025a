import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { words } from '../platform/words.ts'
import { Button, IconButton } from './button.tsx'
import { showToast } from './toast.tsx'

const SHOWN_MS = 2500

type CopyProps = {
  text: string
  /** What a press does, such as "Copy address". */
  label: string
}

/** Copies text and says so; where the browser forbids it, says that instead. */
export function CopyButton({
  text,
  label,
  variant = 'quiet',
}: CopyProps & { variant?: 'primary' | 'secondary' | 'quiet' }) {
  const [copied, copy] = useCopy(text)
  return (
    <Button variant={variant} onClick={copy}>
      <CopyIcon copied={copied} />
      {copied ? words('commonCopied') : label}
    </Button>
  )
}

/** The same as an icon, for the end of a line. */
export function CopyIconButton({ text, label }: CopyProps) {
  const [copied, copy] = useCopy(text)
  return (
    <IconButton label={label} onClick={copy}>
      <CopyIcon copied={copied} />
    </IconButton>
  )
}

function CopyIcon({ copied }: { copied: boolean }): ReactNode {
  return copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />
}

function useCopy(text: string): [copied: boolean, copy: () => void] {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true)
        showToast(words('commonCopied'))
      },
      () => showToast(words('commonCopyFailed')),
    )
  }
  return [copied, copy]
}
