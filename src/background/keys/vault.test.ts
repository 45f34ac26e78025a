import { describe, expect, it } from 'vitest'
import { crashAfter, createMemoryArea } from '../../storage/testing/memory-area.ts'
import {
  createTestVault,
  deriveQuickly,
  GROWN_SECRET,
  PASSWORD,
  PHRASE_ID,
  SECRET,
  storeTestVault,
} from './testing/vault-fixture.ts'
import { createVault } from './vault.ts'
import { COST_FLOOR, type DeriveKey, STANDARD_COST } from './vault-kdf.ts'
import { VaultLockedError } from './vault-session.ts'
import {
  VaultDamagedError,
  VaultExistsError,
  VaultMissingError,
  VaultWriteError,
} from './vault-slots.ts'

async function createUnlocked() {
  const made = createTestVault()
  await made.vault.create(SECRET, PASSWORD)
  return made
}

describe('a vault', () => {
  it('is none, then unlocked once made, then locked, then unlocked by its password', async () => {
    const { vault } = createTestVault()
    expect(await vault.status()).toBe('none')
    await vault.create(SECRET, PASSWORD)
    expect(await vault.status()).toBe('unlocked')
    await vault.lock()
    expect(await vault.status()).toBe('locked')
    await expect(vault.open()).rejects.toThrow(VaultLockedError)
    await expect(vault.update(() => SECRET)).rejects.toThrow(VaultLockedError)
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect(await vault.open()).toEqual(SECRET)
  })

  it('is never seen locked while it is made: a page asks whenever something is stored', async () => {
    const seen: string[] = []
    const area = createMemoryArea()
    const change = async (work: Promise<void>) => {
      await work
      seen.push(await vault.status())
    }
    const local = {
      ...area,
      set: (entries: { [key: string]: unknown }) => change(area.set(entries)),
      remove: (keys: string | string[]) => change(area.remove(keys)),
    }
    const { vault } = createTestVault({ local })
    await vault.create(SECRET, PASSWORD)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).not.toContain('locked')
  })

  it('holds no key where it could not be made', async () => {
    const session = createMemoryArea()
    const local = createMemoryArea({}, crashAfter(0))
    const { vault } = createTestVault({ local, session })
    await expect(vault.create(SECRET, PASSWORD)).rejects.toThrow(VaultWriteError)
    expect(session.dump()).toEqual({})
  })

  it('outlives its worker unlocked, and the browser locked', async () => {
    const { local, session } = await createUnlocked()
    expect(await createTestVault({ local, session }).vault.open()).toEqual(SECRET)
    expect(await createTestVault({ local }).vault.status()).toBe('locked')
  })

  it('is never made over another', async () => {
    const { vault } = await createUnlocked()
    await expect(vault.create(GROWN_SECRET, 'other')).rejects.toThrow(VaultExistsError)
    expect(await vault.open()).toEqual(SECRET)
  })

  it('is made once when two ask at the same time', async () => {
    const { vault } = createTestVault()
    const both = [vault.create(SECRET, PASSWORD), vault.create(GROWN_SECRET, 'other')]
    const [first, second] = await Promise.allSettled(both)
    expect(first?.status).toBe('fulfilled')
    expect(second).toMatchObject({ status: 'rejected', reason: expect.any(VaultExistsError) })
    expect(await vault.open()).toEqual(SECRET)
  })

  it('says so where there is none', async () => {
    const { vault } = createTestVault()
    await expect(vault.unlock(PASSWORD)).rejects.toThrow(VaultMissingError)
    await expect(vault.changePassword(PASSWORD, 'x')).rejects.toThrow(VaultMissingError)
    await expect(vault.open()).rejects.toThrow(VaultLockedError)
  })

  it('does not open with the data key of another one', async () => {
    const { session } = await createUnlocked()
    const { local } = await createUnlocked()
    const { vault } = createTestVault({ local, session })
    await expect(vault.open()).rejects.toThrow(VaultDamagedError)
  })

  it('refuses an empty password', async () => {
    const { vault } = createTestVault()
    await expect(vault.create(SECRET, '')).rejects.toThrow('password is empty')
    expect(await vault.status()).toBe('none')
  })

  it('cannot be made cheaper than the floor', () => {
    for (const weak of [{ memoryKib: 1024 }, { passes: 2 }, { lanes: 4 }]) {
      const cost = { ...COST_FLOOR, ...weak }
      expect(() => createTestVault({ cost })).toThrow(RangeError)
    }
  })
})

describe('what is stored', () => {
  it('holds no word, password or account, and its size does not depend on the secret', async () => {
    const { vault, local, session } = await createUnlocked()
    const size = JSON.stringify(local.dump()).length
    for (const text of ['abandon', 'about', PASSWORD, 'Account 1', 'p2tr']) {
      expect(JSON.stringify([local.dump(), session.dump()])).not.toContain(text)
    }
    const mnemonic = `${'abandon '.repeat(23)}art`
    const words = { mnemonic, passphrase: 'a long one '.repeat(10) }
    const phrases = SECRET.phrases.map(phrase => ({ ...phrase, ...words }))
    await vault.update(() => ({ ...SECRET, phrases }))
    expect(JSON.stringify(local.dump())).toHaveLength(size)
  })

  it('keeps the data key in session storage only, and there only while unlocked', async () => {
    const { vault, local, session } = await createUnlocked()
    const { dataKey } = session.dump()['vault.unlocked'] as { dataKey: string }
    expect(dataKey).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(local.dump())).not.toContain(dataKey)
    await vault.lock()
    expect(session.dump()).toEqual({})
  })

  it('has a fresh IV at every seal, and a fresh salt and data key seal at every password', async () => {
    const { vault, local } = await createUnlocked()
    type Seen = { kdf: { salt: string }; dataKey: object; payload: { iv: string } }
    const read = () => local.dump()['vault.a'] as Seen
    const first = read()
    await vault.update(() => SECRET)
    const second = read()
    expect(second.payload.iv).not.toBe(first.payload.iv)
    expect(second.dataKey).toEqual(first.dataKey)
    await vault.changePassword(PASSWORD, PASSWORD)
    const third = read()
    expect(third.kdf.salt).not.toBe(first.kdf.salt)
    expect(third.dataKey).not.toEqual(first.dataKey)
    expect(third.payload.iv).not.toBe(second.payload.iv)
  })
})

describe('update', () => {
  it('replaces the secret under the same password', async () => {
    const { vault, local } = await createUnlocked()
    await vault.update(() => GROWN_SECRET)
    expect(await vault.open()).toEqual(GROWN_SECRET)
    const { vault: later } = createTestVault({ local })
    expect(await later.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect(await later.open()).toEqual(GROWN_SECRET)
  })

  it('of many at once leaves the last one', async () => {
    const { vault, local, session } = await createUnlocked()
    const named = (passphrase: string) => ({
      ...SECRET,
      phrases: [
        {
          id: PHRASE_ID,
          name: 'Wallet 1',
          kind: 'bip39' as const,
          mnemonic: 'abandon',
          passphrase,
        },
      ],
    })
    const names = Array.from({ length: 20 }, (_, i) => `nr ${i}`)
    const opened = await Promise.all(
      names.flatMap(name => [
        vault.update(() => named(name)),
        vault.open().then(({ phrases }) => phrases[0]?.passphrase),
      ]),
    )
    for (const seen of opened) if (seen !== undefined) expect(['', ...names]).toContain(seen)
    expect(await vault.open()).toEqual(named('nr 19'))
    expect(local.dump()['vault.current']).toMatchObject({ revision: 21 })
    expect(await createTestVault({ local, session }).vault.open()).toEqual(named('nr 19'))
  })

  it('of many at once builds each on what the one before left', async () => {
    const { vault } = await createUnlocked()
    const grow = () =>
      vault.update(secret => ({
        ...secret,
        accounts: secret.accounts.map(account => ({ ...account, name: `${account.name}+` })),
      }))
    await Promise.all([grow(), grow(), grow()])
    expect((await vault.open()).accounts.map(({ name }) => name)).toEqual([
      'Account 1+++',
      'Account 2+++',
    ])
  })

  it('refuses a secret that it could not read back', async () => {
    const { vault } = await createUnlocked()
    const [account] = SECRET.accounts
    const { mainnet, test } = { ...account?.sides }
    const key = { id: 'k', name: 'Key', hidden: false, source: 'key', addressType: 'p2tr' }
    for (const accounts of [
      [{ ...account, addressType: 'p2wsh' }],
      [{ ...account, line: 'elsewhere' }],
      [{ ...account, index: -1 }],
      [{ ...account, index: 2 ** 31 }],
      [{ ...account, hidden: 'no' }],
      [{ ...account, source: 'moon' }],
      [{ ...account, sides: { mainnet } }],
      [{ ...account, sides: { mainnet, test: { ...test, publicKey: null } } }],
      [{ ...account, sides: { mainnet, test: { ...test, scriptPubKey: '51' } } }],
      [{ ...account, source: 'watch' }],
      [{ ...key, sides: { mainnet, test }, privateKey: '01'.repeat(32) }],
      [{ ...key, sides: { mainnet }, privateKey: '01'.repeat(31) }],
      null,
    ]) {
      const secret = { ...SECRET, accounts } as never
      await expect(
        vault.update(() => secret),
        JSON.stringify(accounts),
      ).rejects.toThrow('account')
    }
    for (const phrase of [null, { mnemonic: '', passphrase: '' }, {}]) {
      const phrases = [phrase && { id: PHRASE_ID, name: 'Wallet 1', ...phrase }]
      const secret = { ...SECRET, phrases } as never
      await expect(vault.update(() => secret)).rejects.toThrow('phrase')
    }
    expect(await vault.open()).toEqual(SECRET)
  })
})

describe('changePassword', () => {
  it('lets the new one open and the old one no longer, and stays unlocked', async () => {
    const { vault, local } = await createUnlocked()
    await vault.changePassword(PASSWORD, 'new')
    expect(await vault.open()).toEqual(SECRET)
    const { vault: later } = createTestVault({ local })
    expect(await later.unlock(PASSWORD)).toMatchObject({ reason: 'WRONG_PASSWORD' })
    expect(await later.unlock('new')).toEqual({ unlocked: true })
    expect(await later.open()).toEqual(SECRET)
  })

  it('keeps an update that runs at the same time', async () => {
    const { vault } = await createUnlocked()
    await Promise.all([
      vault.changePassword(PASSWORD, 'two'),
      vault.update(() => GROWN_SECRET),
      vault.changePassword('two', 'three'),
    ])
    await vault.lock()
    expect(await vault.unlock('three')).toEqual({ unlocked: true })
    expect(await vault.open()).toEqual(GROWN_SECRET)
  })

  it('counts a wrong password like one at unlock', async () => {
    const { vault } = await createUnlocked()
    const guess = () => vault.changePassword('wrong', 'mine')
    for (let i = 0; i < 5; i++) {
      expect(await guess()).toMatchObject({ accepted: false, reason: 'WRONG_PASSWORD' })
    }
    expect(await guess()).toEqual({ accepted: false, reason: 'TOO_SOON', retryAfterMs: 1000 })
    expect(await vault.unlock(PASSWORD)).toMatchObject({ reason: 'TOO_SOON' })
  })
})

describe('unlock', () => {
  it('makes the sixth guess and the later ones wait, without deriving a key meanwhile', async () => {
    let derived = 0
    const deriveKey: DeriveKey = (...args) => {
      derived++
      return deriveQuickly(...args)
    }
    const { local } = await storeTestVault()
    const { vault, clock } = createTestVault({ local: createMemoryArea(local), deriveKey })
    for (let i = 1; i <= 5; i++) {
      const retryAfterMs = i < 5 ? 0 : 1000
      expect(await vault.unlock('wrong')).toMatchObject({ reason: 'WRONG_PASSWORD', retryAfterMs })
    }
    expect(await vault.unlock(PASSWORD)).toEqual({
      unlocked: false,
      reason: 'TOO_SOON',
      retryAfterMs: 1000,
    })
    expect(derived).toBe(5)
    clock.now += 999
    expect(await vault.unlockDelayMs()).toBe(1)
    clock.now += 1
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect(await vault.unlockDelayMs()).toBe(0)
  })

  it('gives a hundred guesses at the same time no more than five tries', async () => {
    const { local } = await storeTestVault()
    const { vault } = createTestVault({ local: createMemoryArea(local) })
    const results = await Promise.all(Array.from({ length: 100 }, () => vault.unlock('wrong')))
    const reasons = results.map(result => (result.unlocked ? '' : result.reason))
    expect(reasons.filter(reason => reason === 'WRONG_PASSWORD')).toHaveLength(5)
    expect(reasons.filter(reason => reason === 'TOO_SOON')).toHaveLength(95)
  })

  it('counts a guess whose worker is killed before the answer', async () => {
    const stored = await storeTestVault()
    const local = createMemoryArea(stored.local)
    for (let i = 0; i < 5; i++) {
      const { vault } = createTestVault({ local, deriveKey: () => new Promise(() => {}) })
      vault.unlock('guess')
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    expect(await createTestVault({ local }).vault.unlock('guess')).toMatchObject({
      reason: 'TOO_SOON',
    })
  })

  it('raises an allowed but weaker cost to today’s, and keeps a higher one', async () => {
    const weak = await storeTestVault({ cost: COST_FLOOR })
    const local = createMemoryArea(weak.local)
    const { vault } = createTestVault({ local })
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
    for (const slot of ['vault.a', 'vault.b']) {
      expect(local.dump()[slot]).toMatchObject({ revision: 2, kdf: STANDARD_COST })
    }
    expect(await vault.open()).toEqual(SECRET)
    await vault.lock()
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect(local.dump()['vault.a']).toMatchObject({ revision: 2 })
    const higher = { ...STANDARD_COST, passes: 5 }
    const strong = createMemoryArea((await storeTestVault({ cost: higher })).local)
    await createTestVault({ local: strong }).vault.unlock(PASSWORD)
    expect(strong.dump()['vault.a']).toMatchObject({ revision: 1, kdf: higher })
  })
})

describe('a source of randomness', () => {
  it.each<[string, (n: number) => Uint8Array]>([
    ['of zeros', n => new Uint8Array(n)],
    ['of one byte over and over', n => new Uint8Array(n).fill(0x5a)],
    ['that counts from 0 every time', n => Uint8Array.from({ length: n }, (_, i) => i)],
    ['that gives too little', n => crypto.getRandomValues(new Uint8Array(n - 1))],
  ])('%s makes no wallet', async (_, random) => {
    const local = createMemoryArea()
    const session = createMemoryArea()
    const vault = createVault({ local, session, random, now: () => 0, deriveKey: deriveQuickly })
    await expect(vault.create(SECRET, PASSWORD)).rejects.toThrow('stuck')
    expect([local.dump(), session.dump()]).toEqual([{}, {}])
  })
})
