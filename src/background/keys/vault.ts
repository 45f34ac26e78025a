// keys: The only room that sees secrets: the vault seals the phrase and keys under the password, the signer uses
// them. It promises that nothing secret is stored unsealed or kept longer than a signature takes (a password that is
// being set, with its key: two minutes); it never decides what is signed, and reaches no server and no page.

import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import { drawRandom, type RandomSource } from '../primitives/random-source.ts'
import type {
  PasskeyUnlockResult,
  PasskeyView,
  PasswordResult,
  UnlockResult,
} from '../views/account-views.ts'
import type { Argon2Cost } from './argon2/argon2id.ts'
import { createUnlockBackOff } from './unlock-back-off.ts'
import {
  type DeriveKey,
  derivePasswordKey,
  isAllowedCost,
  isWeakerCost,
  STANDARD_COST,
} from './vault-kdf.ts'
import { createVaultPasskey, type NewPasskey } from './vault-passkey.ts'
import { DATA_KEY_BYTES, type VaultRecord } from './vault-record.ts'
import {
  createPasswordKeys,
  type OpenedPayload,
  openDataKey,
  openPayload,
  sealDataKey,
  sealPayload,
} from './vault-seal.ts'
import { isSameSecret, type VaultSecret } from './vault-secret.ts'
import { createVaultSession, VaultLockedError } from './vault-session.ts'
import {
  createVaultSlots,
  type Entries,
  type Located,
  VaultDamagedError,
  VaultExistsError,
  VaultMissingError,
} from './vault-slots.ts'

export type { VaultAccount, VaultSecret } from './vault-secret.ts'

/** The sealed secret. Mutations run one after the other; each leaves the old or the new wallet in storage, never neither. */
export type Vault = {
  /** `damaged` when something is stored of which nothing can be opened, whatever the password. */
  status(): Promise<'none' | 'locked' | 'unlocked' | 'damaged'>
  /**
   * Begins with the slow part of setting a password that is being typed: used once by what sets it within two minutes, and wiped at
   * a lock. Nothing while locked.
   */
  prepareKey(password: string): Promise<void>
  /** Seals the first secret, stored with `alongside`, and unlocks. Throws {@link VaultExistsError} when any of a vault is stored. */
  create(secret: VaultSecret, password: string, alongside?: Entries): Promise<void>
  /** Throws {@link VaultLockedError} where {@link lock} came after it, which counts. */
  unlock(password: string): Promise<UnlockResult>
  /**
   * Unlocks with what the passkey's PRF gives for its salt (hex). No wrong one counts in the back-off: 256 bits cannot be guessed, and
   * a passkey that fails must not keep the password from being tried. A lock that comes after it counts here too.
   */
  unlockWithPasskey(prf: string): Promise<PasskeyUnlockResult>
  lock(): Promise<void>
  /** Milliseconds until another password may be tried. */
  unlockDelayMs(): Promise<number>
  /** Throws {@link VaultLockedError} or {@link VaultDamagedError}. */
  open(): Promise<VaultSecret>
  /** The secret for whoever knows the password, locked or not; a wrong one counts like one at unlock. */
  reveal(password: string): Promise<PasswordResult<{ secret: VaultSecret }>>
  /**
   * Replaces the secret by what `change` makes of it; the password stays. `alongside` is stored with it, all or nothing.
   * Throws {@link VaultLockedError}.
   */
  update(change: (secret: VaultSecret) => VaultSecret, alongside?: Entries): Promise<void>
  /** The passkey that unlocks beside the password; null for none. */
  passkey(): Promise<PasskeyView | null>
  /** The salt for a passkey that is to be made; a wrong password counts like one at unlock. */
  preparePasskey(password: string): Promise<PasswordResult<{ salt: string }>>
  /** See {@link VaultPasskey.add}. Throws {@link VaultLockedError}. */
  addPasskey(passkey: NewPasskey): Promise<void>
  /** A wrong `current` counts like one at unlock. The passkey goes with the key that it wraps, in the same write. */
  changePassword(current: string, next: string): Promise<PasswordResult<object>>
  /** Locks, and empties both storage areas: of the wallet and all that it knew, nothing stays. */
  erase(): Promise<void>
  /** The person is there: auto-lock starts anew. */
  touch(): Promise<void>
  /** When it locks by itself (milliseconds since 1970); null while locked. */
  autoLockAt(): Promise<number | null>
  /** When it was unlocked (milliseconds since 1970); null while locked. */
  unlockedAt(): Promise<number | null>
  /** Runs at each lock, by request or because the deadline was found to have passed; may use the vault. */
  onLock(listener: () => Promise<void>): void
}

export type VaultDeps = {
  local: StorageArea
  session: StorageArea
  now(): number
  random: RandomSource
  /** What new seals cost; {@link STANDARD_COST} unless told. Never below the floor. */
  cost?: Argon2Cost
  deriveKey?: DeriveKey
}

type Opened = { dataKey: Uint8Array } & OpenedPayload
type Tried = Opened | Refusal
type Refusal = Extract<UnlockResult, { unlocked: false }>

/** Throws RangeError when `cost` is out of the bounds that a stored vault may name. */
export function createVault(deps: VaultDeps): Vault {
  const { local, session, now, random, cost = STANDARD_COST, deriveKey = derivePasswordKey } = deps
  if (!isAllowedCost(cost)) throw new RangeError('vault: the KDF cost is out of bounds')
  const lockListeners: (() => Promise<void>)[] = []
  const slots = createVaultSlots(local)
  const backOff = createUnlockBackOff(local, now)
  const passkey = createVaultPasskey({ local, session, now, random })
  const passwordKeys = createPasswordKeys({ cost, random, deriveKey })
  const held = createVaultSession({
    local,
    session,
    now,
    onClear: async () => {
      passwordKeys.forget()
      for (const listener of lockListeners) await listener()
    },
  })
  const inTurn = createMutex()

  async function requireLocated(): Promise<Located> {
    const loaded = await slots.load()
    if (loaded.state === 'none') throw new VaultMissingError()
    if (loaded.state === 'damaged') throw new VaultDamagedError()
    return loaded
  }

  /** Opens the record in force with what is held. Throws {@link VaultLockedError} or {@link VaultDamagedError}. */
  async function withOpened<T>(
    use: (opened: { dataKey: Uint8Array; secret: VaultSecret; located: Located }) => T,
  ): Promise<Awaited<T>> {
    const keys = await held.read()
    if (!keys) throw new VaultLockedError()
    try {
      const located = await requireLocated()
      for (const dataKey of keys) {
        const opened = await openPayload(located.record, dataKey)
        if (opened) return await use({ dataKey, secret: opened.secret, located })
      }
      throw new VaultDamagedError()
    } finally {
      for (const dataKey of keys) dataKey.fill(0)
    }
  }

  /** Tries a password against a record, at the price of the back-off. */
  async function tryPassword(record: VaultRecord, password: string): Promise<Tried> {
    const wait = await backOff.delayMs()
    if (wait > 0) return { unlocked: false, reason: 'TOO_SOON', retryAfterMs: wait }
    await backOff.count()
    const passwordKey = await passwordKeys.derive(password, record)
    const dataKey = await openDataKey(record, passwordKey).finally(() => passwordKey.fill(0))
    if (!dataKey)
      return {
        unlocked: false,
        reason: 'WRONG_PASSWORD',
        retryAfterMs: await backOff.delayMs(),
      }
    await backOff.reset()
    const opened = await openPayload(record, dataKey)
    if (opened) return { dataKey, ...opened }
    dataKey.fill(0)
    return DAMAGED
  }

  /** Gives what `use` makes of the vault to whoever knows the password. */
  async function withPassword<T>(
    password: string,
    use: (opened: Opened, located: Located) => Promise<T>,
  ): Promise<PasswordResult<T>> {
    const located = await requireLocated()
    const tried = await tryPassword(located.record, password)
    if ('unlocked' in tried) {
      const { reason, retryAfterMs } = tried
      return { accepted: false, reason, retryAfterMs }
    }
    try {
      return { accepted: true, ...(await use(tried, located)) }
    } finally {
      tried.dataKey.fill(0)
    }
  }

  /**
   * Seals a secret under a password, with a fresh salt and a fresh data key: an old record and its password open nothing
   * that is sealed from now on. A wallet that is unlocked stays so.
   */
  async function sealUnderPassword(
    password: string,
    { dataKey: current, secret }: { dataKey: Uint8Array; secret: VaultSecret },
    previous: Located,
  ): Promise<void> {
    const dataKey = drawRandom(random, DATA_KEY_BYTES)
    try {
      // Both keys are held until it is sure which one is in force: a crash in between locks nobody out.
      await held.prepare(current, dataKey)
      await commitUnderPassword(password, dataKey, secret, previous)
      // The new password is in force; both keys stay where this fails.
      await held.replace(dataKey).catch(() => {})
    } finally {
      dataKey.fill(0)
    }
  }

  async function commitUnderPassword(
    password: string,
    dataKey: Uint8Array,
    secret: VaultSecret,
    previous: Located | null,
    alongside?: Entries,
  ): Promise<void> {
    if (password === '') throw new RangeError('vault: the password is empty')
    const { header, passwordKey } = await passwordKeys.take(password)
    try {
      const sealedKey = await sealDataKey(header, passwordKey, dataKey, random)
      const revision = (previous?.record.revision ?? 0) + 1
      const sealedHeader = { ...header, revision, dataKey: sealedKey }
      const record = await sealPayload(sealedHeader, dataKey, secret, random)
      const verify = async (readBack: VaultRecord) => {
        const readKey = await openDataKey(readBack, passwordKey)
        try {
          return readKey !== null && (await opensTo(readBack, readKey, secret))
        } finally {
          readKey?.fill(0)
        }
      }
      await slots.commit(record, previous, verify, {
        ...(await passkey.entriesWithout()),
        ...alongside,
      })
    } finally {
      passwordKey.fill(0)
    }
  }

  /** Puts another secret in force under the same password. */
  async function sealUnderDataKey(
    dataKey: Uint8Array,
    secret: VaultSecret,
    previous: Located,
    alongside: Entries = {},
  ): Promise<void> {
    const { version, kdf, dataKey: sealedKey, revision } = previous.record
    const header = { version, kdf, dataKey: sealedKey, revision: revision + 1 }
    const record = await sealPayload(header, dataKey, secret, random)
    await slots.commit(record, previous, readBack => opensTo(readBack, dataKey, secret), alongside)
  }

  /** Seals anew what is not as today's vaults are; a failure leaves the vault as it was, for the next unlock to try. */
  async function improve(located: Located, password: string, tried: Opened): Promise<void> {
    const isWeaker = isWeakerCost(located.record.kdf, cost)
    if (isWeaker) await sealUnderPassword(password, tried, located).catch(() => {})
    else await refresh(located, tried)
  }

  async function refresh(located: Located, opened: Opened): Promise<void> {
    const { dataKey, secret, outdated } = opened
    try {
      if (outdated) await sealUnderDataKey(dataKey, secret, located)
      else await slots.settle(located)
    } catch {}
  }

  /**
   * Unlocks with what `open` gives, and `renew`s what is sealed in an older form. Throws {@link VaultLockedError} where a lock comes
   * meanwhile, which counts.
   */
  function unlockWith<R extends { unlocked: false }>(
    open: (located: Located) => Promise<Opened | R>,
    renew: (located: Located, opened: Opened) => Promise<void>,
    damaged: R,
  ): Promise<{ unlocked: true } | R> {
    const since = held.clears()
    return inTurn(async () => {
      const loaded = await slots.load()
      if (loaded.state === 'none') throw new VaultMissingError()
      if (loaded.state === 'damaged') return damaged
      const opened = await open(loaded)
      if ('unlocked' in opened) return opened
      try {
        await held.hold(opened.dataKey, since)
        await renew(loaded, opened)
        if (since !== held.clears()) throw new VaultLockedError()
      } finally {
        opened.dataKey.fill(0)
      }
      return { unlocked: true }
    })
  }

  async function status(): ReturnType<Vault['status']> {
    const loaded = await slots.load()
    if (loaded.state !== 'sound') return loaded.state
    return (await held.deadline()) === null ? 'locked' : 'unlocked'
  }

  return {
    status,
    async prepareKey(password) {
      if ((await status()) !== 'locked') passwordKeys.prepare(password)
    },
    create: (secret, password, alongside) =>
      inTurn(async () => {
        if ((await slots.load()).state !== 'none') throw new VaultExistsError()
        const dataKey = drawRandom(random, DATA_KEY_BYTES)
        try {
          // Before the vault is there, or a page that asks in between would show it locked.
          await held.hold(dataKey)
          await commitUnderPassword(password, dataKey, secret, null, alongside)
          await backOff.reset()
        } catch (error) {
          if ((await slots.load()).state === 'none') await held.clear().catch(() => {})
          throw error
        } finally {
          dataKey.fill(0)
        }
      }),
    unlock: password =>
      unlockWith(
        ({ record }) => tryPassword(record, password),
        (located, opened) => improve(located, password, opened),
        DAMAGED,
      ),
    unlockWithPasskey: prf =>
      unlockWith<Extract<PasskeyUnlockResult, { unlocked: false }>>(
        async ({ record }) => {
          const dataKey = await passkey.openDataKey(prf)
          // The key that it wraps may be that of another vault, or of an earlier password.
          const opened = dataKey && (await openPayload(record, dataKey))
          if (opened) return { dataKey, ...opened }
          dataKey?.fill(0)
          return { unlocked: false, reason: 'WRONG_PASSKEY' }
        },
        refresh,
        { unlocked: false, reason: 'DAMAGED' },
      ),
    lock() {
      passwordKeys.forget()
      return held.clear()
    },
    unlockDelayMs: () => inTurn(() => backOff.delayMs()),
    open: () => withOpened(({ secret }) => secret),
    reveal: password => inTurn(() => withPassword(password, async ({ secret }) => ({ secret }))),
    update: (change, alongside) =>
      // A key that does not open the old secret must not seal the new one: its password would open neither.
      inTurn(() =>
        withOpened(({ dataKey, secret, located }) =>
          sealUnderDataKey(dataKey, change(secret), located, alongside),
        ),
      ),
    passkey: () => passkey.view(),
    preparePasskey: password =>
      inTurn(() => withPassword(password, async () => ({ salt: await passkey.prepare() }))),
    addPasskey: added => inTurn(() => withOpened(({ dataKey }) => passkey.add(dataKey, added))),
    changePassword: (current, next) =>
      inTurn(() =>
        withPassword(current, async (opened, previous) => {
          await sealUnderPassword(next, opened, previous)
          return {}
        }),
      ),
    async erase() {
      // Outside the queue, as whoever hears of the lock may use the vault.
      await held.clear()
      await inTurn(async () => {
        await session.clear()
        await local.clear()
      })
    },
    touch: () => held.touch(),
    autoLockAt: () => held.deadline(),
    unlockedAt: () => held.unlockedAt(),
    onLock(listener) {
      lockListeners.push(listener)
    },
  }
}

const DAMAGED: Refusal = { unlocked: false, reason: 'DAMAGED', retryAfterMs: 0 }

async function opensTo(
  record: VaultRecord,
  dataKey: Uint8Array,
  secret: VaultSecret,
): Promise<boolean> {
  const opened = await openPayload(record, dataKey)
  return opened !== null && !opened.outdated && isSameSecret(opened.secret, secret)
}
