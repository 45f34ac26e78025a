import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isKnownNetwork } from '../../testing/official/networks.ts'
import { runStateTest, type StateTest } from '../../testing/official/state-test.ts'
import type { TraceOptions } from './trace-options.ts'

const VECTORS = new URL('../../testing/vectors/', import.meta.url)

const TRACERS: readonly TraceOptions[] = [
  { tracer: 'callTracer', onlyTopCall: false, withLog: true },
  {
    tracer: 'prestateTracer',
    ...{ diffMode: true, disableCode: false, disableStorage: false, includeEmpty: false },
  },
  {
    tracer: 'structLogger',
    ...{ enableMemory: true, disableStack: false, disableStorage: false },
    ...{ enableReturnData: true, limit: 100_000 },
  },
]

const files = ['ethereum-tests/state.json', 'execution-spec-tests/state.json']

describe('the official state tests', () => {
  it.each(files.flatMap(file => TRACERS.map(options => [file, options.tracer, options] as const)))(
    'of %s end in the same states where the %s observes them',
    async (file, _, options) => {
      const tests: { [name: string]: StateTest } = JSON.parse(
        readFileSync(new URL(file, VECTORS), 'utf8'),
      )
      const faults: string[] = []
      let count = 0
      for (const [name, test] of Object.entries(tests)) {
        for (const [network, cases] of Object.entries(test.post)) {
          if (!isKnownNetwork(network)) continue
          for (const wanted of cases) {
            const found = await runStateTest(test, network, wanted, options)
            faults.push(...found.map(fault => `${name} ${network}: ${fault}`))
            count++
          }
        }
      }
      expect(faults).toEqual([])
      expect(count).toBeGreaterThan(40)
    },
    60_000,
  )
})
