import { fromHex } from '../chain/hex.ts'
import { parseAddress } from '../chain/script.ts'
import { type Call, HttpError } from '../server/http.ts'

/** The body of an admin call. */
export type Fields = Record<string, unknown>

export function parseFields({ body }: Call): Fields {
  const text = body.toString('utf8').trim()
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Fields
    }
  } catch {
    // Answered below, like every other body that is not an object.
  }
  throw new HttpError(400, 'the body must be a JSON object')
}

export function parseInteger(
  fields: Fields,
  name: string,
  least: number,
  most: number,
  fallback?: number,
): number {
  const value = fields[name] === undefined ? fallback : fields[name]
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new HttpError(400, `${name}: must be a whole number from ${least} to ${most}`)
  }
  return value
}

export function parseBoolean(fields: Fields, name: string, fallback: boolean): boolean {
  const value = fields[name] === undefined ? fallback : fields[name]
  if (typeof value !== 'boolean') throw new HttpError(400, `${name}: must be true or false`)
  return value
}

export function parseAddressField(fields: Fields, name: string): Uint8Array {
  const value = fields[name]
  const script = typeof value === 'string' ? parseAddress(value) : null
  if (!script) throw new HttpError(400, `${name}: must be a regtest address`)
  return script
}

export function parseText(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  if (value !== undefined && typeof value !== 'string') {
    throw new HttpError(400, `${name}: must be a text`)
  }
  return value
}

export function parseHex(fields: Fields, name: string): Uint8Array | undefined {
  const value = parseText(fields, name)
  const bytes = value === undefined ? undefined : fromHex(value)
  if (bytes === null) throw new HttpError(400, `${name}: must be hex`)
  return bytes
}

/** Throws HttpError for a field that a call does not have, so that a misspelt one is noticed. */
export function refuseOthers(fields: Fields, names: readonly string[]): void {
  for (const name of Object.keys(fields)) {
    if (!names.includes(name)) throw new HttpError(400, `${name}: is not a field of this call`)
  }
}
