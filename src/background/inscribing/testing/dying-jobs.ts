import { dieAfter } from '../../testing/funded-wallet.ts'
import { startWorker, type Worker, type World } from '../../testing/test-wallet.ts'
import { refreshJobs } from '../job-run.ts'
import { restart, startJobs } from './job-world.ts'

export type Started = Awaited<ReturnType<typeof startJobs>>

/**
 * Runs an act in a worker that dies before its first write to storage, then before its second, and so on until it lives to
 * its end; `check` sees each death. Resolves how many transactions had been sent at each.
 */
export async function dieAtEachWrite<T>(
  prepare: (started: Started) => Promise<T>,
  act: (worker: Worker, prepared: T) => Promise<unknown>,
  check: (started: Started, prepared: T, sent: number) => Promise<void>,
): Promise<number[]> {
  const deaths: number[] = []
  for (;;) {
    const started = await startJobs()
    const { world } = started
    const prepared = await prepare(started)
    const before = world.chain.broadcasts.length
    const dying = dieAfter(world, deaths.length)
    const lived = act(startWorker(dying), prepared).then(() => true)
    if (await Promise.race([lived, dying.died.then(() => false)])) return deaths
    const sent = world.chain.broadcasts.length - before
    deaths.push(sent)
    await check(started, prepared, sent)
  }
}

/** The alarm of a worker that starts anew. */
export async function wake(
  world: World,
  { keepsSession }: { keepsSession: boolean },
): Promise<Worker> {
  const next = restart(world, { keepsSession })
  world.clock.now += 60_000
  await refreshJobs(next.wallet)
  return next
}
