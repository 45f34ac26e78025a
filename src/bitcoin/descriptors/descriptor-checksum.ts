/** A text that is no output descriptor that is understood here. */
export class InvalidDescriptorError extends Error {
  override name = 'InvalidDescriptorError'
  /**
   * `private`: a private key is in it. `checksum`: the text is not what it was. `key`: a key that is none. `unsupported`: a
   * descriptor of another kind. `syntax`: anything else.
   */
  readonly problem: 'private' | 'checksum' | 'key' | 'unsupported' | 'syntax'
  /** Of the character where it goes wrong, counted from 0. */
  readonly position: number
  constructor(
    problem: InvalidDescriptorError['problem'],
    position: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`descriptor at character ${position + 1}: ${message}`, options)
    this.problem = problem
    this.position = position
  }
}

/** Letters of the longest descriptor: 999 keys with their origins. */
export const MAX_DESCRIPTOR_LENGTH = 200_000

/** BIP-380's character set in its order, which the checksum counts by. */
const CHARACTERS =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ '
const CHECKSUM_CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const CHECKSUM_LENGTH = 8

/** BIP-380's generator, each of 40 bits as its upper and its lower 20. */
const GENERATOR = [
  [0xf5dee, 0x51989],
  [0xa9fdc, 0xa3312],
  [0x1bab1, 0x0e32d],
  [0x3706b, 0x1677a],
  [0x644d6, 0x26ffd],
] as const

/** The 8 letters of BIP-380 for a descriptor without them. Throws {@link InvalidDescriptorError} for a letter that none may have. */
export function computeDescriptorChecksum(descriptor: string): string {
  let upper = 0
  let lower = 1
  const add = (symbol: number) => {
    const top = upper >> 15
    upper = ((upper & 0x7fff) << 5) | (lower >> 15)
    lower = ((lower & 0x7fff) << 5) ^ symbol
    for (const [i, [high, low]] of GENERATOR.entries()) {
      if (((top >> i) & 1) === 0) continue
      upper ^= high
      lower ^= low
    }
  }
  let groups = 0
  for (let at = 0; at < descriptor.length; at++) {
    const value = CHARACTERS.indexOf(descriptor[at] ?? '')
    if (value === -1)
      throw new InvalidDescriptorError('syntax', at, 'a character that no descriptor has')
    add(value & 31)
    groups = groups * 3 + (value >> 5)
    if (at % 3 !== 2) continue
    add(groups)
    groups = 0
  }
  if (descriptor.length % 3 !== 0) add(groups)
  for (let i = 0; i < CHECKSUM_LENGTH; i++) add(0)
  lower ^= 1
  const symbols = [15, 10, 5, 0].map(shift => (upper >> shift) & 31)
  symbols.push(...[15, 10, 5, 0].map(shift => (lower >> shift) & 31))
  return symbols.map(symbol => CHECKSUM_CHARACTERS[symbol]).join('')
}

/** A descriptor without its checksum, which is verified when it is there. Throws {@link InvalidDescriptorError}. */
export function stripDescriptorChecksum(text: string): string {
  if (text.length > MAX_DESCRIPTOR_LENGTH)
    throw new InvalidDescriptorError(
      'syntax',
      MAX_DESCRIPTOR_LENGTH,
      `expected at most ${MAX_DESCRIPTOR_LENGTH} characters, found ${text.length}`,
    )
  const cut = text.indexOf('#')
  const descriptor = cut === -1 ? text : text.slice(0, cut)
  const expected = computeDescriptorChecksum(descriptor)
  if (cut === -1) return descriptor
  const found = text.length - cut - 1
  if (found !== CHECKSUM_LENGTH)
    throw new InvalidDescriptorError(
      'checksum',
      cut,
      `expected a checksum of ${CHECKSUM_LENGTH} characters, found ${found}`,
    )
  if (text.slice(cut + 1) !== expected)
    throw new InvalidDescriptorError('checksum', cut, 'the checksum is not that of this descriptor')
  return descriptor
}
