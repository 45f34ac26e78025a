import { X } from 'lucide-react'
import { useEffect } from 'react'
import type { Overview } from '../../../background/views/activity-views.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { IconButton } from '../../ui/button.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { isTestNetwork } from '../../ui/text/names.ts'
import { isVoid } from '../activity/entry-words.ts'
import styles from './first-use.module.css'

type FirstPaymentProps = PageProps & { overview: Overview }

/** Tells a person with a new wallet that the first payment is there, until they dismiss it. */
export function FirstPayment({ state, onChanged, overview }: FirstPaymentProps) {
  const amounts = useAmounts()
  const { activity, more } = overview
  const first = activity.findLast(entry => entry.kind === 'received' && !isVoid(entry))
  // With more than fits the start screen, the first one is long known.
  const isOver = more
  useEffect(() => {
    if (isOver) call('dismissFirstPayment', null).catch(() => {})
  }, [isOver])
  if (isOver || !first) return null
  const dismiss = async () => {
    // Where that fails, it stays.
    await call('dismissFirstPayment', null).catch(() => {})
    await onChanged()
    document.querySelector('h1')?.focus()
  }
  return (
    <div className={styles.payment}>
      <svg className={styles.done} viewBox="0 0 40 40" aria-hidden="true">
        <circle cx="20" cy="20" r="18" />
        <path d="m12 20.5 5.5 5.5L28.5 14.5" />
      </svg>
      <div className={styles.text} role="status">
        <strong>
          {words(isTestNetwork(state.network) ? 'firstPaymentTest' : 'firstPaymentTitle')}
        </strong>
        {first.net === null ? null : <p>{amounts.btc(BigInt(first.net))}</p>}
        <p className={textStyles.muted}>
          {words(first.status === 'confirmed' ? 'firstPaymentConfirmed' : 'firstPaymentPending')}
        </p>
      </div>
      <IconButton label={words('commonDismiss')} onClick={() => void dismiss()}>
        <X size={18} aria-hidden />
      </IconButton>
    </div>
  )
}
