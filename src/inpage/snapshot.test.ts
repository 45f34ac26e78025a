import { describe, expect, it } from 'vitest'
import { encodeParams } from './snapshot.ts'

const decode = (...params: unknown[]): unknown => JSON.parse(encodeParams(params))

function refusal(...params: unknown[]): unknown {
  try {
    return encodeParams(params)
  } catch (error) {
    return error
  }
}

describe('the snapshot of the arguments of a call', () => {
  it('says what JSON says', () => {
    const params = ['a "quoted" é\u2028\ud800 text', -0.5, 1e21, true, null, { a: [{}, []], '': 1 }]
    expect(encodeParams(params)).toBe(JSON.stringify(params))
  })

  it('writes a bigint as a decimal string', () => {
    expect(decode(2_100_000_000_000_000n, { value: -1n })).toEqual([
      '2100000000000000',
      { value: '-1' },
    ])
  })

  it('leaves out undefined members and undefined arguments at the end, and keeps positions', () => {
    expect(decode('a', { b: undefined, c: 1 }, undefined, undefined)).toEqual(['a', { c: 1 }])
    // biome-ignore lint/suspicious/noSparseArray: signPsbts takes options with holes.
    expect(decode(undefined, [1, , undefined, 2])).toEqual([null, [1, null, null, 2]])
  })

  it('runs each getter once, and reads each member of a Proxy once', () => {
    const reads: PropertyKey[] = []
    const target = { a: 1, b: [2] }
    const proxy = new Proxy(target, {
      get: (object, key) => {
        reads.push(key)
        return Reflect.get(object, key)
      },
    })
    let runs = 0
    const withGetter = {
      get amount() {
        runs += 1
        return runs
      },
    }
    expect(decode(proxy, withGetter)).toEqual([{ a: 1, b: [2] }, { amount: 1 }])
    expect(reads).toEqual(['a', 'b'])
    expect(runs).toBe(1)
  })

  it('does not ask toJSON, which a page could have put on a prototype', () => {
    expect(decode({ a: 1, toJSON: undefined })).toEqual([{ a: 1 }])
    class Money {
      sats = 5
      toJSON() {
        return 'something else'
      }
    }
    expect(decode(new Money())).toEqual([{ sats: 5 }])
  })

  it('keeps a member named __proto__ a plain member', () => {
    expect(encodeParams([JSON.parse('{"__proto__":{"x":1}}')])).toBe('[{"__proto__":{"x":1}}]')
  })

  it('repeats a value that is shared without a cycle', () => {
    const shared = { a: 1 }
    expect(decode([shared, shared], shared)).toEqual([[{ a: 1 }, { a: 1 }], { a: 1 }])
  })

  const cyclic: { self?: unknown } = {}
  cyclic.self = [cyclic]
  let deep: unknown = 1
  for (let i = 0; i < 40; i++) deep = [deep]
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  const throwing = {
    get value() {
      throw new Error('the page threw')
    },
  }
  it.each([
    ['a function', { onProgress: () => 1 }, /^params: expected JSON values, got a function$/],
    ['a symbol', [Symbol('x')], /^params: expected JSON values, got a symbol$/],
    ['NaN', { feeRate: Number.NaN }, /^params: expected JSON values, got NaN$/],
    ['an infinity', -Infinity, /^params: expected JSON values, got -Infinity$/],
    ['a cycle', cyclic, /^params: expected JSON values, got a cyclic value$/],
    [
      'great depth',
      deep,
      /^params: expected JSON values, got a value nested deeper than 32 levels$/,
    ],
    [
      'a getter that throws',
      throwing,
      /^params: expected JSON values, got one that cannot be read$/,
    ],
    [
      'a revoked Proxy',
      revoked.proxy,
      /^params: expected JSON values, got one that cannot be read$/,
    ],
  ])('refuses %s with -32602', (_, value, message) => {
    const error = refusal(value)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) })
  })
})
