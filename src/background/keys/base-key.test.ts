import { hkdfSync } from 'node:crypto'
import * as ecc from '@bitcoinerlab/secp256k1'
import { pubECDSA } from '@scure/btc-signer/utils.js'
import { BIP32Factory } from 'bip32'
import { mnemonicToSeedSync } from 'bip39'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { findCommitOutputs } from '../../ordinals/inscriptions/commit-recovery.ts'
import { layOutRefund } from '../../ordinals/inscriptions/refund.ts'
import { signReveals } from '../../ordinals/inscriptions/reveal.ts'
import { textDraft } from '../inscribing/testing/job-world.ts'
import {
  addDevice,
  createDevice,
  inscribeOnDevice,
  startOnDevice,
} from '../testing/device-wallet.ts'
import { selectedAccount } from '../testing/funded-wallet.ts'
import {
  ABANDON_MNEMONIC,
  createWorld,
  fund,
  PASSWORD,
  startUnlocked,
  startWorker,
} from '../testing/test-wallet.ts'
import { VaultLockedError } from './vault-session.ts'

/** By Node’s HKDF and the BIP-32 library, from nothing but the words and the device’s public key. */
function deriveElsewhere(publicKey: Uint8Array): Uint8Array {
  const master = BIP32Factory(ecc).fromSeed(mnemonicToSeedSync(ABANDON_MNEMONIC))
  const material = master.derivePath("m/500360388'").privateKey ?? new Uint8Array()
  return new Uint8Array(hkdfSync('sha256', material, 'satchel/inscribe', publicKey, 32))
}

describe('the key that stands in for a device’s in inscribing', () => {
  it('follows from the phrase and the device’s public key alone', async () => {
    const { worker, account } = await startOnDevice('p2wpkh')
    const request = { accountId: account.id, network: 'regtest', ofType: 'p2wpkh' } as const
    const base = await worker.wallet.signer.deriveBasePublicKey(request)
    expect(toHex(base)).toBe(toHex(pubECDSA(deriveElsewhere(fromHex(account.publicKey)))))
  })

  it('takes the money of a commit back from the phrase, the chain and the content', async () => {
    const { world, worker, device, account } = await startOnDevice('p2wpkh', 90_000n)
    const plan = await worker.ui('planInscribe', textDraft(['one'], { postage: 5_000 }))
    await inscribeOnDevice(worker, device, plan)
    const [commitTxid = ''] = world.chain.broadcasts
    const commit = parseTransaction(world.chain.get(commitTxid) ?? new Uint8Array())
    const own = { publicKey: fromHex(account.publicKey), addressType: 'p2wpkh' as const }
    const baseKey = deriveElsewhere(own.publicKey)
    const content = {
      contentType: 'text/plain;charset=utf-8',
      body: new TextEncoder().encode('one'),
    }
    const found = findCommitOutputs({
      ...{ commit, baseKey: pubECDSA(baseKey), leaves: [{ kind: 'content' as const, content }] },
    })
    expect(found.inputs.map(({ vout }) => vout)).toEqual([0])
    const refund = layOutRefund({ ...found, replaced: [], own, feeRate: 2 })
    const keys = { accountKeys: null, baseKey, nonce: found.nonce }
    const [signed] = signReveals([refund], keys)
    expect(parseTransaction(signed?.rawTx ?? new Uint8Array()).inputs).toMatchObject([
      { txid: commitTxid, vout: 0 },
    ])
  })

  it('is refused for an account of the wallet’s own, and while the wallet is locked', async () => {
    const worker = await startUnlocked()
    const { id } = await selectedAccount(worker)
    const derive = (accountId: string) =>
      worker.wallet.signer.deriveBasePublicKey({ accountId, network: 'regtest', ofType: 'p2tr' })
    await expect(derive(id)).rejects.toMatchObject({ code: -32602 })
    const { id: device } = await addDevice(worker, createDevice(), 'p2tr')
    await worker.ui('lock', null)
    await expect(derive(device)).rejects.toThrow(VaultLockedError)
  })

  it('is of a random secret in a wallet without a phrase, sealed with the account and shown to nobody', async () => {
    const start = async () => {
      const world = createWorld()
      const worker = startWorker(world)
      await worker.ui('selectNetwork', { network: 'regtest' })
      const wif = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA'
      const origin = { kind: 'wif' as const, wif, addressType: 'p2tr' as const }
      await worker.ui('createVault', { origin, password: PASSWORD })
      const device = createDevice()
      const account = await addDevice(worker, device, 'p2tr')
      fund(world, account.address, 90_000n)
      const request = { accountId: account.id, network: 'regtest', ofType: 'p2tr' } as const
      return { world, worker, device, account, request }
    }
    const [one, other] = [await start(), await start()]
    const derive = (worker: typeof one.worker) =>
      worker.wallet.signer.deriveBasePublicKey(one.request).then(toHex)
    const base = await derive(one.worker)
    expect(toHex(await other.worker.wallet.signer.deriveBasePublicKey(other.request))).not.toBe(
      base,
    )
    expect(Object.keys(one.account)).not.toContain('inscribingSecret')
    expect(JSON.stringify([one.world.local.dump(), one.world.session.dump()])).not.toContain(
      'inscribingSecret',
    )
    const plan = await one.worker.ui('planInscribe', textDraft(['one']))
    await inscribeOnDevice(one.worker, one.device, plan)
    await one.worker.ui('lock', null)
    await one.worker.ui('unlock', { password: PASSWORD })
    expect(await derive(one.worker)).toBe(base)
  })
})
