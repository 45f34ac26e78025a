import './flow.css'
import { words } from '../words.ts'
import { formatShortBtc, nameSats } from './btc-digits.ts'
import { type Flow, type FlowEnd, layoutFlow, type Strand } from './flow-layout.ts'

/** A transaction as a picture: inputs from the left, outputs to the right, the fee downwards; and the same as sentences. */
export function FlowPicture({ flow }: { flow: Flow }) {
  const { width, height, trunk, inputs, outputs, fee } = layoutFlow(flow)
  const feeRoom = fee ? 22 : 0
  return (
    <figure className="flow" aria-label={words('flowLabel')}>
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
          className="trunk"
          x={trunk.x - 2}
          y={trunk.top - 3}
          width="4"
          height={trunk.bottom - trunk.top + 6}
          rx="2"
        />
        {fee ? <path className="strand fee" d={fee.path} /> : null}
        {inputs.map((strand, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a strand is its place
          <Label key={index} strand={strand} x={0} anchor="start" />
        ))}
        {outputs.map((strand, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a strand is its place
          <Label key={index} strand={strand} x={width} anchor="end" />
        ))}
        {fee ? (
          <text className="label" x={fee.x} y={height + 15} textAnchor="middle">
            {words('flowFeeLabel', { fee: nameSats(flow.fee ?? 0n) })}
          </text>
        ) : null}
      </svg>
      <ul className="hidden-text">
        {inputs.map(({ end }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a strand is its place
          <li key={index}>{words('flowFrom', { who: end.label, amount: nameAmount(end) })}</li>
        ))}
        {outputs.map(({ end }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a strand is its place
          <li key={index}>
            {words(end.own ? 'flowOwn' : 'flowTo', { who: end.label, amount: nameAmount(end) })}
          </li>
        ))}
        <li>
          {flow.fee === null
            ? words('flowFeeUnknown')
            : words('flowFee', { fee: nameSats(flow.fee) })}
        </li>
      </ul>
    </figure>
  )
}

function Label({ strand, x, anchor }: { strand: Strand; x: number; anchor: 'start' | 'end' }) {
  const { end, labelY } = strand
  return (
    <text className="label" textAnchor={anchor}>
      <tspan className={end.own ? 'own' : 'name'} x={x} y={labelY - 3}>
        {end.label}
      </tspan>
      <tspan className="sum" x={x} y={labelY + 12}>
        {end.sats === null ? words('flowUnknown') : shortenFigure(formatShortBtc(end.sats))}
      </tspan>
    </text>
  )
}

/** Figures too long for the margin lose their last decimals; the details have all of them. */
function shortenFigure(figure: string): string {
  return figure.length <= 13 ? figure : `${figure.slice(0, 12)}…`
}

function strandClass(end: FlowEnd): string {
  return `strand${end.own ? ' own' : ''}${end.sats === null ? ' unknown' : ''}`
}

function nameAmount(end: FlowEnd): string {
  return end.sats === null ? words('flowAmountUnknown') : `${formatShortBtc(end.sats)} BTC`
}
