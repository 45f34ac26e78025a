import type { Rpc } from './rpc.ts'

/** The time of devnet: the machine's, until it is set; then it stands still. */
export interface Clock {
  /** Unix seconds. */
  now(): number
  set(time: number): Promise<void>
  /** Back to the machine's time. */
  reset(): Promise<void>
  /** Runs something while the node takes it to be this time. */
  at<Result>(otherTime: number, run: () => Promise<Result>): Promise<Result>
}

export function createClock(rpc: Rpc): Clock {
  let time: number | null = null
  const now = () => time ?? Math.floor(Date.now() / 1000)
  return {
    now,
    async set(newTime) {
      await rpc('setmocktime', [newTime])
      time = newTime
    },
    async reset() {
      await rpc('setmocktime', [0])
      time = null
    },
    async at(otherTime, run) {
      await rpc('setmocktime', [otherTime])
      try {
        return await run()
      } finally {
        await rpc('setmocktime', [time ?? 0])
      }
    },
  }
}
