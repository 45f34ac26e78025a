import { NETWORK, TEST_NETWORK, Transaction, WIF } from '@scure/btc-signer'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { encodeAddress, scriptPubKeyOf } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { KeyPair } from '../../bitcoin/derivation.ts'
import { verifyMessage } from '../../bitcoin/messages/message.ts'
import { keySpaceOf } from '../../bitcoin/network.ts'
import { buildPayment } from '../../bitcoin/payments/payment.ts'
import { encodePsbt } from '../../bitcoin/psbt/psbt.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { BIP84_VECTORS, BIP86_VECTORS } from '../../bitcoin/testing/bip-vectors.ts'
import { referenceContextHash } from '../../bitcoin/testing/context-hash-reference.ts'
import { buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import { PERMISSIVE, verifyIndependently } from '../../bitcoin/testing/signature-oracle.ts'
import { planBuilt, SIGNER_KEY, SIGNER_PUBLIC_KEY } from '../../bitcoin/testing/signing-case.ts'
import contextHashes from '../../bitcoin/testing/vectors/context-hash.json' with { type: 'json' }
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { bumpReveals } from '../../ordinals/inscriptions/fee-bumped-reveals.ts'
import { buildInscribing } from '../../ordinals/inscriptions/inscribing.ts'
import { buildRefund } from '../../ordinals/inscriptions/refund.ts'
import { UnknownAccountError } from './account-errors.ts'
import { createSigner } from './signer.ts'
import { createTestVault, PASSWORD, SECRET } from './testing/vault-fixture.ts'
import type { VaultAccount } from './vault.ts'
import { createSeedAccounts, toSide } from './vault-seed.ts'
import { VaultLockedError } from './vault-session.ts'

/** Everything secret that the signer was handed, to look at after its call. */
const handed = vi.hoisted(() => ({ seeds: [] as Uint8Array[], keys: [] as KeyPair[] }))

vi.mock('../../bitcoin/mnemonic.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../../bitcoin/mnemonic.ts')>()
  const mnemonicToSeed = async (...args: Parameters<typeof original.mnemonicToSeed>) => {
    const seed = await original.mnemonicToSeed(...args)
    handed.seeds.push(seed)
    return seed
  }
  return { ...original, mnemonicToSeed }
})

vi.mock('../../bitcoin/derivation.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../../bitcoin/derivation.ts')>()
  const keep = (keys: ReturnType<typeof original.deriveKey>) => {
    handed.keys.push(keys)
    return keys
  }
  const createKeys = (seed: Uint8Array) => {
    const keyAt = original.createKeys(seed)
    return (path: string) => keep(keyAt(path))
  }
  const deriveKey = (seed: Uint8Array, path: string) => keep(original.deriveKey(seed, path))
  return { ...original, deriveKey, createKeys }
})

const FIRST = { branch: 0, index: 0 }
const network = 'regtest' as const
const IMPORTED_KEY = '0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d'
const PHRASE = SECRET.phrases[0] ?? { id: '', kind: 'bip39', mnemonic: '', passphrase: '' }

/** The accounts of the fixture, one nested and one of the second index, an imported key of the test networks, and a watched address. */
async function createTestSigner() {
  const { vault } = createTestVault()
  const line = 'accounts' as const
  const derived = await createSeedAccounts(PHRASE, [
    { id: 'cc', name: 'Nested', addressType: 'p2sh-p2wpkh', line, index: 0 },
    { id: 'dd', name: 'Change', addressType: 'p2tr', line: 'change', index: 1 },
  ])
  const key: VaultAccount = {
    ...{ id: 'kk', name: 'Key', hidden: false },
    source: 'key',
    addressType: 'p2wpkh',
    privateKey: IMPORTED_KEY,
    sides: { test: toSide(publicKeyOf(fromHex(IMPORTED_KEY)), 'p2wpkh') },
  }
  const watched: VaultAccount = {
    id: 'ww',
    name: 'Watched',
    hidden: false,
    source: 'watch',
    sides: { test: { scriptPubKey: `5120${'11'.repeat(32)}`, publicKey: null } },
  }
  const accounts = [...SECRET.accounts, ...derived, key, watched]
  await vault.create({ ...SECRET, accounts }, PASSWORD)
  forgetHanded()
  return { vault, accounts, signer: createSigner({ vault }) }
}

beforeEach(forgetHanded)

function forgetHanded() {
  handed.seeds.length = 0
  handed.keys.length = 0
}

/** Fails unless secrets were handed out and every byte of them is zero now. */
function expectWiped() {
  const secrets = [...handed.seeds, ...handed.keys.map(({ privateKey }) => privateKey)]
  expect(handed.seeds.length).toBeGreaterThan(0)
  expect(secrets.flatMap(bytes => [...bytes]).every(byte => byte === 0)).toBe(true)
}

describe('signPsbts', () => {
  it('signs each of them with the key of the account, and none where the account has no key', async () => {
    const { vault } = createTestVault()
    const source = { source: 'key', addressType: 'p2wpkh', privateKey: toHex(SIGNER_KEY) } as const
    const sides = { test: toSide(SIGNER_PUBLIC_KEY, 'p2wpkh') }
    const account = { id: 'sk', name: 'Key', hidden: false, sides, ...source }
    await vault.create({ ...SECRET, accounts: [...SECRET.accounts, account] }, PASSWORD)
    const signer = createSigner({ vault })
    const items = [6_000n, 7_000n].map(amount =>
      planBuilt(
        buildPsbt({
          inputs: [{ type: 'p2wpkh', key: SIGNER_KEY, amount, proof: 'previous' }],
          outputs: [{ type: 'p2tr', amount: 5_000n }],
        }),
        { type: 'p2wpkh' },
      ),
    )
    const planned = items.map(({ plan, ...item }) => ({ ...item, plans: [{ place: FIRST, plan }] }))
    const signed = await signer.signPsbts({ accountId: 'sk', network: 'regtest', items: planned })
    expect(signed).toHaveLength(2)
    for (const [at, psbt] of signed.entries()) {
      const [signature] = psbt.inputs[0]?.partialSigs ?? []
      const [prevout] = items[at]?.prevouts ?? []
      if (!signature || !prevout) expect.fail('not signed')
      const other = Transaction.fromPSBT(encodePsbt(psbt), PERMISSIVE)
      const script = scriptPubKeyOf(SIGNER_PUBLIC_KEY, 'p2pkh')
      const how = { scheme: 'v0', publicKey: SIGNER_PUBLIC_KEY, script } as const
      expect(verifyIndependently(other, [prevout], 0, how, 1, signature.signature)).toBe(true)
    }
    const elsewhere = { accountId: 'sk', network: 'mainnet', items: planned } as const
    await expect(signer.signPsbts(elsewhere)).rejects.toMatchObject({ code: -32602 })
  })
})

describe('deriveAddresses', () => {
  it('gives the receiving and change addresses of BIP-86 and BIP-84 in the order asked for, then wipes', async () => {
    const { signer } = await createTestSigner()
    const asked = (['p2tr', 'p2wpkh'] as const).flatMap(addressType => [
      { addressType, line: 'change' as const, index: 0 },
      { addressType, line: 'receive' as const, index: 1 },
      { addressType, line: 'receive' as const, index: 0 },
    ])
    const addresses = await signer.deriveAddresses(null, asked, 'mainnet')
    const published = [...BIP86_VECTORS, ...BIP84_VECTORS]
    const paths = ["86'/0'/0'/1/0", "86'/0'/0'/0/1", "86'/0'/0'/0/0"]
    paths.push("84'/0'/0'/1/0", "84'/0'/0'/0/1", "84'/0'/0'/0/0")
    expect(addresses).toEqual(
      paths.map(path => published.find(vector => vector.path === `m/${path}`)?.address),
    )
    expectWiped()
  })
})

describe('deriveBasePublicKey', () => {
  it('of a device’s account leaves nothing of the phrase behind', async () => {
    const { vault } = createTestVault()
    const account: VaultAccount = {
      ...{ id: 'dd', name: 'Cold', hidden: false, source: 'device', addressType: 'p2wpkh' },
      sides: { test: toSide(SIGNER_PUBLIC_KEY, 'p2wpkh') },
      ...{ descriptor: '', phrase: PHRASE.id },
      ...{ fingerprint: 'd34db33f', derivationPath: "m/84'/1'/0'/0/0" },
    }
    await vault.create({ ...SECRET, accounts: [...SECRET.accounts, account] }, PASSWORD)
    const signer = createSigner({ vault })
    forgetHanded()
    const asked = { accountId: 'dd', network: 'regtest', ofType: 'p2wpkh' } as const
    const base = await signer.deriveBasePublicKey(asked)
    expect(base).toHaveLength(33)
    expect(toHex(base)).not.toBe(toHex(SIGNER_PUBLIC_KEY))
    expectWiped()
  })
})

describe('deriveContextHash', () => {
  it('gives the published secret to an account at the published path, and wipes both keys', async () => {
    const { vault } = createTestVault()
    const place = { addressType: 'p2pkh', line: 'accounts', index: 0 } as const
    const accounts = await createSeedAccounts(PHRASE, [{ id: 'pp', name: 'Legacy', ...place }])
    await vault.create({ ...SECRET, accounts }, PASSWORD)
    forgetHanded()
    const signer = createSigner({ vault })
    for (const { appName, context, output } of contextHashes.wallet) {
      const params = { accountId: 'pp', network: 'mainnet', appName, context } as const
      expect(await signer.deriveContextHash(params)).toBe(output)
    }
    expect(handed.keys).toHaveLength(2 * contextHashes.wallet.length)
    expectWiped()
  })

  it('of an imported key is made of that key, though the wallet has a phrase', async () => {
    const { signer, accounts } = await createTestSigner()
    const publicKey = accounts.find(({ id }) => id === 'kk')?.sides.test?.publicKey ?? ''
    const params = { accountId: 'kk', network: 'signet', appName: 'app', context: '00' } as const
    const networkName = 'bitcoin-signet'
    const rest = { keyMaterial: IMPORTED_KEY, networkName, publicKey }
    expect(await signer.deriveContextHash(params)).toBe(
      referenceContextHash({ appName: 'app', context: '00', ...rest }),
    )
    expect(handed.seeds).toHaveLength(0)
  })

  it('of an account without a key, or of a locked wallet, is refused', async () => {
    const { vault, signer } = await createTestSigner()
    const params = { network: 'regtest', appName: 'app', context: '00' } as const
    for (const accountId of ['ww', 'none'])
      await expect(signer.deriveContextHash({ ...params, accountId })).rejects.toThrow(
        UnknownAccountError,
      )
    await vault.lock()
    await expect(signer.deriveContextHash({ ...params, accountId: 'aa' })).rejects.toThrow(
      VaultLockedError,
    )
  })
})

describe('a signer', () => {
  it('signs a message with the key of the account and network that are named', async () => {
    const { signer, accounts } = await createTestSigner()
    for (const account of accounts) {
      if (account.source === 'watch' || account.source === 'multisig') continue
      for (const network of ['mainnet', 'regtest'] as const) {
        const publicKey = account.sides[keySpaceOf(network)]?.publicKey
        if (!publicKey) continue
        const address = encodeAddress(fromHex(publicKey), account.addressType, network)
        const types = ['ecdsa', 'bip322-simple', 'bip322'] as const
        const messages = types.map(type => ({ message: `Grüße ₿ ${type}`, type }))
        const signatures = await signer.signMessages({ accountId: account.id, network, messages })
        expect(signatures).toHaveLength(messages.length)
        for (const [at, { message }] of messages.entries()) {
          const signed = { message, signature: signatures[at] ?? '', address, network }
          expect(verifyMessage(signed).state, `${account.name} ${message}`).toBe('valid')
          expect(verifyMessage({ ...signed, message: 'other' }).state).toBe('invalid')
        }
      }
    }
    expectWiped()
  })

  it('signs a payment, and wipes the key also when signing fails', async () => {
    const { signer } = await createTestSigner()
    const [taproot, segwit] = SECRET.accounts
    const publicKey = fromHex(taproot?.sides.test?.publicKey ?? '')
    const theirs = fromHex(segwit?.sides.test?.publicKey ?? '')
    const scriptPubKey = scriptPubKeyOf(publicKey, 'p2tr')
    const payment = buildPayment({
      recipients: [{ scriptPubKey: scriptPubKeyOf(theirs, 'p2wpkh'), amount: 10_000n }],
      memo: null,
      utxos: [{ txid: '11'.repeat(32), vout: 0, amount: 50_000n, scriptPubKey, height: 1 }],
      own: { publicKey, addressType: 'p2tr' },
      feeRate: 2,
      seed: 'seed',
    })
    const request = { network, payment, places: [FIRST], previousTransactions: new Map() }
    const { rawTx, txid } = await signer.signPayment({ ...request, accountId: 'aa' })
    const parsed = parseTransaction(rawTx)
    expect(parsed.txid).toBe(txid)
    expect(parsed.outputs).toEqual(payment.outputs)
    expectWiped()
    for (const [params, message] of [
      [{ ...request, accountId: 'bb' }, 'not of this key'],
      [{ ...request, accountId: 'aa', network: 'mainnet' }, 'not of this key'],
      [{ ...request, accountId: 'dd' }, 'not of this key'],
    ] as const) {
      await expect(signer.signPayment(params)).rejects.toThrow(message)
      expectWiped()
    }
  })

  it('signs a commit with its reveals, reveals that pay more, and a refund, and wipes the key', async () => {
    const { signer } = await createTestSigner()
    const publicKey = fromHex(SECRET.accounts[0]?.sides.test?.publicKey ?? '')
    const own = { publicKey, addressType: 'p2tr' } as const
    const scriptPubKey = scriptPubKeyOf(publicKey, 'p2tr')
    const coin = { vout: 0, amount: 50_000n, scriptPubKey, height: 1 }
    const inscribing = buildInscribing({
      items: [{ body: new Uint8Array(5) }],
      postage: 546n,
      parent: null,
      utxos: [{ ...coin, txid: 'ab'.repeat(32) }],
      own,
      feeRate: 2,
      seed: '',
    })
    const place = { network: 'regtest', accountId: 'aa' } as const
    const signing = {
      inscribing,
      places: [FIRST],
      previousTransactions: new Map<string, Uint8Array>(),
    }
    const { commit, reveals } = await signer.signInscribing({ ...place, ...signing })
    expect(parseTransaction(reveals[0]?.rawTx ?? publicKey).inputs).toMatchObject([
      { txid: commit.txid, vout: 0 },
    ])
    expectWiped()
    const rest = { inscribing, commitTxid: commit.txid, own, feeRate: 3 }
    const bumped = bumpReveals({
      ...rest,
      waiting: [0],
      replaced: [null],
      parentCoin: null,
      utxos: [{ ...coin, txid: 'cd'.repeat(32) }],
    })
    const [higher] = await signer.signFeeBumpedReveals({ ...place, bumped, places: [] })
    expect(parseTransaction(higher?.rawTx ?? publicKey).inputs).toHaveLength(2)
    expectWiped()
    const refund = buildRefund({ ...rest, left: [0], replaced: [] })
    const { rawTx } = await signer.signRefund({ ...place, refund })
    expect(parseTransaction(rawTx).outputs).toEqual(refund.outputs)
    expectWiped()
    for (const accountId of ['bb', 'dd']) {
      const other = { ...place, accountId }
      await expect(signer.signInscribing({ ...other, ...signing })).rejects.toThrow()
      await expect(signer.signFeeBumpedReveals({ ...other, bumped, places: [] })).rejects.toThrow()
      await expect(signer.signRefund({ ...other, refund })).rejects.toThrow()
      expectWiped()
    }
  })

  it('knows only the accounts of the vault, on the networks where they have a key', async () => {
    const { signer } = await createTestSigner()
    const messages = [{ message: '', type: 'ecdsa' as const }]
    const request = { network: 'mainnet', messages } as const
    for (const accountId of ['zz', 'kk', 'ww']) {
      await expect(signer.signMessages({ ...request, accountId })).rejects.toThrow(
        UnknownAccountError,
      )
    }
    const watched = { ...request, network: 'regtest', accountId: 'ww' } as const
    await expect(signer.signMessages(watched)).rejects.toThrow(UnknownAccountError)
  })

  it('can do nothing once the vault is locked', async () => {
    const { vault, signer } = await createTestSigner()
    await vault.lock()
    const messages = [{ message: '', type: 'ecdsa' as const }]
    const request = { accountId: 'aa', network: 'mainnet', messages } as const
    await expect(signer.signMessages(request)).rejects.toThrow(VaultLockedError)
    await expect(signer.deriveAddresses(null, [], 'mainnet')).rejects.toThrow(VaultLockedError)
  })
})

describe('revealing', () => {
  it('gives the words for the password', async () => {
    const { signer } = await createTestSigner()
    const revealed = { accepted: true, words: PHRASE.mnemonic.split(' '), passphrase: '' }
    expect(await signer.revealPhrase(null, PASSWORD)).toEqual(revealed)
    expect(await signer.revealPhrase(null, 'wrong')).toMatchObject({ reason: 'WRONG_PASSWORD' })
  })

  it('gives no words in a wallet that was made of a key', async () => {
    const { accounts } = await createTestSigner()
    const { vault } = createTestVault()
    const keys = accounts.filter(({ source }) => source === 'key')
    await vault.create({ version: 3, phrases: [], accounts: keys }, PASSWORD)
    const signer = createSigner({ vault })
    const none = { accepted: true, words: null, passphrase: '' }
    expect(await signer.revealPhrase(null, PASSWORD)).toEqual(none)
    const places = [{ addressType: 'p2tr', line: 'accounts', index: 0 }] as const
    await expect(signer.deriveAddresses(null, places, 'mainnet')).rejects.toMatchObject({
      data: { reason: 'NO_PHRASE' },
    })
  })

  it('gives the key of an account in the import format of the network, and wipes it', async () => {
    const { signer, accounts } = await createTestSigner()
    for (const { id, sides, source } of accounts) {
      for (const network of ['mainnet', 'regtest'] as const) {
        const publicKey = sides[keySpaceOf(network)]?.publicKey
        const request = { accountId: id, network, password: PASSWORD }
        if (!publicKey || source === 'watch') {
          await expect(signer.revealKey(request)).rejects.toThrow(UnknownAccountError)
          continue
        }
        const revealed = await signer.revealKey(request)
        const format = WIF(network === 'mainnet' ? NETWORK : TEST_NETWORK)
        const key = format.decode(revealed.accepted ? revealed.wif : '')
        expect(toHex(publicKeyOf(key)), `${id} ${network}`).toBe(publicKey)
      }
    }
    expectWiped()
  })

  it('is refused without the password, and each try counts like one at unlock', async () => {
    const { signer, vault } = await createTestSigner()
    const request = { accountId: 'aa', network: 'mainnet', password: 'wrong' } as const
    for (let i = 0; i < 5; i++) {
      const answer = await (i % 2 ? signer.revealKey(request) : signer.revealPhrase(null, 'wrong'))
      expect(answer).toMatchObject({ accepted: false, reason: 'WRONG_PASSWORD' })
    }
    expect(await signer.revealKey({ ...request, password: PASSWORD })).toEqual({
      accepted: false,
      reason: 'TOO_SOON',
      retryAfterMs: 1000,
    })
    expect(await vault.unlock(PASSWORD)).toMatchObject({ reason: 'TOO_SOON' })
    expect(handed.seeds).toEqual([])
  })
})
