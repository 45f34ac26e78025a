import type { Upgradable } from '../interpreter/evaluate-script.ts'
import type { ScriptErrorCode } from '../interpreter/script-error.ts'
import type { Outpoint } from '../outpoint.ts'

/** Legacy is "Bitcoin Signed Message", the others are BIP-322's. */
export type MessageFormat = 'legacy' | 'simple' | 'full' | 'proof-of-funds'

/** A coin that a proof of funds names: what it says of it, which only the chain can confirm. `sequence` locks it where it is not 0. */
export type ProvenCoin = Outpoint & { amount: bigint; scriptPubKey: Uint8Array; sequence: number }

/** BIP-322's three answers; `format` is null where it could not be told. */
export type MessageVerdict =
  | {
      state: 'valid'
      format: MessageFormat
      lock: MessageLock
      coins: readonly ProvenCoin[]
    }
  | { state: 'invalid'; format: MessageFormat | null; reason: InvalidReason }
  | { state: 'inconclusive'; format: MessageFormat | null; reason: InconclusiveReason }

/** "Valid at time T and age S": nLockTime and the first input's nSequence, and how the chain reads them; both 0 where nothing is locked. */
export type MessageLock = {
  time: number
  age: number
  version: number
}

export type InvalidReason =
  /** It is no address, or one of another network. */
  | { kind: 'address' }
  /** The signature cannot be read, or the text has no UTF-8. */
  | { kind: 'encoding' }
  /** It has no such form for this kind of address. */
  | { kind: 'form' }
  /** It signs another text, or for another address, or is not built as BIP-322 says. */
  | { kind: 'transaction' }
  /** A proof of funds does not say, or not consistently, what a coin is. */
  | { kind: 'coins' }
  /** The text was not signed by the key of this address. */
  | { kind: 'signature' }
  /** The script of the address, or of a coin by its index, is not satisfied. */
  | { kind: 'script'; error: ScriptErrorCode; input: number }

export type InconclusiveReason =
  | { kind: 'address-version' }
  | { kind: 'transaction-version'; version: number }
  | { kind: 'upgradable'; what: Upgradable; input: number }
  | { kind: 'work' }

const LOCKTIME_THRESHOLD = 500_000_000
const SEQUENCE_DISABLED = 2 ** 31
const SEQUENCE_TYPE = 2 ** 22
const SEQUENCE_MASK = 0xffff
/** BIP-68: times are in units of 512 seconds. */
const SEQUENCE_SECONDS = 512

/** From when on a coin could be spent so: a height or a Unix time; null where at once. */
export function readLockTime({ time }: MessageLock): { height: number } | { unix: number } | null {
  if (time === 0) return null
  return time < LOCKTIME_THRESHOLD ? { height: time } : { unix: time }
}

/** How long a coin must be confirmed before, in blocks or seconds (BIP-68); null where not at all. */
export function readLockAge({
  age,
  version,
}: MessageLock): { blocks: number } | { seconds: number } | null {
  const value = age & SEQUENCE_MASK
  if (version < 2 || age >= SEQUENCE_DISABLED || value === 0) return null
  const isTime = Math.floor(age / SEQUENCE_TYPE) % 2 === 1
  return isTime ? { seconds: value * SEQUENCE_SECONDS } : { blocks: value }
}
