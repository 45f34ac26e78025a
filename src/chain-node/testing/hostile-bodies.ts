/** Whole numbers from zero to below `limit`, the same ones for the same seed (mulberry32). */
export type Random = (limit: number) => number

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return limit => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** A call that a server answers with a result. */
export interface ValidCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/**
 * Bodies that a server of JSON-RPC has to survive, most of them wrong in one way or another.
 *
 * @param calls - what a third of the bodies is made from, with little that is wrong
 */
export function buildHostileBody(
  random: Random,
  methods: readonly string[],
  calls: readonly ValidCall[] = [],
): Buffer {
  if (calls.length > 0 && random(3) === 0) return Buffer.from(buildNearCall(random, calls))
  const body = pick(random, SHAPES)(random, methods)
  if (random(8) === 0) return spoil(random, Buffer.from(body))
  return Buffer.from(body)
}

type Shape = (random: Random, methods: readonly string[]) => string

const SHAPES: readonly Shape[] = [
  ...Array<Shape>(12).fill(buildCall),
  ...Array<Shape>(3).fill(buildBatch),
  random => buildValue(random, 3),
  random =>
    pick(random, ['null', '', ' ', '[]', '{}', '[[]]', '"', '0', '\ufeff{}', '\0', '[null]']),
  (random, methods) => buildCall(random, methods).slice(0, random(80)),
  (random, methods) => buildCall(random, methods) + pick(random, ['}', ']', ',', '{}', 'x', '\0']),
  (random, methods) =>
    random(40) === 0 ? buildMonster(random, methods) : buildCall(random, methods),
]

const IDS = [
  '1',
  '0',
  '-0',
  '1.50',
  '1e3',
  '1e999',
  '-1E-5',
  '9007199254740993',
  '9'.repeat(400),
  'null',
  '""',
  '"a"',
  '"\\u0000\\ud800"',
  '"id"',
  '"\\"id\\":1"',
  'true',
  'false',
  '[]',
  '[1]',
  '{}',
  '{"id":1}',
  '01',
  '.5',
  'NaN',
  "'a'",
]

const VERSIONS = [
  ...Array<string>(16).fill('"jsonrpc":"2.0",'),
  '',
  '"jsonrpc":"1.0",',
  '"jsonrpc":2.0,',
  '"jsonrpc":null,',
]

const STRANGE_METHODS = [
  '""',
  'null',
  '1',
  '[]',
  '{}',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"eth_\\u0000"',
  '"rpc.discover"',
  '"\\ud800"',
  `"${'x'.repeat(3000)}"`,
]

function buildCall(random: Random, methods: readonly string[]): string {
  const method =
    random(12) === 0 ? pick(random, STRANGE_METHODS) : JSON.stringify(pick(random, methods))
  const members = [`"method":${method}`]
  if (random(12) > 0) members.push(`"id":${random(3) === 0 ? pick(random, IDS) : random(1e6)}`)
  if (random(10) > 0) members.push(`"params":${buildParams(random)}`)
  if (random(20) === 0) members.push(`"id":${pick(random, IDS)}`)
  if (random(20) === 0) members.push(`"i\\u0064":${pick(random, IDS)}`)
  if (random(20) === 0) members.push(`"__proto__":{"id":7,"method":"x"}`)
  if (random(20) === 0) members.push(`"x":${buildValue(random, 2)}`)
  if (random(2) === 0) members.reverse()
  const space = random(10) === 0 ? pick(random, [' ', '\n', '\t\r\n']) : ''
  return `{${space}${pick(random, VERSIONS)}${members.join(`${space},${space}`)}${space}}`
}

/** Half of them as they are; the others with one parameter too many, too few or replaced, or one character of them changed. */
function buildNearCall(random: Random, calls: readonly ValidCall[]): string {
  const { method, params } = pick(random, calls)
  const parts = params.map(param => JSON.stringify(param))
  const position = random(parts.length + 1)
  const change = random(8)
  if (change === 0) parts.splice(position, 1)
  if (change === 1) parts.splice(position, 0, buildValue(random, 1))
  if (change === 2) parts.splice(position, 1, buildValue(random, 2))
  let text = `[${parts.join(',')}]`
  if (change === 3) {
    const at = random(text.length)
    text =
      text.slice(0, at) + pick(random, ['0', 'f', 'g', 'x', '"', '\\', ' ']) + text.slice(at + 1)
  }
  return `{"jsonrpc":"2.0","id":${random(1e6)},"method":"${method}","params":${text}}`
}

function buildParams(random: Random): string {
  if (random(12) === 0) return pick(random, ['null', '{}', '{"0":1}', '"x"', '1', 'true', '[[]]'])
  if (random(3) === 0) return pick(random, TYPICAL)
  const count = pick(random, [0, 1, 1, 1, 2, 2, 3, 4])
  return `[${Array.from({ length: count }, () => buildValue(random, 2)).join(',')}]`
}

function buildBatch(random: Random, methods: readonly string[]): string {
  const elements = Array.from({ length: random(8) }, () =>
    random(6) === 0 ? buildValue(random, 1) : buildCall(random, methods),
  )
  return `[${elements.join(',')}]`
}

const KEYS = [
  'from',
  'to',
  'gas',
  'gasPrice',
  'value',
  'data',
  'input',
  'nonce',
  'fromBlock',
  'toBlock',
  'address',
  'topics',
  'blockHash',
  'blockhash',
  'blockNumber',
  'state',
  'stateDiff',
  'code',
  'balance',
  'accessList',
  'id',
  '__proto__',
  'constructor',
  'toJSON',
  'then',
  'length',
]

const ADDRESS = `"0x${'00'.repeat(19)}01"`
const HASH = `"0x${'ab'.repeat(32)}"`
const MESSAGE = `{"to":${ADDRESS},"data":"0x00"}`
const LOGS = '{"fromBlock":"0x0","toBlock":"latest"}'

/** What methods want most. */
const COMMON = ['"0x1"', '"latest"', 'true', ADDRESS, HASH, MESSAGE, LOGS]

/** Parameters that some method takes. */
const TYPICAL = [
  '[]',
  `[${ADDRESS}]`,
  `[${ADDRESS},"latest"]`,
  `[${ADDRESS},"0x0","latest"]`,
  `[${HASH}]`,
  `[${HASH},true]`,
  `[${HASH},"0x0"]`,
  '["latest"]',
  '["0x0",true]',
  '["latest","0x0"]',
  `[${MESSAGE},"latest"]`,
  `[${MESSAGE},"latest",{${ADDRESS}:{"balance":"0x1"}}]`,
  `[${LOGS}]`,
  '["newHeads"]',
  '["logs",{}]',
  '["0x1"]',
]

const SCALARS = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1.5',
  '1e999',
  '9007199254740993',
  '""',
  '"0x"',
  '"0x0"',
  '"0x1"',
  '"0x01"',
  '"0xg"',
  '"0X1"',
  '"latest"',
  '"earliest"',
  '"pending"',
  '"safe"',
  '"foo"',
  '"newHeads"',
  '"logs"',
  '"\\u0000"',
  '"\\ud800"',
  `"0x${'00'.repeat(20)}"`,
  `"0x${'fF'.repeat(20)}"`,
  `"0x${'ab'.repeat(32)}"`,
  `"0x${'f'.repeat(64)}"`,
  `"0x1${'0'.repeat(64)}"`,
  `"0x${'f'.repeat(16)}"`,
  '"0x7fffffffffffffff"',
  `"0x${'60'.repeat(500)}"`,
  `"0xf8${'ff'.repeat(60)}"`,
]

function buildValue(random: Random, depth: number): string {
  const kind = depth === 0 ? 0 : random(6)
  if (kind === 4) {
    return `[${Array.from({ length: random(4) }, () => buildValue(random, depth - 1)).join(',')}]`
  }
  if (kind === 5) {
    const members = Array.from(
      { length: random(5) },
      () => `"${pick(random, KEYS)}":${buildValue(random, depth - 1)}`,
    )
    return `{${members.join(',')}}`
  }
  return pick(random, random(3) === 0 ? COMMON : SCALARS)
}

/** Deep, long or many. */
function buildMonster(random: Random, methods: readonly string[]): string {
  const depth = 1 + random(pick(random, [9000, 12_000, 100_000]))
  const method = JSON.stringify(pick(random, methods))
  const call = (id: string, params: string) => `{"id":${id},"method":${method},"params":${params}}`
  return pick(random, [
    () => '['.repeat(depth) + ']'.repeat(depth),
    () => '['.repeat(depth),
    () => '{"a":'.repeat(depth),
    () => call('1', '['.repeat(depth) + ']'.repeat(depth)),
    () => call('1.0', `[${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}]`),
    () => call('['.repeat(depth) + ']'.repeat(depth), '[]'),
    () => call('9'.repeat(depth), '[]'),
    () => call(`"${'\\u0041'.repeat(depth)}"`, `["0x${'ab'.repeat(depth)}"]`),
    () => `[${Array(1001 + random(2000)).fill(call('1', '[]'))}]`,
    () => `[${Array(1000).fill(random(2) === 0 ? '1' : call('"b"', '[]'))}]`,
    () => `{${'"id":1.0,'.repeat(depth)}"method":${method}}`,
  ])()
}

/** Cuts the body off or overwrites some of its bytes. */
function spoil(random: Random, body: Buffer): Buffer {
  if (random(2) === 0) return body.subarray(0, random(body.length + 1))
  for (let i = random(4); i >= 0 && body.length > 0; i--) {
    body[random(body.length)] = pick(random, [
      0,
      0x22,
      0x5b,
      0x7b,
      0x7d,
      0x80,
      0xc3,
      0xff,
      random(256),
    ])
  }
  return body
}

function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[random(from.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}
