import { bech32 } from '@scure/base'
import { looksLike } from '../../../bitcoin/address-likeness.ts'

/** A SegWit version 0 address with a valid checksum that begins and ends like another one, as those who poison histories make them. */
export function forgeAddress(address: string): string {
  const { prefix, words } = bech32.decode(address as `${string}1${string}`)
  const program = bech32.fromWords(words.slice(1))
  for (let tries = 0; ; tries++) {
    const other = program.slice()
    new DataView(other.buffer).setUint32(8, tries)
    const text = bech32.encode(prefix, [0, ...bech32.toWords(other)])
    if (looksLike(text, address)) return text
  }
}
