import { concatBytes, toUtf8 } from '../../../bitcoin/bytes.ts'
import { encodePushes } from '../../../bitcoin/script.ts'
import { pick, type Random } from '../../../bitcoin/testing/signable-psbts.ts'
import type { AtomicalId } from '../../../ordinals/atomical-id.ts'
import { encodeCborItem } from '../cbor.ts'

/** Anyone's to spend. */
export const PAYMENT = Uint8Array.of(0x51)
const RETURN = Uint8Array.of(0x6a, 0x01, 0x2a)
const FALSE_RETURN = Uint8Array.of(0x00, 0x6a)
/** A witness program, whose first byte is that of OP_FALSE. */
const WITNESS = Uint8Array.of(0x00, 0x14, ...new Uint8Array(20).fill(0x6a))
const SCRIPTS = [PAYMENT, PAYMENT, PAYMENT, PAYMENT, WITNESS, RETURN, FALSE_RETURN]

const MOVING = ['x', 'y', 'z', 'z', 'y', 'sl'] as const
const OTHERS = ['mod', 'evt', 'dat'] as const
const CONTROL_BLOCK = Uint8Array.of(0xc0, ...new Uint8Array(32))
const MOST_PUSHED = 520

/** One to six outputs, among them ones of no sats and unspendable ones. */
export function randomOutputs(random: Random): { amount: bigint; scriptPubKey: Uint8Array }[] {
  return Array.from({ length: 1 + random(6) }, () => {
    const sats = pick(random, [0, 1, 330, 546, 546, 1_000, random(2_500)])
    return { amount: BigInt(sats), scriptPubKey: pick(random, SCRIPTS) }
  })
}

/**
 * Witnesses by input of a transaction that mostly says nothing to Atomicals, or deals with these ids and so many outputs in its
 * first input; at times in another one, or behind an envelope without a payload.
 */
export function randomOperation(
  random: Random,
  ids: readonly AtomicalId[],
  outputs: number,
): (readonly Uint8Array[])[] {
  if (random(5) < 2) return []
  const op = random(15) === 0 ? pick(random, OTHERS) : pick(random, MOVING)
  const operation = reveal(op, encode(randomPayload(random, op, ids, outputs)))
  const plain = [new Uint8Array(64)]
  const before = random(12)
  if (before === 0) return [reveal(op, new Uint8Array()), operation]
  return before === 1 ? [plain, operation] : [operation]
}

function randomPayload(
  random: Random,
  op: string,
  ids: readonly AtomicalId[],
  outputs: number,
): ReadonlyMap<unknown, unknown> {
  const sections = random(8) === 0 ? [['args', new Map([['time', 1]])] as const] : []
  const wishes = ids.flatMap(id => {
    if (random(6) === 0) return []
    if (op !== 'z' || random(20) === 0) return [[id, randomSkip(random)] as const]
    const count = random(outputs + 2)
    // As texts and as numbers: an index of our own that keeps all keys as texts tells the two apart no more.
    const draw = random(6) === 0 ? randomNumber : randomText
    const wish = Array.from(
      { length: count },
      () => [draw(random, outputs), randomUnits(random)] as const,
    )
    return [[id, new Map<unknown, unknown>(wish)] as const]
  })
  return new Map<unknown, unknown>([...sections, ...wishes])
}

/** How many sats of outputs a split leaves out. */
function randomSkip(random: Random): unknown {
  const odd = [0, -5, true, 2.5, '546', new Map()]
  return random(6) === 0 ? pick(random, odd) : random(2_500)
}

function randomText(random: Random, outputs: number): string {
  const output = random(outputs)
  if (random(5) > 0) return String(output)
  const odd = [` ${output}`, `+${output}`, `0${output}`, '1_0', '1__0', '-1', '', 'x', `${outputs}`]
  return pick(random, odd)
}

function randomNumber(random: Random, outputs: number): number | bigint {
  return random(5) > 0 ? random(outputs) : pick(random, [-1, outputs, 2n ** 40n])
}

function randomUnits(random: Random): unknown {
  const units = pick(random, [1, 330, 546, 1_000, random(2_500), random(2_500)])
  if (random(6) > 0) return units
  return pick(random, [
    0,
    -1,
    String(units),
    ` ${units} `,
    units + 0.5,
    'x',
    true,
    [units],
    2n ** 60n,
  ])
}

/** Text, numbers and the like, and maps of any keys. */
function encode(value: unknown): Uint8Array {
  if (!(value instanceof Map)) return encodeCborItem(value)
  const pairs = [...value].flatMap(pair => pair.map(encode))
  if (value.size > 23) throw new RangeError('too many for one byte')
  return concatBytes(Uint8Array.of(0xa0 + value.size), ...pairs)
}

function reveal(op: string, payload: Uint8Array): Uint8Array[] {
  const chunks = Array.from({ length: Math.ceil(payload.length / MOST_PUSHED) }, (_, at) =>
    payload.subarray(at * MOST_PUSHED, (at + 1) * MOST_PUSHED),
  )
  const leaf = concatBytes(
    encodePushes([new Uint8Array(32).fill(7)]),
    Uint8Array.of(0xac, 0x00, 0x63),
    encodePushes([toUtf8('atom'), toUtf8(op), ...chunks]),
    Uint8Array.of(0x68),
  )
  return [new Uint8Array(64), leaf, CONTROL_BLOCK]
}
