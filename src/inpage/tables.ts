import { SATS_CONNECT_NETWORKS } from '../provider/sats-connect-names.ts'
import { setPrototypeOf } from './primordials.ts'

/** What a page adds to a prototype neither shows up in it then, nor catches what is written to it. */
export function withoutPrototype<Value extends object>(value: Value): Value {
  return setPrototypeOf(value, null)
}

export function createTable<Value>(entries: { [key: PropertyKey]: Value } = {}): {
  [key: PropertyKey]: Value
} {
  return withoutPrototype(entries)
}

/** A list to which an assignment adds. */
export function createList<Item>(): Item[] {
  return withoutPrototype([])
}

export const NETWORK_NAMES = createTable<string>(SATS_CONNECT_NETWORKS)
