import { WIF } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import type { AddressType } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { randomBytes } from '../primitives/random-source.ts'
import {
  createTestVault,
  GROWN_SECRET,
  PASSWORD,
  PHRASE_ID,
  SECRET,
} from './testing/vault-fixture.ts'
import type { VaultSecret } from './vault.ts'
import { createVaultAccounts } from './vault-accounts.ts'
import { createSecret } from './vault-phrases.ts'

const next = (addressType: AddressType, name: string, withOrdinals: boolean) => ({
  ...{ phraseId: null, addressType, name, withOrdinals },
})

const KEY = '0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d'
const WIF_OF_KEY = WIF().encode(fromHex(KEY))
const newKey = { wif: WIF_OF_KEY, addressType: 'p2wpkh', name: '', network: 'mainnet' } as const
/** The first addresses of BIP-86's and BIP-84's phrase, which is that of the fixture. */
const OF_PHRASE = {
  p2tr: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  p2wpkh: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
}
const STRANGER = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'

async function createAccounts(secret: VaultSecret = SECRET) {
  const { vault } = createTestVault()
  await vault.create(secret, PASSWORD)
  const accounts = createVaultAccounts({ vault, random: randomBytes })
  const names = async () => (await accounts.read()).accounts.map(({ name }) => name)
  return { vault, accounts, names }
}

describe('an account that gets an address for ordinals', () => {
  it('keeps what something else changed of it meanwhile', async () => {
    const { vault, accounts } = await createAccounts()
    const others = createVaultAccounts({ vault, random: randomBytes })
    const [id = ''] = await accounts.addNext(next('p2wpkh', 'Before', false))
    await accounts.setOrdinals(id, true, async write => {
      await others.change(id, { name: 'After' })
      await write()
    })
    const found = (await accounts.read()).accounts.find(one => one.id === id)
    expect([found?.name, found?.sides.mainnet?.ordinals?.scriptPubKey.slice(0, 4)]).toEqual([
      'After',
      '5120',
    ])
  })
})

describe('an account that is added', () => {
  it('is the next of its type from the phrase, beside those that were there', async () => {
    const { vault, accounts } = await createAccounts()
    const [id] = await accounts.addNext(next('p2tr', '', false))
    const { accounts: all, phrases } = await vault.open()
    expect(phrases).toEqual(SECRET.phrases)
    expect(all).toEqual([...SECRET.accounts, { ...GROWN_SECRET.accounts[2], id }])
  })

  it('takes the least index that is free, and the name that it is given', async () => {
    const { accounts, names } = await createAccounts()
    const [second = ''] = await accounts.addNext(next('p2tr', 'Second', false))
    await accounts.addNext(next('p2tr', 'Third', false))
    await accounts.remove(second)
    const [again] = await accounts.addNext(next('p2tr', 'Second again', false))
    const { accounts: all } = await accounts.read()
    expect(all.find(({ id }) => id === again)).toMatchObject({ source: 'seed', index: 1 })
    expect(await names()).toEqual(['Account 1', 'Account 2', 'Third', 'Second again'])
  })

  it('has an id that nothing else has', async () => {
    const { accounts } = await createAccounts()
    const ids = [
      ...(await accounts.addNext(next('p2tr', '', false))),
      ...(await accounts.addNext(next('p2tr', '', false))),
    ]
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('is refused with the name of the account that has its address, and nothing changes', async () => {
    const { accounts, names } = await createAccounts()
    const watch = { name: '', network: 'mainnet' } as const
    const there = (number: number) => ({
      data: { reason: 'ACCOUNT_EXISTS', name: { unnamed: 'account', number } },
    })
    for (const [at, address] of Object.values(OF_PHRASE).entries())
      await expect(accounts.addAddress({ ...watch, address })).rejects.toMatchObject(there(at + 1))
    await accounts.addKey(newKey)
    await expect(accounts.addKey(newKey)).rejects.toMatchObject(there(3))
    expect(await names()).toEqual(['Account 1', 'Account 2', 'Account 3'])
  })

  it('is left out where places are looked through that the wallet has, or that are named twice', async () => {
    const { accounts } = await createAccounts()
    const place = (index: number) => ({ addressType: 'p2tr', line: 'accounts', index }) as const
    expect(await accounts.addPlaces(null, [place(0)])).toEqual([])
    expect(await accounts.addPlaces(null, [place(0), place(1), place(1), place(2)])).toHaveLength(2)
    const { accounts: all } = await accounts.read()
    expect(all.map(account => account.source === 'seed' && account.index)).toEqual([0, 0, 1, 2])
  })

  it('cannot be derived in a wallet without a phrase', async () => {
    const origin = { kind: 'wif', wif: WIF_OF_KEY, addressType: 'p2wpkh' } as const
    const { accounts } = await createAccounts(await createSecret(origin, 'mainnet', randomBytes))
    expect((await accounts.read()).phrases).toEqual([])
    await expect(accounts.addNext(next('p2tr', '', false))).rejects.toThrow('phrase')
    await expect(
      accounts.addPlaces(null, [{ addressType: 'p2tr', line: 'accounts', index: 0 }]),
    ).rejects.toThrow('phrase')
  })
})

describe('what is read of the accounts', () => {
  it('never has a private key in it', async () => {
    const { accounts } = await createAccounts()
    await accounts.addKey(newKey)
    const read = await accounts.read()
    expect(read.phrases).toEqual([
      { id: PHRASE_ID, name: { unnamed: 'wallet', number: 1 }, kind: 'bip39' },
    ])
    expect(read.accounts).toHaveLength(3)
    expect(JSON.stringify(read)).not.toContain(KEY)
    expect(read.accounts[2]).not.toHaveProperty('privateKey')
  })
})

describe('an account that is changed or removed', () => {
  it('is that one alone', async () => {
    const { accounts } = await createAccounts()
    await accounts.change('bb', { name: 'Rent' })
    await accounts.change('aa', { hidden: true })
    const { accounts: all } = await accounts.read()
    expect(all.map(({ name, hidden }) => [name, hidden])).toEqual([
      ['Account 1', true],
      ['Rent', false],
    ])
    await accounts.remove('aa')
    expect((await accounts.read()).accounts.map(({ id }) => id)).toEqual(['bb'])
  })

  it('must be there', async () => {
    const { accounts, names } = await createAccounts()
    await expect(accounts.change('zz', { name: 'x' })).rejects.toMatchObject({ code: -32602 })
    await expect(accounts.remove('zz')).rejects.toMatchObject({ code: -32602 })
    expect(await names()).toEqual(['Account 1', 'Account 2'])
  })

  it('is not the last with a key: a watched address cannot sign', async () => {
    const { accounts, names } = await createAccounts()
    await accounts.addAddress({ address: STRANGER, name: 'Watched', network: 'mainnet' })
    await accounts.remove('aa')
    await expect(accounts.remove('bb')).rejects.toThrow()
    expect(await names()).toEqual(['Account 2', 'Watched'])
    await accounts.addKey({ ...newKey, name: 'Key' })
    await accounts.remove('bb')
    expect(await names()).toEqual(['Watched', 'Key'])
  })
})

describe('a new wallet', () => {
  it('of a phrase has the taproot and the segwit account that the BIPs publish', async () => {
    const { mnemonic = '', passphrase = '' } = SECRET.phrases[0] ?? {}
    const origin = { kind: 'mnemonic', mnemonic, passphrase } as const
    const secret = await createSecret(origin, 'mainnet', randomBytes)
    const [phrase = { id: '' }] = secret.phrases
    const words = { kind: 'bip39', mnemonic, passphrase }
    expect(secret.phrases).toEqual([{ id: phrase.id, name: 'Wallet 1', ...words }])
    expect(phrase.id).toMatch(/^[0-9a-f]{32}$/)
    expect(secret.accounts.map(({ id: _, ...rest }) => rest)).toEqual(
      SECRET.accounts.map(({ id: _, ...rest }) => ({ ...rest, phrase: phrase.id })),
    )
  })

  it('of a key has that account alone, on the side that the key is of', async () => {
    const origin = { kind: 'wif', wif: WIF_OF_KEY, addressType: 'p2wpkh' } as const
    const { phrases, accounts } = await createSecret(origin, 'mainnet', randomBytes)
    expect(phrases).toEqual([])
    expect(accounts).toHaveLength(1)
    expect(accounts[0]).toMatchObject({ source: 'key', privateKey: KEY, hidden: false })
    expect(Object.keys(accounts[0]?.sides ?? {})).toEqual(['mainnet'])
  })
})
