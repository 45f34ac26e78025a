import type { AddressType } from '../../bitcoin/address.ts'
import type { Place } from '../../bitcoin/derivation.ts'
import { isNetwork, type Network } from '../../bitcoin/network.ts'
import { invalidParams } from '../../provider/errors.ts'
import { isAddressType, isPlace } from '../keys/vault-secret.ts'

const MIN_PASSWORD_LENGTH = 8

/** Parameters of our own pages, which are only said to have their types; each throws -32602. Secrets are not quoted. */

export function checkText(field: string, value: unknown): string {
  if (typeof value !== 'string') throw invalidParams(field, typeof value, 'a text')
  return value
}

export function checkNewPassword(field: string, value: unknown): string {
  if (typeof value !== 'string' || value.length < MIN_PASSWORD_LENGTH)
    throw invalidParams(field, null, `at least ${MIN_PASSWORD_LENGTH} characters`)
  return value
}

export function checkNetwork(value: unknown): Network {
  if (!isNetwork(value)) throw invalidParams('network', value, 'a network')
  return value
}

export function checkAddressType(value: unknown): AddressType {
  if (!isAddressType(value)) throw invalidParams('addressType', value, 'a type of address')
  return value
}

/** A place of the phrase, without anything else. */
export function checkPlace(value: unknown): Place {
  if (!isPlace(value)) throw invalidParams('place', value, 'address type, line and index')
  const { addressType, line, index } = value
  return { addressType, line, index }
}
