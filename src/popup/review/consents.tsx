import { useState } from 'react'
import type { Warning } from '../../background/views/payment-views.ts'
import { Check } from '../ui/fields/choice.tsx'
import styles from './consents.module.css'
import { type Consent, listConsents, type Subject } from './list-consents.ts'

/** A box for each danger of what is approved that needs a second confirmation, and whether one is still open. */
export function useConsents(
  subjects: readonly Subject[],
  together: readonly Warning[] = [],
  further: readonly Consent[] = [],
) {
  const [given, setGiven] = useState<readonly number[]>([])
  const consents = [...further, ...listConsents(subjects, together)]
  const boxes = consents.map(({ kind, text }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a danger is its place
    <div key={index} className={styles.consent}>
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
    boxes: boxes.length === 0 ? null : <div className={styles.consents}>{boxes}</div>,
    blocked: consents.some((_, index) => !given.includes(index)),
  }
}

function toggle(list: readonly number[], entry: number, on: boolean): number[] {
  const others = list.filter(other => other !== entry)
  return on ? [...others, entry] : others
}
