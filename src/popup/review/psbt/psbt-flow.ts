import type { GivenName } from '../../../background/views/account-views.ts'
import type {
  PsbtInputView,
  PsbtOutputView,
  PsbtView,
} from '../../../background/views/psbt-views.ts'
import { words } from '../../platform/words.ts'
import { joinAlike } from '../../ui/pictures/flow-join.ts'
import { type Flow, type FlowEnd, groupEnds } from '../../ui/pictures/flow-layout.ts'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { sayName } from '../../ui/text/names.ts'
import { carryAssets } from '../flow-assets.ts'
import { isRunestone } from '../output-script.ts'
import { missingSats } from './psbt-effect.ts'
import { nameOutput } from './psbt-words.tsx'

/** Most strands that are drawn one by one. Where all coins are the person's own, fewer are: which coin it is matters less. */
const MOST = { own: 5, any: 8 }

/** The flow picture of a PSBT; what is still to be added to pay its outputs is shown as one more coin. */
export function flowOf(view: PsbtView): Flow {
  const { inputs, outputs, nets } = view
  const alone = nets.length < 2
  // Where others pay as well, what one gets may be a price and not what comes back.
  const paysAlone = inputs.every(({ owner }) => owner === 'own')
  const most = paysAlone ? MOST.own : MOST.any
  const carried = carryAssets(view.assets, outputs)
  const ends = inputs.map((input, index) => ({
    ...describeInput(input, alone),
    carries: carried.inputs(index),
  }))
  const sources = ends.length > most ? joinAlike(ends, ({ own }) => own) : ends
  const missing = missingSats(view)
  const flow: Flow = {
    inputs: groupEnds(sources, most),
    outputs: groupEnds(
      outputs.map((output, index) => ({
        ...describeOutput(output, alone, paysAlone),
        carries: carried.outputs(index),
      })),
      MOST.any,
    ),
    fee: view.fee === null ? null : BigInt(view.fee.sats),
    feeOpen: view.fee !== null && ['open', 'unknown'].includes(view.fee.certainty),
    ...carried.rest,
  }
  if (missing > 0n)
    flow.inputs.push({ label: words('flowMissing'), sats: missing, own: false, open: true })
  return flow
}

function describeInput(input: PsbtInputView, alone: boolean): FlowEnd {
  const { sats, owner, open, address } = input
  const end = { sats: sats === null ? null : BigInt(sats), own: owner === 'own', open }
  if (input.placeholder) {
    return {
      ...end,
      open: true,
      label: words('psbtPlaceholderShort'),
      spoken: words('psbtPlaceholder'),
    }
  }
  if (owner === 'own') return { ...end, label: nameOwn(input.accountName, alone, 'reviewFlowYou') }
  if (owner === 'shared')
    return { ...end, label: words('psbtSharedShort'), spoken: words('psbtSharedLong') }
  return { ...end, label: address === null ? words('reviewFlowUnknown') : shortenAddress(address) }
}

function describeOutput(output: PsbtOutputView, alone: boolean, paysAlone: boolean): FlowEnd {
  const { sats, kind, open } = output
  const own = kind === 'own'
  return {
    label: own
      ? nameOwn(output.accountName, alone, paysAlone ? 'reviewFlowBack' : 'reviewFlowYou')
      : output.address === null
        ? words(
            isRunestone(output.script)
              ? 'reviewFlowRunestone'
              : kind === 'data'
                ? 'reviewFlowData'
                : 'reviewFlowScript',
          )
        : nameOutput(output),
    sats: BigInt(sats),
    own,
    open,
  }
}

/** The account's name where several take part; else the word for "you". */
function nameOwn(
  account: GivenName | null,
  alone: boolean,
  you: 'reviewFlowYou' | 'reviewFlowBack',
): string {
  return alone || account === null ? words(you) : sayName(account)
}
