import { readFileSync } from 'node:fs'
import type { Hex } from '../codec/hex.ts'
import { createBlockEnvironment, toBytes } from '../engine/block-environment.ts'
import { keccak256 } from '../engine/crypto.ts'
import { decodeTransaction } from '../engine/encoding/transaction-codec.ts'
import { readGenesis } from '../engine/genesis/genesis.ts'
import { createGenesisBlock } from '../engine/genesis/genesis-block.ts'
import { createMachineParts } from '../engine/machine.ts'
import { createMachinePool } from '../engine/machine-pool.ts'
import { createRules } from '../engine/rules.ts'
import { createStateReader } from '../engine/state/state-reader.ts'
import { createTracer } from '../engine/tracing/create-tracer.ts'
import type { TraceOptions } from '../engine/tracing/trace-options.ts'
import { createTraceSize } from '../engine/tracing/trace-size.ts'
import { observe } from '../engine/tracing/tracer.ts'
import { runTransaction } from '../engine/transaction-runner.ts'
import { createStateMemory } from './state-memory.ts'

/** A transaction in a state, and what a tracer of geth says of it; integers in decimals or hex. */
export interface TracerVector {
  readonly genesis: { readonly config: Fields; readonly mixHash: Hex; readonly alloc: Fields }
  readonly context: {
    readonly number: string
    readonly difficulty: string
    readonly timestamp: string
    readonly gasLimit: string
    readonly miner: Hex
    readonly baseFeePerGas?: string
  }
  /** The signed transaction. */
  readonly input: string
  readonly tracerConfig?: Fields
  readonly result: unknown
}

type Fields = { readonly [name: string]: unknown }

/** By folder and name. */
export function listTracerVectors(file: string): [name: string, vector: TracerVector][] {
  const url = new URL(`vectors/go-ethereum/${file}`, import.meta.url)
  return Object.entries(JSON.parse(readFileSync(url, 'utf8')))
}

/** What our tracer says of the vector's transaction. */
export async function traceVector(
  { genesis, context, input }: Omit<TracerVector, 'result' | 'tracerConfig'>,
  options: TraceOptions,
): Promise<unknown> {
  const config = readConfig(genesis.config, Number(context.number), Number(context.timestamp))
  const file = { config, alloc: genesis.alloc, gasLimit: '0x1', difficulty: '0x0' }
  const rules = await createRules(readGenesis(file))
  const memory = createStateMemory()
  const reader = createStateReader(memory.source, keccak256)
  const { block, writes } = createGenesisBlock(rules, reader)
  memory.store(writes)
  const parts = await createMachineParts(rules, reader, () => null, null)
  const [number, timestamp] = [BigInt(context.number), BigInt(context.timestamp)]
  const common = rules.commonAt(number, timestamp)
  const environment = createBlockEnvironment(rules, {
    ...{ number, timestamp, miner: context.miner, mixHash: genesis.mixHash },
    difficulty: BigInt(context.difficulty),
    gasLimit: BigInt(context.gasLimit),
    ...(common.isActivatedEIP(1559) && { baseFeePerGas: BigInt(context.baseFeePerGas ?? 0) }),
    ...(common.isActivatedEIP(4844) && { excessBlobGas: 0n }),
  })
  return createMachinePool(parts).use(common, toBytes(block.header.stateRoot), async machine => {
    machine.clock.start(null)
    const tracer = createTracer(machine, options, 0, createTraceSize())
    machine.observation = observe(tracer)
    const raw = toBytes(`0x${input.replace(/^0x/, '')}`)
    await runTransaction(machine, environment, decodeTransaction(rules, raw))
    return JSON.parse(tracer.result())
  })
}

/** The forks of the block alone, as some of the files have them in no order. Go knows no case of names. */
function readConfig(config: Fields, number: number, timestamp: number): Fields {
  const entries = Object.entries(config).flatMap(([title, value]) => {
    const name = `${title.charAt(0).toLowerCase()}${title.slice(1)}`
    const start = name.endsWith('Block') ? number : name.endsWith('Time') ? timestamp : null
    if (start === null) return [[name, value] as const]
    return Number(value) <= start ? [[name, 0] as const] : []
  })
  return Object.fromEntries(entries)
}

/** What geth's test reads of it: an index that is not written is zero. */
export function readResult(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readResult)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, readResult(field)]),
  )
  return 'topics' in fields ? { index: '0x0', ...fields } : fields
}
