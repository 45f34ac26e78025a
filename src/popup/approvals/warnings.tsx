import type { Warning } from '../../background/ui-methods/ui-methods.ts'
import { nameSats } from '../ui/btc-digits.ts'
import { Check } from '../ui/choice.tsx'
import { FoldedNotice, Notice } from '../ui/notice.tsx'

/** The risks of a transaction, the worst first. */
export function Warnings({ warnings, fee }: { warnings: Warning[]; fee: bigint | null }) {
  const ordered = [...warnings].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
  return ordered.map(warning => <WarningNotice key={warning.kind} warning={warning} fee={fee} />)
}

const ORDER: Warning['kind'][] = [
  'high-fee',
  'unchecked-coins',
  'spends-unconfirmed',
  'low-fee',
  'own-address',
]

function WarningNotice({ warning, fee }: { warning: Warning; fee: bigint | null }) {
  switch (warning.kind) {
    case 'high-fee':
      return (
        <Notice tone="danger" title="The fee is very high">
          {describeHighFee(warning, fee)}
        </Notice>
      )
    case 'unchecked-coins':
      return (
        <FoldedNotice title="The coins are not checked">
          Satchel does not know whether they carry inscriptions or runes. If they do, these go with
          the payment.
        </FoldedNotice>
      )
    case 'spends-unconfirmed':
      return (
        <FoldedNotice title="It spends coins that are not confirmed">
          If the payment that brought them is replaced, this one is void too.
        </FoldedNotice>
      )
    case 'low-fee':
      return (
        <FoldedNotice title="The fee is low">
          Under {warning.minimum} sat/vB it may wait for long, or not be accepted at all.
        </FoldedNotice>
      )
    case 'own-address':
      return <Notice tone="info">This is your own address: you pay only the fee.</Notice>
  }
}

function describeHighFee(warning: Warning & { kind: 'high-fee' }, fee: bigint | null): string {
  const size = fee === null ? 'It' : nameSats(fee)
  const share = warning.percent === null ? '' : ` (${warning.percent}\u00a0% of the amount)`
  const fastest =
    warning.fastest === null ? '' : ` The fastest confirmation costs ${warning.fastest} sat/vB now.`
  return `${size}${share} goes to miners.${fastest}`
}

export function hasHighFee(warnings: Warning[]): boolean {
  return warnings.some(({ kind }) => kind === 'high-fee')
}

type HighFeeConsentProps = {
  warnings: Warning[]
  fee: bigint | null
  checked: boolean
  onCheck: (checked: boolean) => void
}

/** The second confirmation that a very high fee needs, with the figure spelled again. */
export function HighFeeConsent({ warnings, fee, checked, onCheck }: HighFeeConsentProps) {
  const warning = warnings.find(({ kind }) => kind === 'high-fee')
  if (warning?.kind !== 'high-fee') return null
  const share = warning.percent === null ? '' : `, ${warning.percent}\u00a0%`
  return (
    <div className="consent">
      <Check checked={checked} onCheck={onCheck} testId="confirm-high-fee">
        I pay this very high fee{fee === null ? '' : ` of ${nameSats(fee)}${share}`}
      </Check>
    </div>
  )
}
