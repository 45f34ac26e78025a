import type { Hex } from '../codec/hex.ts'

/** Something of the remote chain that is not known here yet. */
export type Missing =
  | { readonly kind: 'account'; readonly address: Hex }
  /** `slot` has 32 bytes. */
  | { readonly kind: 'slot'; readonly address: Hex; readonly slot: Hex }
  | { readonly kind: 'blockHash'; readonly number: bigint }

/**
 * Thrown by a read of state that is to be fetched first: reads do not wait. Whoever runs what reads fetches it, and runs it again.
 */
export class MissingStateError extends Error {
  override readonly name = 'MissingStateError'
  readonly missing: Missing

  constructor(missing: Missing) {
    super(`not fetched yet: ${nameMissing(missing)}`)
    this.missing = missing
  }
}

/** Equal for equal ones. */
export function nameMissing(missing: Missing): string {
  switch (missing.kind) {
    case 'account':
      return `account ${missing.address}`
    case 'slot':
      return `slot ${missing.slot} of ${missing.address}`
    case 'blockHash':
      return `hash of block ${missing.number}`
  }
}
