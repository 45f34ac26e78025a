import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRunningNode } from '../testing/running-node.ts'
import { SPECIFIED_METHODS, WEBSOCKET_METHODS } from '../testing/specified-methods.ts'
import { UNSUPPORTED_METHODS } from '../testing/unsupported-methods.ts'

const INVALID_PARAMS = -32602

/** Values that few parameters can be. */
const STRANGERS: readonly unknown[] = [
  0,
  1,
  -1,
  1.5,
  2 ** 53,
  true,
  false,
  [],
  [[]],
  {},
  '',
  ' ',
  '0x',
  '0X',
  '0x0',
  '0x00',
  '0x1',
  '0x01',
  'latest',
  'Latest',
  'foo',
  'NaN',
  '-0x1',
  '0xg',
  `0x${'f'.repeat(16)}`,
  `0x${'f'.repeat(17)}`,
  `0x${'1'.repeat(39)}`,
  `0x${'1'.repeat(40)}`,
  `0x${'1'.repeat(41)}`,
  `0x${'1'.repeat(63)}`,
  `0x${'1'.repeat(64)}`,
  `0x${'1'.repeat(65)}`,
  `0x${'1'.repeat(66)}`,
  '0x1 ',
  '١',
  '\u0000',
] // prettier-ignore

let node: Awaited<ReturnType<typeof startRunningNode>>
beforeAll(async () => {
  node = await startRunningNode(['--personal-import-raw-key', '--on-demand'])
})
afterAll(() => node?.close())

describe('every method of the specification', () => {
  it('is there, and nothing else but the spelling that its table has', async () => {
    for (const [method, parameters] of Object.entries(SPECIFIED_METHODS)) {
      const [answer] = await ask([{ method, params: parameters.map(({ valid }) => valid) }])
      expect(answer?.error?.code, method).not.toBe(-32601)
      expect(answer?.error?.code, `${method} ${answer?.error?.message}`).not.toBe(INVALID_PARAMS)
      expect(answer?.error?.code, method).not.toBe(-32603)
    }
  })

  it.each(Object.keys(SPECIFIED_METHODS))('%s wants no parameter more', async method => {
    const parameters = SPECIFIED_METHODS[method] ?? []
    const params = [...parameters.map(({ valid }) => valid), null]
    const [answer] = await ask([{ method, params }])
    expect(answer?.error).toEqual({
      code: INVALID_PARAMS,
      message: `too many arguments, want at most ${parameters.length}`,
    })
  })

  it.each(withParameters())('%s wants none of its parameters less', async (method, parameters) => {
    const required = parameters.filter(({ optional }) => !optional)
    for (const [position] of required.entries()) {
      const shorter = parameters.slice(0, position).map(({ valid }) => valid)
      const params = [shorter, [...shorter, null]]
      for (const answer of await ask(params.map(params => ({ method, params })))) {
        expect(answer.error).toEqual({
          code: INVALID_PARAMS,
          message: `missing value for required argument ${position}`,
        })
      }
    }
    const [named] = await ask([{ method, params: { address: '0x' } }])
    expect(named?.error).toEqual({ code: INVALID_PARAMS, message: 'non-array args' })
  })

  it.each(withParameters())(
    '%s takes a parameter for what it is, or refuses it',
    async (method, parameters) => {
      for (const [position, parameter] of parameters.entries()) {
        await judge(method, position, STRANGERS)
        await fc.assert(
          fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 20 }), values =>
            judge(method, position, values),
          ),
          { numRuns: parameter.optional ? 3 : 5 },
        )
      }
    },
  )
})

describe('what the specification does not support', () => {
  it('is unavailable, in geth’s words', async () => {
    const names = UNSUPPORTED_METHODS
    expect(names).toHaveLength(88)
    const answers = await ask(names.map(method => ({ method, params: [] })))
    for (const [index, method] of names.entries()) {
      expect(answers[index]?.error).toEqual({
        code: -32601,
        message: `the method ${method} does not exist/is not available`,
      })
    }
  })

  it('is a subscription over HTTP', async () => {
    for (const answer of await ask(
      WEBSOCKET_METHODS.map(method => ({ method, params: ['newHeads'] })),
    )) {
      expect(answer.error).toEqual({ code: -32601, message: 'notifications not supported' })
    }
  })
})

/** Each value in the place of a parameter: refused with -32602 if it cannot be one, and with nothing like it otherwise. */
async function judge(method: string, position: number, values: readonly unknown[]): Promise<void> {
  const parameters = SPECIFIED_METHODS[method] ?? []
  const parameter = parameters[position]
  const strangers = values.filter(value => value !== null)
  const answers = await ask(
    strangers.map(value => {
      const params = parameters.map(({ valid }) => valid)
      params[position] = value
      return { method, params }
    }),
  )
  for (const [index, value] of strangers.entries()) {
    const about = `${method}, ${parameter?.kind} ${JSON.stringify(value)}: ${JSON.stringify(answers[index])}`
    const code = answers[index]?.error?.code
    expect(code, about).not.toBe(-32603)
    if (!parameter?.is(value)) expect(code, about).toBe(INVALID_PARAMS)
    // What objects hold is tested where they are read.
    else if (typeof value !== 'object') expect(code, about).not.toBe(INVALID_PARAMS)
  }
}

function withParameters() {
  return Object.entries(SPECIFIED_METHODS).filter(([, parameters]) => parameters.length > 0)
}

type Answer = { id: number; result?: unknown; error?: { code: number; message: string } }

async function ask(calls: readonly { method: string; params: unknown }[]): Promise<Answer[]> {
  if (calls.length === 0) return []
  const response = await fetch(node.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
  })
  expect(response.status).toBe(200)
  const answers: Answer[] = await response.json()
  expect(answers.map(({ id }) => id)).toEqual(calls.map((_, id) => id))
  return answers
}
