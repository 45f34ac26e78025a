import { NETWORK, p2pkh, p2tr, p2wpkh, TEST_NETWORK, WIF } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import type { AddressType } from '../../bitcoin/address.ts'
import { InvalidAddressError } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { InvalidWifError } from '../../bitcoin/wif.ts'
import { createMemoryArea, type MemoryArea } from '../../storage/testing/memory-area.ts'
import { UnknownAccountError } from '../keys/account-errors.ts'
import { spellName } from '../keys/testing/spell-name.ts'
import { createTestVault, PASSWORD, SECRET } from '../keys/testing/vault-fixture.ts'
import { VaultLockedError } from '../keys/vault-session.ts'
import { canSign, createAccounts } from './accounts.ts'

/** Of the Bitcoin wiki's page on the import format. */
const nextOf = (addressType: AddressType, name: string) => ({
  ...{ addressType, name },
  ...{ phraseId: null, withOrdinals: false },
})

const KEY = fromHex('0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d')
const KEY_PUBLIC = fromHex('02d0de0aaeaefad02b8bdc8a01a1b8b11c696bd3d66a2c5f10780d95b7df42645c')
const WIF_MAIN = WIF(NETWORK).encode(KEY)
const WIF_TEST = WIF(TEST_NETWORK).encode(KEY)
/** BIP-84's second receiving address and BIP-86's first change address. */
const SECOND_SEGWIT = 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'
const CHANGE_TAPROOT = 'bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7'
/** BIP-173's example of P2WSH. */
const P2WSH = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
const THEIRS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

async function startWallet(local: MemoryArea = createMemoryArea()) {
  const made = createTestVault({ local })
  const accounts = createAccounts(made)
  const mnemonic = SECRET.phrases[0]?.mnemonic ?? ''
  await accounts.create({ kind: 'mnemonic', mnemonic, passphrase: '' }, PASSWORD)
  return { ...made, accounts, all: () => accounts.list('mainnet') }
}

async function startWalletOfKey() {
  const made = createTestVault()
  const accounts = createAccounts(made)
  await accounts.create({ kind: 'wif', wif: WIF_MAIN, addressType: 'p2pkh' }, PASSWORD)
  return { ...made, accounts, all: () => accounts.list('mainnet') }
}

const reason = (name: string, data = {}) => ({ code: -32000, data: { reason: name, ...data } })

describe('adding an account of the phrase', () => {
  it('takes the least index of its type that is free, and a name that no other has', async () => {
    const { accounts } = await startWallet()
    const added = []
    for (const type of ['p2tr', 'p2sh-p2wpkh', 'p2pkh', 'p2tr', 'p2wpkh'] as const)
      added.push(await accounts.add(nextOf(type, '')))
    expect(added.map(({ derivationPath }) => derivationPath)).toEqual([
      "m/86'/0'/1'/0/0",
      "m/49'/0'/0'/0/0",
      "m/44'/0'/0'/0/0",
      "m/86'/0'/2'/0/0",
      "m/84'/0'/1'/0/0",
    ])
    expect(added.map(({ name }) => spellName(name))).toEqual(
      [3, 4, 5, 6, 7].map(n => `Account ${n}`),
    )
    await accounts.remove(added[0]?.id ?? '')
    const again = await accounts.add(nextOf('p2tr', ' Savings '))
    expect(again).toMatchObject({ name: 'Savings', derivationPath: "m/86'/0'/1'/0/0" })
    expect(again.id).not.toBe(added[0]?.id)
    expect(again.address).toBe(added[0]?.address)
  })

  it('gives two who ask at once two accounts', async () => {
    const { accounts, all } = await startWallet()
    await Promise.all([accounts.add(nextOf('p2tr', '')), accounts.add(nextOf('p2tr', ''))])
    expect((await all()).map(({ name }) => spellName(name))).toEqual(
      [1, 2, 3, 4].map(n => `Account ${n}`),
    )
    expect(new Set((await all()).map(({ address }) => address)).size).toBe(4)
  })

  it('outlives lock and restart', async () => {
    const { accounts, all, local } = await startWallet()
    await accounts.add(nextOf('p2pkh', 'Old style'))
    const before = await all()
    const later = createAccounts(createTestVault({ local }))
    await later.unlock(PASSWORD)
    expect(await later.list('mainnet')).toEqual(before)
  })

  it('is refused in a wallet that was made of a key, and while locked', async () => {
    const { accounts } = await startWalletOfKey()
    await expect(accounts.add(nextOf('p2tr', ''))).rejects.toMatchObject(reason('NO_PHRASE'))
    await accounts.lock()
    await expect(accounts.add(nextOf('p2tr', ''))).rejects.toThrow(VaultLockedError)
  })
})

describe('adding accounts that a scan found', () => {
  it('leaves out those that are there, first receiving address and account 0 being one', async () => {
    const { accounts, all } = await startWallet()
    const found = [
      { addressType: 'p2tr', line: 'receive', index: 0 },
      { addressType: 'p2wpkh', line: 'accounts', index: 0 },
      { addressType: 'p2wpkh', line: 'receive', index: 1 },
      { addressType: 'p2tr', line: 'change', index: 0 },
      { addressType: 'p2wpkh', line: 'receive', index: 1 },
    ] as const
    const added = await accounts.addPlaces(null, found)
    expect(added.map(({ address }) => address)).toEqual([SECOND_SEGWIT, CHANGE_TAPROOT])
    expect(added.map(({ name }) => spellName(name))).toEqual(['Account 3', 'Account 4'])
    expect(await accounts.addPlaces(null, found)).toEqual([])
    expect(await all()).toHaveLength(4)
  })

  it('leaves an address alone that is watched already', async () => {
    const { accounts, all } = await startWallet()
    await accounts.watch({ address: SECOND_SEGWIT, name: 'Seen' })
    const place = { addressType: 'p2wpkh', line: 'receive', index: 1 } as const
    expect(await accounts.addPlaces(null, [place])).toEqual([])
    expect((await all()).map(({ name }) => spellName(name))).toEqual([
      'Account 1',
      'Account 2',
      'Seen',
    ])
  })
})

describe('an imported key', () => {
  it('is an account at the addresses that an independent library gives it', async () => {
    for (const [addressType, spend] of [
      ['p2tr', p2tr(KEY_PUBLIC.slice(1))],
      ['p2wpkh', p2wpkh(KEY_PUBLIC)],
      ['p2pkh', p2pkh(KEY_PUBLIC)],
    ] as const) {
      const { accounts } = await startWallet()
      const view = await accounts.importWif({ wif: WIF_MAIN, addressType, name: '' })
      expect(view).toMatchObject({
        source: 'key',
        name: { unnamed: 'account', number: 3 },
        derivationPath: null,
      })
      expect(view.address).toBe(spend.address)
      expect(canSign(view)).toBe(true)
    }
  })

  it('belongs to mainnet, or to all test networks', async () => {
    const { accounts } = await startWallet()
    const wrong = { wif: WIF_TEST, addressType: 'p2wpkh', name: '' } as const
    await expect(accounts.importWif(wrong)).rejects.toThrow(InvalidWifError)
    await accounts.selectNetwork('regtest')
    const { id } = await accounts.importWif(wrong)
    const listed = async (network: 'mainnet' | 'signet' | 'regtest') =>
      (await accounts.list(network)).find(account => account.id === id)?.address
    expect(await listed('mainnet')).toBeUndefined()
    expect(await listed('signet')).toMatch(/^tb1q/)
    expect(await listed('regtest')).toMatch(/^bcrt1q/)
    await accounts.selectNetwork('mainnet')
    await accounts.importWif({ ...wrong, wif: WIF_MAIN })
  })

  it('never reaches session storage, nor local storage in the clear', async () => {
    const { accounts, local, session } = await startWallet()
    await accounts.importWif({ wif: WIF_MAIN, addressType: 'p2tr', name: 'Imported' })
    const stored = JSON.stringify([local.dump(), session.dump()])
    for (const secret of [WIF_MAIN, '0c28fca386c7a227600b2fe50b7cae11'])
      expect(stored).not.toContain(secret)
  })

  it('alone makes a wallet, which has accounts on its own networks only', async () => {
    const { accounts, all } = await startWalletOfKey()
    expect(await all()).toMatchObject([
      { name: { unnamed: 'account', number: 1 }, source: 'key', addressType: 'p2pkh' },
    ])
    expect(await accounts.phrases()).toEqual([])
    expect(await accounts.list('regtest')).toEqual([])
    expect(await accounts.selected('regtest')).toBeNull()
  })
})

describe('a watched address', () => {
  it('is an account that cannot sign, of any type that can be paid', async () => {
    const { accounts } = await startWallet()
    for (const [address, addressType] of [
      [THEIRS, 'p2wpkh'],
      ['3P14159f73E4gFr7JterCCQh9QjiTjiZrG', 'p2sh-p2wpkh'],
      ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'p2pkh'],
      [P2WSH, null],
    ] as const) {
      const view = await accounts.watch({ address, name: address.slice(0, 8) })
      expect(view).toMatchObject({ source: 'watch', address, addressType, publicKey: null })
      expect(canSign(view)).toBe(false)
    }
  })

  it('must be one of the network in use', async () => {
    const { accounts } = await startWallet()
    await accounts.selectNetwork('regtest')
    const watched = accounts.watch({ address: THEIRS, name: '' })
    await expect(watched).rejects.toThrow(InvalidAddressError)
  })
})

describe('an address that an account has', () => {
  it('is refused with the name of that account, however it comes', async () => {
    const { accounts, all } = await startWallet()
    const [taproot] = await all()
    const address = taproot?.address ?? ''
    const refused = reason('ACCOUNT_EXISTS', {
      accountId: taproot?.id,
      name: { unnamed: 'account', number: 1 },
    })
    await expect(accounts.watch({ address, name: 'Me' })).rejects.toMatchObject(refused)
    await expect(
      accounts.watch({ address: address.toUpperCase(), name: 'Me' }),
    ).rejects.toMatchObject(refused)
    const key = { wif: WIF_MAIN, addressType: 'p2wpkh', name: 'Key' } as const
    await accounts.importWif(key)
    await expect(accounts.importWif(key)).rejects.toMatchObject(
      reason('ACCOUNT_EXISTS', { name: 'Key' }),
    )
    await accounts.importWif({ ...key, addressType: 'p2pkh', name: 'Other type' })
    expect((await all()).map(({ name }) => spellName(name))).toEqual([
      'Account 1',
      'Account 2',
      'Key',
      'Other type',
    ])
  })
})

describe('a name', () => {
  it('is changed, and trimmed', async () => {
    const { accounts, all } = await startWallet()
    const [first] = await all()
    await accounts.rename(first?.id ?? '', '  Spaß & Fun 😀 ')
    expect((await all())[0]?.name).toBe('Spaß & Fun 😀')
    await accounts.rename(first?.id ?? '', '😀'.repeat(40))
  })

  it('that is taken away leaves the number that the account had, or the first that is free', async () => {
    const { accounts, all } = await startWallet()
    const [first, second] = await all()
    const id = second?.id ?? ''
    const nameNow = async () => (await all()).find(one => one.id === id)?.name
    await accounts.rename(id, '')
    expect(await nameNow()).toEqual({ unnamed: 'account', number: 2 })
    await accounts.rename(id, 'Savings')
    await accounts.rename(id, '')
    expect(await nameNow()).toEqual({ unnamed: 'account', number: 2 })
    await accounts.rename(id, 'Savings')
    await accounts.add(nextOf('p2tr', ''))
    await accounts.rename(id, '')
    expect((await all()).map(({ name }) => spellName(name))).toEqual([
      ...['Account 1', 'Account 3', 'Account 2'],
    ])
    expect((await all())[0]).toEqual(first)
  })

  it('that a person typed stays theirs, also where it reads like one that nobody gave', async () => {
    const { accounts, all } = await startWallet()
    const [first] = await all()
    for (const typed of ['Account 7', 'Wallet 2', 'Account 01', 'Konto 1']) {
      await accounts.rename(first?.id ?? '', typed)
      expect(String((await all())[0]?.name).replace('\u00a0', ' ')).toBe(typed)
    }
    await accounts.rename(first?.id ?? '', 'Account 3')
    const added = await accounts.add(nextOf('p2tr', ''))
    expect(added.name).toEqual({ unnamed: 'account', number: 1 })
    const another = await accounts.add(nextOf('p2tr', ''))
    expect(another.name).toEqual({ unnamed: 'account', number: 4 })
  })

  it.each([
    ['spaces', '   '],
    ['41 characters', 'x'.repeat(41)],
    ['a line end', 'a\nb'],
    ['a text that reads backwards', 'Account \u202e1'],
    ['an isolate', 'a\u2066b'],
    ['a zero-width space', 'Account 1\u200b'],
    ['a blank filler', 'a\u3164'],
    ['a null', 'a\0'],
    ['no text', 7 as never],
  ])('is never %s', async (_, name) => {
    const { accounts, all } = await startWallet()
    const before = await all()
    const renamed = accounts.rename(before[0]?.id ?? '', name)
    await expect(renamed).rejects.toMatchObject({ code: -32602 })
    expect(await all()).toEqual(before)
  })

  it('is refused with the reason where it has a character that cannot be seen', async () => {
    const { accounts, all } = await startWallet()
    const renamed = accounts.rename((await all())[0]?.id ?? '', 'Fa\u200dmily')
    await expect(renamed).rejects.toMatchObject({ code: -32602, data: { problem: 'NAME' } })
  })

  it('is given to accounts of the wallet only', async () => {
    const { accounts } = await startWallet()
    await expect(accounts.rename('zz', 'Name')).rejects.toThrow(UnknownAccountError)
  })
})

describe('hiding', () => {
  it('moves the selection away, and showing again does not bring it back by itself', async () => {
    const { accounts, all } = await startWallet()
    const [first, second] = await all()
    await accounts.setHidden(first?.id ?? '', true)
    expect(await accounts.selected('mainnet')).toMatchObject({ id: second?.id })
    expect((await all()).map(({ hidden }) => hidden)).toEqual([true, false])
    await expect(accounts.select(first?.id ?? '')).rejects.toThrow(UnknownAccountError)
    await accounts.select(second?.id ?? '')
    await accounts.setHidden(first?.id ?? '', false)
    expect(await accounts.selected('mainnet')).toMatchObject({ id: second?.id })
  })

  it('leaves one to show', async () => {
    const { accounts, all } = await startWallet()
    const [first, second] = await all()
    await accounts.setHidden(second?.id ?? '', true)
    await expect(accounts.setHidden(first?.id ?? '', true)).rejects.toMatchObject(
      reason('LAST_ACCOUNT'),
    )
    expect(await accounts.selected('mainnet')).toMatchObject({ id: first?.id, hidden: false })
  })

  it('is the last one shown also where two pages hide one each at the same time', async () => {
    const { accounts, all } = await startWallet()
    const ids = (await all()).map(({ id }) => id)
    const ended = await Promise.allSettled(ids.map(id => accounts.setHidden(id, true)))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((await all()).map(({ hidden }) => hidden)).toEqual([true, false])
  })
})

describe('removing', () => {
  it('forgets the account, and moves the selection', async () => {
    const { accounts, all } = await startWallet()
    const [first, second] = await all()
    await accounts.select(second?.id ?? '')
    await accounts.remove(second?.id ?? '')
    expect(await all()).toEqual([first])
    expect(await accounts.selected('mainnet')).toMatchObject({ id: first?.id })
    await expect(accounts.remove(second?.id ?? '')).rejects.toThrow(UnknownAccountError)
  })

  it('keeps the last account that can sign', async () => {
    const { accounts, all } = await startWallet()
    await accounts.watch({ address: THEIRS, name: '' })
    const [first, second, watched] = await all()
    await accounts.remove(first?.id ?? '')
    await expect(accounts.remove(second?.id ?? '')).rejects.toMatchObject(reason('LAST_ACCOUNT'))
    await accounts.remove(watched?.id ?? '')
    expect(await all()).toMatchObject([{ id: second?.id }])
  })
})

describe('a worker that dies after a change', () => {
  it('leaves no old views to the next', async () => {
    const made = await startWallet()
    const { local, session } = made
    const refuse = { ...session, set: () => Promise.reject(new Error('died')) }
    const dying = createAccounts({ ...made, session: refuse })
    await expect(dying.add(nextOf('p2tr', 'New'))).rejects.toThrow('died')
    const next = createAccounts(createTestVault({ local, session }))
    expect((await next.list('mainnet')).map(({ name }) => name)).toContain('New')
  })
})
