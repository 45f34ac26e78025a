import type { Hex } from '../../codec/hex.ts'

/** A genesis file that cannot be followed; the text begins with the field's name. */
export class GenesisError extends Error {
  override readonly name = 'GenesisError'
}

export type Fields = { readonly [name: string]: unknown }

/** Finds a field as Go does, which takes `mixhash` for `mixHash`. */
export function find(fields: Fields, name: string): unknown {
  if (name in fields) return fields[name]
  const other = Object.keys(fields).find(key => key.toLowerCase() === name.toLowerCase())
  return other === undefined ? undefined : fields[other]
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

export function readObject(value: unknown, name: string): Fields {
  if (isAbsent(value)) throw new GenesisError(`${name}: missing`)
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new GenesisError(`${name}: expected an object`)
  }
  return value as Fields
}

/** A number, or a string in decimal or hexadecimal digits. */
export function readQuantity(value: unknown, name: string, bits: number): Hex {
  if (isAbsent(value)) throw new GenesisError(`${name}: missing`)
  const exact = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  const text = typeof value === 'string' && /^(0x[0-9a-f]+|[0-9]+)$/i.test(value)
  if (!exact && !text) {
    throw new GenesisError(
      `${name}: expected an integer, as a number that JSON holds exactly or as text`,
    )
  }
  const quantity = BigInt(value as string | number)
  if (quantity >> BigInt(bits) > 0n) throw new GenesisError(`${name}: is above ${bits} bits`)
  return `0x${quantity.toString(16)}`
}

export function readInteger(value: unknown, name: string): number {
  const integer = Number(readQuantity(value, name, 64))
  if (!Number.isSafeInteger(integer)) throw new GenesisError(`${name}: is too large`)
  return integer
}

export function readBytes(value: unknown, name: string, length: number | null): Hex {
  if (typeof value !== 'string' || !/^(0x)?([0-9a-f]{2})*$/i.test(value)) {
    throw new GenesisError(`${name}: expected bytes in hexadecimal digits`)
  }
  const digits = value.toLowerCase().replace(/^0x/, '')
  if (length !== null && digits.length !== length * 2) {
    throw new GenesisError(`${name}: expected ${length} bytes, not ${digits.length / 2}`)
  }
  return `0x${digits}`
}

/** Up to 32 bytes, which may leave out zeros at the left. */
export function readWord(value: unknown, name: string): Hex {
  if (typeof value !== 'string' || !/^(0x)?[0-9a-f]{0,64}$/i.test(value)) {
    throw new GenesisError(`${name}: expected up to 32 bytes in hexadecimal digits`)
  }
  return `0x${value.toLowerCase().replace(/^0x/, '').padStart(64, '0')}`
}

export function sortKeys<T>(fields: { readonly [key: Hex]: T }): { readonly [key: Hex]: T } {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))
}
