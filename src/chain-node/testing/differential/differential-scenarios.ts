import fc from 'fast-check'
import type { Hex } from '../../codec/hex.ts'
import { randomProgram } from '../random-programs.ts'
import { CONTRACT_NAMES, type ContractName, type Ruleset } from './differential-contracts.ts'

/** An account, by what it is; the n-th program is one of those that the scenario deploys. */
export type Target =
  | { readonly contract: ContractName }
  | { readonly program: number }
  | { readonly account: number }
  | { readonly authority: number }
  | { readonly low: number }

export type Argument = bigint | Hex | Target | Input | { readonly text: string }

/** A call of a function of one of the contracts; or just bytes. */
export type Input = { readonly calls: string; readonly with: readonly Argument[] }

/** What runs: code of an account, or init code where there is no target. */
export interface Operation {
  readonly to: Target | null
  readonly input: Input | Hex
  readonly value: bigint
}

export interface SentTransaction extends Operation {
  readonly type: number
  readonly from: number
  readonly gas: number
  /** Above the base fee, in wei. */
  readonly price: number
  readonly accessList: readonly Target[]
  readonly authorizations: readonly { readonly authority: number; readonly to: Target }[]
  /** What makes both refuse it, or at least us. */
  readonly fault: (typeof FAULTS)[number] | null
}

export interface AccountChange {
  readonly target: Target
  readonly balance: bigint | null
  readonly nonce: number | null
  readonly code: Hex | null
  readonly slots: 'state' | 'stateDiff' | null
  readonly values: readonly (readonly [number, number])[]
}

export interface SimulatedCall extends Operation {
  readonly from: Target | null
  readonly gas: number | null
  readonly gasPrice: number | null
  readonly back: number
  readonly changes: readonly AccountChange[]
  readonly estimate: boolean
}

export interface LogQuery {
  readonly addresses: readonly Target[] | Target | null
  readonly topics: readonly (Topic | readonly Topic[] | null)[] | null
  readonly range:
    | { readonly from: number | null; readonly to: number | null }
    | { readonly block: number }
}

export type Topic = number | Target | 'Transfer' | 'Approval' | 'Written' | 'Returned'

export interface Scenario {
  readonly programs: readonly Hex[]
  readonly transactions: readonly SentTransaction[]
  readonly calls: readonly SimulatedCall[]
  readonly queries: readonly LogQuery[]
  readonly wrong: readonly number[]
}

const FAULTS = ['old nonce', 'no gas', 'no funds', 'too much gas', 'other chain', 'twice'] as const

/** Sends nothing but what is refused, so that this is all that hangs on its nonce. */
export const REFUSED_SENDER = 9

/** Opcodes that random code is not given: what they read is not equal on both chains, or only one of the rulesets has them. */
const REPLACED: { readonly [ruleset in Ruleset]: ReadonlyMap<number, number> } = {
  // BLOCKHASH, and those that our default profile has before their fork.
  berlin: new Map([
    [0x40, 0x15],
    [0x5c, 0x54],
    [0x5d, 0x55],
    [0x5e, 0x37],
    [0x5f, 0x36],
  ]),
  // BLOCKHASH and PREVRANDAO.
  prague: new Map([
    [0x40, 0x15],
    [0x44, 0x43],
  ]),
}

function replaceOpcodes(code: Uint8Array, ruleset: Ruleset): Hex {
  const bytes = Uint8Array.from(code)
  for (let index = 0; index < bytes.length; index++) {
    const opcode = bytes[index] as number
    bytes[index] = REPLACED[ruleset].get(opcode) ?? opcode
    if (opcode >= 0x60 && opcode <= 0x7f) index += opcode - 0x5f
  }
  return toHex(bytes)
}

const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map(toHex)
const number = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(0n, 40n) },
  { weight: 1, arbitrary: fc.constantFrom(1000n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 1n) },
)
const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ contract: fc.constantFrom(...CONTRACT_NAMES) }) },
  { weight: 4, arbitrary: fc.record({ program: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ account: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ authority: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ low: fc.integer({ min: 1, max: 12 }) }) },
)
const callee: fc.Arbitrary<Target> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ program: fc.nat(1) }) },
  { weight: 2, arbitrary: target },
)

/** Input of a precompiled contract: numbers of 32 bytes, as most of them take. */
const words = fc
  .array(fc.oneof(fc.nat(3), fc.nat(255)), { maxLength: 8 })
  .map(values => `0x${values.map(value => value.toString(16).padStart(64, '0')).join('')}` as Hex)

const call = (calls: string, ...args: readonly fc.Arbitrary<Argument>[]): fc.Arbitrary<Input> =>
  fc.record({ calls: fc.constant(calls), with: fc.tuple(...args) })

/** Functions that call nobody who could call back. */
const leaf: fc.Arbitrary<Input> = fc.oneof(
  call('Token.transfer', target, number),
  call('Token.transfer', target, fc.bigInt(0n, 40n)),
  call('Token.approve', target, number),
  call('Token.transferFrom', target, target, number),
  call('Token.balanceOf', target),
  call('Token.totalSupply'),
  call('Ledger.write(uint256,uint256,uint256)', number, number, number),
  call('Ledger.clear', number, number),
  call('Ledger.flip', number, number),
  call('Ledger.report', number, number, bytes(40)),
  call('Ledger.keep', bytes(70)),
  call('Ledger.slots', number),
  call('Ledger.write(uint256)', number),
  call('Failure.withReason', number),
  call('Failure.withLongReason', fc.record({ text: fc.string({ maxLength: 70 }) })),
  call('Failure.withCustom', number),
  call('Failure.silently'),
  call('Failure.withBytes', bytes(80)),
  call('Failure.byPanic', number),
  call('Failure.byOpcode'),
  call('Failure.byGas'),
  call('Failure.byMemory', number),
  call('Failure.byReturnData', number),
  call('Caller.describe', target),
  call('Caller.surround'),
  call('Factory.create', number),
  call('Factory.create2', number, words.map(pad)),
)
const destroying: fc.Arbitrary<Input> = fc.oneof(
  call('Factory.createAndDestroy', number, target),
  call('Factory.destroyLast', target),
  call('Caller.destroy', target),
)

function pad(value: Hex): Hex {
  return `0x${value.slice(2, 66).padEnd(64, '0')}`
}

const inner: fc.Arbitrary<Input | Hex> = fc.oneof({ weight: 5, arbitrary: leaf }, words, bytes(40))
const calling: fc.Arbitrary<Input> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  {
    weight: 2,
    arbitrary: fc.oneof(
      call('Caller.callOther', target, fc.bigInt(0n, 5n), inner),
      call('Caller.callWithGas', target, fc.bigInt(0n, 90_000n), inner),
      call('Caller.delegate', target, inner),
      call('Caller.look', target, inner),
      call('Caller.dig', fc.bigInt(0n, 30n)),
      call('Caller.digForever'),
      call('Factory.createRaw', bytes(60)),
    ),
  },
)

/** Mostly a function of the contract that has it; sometimes any bytes to anybody. */
function operation(program: fc.Arbitrary<Hex>): fc.Arbitrary<Operation> {
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constant(0n) },
    { weight: 1, arbitrary: fc.bigInt(1n, 9n) },
  )
  const input = fc.oneof({ weight: 20, arbitrary: calling }, { weight: 2, arbitrary: destroying })
  const toContract = fc.tuple(input, value).map(([chosen, amount]): Operation => {
    const contract = chosen.calls.split('.')[0] as ContractName
    return { to: { contract }, input: chosen, value: amount }
  })
  const toAnybody = fc.record({ to: callee, input: inner, value })
  const toLow = fc.record({
    to: fc.record({ low: fc.integer({ min: 1, max: 9 }) }),
    input: fc.oneof(words, bytes(220)),
    value,
  })
  const create = fc.record({
    to: fc.constant(null),
    input: fc.oneof(program, program.map(wrapRuntime)),
    value,
  })
  return fc.oneof(
    { weight: 6, arbitrary: toContract },
    { weight: 5, arbitrary: toAnybody },
    { weight: 1, arbitrary: toLow },
    { weight: 2, arbitrary: create },
  )
}

/** Init code that returns what follows it. */
export function wrapRuntime(code: Hex): Hex {
  const length = ((code.length - 2) / 2).toString(16).padStart(4, '0')
  return `0x61${length}80600c6000396000f3${code.slice(2)}`
}

function transaction(ruleset: Ruleset, program: fc.Arbitrary<Hex>): fc.Arbitrary<SentTransaction> {
  const types = ruleset === 'berlin' ? [0, 0, 1] : [0, 0, 0, 1, 1, 2, 2, 2, 2, 4, 4]
  return fc
    .record({
      operation: operation(program),
      type: fc.oneof(
        { weight: 40, arbitrary: fc.constantFrom(...types) },
        { weight: ruleset === 'berlin' ? 0 : 1, arbitrary: fc.constant(3) },
      ),
      from: fc.nat(REFUSED_SENDER - 1),
      gas: fc.constantFrom(0, 10_000, 100_000, 400_000, 1_000_000),
      price: fc.nat(1_000_000_000),
      accessList: fc.array(target, { maxLength: 2 }),
      authorizations: fc.array(fc.record({ authority: fc.nat(3), to: target }), {
        minLength: 1,
        maxLength: 2,
      }),
      fault: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, fc.constantFrom(...FAULTS)),
    })
    .map(({ operation: { to, input: data, value }, gas, from, ...rest }) => {
      const target = rest.type > 2 && to === null ? { program: 0 } : to
      // With 21,000, the access list and the input, what a transaction needs before anything runs.
      const least = 50_000 + (target === null ? 50_000 : 0) + rest.authorizations.length * 25_000
      const isRefused = rest.fault !== null && rest.fault !== 'twice'
      return {
        ...rest,
        to: target,
        input: data,
        value,
        gas: least + gas,
        from: isRefused ? REFUSED_SENDER : from,
      }
    })
}

const option = <T>(arbitrary: fc.Arbitrary<T>, nil = 2) =>
  fc.oneof({ weight: nil, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

function simulatedCall(program: fc.Arbitrary<Hex>): fc.Arbitrary<SimulatedCall> {
  const change: fc.Arbitrary<AccountChange> = fc.record({
    target: fc.oneof(callee, target),
    balance: option(fc.bigInt(0n, 2n ** 70n)),
    nonce: option(fc.nat(5), 4),
    code: option(program),
    slots: option(fc.constantFrom('state', 'stateDiff')),
    values: fc.array(fc.tuple(fc.nat(6), fc.nat(300)), { maxLength: 3 }),
  })
  return fc
    .record({
      operation: operation(program),
      from: option(fc.oneof(fc.record({ account: fc.nat(9) }), target), 1),
      gas: option(fc.constantFrom(21_000, 22_000, 50_000, 300_000, 2_000_000), 1),
      gasPrice: option(fc.constantFrom(0, 1, 2_000_000_000), 4),
      back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(4)),
      changes: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        fc.uniqueArray(change, {
          maxLength: 2,
          selector: item => JSON.stringify(item.target),
        }),
      ),
      estimate: fc.boolean(),
    })
    .map(({ operation: { to, input: data, value }, ...rest }) => ({
      ...rest,
      to,
      input: data,
      value,
    }))
}

const topic: fc.Arbitrary<Topic> = fc.oneof(
  fc.nat(40),
  target,
  fc.constantFrom('Transfer', 'Approval', 'Written', 'Returned'),
)
const query: fc.Arbitrary<LogQuery> = fc.record({
  addresses: option(fc.oneof(target, fc.array(target, { maxLength: 3 }))),
  topics: option(
    fc.array(fc.oneof(topic, fc.array(topic, { minLength: 1, maxLength: 3 }), fc.constant(null)), {
      maxLength: 4,
    }),
    1,
  ),
  range: fc.oneof(
    fc.record({ from: option(fc.nat(12), 1), to: option(fc.nat(3), 3) }),
    fc.record({ block: fc.nat(2) }),
  ),
})

/** Number of requests of `listWrongRequests`. */
export const WRONG_REQUESTS = 18

/** A scenario: programs are deployed in a block, transactions run in the next, and then both nodes are asked. */
export function arbitraryScenario(ruleset: Ruleset): fc.Arbitrary<Scenario> {
  const program = randomProgram([1, 2, 3, 4, 5, 6, 7, 8, 9, 0x30]).map(code =>
    replaceOpcodes(code, ruleset),
  )
  return fc.record({
    programs: fc.array(program, { minLength: 1, maxLength: 2 }),
    transactions: fc
      .array(transaction(ruleset, program), { maxLength: 4 })
      .map(sent => sent.filter((one, index) => isFirstRefused(one, sent.slice(0, index)))),
    calls: fc.array(simulatedCall(program), { minLength: 1, maxLength: 5 }),
    queries: fc.array(query, { maxLength: 2 }),
    wrong: fc.array(fc.nat(WRONG_REQUESTS - 1), { maxLength: 1 }),
  })
}

function isFirstRefused(sent: SentTransaction, before: readonly SentTransaction[]): boolean {
  return sent.from !== REFUSED_SENDER || before.every(({ from }) => from !== REFUSED_SENDER)
}
