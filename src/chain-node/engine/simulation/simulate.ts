import { encodeHex, type Hex } from '../../codec/hex.ts'
import { nextBaseFee, nextExcessBlobGas } from '../base-fee.ts'
import type { Block, Header, Receipt } from '../block.ts'
import { toBytes } from '../block-environment.ts'
import type { CallLimits } from '../calls.ts'
import { TimeLimitError } from '../clock.ts'
import {
  encodeBlock,
  type HeaderFields,
  hashUncles,
  joinBlooms,
  receiptsRoot,
  transactionsRoot,
  withdrawalsRoot,
} from '../encoding/block-codec.ts'
import {
  CallError,
  type Engine,
  type SimulatedCallResult,
  type SimulationOptions,
  type SimulationResult,
} from '../engine.ts'
import { enterBlock, formatReceipt } from '../executor.ts'
import { countBlobGas } from '../intrinsic-gas.ts'
import type { FindBlockHash, Machine } from '../machine.ts'
import type { MachinePool } from '../machine-pool.ts'
import type { Rules } from '../rules.ts'
import { applyOverrides } from '../state/overrides.ts'
import type { StateLayers } from '../state/state.ts'
import { hashRequests, payRewards, payWithdrawals } from '../state/system-changes.ts'
import type { Transaction } from '../transaction.ts'
import type { TransactionOutcome } from '../transaction-runner.ts'
import { createOverriddenEnvironment } from './block-overrides.ts'
import { type PlannedBlock, planBlocks } from './planned-blocks.ts'
import { runSimulatedCall, type SimulationBudget } from './simulated-call.ts'
import { SERVER_ERROR, SimulationError } from './simulation-error.ts'

const ZERO_HASH: Hex = `0x${'0'.repeat(64)}`

/** A simulation while its blocks are run. */
interface Simulation {
  readonly base: Header
  readonly options: SimulationOptions
  readonly budget: SimulationBudget
  readonly results: SimulationResult[]
}

/** geth's `eth_simulateV1`. */
export function createSimulator(
  rules: Rules,
  machines: MachinePool,
  limits: CallLimits,
  findBlockHash: FindBlockHash,
): Pick<Engine, 'simulate'> {
  /** Runs those of the blocks that follow the same rules, on a machine that has them; gives what they did to the state. */
  function runBlocks(
    simulation: Simulation,
    blocks: readonly PlannedBlock[],
    layers: StateLayers | null,
    time: number,
  ): Promise<StateLayers> {
    const { base, results } = simulation
    const { number, timestamp } = (blocks[0] as PlannedBlock).overrides
    const common = rules.commonAt(number, timestamp)
    return machines.use(common, toBytes(base.stateRoot), async machine => {
      machine.clock.start(time)
      if (layers !== null) machine.state.putLayers(layers)
      machine.branch = height => {
        if (height < base.number) return findBlockHash(height)
        const header =
          height === base.number ? base : results[Number(height - base.number) - 1]?.block.header
        return header === undefined ? null : toBytes(header.hash)
      }
      for (const block of blocks) {
        results.push(await runBlock(rules, machine, simulation, block))
        await machine.clock.tick()
      }
      return machine.state.takeLayers()
    })
  }

  return {
    async simulate(base, blocks, options) {
      const simulation: Simulation = {
        ...{ base, options, results: [] },
        budget: { remaining: limits.gas },
      }
      const end = performance.now() + limits.time
      let layers: StateLayers | null = null
      try {
        for (const group of groupByRules(rules, planBlocks(base, blocks))) {
          layers = await runBlocks(simulation, group, layers, end - performance.now())
        }
      } catch (error) {
        if (!(error instanceof TimeLimitError)) throw error
        throw new CallError(`execution aborted (timeout = ${limits.time / 1000}s)`, null)
      }
      return simulation.results
    },
  }
}

function groupByRules(rules: Rules, blocks: readonly PlannedBlock[]): PlannedBlock[][] {
  const groups: PlannedBlock[][] = []
  let last: unknown = null
  for (const block of blocks) {
    const common = rules.commonAt(block.overrides.number, block.overrides.timestamp)
    if (common === last) groups[groups.length - 1]?.push(block)
    else groups.push([block])
    last = common
  }
  return groups
}

async function runBlock(
  rules: Rules,
  machine: Machine,
  { base, options, budget, results }: Simulation,
  { overrides, stateOverrides, calls }: PlannedBlock,
): Promise<SimulationResult> {
  const { common } = machine
  const parent = results[results.length - 1]?.block.header ?? base
  const fields = describeBlock(rules, machine, parent, overrides, options.validation)
  const environment = createOverriddenEnvironment(rules, fields, overrides.blobBaseFee)
  if (!machine.hasOwnPrecompiles) machine.restorePrecompiles()
  applyOverrides(machine, stateOverrides)
  enterBlock(rules, machine, fields)
  const transactions: Transaction[] = []
  const receipts: Receipt[] = []
  const outcomes: TransactionOutcome[] = []
  const callResults: SimulatedCallResult[] = []
  let [gasUsed, blobGasUsed, logs] = [0n, 0n, 0]
  for (const call of calls) {
    const run = await runSimulatedCall(rules, machine, environment, call, {
      options,
      budget,
      gasLeft: fields.gasLimit - gasUsed,
      takeLogIndex: () => logs++,
    })
    gasUsed += run.outcome.gasUsed
    blobGasUsed += countBlobGas(common, run.transaction)
    transactions.push(run.transaction)
    outcomes.push(run.outcome)
    receipts.push(formatReceipt(machine, environment, run.transaction, run.outcome, gasUsed))
    callResults.push(run.result)
  }
  const withdrawals = common.isActivatedEIP(4895) ? (overrides.withdrawals ?? []) : undefined
  const requestsHash = await nameFaults(() => hashRequests(rules, machine, environment, outcomes))
  payWithdrawals(machine, withdrawals ?? [])
  payRewards(machine, fields, [])
  const header: HeaderFields = {
    ...fields,
    stateRoot: encodeHex(machine.state.computeRoot([])),
    transactionsRoot: transactionsRoot(transactions),
    receiptsRoot: receiptsRoot(receipts, transactions),
    logsBloom: joinBlooms(receipts.map(receipt => receipt.logsBloom)),
    gasUsed,
    ...(withdrawals !== undefined && { withdrawalsRoot: withdrawalsRoot(withdrawals) }),
    ...(fields.excessBlobGas !== undefined && { blobGasUsed }),
    ...(requestsHash !== null && { requestsHash }),
  }
  const block: Block = encodeBlock(header, transactions, [], withdrawals)
  return { block, calls: callResults }
}

/** What of the header is known before its calls run. */
function describeBlock(
  rules: Rules,
  { common }: Machine,
  parent: Header,
  overrides: PlannedBlock['overrides'],
  validation: boolean,
): HeaderFields {
  const has = (eip: number) => common.isActivatedEIP(eip)
  const { number, timestamp } = overrides
  return {
    parentHash: parent.hash,
    uncleHash: hashUncles([]),
    miner: overrides.miner ?? parent.miner,
    stateRoot: ZERO_HASH,
    transactionsRoot: ZERO_HASH,
    receiptsRoot: ZERO_HASH,
    logsBloom: '0x',
    difficulty: common.gteHardfork('paris') ? 0n : (overrides.difficulty ?? parent.difficulty),
    ...{ number, timestamp },
    gasLimit: overrides.gasLimit ?? parent.gasLimit,
    gasUsed: 0n,
    extraData: '0x',
    mixHash: overrides.mixHash ?? ZERO_HASH,
    nonce: '0x0000000000000000',
    ...(has(1559) && {
      baseFeePerGas: overrides.baseFeePerGas ?? (validation ? nextBaseFee(rules, parent) : 0n),
    }),
    ...(has(4844) && {
      blobGasUsed: 0n,
      excessBlobGas: nextExcessBlobGas(rules, parent, timestamp),
      parentBeaconBlockRoot: overrides.beaconRoot ?? ZERO_HASH,
    }),
  }
}

/** A system contract that is overridden may fail. */
async function nameFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TimeLimitError || !(error instanceof Error)) throw error
    throw new SimulationError(SERVER_ERROR, error.message)
  }
}
