import fc from 'fast-check'

/** Opcodes with as many items as they take from the stack; random programs push what they take, or nearly so. */
const OPCODES: readonly (readonly [number, number])[] = [
  [0x01, 2], [0x02, 2], [0x03, 2], [0x04, 2], [0x05, 2], [0x06, 2], [0x07, 2], [0x08, 3], [0x09, 3],
  [0x0a, 2], [0x0b, 2], [0x10, 2], [0x11, 2], [0x12, 2], [0x13, 2], [0x14, 2], [0x15, 1], [0x16, 2],
  [0x17, 2], [0x18, 2], [0x19, 1], [0x1a, 2], [0x1b, 2], [0x1c, 2], [0x1d, 2], [0x1e, 1], [0x20, 2],
  [0x30, 0], [0x31, 1], [0x32, 0], [0x33, 0], [0x34, 0], [0x35, 1], [0x36, 0], [0x37, 3], [0x38, 0],
  [0x39, 3], [0x3a, 0], [0x3b, 1], [0x3c, 4], [0x3d, 0], [0x3e, 3], [0x3f, 1], [0x40, 1], [0x41, 0],
  [0x42, 0], [0x43, 0], [0x44, 0], [0x45, 0], [0x46, 0], [0x47, 0], [0x48, 0], [0x49, 1], [0x4a, 0],
  [0x50, 1], [0x51, 1], [0x52, 2], [0x53, 2], [0x54, 1], [0x55, 2], [0x55, 2], [0x54, 1], [0x56, 1],
  [0x57, 2], [0x58, 0], [0x59, 0], [0x5a, 0], [0x5b, 0], [0x5c, 1], [0x5d, 2], [0x5e, 3], [0x5f, 0],
  [0xa0, 2], [0xa1, 3], [0xa2, 4], [0xa4, 6], [0xf0, 3], [0xf1, 7], [0xf1, 7], [0xf2, 7], [0xf3, 2],
  [0xf4, 6], [0xf5, 4], [0xfa, 6], [0xfd, 2], [0xfe, 0], [0xff, 1], [0x0c, 0], [0x21, 1],
] // biome-ignore format: a table

/** Bytecode that mostly runs for a while: each opcode comes with what it takes. `addresses` are last bytes of accounts. */
export function randomProgram(addresses: readonly number[]): fc.Arbitrary<Uint8Array> {
  const small = fc.nat(70).map(value => [0x60, value])
  const account = fc.constantFrom(...addresses).map(byte => [0x60, byte])
  const large = fc
    .uint8Array({ minLength: 1, maxLength: 32 })
    .map(bytes => [0x5f + bytes.length, ...bytes])
  const rest = fc.constantFrom([0x5f], [0x60, 0x01], [0x80], [0x3d], [0x5a], [0x36])
  const item = fc.oneof(
    { weight: 5, arbitrary: small },
    { weight: 2, arbitrary: account },
    { weight: 1, arbitrary: large },
    { weight: 1, arbitrary: rest },
  )
  const step = fc.constantFrom(...OPCODES).chain(([opcode, takes]) =>
    fc
      .tuple(
        fc.array(item, { minLength: takes, maxLength: takes }),
        fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(40) }),
        fc.constantFrom<number | null>(null, null, null, null, null, 0x90, 0x81, 0x91, 0x50),
      )
      .map(([items, destination, shuffle]) => [
        ...(opcode === 0x57 ? [0x60, 0x01] : []),
        ...items.flat(),
        ...(destination !== null && (opcode === 0x56 || opcode === 0x57)
          ? [0x60, destination]
          : []),
        ...(shuffle === null ? [] : [shuffle]),
        // Calls get gas enough to do something.
        ...(opcode >= 0xf1 && opcode !== 0xf3 && opcode !== 0xf5 && opcode <= 0xfa
          ? [0x61, 0x27, 0x10]
          : []),
        opcode,
      ]),
  )
  return fc
    .array(step, { minLength: 1, maxLength: 30 })
    .map(steps => Uint8Array.from([0x5b, ...steps.flat()]))
}
