import { sha256 } from '@noble/hashes/sha2.js'
import { encodeHex, type Hex } from '../../codec/hex.ts'
import type { ExecutedBlock, StateWrite } from '../block.ts'
import { toBytes } from '../block-environment.ts'
import {
  computeLogsBloom,
  encodeBlock,
  hashUncles,
  receiptsRoot,
  transactionsRoot,
  withdrawalsRoot,
} from '../encoding/block-codec.ts'
import type { Rules } from '../rules.ts'
import { createState } from '../state/state.ts'
import { EMPTY_CODE_HASH, EMPTY_ROOT, type StateReader } from '../state/state-reader.ts'
import type { Genesis } from './genesis.ts'

const INITIAL_BASE_FEE = 1_000_000_000n
const ZERO_HASH: Hex = `0x${'0'.repeat(64)}`

/** The first block of a chain, as geth makes it of a genesis file. */
export function createGenesisBlock(rules: Rules, reader: StateReader): ExecutedBlock {
  const { header, alloc } = rules.genesis
  const timestamp = BigInt(header.timestamp)
  const common = rules.commonAt(0n, timestamp)
  const has = (eip: number) => common.isActivatedEIP(eip)
  const writes: StateWrite[] = []
  const stateRoot = writeAlloc(reader, alloc, writes)
  const withdrawals = has(4895) ? [] : undefined
  const block = encodeBlock(
    {
      parentHash: header.parentHash,
      uncleHash: hashUncles([]),
      miner: header.coinbase,
      stateRoot: encodeHex(stateRoot),
      transactionsRoot: transactionsRoot([]),
      receiptsRoot: receiptsRoot([], []),
      logsBloom: computeLogsBloom([]),
      difficulty: BigInt(header.difficulty),
      number: 0n,
      gasLimit: BigInt(header.gasLimit),
      gasUsed: BigInt(header.gasUsed),
      timestamp,
      extraData: header.extraData,
      mixHash: header.mixHash,
      nonce: header.nonce,
      ...(has(1559) && { baseFeePerGas: BigInt(header.baseFeePerGas ?? INITIAL_BASE_FEE) }),
      ...(withdrawals !== undefined && { withdrawalsRoot: withdrawalsRoot(withdrawals) }),
      ...(has(4844) && {
        blobGasUsed: BigInt(header.blobGasUsed ?? 0n),
        excessBlobGas: BigInt(header.excessBlobGas ?? 0n),
        parentBeaconBlockRoot: ZERO_HASH,
      }),
      ...(has(7685) && { requestsHash: encodeHex(sha256(new Uint8Array(0))) }),
    },
    [],
    [],
    withdrawals,
  )
  return { block, receipts: [], writes }
}

function writeAlloc(
  reader: StateReader,
  alloc: Genesis['alloc'],
  writes: StateWrite[],
): Uint8Array {
  const state = createState(reader, EMPTY_ROOT)
  for (const [key, account] of Object.entries(alloc)) {
    const address = toBytes(key as Hex)
    const { balance, nonce = '0x0', code = '0x', storage = {} } = account
    state.writeAccount(address, BigInt(nonce), BigInt(balance), EMPTY_CODE_HASH)
    if (code !== '0x') state.writeCode(address, toBytes(code))
    for (const [slot, value] of Object.entries(storage)) {
      const bytes = toBytes(value)
      const start = bytes.findIndex(byte => byte !== 0)
      if (start >= 0) state.writeSlot(address, toBytes(slot as Hex), bytes.subarray(start))
    }
  }
  return state.computeRoot(writes)
}
