import type { Warning } from '../../background/ui-methods/payment-views.ts'
import { shortenAddress } from '../ui/address-chunks.ts'
import { formatFeeRate, nameSats, nameTwice } from '../ui/btc-digits.ts'
import { FoldedNotice, Notice } from '../ui/notice.tsx'
import { words } from '../words.ts'
import { AddressDifference } from './address-difference.tsx'
import { describeWorst, isCostly, type WorstWords } from './list-consents.ts'
import { nameIndexes } from './psbt-words.tsx'

type WarningsProps = { warnings: Warning[]; fee: bigint | null }

const DANGERS: Warning['kind'][] = [
  'blank-signature',
  'open-signature',
  'looks-like',
  'burned-sats',
  'bad-signature',
  'high-fee',
  'from-dust',
  'shared-inputs',
  'unknown-outputs',
]
const CAUTIONS: Warning['kind'][] = [
  'claimed-amounts',
  'unchecked-coins',
  'spends-unconfirmed',
  'dust-outputs',
  'low-fee',
  'own-address',
]

const WORST: WorstWords = {
  pays: 'psbtWorstPay',
  gets: 'psbtWorstGet',
  nothing: 'psbtWorstNothing',
}
const BOUND: WorstWords = {
  pays: 'warningOpenPay',
  gets: 'warningOpenGet',
  nothing: 'warningOpenNothing',
}

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
    case 'blank-signature':
      return (
        <Notice tone="danger" title={words('warningBlank')}>
          {words('warningBlankNote')}
        </Notice>
      )
    case 'open-signature':
      return <OpenSignature warning={warning} />
    case 'burned-sats':
      return (
        <Notice
          tone="danger"
          title={words('warningBurned', { amount: nameTwice(BigInt(warning.sats)) })}
        >
          {words('warningBurnedNote')}
        </Notice>
      )
    case 'bad-signature':
      return (
        <Notice tone="danger" title={words('warningBadSignature')}>
          {words('warningBadSignatureNote', { inputs: nameIndexes('psbtInputs', warning.inputs) })}
        </Notice>
      )
    case 'shared-inputs':
      return (
        <Notice
          tone="caution"
          title={words('warningShared', { amount: nameTwice(BigInt(warning.sats)) })}
        >
          {words('warningSharedNote', { inputs: nameIndexes('psbtInputs', warning.inputs) })}
        </Notice>
      )
    case 'unknown-outputs':
      return (
        <Notice tone="caution" title={words('warningUnknownOutputs')}>
          {words('warningUnknownOutputsNote', {
            outputs: nameIndexes('psbtOutputs', warning.outputs),
          })}
        </Notice>
      )
    case 'claimed-amounts':
      return (
        <FoldedNotice title={words('warningClaimed')}>
          {words('warningClaimedNote', { inputs: nameIndexes('psbtInputs', warning.inputs) })}
        </FoldedNotice>
      )
    case 'dust-outputs':
      return (
        <FoldedNotice title={words('warningDustOutputs')}>
          {words('warningDustOutputsNote', {
            outputs: nameIndexes('psbtOutputs', warning.outputs),
          })}
        </FoldedNotice>
      )
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

/** The worst case as a block of its own, where others can make it worse than it is drawn. */
function OpenSignature({ warning }: { warning: Warning & { kind: 'open-signature' } }) {
  const worst = BigInt(warning.worst)
  return isCostly(warning) ? (
    <Notice tone="danger" title={describeWorst(worst, WORST)}>
      {words('warningOpenNote')}
    </Notice>
  ) : (
    <Notice tone="caution" title={words('warningOpen')}>
      {describeWorst(worst, BOUND)}
      {worst > BigInt(warning.drawn) ? ` ${words('warningOpenRest')}` : null}
    </Notice>
  )
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
