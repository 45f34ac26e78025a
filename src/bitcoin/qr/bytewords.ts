import { QrCodeError } from './qr-error.ts'

/** First and last letters of the 256 words of BCR-2020-012, in the order of the bytes that they stand for. */
const PAIRS =
  'aeadaoaxaaahamatayasbkbdbnbtbabsbebybgbwbbbzcmchcscfcycwcecackct' +
  'cxclcpcndkdadsdidedtdrdndwdpdmdldyeheyeoeeecenemetesftfrfnfsfmfh' +
  'fzfpfwfxfyfefgflfdgagegrgsgtglgwgdgygmgughgohfhghdhkhthphhhlhyhe' +
  'hnhsidiaieihiyioisinimjejzjnjtjljojsjpjkjykpkoktkskkknkgkekikblb' +
  'lalylflslrlplnltloldlelulklgmnmymhmemomumwmdmtmsmknlnyndnsntnnne' +
  'nboyoeotoxonolospdptpkpypspmplpepfpaprqdqzrerprlrorhrdrkrfryrnrs' +
  'rtsesasrssskswstspsosgsbsfsntotktitttdtetytltbtstptatnuyuoutueur' +
  'vtvyvovlvevwvavdvswlwdwmwpwewywswtwnwzwfwkykynylyaytzszoztzczezm'

const CHECKSUM_LENGTH = 4

/** Bytes by pair: 26 times the first letter and the second one, from `a` on; -1 where no word has them. */
const BYTES = new Int16Array(26 * 26).fill(-1)
for (let byte = 0; byte < 256; byte++) BYTES[pairAt(PAIRS, 2 * byte)] = byte

/** Bytes and their CRC-32 in the minimal style of BCR-2020-012: two small letters a byte. */
export function encodeBytewords(bytes: Uint8Array): string {
  let letters = ''
  for (const byte of bytes) letters += PAIRS.slice(2 * byte, 2 * byte + 2)
  const checksum = crc32(bytes)
  for (let shift = 24; shift >= 0; shift -= 8) {
    const byte = (checksum >>> shift) & 0xff
    letters += PAIRS.slice(2 * byte, 2 * byte + 2)
  }
  return letters
}

/** Bytes of small letters in the minimal style; throws {@link QrCodeError} where a letter or the checksum is wrong. */
export function decodeBytewords(letters: string): Uint8Array {
  const length = letters.length / 2 - CHECKSUM_LENGTH
  if (!Number.isInteger(length) || length < 1)
    throw new QrCodeError('damaged', `expected pairs of letters, found ${letters.length} letters`)
  const bytes = new Uint8Array(length)
  let checksum = 0
  for (let i = 0; i < length + CHECKSUM_LENGTH; i++) {
    const byte = BYTES[pairAt(letters, 2 * i)] ?? -1
    if (byte < 0) throw new QrCodeError('damaged', `letters ${2 * i} and ${2 * i + 1} are no word`)
    if (i < length) bytes[i] = byte
    else checksum = (checksum << 8) | byte
  }
  if (checksum >>> 0 !== crc32(bytes))
    throw new QrCodeError('damaged', 'the checksum of a part is not that of its bytes')
  return bytes
}

/** CRC-32 of ISO 3309, which BCR-2020-012 and BCR-2024-001 use; below 2^32. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  return crc
})

function pairAt(letters: string, at: number): number {
  const [first, last] = [letters.charCodeAt(at) - 0x61, letters.charCodeAt(at + 1) - 0x61]
  return first >= 0 && first < 26 && last >= 0 && last < 26 ? 26 * first + last : -1
}
