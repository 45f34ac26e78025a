import { useState } from 'react'
import type { Warning } from '../../background/ui-methods/payment-views.ts'
import { formatFeeRate, nameSats } from '../ui/btc-digits.ts'
import { Check } from '../ui/choice.tsx'
import { words } from '../words.ts'

/** The dangers that need a second confirmation: one box each, and whether one is still open. */
export function useConsents(warnings: Warning[], fee: bigint | null) {
  const [given, setGiven] = useState<readonly number[]>([])
  const dangers = warnings.flatMap((warning, index) => {
    const text = describeConsent(warning, fee)
    return text === null ? [] : [{ index, kind: warning.kind, text }]
  })
  const boxes = dangers.map(({ index, kind, text }) => (
    <div key={index} className="consent">
      <Check
        checked={given.includes(index)}
        onCheck={checked => setGiven(before => toggle(before, index, checked))}
        testId={`confirm-${kind}`}
      >
        {text}
      </Check>
    </div>
  ))
  return {
    boxes: boxes.length === 0 ? null : boxes,
    blocked: dangers.some(({ index }) => !given.includes(index)),
  }
}

/** Figures that can hurt are spelled again; null for warnings that need no box. */
function describeConsent(warning: Warning, fee: bigint | null): string | null {
  if (warning.kind === 'looks-like') return words('warningLooksLikeConsent')
  if (warning.kind !== 'high-fee') return null
  if (fee === null) return words('warningHighFeeConsentUnknown')
  return warning.percent === null
    ? words('warningHighFeeConsent', { fee: nameSats(fee) })
    : words('warningHighFeeConsentShare', {
        fee: nameSats(fee),
        percent: formatFeeRate(warning.percent),
      })
}

function toggle(list: readonly number[], entry: number, on: boolean): number[] {
  const others = list.filter(other => other !== entry)
  return on ? [...others, entry] : others
}
