import { Gem } from 'lucide-react'
import type {
  NamedRuneView,
  RuneAmountView,
  RuneLandingView,
  RunestoneFlaw,
  RunestoneView,
} from '../../../background/views/runestone-views.ts'
import { endSentence } from '../../platform/end-sentence.ts'
import { joinSentences } from '../../platform/join-words.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import textStyles from '../../ui/styles/text.module.css'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { spellVisible } from '../../ui/text/visible-parts.ts'
import moveStyles from '../asset-moves.module.css'
import styles from './runestone.module.css'

type RunestoneProps = {
  runestone: RunestoneView | null
  outputs: readonly { own: boolean }[]
}

/** What a transaction mints and etches, and where that lands: what nothing on its inputs tells. */
export function RunestoneNews({ runestone, outputs }: RunestoneProps) {
  if (runestone === null || (runestone.mint === null && runestone.etching === null)) return null
  return (
    <section className={classNames(moveStyles.moves, moveStyles.caution)}>
      <h2>
        <Gem size={18} aria-hidden />
        {words(runestone.etching === null ? 'runestoneMinting' : 'runestoneEtching')}
      </h2>
      <Lines lines={[...listEtching(runestone, outputs), ...listMint(runestone, outputs)]} />
      {runestone.isOpen || runestone.mint !== null ? (
        <p className={textStyles.small}>
          {words(runestone.isOpen ? 'runestoneOpen' : 'runestoneNames')}
        </p>
      ) : null}
    </section>
  )
}

/** All that a runestone says, in the order in which it is carried out. */
export function RunestonePart({ runestone, outputs }: RunestoneProps) {
  if (runestone === null) return null
  const { flaw, edicts, edictCount, isOpen } = runestone
  const hidden = edictCount - edicts.length
  const lines = [
    ...(flaw === null
      ? []
      : [joinSentences([endSentence(words('warningCenotaph')), describeFlaw(flaw)])]),
    ...listEtching(runestone, outputs),
    ...listMint(runestone, outputs),
    ...edicts.map(edict => describeEdict(edict, outputs)),
    ...(hidden > 0 ? [countWords('runestoneMore', hidden)] : []),
    ...(flaw === null ? [describeRest(runestone, outputs)] : []),
  ]
  return (
    <div className={styles.runestone}>
      <Lines lines={lines} />
      <p className={textStyles.small}>{words(isOpen ? 'runestoneOpen' : 'runestoneNames')}</p>
    </div>
  )
}

const FLAWS: { [flaw in RunestoneFlaw]: WordKey } = {
  script: 'runestoneFlawScript',
  varint: 'runestoneFlawNumber',
  'truncated-field': 'runestoneFlawField',
  'trailing-integers': 'runestoneFlawEdict',
  'edict-rune-id': 'runestoneFlawRune',
  'edict-output': 'runestoneFlawOutput',
  'supply-overflow': 'runestoneFlawSupply',
  'unrecognized-flag': 'runestoneFlawFlag',
  'unrecognized-even-tag': 'runestoneFlawTag',
}

/** Why a runestone is malformed, as a sentence. */
export function describeFlaw(flaw: RunestoneFlaw): string {
  return words(FLAWS[flaw])
}

/** Each on a line of its own. */
function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className={styles.lines}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <li key={at} className={textStyles.breakable}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  )
}

function listEtching({ etching, flaw }: RunestoneView, outputs: RunestoneProps['outputs']) {
  if (etching === null) return []
  const { name, symbol, divisibility, premine, terms, landings } = etching
  const etches =
    name === null
      ? words('runestoneEtchesUnnamed')
      : words('runestoneEtches', { rune: spellVisible(name) })
  // Of a malformed one nothing but the name is left.
  if (flaw !== null) return [etches]
  return [
    etches,
    ...(symbol === null ? [] : [words('runestoneSymbol', { symbol: spellVisible(symbol) })]),
    countWords('runestoneDecimals', divisibility),
    terms === null
      ? words('runestoneNoTerms')
      : words('runestoneTerms', {
          amount: formatRuneAmount(terms.amount),
          cap: formatRuneAmount(terms.cap),
        }),
    words(premine === '0' ? 'runestoneNoPremine' : 'runestonePremine', {
      amount: formatRuneAmount(premine),
    }),
    ...listLandings(landings, outputs),
  ]
}

function listMint({ mint, flaw }: RunestoneView, outputs: RunestoneProps['outputs']) {
  if (mint === null) return []
  const rune = nameOf(mint)
  if (flaw !== null) return [words('runestoneMintsLost', { rune })]
  if (mint.amount === null) return [words('runestoneMintsUnknown', { rune })]
  if (mint.amount === '0') return [words('runestoneMintsNothing', { rune })]
  return [
    words('runestoneMints', { rune, amount: formatRuneAmount(mint.amount) }),
    ...listLandings(mint.landings, outputs),
  ]
}

function listLandings(
  landings: readonly RuneLandingView[],
  outputs: RunestoneProps['outputs'],
): string[] {
  return landings.map(landing => {
    const { output } = landing
    const amount = formatRuneAmount(landing.amount)
    return output === null
      ? words('runestoneBurns', { amount })
      : words('runestoneLands', { amount, output: nameOutput(output, outputs) })
  })
}

function describeEdict(
  { amount, output, ...rune }: RunestoneView['edicts'][number],
  outputs: RunestoneProps['outputs'],
): string {
  const what =
    amount === null
      ? words('runestoneAllOf', { rune: nameOf(rune) })
      : nameAmount(amount, nameOf(rune))
  if (output !== null) return words('runestoneEdict', { what, output: nameOutput(output, outputs) })
  return words(amount === null ? 'runestoneEdictShared' : 'runestoneEdictEach', { what })
}

function describeRest({ rest }: RunestoneView, outputs: RunestoneProps['outputs']): string {
  return rest === null
    ? words('runestoneRestBurned')
    : words('runestoneRest', { output: nameOutput(rest, outputs) })
}

function nameAmount({ text, isUnits }: RuneAmountView, rune: string): string {
  return words(isUnits ? 'runestoneUnits' : 'runestoneAmount', {
    amount: formatRuneAmount(text),
    rune,
  })
}

/** What anybody chose, with what cannot be seen spelled out. The rune that the transaction itself etches has no id yet. */
function nameOf({ id, name }: NamedRuneView): string {
  if (id === '0:0') return words('runestoneHere')
  return name === null ? words('runestoneRune', { id }) : spellVisible(name)
}

function nameOutput(index: number, outputs: RunestoneProps['outputs']): string {
  return words(outputs[index]?.own ? 'runestoneOutputYours' : 'runestoneOutput', { index })
}
