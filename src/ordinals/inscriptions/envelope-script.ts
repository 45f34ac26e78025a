import { concatBytes, toUtf8 } from '../../bitcoin/bytes.ts'
import { encodePushes } from '../../bitcoin/script.ts'
import { encodeInscriptionId, type InscriptionId } from '../inscription-id.ts'
import { OP_ENDIF, OP_FALSE, OP_IF, PROTOCOL, TAGS } from './envelope.ts'

/** What to inscribe; an absent body is not the same as an empty one. */
export type EnvelopeContent = {
  contentType?: string
  contentEncoding?: string
  metaprotocol?: string
  parents?: readonly InscriptionId[]
  delegate?: InscriptionId
  /** Which sat of the reveal's outputs to inscribe, counted from the first. */
  pointer?: bigint
  /** CBOR. */
  metadata?: Uint8Array
  /** The commitment to the name of the rune that the same transaction etches. */
  rune?: Uint8Array
  body?: Uint8Array
}

const OP_CHECKSIG = 0xac
const X_ONLY_KEY_SIZE = 32
/** Consensus: a longer push fails the script even in a branch that is never run. */
const MAX_PUSH = 520
const MAX_POINTER = 2n ** 64n - 1n

/**
 * An envelope that ord reads without a flaw: tags and one-byte chunks are pushes of data, never number opcodes, which would curse the inscription.
 * Throws a RangeError for a field that does not fit one push, except metadata and body, which are split.
 */
export function buildEnvelope(content: EnvelopeContent): Uint8Array {
  const { contentType, contentEncoding, metaprotocol, parents, delegate, pointer } = content
  const pushes = [
    PROTOCOL,
    ...field(TAGS.contentType, contentType, toUtf8),
    ...field(TAGS.contentEncoding, contentEncoding, toUtf8),
    ...field(TAGS.metaprotocol, metaprotocol, toUtf8),
    ...(parents ?? []).flatMap(parent => field(TAGS.parent, parent, encodeInscriptionId)),
    ...field(TAGS.delegate, delegate, encodeInscriptionId),
    ...field(TAGS.pointer, pointer, encodePointer),
    ...chunksOf(content.metadata).flatMap(chunk => [Uint8Array.of(TAGS.metadata), chunk]),
    ...field(TAGS.rune, content.rune, bytes => bytes),
    ...(content.body ? [new Uint8Array(), ...chunksOf(content.body)] : []),
  ]
  return concatBytes(Uint8Array.of(OP_FALSE, OP_IF), encodePushes(pushes), Uint8Array.of(OP_ENDIF))
}

/** The leaf to commit to: spendable with a signature by this key, with the envelopes behind it. Throws a RangeError for a key that is not x-only. */
export function buildInscriptionLeaf(
  xOnlyKey: Uint8Array,
  envelopes: readonly EnvelopeContent[],
): Uint8Array {
  return buildLeaf(xOnlyKey, envelopes.map(buildEnvelope))
}

/** The leaf of an etching without an inscription: the commitment to the rune's name is a push that is never run. Throws like {@link buildInscriptionLeaf}. */
export function buildCommitmentLeaf(xOnlyKey: Uint8Array, commitment: Uint8Array): Uint8Array {
  const push = encodePushes([commitment])
  return buildLeaf(xOnlyKey, [Uint8Array.of(OP_FALSE, OP_IF), push, Uint8Array.of(OP_ENDIF)])
}

function buildLeaf(xOnlyKey: Uint8Array, unrun: readonly Uint8Array[]): Uint8Array {
  if (xOnlyKey.length !== X_ONLY_KEY_SIZE)
    throw new RangeError(`inscription leaf: a key of ${xOnlyKey.length} bytes`)
  return concatBytes(encodePushes([xOnlyKey]), Uint8Array.of(OP_CHECKSIG), ...unrun)
}

function field<T>(
  tag: number,
  value: T | undefined,
  encode: (value: T) => Uint8Array,
): Uint8Array[] {
  if (value === undefined) return []
  const bytes = encode(value)
  if (bytes.length > MAX_PUSH)
    throw new RangeError(`envelope: ${bytes.length} bytes for tag ${tag}, at most ${MAX_PUSH}`)
  return [Uint8Array.of(tag), bytes]
}

/** Little-endian without trailing zeros, but for zero itself: an empty push could be mistaken for the tag of the body. */
function encodePointer(pointer: bigint): Uint8Array {
  if (pointer < 0n || pointer > MAX_POINTER)
    throw new RangeError(`envelope: pointer ${pointer} is not of 64 bits`)
  const bytes = [Number(pointer & 0xffn)]
  for (let rest = pointer >> 8n; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn))
  return Uint8Array.from(bytes)
}

function chunksOf(bytes: Uint8Array = new Uint8Array()): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / MAX_PUSH) }, (_, i) =>
    bytes.subarray(i * MAX_PUSH, (i + 1) * MAX_PUSH),
  )
}
