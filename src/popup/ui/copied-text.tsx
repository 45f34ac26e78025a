import type { ReactNode } from 'react'
import { CopyIconButton } from './copy-button.tsx'

/** Something long that is shown shortened, and a button that copies all of it. */
export function CopiedText(props: { text: string; label: string; children: ReactNode }) {
  return (
    <span className="with-copy">
      <span className="mono" title={props.text}>
        {props.children}
      </span>
      <CopyIconButton text={props.text} label={props.label} />
    </span>
  )
}

/** "0123abcd…ef01:0". */
export function shortenOutpoint(outpoint: string): string {
  const [txid = '', vout = ''] = outpoint.split(':')
  return `${txid.slice(0, 8)}…${txid.slice(-4)}:${vout}`
}
