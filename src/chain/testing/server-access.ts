import { expect } from 'vitest'
import { createServerAccess, type ServerAccess } from '../access/server-access.ts'
import type { NetworkChecks } from '../chain-source.ts'
import { BackendUnavailableError, type ServerProblem } from '../chain-source.ts'

/** Access to servers with a clock of its own, without jitter, and nothing known about any of them. */
export function createTestAccess(): {
  access: ServerAccess
  checks: NetworkChecks
  clock: { now: number }
} {
  const clock = { now: 1_700_000_000_000 }
  const checked = new Set<string>()
  return {
    access: createServerAccess({ now: () => clock.now, random: n => new Uint8Array(n) }),
    checks: {
      has: async (network, url) => checked.has(network + url),
      add: async (network, url) => void checked.add(network + url),
    },
    clock,
  }
}

/** The problem that a question ends with. */
export async function problemOf(question: Promise<unknown>): Promise<ServerProblem> {
  const error = await question.then(
    () => null,
    cause => cause,
  )
  expect(error).toBeInstanceOf(BackendUnavailableError)
  return error.problem
}
