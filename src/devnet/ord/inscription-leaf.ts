import { concatBytes } from '../../bitcoin/bytes.ts'
import { encodePushes } from '../../bitcoin/script.ts'
import { TAGS } from '../../ordinals/inscriptions/envelope.ts'
import { buildEnvelope, type EnvelopeContent } from '../../ordinals/inscriptions/envelope-script.ts'
import { LEAF_KEY } from '../admin/leaf-output.ts'

/** How an envelope is written wrongly: each is one of ord's curses, `not-first` being a matter of the transaction. */
export const FLAWS = [
  'pushnum',
  'stutter',
  'duplicate',
  'incomplete',
  'even-field',
  'not-first',
] as const
export type EnvelopeFlaw = (typeof FLAWS)[number]

export interface EnvelopePlan {
  content: EnvelopeContent
  flaw: EnvelopeFlaw | null
}

const OP_IF = 0x63
const OP_ENDIF = 0x68
const OP_CHECKSIG = 0xac
const OP_1 = 0x51
/** `OP_FALSE OP_IF "ord"`. */
const HEAD_SIZE = 6
/** Even, and without a meaning to ord. */
const UNKNOWN_EVEN_TAG = 22

/** A leaf with these envelopes behind a signature check by devnet's key. */
export function buildLeaf(envelopes: readonly EnvelopePlan[]): Uint8Array {
  return concatBytes(
    encodePushes([LEAF_KEY]),
    Uint8Array.of(OP_CHECKSIG),
    ...envelopes.map(buildFlawed),
  )
}

/** A leaf that names a rune, for its etching. */
export function buildCommitment(commitment: Uint8Array): Uint8Array {
  return concatBytes(
    encodePushes([LEAF_KEY]),
    Uint8Array.of(OP_CHECKSIG, 0, OP_IF),
    encodePushes([commitment]),
    Uint8Array.of(OP_ENDIF),
  )
}

function buildFlawed({ content, flaw }: EnvelopePlan): Uint8Array {
  const { body, ...withoutBody } = content
  const envelope = buildEnvelope(flaw === 'incomplete' ? withoutBody : content)
  const head = envelope.subarray(0, HEAD_SIZE)
  const rest = envelope.subarray(HEAD_SIZE)
  switch (flaw) {
    case 'pushnum':
      if (content.contentType === undefined) throw new RangeError('pushnum: needs a contentType')
      return concatBytes(head, Uint8Array.of(OP_1), rest.subarray(2))
    case 'stutter':
      return concatBytes(Uint8Array.of(0, OP_IF), envelope, Uint8Array.of(OP_ENDIF))
    case 'duplicate':
      return concatBytes(head, field(TAGS.metaprotocol, 'a'), field(TAGS.metaprotocol, 'b'), rest)
    case 'incomplete':
      // A tag without a value can only stand where no body follows.
      return concatBytes(
        envelope.subarray(0, -1),
        encodePushes([Uint8Array.of(TAGS.metaprotocol)]),
        Uint8Array.of(OP_ENDIF),
      )
    case 'even-field':
      return concatBytes(head, field(UNKNOWN_EVEN_TAG, 'x'), rest)
    case 'not-first':
    case null:
      return envelope
  }
}

function field(tag: number, value: string): Uint8Array {
  return encodePushes([Uint8Array.of(tag), new TextEncoder().encode(value)])
}
