import type { Header } from '../block.ts'
import { createBlockEnvironment, toBytes } from '../block-environment.ts'
import { assertCallable, findPrices } from '../call-runner.ts'
import type { CallLimits } from '../calls.ts'
import { TimeLimitError } from '../clock.ts'
import { CallError, type Engine, type TracedBlock } from '../engine.ts'
import { enterBlock } from '../executor.ts'
import type { Machine } from '../machine.ts'
import type { MachinePool } from '../machine-pool.ts'
import type { Rules } from '../rules.ts'
import { createOverriddenEnvironment, overrideHeader } from '../simulation/block-overrides.ts'
import { environmentOf, toTransaction } from '../simulation/call-transaction.ts'
import { applyOverrides } from '../state/overrides.ts'
import { runTransaction } from '../transaction-runner.ts'
import { createTracer } from './create-tracer.ts'
import { createTraceSize, TraceSizeError } from './trace-size.ts'
import { observe } from './tracer.ts'

/** What a transaction takes beside its opcodes, in steps of the clock. */
const STEPS_OF_A_TRANSACTION = 200

/** @param machines - of which one traces at a time, as a trace may be large */
export function createTracing(
  rules: Rules,
  machines: MachinePool,
  limits: CallLimits,
): Pick<Engine, 'traceBlock' | 'traceCall'> {
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }

  async function withMachine<T>(
    header: Pick<Header, 'number' | 'timestamp'>,
    stateRoot: Header['stateRoot'],
    time: number | undefined,
    run: (machine: Machine) => Promise<T>,
  ): Promise<T> {
    const common = rules.commonAt(header.number, header.timestamp)
    try {
      return await machines.use(common, toBytes(stateRoot), machine => {
        machine.clock.start(Math.min(time ?? limits.time, limits.time))
        return run(machine)
      })
    } catch (error) {
      if (error instanceof TraceSizeError) throw new CallError(error.message, null)
      if (error instanceof TimeLimitError) throw new CallError('execution timeout', null)
      throw error
    }
  }

  return {
    traceBlock: ({ parent, block }, index, options, time) =>
      inTurn(() =>
        withMachine(block.header, parent.stateRoot, time, async machine => {
          const size = createTraceSize()
          const environment = createBlockEnvironment(rules, block.header)
          enterBlock(rules, machine, block.header)
          const traces: string[] = []
          let logs = 0
          for (const [i, transaction] of block.transactions.entries()) {
            const isTraced = index === null || i === index
            const tracer = isTraced ? createTracer(machine, options, logs, size) : null
            machine.observation = tracer && observe(tracer)
            const outcome = await runTransaction(machine, environment, transaction)
            logs += outcome.logs.length
            if (tracer !== null) traces.push(tracer.result())
            if (i === index) break
            await rest(machine)
          }
          return traces
        }),
      ),
    traceCall: (header, message, { overrides, blockOverrides, after, options, time }) =>
      inTurn(() => {
        const changed = overrideHeader(header, blockOverrides)
        const stateRoot = after?.parent.stateRoot ?? header.stateRoot
        return withMachine(changed, stateRoot, time, async machine => {
          if (after !== null) await replay(machine, after, after.count)
          const environment = createOverriddenEnvironment(
            rules,
            changed,
            blockOverrides.blobBaseFee,
          )
          if (changed.number === header.number + 1n) {
            machine.branch = number => (number === header.number ? toBytes(header.hash) : null)
          }
          applyOverrides(machine, overrides)
          const gas =
            message.gas !== undefined && message.gas < limits.gas ? message.gas : limits.gas
          const prices = nameFailure(() => {
            const found = findPrices(machine, environment, message)
            assertCallable(machine, message, gas, found)
            return found
          })
          const transaction = toTransaction(machine, message, gas, prices)
          const tracer = createTracer(machine, options, 0, createTraceSize())
          machine.observation = observe(tracer)
          await runTransaction(machine, environmentOf(environment, prices), transaction)
          return tracer.result()
        })
      }),
  }

  /** Runs the first transactions of a block, without a trace. */
  async function replay(machine: Machine, { block }: TracedBlock, count: number): Promise<void> {
    const environment = createBlockEnvironment(rules, block.header)
    enterBlock(rules, machine, block.header)
    for (const transaction of block.transactions.slice(0, count)) {
      await runTransaction(machine, environment, transaction)
      await rest(machine)
    }
  }
}

/** Lets others have their turn between transactions. */
async function rest({ clock }: Machine): Promise<void> {
  clock.steps -= STEPS_OF_A_TRANSACTION
  if (clock.steps <= 0) await clock.tick()
}

function nameFailure<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    throw new CallError(`tracing failed: ${error.message}`, null)
  }
}
