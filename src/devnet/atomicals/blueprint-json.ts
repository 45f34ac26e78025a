import { toHex } from '../../bitcoin/bytes.ts'
import { type AtomicalId, encodeAtomicalId } from '../../ordinals/atomical-id.ts'
import type { ExactJson } from '../server/exact-json.ts'
import type { JsonFields } from './atomical-json.ts'
import type { AtomicalsIndex, Blueprint } from './atomicals-index.ts'
import { toBase64Json } from './cbor-json.ts'
import type { LandedAtomical } from './colouring.ts'
import type { Operation } from './operation.ts'

interface Spending {
  txid: string
  inputs: readonly { outpoint: string; value: bigint }[]
  outputs: readonly { value: bigint }[]
}

/** The result of `validate_tx_blueprint`. */
export function describeBlueprint(
  index: AtomicalsIndex,
  { spent, operation, colouring }: Blueprint,
  { txid, inputs, outputs }: Spending,
): JsonFields {
  const spentAt = new Map<string, ExactJson[]>()
  for (const { input, id, amount } of spent) {
    const { outpoint = '', value = 0n } = inputs[input] ?? {}
    const entry = {
      atomical_id: id,
      location_id: outpoint.replace(':', 'i'),
      data_value: { sat_value: value, atomical_value: amount },
    }
    spentAt.set(String(input), [...(spentAt.get(String(input)) ?? []), entry])
  }
  const summarize = (id: AtomicalId): ExactJson => {
    const entries = spent.filter(entry => entry.id === id)
    const satsOf = (input: number) => inputs[input]?.value ?? 0n
    return {
      atomical_id: { $b: toHex(encodeAtomicalId(id)), $len: 36 + 33, $auto: true },
      type: (index.atomical(id)?.type ?? 'nft').toUpperCase(),
      sat_value: entries.reduce((sum, { input }) => sum + satsOf(input), 0n),
      atomical_value: entries.reduce((sum, { amount }) => sum + amount, 0n),
      input_indexes: entries.map(({ input, amount }) => ({
        txin_index: input,
        sat_value: satsOf(input),
        atomical_value: amount,
      })),
    }
  }
  const describeOutputs = (type: 'nft' | 'ft'): JsonFields => {
    const byOutput = new Map<string, { [id: string]: ExactJson }>()
    for (const landed of colouring.landed.filter(each => each.type === type)) {
      const atomicals = byOutput.get(String(landed.output)) ?? {}
      atomicals[landed.id] = describeLanded(landed)
      byOutput.set(String(landed.output), atomicals)
    }
    return Object.fromEntries([...byOutput].map(([output, atomicals]) => [output, { atomicals }]))
  }
  const describeLanded = ({ output, id, type, amount }: LandedAtomical): ExactJson => ({
    type: type.toUpperCase(),
    sat_value: type === 'ft' ? (outputs[output]?.value ?? 0n) : amount,
    atomical_value: amount,
    input_summary_info: summarize(id),
  })
  const describeBurned = (type: 'nft' | 'ft'): JsonFields =>
    Object.fromEntries(
      colouring.burned.filter(each => each.type === type).map(({ id, amount }) => [id, amount]),
    )
  return {
    tx_id: txid,
    operation_found_at_inputs: operation ? describeOperation(operation, txid) : {},
    atomicals_spent_at_inputs: Object.fromEntries(spentAt),
    ft_output_blueprint: {
      outputs: describeOutputs('ft'),
      fts_burned: describeBurned('ft'),
      cleanly_assigned: colouring.isClean,
      first_atomical_id: colouring.first,
    },
    nft_output_blueprint: { outputs: describeOutputs('nft'), nfts_burned: describeBurned('nft') },
  }
}

function describeOperation(
  { op, payload, payloadBytes, input, commit }: Operation,
  revealTxid: string,
): JsonFields {
  const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const commitBytes = encodeAtomicalId(`${commit.txid}i${commit.vout}`)
  return {
    op,
    payload: toBase64Json(payload),
    payload_bytes: toBase64(payloadBytes),
    input_index: input,
    commit_txid: toBase64(commitBytes.subarray(0, 32)),
    commit_index: commit.vout,
    commit_location: toBase64(commitBytes),
    reveal_location_txid: toBase64(Buffer.from(revealTxid, 'hex').reverse()),
    reveal_location_index: 0,
  }
}
