import { vi } from 'vitest'

const { setTimeout } = globalThis

/** Does something while so many seconds and more pass at once. */
export async function inHurry<T>(work: () => Promise<T>, from = 10): Promise<T> {
  const hurry = (ms: number) => (ms >= from * 1000 ? 10 : ms)
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => setTimeout(run, hurry(ms)))
  try {
    return await work()
  } finally {
    vi.unstubAllGlobals()
  }
}
