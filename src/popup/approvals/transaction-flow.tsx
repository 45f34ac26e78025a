import type { ReviewedInput, ReviewedOutput } from '../../background/ui-methods/ui-methods.ts'
import { shortenAddress } from '../ui/address-chunks.ts'
import type { Flow } from '../ui/flow-layout.ts'
import { FlowPicture } from '../ui/flow-picture.tsx'

type TransactionFlowProps = {
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  fee: bigint | null
}

/** The flow picture of a reviewed transaction. */
export function TransactionFlow({ inputs, outputs, fee }: TransactionFlowProps) {
  const flow: Flow = {
    inputs: inputs.map(({ address, sats, own }) => ({
      label: own ? 'You' : address === null ? 'Unknown' : shortenAddress(address),
      sats: sats === null ? null : BigInt(sats),
      own,
    })),
    outputs: outputs.map(({ address, script, sats, own }) => ({
      label: own ? 'Back to you' : address === null ? nameScript(script) : shortenAddress(address),
      sats: BigInt(sats),
      own,
    })),
    fee,
  }
  return <FlowPicture flow={flow} />
}

/** 6a is OP_RETURN: an output that carries data and can never be spent. */
function nameScript(script: string): string {
  return script.startsWith('6a') ? 'Data' : 'Script'
}
