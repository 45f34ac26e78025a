import { afterAll, vi } from 'vitest'

/** Files share a process and its modules, as importing them anew took longer than the tests: clocks and globals are put back. */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
