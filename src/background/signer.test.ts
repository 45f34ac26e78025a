import { existsSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { encodeAddress, scriptPubKeyOf } from '../bitcoin/address.ts'
import { fromHex } from '../bitcoin/bytes.ts'
import type { KeyPair } from '../bitcoin/derivation.ts'
import { verifyMessage } from '../bitcoin/message.ts'
import { buildPayment } from '../bitcoin/payment.ts'
import { parseTransaction } from '../bitcoin/transaction.ts'
import { createSigner, UnknownAccountError } from './signer.ts'
import { createTestVault, PASSWORD, SECRET } from './testing/vault-fixture.ts'
import { VaultLockedError, type VaultSecret } from './vault.ts'

const VECTORS = new URL('../../../shared/vectors/', import.meta.url)

/** Everything secret that the signer was handed, to look at after its call. */
const handed = vi.hoisted(() => ({ seeds: [] as Uint8Array[], keys: [] as KeyPair[] }))

vi.mock('../bitcoin/mnemonic.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../bitcoin/mnemonic.ts')>()
  const mnemonicToSeed = async (...args: Parameters<typeof original.mnemonicToSeed>) => {
    const seed = await original.mnemonicToSeed(...args)
    handed.seeds.push(seed)
    return seed
  }
  return { ...original, mnemonicToSeed }
})

vi.mock('../bitcoin/derivation.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../bitcoin/derivation.ts')>()
  const deriveKey = (...args: Parameters<typeof original.deriveKey>) => {
    const keys = original.deriveKey(...args)
    handed.keys.push(keys)
    return keys
  }
  return { ...original, deriveKey }
})

const WITH_P2SH: VaultSecret = {
  ...SECRET,
  accounts: [
    ...SECRET.accounts,
    { id: 'cc', name: 'Nested', addressType: 'p2sh-p2wpkh', index: 0 },
    { id: 'dd', name: 'Second', addressType: 'p2tr', index: 1 },
  ],
}

async function createTestSigner() {
  const { vault } = createTestVault()
  await vault.create(WITH_P2SH, PASSWORD)
  return { vault, signer: createSigner({ vault }) }
}

beforeEach(() => {
  handed.seeds.length = 0
  handed.keys.length = 0
})

/** Fails unless secrets were handed out and every byte of them is zero now. */
function expectWiped() {
  const secrets = [...handed.seeds, ...handed.keys.map(({ privateKey }) => privateKey)]
  expect(handed.seeds.length).toBeGreaterThan(0)
  expect(secrets.flatMap(bytes => [...bytes]).every(byte => byte === 0)).toBe(true)
}

describe.skipIf(!existsSync(VECTORS))('deriveAccounts (vectors in ../shared/vectors)', () => {
  const read = (bip: string) => readFileSync(new URL(`${bip}.mediawiki`, VECTORS), 'utf8')

  it('gives the public keys of BIP-86 and BIP-84 on mainnet and BIP-49 on testnet, then wipes', async () => {
    const { signer } = await createTestSigner()
    const [taproot, segwit, nested, second] = await signer.deriveAccounts()
    const internalKey = /first receiving.*?internal_key = (\w{64})/s.exec(read('bip86'))?.[1]
    const bip84Key = /pubkey {2}= (\w{66})/.exec(read('bip84'))?.[1]
    const bip49Key = /account0recvPublicKeyHex\s*= 0x(\w{66})/.exec(read('bip49'))?.[1]
    expect(taproot?.publicKeys.mainnet.slice(2)).toBe(internalKey)
    expect(segwit?.publicKeys.mainnet).toBe(bip84Key)
    expect(nested?.publicKeys.test).toBe(bip49Key)
    expect(taproot).toMatchObject(SECRET.accounts[0] ?? {})
    const all = [taproot, segwit, nested, second].flatMap(keys =>
      Object.values(keys?.publicKeys ?? {}),
    )
    expect(new Set(all).size).toBe(8)
    expectWiped()
  })
})

describe('a signer', () => {
  it('signs a message with the key of the account and network that are named', async () => {
    const { signer } = await createTestSigner()
    const accounts = await signer.deriveAccounts()
    for (const { id, addressType, publicKeys } of accounts) {
      for (const network of ['mainnet', 'regtest'] as const) {
        const key = network === 'mainnet' ? publicKeys.mainnet : publicKeys.test
        const address = encodeAddress(fromHex(key), addressType, network)
        for (const type of ['ecdsa', 'bip322-simple', 'bip322'] as const) {
          const params = { accountId: id, network, message: 'Grüße ₿', type }
          const signature = await signer.signMessage(params)
          const signed = { message: 'Grüße ₿', signature, address, network }
          expect(verifyMessage(signed), `${addressType} ${type}`).toBe('valid')
          expect(verifyMessage({ ...signed, message: 'other' })).toBe('invalid')
        }
      }
    }
    expectWiped()
  })

  it('signs a payment, and wipes the key also when signing fails', async () => {
    const { signer } = await createTestSigner()
    const [taproot, segwit] = await signer.deriveAccounts()
    if (!taproot || !segwit) throw new Error('no accounts')
    const publicKey = fromHex(taproot.publicKeys.test)
    const scriptPubKey = scriptPubKeyOf(publicKey, 'p2tr')
    const payment = buildPayment({
      to: scriptPubKeyOf(fromHex(segwit.publicKeys.test), 'p2wpkh'),
      amount: 10_000n,
      utxos: [{ txid: '11'.repeat(32), vout: 0, amount: 50_000n, scriptPubKey, height: 1 }],
      own: { publicKey, addressType: 'p2tr' },
      feeRate: 2,
      seed: 'seed',
    })
    const request = { network: 'regtest', payment, previousTransactions: new Map() } as const
    const { rawTx, txid } = await signer.signPayment({ ...request, accountId: taproot.id })
    const parsed = parseTransaction(rawTx)
    expect(parsed.txid).toBe(txid)
    expect(parsed.outputs).toEqual(payment.outputs)
    expectWiped()
    for (const [params, message] of [
      [{ ...request, accountId: segwit.id }, 'inputs are p2tr, the account is p2wpkh'],
      [{ ...request, accountId: taproot.id, network: 'mainnet' }, 'not of this key'],
      [{ ...request, accountId: 'dd' }, 'not of this key'],
    ] as const) {
      await expect(signer.signPayment(params)).rejects.toThrow(message)
      expectWiped()
    }
  })

  it('knows only the accounts of the vault', async () => {
    const { signer } = await createTestSigner()
    const request = { network: 'mainnet', message: '', type: 'ecdsa' } as const
    await expect(signer.signMessage({ ...request, accountId: 'zz' })).rejects.toThrow(
      UnknownAccountError,
    )
    expectWiped()
  })

  it('can do nothing once the vault is locked', async () => {
    const { vault, signer } = await createTestSigner()
    await signer.deriveAccounts()
    await vault.lock()
    const request = { accountId: 'aa', network: 'mainnet', message: '', type: 'ecdsa' } as const
    await expect(signer.deriveAccounts()).rejects.toThrow(VaultLockedError)
    await expect(signer.signMessage(request)).rejects.toThrow(VaultLockedError)
  })
})
