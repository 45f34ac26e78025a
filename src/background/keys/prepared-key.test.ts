import { afterEach, describe, expect, it, vi } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { createTestVault, deriveQuickly, PASSWORD, SECRET } from './testing/vault-fixture.ts'
import type { Vault } from './vault.ts'
import type { DeriveKey } from './vault-kdf.ts'

describe('a key that is derived while its password is typed once more', () => {
  const NEXT = 'another horse battery'
  const OTHER = 'yet another horse'

  /** Which password's key was derived, with which salt, one after the other; `hold` keeps those of a password waiting until it is called. */
  function createCounted(deps: Parameters<typeof createTestVault>[0] = {}) {
    const derived: { password: string; salt: string; key: Uint8Array }[] = []
    const held = new Map<string, Promise<void>>()
    let running = 0
    let most = 0
    const deriveKey: DeriveKey = async (password, salt, cost) => {
      most = Math.max(most, ++running)
      await held.get(password)
      const key = await deriveQuickly(password, salt, cost)
      derived.push({ password, salt: toHex(salt), key })
      running--
      return key
    }
    const hold = (password: string) => {
      let release = () => {}
      held.set(
        password,
        new Promise(resolve => {
          release = resolve
        }),
      )
      return () => release()
    }
    const keysOf = (password: string) => derived.filter(one => one.password === password)
    return { ...createTestVault({ deriveKey, ...deps }), derived, keysOf, hold, most: () => most }
  }
  const isWiped = (key: Uint8Array | undefined) => key?.every(byte => byte === 0)
  afterEach(() => vi.useRealTimers())

  it('is the one that seals the wallet', async () => {
    const { vault, derived } = createCounted()
    await vault.prepareKey(PASSWORD)
    await vault.create(SECRET, PASSWORD)
    expect(derived).toHaveLength(1)
    expect(isWiped(derived[0]?.key)).toBe(true)
    await vault.lock()
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect(await vault.open()).toEqual(SECRET)
  })

  it('seals under no other password, and is wiped then', async () => {
    const { vault, keysOf } = createCounted()
    await vault.prepareKey(NEXT)
    await vault.create(SECRET, PASSWORD)
    expect(keysOf(NEXT).map(({ key }) => isWiped(key))).toEqual([true])
    await vault.lock()
    expect(await vault.unlock(NEXT)).toMatchObject({ reason: 'WRONG_PASSWORD' })
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
  })

  it('is derived once however often it is asked for, and seals once', async () => {
    const { vault, local, derived } = createCounted()
    for (let i = 0; i < 3; i++) await vault.prepareKey(PASSWORD)
    await vault.create(SECRET, PASSWORD)
    await vault.changePassword(PASSWORD, PASSWORD)
    const [created, tried, changed] = derived.map(({ salt }) => salt)
    expect(derived).toHaveLength(3)
    expect(tried).toBe(created)
    expect(changed).not.toBe(created)
    expect(local.dump()['vault.a']).toMatchObject({ kdf: { salt: changed } })
  })

  it('serves a change of the password, which still asks for the current one', async () => {
    const { vault, keysOf } = createCounted()
    await vault.create(SECRET, PASSWORD)
    await vault.prepareKey(NEXT)
    expect(await vault.changePassword('wrong', NEXT)).toMatchObject({ accepted: false })
    expect(await vault.changePassword(PASSWORD, NEXT)).toEqual({ accepted: true })
    expect(keysOf(NEXT)).toHaveLength(1)
    await vault.lock()
    expect(await vault.unlock(NEXT)).toEqual({ unlocked: true })
  })

  it.each([
    ['two minutes later', async () => void (await vi.advanceTimersByTimeAsync(1_000))],
    ['at a lock', (vault: Vault) => vault.lock()],
    ['when everything is erased', (vault: Vault) => vault.erase()],
    ['for another one', (vault: Vault) => vault.prepareKey(OTHER)],
  ])('is wiped %s', async (_, end) => {
    vi.useFakeTimers()
    const { vault, keysOf } = createCounted()
    await vault.create(SECRET, PASSWORD)
    await vault.prepareKey(NEXT)
    await vi.advanceTimersByTimeAsync(119_500)
    expect(isWiped(keysOf(NEXT)[0]?.key)).toBe(false)
    await end(vault)
    await vi.advanceTimersByTimeAsync(0)
    expect(isWiped(keysOf(NEXT)[0]?.key)).toBe(true)
  })

  it('is wiped at a lock that comes while it is derived', async () => {
    const { vault, keysOf, hold } = createCounted()
    await vault.create(SECRET, PASSWORD)
    const goOn = hold(NEXT)
    await vault.prepareKey(NEXT)
    await vault.lock()
    goOn()
    await vi.waitFor(() => expect(isWiped(keysOf(NEXT)[0]?.key)).toBe(true))
  })

  it('seals with what the password gives when a lock comes while it waits for that', async () => {
    const { vault, hold } = createCounted()
    const goOn = hold(PASSWORD)
    await vault.prepareKey(PASSWORD)
    const creating = vault.create(SECRET, PASSWORD)
    await new Promise(resolve => setTimeout(resolve, 20))
    await vault.lock()
    goOn()
    await creating
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect(await vault.open()).toEqual(SECRET)
  })

  it('has its own two minutes, whatever was derived before', async () => {
    vi.useFakeTimers()
    const { vault, keysOf } = createCounted()
    await vault.prepareKey(PASSWORD)
    await vault.create(SECRET, PASSWORD)
    await vi.advanceTimersByTimeAsync(60_000)
    await vault.prepareKey(NEXT)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(isWiped(keysOf(NEXT)[0]?.key)).toBe(false)
  })

  it('is not derived beside another, which would take twice the memory', async () => {
    const { vault, hold, most } = createCounted()
    await vault.create(SECRET, PASSWORD)
    const goOn = hold(NEXT)
    await vault.prepareKey(NEXT)
    const trying = vault.reveal('wrong')
    await new Promise(resolve => setTimeout(resolve, 20))
    goOn()
    expect(await trying).toMatchObject({ reason: 'WRONG_PASSWORD' })
    expect(most()).toBe(1)
  })

  it('is not derived for a password that was given up before its turn, or while locked', async () => {
    const { vault, keysOf, hold } = createCounted()
    await vault.create(SECRET, PASSWORD)
    const goOn = hold(NEXT)
    await vault.prepareKey(NEXT)
    await vault.prepareKey(OTHER)
    await vault.prepareKey('a third horse')
    goOn()
    await vi.waitFor(() => expect(keysOf('a third horse')).toHaveLength(1))
    expect(keysOf(OTHER)).toEqual([])
    await vault.lock()
    await vault.prepareKey(OTHER)
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect(keysOf(OTHER)).toEqual([])
  })

  it('is derived anew where it failed', async () => {
    let tries = 0
    const deriveKey: DeriveKey = async (...input) => {
      if (tries++ === 0) throw new RangeError('Array buffer allocation failed')
      return deriveQuickly(...input)
    }
    const { vault } = createTestVault({ deriveKey })
    await vault.prepareKey(PASSWORD)
    await vault.create(SECRET, PASSWORD)
    expect(tries).toBe(2)
    await vault.lock()
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
  })
})
