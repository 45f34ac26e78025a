import { fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { RandomSource } from '../primitives/random-source.ts'
import type { Argon2Cost } from './argon2/argon2id.ts'
import type { KeyHeader } from './vault-record.ts'
import { createKeyHeader } from './vault-seal.ts'

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

/** How long a key that is derived ahead waits for its password to be set. */
const PREPARED_MS = 120_000

/** The key of a password for a fresh salt. Whoever takes it wipes it. */
export type FreshKey = { header: KeyHeader; passwordKey: Uint8Array }

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

type Prepared = {
  password: string
  key: Promise<FreshKey | null>
  timer: ReturnType<typeof setTimeout>
}

/**
 * Keys of passwords, one at a time: two would take twice the memory and end no sooner. One for a new seal may be derived ahead, while
 * its password is typed once more.
 */
export function createPasswordKeys({
  cost,
  random,
  deriveKey,
}: {
  cost: Argon2Cost
  random: RandomSource
  deriveKey: DeriveKey
}) {
  const inTurn = createMutex()
  let prepared: Prepared | null = null

  const derive = (password: string, { kdf }: Pick<KeyHeader, 'kdf'>) =>
    deriveKey(password, fromHex(kdf.salt), kdf)

  async function deriveFresh(password: string): Promise<FreshKey> {
    const header = createKeyHeader(cost, random)
    return { header, passwordKey: await derive(password, header) }
  }

  /** What was prepared is nobody else's from now on. */
  function takePrepared(): Prepared | null {
    const mine = prepared
    clearTimeout(mine?.timer)
    prepared = null
    return mine
  }

  function forget(): void {
    void takePrepared()?.key.then(key => key?.passwordKey.fill(0))
  }

  return {
    /** The key that a password has for a header. The caller wipes it. */
    derive: (password: string, header: Pick<KeyHeader, 'kdf'>): Promise<Uint8Array> =>
      inTurn(() => derive(password, header)),

    /** Begins to derive a key for a new seal, in place of any before; it is kept for two minutes. */
    prepare(password: string): void {
      if (prepared?.password === password) return
      forget()
      const isWanted = (): boolean => prepared === mine
      const mine: Prepared = {
        password,
        // What fails here is tried again by whoever takes it.
        key: inTurn(async () => (isWanted() ? deriveFresh(password) : null)).catch(() => null),
        timer: setTimeout(forget, PREPARED_MS),
      }
      prepared = mine
    },

    /** A key for a new seal: the one that was prepared for this password, else one that is derived now. */
    async take(password: string): Promise<FreshKey> {
      if (prepared?.password !== password) forget()
      const key = await takePrepared()?.key
      return key ?? inTurn(() => deriveFresh(password))
    },

    forget,
  }
}
