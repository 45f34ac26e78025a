import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AssetMoveView } from '../../background/views/asset-views.ts'
import type { ReviewedInput, ReviewedOutput } from '../../background/views/payment-views.ts'
import type { RunestoneView } from '../../background/views/runestone-views.ts'
import { HelpButton } from '../help/help-button.tsx'
import type { Term } from '../help/terms.ts'
import { joinFacts } from '../platform/join-facts.ts'
import { countWords, words } from '../platform/words.ts'
import { classNames } from '../ui/class-names.ts'
import factsStyles from '../ui/styles/facts.module.css'
import foldStyles from '../ui/styles/fold.module.css'
import pillStyles from '../ui/styles/pill.module.css'
import textStyles from '../ui/styles/text.module.css'
import { AddressText } from '../ui/text/address-text.tsx'
import { formatFeeRate, formatShare, nameBtc, nameSats } from '../ui/text/btc-digits.ts'
import { HiddenAmount } from '../ui/text/hidden-amounts.tsx'
import { CoinAssetsNote, movesFrom, movesTo } from './coins/coin-assets-note.tsx'
import partsStyles from './parts.module.css'
import { RunestonePart } from './runes/runestone.tsx'

/** One line of a list of facts. */
export function Fact(props: { name: string; help?: Term; children: ReactNode }) {
  return (
    <div>
      <dt>
        {props.name}
        {props.help ? (
          <>
            {' '}
            <HelpButton term={props.help} />
          </>
        ) : null}
      </dt>
      <dd>{props.children}</dd>
    </div>
  )
}

/** An amount in BTC, and in sats below. */
export function AmountFact(props: {
  name: string
  sats: bigint
  strong?: boolean
  help?: Term
  children?: ReactNode
}) {
  const btc = nameBtc(props.sats)
  return (
    <Fact name={props.name} {...(props.help && { help: props.help })}>
      {props.strong ? <b>{btc}</b> : btc}
      <span className={factsStyles.sub}>{nameSats(props.sats)}</span>
      {props.children}
    </Fact>
  )
}

type FeeFactProps = {
  name: string
  fee: bigint | null
  /** What the share is taken of; 0 for none. */
  of: bigint
  /** The fee rate in words. */
  rate: string | null
  /** What the last blocks were paid, in sat/vB; null where that is not known. */
  recent?: number | null
  /** Only the rate is told. */
  hidden?: boolean
}

/** The fee three ways: sats, share of what is moved, and rate, beside what the last blocks were paid. */
export function FeeFact(props: FeeFactProps) {
  const { name, fee, of, rate, recent = null, hidden = false } = props
  const share = fee === null ? words('reviewFeeUnknownNote') : of > 0n ? formatShare(fee, of) : null
  const parts = [hidden ? null : share, rate, nameRecent(recent)]
  return (
    <Fact name={name} help="fee-rate">
      {hidden ? <HiddenAmount /> : fee === null ? words('reviewFeeUnknown') : nameSats(fee)}
      <span className={factsStyles.sub}>{joinFacts(parts)}</span>
    </Fact>
  )
}

/** What the last blocks were paid, in words; null where that is not known. */
export function nameRecent(recent: number | null): string | null {
  return recent === null ? null : words('reviewRecent', { rate: formatFeeRate(recent) })
}

type PartsProps = {
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  vsize: number
  txid?: string
  assets?: readonly AssetMoveView[]
  runestone?: RunestoneView | null
  hidden?: boolean
}

/** Every input and output in full, closed at first. */
export function Parts(props: PartsProps) {
  const { inputs, outputs, vsize, txid, assets = [], runestone = null, hidden = false } = props
  return (
    <details className={foldStyles.fold}>
      <summary>
        <ChevronRight size={16} className={foldStyles.turn} aria-hidden />
        {words('reviewDetails')}
      </summary>
      <div className={partsStyles.parts}>
        <h2>{countWords('reviewInputs', inputs.length)}</h2>
        <ul>
          {inputs.map((input, index) => (
            <li key={input.outpoint}>
              <Part address={input.address} sats={input.sats} own={input.own} hidden={hidden} />
              <span className={classNames(textStyles.mono, textStyles.note, textStyles.breakable)}>
                {input.outpoint}
              </span>
              <CoinAssetsNote moves={movesFrom(assets, index)} />
            </li>
          ))}
        </ul>
        <h2>{countWords('reviewOutputs', outputs.length)}</h2>
        <ul>
          {outputs.map((output, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an output is its place
            <li key={index}>
              <Part address={output.address} sats={output.sats} own={output.own} hidden={hidden} />
              {output.address === null ? (
                <span
                  className={classNames(textStyles.mono, textStyles.note, textStyles.breakable)}
                >
                  {output.script}
                </span>
              ) : null}
              {runestone?.output === index ? (
                <RunestonePart runestone={runestone} outputs={outputs} />
              ) : null}
              <CoinAssetsNote moves={movesTo(assets, index)} />
            </li>
          ))}
        </ul>
        <p className={textStyles.note}>{words('reviewSize', { vsize })}</p>
        {txid ? (
          <p className={classNames(textStyles.mono, textStyles.note, textStyles.breakable)}>
            {txid}
          </p>
        ) : null}
      </div>
    </details>
  )
}

type PartProps = { address: string | null; sats: string | null; own: boolean; hidden: boolean }

function Part(props: PartProps) {
  const { sats, hidden } = props
  return (
    <>
      <span className={partsStyles.head}>
        <b>
          {hidden ? (
            <HiddenAmount />
          ) : sats === null ? (
            words('reviewAmountUnknown')
          ) : (
            nameSats(BigInt(sats))
          )}
        </b>
        {props.own ? <span className={pillStyles.pill}>{words('reviewYours')}</span> : null}
      </span>
      {props.address === null ? null : <AddressText address={props.address} />}
    </>
  )
}
