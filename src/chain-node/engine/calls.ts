import { findAccessList } from './access-list-finder.ts'
import type { Header } from './block.ts'
import { type BlockEnvironment, createBlockEnvironment, toBytes } from './block-environment.ts'
import {
  type CallOutcome,
  type CallPrices,
  computeLeastGas,
  findPrices,
  runCall,
} from './call-runner.ts'
import { TimeLimitError } from './clock.ts'
import {
  CallError,
  type CallMessage,
  type CallResult,
  type Engine,
  type StateOverrides,
} from './engine.ts'
import type { Machine } from './machine.ts'
import type { MachinePool } from './machine-pool.ts'
import type { Rules } from './rules.ts'
import { applyOverrides } from './state/overrides.ts'
import { createRecentMap } from './state/recent-map.ts'

export interface CallLimits {
  /** Most gas of a call, whatever it asks for. */
  readonly gas: bigint
  /** Milliseconds. */
  readonly time: number
}

export const DEFAULT_CALL_LIMITS: CallLimits = { gas: 50_000_000n, time: 5_000 }

/** How a call ended, to be given again: the state of a block never changes. */
type Ending = { readonly result: CallResult } | { readonly error: CallError }

/** Endings that are kept, at least. */
const ENDINGS_KEPT = 2_048
/** Bytes of input and result up to which an ending is kept. */
const LARGEST_KEPT = 2_048

const BLOCK_NAMES_KEPT = 256

/** What a transaction needs at least, and a plain transfer needs at all. */
const TRANSFER_GAS = 21_000n
const CALL_STIPEND = 2_300n

/** @param countWritten - how often contracts have written to the console: a call that did is run each time */
export function createCaller(
  rules: Rules,
  machines: MachinePool,
  limits: CallLimits,
  countWritten: () => number,
): Pick<Engine, 'call' | 'estimateGas' | 'createAccessList'> {
  const endings = createRecentMap<Ending>(ENDINGS_KEPT)
  const nameBlock = createBlockNames()

  /** Runs on a machine over the state of a block, with the overrides in it. */
  async function withMachine<T>(
    header: Header,
    overrides: StateOverrides,
    run: (machine: Machine, environment: BlockEnvironment) => Promise<T>,
  ): Promise<T> {
    const common = rules.commonAt(header.number, header.timestamp)
    const environment = createBlockEnvironment(rules, header)
    try {
      return await machines.use(common, toBytes(header.stateRoot), machine => {
        machine.clock.start(limits.time)
        applyOverrides(machine, overrides)
        return run(machine, environment)
      })
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw error
      throw new CallError(`execution aborted (timeout = ${limits.time / 1000}s)`, null)
    }
  }

  function limitGas({ gas = limits.gas }: CallMessage): bigint {
    return gas < limits.gas ? gas : limits.gas
  }

  async function call(
    header: Header,
    message: CallMessage,
    overrides: StateOverrides,
  ): Promise<CallResult> {
    const gas = limitGas(message)
    const outcome = await withMachine(header, overrides, (machine, environment) => {
      machine.speaks = true
      return runCall(machine, environment, message, gas, findPrices(machine, environment, message))
    })
    if (outcome.failure !== null) throw outcome.failure
    return { returned: outcome.returned, gasUsed: outcome.gasUsed }
  }

  return {
    async call(header, message, overrides) {
      const key = overrides.size === 0 ? nameCall(nameBlock(header), message) : null
      if (key === null) return call(header, message, overrides)
      const known = endings.get(key)
      if (known !== undefined) return giveEnding(known)
      const before = countWritten()
      try {
        const result = await call(header, message, overrides)
        const isKept = result.returned.length <= LARGEST_KEPT && countWritten() === before
        if (isKept) endings.set(key, { result })
        return result
      } catch (error) {
        const isKept =
          error instanceof CallError &&
          (error.reverted?.length ?? LARGEST_KEPT + 1) <= LARGEST_KEPT &&
          countWritten() === before
        if (isKept) endings.set(key, { error })
        throw error
      }
    },
    estimateGas(header, message, overrides) {
      return withMachine(header, overrides, (machine, environment) =>
        estimateGas(machine, environment, message, limits.gas),
      )
    },
    createAccessList(header, message) {
      return withMachine(header, new Map(), (machine, environment) => {
        const prices = findPrices(machine, environment, message)
        return findAccessList(machine, environment, message, limitGas(message), prices)
      })
    },
  }
}

function giveEnding(ending: Ending): CallResult {
  if ('result' in ending) return ending.result
  throw new CallError(ending.error.message, ending.error.reverted)
}

/** Short names of blocks, where a block to come has the hash of its parent. */
function createBlockNames(): (header: Header) => string {
  const known = new WeakMap<Header, string>()
  const names = createRecentMap<string>(BLOCK_NAMES_KEPT)
  let count = 0

  return header => {
    const found = known.get(header)
    if (found !== undefined) return found
    const long = `${header.hash}${header.stateRoot}${header.timestamp}`
    const name = names.get(long) ?? `${count++}`
    names.set(long, name)
    known.set(header, name)
    return name
  }
}

/** Everything that a call's result follows from; null for one that is not kept. */
function nameCall(block: string, message: CallMessage): string | null {
  if (message.input.length > LARGEST_KEPT) return null
  if (message.accessList !== undefined || message.authorizationList !== undefined) return null
  const { from, to, value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, input } = message
  const data = Buffer.prototype.latin1Slice.call(input, 0, input.length)
  return `${block}:${from}${to}:${value}:${gas}:${gasPrice}:${maxFeePerGas}:${maxPriorityFeePerGas}:${data}`
}

/** The least gas with which the call succeeds, found as geth finds it, but to the unit. Throws `CallError`. */
async function estimateGas(
  machine: Machine,
  environment: BlockEnvironment,
  message: CallMessage,
  cap: bigint,
): Promise<bigint> {
  const prices = findPrices(machine, environment, message)
  let high = findHighestGas(machine, environment, message, prices, cap)
  const least = computeLeastGas(machine, message)

  async function run(gas: bigint): Promise<CallOutcome> {
    machine.state.checkpoint()
    const outcome = await runCall(machine, environment, message, gas, prices)
    machine.state.revert()
    return outcome
  }

  async function succeeds(gas: bigint): Promise<boolean> {
    return gas >= least && (await run(gas)).failure === null
  }

  if (isPlainTransfer(machine, message) && high >= TRANSFER_GAS && (await succeeds(TRANSFER_GAS))) {
    return TRANSFER_GAS
  }
  if (high < least) throw refuseAllowance(high)
  const first = await run(high)
  if (first.isOutOfGas) throw refuseAllowance(high)
  if (first.failure !== null) throw first.failure
  let low = first.gasUsed - 1n
  // Most calls need what they spent, and nearly all others that and what EIP-150 keeps back.
  const guesses = [first.gasSpent, ((first.gasSpent + CALL_STIPEND) * 64n) / 63n]
  for (const guess of guesses) {
    if (guess <= low || guess >= high) continue
    if (await succeeds(guess)) high = guess
    else low = guess
  }
  while (low + 1n < high) {
    const middle = (low + high) / 2n
    if (await succeeds(middle)) high = middle
    else low = middle
  }
  return high
}

function isPlainTransfer(machine: Machine, message: CallMessage): boolean {
  if (message.input.length > 0 || message.to === null) return false
  return machine.state.readCode(toBytes(message.to)).length === 0
}

/** As much as the call asks for or a block holds, the sender can pay for and the node allows. */
function findHighestGas(
  machine: Machine,
  environment: BlockEnvironment,
  message: CallMessage,
  prices: CallPrices,
  cap: bigint,
): bigint {
  const asked = message.gas ?? 0n
  let high = asked >= TRANSFER_GAS ? asked : environment.evmBlock.header.gasLimit
  const { common, state } = machine
  if (common.isActivatedEIP(7825)) high = min(high, common.param('maxTransactionGasLimit'))
  if (prices.highest > 0n) {
    const balance = state.readAccount(toBytes(message.from))?.balance ?? 0n
    if (message.value >= balance) throw new CallError('insufficient funds for transfer', null)
    high = min(high, (balance - message.value) / prices.highest)
  }
  return min(high, cap)
}

function refuseAllowance(gas: bigint): CallError {
  return new CallError(`gas required exceeds allowance (${gas})`, null)
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
