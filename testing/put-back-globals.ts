import { readFileSync } from 'node:fs'
import { afterAll, expect, vi } from 'vitest'

/**
 * Files share a process and its modules, as importing them anew took longer than the tests: clocks and globals are put back,
 * and a file that mocks a module, or a global that a module reads as it is loaded, has modules of its own.
 */
const { testPath = '' } = expect.getState()
const hasOwnModules = /\bvi\.(mock|stubGlobal)\(/.test(readFileSync(testPath, 'utf8'))
if (hasOwnModules) vi.resetModules()

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  if (hasOwnModules) vi.resetModules()
})
