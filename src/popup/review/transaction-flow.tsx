import type { AssetMoveView } from '../../background/views/asset-views.ts'
import type { ReviewedInput, ReviewedOutput } from '../../background/views/payment-views.ts'
import { words } from '../platform/words.ts'
import { joinAlike } from '../ui/pictures/flow-join.ts'
import { type Flow, type FlowEnd, groupEnds } from '../ui/pictures/flow-layout.ts'
import { FlowPicture } from '../ui/pictures/flow-picture.tsx'
import { shortenAddress } from '../ui/text/address-text.tsx'
import { carryAssets } from './flow-assets.ts'
import { isRunestone, OP_RETURN } from './output-script.ts'

type TransactionFlowProps = {
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  assets?: readonly AssetMoveView[]
  /** Names of addresses, where they have any. */
  names?: ReadonlyMap<string, string | null>
}

/** At most so many inputs are drawn one by one; more of the same owner become one strand. */
const OWN_INPUTS = 5

/** Above so many outputs, those to the same address become one strand. */
const FEW = 6

/** The flow picture of a reviewed transaction. */
export function TransactionFlow({ inputs, outputs, assets = [], names }: TransactionFlowProps) {
  const carried = carryAssets(assets, outputs)
  const nameAddress = (address: string) => names?.get(address) ?? shortenAddress(address)
  const sources: FlowEnd[] = inputs.map(({ address, sats, own }, index) => ({
    label: own
      ? words('reviewFlowYou')
      : address === null
        ? words('reviewFlowUnknown')
        : nameAddress(address),
    sats: sats === null ? null : BigInt(sats),
    own,
    carries: carried.inputs(index),
  }))
  const spends = inputs.some(({ own }) => own)
  const flow: Flow = {
    // Own coins may be joined into one strand; coins of different owners never are.
    inputs: sources.every(({ own }) => own)
      ? groupEnds(assets.length > 0 ? joinMany(sources, OWN_INPUTS) : sources, OWN_INPUTS)
      : sources,
    outputs: joinMany(
      outputs.map(({ address, script, sats, own }, index) => ({
        label: own
          ? words(spends ? 'reviewFlowBack' : 'reviewFlowYou')
          : address === null
            ? nameScript(script)
            : nameAddress(address),
        sats: BigInt(sats),
        own,
        who: own ? '' : (address ?? script),
        carries: carried.outputs(index),
      })),
      FEW,
    ),
    fee: feeOf(inputs, outputs),
    ...carried.rest,
  }
  return <FlowPicture flow={flow} />
}

function joinMany(ends: FlowEnd[], limit: number): FlowEnd[] {
  return ends.length > limit ? joinAlike(ends) : ends
}

/** What the inputs hold and the outputs do not; null while an input's amount is not known. */
function feeOf(inputs: readonly ReviewedInput[], outputs: readonly ReviewedOutput[]) {
  const amounts = inputs.flatMap(({ sats }) => (sats === null ? [] : [BigInt(sats)]))
  if (amounts.length < inputs.length) return null
  const paid = outputs.reduce((sum, { sats }) => sum + BigInt(sats), 0n)
  return amounts.reduce((sum, sats) => sum + sats, -paid)
}

function nameScript(script: string): string {
  if (isRunestone(script)) return words('reviewFlowRunestone')
  return words(script.startsWith(OP_RETURN) ? 'reviewFlowData' : 'reviewFlowScript')
}
