import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { encodeHex } from '../codec/hex.ts'
import { type Keystore, KeystoreError } from './keystore.ts'
import { openKeystore } from './open-keystore.ts'
import { makeAccount, makeKeyFolder } from './testing/key-files.ts'

/** Every key that was decrypted, in the buffer that the key store holds it in. */
const decrypted: Buffer[] = []

vi.mock('./key-file.ts', async importOriginal => {
  const original = await importOriginal<typeof import('./key-file.ts')>()
  return {
    ...original,
    async decryptKey(text: string, passphrase: string) {
      const key = await original.decryptKey(text, passphrase)
      decrypted.push(key)
      return key
    },
  }
})

const [A, B] = [makeAccount('a'), makeAccount('b')]
const LOCKED = 'authentication needed: password or unlock'
const SECOND = 1000

beforeEach(() => {
  decrypted.length = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const open = (accounts = [A, B]) =>
  openKeystore({ folder: makeKeyFolder(accounts), scrypt: 'light' })

/** The key as it is handed out, or the text of why it is not. */
function readKey(keystore: Keystore, { address } = A): string {
  try {
    return keystore.withUnlocked(address, encodeHex)
  } catch (error) {
    expect(error).toBeInstanceOf(KeystoreError)
    return (error as Error).message
  }
}

describe('unlock', () => {
  it('opens one account and no other', async () => {
    const keystore = await open()
    expect(readKey(keystore)).toBe(LOCKED)
    await keystore.unlock(A.address, A.passphrase, 300)
    expect(readKey(keystore, A)).toBe(A.privateKey)
    expect(readKey(keystore, B)).toBe(LOCKED)
  })

  it('refuses a wrong passphrase, and leaves things as they are', async () => {
    const keystore = await open()
    const text = 'could not decrypt key with given password'
    await expect(keystore.unlock(A.address, 'wrong', 300)).rejects.toThrow(text)
    expect(readKey(keystore)).toBe(LOCKED)

    await keystore.unlock(A.address, A.passphrase, 10)
    await expect(keystore.unlock(A.address, 'wrong', 300)).rejects.toThrow(text)
    expect(readKey(keystore)).toBe(A.privateKey)
    vi.advanceTimersByTime(10 * SECOND)
    expect(readKey(keystore)).toBe(LOCKED)
  })

  it('knows its own accounts only', async () => {
    const keystore = await open([A])
    await expect(keystore.unlock(B.address, B.passphrase, 300)).rejects.toThrow(
      'no key for given address or file',
    )
    expect(readKey(keystore, B)).toBe('unknown account')
    await expect(keystore.withPassphrase(B.address, '', () => null)).rejects.toThrow(
      'unknown account',
    )
    expect(keystore.lock(B.address)).toBe(false)
  })

  it('ends to the millisecond', async () => {
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 300)
    vi.advanceTimersByTime(300 * SECOND - 1)
    expect(readKey(keystore)).toBe(A.privateKey)
    vi.advanceTimersByTime(1)
    expect(readKey(keystore)).toBe(LOCKED)
  })

  it('for zero seconds does not end, and is not made shorter', async () => {
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 0)
    await keystore.unlock(A.address, A.passphrase, 1)
    vi.advanceTimersByTime(10 * 365 * 86_400 * SECOND)
    expect(readKey(keystore)).toBe(A.privateKey)
    expect(keystore.lock(A.address)).toBe(true)
    expect(readKey(keystore)).toBe(LOCKED)
  })

  it('again for longer counts from then', async () => {
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 10)
    vi.advanceTimersByTime(9 * SECOND)
    await keystore.unlock(A.address, A.passphrase, 100)
    vi.advanceTimersByTime(99 * SECOND)
    expect(readKey(keystore)).toBe(A.privateKey)
    vi.advanceTimersByTime(SECOND)
    expect(readKey(keystore)).toBe(LOCKED)
  })

  it('again for shorter counts from then', async () => {
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 100)
    await keystore.unlock(A.address, A.passphrase, 5)
    vi.advanceTimersByTime(5 * SECOND)
    expect(readKey(keystore)).toBe(LOCKED)
  })

  it('again without an end has none', async () => {
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 5)
    await keystore.unlock(A.address, A.passphrase, 0)
    vi.advanceTimersByTime(1000 * SECOND)
    expect(readKey(keystore)).toBe(A.privateKey)
  })

  it('after a lock is not ended by the timer of the one before', async () => {
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 10)
    keystore.lock(A.address)
    await keystore.unlock(A.address, A.passphrase, 20)
    vi.advanceTimersByTime(19 * SECOND)
    expect(readKey(keystore)).toBe(A.privateKey)
  })

  it('may last longer than a timeout can', async () => {
    const keystore = await open()
    const year = 365 * 86_400
    await keystore.unlock(A.address, A.passphrase, year)
    vi.advanceTimersByTime(year * SECOND - 1)
    expect(readKey(keystore)).toBe(A.privateKey)
    vi.advanceTimersByTime(1)
    expect(readKey(keystore)).toBe(LOCKED)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends by the clock of the wall where timers stood still', async () => {
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 10)
    vi.setSystemTime(Date.now() + 10 * SECOND)
    expect(readKey(keystore)).toBe(LOCKED)
    expect(decrypted[0]).toEqual(Buffer.alloc(32))
  })

  it.each([
    [9_223_372_037, 'unlock duration too large'],
    [2 ** 63, 'unlock duration too large'],
    [-1, 'invalid unlock duration -1: want whole seconds'],
    [0.5, 'invalid unlock duration 0.5: want whole seconds'],
    [Number.NaN, 'invalid unlock duration NaN: want whole seconds'],
  ])('for %d seconds is refused', async (seconds, text) => {
    const keystore = await open()
    await expect(keystore.unlock(A.address, A.passphrase, seconds)).rejects.toThrow(text)
    expect(decrypted).toEqual([])
  })

  it('keeps no process alive', async () => {
    vi.useRealTimers()
    const spied = vi.spyOn(globalThis, 'setTimeout')
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 300)
    const timers = spied.mock.results.map(({ value }) => value as NodeJS.Timeout)
    expect(timers.map(timer => timer.hasRef())).toEqual([false])
    keystore.close()
    spied.mockRestore()
  })
})

describe('keys', () => {
  const nothing = Buffer.alloc(32)

  it('are handed out as copies that are wiped, also when the use fails', async () => {
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 300)
    const seen: Uint8Array[] = []
    keystore.withUnlocked(A.address, key => seen.push(key))
    expect(() =>
      keystore.withUnlocked(A.address, key => {
        seen.push(key)
        throw new Error('use failed')
      }),
    ).toThrow('use failed')
    await keystore.withPassphrase(A.address, A.passphrase, key => seen.push(key))
    await keystore
      .withPassphrase(A.address, A.passphrase, key => {
        seen.push(key)
        throw new Error('use failed')
      })
      .catch(() => {})
    expect(seen).toHaveLength(4)
    for (const key of seen) expect(Buffer.from(key)).toEqual(nothing)
    expect(readKey(keystore)).toBe(A.privateKey)
  })

  it('in use outlive the end of the unlock, and are wiped after', async () => {
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 10)
    const used = keystore.withUnlocked(A.address, key => {
      vi.advanceTimersByTime(10 * SECOND)
      expect(decrypted).toEqual([nothing])
      return encodeHex(key)
    })
    expect(used).toBe(A.privateKey)
    expect(readKey(keystore)).toBe(LOCKED)
  })

  it.each<[string, (keystore: Keystore, folder: string) => unknown]>([
    ['locked', keystore => keystore.lock(A.address)],
    ['at the end', () => vi.advanceTimersByTime(10 * SECOND)],
    ['closed', keystore => keystore.close()],
    ['replaced', keystore => keystore.unlock(A.address, A.passphrase, 20)],
    [
      'without a file',
      (keystore, folder) => {
        rmSync(join(folder, 'key-0'))
        vi.advanceTimersByTime(2 * SECOND)
        return keystore.accounts()
      },
    ],
  ])('are wiped when they are %s', async (_, act) => {
    const folder = makeKeyFolder([A, B])
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    await keystore.unlock(A.address, A.passphrase, 10)
    expect(decrypted.map(encodeHex)).toEqual([A.privateKey])
    await act(keystore, folder)
    expect(decrypted[0]).toEqual(nothing)
  })

  it('that are not needed are wiped: a second unlock of one without an end', async () => {
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 0)
    await keystore.unlock(A.address, A.passphrase, 10)
    expect(decrypted.map(encodeHex)).toEqual([A.privateKey, encodeHex(nothing)])
  })
})

describe('withPassphrase', () => {
  it('leaves a locked account locked and an unlocked one as it is', async () => {
    const keystore = await open()
    expect(await keystore.withPassphrase(A.address, A.passphrase, encodeHex)).toBe(A.privateKey)
    expect(readKey(keystore)).toBe(LOCKED)
    await keystore.unlock(A.address, A.passphrase, 10)
    await keystore.withPassphrase(A.address, A.passphrase, () => null)
    expect(readKey(keystore)).toBe(A.privateKey)
    await expect(keystore.withPassphrase(A.address, '', () => null)).rejects.toThrow(
      'could not decrypt key with given password',
    )
  })
})

describe('lock', () => {
  it('says whether the account is ours, locked or not', async () => {
    const keystore = await open([A])
    expect(keystore.lock(A.address)).toBe(true)
    await keystore.unlock(A.address, A.passphrase, 10)
    expect(keystore.lock(A.address)).toBe(true)
    expect(readKey(keystore)).toBe(LOCKED)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('create and importKey', () => {
  it('make accounts that are locked, and that their passphrase opens', async () => {
    const keystore = await open([])
    const created = await keystore.create('foo')
    const key = Buffer.from(A.privateKey.slice(2), 'hex')
    expect(await keystore.importKey(key, '')).toBe(A.address)
    expect(encodeHex(key)).toBe(A.privateKey)
    expect(keystore.accounts()).toEqual([created, A.address])
    expect(() => keystore.withUnlocked(created, () => null)).toThrow(LOCKED)
    await keystore.unlock(created, 'foo', 10)
    await keystore.unlock(A.address, '', 10)
    expect(readKey(keystore)).toBe(A.privateKey)
  })

  it('take a key once, also at the same time', async () => {
    const folder = makeKeyFolder()
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    const key = Buffer.from(A.privateKey.slice(2), 'hex')
    const both = await Promise.allSettled([
      keystore.importKey(key, ''),
      keystore.importKey(key, ''),
    ])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    await expect(keystore.importKey(key, '')).rejects.toThrow('account already exists')
    expect(readdirSync(folder)).toHaveLength(1)
  })
})

describe('close', () => {
  it('locks everything, and lets nothing be unlocked after, not even what is under way', async () => {
    const keystore = await open()
    await keystore.unlock(A.address, A.passphrase, 0)
    const late = keystore.unlock(B.address, B.passphrase, 0)
    keystore.close()
    await expect(late).rejects.toThrow('keystore is closed')
    await expect(keystore.unlock(A.address, A.passphrase, 0)).rejects.toThrow('keystore is closed')
    await expect(keystore.create('')).rejects.toThrow('keystore is closed')
    expect(readKey(keystore, A)).toBe(LOCKED)
    expect(readKey(keystore, B)).toBe(LOCKED)
    for (const key of decrypted) expect(key).toEqual(Buffer.alloc(32))
  })
})
