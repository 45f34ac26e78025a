import { toUtf8 } from '../../bitcoin/bytes.ts'
import type { Argon2Cost } from './argon2/argon2id.ts'

/** Derives the 32-byte key of a password. */
export type DeriveKey = (
  password: string,
  salt: Uint8Array,
  cost: Argon2Cost,
) => Promise<Uint8Array>

/** What new vaults use: about 0.9 s in JavaScript on two cores of 2024, and RFC 9106's memory for its second choice. */
export const STANDARD_COST: Argon2Cost = { memoryKib: 64 * 1024, passes: 3, lanes: 1 }

/** Below this a record is refused whatever else is right with it. */
export const COST_FLOOR: Argon2Cost = { memoryKib: 32 * 1024, passes: 3, lanes: 1 }

/** Above this a forged header could exhaust memory or keep the worker busy for minutes. */
const MAX_MEMORY_KIB = 256 * 1024
const MAX_WORK_KIB = 1024 * 1024

/** Slices of work between which the background answers others, in milliseconds. */
const SLICE_MS = 20

/** Whether a cost is one that this wallet would ever have chosen. */
export function isAllowedCost({ memoryKib, passes, lanes }: Argon2Cost): boolean {
  return (
    Number.isSafeInteger(memoryKib) &&
    Number.isSafeInteger(passes) &&
    memoryKib >= COST_FLOOR.memoryKib &&
    passes >= COST_FLOOR.passes &&
    memoryKib <= MAX_MEMORY_KIB &&
    memoryKib * passes <= MAX_WORK_KIB &&
    lanes === 1
  )
}

/** Whether a vault of this cost should be sealed anew under `target`. */
export function isWeakerCost(cost: Argon2Cost, target: Argon2Cost): boolean {
  return cost.memoryKib < target.memoryKib || cost.passes < target.passes
}

/** The 32-byte key of a password; Unicode spellings of one text are one password (NFC, RFC 8265). */
export async function derivePasswordKey(
  password: string,
  salt: Uint8Array,
  cost: Argon2Cost,
): Promise<Uint8Array> {
  if (!isAllowedCost(cost)) throw new RangeError('kdf: cost out of bounds')
  const { hashArgon2id } = await import('./argon2/argon2id.ts')
  const bytes = toUtf8(password.normalize('NFC'))
  try {
    return await hashArgon2id({ ...cost, password: bytes, salt }, SLICE_MS)
  } finally {
    bytes.fill(0)
  }
}
