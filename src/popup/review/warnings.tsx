import type { AssetMoveView, AssetView } from '../../background/views/asset-views.ts'
import type { Warning } from '../../background/views/payment-views.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { HelpButton } from '../help/help-button.tsx'
import { joinSentences } from '../platform/join-words.ts'
import { countWords, words } from '../platform/words.ts'
import { FoldedNotice, Notice } from '../ui/notice.tsx'
import { AddressText, shortenAddress } from '../ui/text/address-text.tsx'
import { listAssets, UNCHECKED_WORDS } from '../ui/text/asset-names.ts'
import { formatFeeRate, nameSats, nameTwice, nameValue } from '../ui/text/btc-digits.ts'
import { formatMoment } from '../ui/text/time-text.ts'
import { AddressDifference } from './address-difference.tsx'
import { givenOf, groupByOutcome } from './asset-words.tsx'
import { nameIndexes, placesOfItems } from './index-words.ts'
import { describeWorst, isCostly, type WorstWords } from './list-consents.ts'
import { describeFlaw } from './runes/runestone.tsx'

type WarningsProps = {
  warnings: Warning[]
  fee: bigint | null
  /** Names that warnings about inscriptions use. */
  assets?: readonly AssetMoveView[]
}

const DANGERS: Warning['kind'][] = [
  'one-sided-items',
  'blank-signature',
  'unasked-sighash',
  'open-signature',
  'looks-like',
  'unchecked-coins',
  'locked-coins',
  'burned-sats',
  'cenotaph',
  'bad-signature',
  'high-fee',
  'large-postage',
  'from-dust',
  'name-moved',
  'paid-already',
  'shared-inputs',
  'unknown-outputs',
]
const CAUTIONS: Warning['kind'][] = [
  'unproven-inscriptions',
  'claimed-amounts',
  'joins-addresses',
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
export function Dangers(props: WarningsProps) {
  return <Listed {...props} kinds={DANGERS} />
}

/** What is good to know. */
export function Cautions(props: WarningsProps) {
  return <Listed {...props} kinds={CAUTIONS} />
}

function Listed(props: WarningsProps & { kinds: Warning['kind'][] }) {
  const { warnings, kinds, fee, assets = [] } = props
  return kinds
    .flatMap(kind => warnings.filter(warning => warning.kind === kind))
    .map(warning => (
      <WarningNotice key={keyOf(warning)} warning={warning} fee={fee} assets={assets} />
    ))
}

function keyOf(warning: Warning): string {
  if (warning.kind === 'paid-already') return `${warning.kind} ${warning.to} ${warning.sats}`
  if (warning.kind === 'unchecked-coins') return `${warning.kind} ${warning.why}`
  return 'to' in warning ? `${warning.kind} ${warning.to}` : warning.kind
}

type WarningNoticeProps = {
  warning: Warning
  fee: bigint | null
  assets: readonly AssetMoveView[]
}

function WarningNotice({ warning, fee, assets }: WarningNoticeProps) {
  switch (warning.kind) {
    case 'blank-signature':
      return (
        <Notice tone="danger" title={words('warningBlank')}>
          {words('warningBlankNote')}
        </Notice>
      )
    case 'open-signature':
      return <OpenSignature warning={warning} />
    case 'unasked-sighash':
      return (
        <Notice tone="danger" title={words('warningUnasked')}>
          {words('warningUnaskedNote', { inputs: nameIndexes('psbtInputs', warning.inputs) })}
        </Notice>
      )
    case 'one-sided-items':
      return (
        <Notice tone="danger" title={nameIndexes('batchOneSided', placesOfItems(warning.items))}>
          {describeOneSided(BigInt(warning.worst), givenOf(groupByOutcome(assets)))}
        </Notice>
      )
    case 'burned-sats':
      return (
        <Notice
          tone="danger"
          title={words('warningBurned', { amount: nameTwice(BigInt(warning.sats)) })}
        >
          {words('warningBurnedNote')}
        </Notice>
      )
    case 'cenotaph':
      return (
        <Notice tone="danger" title={words('warningCenotaph')}>
          {words('warningCenotaphNote', { why: describeFlaw(warning.flaw) })}
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
          {words('warningFromDustNote', { address: shortenAddress(warning.to) })}{' '}
          <HelpButton term="dust" />
        </Notice>
      )
    case 'name-moved':
      return (
        <Notice tone="caution" title={words('warningNameMoved')}>
          <p>{words('warningNameMovedNote', { name: `₿${warning.paymentName}` })}</p>
          <AddressText address={warning.before} />
        </Notice>
      )
    case 'paid-already':
      return (
        <Notice tone="caution" title={words('warningRepeated')}>
          {words('warningRepeatedNote', {
            amount: nameValue(BigInt(warning.sats)),
            to: shortenAddress(warning.to),
            when: formatMoment(warning.at),
          })}
        </Notice>
      )
    case 'unchecked-coins':
      return (
        <Notice tone="danger" title={words('warningUnchecked')}>
          {words('warningUncheckedNote', {
            inputs: nameIndexes('psbtInputs', warning.inputs),
            why: words(UNCHECKED_WORDS[warning.why]),
          })}
        </Notice>
      )
    case 'locked-coins':
      return (
        <Notice tone="caution" title={words('warningLocked')}>
          {words('warningLockedNote', { inputs: nameIndexes('psbtInputs', warning.inputs) })}
        </Notice>
      )
    case 'large-postage':
      return (
        <Notice
          tone="caution"
          title={words('warningPostage', { amount: nameTwice(BigInt(warning.sats)) })}
        >
          {words('warningPostageNote')} <HelpButton term="postage" />
        </Notice>
      )
    case 'unproven-inscriptions':
      return (
        <FoldedNotice title={words('warningUnproven')}>
          {words('warningUnprovenNote', {
            what: listAssets(warning.ids.map(id => find(assets, id))),
          })}
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
    case 'joins-addresses':
      return (
        <Notice tone="caution" title={countWords('warningJoins', warning.count)}>
          {words('mergePrivacy')}
        </Notice>
      )
    case 'own-address':
      return <Notice tone="info">{words('warningOwnAddress')}</Notice>
  }
}

function find(moves: readonly AssetMoveView[], id: string): AssetView {
  const known = moves.find(({ asset }) => keyOfAsset(asset) === id)?.asset
  return known ?? { kind: 'inscription', id, number: null }
}

/** The result if only the items that bring nothing are used. */
function describeOneSided(worst: bigint, given: readonly AssetMoveView[]): string {
  const amount = nameTwice(worst)
  const what = listAssets(given.map(({ asset }) => asset))
  if (worst >= 0n)
    return given.length > 0 ? words('batchOneSidedGive', { what }) : words('batchOneSidedNothing')
  return given.length > 0
    ? words('batchOneSidedPayGive', { amount, what })
    : words('batchOneSidedPay', { amount })
}

/** The worst case in a block of its own, where others can make the transaction worse than it is now. */
function OpenSignature({ warning }: { warning: Warning & { kind: 'open-signature' } }) {
  const worst = BigInt(warning.worst)
  return isCostly(warning) ? (
    <Notice tone="danger" title={describeWorst(worst, WORST)}>
      {words('warningOpenNote')} <HelpButton term="worst-case" />
    </Notice>
  ) : (
    <Notice tone="caution" title={words('warningOpen')}>
      {joinSentences([
        describeWorst(worst, BOUND),
        worst > BigInt(warning.proposed) ? words('warningOpenRest') : '',
      ])}{' '}
      <HelpButton term="worst-case" />
    </Notice>
  )
}

function describeHighFee(warning: Warning & { kind: 'high-fee' }, fee: bigint | null): string {
  const { percent, fastest, recent } = warning
  return joinSentences([
    fee === null
      ? ''
      : percent === null
        ? words('warningHighFeeNote', { fee: nameSats(fee) })
        : words('warningHighFeeShare', { fee: nameSats(fee), percent: formatFeeRate(percent) }),
    fastest === null ? '' : words('warningHighFeeFastest', { rate: formatFeeRate(fastest) }),
    recent === null ? '' : words('warningHighFeeRecent', { rate: formatFeeRate(recent) }),
  ])
}
