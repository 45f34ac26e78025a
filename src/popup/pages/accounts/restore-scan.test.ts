import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addAnswer,
  askLines,
  countAsked,
  GAP_LIMIT,
  isFurtherScan,
  nextQuestion,
  type Scan,
  type ScanQuestion,
  startFurther,
  startScan,
} from './restore-scan.ts'

/** Answers as a server would that knows these used addresses, `type line index`; stops after `limit` questions. */
function search(used: ReadonlySet<string>, scan = startScan(), limit = Number.POSITIVE_INFINITY) {
  const asked: string[] = []
  let current: Scan = scan
  for (let turn = 0; turn < limit; turn++) {
    const question = nextQuestion(current)
    if (!question) break
    const indexes = Array.from({ length: question.count }, (_, at) => question.from + at)
    asked.push(...indexes.map(index => keyOf(question, index)))
    const answer = indexes
      .filter(index => used.has(keyOf(question, index)))
      .map(index => ({
        index,
        path: 'm',
        address: keyOf(question, index),
        balance: '0',
        transactions: 1,
      }))
    current = addAnswer(current, question, { used: answer })
  }
  return { asked, scan: current, found: current.found.map(({ address }) => address) }
}

function keyOf({ addressType, line }: Omit<ScanQuestion, 'from' | 'count'>, index: number) {
  return `${addressType} ${line} ${index}`
}

describe('looking along the paths of other wallets', () => {
  it('asks 340 further addresses where nothing was used, and none of the first again', () => {
    const first = search(new Set())
    const { asked, scan } = search(new Set(), startFurther(first.scan))
    expect(asked).toHaveLength(17 * GAP_LIMIT)
    expect(first.asked.filter(one => asked.includes(one))).toEqual([])
    expect(countAsked(scan)).toEqual({ asked: 580, planned: 580 })
    expect([isFurtherScan(first.scan), isFurtherScan(scan)]).toEqual([false, true])
  })

  it('looks at change where a receiving address was used, and keeps what was found before', () => {
    const used = new Set([
      'p2tr accounts 3',
      "p2wpkh m/44'/c'/0'/0/i 3",
      "p2wpkh m/44'/c'/0'/1/i 19",
    ])
    const first = search(used)
    expect(first.found).toEqual(['p2tr accounts 3'])
    const { asked, found } = search(used, startFurther(first.scan))
    expect(found).toEqual([...used])
    expect(asked).not.toContain("p2tr m/44'/c'/0'/1/i 0")
    expect(asked).toHaveLength(new Set(asked).size)
  })
})

describe('looking for used addresses', () => {
  it('asks twenty of each kind and line where nothing was used, and none twice', () => {
    const { asked, scan, found } = search(new Set())
    expect(found).toEqual([])
    expect(asked).toHaveLength(12 * GAP_LIMIT)
    expect(new Set(asked).size).toBe(asked.length)
    expect(countAsked(scan)).toEqual({ asked: 240, planned: 240 })
  })

  it('leaves out the first receiving address, which is the first account', () => {
    const { asked } = search(new Set())
    expect(asked).toContain('p2wpkh accounts 0')
    expect(asked).not.toContain('p2wpkh receive 0')
    expect(asked).toContain('p2wpkh change 0')
  })

  it('goes on for twenty behind the last used one', () => {
    const used = new Set(['p2tr receive 20', 'p2tr receive 40'])
    const { asked, found } = search(used)
    expect(found).toEqual([...used])
    expect(asked).toContain('p2tr receive 60')
    expect(asked).not.toContain('p2tr receive 61')
  })

  it('does not find what lies behind a gap of twenty', () => {
    expect(search(new Set(['p2pkh change 20'])).found).toEqual([])
  })

  it('finds every address that is nearer than the gap limit to the one before, and stops in the end', () => {
    const steps = fc.array(fc.integer({ min: 1, max: GAP_LIMIT }), { maxLength: 12 })
    fc.assert(
      fc.property(steps, fc.constantFrom('p2tr accounts', 'p2sh-p2wpkh change'), (gaps, line) => {
        let index = -1
        const used = new Set(
          gaps.map(gap => {
            index += gap
            return `${line} ${index}`
          }),
        )
        expect(search(used).found).toEqual([...used])
      }),
    )
  })

  it('stopped at any point and taken up again asks nothing twice and finds the same', () => {
    const used = new Set(['p2tr accounts 3', 'p2wpkh receive 7', 'p2pkh change 19'])
    const whole = search(used)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), limit => {
        const first = search(used, startScan(), limit)
        const rest = search(used, first.scan)
        expect([...first.asked, ...rest.asked]).toEqual(whole.asked)
        expect(rest.found).toEqual(whole.found)
      }),
    )
  })

  it('asks about two lines at a time, and finds the same in the same order whenever the answers come', async () => {
    const used = new Set([
      'p2tr accounts 3',
      'p2tr change 12',
      'p2wpkh receive 7',
      'p2pkh change 19',
    ])
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async scheduler => {
        const { ask, asked, atOnce } = createServer(used, () =>
          scheduler.schedule(Promise.resolve()),
        )
        let last = startScan()
        const done = askLines(last, {
          ask,
          show(scan) {
            last = scan
            return true
          },
        })
        await scheduler.waitFor(done)
        expect(last.found.map(({ address }) => address)).toEqual([...used])
        expect(asked).toHaveLength(new Set(asked).size)
        expect(nextQuestion(last)).toBeNull()
        expect(atOnce.most).toBe(2)
      }),
      { numRuns: 30 },
    )
  })

  it('asks no further after an error, and goes on later with what was shown', async () => {
    const used = new Set(['p2tr accounts 3', 'p2wpkh receive 7'])
    const { ask, asked } = createServer(used)
    let last = startScan()
    const show = (scan: Scan) => {
      last = scan
      return true
    }
    let calls = 0
    const failing = async (question: ScanQuestion) => {
      calls++
      if (calls === 5) throw new Error('gone')
      return ask(question)
    }
    await expect(askLines(last, { ask: failing, show })).rejects.toThrow('gone')
    await new Promise(resolve => setTimeout(resolve))
    expect(calls).toBeLessThanOrEqual(6)
    await askLines(last, { ask, show })
    expect(last.found.map(({ address }) => address)).toEqual([...used])
    expect(new Set(asked).size).toBe(12 * GAP_LIMIT + 4 + 7)
  })

  it('shows and asks nothing more once it is no longer wanted', async () => {
    const { ask, asked } = createServer(new Set())
    let shown = 0
    await askLines(startScan(), {
      ask,
      show() {
        shown++
        return false
      },
    })
    expect(shown).toBe(1)
    expect(asked).toHaveLength(40)
  })
})

/** A server that knows these used addresses, and what it was asked; `atOnce.most` is how many questions were under way at the same time. */
function createServer(used: ReadonlySet<string>, wait = () => Promise.resolve<unknown>(null)) {
  const asked: string[] = []
  const atOnce = Object.assign(new Set<ScanQuestion>(), { most: 0 })
  const ask = async (question: ScanQuestion) => {
    for (const other of atOnce) expect(keyOf(other, 0)).not.toBe(keyOf(question, 0))
    atOnce.add(question)
    atOnce.most = Math.max(atOnce.most, atOnce.size)
    const indexes = Array.from({ length: question.count }, (_, at) => question.from + at)
    const keys = indexes.map(index => keyOf(question, index))
    asked.push(...keys)
    await wait()
    atOnce.delete(question)
    return {
      used: indexes
        .filter((_, at) => used.has(keys[at] ?? ''))
        .map(index => ({
          index,
          path: 'm',
          address: keyOf(question, index),
          balance: '0',
          transactions: 1,
        })),
    }
  }
  return { ask, asked, atOnce }
}
