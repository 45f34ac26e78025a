import type { Hex } from '../codec/hex.ts'
import { RemoteError } from './remote.ts'

/** An object that a remote node answered, whose fields are read one by one; the error names the method and the field. */
export interface AnswerFields {
  has(name: string): boolean
  /** QUANTITY of at most 256 bits; leading zeros are passed over, as some nodes write them. */
  quantity(name: string): bigint
  /** DATA in lower case. @param size - bytes; null for any number */
  data(name: string, size: number | null): Hex
  list(name: string): readonly unknown[]
}

export function readFieldsOf(method: string, answer: unknown): AnswerFields {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw refuseAnswer(method, 'is not an object')
  }
  const fields = answer as { readonly [name: string]: unknown }
  return {
    has: name => fields[name] !== undefined && fields[name] !== null,
    quantity: name => readQuantityOf(`${method}.${name}`, fields[name]),
    data: (name, size) => readDataOf(`${method}.${name}`, fields[name], size),
    list(name) {
      const value = fields[name]
      if (!Array.isArray(value)) throw refuseAnswer(`${method}.${name}`, 'is not an array')
      return value
    },
  }
}

/** @param place - the method, and the field in it */
export function readQuantityOf(place: string, value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) {
    throw refuseAnswer(place, 'is not a quantity')
  }
  return BigInt(value)
}

/** @param size - bytes; null for any number */
export function readDataOf(place: string, value: unknown, size: number | null): Hex {
  if (typeof value !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(value)) {
    throw refuseAnswer(place, 'is not data')
  }
  if (size !== null && value.length !== 2 + 2 * size) {
    throw refuseAnswer(place, `has ${value.length / 2 - 1} bytes, not ${size}`)
  }
  return value.toLowerCase() as Hex
}

export function refuseAnswer(place: string, fault: string): RemoteError {
  return new RemoteError(`the remote node's answer cannot be taken: ${place} ${fault}`)
}
