import { encodeHex, type Hex } from '../../codec/hex.ts'
import type { Header } from '../../engine/block.ts'
import { createBlockEnvironment, toBytes } from '../../engine/block-environment.ts'
import { addressOf, keccak256, secp256k1 } from '../../engine/crypto.ts'
import { encodeRlp } from '../../engine/encoding/rlp.ts'
import { decodeTransaction } from '../../engine/encoding/transaction-codec.ts'
import { TransactionError } from '../../engine/engine.ts'
import { readGenesis } from '../../engine/genesis/genesis.ts'
import { createGenesisBlock } from '../../engine/genesis/genesis-block.ts'
import { createMachineParts } from '../../engine/machine.ts'
import { createMachinePool } from '../../engine/machine-pool.ts'
import type { Rules } from '../../engine/rules.ts'
import { createStateReader } from '../../engine/state/state-reader.ts'
import { createTracer } from '../../engine/tracing/create-tracer.ts'
import type { TraceOptions } from '../../engine/tracing/trace-options.ts'
import { createTraceSize } from '../../engine/tracing/trace-size.ts'
import { observe } from '../../engine/tracing/tracer.ts'
import type { Transaction } from '../../engine/transaction.ts'
import { checkTransaction } from '../../engine/transaction-check.ts'
import {
  addBalance,
  runTransaction,
  type TransactionOutcome,
} from '../../engine/transaction-runner.ts'
import { createStateMemory } from '../state-memory.ts'
import { configOf, type NetworkConfig, rulesOf } from './networks.ts'

/** A general state test as the files have it, as far as it is read: one transaction in many versions. */
export interface StateTest {
  readonly config?: NetworkConfig
  readonly env: { readonly [field: string]: string }
  readonly pre: { readonly [address: string]: object }
  readonly post: { readonly [network: string]: readonly StateTestCase[] }
  readonly transaction: TransactionTemplate
}

export interface StateTestCase {
  /** Root of the state after the transaction. */
  readonly hash: Hex
  /** Keccak-256 of the RLP of the logs. */
  readonly logs: Hex
  readonly indexes: { readonly data: number; readonly gas: number; readonly value: number }
  readonly txbytes?: Hex
  readonly expectException?: string
}

/** Integers and bytes in hex; what has versions is a list. */
interface TransactionTemplate {
  readonly data: readonly Hex[]
  readonly gasLimit: readonly string[]
  readonly value: readonly string[]
  readonly gasPrice?: string
  readonly nonce: string
  readonly to: Hex | ''
  readonly sender?: Hex
  readonly secretKey: Hex
}

/**
 * Runs one version of a state test by the rules of a network; the faults that were found.
 *
 * @param traceOptions - of a tracer that observes the transaction, which must change nothing; its trace must be JSON
 */
export async function runStateTest(
  test: StateTest,
  network: string,
  wanted: StateTestCase,
  traceOptions: TraceOptions | null = null,
): Promise<string[]> {
  const rules = await rulesOf(network, test.config)
  const memory = createStateMemory()
  const reader = createStateReader(memory.source, keccak256)
  const genesis = readGenesis({
    ...{ gasLimit: '0x1', difficulty: '0x1', alloc: test.pre },
    config: configOf(network, test.config),
  })
  const { block, writes } = createGenesisBlock({ ...rules, genesis }, reader)
  memory.store(writes)
  const header = readEnvironment(test.env)
  // Of no chain: the tests want the hash of the number's digits.
  const hashOf = (number: bigint) => keccak256(Buffer.from(String(number)))
  const parts = await createMachineParts(rules, reader, hashOf, null)
  const common = rules.commonAt(header.number, header.timestamp)
  return createMachinePool(parts).use(common, toBytes(block.header.stateRoot), async machine => {
    machine.clock.start(null)
    const { baseFeePerGas, excessBlobGas, ...always } = header
    const environment = createBlockEnvironment(rules, {
      ...always,
      ...(common.isActivatedEIP(1559) && { baseFeePerGas: baseFeePerGas ?? 0n }),
      ...(common.isActivatedEIP(4844) && { excessBlobGas: excessBlobGas ?? 0n }),
    })
    const transaction = readTransaction(rules, test.transaction, wanted)
    const refusal =
      typeof transaction === 'string'
        ? transaction
        : transaction.gas > header.gasLimit
          ? 'gas limit reached'
          : checkTransaction(
              common,
              machine.state,
              environment,
              transaction,
              toBytes(transaction.from),
            )
    let outcome: TransactionOutcome | null = null
    if (refusal === null) {
      const tracer = traceOptions && createTracer(machine, traceOptions, 0, createTraceSize())
      machine.observation = tracer && observe(tracer)
      outcome = await runTransaction(machine, environment, transaction as Transaction)
      if (tracer !== null) JSON.parse(tracer.result())
    }
    // Every block touches its miner.
    addBalance(machine, environment.miner.bytes, 0n)
    const faults: string[] = []
    if (wanted.expectException !== undefined && refusal === null)
      faults.push(`the transaction is taken, expected ${wanted.expectException}`)
    if (wanted.expectException === undefined && refusal !== null)
      faults.push(`the transaction is refused: ${refusal}`)
    const root = encodeHex(machine.state.computeRoot([]))
    if (root !== wanted.hash) faults.push(`the state is ${root}, expected ${wanted.hash}`)
    const logs = hashLogs(outcome?.logs ?? [])
    if (logs !== wanted.logs) faults.push(`the logs are ${logs}, expected ${wanted.logs}`)
    return faults
  })
}

type Environment = Pick<
  Header,
  'number' | 'timestamp' | 'miner' | 'difficulty' | 'gasLimit' | 'mixHash'
> & { readonly baseFeePerGas: bigint | undefined; readonly excessBlobGas: bigint | undefined }

function readEnvironment(env: StateTest['env']): Environment {
  const integer = (name: string) => {
    const value = env[name]
    return value === undefined ? undefined : BigInt(value)
  }
  const random = BigInt(env.currentRandom ?? 0)
  return {
    number: integer('currentNumber') ?? 0n,
    timestamp: integer('currentTimestamp') ?? 0n,
    miner: env.currentCoinbase as Hex,
    difficulty: integer('currentDifficulty') ?? 0n,
    gasLimit: integer('currentGasLimit') ?? 0n,
    mixHash: `0x${random.toString(16).padStart(64, '0')}`,
    baseFeePerGas: integer('currentBaseFee'),
    excessBlobGas: integer('currentExcessBlobGas'),
  }
}

/** The transaction of a version, or why there can be none like it. */
function readTransaction(
  rules: Rules,
  template: TransactionTemplate,
  { txbytes, indexes }: StateTestCase,
): Transaction | string {
  if (txbytes !== undefined) {
    try {
      return decodeTransaction(rules, toBytes(txbytes))
    } catch (error) {
      if (error instanceof TransactionError) return error.message
      throw error
    }
  }
  const privateKey = toBytes(template.secretKey)
  return {
    hash: `0x${'00'.repeat(32)}`,
    type: 0,
    chainId: null,
    nonce: BigInt(template.nonce),
    from: template.sender ?? encodeHex(addressOf(secp256k1.derivePublicKey(privateKey))),
    to: template.to === '' ? null : template.to,
    value: BigInt(template.value[indexes.value] ?? 0),
    gas: BigInt(template.gasLimit[indexes.gas] ?? 0),
    gasPrice: BigInt(template.gasPrice ?? 0),
    input: toBytes(template.data[indexes.data] ?? '0x'),
    ...{ v: 27n, r: 1n, s: 1n, raw: new Uint8Array(0) },
  }
}

function hashLogs(logs: TransactionOutcome['logs']): Hex {
  return encodeHex(
    keccak256(encodeRlp(logs.map(([address, topics, data]) => [address, topics, data]))),
  )
}
