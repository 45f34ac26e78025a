import type { Hex } from '../codec/hex.ts'

/** Accounts for which the node sends without a signature. It is forgotten when the node ends. */
export interface Impersonation {
  add(address: Hex): void
  /** Whether it was one. */
  remove(address: Hex): boolean
  /** Every account is one from now on, or only those that were added. */
  setAll(isOn: boolean): void
  has(address: Hex): boolean
  clear(): void
}

export function createImpersonation(): Impersonation {
  const addresses = new Set<Hex>()
  let all = false
  return {
    add: address => void addresses.add(address),
    remove: address => addresses.delete(address),
    setAll(isOn) {
      all = isOn
    },
    has: address => all || addresses.has(address),
    clear() {
      addresses.clear()
      all = false
    },
  }
}
