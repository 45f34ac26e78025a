import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAddress, createHash } from '../testing/feed.ts'
import { createLogIndex } from './log-index.ts'

const address = fc.integer({ min: 0, max: 3 }).map(createAddress)
const topic = fc.integer({ min: 0, max: 3 }).map(createHash)
const criteria = fc.record({
  addresses: fc.array(address, { maxLength: 3 }),
  topics: fc.array(fc.array(topic, { maxLength: 3 }), { maxLength: 4 }),
})
const log = fc.record({ address, topics: fc.array(topic, { maxLength: 4 }) })

describe('createLogIndex', () => {
  it('finds each value whose criteria the log meets once, and none that was taken out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(criteria, fc.boolean()), { maxLength: 20 }),
        fc.array(log, { maxLength: 20 }),
        (entries, logs) => {
          const index = createLogIndex<number>()
          for (const [value, [wanted, isTakenOut]] of entries.entries()) {
            const takeOut = index.add(wanted, value)
            if (isTakenOut) takeOut()
            if (isTakenOut) takeOut()
          }
          const present = [...entries.entries()].filter(([, [, isTakenOut]]) => !isTakenOut)
          expect(index.size).toBe(present.length)
          for (const { address, topics } of logs) {
            // The specification's words, position by position.
            const expected = present.filter(([, [wanted]]) => {
              if (wanted.addresses.length > 0 && !wanted.addresses.includes(address)) return false
              for (let i = 0; i < wanted.topics.length; i++) {
                const found = topics[i]
                const alternatives = wanted.topics[i] ?? []
                if (!found) return false
                if (alternatives.length > 0 && !alternatives.includes(found)) return false
              }
              return true
            })
            const found = index.find({ address, topics })
            expect(found.sort((a, b) => a - b)).toEqual(expected.map(([value]) => value))
          }
        },
      ),
    )
  })

  it('looks at few of many criteria', () => {
    const index = createLogIndex<number>()
    for (let i = 0; i < 20_000; i++) {
      index.add({ addresses: [createAddress(i)], topics: [] }, i)
    }
    let looks = 0
    const address = createAddress(1234)
    const log = {
      get address() {
        looks++
        return address
      },
      topics: [],
    }
    expect(index.find(log)).toEqual([1234])
    expect(looks).toBeLessThan(10)
  })
})
