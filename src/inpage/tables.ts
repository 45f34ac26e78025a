import { SATS_CONNECT_NETWORKS } from '../provider/sats-connect-names.ts'
import { setPrototypeOf } from './primordials.ts'

export type Table<Value> = { [key: PropertyKey]: Value }

/**
 * The value itself. What a page adds to a prototype does not show up in it any more, nor catch what is assigned: an object is a
 * table then, and an array a list that can be added to.
 */
export function withoutPrototype<Value extends object>(value: Value): Value {
  return setPrototypeOf(value, null)
}

export const NETWORK_NAMES: Table<string> = withoutPrototype(SATS_CONNECT_NETWORKS)
