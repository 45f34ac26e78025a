import type { Hex } from '../../codec/hex.ts'
import type { Header } from '../block.ts'
import type { SimulatedBlock, SimulatedBlockOverrides } from '../engine.ts'
import {
  INVALID_BLOCK_NUMBER,
  INVALID_BLOCK_TIME,
  INVALID_PARAMS,
  LIMIT_EXCEEDED,
  SimulationError,
} from './simulation-error.ts'

/** As in geth. */
const MOST_BLOCKS = 256
const MOST_CALLS_OF_A_BLOCK = 5_000
const MOST_CALLS = 10_000
/** Seconds between blocks that say nothing of their time. */
const TIME_STEP = 12n

/** A block to be simulated, whose place is known. */
export interface PlannedBlock extends SimulatedBlock {
  readonly overrides: SimulatedBlockOverrides & {
    readonly number: bigint
    readonly timestamp: bigint
  }
}

/** Gives each block its number and its time, and fills gaps with empty blocks. Throws `SimulationError`. */
export function planBlocks(
  base: Pick<Header, 'number' | 'timestamp'>,
  blocks: readonly SimulatedBlock[],
): PlannedBlock[] {
  assertCount(blocks)
  const planned: PlannedBlock[] = []
  let { number, timestamp } = base
  const add = (block: SimulatedBlock) => {
    planned.push({ ...block, overrides: { ...block.overrides, number, timestamp } })
  }
  for (const block of blocks) {
    const wanted = block.overrides.number ?? number + 1n
    if (wanted <= number) {
      const text = `block numbers must be in order: ${wanted} <= ${number}`
      throw new SimulationError(INVALID_BLOCK_NUMBER, text)
    }
    if (wanted - base.number > MOST_BLOCKS) throw tooManyBlocks()
    while (number + 1n < wanted) {
      number += 1n
      timestamp += TIME_STEP
      add({ overrides: {}, stateOverrides: new Map<Hex, never>(), calls: [] })
    }
    number = wanted
    const time = block.overrides.timestamp ?? timestamp + TIME_STEP
    if (time <= timestamp) {
      const text = `block timestamps must be in order: ${time} <= ${timestamp}`
      throw new SimulationError(INVALID_BLOCK_TIME, text)
    }
    timestamp = time
    add(block)
  }
  return planned
}

function assertCount(blocks: readonly SimulatedBlock[]): void {
  if (blocks.length === 0) throw new SimulationError(INVALID_PARAMS, 'empty input')
  if (blocks.length > MOST_BLOCKS) throw tooManyBlocks()
  let total = 0
  for (const { calls } of blocks) {
    total += calls.length
    if (calls.length > MOST_CALLS_OF_A_BLOCK) {
      const text = `too many calls in block: ${calls.length} > ${MOST_CALLS_OF_A_BLOCK}`
      throw new SimulationError(LIMIT_EXCEEDED, text)
    }
    if (total > MOST_CALLS) {
      throw new SimulationError(LIMIT_EXCEEDED, `too many calls: ${total} > ${MOST_CALLS}`)
    }
  }
}

function tooManyBlocks(): SimulationError {
  return new SimulationError(LIMIT_EXCEEDED, 'too many blocks')
}
