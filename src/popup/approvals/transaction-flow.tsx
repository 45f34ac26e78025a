import type { ReviewedInput, ReviewedOutput } from '../../background/ui-methods/payment-views.ts'
import { shortenAddress } from '../ui/address-chunks.ts'
import { type Flow, type FlowEnd, groupEnds } from '../ui/flow-layout.ts'
import { FlowPicture } from '../ui/flow-picture.tsx'
import { words } from '../words.ts'
import './review.css'

type TransactionFlowProps = {
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  /** Names of addresses, where they have any. */
  names?: ReadonlyMap<string, string | null>
}

/** As many strands as fit beside a few outputs. */
const OWN_INPUTS = 5

/** The flow picture of a reviewed transaction. */
export function TransactionFlow({ inputs, outputs, names }: TransactionFlowProps) {
  const nameAddress = (address: string) => names?.get(address) ?? shortenAddress(address)
  const sources: FlowEnd[] = inputs.map(({ address, sats, own }) => ({
    label: own
      ? words('reviewFlowYou')
      : address === null
        ? words('reviewFlowUnknown')
        : nameAddress(address),
    sats: sats === null ? null : BigInt(sats),
    own,
  }))
  const spends = inputs.some(({ own }) => own)
  const flow: Flow = {
    // Which of one's own coins are spent is a detail; whose coins they are is not.
    inputs: sources.every(({ own }) => own) ? groupEnds(sources, OWN_INPUTS) : sources,
    outputs: outputs.map(({ address, script, sats, own }) => ({
      label: own
        ? words(spends ? 'reviewFlowBack' : 'reviewFlowYou')
        : address === null
          ? nameScript(script)
          : nameAddress(address),
      sats: BigInt(sats),
      own,
    })),
    fee: feeOf(inputs, outputs),
  }
  return <FlowPicture flow={flow} />
}

/** What the inputs hold and the outputs do not; null while an input's amount is not known. */
function feeOf(inputs: readonly ReviewedInput[], outputs: readonly ReviewedOutput[]) {
  const amounts = inputs.flatMap(({ sats }) => (sats === null ? [] : [BigInt(sats)]))
  if (amounts.length < inputs.length) return null
  const paid = outputs.reduce((sum, { sats }) => sum + BigInt(sats), 0n)
  return amounts.reduce((sum, sats) => sum + sats, -paid)
}

/** 6a is OP_RETURN: an output that carries data and can never be spent. */
function nameScript(script: string): string {
  return words(script.startsWith('6a') ? 'reviewFlowData' : 'reviewFlowScript')
}
