import { describe, expect, it, vi } from 'vitest'
import { ECHO_TABLE } from '../testing/echo-table.ts'
import { defineMethod } from './method.ts'
import { createRpc, type RpcOptions } from './rpc.ts'
import { RpcError, SERVER_ERROR } from './rpc-error.ts'

const INVALID = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}'
const PARSE_ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}'
const ECHO = '"result":{"String":"x","Int":3,"Args":null}}'

function start(options: Partial<RpcOptions> = {}) {
  const onFault = vi.fn()
  const rpc = createRpc({
    table: ECHO_TABLE,
    describeError: error =>
      error instanceof RangeError ? new RpcError(SERVER_ERROR, error.message) : null,
    onFault,
    ...options,
  })
  const ask = (body: string | Uint8Array) =>
    new Promise<string | null>(resolve => rpc.handle(body, null, resolve))
  return { rpc, ask, onFault }
}

function error(id: string, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`
}

describe('single requests (cases of geth, rpc/testdata)', () => {
  const call = (params: string) =>
    `{"jsonrpc":"2.0","id":2,"method":"test_echo","params":${params}}`
  it.each([
    [call('["x",3]'), `{"jsonrpc":"2.0","id":2,${ECHO}`],
    [
      call('["x",3,{"S":"foo"}]'),
      '{"jsonrpc":"2.0","id":2,"result":{"String":"x","Int":3,"Args":{"S":"foo"}}}',
    ],
    [call('["x",3,null]'), `{"jsonrpc":"2.0","id":2,${ECHO}`],
    [call('[]'), error('2', -32602, 'missing value for required argument 0')],
    [call('["x"]'), error('2', -32602, 'missing value for required argument 1')],
    [call('[null,3]'), error('2', -32602, 'missing value for required argument 0')],
    [call('["x",3,{},4]'), error('2', -32602, 'too many arguments, want at most 3')],
    [
      call('[7]'),
      error(
        '2',
        -32602,
        'invalid argument 0: json: cannot unmarshal number into Go value of type string',
      ),
    ],
    [call('{"int":23}'), error('2', -32602, 'non-array args')],
    [call('"x"'), error('2', -32602, 'non-array args')],
    [
      '{"jsonrpc":"2.0","method":"test_noArgsRets","id":3}',
      '{"jsonrpc":"2.0","id":3,"result":null}',
    ],
    [
      '{"jsonrpc":"2.0","method":"test_noArgsRets","params":null,"id":3}',
      '{"jsonrpc":"2.0","id":3,"result":null}',
    ],
    [
      '{"jsonrpc":"2.0","id":2,"method":"invalid_method","params":[2,3]}',
      error('2', -32601, 'the method invalid_method does not exist/is not available'),
    ],
    ['{"jsonrpc":"2.1","id":1,"method":"test_echo"}', error('1', -32600, 'invalid request')],
    ['{"jsonrpc":2.0,"id":1,"method":"test_echo"}', error('1', -32600, 'invalid request')],
    ['{"id":1}', error('1', -32600, 'invalid request')],
    ['{"id":"a","method":""}', error('"a"', -32600, 'invalid request')],
    ['{"id":1,"method":5}', error('1', -32600, 'invalid request')],
    ['{"id":[],"method":"test_foo"}', INVALID],
    ['{"id":{},"method":"test_foo"}', INVALID],
    ['{"id":true,"method":"test_foo"}', INVALID],
    ['{"method":5}', INVALID],
    ['1', INVALID],
    ['null', INVALID],
    ['"text"', INVALID],
    ['{}', INVALID],
    ["'f", PARSE_ERROR],
    ['', PARSE_ERROR],
    ['{"jsonrpc":"2.0","id":1,"method":"test_noArgsRets"', PARSE_ERROR],
    ['{"id":1,"method":"test_noArgsRets"}{}', PARSE_ERROR],
  ])('%s', async (request, answer) => {
    const { ask, onFault } = start()
    expect(await ask(request)).toBe(answer)
    expect(await ask(Buffer.from(request))).toBe(answer)
    expect(onFault).not.toHaveBeenCalled()
  })

  it('need no jsonrpc, as in the samples of the specification', async () => {
    const request = '{"id":1,"method":"test_echo","params":["x",3]}'
    expect(await start().ask(request)).toBe(`{"jsonrpc":"2.0","id":1,${ECHO}`)
  })

  it('without an id are notifications: done, and not answered', async () => {
    const answer = vi.fn()
    const { ask } = start({ table: { note: defineMethod([], answer) } })
    expect(await ask('{"jsonrpc":"2.0","method":"note"}')).toBeNull()
    expect(await ask('{"jsonrpc":"2.0","method":"note","params":[1]}')).toBeNull()
    expect(await ask('{"jsonrpc":"2.0","method":"unknown"}')).toBeNull()
    expect(answer).toHaveBeenCalledTimes(1)
  })

  it('of methods that do not wait are answered within the call', () => {
    const { rpc } = start()
    const answer = vi.fn()
    rpc.handle('{"id":1,"method":"test_text"}', null, answer)
    expect(answer.mock.calls).toEqual([['{"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}}']])
  })

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
    'know no method %s',
    async name => {
      const answer = await start().ask(JSON.stringify({ id: 1, method: name }))
      expect(answer).toBe(error('1', -32601, `the method ${name} does not exist/is not available`))
    },
  )

  it('refuse a name that is too long without repeating it', async () => {
    const answer = await start().ask(JSON.stringify({ id: 1, method: 'x'.repeat(1e6) }))
    expect(answer).toBe(error('1', -32600, 'method name too long: 1000000 > 2048'))
  })

  it('are not moved by hostile keys', async () => {
    const body = '{"__proto__":{"id":9,"method":"test_panic"},"constructor":{"prototype":{"id":5}}}'
    expect(await start().ask(body)).toBe(INVALID)
    expect(Reflect.get({}, 'id')).toBeUndefined()
  })
})

describe('ids', () => {
  it.each([
    '0',
    '-0',
    '1',
    '-17',
    '1.0',
    '1.50',
    '1e3',
    '1E+2',
    '1e999',
    '9007199254740993',
    '123456789012345678901234567890123456789012345678901234567890',
    'null',
    '""',
    '"a b"',
    '"ü€😀"',
    '"\\u0041\\/\\n\\""',
    '"\\ud800"',
    '"id"',
  ])('%s are echoed byte for byte', async id => {
    const { ask } = start()
    const answer = `{"jsonrpc":"2.0","id":${id},"result":null}`
    for (const request of [
      `{"jsonrpc":"2.0","id":${id},"method":"test_noArgsRets"}`,
      ` {\n"method" : "test_noArgsRets" ,\t"id"\r:  ${id} } `,
      `{"id":7,"method":"test_noArgsRets","i\\u0064":${id}}`,
      `{"x":{"id":1},"method":"test_noArgsRets","id":${id},"y":["{\\"id\\":2}",{"id":3}]}`,
      `{"method":"test_noArgsRets","id":${id},"other":"\\\\","a\\"id":4,"n":[[{"a":[]}]]}`,
    ]) {
      expect(await ask(request), request).toBe(answer)
      expect(await ask(`[5,${request},[{"id":1}],"]",${request}]`)).toBe(
        `[${[INVALID, answer, INVALID, INVALID, answer].join(',')}]`,
      )
    }
  })

  it('of a repeated key are the last, as for every other member', async () => {
    const { ask } = start()
    expect(await ask('{"id":1,"method":"test_panic","id":2.0,"method":"test_noArgsRets"}')).toBe(
      '{"jsonrpc":"2.0","id":2.0,"result":null}',
    )
  })
})

describe('batches', () => {
  it.each([
    ['[]', error('null', -32600, 'empty batch')],
    [' [ ] ', error('null', -32600, 'empty batch')],
    ['[1]', `[${INVALID}]`],
    ['[1,2,3]', `[${INVALID},${INVALID},${INVALID}]`],
    ['[null]', `[${INVALID}]`],
    ['[[]]', `[${INVALID}]`],
    ['[{"jsonrpc":"2.0","method":"test_echo","params":["x",99]}]', null],
    [
      '[{"jsonrpc":"2.0","id":1,"method":"test_echo","params":["x",3]},55,{"jsonrpc":"2.0","id":2,"method":"unknown_method"},{"foo":"bar"}]',
      `[{"jsonrpc":"2.0","id":1,${ECHO},${INVALID},${error('2', -32601, 'the method unknown_method does not exist/is not available')},${INVALID}]`,
    ],
    [
      '[{"id":1,"method":"test_later","params":[20]},{"id":1,"method":"test_text"},{"method":"test_text"}]',
      '[{"jsonrpc":"2.0","id":1,"result":20},{"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}}]',
    ],
  ])('%s', async (request, answer) => {
    expect(await start().ask(request)).toBe(answer)
  })

  it('of more than 1000 are refused, with the id of the first call', async () => {
    const { ask } = start()
    const batch = (first: string, count: number) =>
      `[${[first, ...Array(count - 1).fill('{"method":"test_text"}')].join(',')}]`
    expect(await ask(batch('{"id":1.0,"method":"test_text"}', 1000))).toBe(
      '[{"jsonrpc":"2.0","id":1.0,"result":{"a":[1,2]}}]',
    )
    expect(await ask(batch('{"id":1.0,"method":"test_text"}', 1001))).toBe(
      `[${error('1.0', -32600, 'batch too large')}]`,
    )
    expect(await ask(batch('{"id":1}', 1001))).toBe(`[${error('null', -32600, 'batch too large')}]`)
  })

  it('with more than 25 MB of answers refuse the rest', async () => {
    const big = (id: number) => ({ id, method: 'test_bytes', params: [13_000_000] })
    const batch = [big(1), big(2), big(3), { method: 'test_text' }, { id: 4, method: 'test_text' }]
    const answers = JSON.parse((await start().ask(JSON.stringify(batch))) ?? '')
    const tooLarge = { code: -32003, message: 'response too large' }
    expect(answers.slice(2)).toEqual([
      { jsonrpc: '2.0', id: 3, error: tooLarge },
      { jsonrpc: '2.0', id: 4, error: tooLarge },
    ])
    expect(answers.slice(0, 2).map((one: { result: string }) => one.result.length)).toEqual([
      13_000_000, 13_000_000,
    ])
  })

  it('run in their order, and leave others their turn', async () => {
    const seen: string[] = []
    const spin = defineMethod([], () => {
      const end = performance.now() + 2
      while (performance.now() < end);
      seen.push('spin')
      return null
    })
    const { ask } = start({ table: { spin } })
    const batch = ask(JSON.stringify(Array(20).fill({ id: 1, method: 'spin' })))
    setImmediate(() => seen.push('other'))
    await batch
    expect(seen.length).toBe(21)
    expect(seen.indexOf('other')).toBeLessThan(10)
  })
})

describe('errors', () => {
  const ask = (method: string) => JSON.stringify({ id: 1, method })

  it('carry data where there is some', async () => {
    expect(await start().ask(ask('test_revert'))).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted: \\"quoted\\"\\n","data":"0x08c379a0"}}',
    )
  })

  it('of other kinds are told as they are described', async () => {
    const { ask: send, onFault } = start()
    expect(await send(ask('test_described'))).toBe(error('1', -32000, 'known'))
    expect(onFault).not.toHaveBeenCalled()
  })

  it.each(['test_panic', 'test_panicLater', 'test_throwNothing', 'test_bigint'])(
    '%s is a fault: reported, and not told to the caller',
    async method => {
      const { ask: send, onFault } = start()
      expect(await send(ask(method))).toBe(error('1', -32603, 'internal error'))
      expect(await send(`[${ask(method)}]`)).toBe(`[${error('1', -32603, 'internal error')}]`)
      expect(onFault.mock.calls.map(call => call[1])).toEqual([method, method])
    },
  )

  it('never escape, whoever throws', async () => {
    const fail = () => {
      throw new Error('broken')
    }
    const { ask: send } = start({ describeError: fail, onFault: fail, onCall: fail })
    expect(await send(ask('test_panic'))).toBe(error('1', -32603, 'internal error'))
    expect(await send(ask('test_panicLater'))).toBe(error('1', -32603, 'internal error'))
    expect(await send(ask('test_text'))).toBe('{"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}}')
  })
})

describe('afterAnswer', () => {
  it('runs once the answer was handed over, whatever is thrown', async () => {
    const seen: string[] = []
    const later = defineMethod([], (_, context) => {
      context.afterAnswer(() => {
        throw new Error('broken')
      })
      context.afterAnswer(() => seen.push('later'))
      seen.push('call')
      return null
    })
    const { rpc, onFault } = start({ table: { later } })
    const call = '{"id":1,"method":"later"}'
    rpc.handle(call, null, () => seen.push('answer'))
    expect(seen).toEqual(['call', 'answer', 'later'])
    await new Promise<void>(resolve => {
      rpc.handle(`[${call},${call}]`, null, () => {
        seen.push('answer')
        setImmediate(resolve)
      })
    })
    expect(seen.slice(3)).toEqual(['call', 'call', 'answer', 'later', 'later'])
    expect(onFault).toHaveBeenCalledTimes(3)
  })
})

describe('onCall', () => {
  it('hears of the methods of the table, not of names that callers invent', async () => {
    const calls: [string, boolean][] = []
    const { ask } = start({
      onCall(method, milliseconds, isOk) {
        expect(milliseconds).toBeGreaterThanOrEqual(0)
        calls.push([method, isOk])
      },
    })
    await ask(
      '[{"id":1,"method":"test_text"},{"id":2,"method":"invented"},{"method":"test_later","params":[1]}]',
    )
    await ask('{"id":1,"method":"test_text","params":[1]}')
    expect(calls).toEqual([
      ['test_text', true],
      ['test_later', true],
      ['test_text', false],
    ])
  })
})

describe('deep and long bodies', () => {
  it.each([
    ['nested arrays', '['.repeat(2e6) + ']'.repeat(2e6)],
    ['nested objects', `${'{"a":'.repeat(5e5)}1${'}'.repeat(5e5)}`],
    [
      'nested params and an odd id',
      `{"id":1.0,"method":"test_text","params":${'['.repeat(1e6)}${']'.repeat(1e6)}}`,
    ],
    ['an open array', '['.repeat(5e6)],
    ['a million ids', `{${'"id":1.0,'.repeat(5e5)}"method":"test_text"}`],
    ['spaces', `{"id":1${' '.repeat(2e6)},"id":${' '.repeat(2e6)}1.5}`],
    ['a giant batch', `[${'1,'.repeat(2e6)}1]`],
    ['a giant number', `{"id":${'9'.repeat(4e6)},"method":"test_text"}`],
  ])('%s are answered', async (_, body) => {
    const { ask, onFault } = start()
    const answer = JSON.parse((await ask(body)) ?? 'null')
    expect([answer].flat()[0].jsonrpc).toBe('2.0')
    expect(onFault).not.toHaveBeenCalled()
  })

  it.each([
    [9998, '"result":{"a":[1,2]}'],
    [9999, '"code":-32602'],
    [10_000, '"code":-32700'],
  ])('nest at most 10000 deep, as in Go: %d within one object', async (depth, expected) => {
    const nested = depth % 2 === 0 ? ['[', ']'] : ['{"[":', '}']
    const value = `${'['.repeat(depth - 1)}${nested[0]}1${nested[1]}${']'.repeat(depth - 1)}`
    const params =
      depth === 9998 ? `[],"brackets":"${'['.repeat(20_000)}\\"[","x":[${value}]` : value
    const answer = await start().ask(`{"id":1,"method":"test_text","params":${params}}`)
    expect(answer).toContain(expected)
  })
})
