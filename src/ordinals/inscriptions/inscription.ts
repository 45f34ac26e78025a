import { decodeInscriptionId, type InscriptionId } from '../inscription-id.ts'
import type { EnvelopeFields } from './envelope.ts'

/** What the fields of an envelope mean; null (or, of parents, left out) where a field is absent or says nothing that ord would take. */
export type Inscription = {
  contentType: string | null
  /** Bytes of the body. */
  contentLength: number | null
  contentEncoding: string | null
  metaprotocol: string | null
  /** Which sat of the transaction's outputs is asked for, counted from the first. */
  pointer: bigint | null
  parents: InscriptionId[]
  delegate: InscriptionId | null
  /** CBOR, as it was written. */
  metadata: Uint8Array | null
}

const POINTER_SIZE = 8

export function parseInscription(fields: EnvelopeFields): Inscription {
  return {
    contentType: readText(fields.contentType),
    contentLength: fields.body?.length ?? null,
    contentEncoding: readHeader(fields.contentEncoding),
    metaprotocol: readText(fields.metaprotocol),
    pointer: readPointer(fields.pointer),
    parents: fields.parents.map(decodeInscriptionId).filter(id => id !== null),
    delegate: fields.delegate && decodeInscriptionId(fields.delegate),
    metadata: fields.metadata,
  }
}

/** Little-endian of any length, as long as the number fits 64 bits. */
function readPointer(value: Uint8Array | null): bigint | null {
  if (!value || value.subarray(POINTER_SIZE).some(byte => byte !== 0)) return null
  return value.subarray(0, POINTER_SIZE).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

/** Strict UTF-8, a byte order mark included. */
function readText(value: Uint8Array | null): string | null {
  if (!value) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value)
  } catch {
    return null
  }
}

/** A text that can stand in an HTTP header; ord takes what is not UTF-8 for an empty one. */
function readHeader(value: Uint8Array | null): string | null {
  const text = value && (readText(value) ?? '')
  return text !== null && /^[\t\x20-\x7e]*$/.test(text) ? text : null
}
