import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Wallet } from 'ethers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { encodeHex } from '../codec/hex.ts'
import { KeystoreError } from './keystore.ts'
import { openKeystore } from './open-keystore.ts'
import { makeAccount, makeKeyFolder } from './testing/key-files.ts'

const [A, B, C] = [makeAccount('a'), makeAccount('b'), makeAccount('c')]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const NEEDS_A_USER = {
  skip: process.getuid?.() === 0,
  meta: { skipReason: 'root may read every file' },
}

describe('a new key file', () => {
  it('is for its owner alone, in a folder for its owner alone, whole and named as geth names it', async () => {
    const folder = join(makeKeyFolder(), 'deep', 'keys')
    vi.setSystemTime(new Date('2016-03-22T12:57:55.920Z'))
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    const address = await keystore.create('foo')

    const names = readdirSync(folder)
    expect(names).toEqual([`UTC--2016-03-22T12-57-55.920000000Z--${address.slice(2)}`])
    const path = join(folder, names[0] ?? '')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const file = JSON.parse(readFileSync(path, 'utf8'))
    expect(file).toMatchObject({ address: address.slice(2), version: 3 })
    expect(file.crypto).toMatchObject({ kdf: 'scrypt', kdfparams: { n: 4096, r: 8, p: 6 } })
    expect(Wallet.fromEncryptedJsonSync(readFileSync(path, 'utf8'), 'foo').address).toMatch(
      new RegExp(address, 'i'),
    )
  })

  it('comes after those before it, also within one millisecond', async () => {
    const keystore = await openKeystore({ folder: makeKeyFolder(), scrypt: 'light' })
    const created = [
      await keystore.create(''),
      await keystore.create(''),
      await keystore.create(''),
    ]
    expect(keystore.accounts()).toEqual(created)
  })

  it('that cannot be written leaves nothing behind and says so', async () => {
    const folder = makeKeyFolder()
    const keystore = await openKeystore({ folder: join(folder, 'keys'), scrypt: 'light' })
    rmSync(join(folder, 'keys'), { recursive: true })
    writeFileSync(join(folder, 'keys'), 'a file now')
    const failure = await keystore.create('').catch(error => error)
    expect(failure).toBeInstanceOf(KeystoreError)
    expect(failure.message).toMatch(/^cannot make the folder of the keys: E(EXIST|NOTDIR)$/)
    expect(keystore.accounts()).toEqual([])
  })

  it('makes its folder again where that is gone', async () => {
    const folder = join(makeKeyFolder(), 'keys')
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    rmSync(folder, { recursive: true })
    const address = await keystore.create('')
    expect(keystore.accounts()).toEqual([address])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })
})

describe('a folder', () => {
  it('that is a file cannot be opened', async () => {
    const path = join(makeKeyFolder([A]), 'key-0')
    await expect(openKeystore({ folder: path, scrypt: 'light' })).rejects.toThrow(KeystoreError)
  })

  it('gives its accounts by the names of the files', async () => {
    const folder = makeKeyFolder()
    writeFileSync(join(folder, 'zzz'), A.file)
    writeFileSync(join(folder, 'UTC--2020-01-01T00-00-00.000000000Z--b'), B.file)
    writeFileSync(join(folder, 'aaa'), C.file)
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    expect(keystore.accounts()).toEqual([B.address, C.address, A.address])
  })

  // The folder accounts/keystore/testdata/keystore of geth has the same strangers.
  it('may hold what is no key file', async () => {
    const folder = makeKeyFolder([A])
    writeFileSync(join(folder, '.hidden'), B.file)
    writeFileSync(join(folder, 'backup~'), B.file)
    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'sub', 'key'), B.file)
    symlinkSync(join(folder, 'sub', 'key'), join(folder, 'link'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    writeFileSync(join(folder, 'empty'), '')
    writeFileSync(join(folder, 'garbage'), Buffer.from([0, 255, 254, 123]))
    writeFileSync(
      join(folder, 'no-address'),
      JSON.stringify({ ...JSON.parse(B.file), address: undefined }),
    )
    writeFileSync(join(folder, 'half'), B.file.slice(0, -40))
    writeFileSync(join(folder, 'huge'), B.file.padEnd(1_000_000))
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ address: B.address, abi: [] }))
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    expect(keystore.accounts()).toEqual([A.address])
    await expect(keystore.unlock(B.address, B.passphrase, 0)).rejects.toThrow(
      'no key for given address or file',
    )
  })

  it('may hold a file that cannot be read', NEEDS_A_USER, async () => {
    const folder = makeKeyFolder([A, B])
    chmodSync(join(folder, 'key-0'), 0)
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    expect(keystore.accounts()).toEqual([B.address])
  })

  it('is looked at again a second later, not before', async () => {
    const folder = makeKeyFolder([A])
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    const before = keystore.accounts()
    writeFileSync(join(folder, 'key-1'), B.file)
    vi.advanceTimersByTime(999)
    expect(keystore.accounts()).toBe(before)
    vi.advanceTimersByTime(1)
    expect(keystore.accounts()).toEqual([A.address, B.address])
    renameSync(join(folder, 'key-0'), join(folder, 'key-2'))
    vi.advanceTimersByTime(1000)
    expect(keystore.accounts()).toEqual([B.address, A.address])
    rmSync(join(folder, 'key-1'))
    vi.advanceTimersByTime(1000)
    expect(keystore.accounts()).toEqual([A.address])
    rmSync(folder, { recursive: true })
    vi.advanceTimersByTime(1000)
    expect(keystore.accounts()).toEqual([])
  })

  it('is looked at at once for a passphrase to an account that was not there', async () => {
    const folder = makeKeyFolder()
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    writeFileSync(join(folder, 'key-0'), A.file)
    expect(await keystore.withPassphrase(A.address, A.passphrase, encodeHex)).toBe(A.privateKey)
    writeFileSync(join(folder, 'key-1'), B.file)
    await keystore.unlock(B.address, B.passphrase, 0)
    expect(keystore.withUnlocked(B.address, encodeHex)).toBe(B.privateKey)
  })

  it('that has been quiet for long shows a file that is finished only now', async () => {
    const folder = makeKeyFolder([A])
    writeFileSync(join(folder, 'key-1'), '')
    utimesSync(folder, 1000, 1000)
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    expect(keystore.accounts()).toEqual([A.address])

    writeFileSync(join(folder, 'key-1'), B.file)
    expect(statSync(folder).mtimeMs).toBe(1_000_000)
    vi.advanceTimersByTime(1000)
    expect(keystore.accounts()).toEqual([A.address, B.address])
  })

  it('that has changed a moment ago is not taken for quiet', async () => {
    const folder = makeKeyFolder([A])
    const now = Date.now() / 1000
    utimesSync(folder, now, now)
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    // A second file in the same tick of the folder's clock.
    writeFileSync(join(folder, 'key-1'), B.file)
    utimesSync(folder, now, now)
    vi.advanceTimersByTime(1000)
    expect(keystore.accounts()).toEqual([A.address, B.address])
  })
})

describe('two key stores over one folder', () => {
  it('see what the other makes, and do not take a key twice', async () => {
    const folder = makeKeyFolder()
    const one = await openKeystore({ folder, scrypt: 'light' })
    const other = await openKeystore({ folder, scrypt: 'light' })
    const address = await one.create('foo')
    vi.advanceTimersByTime(1000)
    expect(other.accounts()).toEqual([address])
    await other.unlock(address, 'foo', 0)
    expect(() => one.withUnlocked(address, () => null)).toThrow('authentication needed')

    await one.importKey(Buffer.from('ab'.repeat(32), 'hex'), 'foo')
    await expect(other.importKey(Buffer.from('ab'.repeat(32), 'hex'), 'bar')).rejects.toThrow(
      'account already exists',
    )
    expect(readdirSync(folder)).toHaveLength(2)
  })
})

describe('two files of one address', () => {
  it('list it once, and open neither', async () => {
    const folder = makeKeyFolder([A, B, A])
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    expect(keystore.accounts()).toEqual([A.address, B.address])
    const text = 'multiple keys match address (key-0, key-2)'
    await expect(keystore.unlock(A.address, A.passphrase, 0)).rejects.toThrow(text)
    await expect(keystore.withPassphrase(A.address, A.passphrase, () => null)).rejects.toThrow(text)
    rmSync(join(folder, 'key-0'))
    vi.advanceTimersByTime(1000)
    await keystore.unlock(A.address, A.passphrase, 0)
  })
})

describe('a file with another key than its address says', () => {
  it('does not open', async () => {
    const folder = makeKeyFolder()
    const swapped = { ...JSON.parse(A.file), address: B.address.slice(2) }
    writeFileSync(join(folder, 'key'), JSON.stringify(swapped))
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    expect(keystore.accounts()).toEqual([B.address])
    const text = `key content mismatch: have account ${A.address.slice(2)}, want ${B.address.slice(2)}`
    await expect(keystore.unlock(B.address, A.passphrase, 0)).rejects.toThrow(text)
    expect(() => keystore.withUnlocked(B.address, () => null)).toThrow('authentication needed')
  })

  it('that is gone before it is read is no key', async () => {
    const folder = makeKeyFolder([A])
    const keystore = await openKeystore({ folder, scrypt: 'light' })
    rmSync(join(folder, 'key-0'))
    expect(existsSync(join(folder, 'key-0'))).toBe(false)
    await expect(keystore.unlock(A.address, A.passphrase, 0)).rejects.toThrow(
      'no key for given address or file',
    )
  })
})
