import type { Warning } from '../../background/ui-methods/payment-views.ts'
import { shortenAddress } from '../ui/address-chunks.ts'
import { formatFeeRate, nameSats } from '../ui/btc-digits.ts'
import { FoldedNotice, Notice } from '../ui/notice.tsx'
import { words } from '../words.ts'
import { AddressDifference } from './address-difference.tsx'

type WarningsProps = { warnings: Warning[]; fee: bigint | null }

const DANGERS: Warning['kind'][] = ['looks-like', 'high-fee', 'from-dust']
const CAUTIONS: Warning['kind'][] = [
  'unchecked-coins',
  'spends-unconfirmed',
  'low-fee',
  'own-address',
]

/** What can cost the person money, the worst first. */
export function Dangers({ warnings, fee }: WarningsProps) {
  return <Listed warnings={warnings} kinds={DANGERS} fee={fee} />
}

/** What is good to know. */
export function Cautions({ warnings, fee }: WarningsProps) {
  return <Listed warnings={warnings} kinds={CAUTIONS} fee={fee} />
}

function Listed({ warnings, kinds, fee }: WarningsProps & { kinds: Warning['kind'][] }) {
  return kinds
    .flatMap(kind => warnings.filter(warning => warning.kind === kind))
    .map(warning => <WarningNotice key={keyOf(warning)} warning={warning} fee={fee} />)
}

function keyOf(warning: Warning): string {
  return 'to' in warning ? `${warning.kind} ${warning.to}` : warning.kind
}

function WarningNotice({ warning, fee }: { warning: Warning; fee: bigint | null }) {
  switch (warning.kind) {
    case 'looks-like':
      return (
        <Notice tone="danger" title={words('warningLooksLike')}>
          <p>{words('warningLooksLikeNote')}</p>
          <AddressDifference to={warning.to} known={warning.known} name={warning.name} />
        </Notice>
      )
    case 'high-fee':
      return (
        <Notice tone="danger" title={words('warningHighFee')}>
          {describeHighFee(warning, fee)}
        </Notice>
      )
    case 'from-dust':
      return (
        <Notice tone="caution" title={words('warningFromDust')}>
          {words('warningFromDustNote', { address: shortenAddress(warning.to) })}
        </Notice>
      )
    case 'unchecked-coins':
      return (
        <FoldedNotice title={words('warningUnchecked')}>
          {words('warningUncheckedNote')}
        </FoldedNotice>
      )
    case 'spends-unconfirmed':
      return (
        <FoldedNotice title={words('warningUnconfirmed')}>
          {words('warningUnconfirmedNote')}
        </FoldedNotice>
      )
    case 'low-fee':
      return (
        <FoldedNotice title={words('warningLowFee')}>
          {words('warningLowFeeNote', { minimum: formatFeeRate(warning.minimum) })}
        </FoldedNotice>
      )
    case 'own-address':
      return <Notice tone="info">{words('warningOwnAddress')}</Notice>
  }
}

function describeHighFee(warning: Warning & { kind: 'high-fee' }, fee: bigint | null): string {
  const { percent, fastest } = warning
  const sentences = [
    fee === null
      ? ''
      : percent === null
        ? words('warningHighFeeNote', { fee: nameSats(fee) })
        : words('warningHighFeeShare', { fee: nameSats(fee), percent: formatFeeRate(percent) }),
    fastest === null ? '' : words('warningHighFeeFastest', { rate: formatFeeRate(fastest) }),
  ]
  return sentences.filter(sentence => sentence !== '').join(' ')
}
