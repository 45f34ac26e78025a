import {
  type ByteCursor,
  MalformedBytesError,
  readByte,
  readBytes,
} from '../bitcoin/byte-cursor.ts'
import { concatBytes } from '../bitcoin/bytes.ts'

/** A domain name (RFC 1035): its labels, the root's none, each a text of one character a byte, in lower case. */
export type DomainName = readonly string[]

const LONGEST_NAME = 255
const LONGEST_LABEL = 63

/** The name that letters, digits, hyphens and underscores make between dots; null for any other text. */
export function parseDomainName(text: string): DomainName | null {
  const labels = text.toLowerCase().split('.')
  const isSound = labels.every(label => /^[a-z0-9_-]{1,63}$/.test(label))
  return isSound && lengthOf(labels) <= LONGEST_NAME ? labels : null
}

/** For messages; a byte that is no printable ASCII is a question mark. */
export function formatDomainName(name: DomainName): string {
  return `${name.join('.').replace(/[^\x21-\x7e]/g, '?')}.`
}

/** Its canonical form (RFC 4034, 6.2): in lower case and not compressed. */
export function encodeDomainName(name: DomainName): Uint8Array {
  const labels = name.map(label =>
    Uint8Array.of(label.length, ...Array.from(label, character => character.charCodeAt(0))),
  )
  return concatBytes(...labels, Uint8Array.of(0))
}

/** As it stands in a message or in a record, and its labels; pointers (RFC 1035, 4.1.4) lead back only. */
export function readDomainName(cursor: ByteCursor): { name: DomainName; asWritten: Uint8Array } {
  const labels: Uint8Array[] = []
  let length = 1
  // After the first pointer the place in the message is known, and the rest is read elsewhere.
  let reader = cursor
  let start = cursor.offset
  for (;;) {
    const size = readByte(reader)
    if (size === 0) break
    if (size >= 0xc0) {
      const target = (size & 0x3f) * 256 + readByte(reader)
      if (target >= start) throw new MalformedBytesError('expected a name that leads back')
      reader = { bytes: cursor.bytes, offset: target }
      start = target
      continue
    }
    if (size > LONGEST_LABEL) throw new MalformedBytesError('expected a label of up to 63 bytes')
    length += size + 1
    if (length > LONGEST_NAME) throw new MalformedBytesError('expected a name of up to 255 bytes')
    labels.push(Uint8Array.of(size, ...readBytes(reader, size)))
  }
  return {
    name: labels.map(label => String.fromCharCode(...label.subarray(1)).replace(/[A-Z]/g, lower)),
    asWritten: concatBytes(...labels, Uint8Array.of(0)),
  }
}

/** Whether a name is another or below it. */
export function isWithin(name: DomainName, ancestor: DomainName): boolean {
  const extra = name.length - ancestor.length
  return extra >= 0 && ancestor.every((label, at) => label === name[at + extra])
}

export function equalNames(a: DomainName, b: DomainName): boolean {
  return a.length === b.length && isWithin(a, b)
}

/** The canonical order of names (RFC 4034, 6.1): by their last labels first, byte by byte. */
export function compareNames(a: DomainName, b: DomainName): number {
  for (let depth = 1; depth <= Math.min(a.length, b.length); depth++) {
    const [left = '', right = ''] = [a.at(-depth), b.at(-depth)]
    if (left !== right) return left < right ? -1 : 1
  }
  return a.length - b.length
}

/** Its last labels. */
export function ancestorOf(name: DomainName, labels: number): DomainName {
  return name.slice(name.length - labels)
}

function lengthOf(name: DomainName): number {
  return name.reduce((sum, label) => sum + label.length + 1, 1)
}

function lower(letter: string): string {
  return letter.toLowerCase()
}
