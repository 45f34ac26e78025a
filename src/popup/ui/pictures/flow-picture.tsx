import { joinSentences } from '../../platform/join-words.ts'
import { isolate, type WordKey, words } from '../../platform/words.ts'
import { classNames } from '../class-names.ts'
import textStyles from '../styles/text.module.css'
import { nameBtc, nameSats, nameValue } from '../text/btc-digits.ts'
import { widthOf } from '../text/letter-width.ts'
import { type AssetPath, type Flow, type FlowEnd, layoutFlow, type Strand } from './flow-layout.ts'
import styles from './flow-picture.module.css'

/** A transaction as a picture: inputs from the left, outputs to the right, the fee downwards; and the same as sentences. */
export function FlowPicture({ flow }: { flow: Flow }) {
  const { width, height, trunk, inputs, outputs, fee, assetPaths } = layoutFlow(flow)
  const feeRoom = fee ? 22 : 0
  return (
    <figure className={styles.flow} data-flow aria-label={words('flowLabel')}>
      <svg viewBox={`0 -1 ${width} ${height + feeRoom + 2}`} aria-hidden="true">
        {inputs.map((strand, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a strand is its place
          <path key={index} className={strandClass(strand.end)} d={strand.path} />
        ))}
        {outputs.map((strand, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a strand is its place
          <path key={index} className={strandClass(strand.end)} d={strand.path} />
        ))}
        <rect
          className={styles.trunk}
          x={trunk.x - 2}
          y={trunk.top - 3}
          width="4"
          height={trunk.bottom - trunk.top + 6}
          rx="2"
        />
        {fee ? (
          <path
            className={classNames(styles.strand, styles.fee, flow.feeOpen && styles.open)}
            d={fee.path}
          />
        ) : null}
        {assetPaths.map((assetPath, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an asset path is its place
          <Beads key={index} assetPath={assetPath} />
        ))}
        {inputs.map((strand, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a strand is its place
          <Label key={index} strand={strand} x={0} anchor="start" />
        ))}
        {outputs.map((strand, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a strand is its place
          <Label key={index} strand={strand} x={width} anchor="end" />
        ))}
        {fee ? (
          <text className={styles.label} x={fee.x} y={height + 15} textAnchor="middle">
            {isolate(words('flowFeeLabel', { fee: nameSats(flow.fee ?? 0n) }))}
          </text>
        ) : null}
      </svg>
      {isOpen(flow) ? (
        <figcaption className={textStyles.note} aria-hidden="true">
          {words('flowOpenLegend')}
        </figcaption>
      ) : null}
      {assetPaths.length > 0 ? (
        <figcaption className={textStyles.note} aria-hidden="true">
          <span className={styles.bead} /> {words('flowBeadLegend')}
        </figcaption>
      ) : null}
      <ul className={textStyles.visuallyHidden}>
        {inputs.map(({ end }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a strand is its place
          <li key={index}>{tell('flowFrom', end)}</li>
        ))}
        {outputs.map(({ end }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a strand is its place
          <li key={index}>{tell(end.own ? 'flowOwn' : 'flowTo', end)}</li>
        ))}
        <li>
          {flow.fee === null
            ? words('flowFeeUnknown')
            : words(flow.feeOpen ? 'flowFeeOpen' : 'flowFee', { fee: nameSats(flow.fee) })}
        </li>
        {(flow.assets ?? []).map(({ told }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an asset is its place
          <li key={index}>{told}</li>
        ))}
      </ul>
    </figure>
  )
}

/** What travels: a bead where it comes from and one where it lands, with its number where it is not alone. */
function Beads({ assetPath }: { assetPath: AssetPath }) {
  const { count, lost, from, to, path } = assetPath
  return (
    <g className={classNames(styles.assetPath, lost && styles.lost)}>
      {path === null ? null : <path d={path} />}
      {[from, ...(to === null ? [] : [to])].map(({ x, y }) => (
        <g key={x}>
          <circle cx={x} cy={y} r={count > 99 ? 10 : count > 1 ? 8 : 5} />
          {count > 1 ? (
            <text x={x} y={y + 3.5} textAnchor="middle">
              {count > 999 ? '…' : count}
            </text>
          ) : null}
        </g>
      ))}
    </g>
  )
}

function Label({ strand, x, anchor }: { strand: Strand; x: number; anchor: 'start' | 'end' }) {
  const { end, labelY } = strand
  return (
    <text className={styles.label} textAnchor={anchor}>
      <tspan className={end.own ? styles.own : styles.name} x={x} y={labelY - 3}>
        {isolate(shortenLabel(end.label, end.own))}
      </tspan>
      <tspan className={classNames()} x={x} y={labelY + 12}>
        {end.sats === null ? words('flowUnknown') : isolate(shortenValue(nameValue(end.sats)))}
      </tspan>
    </text>
  )
}

function isOpen({ inputs, outputs, feeOpen = false }: Flow): boolean {
  return feeOpen || inputs.some(({ open }) => open) || outputs.some(({ open }) => open)
}

/** A strand as a sentence. */
function tell(key: WordKey, end: FlowEnd): string {
  const sentence = words(key, { who: end.spoken ?? end.label, amount: nameAmount(end) })
  return end.open ? joinSentences([sentence, words('flowOpen')]) : sentence
}

/** Names too long for the margin, where those of others are in wider letters; the details have all of them. */
export function shortenLabel(label: string, own: boolean): string {
  if (widthOf(label) <= (own ? 18 : 15)) return label
  let cut = ''
  for (const letter of label) {
    if (widthOf(cut + letter) > 14) break
    cut += letter
  }
  return `${cut.trimEnd()}…`
}

/** Figures too long for the margin lose their last decimals; the details have all of them. */
function shortenValue(value: string): string {
  const [figure = '', unit = ''] = value.split(' ')
  return `${figure.length <= 11 ? figure : `${figure.slice(0, 10)}…`} ${unit}`
}

function strandClass(end: FlowEnd): string {
  return classNames(
    styles.strand,
    end.own && styles.own,
    end.sats === null && styles.unknown,
    end.open && styles.open,
  )
}

function nameAmount(end: FlowEnd): string {
  return end.sats === null ? words('flowAmountUnknown') : nameBtc(end.sats)
}
