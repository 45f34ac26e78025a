import type { Header } from '../engine/block.ts'
import { type HeaderFields, sealHeader } from '../engine/encoding/block-codec.ts'
import { readFieldsOf } from './answer-fields.ts'
import { type Remote, RemoteError } from './remote.ts'

/** Asks for a header. Null where the remote has no such block. Throws `RemoteError` where its hash is not that of its fields. */
export async function fetchHeader(
  remote: Remote,
  block: bigint | 'latest',
): Promise<Header | null> {
  const id = block === 'latest' ? block : (`0x${block.toString(16)}` as const)
  const answer = await remote.request(METHOD, [id, false])
  if (answer === null) return null
  const header = readHeader(answer)
  if (block !== 'latest' && header.number !== block) {
    throw new RemoteError(`the remote node answers with block ${header.number} for block ${block}`)
  }
  return header
}

const METHOD = 'eth_getBlockByNumber'

/** Reads a header from a block in JSON-RPC's form, and computes its hash. Throws `RemoteError` where that is another. */
export function readHeader(answer: unknown): Header {
  const block = readFieldsOf(METHOD, answer)
  const hash = (name: string) => block.data(name, 32)
  const fields: HeaderFields = {
    parentHash: hash('parentHash'),
    uncleHash: hash('sha3Uncles'),
    miner: block.data('miner', 20),
    stateRoot: hash('stateRoot'),
    transactionsRoot: hash('transactionsRoot'),
    receiptsRoot: hash('receiptsRoot'),
    logsBloom: block.data('logsBloom', 256),
    difficulty: block.quantity('difficulty'),
    number: block.quantity('number'),
    gasLimit: block.quantity('gasLimit'),
    gasUsed: block.quantity('gasUsed'),
    timestamp: block.quantity('timestamp'),
    extraData: block.data('extraData', null),
    mixHash: hash('mixHash'),
    nonce: block.data('nonce', 8),
    ...(block.has('baseFeePerGas') && { baseFeePerGas: block.quantity('baseFeePerGas') }),
    ...(block.has('withdrawalsRoot') && { withdrawalsRoot: hash('withdrawalsRoot') }),
    ...(block.has('blobGasUsed') && { blobGasUsed: block.quantity('blobGasUsed') }),
    ...(block.has('excessBlobGas') && { excessBlobGas: block.quantity('excessBlobGas') }),
    ...(block.has('parentBeaconBlockRoot') && {
      parentBeaconBlockRoot: hash('parentBeaconBlockRoot'),
    }),
    ...(block.has('requestsHash') && { requestsHash: hash('requestsHash') }),
  }
  const header = sealHeader(fields)
  const claimed = hash('hash')
  if (header.hash !== claimed) {
    throw new RemoteError(
      `the header of block ${header.number} is not what its hash says: the remote node gives ${claimed}, its fields have ${header.hash}`,
    )
  }
  return header
}
