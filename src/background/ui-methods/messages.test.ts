import { Verifier } from 'bip322-js'
import { describe, expect, it } from 'vitest'
import { addressOfScript } from '../../bitcoin/address.ts'
import {
  ANYONE_ADDRESS,
  ANYONE_SCRIPT,
  createProofOfFunds,
} from '../../bitcoin/messages/testing/proof-of-funds.ts'
import { createWorld, fund, startUnlocked } from '../testing/test-wallet.ts'

async function startWithAccount() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const { accounts } = await worker.ui('getState', null)
  const [account] = accounts
  if (!account) throw new Error('no account')
  return { world, worker, account }
}

describe('signText', () => {
  it.each(['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const)(
    'signs for an address of %s what verifyMessage calls valid, and no altered form of it',
    async addressType => {
      const { worker } = await startWithAccount()
      const account = await worker.ui('addAccount', { addressType, name: '' })
      const { address, id: accountId } = account
      for (const type of ['bip322', 'ecdsa'] as const) {
        const message = 'Grüße\n₿'
        const { signature } = await worker.ui('signText', { accountId, address, message, type })
        const verify = (changed: object) =>
          worker.ui('verifyMessage', { message, signature, address, ...changed })
        expect(await verify({})).toMatchObject({ state: 'valid', lock: { time: 0, age: 0 } })
        expect(await verify({ message: 'Grüsse' })).toMatchObject({ state: 'invalid' })
        const flipped =
          signature.slice(0, 20) + (signature[20] === 'A' ? 'B' : 'A') + signature.slice(21)
        expect(await verify({ signature: flipped })).toMatchObject({ state: 'invalid' })
        if (type === 'ecdsa')
          expect(Verifier.verifySignature(address, message, signature)).toBe(true)
      }
    },
  )

  it('signs with the address for ordinals where that is named', async () => {
    const { worker } = await startWithAccount()
    const added = { addressType: 'p2wpkh', name: '', ordinals: true } as const
    const { id: accountId, ordinals } = await worker.ui('addAccount', added)
    const order = {
      accountId,
      address: ordinals?.address ?? '',
      message: 'two',
      type: 'bip322',
    } as const
    const { signature } = await worker.ui('signText', order)
    const bare = signature.replace(/^smp/, '')
    expect(Verifier.verifySignature(order.address, 'two', bare)).toBe(true)
  })

  it('signs nothing for another address, without a key, with another type, or while locked', async () => {
    const { worker, account } = await startWithAccount()
    const order = {
      accountId: account.id,
      address: account.address,
      message: 'a',
      type: 'bip322',
    } as const
    const sign = (changed: object) => worker.ui('signText', { ...order, ...changed })
    await expect(sign({ address: ANYONE_ADDRESS })).rejects.toMatchObject({ code: -32602 })
    await expect(sign({ type: 'bip322-simple' })).rejects.toMatchObject({ code: -32602 })
    await expect(sign({ message: 7 })).rejects.toMatchObject({ code: -32602 })
    await expect(sign({ accountId: 'none' })).rejects.toMatchObject({ code: -32602 })
    const watched = await worker.ui('watchAddress', { address: ANYONE_ADDRESS, name: 'Anyone' })
    await expect(sign({ accountId: watched.id, address: ANYONE_ADDRESS })).rejects.toMatchObject({
      code: -32602,
    })
    await worker.ui('lock', null)
    await expect(sign({})).rejects.toMatchObject({ code: 4100 })
  })
})

describe('verifyMessage', () => {
  it('gives the three answers with their reasons', async () => {
    const { worker } = await startWithAccount()
    const verify = (signature: string, address: string) =>
      worker.ui('verifyMessage', { message: 'mine', signature, address })
    expect(await verify('smpAQFR', ANYONE_ADDRESS)).toMatchObject({
      state: 'valid',
      format: 'simple',
    })
    expect(await verify('pofAAAA', ANYONE_ADDRESS)).toEqual({
      ...{ state: 'invalid', format: 'proof-of-funds', reason: { kind: 'encoding' } },
    })
    expect(await verify('smpAQFS', ANYONE_ADDRESS)).toMatchObject({
      ...{ state: 'invalid', reason: { kind: 'script', error: 'WITNESS_PROGRAM_MISMATCH' } },
    })
    const future = addressOfScript(ANYONE_SCRIPT, 'mainnet') ?? ''
    expect(await verify('smpAQFR', future)).toMatchObject({ reason: { kind: 'address' } })
  })

  it('takes nothing longer than a transaction that nodes relay', async () => {
    const { worker } = await startWithAccount()
    const signature = 'A'.repeat(150_001)
    const proof = { message: 'mine', signature, address: ANYONE_ADDRESS }
    await expect(worker.ui('verifyMessage', proof)).rejects.toMatchObject({ code: -32602 })
  })
})

describe('checkProvenCoins', () => {
  it('holds each coin against its transaction, and says by the server’s word which are unspent', async () => {
    const { world, worker } = await startWithAccount()
    const kept = fund(world, ANYONE_ADDRESS, 5000n)
    const smaller = fund(world, ANYONE_ADDRESS, 700n)
    const proof = createProofOfFunds('mine', [
      { txid: kept, vout: 0, sats: 5000n },
      { txid: smaller, vout: 0, sats: 900n },
      { txid: '11'.repeat(32), vout: 0, sats: 1n },
      { txid: kept, vout: 7, sats: 5000n },
    ])
    const verdict = await worker.ui('verifyMessage', proof)
    expect(verdict).toMatchObject({ state: 'valid', format: 'proof-of-funds' })
    expect(verdict.state === 'valid' && verdict.coins.map(({ sats }) => sats)).toEqual([
      ...['5000', '900', '1', '5000'],
    ])
    expect(await worker.ui('checkProvenCoins', proof)).toMatchObject([
      { outpoint: `${kept}:0`, state: 'unspent', height: expect.any(Number) },
      { state: 'different' },
      { state: 'missing' },
      { state: 'different' },
    ])
  })

  it('looks up nothing of a proof that is not valid', async () => {
    const { worker } = await startWithAccount()
    const proof = createProofOfFunds('mine', [{ txid: '11'.repeat(32), vout: 0, sats: 1n }])
    const other = { ...proof, message: 'yours' }
    await expect(worker.ui('checkProvenCoins', other)).rejects.toMatchObject({ code: -32602 })
  })
})
