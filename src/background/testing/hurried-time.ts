import { vi } from 'vitest'

const { setTimeout } = globalThis

/** Does something while ten and more seconds pass at once. */
export async function inHurry<T>(work: () => Promise<T>): Promise<T> {
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => setTimeout(run, ms >= 10_000 ? 10 : ms))
  try {
    return await work()
  } finally {
    vi.unstubAllGlobals()
  }
}
