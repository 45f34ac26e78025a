import { equalBytes, joinBytes, toHex } from '../../bitcoin/bytes.ts'
import { isPush, parsePush, parseScript, type ScriptOperation } from '../../bitcoin/script.ts'

/** Field values as they are in the script; `null` where a field is absent. A field in several pushes is joined where ord joins it. */
export type EnvelopeFields = {
  body: Uint8Array | null
  contentType: Uint8Array | null
  contentEncoding: Uint8Array | null
  metaprotocol: Uint8Array | null
  pointer: Uint8Array | null
  parents: readonly Uint8Array[]
  delegate: Uint8Array | null
  metadata: Uint8Array | null
  rune: Uint8Array | null
  properties: Uint8Array | null
  propertyEncoding: Uint8Array | null
}

/** An inscription in an input's witness, with every flaw that ord curses or unbinds for. */
export type Envelope = {
  input: number
  /** Which envelope of the input, from 0. */
  offset: number
  fields: EnvelopeFields
  /** A number opcode stands where a push of data belongs. */
  pushnum: boolean
  /** The envelope's opening was started and dropped right before it. */
  stutter: boolean
  duplicateField: boolean
  incompleteField: boolean
  unrecognizedEvenField: boolean
}

export const OP_FALSE = 0x00
export const OP_IF = 0x63
export const OP_ENDIF = 0x68
export const PROTOCOL = Uint8Array.of(0x6f, 0x72, 0x64)

/** One-byte tags of fields. Odd ones may be ignored by who does not know them, even ones may not. */
export const TAGS = {
  contentType: 1,
  pointer: 2,
  parent: 3,
  metadata: 5,
  metaprotocol: 7,
  contentEncoding: 9,
  delegate: 11,
  rune: 13,
  properties: 17,
  propertyEncoding: 19,
} as const

const ANNEX_PREFIX = 0x50

/** The inscriptions of a transaction by its inputs' witnesses, in ord's order. The fields are views of the witnesses where nothing had to be joined. */
export function parseEnvelopes(witnesses: readonly (readonly Uint8Array[])[]): Envelope[] {
  return witnesses.flatMap((witness, input) => {
    const operations = parseScript(splitScriptPath(witness).script) ?? []
    return findEnvelopes(operations).map((found, offset) => ({ input, offset, ...found }))
  })
}

/**
 * The script of a script-path spend (BIP-341) and the control block behind it, as far as there are any. ord asks neither
 * for the output's type nor for the leaf version.
 */
export function splitScriptPath(witness: readonly Uint8Array[]): {
  script: Uint8Array
  controlBlock: Uint8Array
} {
  const hasAnnex = witness.at(-1)?.[0] === ANNEX_PREFIX
  const last = hasAnnex ? -2 : -1
  return {
    script: witness.at(last - 1) ?? new Uint8Array(),
    controlBlock: witness.at(last) ?? new Uint8Array(),
  }
}

function findEnvelopes(operations: readonly ScriptOperation[]) {
  const isEmptyPush = (i: number) => operations[i]?.data?.length === 0
  const found: Omit<Envelope, 'input' | 'offset'>[] = []
  let stutter = false
  let at = 0
  while (at < operations.length) {
    if (!isEmptyPush(at++)) continue
    if (operations[at]?.opcode !== OP_IF || !isProtocol(operations[++at])) {
      stutter = isEmptyPush(at)
      continue
    }
    const start = ++at
    for (let next = operations[at]; next && isPush(next); next = operations[at]) at++
    // A broken envelope is consumed with the operation that broke it; a whole one leaves the mark of a stutter standing.
    if (operations[at++]?.opcode !== OP_ENDIF) stutter = false
    else found.push({ stutter, ...readPayload(operations.slice(start, at - 1)) })
  }
  return found
}

function isProtocol(operation: ScriptOperation | undefined): boolean {
  return !!operation?.data && equalBytes(operation.data, PROTOCOL)
}

function readPayload(operations: readonly ScriptOperation[]) {
  const pushes = operations.map(parsePush)
  const bodyTag = pushes.findIndex((push, i) => i % 2 === 0 && push.length === 0)
  const hasBody = bodyTag !== -1
  const headers = hasBody ? pushes.slice(0, bodyTag) : pushes
  const values = groupByTag(headers)
  const all = (tag: number) => values.get(keyOf(tag)) ?? []
  const first = (tag: number) => all(tag)[0] ?? null
  const joined = (tag: number) => (all(tag).length === 0 ? null : joinBytes(all(tag)))
  return {
    fields: {
      body: hasBody ? joinBytes(pushes.slice(bodyTag + 1)) : null,
      contentType: first(TAGS.contentType),
      contentEncoding: first(TAGS.contentEncoding),
      metaprotocol: first(TAGS.metaprotocol),
      pointer: first(TAGS.pointer),
      parents: all(TAGS.parent),
      delegate: first(TAGS.delegate),
      metadata: joined(TAGS.metadata),
      rune: first(TAGS.rune),
      properties: joined(TAGS.properties),
      propertyEncoding: first(TAGS.propertyEncoding),
    },
    pushnum: operations.some(({ data }) => data === null),
    duplicateField: [...values.values()].some(({ length }) => length > 1),
    incompleteField: headers.length % 2 === 1,
    unrecognizedEvenField: [...values].some(([tag, { length }]) => isUnrecognizedEven(tag, length)),
  }
}

/** By the lowest bit of a tag's first byte. The pointer is the one even field that is known, and only its first value is used up. */
function isUnrecognizedEven(tag: string, values: number): boolean {
  return /^.[02468ace]/.test(tag) && (tag !== keyOf(TAGS.pointer) || values > 1)
}

function keyOf(tag: number): string {
  return tag.toString(16).padStart(2, '0')
}

/** The values of each tag, by its hex; a tag without a value is left out. */
function groupByTag(pushes: readonly Uint8Array[]): Map<string, Uint8Array[]> {
  const values = new Map<string, Uint8Array[]>()
  let tag: string | null = null
  for (const push of pushes) {
    if (tag === null) tag = toHex(push)
    else {
      const earlier = values.get(tag)
      if (earlier) earlier.push(push)
      else values.set(tag, [push])
      tag = null
    }
  }
  return values
}
