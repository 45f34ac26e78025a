import type { ReactNode } from 'react'
import type { AssetMoveView } from '../../../background/views/asset-views.ts'
import type {
  PsbtInputView,
  PsbtOutputView,
  PsbtView,
  SighashView,
} from '../../../background/views/psbt-views.ts'
import { endSentence } from '../../platform/end-sentence.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { addSpace } from '../../platform/join-words.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import pillStyles from '../../ui/styles/pill.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { AddressText } from '../../ui/text/address-text.tsx'
import { nameSats } from '../../ui/text/btc-digits.ts'
import { sayName } from '../../ui/text/names.ts'
import { CoinAssetsNote, movesFrom, movesTo } from '../coins/coin-assets-note.tsx'
import { Fold } from '../fold.tsx'
import { isRunestone } from '../output-script.ts'
import partsStyles from '../parts.module.css'
import { RunestonePart } from '../runes/runestone.tsx'
import { groupRuns, type InputRun, sumRun } from './input-runs.ts'
import styles from './psbt-parts.module.css'

/** Every input and output in full; drawn when it is opened, since there may be a thousand. */
export function PsbtParts({ view }: { view: PsbtView }) {
  const { inputs, outputs, vsize, vsizeExact, txid, assets } = view
  return (
    <Fold summary={words('reviewDetails')}>
      <div className={classNames(partsStyles.parts, styles.parts)}>
        <h2>{countWords('reviewInputs', inputs.length)}</h2>
        <ul>
          {groupRuns(inputs, new Set(assets.map(({ input }) => input))).map(run => (
            <InputPart key={run.first} run={run} moves={movesFrom(assets, run.first)} />
          ))}
        </ul>
        <h2>{countWords('reviewOutputs', outputs.length)}</h2>
        <ul>
          {outputs.map((output, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an output is its place
            <OutputPart key={index} output={output} index={index} moves={movesTo(assets, index)}>
              {view.runestone?.output === index ? (
                <RunestonePart runestone={view.runestone} outputs={outputs} />
              ) : null}
            </OutputPart>
          ))}
        </ul>
        <p className={textStyles.note}>
          {words(vsizeExact ? 'reviewSize' : 'psbtSize', { vsize })}
        </p>
        {txid === null ? (
          <p className={textStyles.note}>{words('psbtNoTxid')}</p>
        ) : (
          <p className={classNames(textStyles.mono, textStyles.note, textStyles.breakable)}>
            {txid}
          </p>
        )}
      </div>
    </Fold>
  )
}

const STATES: { [state in PsbtInputView['state']]: WordKey } = {
  'to-sign': 'psbtStateToSign',
  signed: 'psbtStateSigned',
  final: 'psbtStateFinal',
  open: 'psbtStateOpen',
}

const PROOFS: { [proof in NonNullable<PsbtInputView['proof']>]: WordKey } = {
  proven: 'psbtProofProven',
  committed: 'psbtProofCommitted',
  claimed: 'psbtProofClaimed',
}

/** The names are those of the signing code everywhere. */
const SIGHASHES: { [sighash in SighashView]: { code: string; name: WordKey; note: WordKey } } = {
  all: { code: 'ALL', name: 'psbtSighashAll', note: 'psbtSighashAllNote' },
  'all-anyone': {
    code: 'ALL|ANYONECANPAY',
    name: 'psbtSighashAllAnyone',
    note: 'psbtSighashAllAnyoneNote',
  },
  'single-anyone': {
    code: 'SINGLE|ANYONECANPAY',
    name: 'psbtSighashSingleAnyone',
    note: 'psbtSighashSingleAnyoneNote',
  },
  single: { code: 'SINGLE', name: 'psbtSighashSingle', note: 'psbtSighashSingleNote' },
  none: { code: 'NONE', name: 'psbtSighashNone', note: 'psbtSighashNoneNote' },
  'none-anyone': {
    code: 'NONE|ANYONECANPAY',
    name: 'psbtSighashNoneAnyone',
    note: 'psbtSighashNoneAnyoneNote',
  },
}

type InputPartProps = { run: InputRun; moves: readonly AssetMoveView[] }

function InputPart({ run, moves }: InputPartProps) {
  const { first, inputs } = run
  const [input] = inputs
  const isMany = inputs.length > 1
  const sats = sumRun(run)
  const amount = sats === null ? words('reviewAmountUnknown') : nameSats(sats)
  const notes = [
    words(STATES[input.state]),
    input.open ? words('psbtInputOpen') : null,
    input.sats === null ? null : input.proof && words(PROOFS[input.proof]),
  ]
  return (
    <li>
      <span className={classNames(partsStyles.head, styles.head)}>
        <Place first={first} last={first + inputs.length - 1} />
        <b>{isMany && sats !== null ? words('psbtTogether', { amount }) : amount}</b>
        <OwnerPill input={input} />
      </span>
      {input.placeholder ? (
        <p className={textStyles.note}>{words('psbtPlaceholderNote')}</p>
      ) : (
        <>
          {input.address === null ? null : <AddressText address={input.address} />}
          {isMany ? (
            <Fold summary={countWords('psbtEach', inputs.length)}>
              <ul className={styles.coinsOfRun}>
                {inputs.map(({ outpoint, sats }) => (
                  <li key={outpoint}>
                    <b>{sats === null ? words('reviewAmountUnknown') : nameSats(BigInt(sats))}</b>
                    <Outpoint outpoint={outpoint} />
                  </li>
                ))}
              </ul>
            </Fold>
          ) : (
            <Outpoint outpoint={input.outpoint} />
          )}
          <CoinAssetsNote moves={moves} />
          <p className={textStyles.small}>{joinFacts(notes)}</p>
        </>
      )}
      {input.badSignature ? (
        <p className={classNames(textStyles.small, styles.bad)}>
          <b>{words('psbtBadSignature')}</b>
        </p>
      ) : null}
      {input.sighash === null ? null : <Signature sighash={input.sighash} index={first} />}
    </li>
  )
}

function Outpoint({ outpoint }: { outpoint: string }) {
  return (
    <span className={classNames(textStyles.mono, textStyles.note, textStyles.breakable)}>
      {outpoint}
    </span>
  )
}

function Signature({ sighash, index }: { sighash: SighashView; index: number }) {
  const { code, name, note } = SIGHASHES[sighash]
  return (
    <p className={textStyles.note}>
      <b>{words(name, { index })}</b> <span className={textStyles.mono}>({code})</span>
      {addSpace(endSentence(''))}
      {words(note)}
    </p>
  )
}

type OutputPartProps = {
  output: PsbtOutputView
  index: number
  moves: readonly AssetMoveView[]
  children: ReactNode
}

function OutputPart({ output, index, moves, children }: OutputPartProps) {
  const { kind, address, name, accountName } = output
  return (
    <li>
      <span className={classNames(partsStyles.head, styles.head)}>
        <Place first={index} last={index} />
        <b>{nameSats(BigInt(output.sats))}</b>
        {kind === 'own' ? (
          <span className={classNames(pillStyles.pill, pillStyles.own)}>
            {accountName === null ? words('reviewYours') : sayName(accountName)}
          </span>
        ) : null}
        {name !== null && kind !== 'own' ? (
          <span className={pillStyles.pill}>{sayName(name)}</span>
        ) : null}
        {kind === 'data' ? (
          <span className={pillStyles.pill}>
            {words(isRunestone(output.script) ? 'reviewFlowRunestone' : 'psbtOutputData')}
          </span>
        ) : null}
        {kind === 'unknown' ? (
          <span className={pillStyles.pill}>{words('psbtOutputScript')}</span>
        ) : null}
      </span>
      {address === null ? (
        <span className={classNames(textStyles.mono, textStyles.note, textStyles.breakable)}>
          {output.script}
        </span>
      ) : (
        <AddressText address={address} />
      )}
      {children}
      <CoinAssetsNote moves={moves} />
      {output.open ? <p className={textStyles.small}>{words('psbtOutputOpen')}</p> : null}
    </li>
  )
}

function Place({ first, last }: { first: number; last: number }) {
  return (
    <span className={textStyles.muted}>
      {first === last ? words('psbtPlace', { index: first }) : words('psbtPlaces', { first, last })}
    </span>
  )
}

function OwnerPill({ input }: { input: PsbtInputView }) {
  const { owner, accountName } = input
  if (input.placeholder)
    return <span className={pillStyles.pill}>{words('psbtPlaceholderShort')}</span>
  if (owner === 'own')
    return (
      <span className={classNames(pillStyles.pill, pillStyles.own)}>
        {accountName === null ? words('reviewYours') : sayName(accountName)}
      </span>
    )
  const names = {
    shared: 'psbtOwnerShared',
    foreign: 'psbtOwnerForeign',
    unknown: 'psbtOwnerUnknown',
  } as const
  return <span className={pillStyles.pill}>{words(names[owner])}</span>
}
