import { ChevronRight } from 'lucide-react'
import type { ReviewedInput, ReviewedOutput } from '../../background/ui-methods/ui-methods.ts'
import { AddressText } from '../ui/address-text.tsx'
import { formatShare, nameSats } from '../ui/btc-digits.ts'

/** The fee three ways: sats, share of what is moved, and rate. */
export function FeeFact(props: { fee: bigint | null; of: bigint; feeRate: number | null }) {
  const rate = props.feeRate === null ? '' : ` · ${formatRate(props.feeRate)} sat/vB`
  return (
    <div>
      <dt>Network fee</dt>
      <dd>
        {props.fee === null ? 'Not known' : nameSats(props.fee)}
        <span className="sub">
          {props.fee === null ? 'An input’s amount is not known' : formatShare(props.fee, props.of)}
          {rate}
        </span>
      </dd>
    </div>
  )
}

function formatRate(feeRate: number): string {
  return feeRate.toLocaleString('en', { maximumFractionDigits: 2 })
}

type PartsProps = {
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  vsize: number
  txid?: string
}

/** Every input and output in full, closed at first. */
export function Parts({ inputs, outputs, vsize, txid }: PartsProps) {
  return (
    <details className="more">
      <summary>
        <ChevronRight size={16} className="turn" aria-hidden />
        Details
      </summary>
      <div className="parts">
        <h2>{inputs.length === 1 ? '1 input' : `${inputs.length} inputs`}</h2>
        <ul>
          {inputs.map(input => (
            <li key={input.outpoint}>
              <Part address={input.address} sats={input.sats} own={input.own} />
              <span className="mono muted small breakable">{input.outpoint}</span>
            </li>
          ))}
        </ul>
        <h2>{outputs.length === 1 ? '1 output' : `${outputs.length} outputs`}</h2>
        <ul>
          {outputs.map((output, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an output is its place
            <li key={index}>
              <Part address={output.address} sats={output.sats} own={output.own} />
              {output.address === null ? (
                <span className="mono muted small breakable">{output.script}</span>
              ) : null}
            </li>
          ))}
        </ul>
        <p className="muted small">Size {vsize} vB</p>
        {txid ? <p className="mono muted small breakable">{txid}</p> : null}
      </div>
    </details>
  )
}

function Part(props: { address: string | null; sats: string | null; own: boolean }) {
  return (
    <>
      <span className="part-head">
        <b>{props.sats === null ? 'Amount not known' : nameSats(BigInt(props.sats))}</b>
        {props.own ? <span className="pill">Yours</span> : null}
      </span>
      {props.address === null ? null : <AddressText address={props.address} />}
    </>
  )
}
