import { sha256 } from '@noble/hashes/sha2.js'
import { Verifier } from 'bip322-js'
import { describe, expect, it, vi } from 'vitest'
import type { AddressType } from '../../bitcoin/address.ts'
import { startSigner } from '../testing/psbt-site.ts'
import { decideNext, nextApproval, openPage, PASSWORD } from '../testing/test-wallet.ts'
import { ask, readResult } from './testing/sats-connect-site.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

type Signed = { signature: string; messageHash: string; address: string; protocol: string }

/** BIP-322 hashes: of Xverse's own test, and of the BIP's vectors. */
const HASHES = [
  ['test message', '540afc386b9cefbea3d48b0cf0dbc532eab94b68d6fc27959f3fc6bf49fd426a'],
  ['Hello World', 'f0eb03b1a75ac6d9847f55c624a99169b5dccba2a31f5b23bea77ba270de0a7a'],
  ['', 'c90c269c4f8fcbe6880f72a721ddfbf1914268a794cbb21cfafee13770ae19f1'],
] as const

/** What `magicHash` of bitcoinjs-message gives, for messages of less than 253 bytes. */
function magicHash(message: string): string {
  const body = Buffer.from(message)
  const text = Buffer.concat([
    Buffer.from('\x18Bitcoin Signed Message:\n'),
    Buffer.of(body.length),
    body,
  ])
  return Buffer.from(sha256(sha256(text))).toString('base64')
}

async function sign(type: AddressType, message: string, protocol?: string): Promise<Signed> {
  const { worker, page, account } = await startSigner(type)
  const answer = ask(page, 'signMessage', { address: account.address, message, protocol })
  const { review } = await decideNext(worker, 'approve', 'sign-message')
  expect(review).toMatchObject({ message })
  const signed = readResult<Signed>('signMessage', await answer)
  expect(signed.address).toBe(account.address)
  return signed
}

describe('signMessage', () => {
  it.each(HASHES)('of %j on taproot is BIP-322, with its hash in hex', async (message, hash) => {
    const { signature, messageHash, protocol, address } = await sign('p2tr', message)
    expect([protocol, messageHash]).toEqual(['BIP322', hash])
    expect(Verifier.verifySignature(address, message, signature)).toBe(true)
  })

  it.each(['p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const)(
    'on %s is ECDSA, with its hash in base64',
    async type => {
      const message = 'Grüße 😄'
      const { signature, messageHash, protocol, address } = await sign(type, message)
      expect([protocol, messageHash]).toEqual(['ECDSA', magicHash(message)])
      expect(Buffer.from(signature, 'base64')).toHaveLength(65)
      expect(Verifier.verifySignature(address, message, signature)).toBe(true)
    },
  )

  it.each([
    ['p2wpkh', 'BIP322'],
    ['p2sh-p2wpkh', 'BIP322'],
    ['p2tr', 'ECDSA'],
  ] as const)('on %s signs by %s where the page wants it', async (type, protocol) => {
    const signed = await sign(type, 'hello', protocol)
    expect(signed.protocol).toBe(protocol)
    const bytes = Buffer.from(signed.signature, 'base64')
    expect(bytes.length === 65).toBe(protocol === 'ECDSA')
    if (type !== 'p2tr')
      expect(Verifier.verifySignature(signed.address, 'hello', signed.signature)).toBe(true)
  })

  it('is refused for an address that the page is not connected to', async () => {
    const { page, worker, account } = await startSigner()
    const { accounts } = await worker.ui('getState', null)
    const other = accounts.find(({ id }) => id !== account.id)
    const answer = ask(page, 'signMessage', { address: other?.address, message: 'hello' })
    const wrong = `${other?.address} is not the connected address.`
    expect(await answer).toMatchObject({ error: { code: 4100, message: `address: ${wrong}` } })
    const [fit, unfit] = [account, other].map(of => ({ address: of?.address, message: 'hello' }))
    expect(await ask(page, 'signMultipleMessages', [fit, unfit])).toMatchObject({
      error: { code: 4100, message: `params[1].address: ${wrong}` },
    })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('is refused for a page that is not connected, and asks nobody', async () => {
    const { worker, account, world } = await startSigner()
    const { shown } = world.window
    const page = openPage(worker, 'https://other.example')
    const answer = ask(page, 'signMessage', { address: account.address, message: 'hello' })
    expect(await answer).toMatchObject({ error: { code: 4100 } })
    expect(world.window.shown).toBe(shown)
  })

  it('of a locked wallet asks to unlock it and goes on', async () => {
    const { worker, page, account } = await startSigner('p2wpkh')
    await worker.ui('lock', null)
    const answer = ask(page, 'signMessage', { address: account.address, message: 'hello' })
    await nextApproval(worker, 'unlock')
    await worker.ui('unlock', { password: PASSWORD })
    await decideNext(worker, 'approve', 'sign-message')
    const { signature } = readResult<Signed>('signMessage', await answer)
    expect(Verifier.verifySignature(account.address, 'hello', signature)).toBe(true)
  })

  it('gets 4001 where the person says no', async () => {
    const { worker, page, account } = await startSigner()
    const answer = ask(page, 'signMessage', { address: account.address, message: 'hello' })
    await decideNext(worker, 'reject', 'sign-message')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
  })
})

describe('signMultipleMessages', () => {
  it('asks about all of them at once', async () => {
    const { worker, page, account, world } = await startSigner('p2wpkh')
    const { address } = account
    const { shown } = world.window
    const answer = ask(page, 'signMultipleMessages', [
      { address, message: 'one' },
      { address, message: 'two', protocol: 'BIP322' },
      { address, message: 'one' },
    ])
    const { review } = await decideNext(worker, 'approve')
    expect(review).toEqual({
      kind: 'sign-messages',
      messages: [
        { message: 'one', type: 'ecdsa' },
        { message: 'two', type: 'bip322-simple' },
        { message: 'one', type: 'ecdsa' },
      ],
    })
    const signed = readResult<(Signed & { message: string })[]>(
      'signMultipleMessages',
      await answer,
    )
    expect(signed).toMatchObject([
      { address, message: 'one', protocol: 'ECDSA', messageHash: magicHash('one') },
      { address, message: 'two', protocol: 'BIP322' },
      { address, message: 'one', protocol: 'ECDSA', messageHash: magicHash('one') },
    ])
    for (const { message, signature } of signed)
      expect(Verifier.verifySignature(address, message, signature)).toBe(true)
    expect(world.window.shown).toBe(shown + 1)
  })

  it('of one message asks what signMessage asks, of a locked wallet too', async () => {
    const { worker, page, account } = await startSigner('p2wpkh')
    const { address } = account
    await worker.ui('lock', null)
    const answer = ask(page, 'signMultipleMessages', [{ address, message: 'one' }])
    const { review } = await nextApproval(worker, 'unlock')
    expect(review).toMatchObject({ method: 'signMessage' })
    await worker.ui('unlock', { password: PASSWORD })
    await decideNext(worker, 'approve', 'sign-message')
    const [signed] = readResult<Signed[]>('signMultipleMessages', await answer)
    expect(Verifier.verifySignature(address, 'one', signed?.signature ?? '')).toBe(true)
  })

  it('gives none where the person refuses', async () => {
    const { worker, page, account } = await startSigner()
    const { address } = account
    const messages = ['one', 'two', 'three'].map(message => ({ address, message }))
    const answer = ask(page, 'signMultipleMessages', messages)
    await decideNext(worker, 'reject', 'sign-messages')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })
})
