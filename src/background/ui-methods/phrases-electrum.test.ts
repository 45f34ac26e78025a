import * as ecc from '@bitcoinerlab/secp256k1'
import { BIP32Factory } from 'bip32'
import { mnemonicToSeedSync } from 'bip39'
import { networks } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import vectors from '../../bitcoin/testing/vectors/electrum-seeds.json' with { type: 'json' }
import { balance, pay, wait } from '../accounts/testing/many-addresses.ts'
import { BACKUP_PASSWORD, createBackup, restore } from '../backup/testing/full-wallet.ts'
import { encodeAddress } from '../testing/device-wallet.ts'
import { inputsOf, outputsOf, readBroadcast } from '../testing/funded-wallet.ts'
import {
  ABANDON_MNEMONIC,
  createWorld,
  fund,
  PASSWORD,
  startUnlocked,
  startWorker,
  type World,
} from '../testing/test-wallet.ts'

/** Of Electrum's tests, with the bytes that Electrum makes of them. */
const SEGWIT = find('english')
const STANDARD = find('spanish')
const WITH_PASSPHRASE = find('english_with_passphrase')

function find(name: string) {
  const found = vectors.seeds.find(one => one.name === name)
  if (!found) throw new Error(`No vector ${name}`)
  const { words: mnemonic, passphrase, seed } = found
  const phraseKind = found.kind === 'segwit' ? 'electrum-segwit' : 'electrum-standard'
  return { phrase: { mnemonic, passphrase, phraseKind } as const, seed }
}

/** An address on regtest, by bip32 from Electrum's bytes and scure-btc-signer. */
function addressAt({ seed, phrase }: ReturnType<typeof find>, branch: 0 | 1, index: number) {
  const isSegwit = phrase.phraseKind === 'electrum-segwit'
  const path = `m/${isSegwit ? "0'/" : ''}${branch}/${index}`
  const { publicKey } = BIP32Factory(ecc).fromSeed(fromHex(seed)).derivePath(path)
  return encodeAddress(isSegwit ? 'p2wpkh' : 'p2pkh', publicKey)
}

async function startWith(vector: ReturnType<typeof find>, world: World = createWorld()) {
  const worker = await startUnlocked(world)
  const { phrase, accounts } = await worker.ui('addPhrase', { ...vector.phrase, name: 'Old' })
  const [account] = accounts
  if (!account || accounts.length !== 1) throw new Error('not one account')
  await worker.ui('selectAccount', { accountId: account.id })
  return { world, worker, phrase, account }
}

describe.each([
  ['segwit', SEGWIT],
  ['standard', STANDARD],
  ['with a passphrase', WITH_PASSPHRASE],
])('a seed of Electrum (%s)', (_, vector) => {
  it('has one account, with the addresses that Electrum has, and pays from both of its branches', async () => {
    const { world, worker, account, phrase } = await startWith(vector)
    expect(phrase).toMatchObject({ name: 'Old', kind: vector.phrase.phraseKind })
    expect(account.address).toBe(addressAt(vector, 0, 0))
    const coins = [
      fund(world, addressAt(vector, 0, 3), 50_000n),
      fund(world, addressAt(vector, 1, 2), 60_000n),
    ]
    wait(world)
    expect(await balance(worker)).toMatchObject({ confirmed: '110000' })
    const { txid } = await pay(worker, '100000')
    const transaction = readBroadcast(world, txid)
    expect(inputsOf(transaction).sort()).toEqual(coins.map(coin => `${coin}:0`).sort())
    // Change goes to the first address of its branch that nothing was paid to after the last used one.
    const paid = outputsOf(transaction).map(({ address }) => address)
    expect(paid).toContain(addressAt(vector, 1, 3))
  })

  it('is there again after a lock, shows its words, and is not there twice', async () => {
    const { world, account } = await startWith(vector)
    const later = startWorker(world)
    await later.ui('lock', null)
    await later.ui('unlock', { password: PASSWORD })
    const { accounts, phrases } = await later.ui('getState', null)
    expect(accounts).toContainEqual(account)
    const phraseId = phrases.find(({ kind }) => kind !== 'bip39')?.id ?? ''
    const shown = await later.ui('revealPhrase', { password: PASSWORD, phraseId })
    const { mnemonic, passphrase } = vector.phrase
    expect(shown).toEqual({
      accepted: true,
      words: mnemonic.normalize('NFKD').split(' '),
      passphrase,
    })
    const again = { ...vector.phrase, mnemonic: ` ${mnemonic.toUpperCase()}`, name: '' }
    await expect(later.ui('addPhrase', again)).rejects.toMatchObject({
      data: { reason: 'PHRASE_EXISTS', name: 'Old' },
    })
  })

  it('is a wallet of its own from the start, too', async () => {
    const world = createWorld()
    const worker = startWorker(world)
    await worker.ui('selectNetwork', { network: 'regtest' })
    const origin = { kind: 'mnemonic', ...vector.phrase } as const
    await worker.ui('createVault', { origin, password: PASSWORD })
    const { accounts } = await worker.ui('getState', null)
    expect(accounts.map(({ address }) => address)).toEqual([addressAt(vector, 0, 0)])
  })

  it('has its one account again where it was removed, and no other', async () => {
    const { worker, account, phrase } = await startWith(vector)
    const { addressType } = account
    if (!addressType) throw new Error('no type')
    const add = (type: typeof addressType, ordinals = false) =>
      worker.ui('addAccount', { addressType: type, ordinals, name: '', phraseId: phrase.id })
    await expect(add(addressType)).rejects.toMatchObject({ data: { reason: 'ACCOUNT_EXISTS' } })
    await worker.ui('removeAccount', { accountId: account.id })
    const other = addressType === 'p2pkh' ? 'p2wpkh' : 'p2pkh'
    await expect(add(other)).rejects.toMatchObject({ data: { reason: 'ELECTRUM_PHRASE' } })
    const { id: _, name: __, ...same } = account
    expect(await add(addressType)).toMatchObject(same)
  })

  it('is refused where only phrases of BIP-39 have a place', async () => {
    const { worker, phrase } = await startWith(vector)
    const refused = { data: { reason: 'ELECTRUM_PHRASE' } }
    const range = { addressType: 'p2wpkh', line: 'receive', from: 0, count: 1 } as const
    const phraseId = phrase.id
    await expect(worker.ui('scanAddresses', { ...range, phraseId })).rejects.toMatchObject(refused)
    const cosigner = worker.ui('getCosignerKey', { script: 'p2wsh', phraseId })
    await expect(cosigner).rejects.toMatchObject(refused)
    const found = [{ addressType: 'p2tr', line: 'accounts', index: 0 } as const]
    await expect(worker.ui('addScanned', { found, phraseId })).rejects.toMatchObject(refused)
  })
})

describe('a key to be one of several signers with', () => {
  const script = 'p2wsh'

  it('is that of a recovery phrase where the account in use is of a seed of Electrum', async () => {
    const { worker } = await startWith(SEGWIT)
    const [words] = (await worker.ui('getState', null)).phrases
    const key = await worker.ui('getCosignerKey', { script })
    // BIP-48, by bip32 from the test words.
    const seed = mnemonicToSeedSync(ABANDON_MNEMONIC)
    const node = BIP32Factory(ecc).fromSeed(seed, networks.testnet).derivePath("m/48'/1'/0'/2'")
    expect(key).toContain(node.neutered().toBase58())
    expect(await worker.ui('getCosignerKey', { script, phraseId: words?.id ?? '' })).toBe(key)
  })

  it('is refused in words where there is no recovery phrase', async () => {
    const worker = startWorker(createWorld())
    const origin = { kind: 'mnemonic', ...SEGWIT.phrase } as const
    await worker.ui('createVault', { origin, password: PASSWORD })
    const asked = worker.ui('getCosignerKey', { script })
    await expect(asked).rejects.toMatchObject({ data: { reason: 'ELECTRUM_PHRASE' } })
  })
})

describe('words that are said to be of another kind than they are', () => {
  it('are refused, with the field and what was expected', async () => {
    const worker = await startUnlocked(createWorld())
    const add = (phraseKind: string) =>
      worker.ui('addPhrase', { ...SEGWIT.phrase, phraseKind: phraseKind as 'bip39', name: '' })
    await expect(add('bip39')).rejects.toThrow(/^mnemonic: .*a valid recovery phrase/)
    const standard = add('electrum-standard')
    await expect(standard).rejects.toThrow(/^mnemonic: .*a valid seed of Electrum of this kind/)
    await expect(add('slip39')).rejects.toThrow(/^phraseKind: expected bip39, .*"slip39"/)
  })
})

describe('a backup of a wallet with a seed of Electrum', () => {
  it('is known as that wallet’s own, and brings its account and names back', async () => {
    const { worker, account, phrase } = await startWith(SEGWIT)
    await worker.ui('renameAccount', { accountId: account.id, name: 'Savings' })
    await worker.ui('renamePhrase', { phraseId: phrase.id, name: 'From Electrum' })
    const file = await createBackup(worker)
    const fresh = startWorker(createWorld())
    await fresh.ui('selectNetwork', { network: 'regtest' })
    const origin = { kind: 'mnemonic', ...SEGWIT.phrase } as const
    await fresh.ui('createVault', { origin, password: PASSWORD })
    const { isOwn } = await fresh.ui('reviewBackup', { file, password: BACKUP_PASSWORD })
    expect(isOwn).toBe(true)
    await restore(fresh, file)
    const { accounts, phrases } = await fresh.ui('getState', null)
    expect(phrases.map(({ name }) => name)).toEqual(['From Electrum'])
    const { id: _, phraseId: _other, ...same } = { ...account, phraseId: null }
    expect(accounts).toContainEqual(expect.objectContaining({ ...same, name: 'Savings' }))
  })
})
