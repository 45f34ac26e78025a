import type { Common } from '@ethereumjs/common'
import { CallError } from './engine.ts'
import { createMachine, type Machine, type MachineParts } from './machine.ts'

/** Machines that are used again: making one takes longer than most of what runs on it. */
export interface MachinePool {
  /** Runs on a machine over the state of `stateRoot`. One whose run breaks off is thrown away, unless with a `CallError`. */
  use<T>(common: Common, stateRoot: Uint8Array, run: (machine: Machine) => Promise<T>): Promise<T>
}

/** Of each fork. */
const IDLE_MACHINES = 4

function keep(machines: Machine[], machine: Machine): void {
  machine.journal.cleanJournal()
  if (machines.length < IDLE_MACHINES) machines.push(machine)
}

export function createMachinePool(parts: MachineParts): MachinePool {
  const idle = new Map<Common, Machine[]>()

  return {
    async use(common, stateRoot, run) {
      const machines = idle.get(common) ?? []
      idle.set(common, machines)
      const machine = machines.pop() ?? createMachine(parts, common)
      machine.state.reset(stateRoot)
      machine.branch = null
      machine.speaks = false
      machine.observation = null
      if (!machine.hasOwnPrecompiles) machine.restorePrecompiles()
      try {
        const result = await run(machine)
        keep(machines, machine)
        return result
      } catch (error) {
        if (error instanceof CallError) keep(machines, machine)
        throw error
      }
    },
  }
}
