import { Transaction } from '@scure/btc-signer'
import { Verifier } from 'bip322-js'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { Response } from '../../provider/envelope.ts'
import { outputsOf, RECIPIENT, readBroadcast, SITE, startFunded } from '../testing/funded-wallet.ts'
import {
  isSignedElsewhere,
  publishPrevious,
  type Signing,
  startSigner,
} from '../testing/psbt-site.ts'
import { buildFresh, signElsewhere } from '../testing/signed-transactions.ts'
import { createWorld, decideNext, openPage, startUnlocked } from '../testing/test-wallet.ts'

type Page = Pick<ReturnType<typeof openPage>, 'call'>

/** The least PSBT there is. */
const PSBT = '70736274ff01000a0200000000000000000000'

const ask = (page: Page, name: string, params?: unknown) =>
  page.call(`leather.${name}`, params ?? null)

function readResult<T>(response: Response): T {
  if (!('result' in response)) throw new Error(JSON.stringify(response))
  return response.result as T
}

describe('getAddresses of Leather', () => {
  it('asks to connect once, and has the key as PSBTs have it', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const answer = ask(page, 'getAddresses', { network: 'devnet' })
    await decideNext(worker, 'approve', 'connect')
    const [{ address, publicKey } = { address: '', publicKey: '' }] = (
      await worker.ui('getState', null)
    ).accounts
    const entry = { symbol: 'BTC', type: 'p2tr', address, publicKey, derivationPath: '' }
    const addresses = [{ ...entry, tweakedPublicKey: publicKey?.slice(2) }]
    expect(readResult(await answer)).toEqual({ addresses })
    expect(readResult(await ask(page, 'getAddresses'))).toEqual({ addresses })
  })

  it.each([
    ['p2wpkh', 'p2wpkh'],
    ['p2sh-p2wpkh', 'p2wpkh-p2sh'],
    ['p2pkh', 'p2pkh'],
  ] as const)('calls %s %s', async (addressType, type) => {
    const { page, account } = await startSigner(addressType)
    const { address, publicKey } = account
    expect(readResult(await ask(page, 'getAddresses'))).toEqual({
      addresses: [{ symbol: 'BTC', type, address, publicKey, derivationPath: '' }],
    })
  })
})

describe('signMessage of Leather', () => {
  it.each([
    ['p2tr', {}, 'bip322-simple'],
    ['p2tr', { paymentType: 'p2tr', type: 'bip322' }, 'bip322-simple'],
    ['p2wpkh', { paymentType: 'p2wpkh', network: 'regtest' }, 'bip322-simple'],
    ['p2wpkh', { type: 'legacy' }, 'ecdsa'],
    ['p2pkh', {}, 'ecdsa'],
  ] as const)('on %s with %j signs by %s', async (addressType, options, type) => {
    const { page, worker, account } = await startSigner(addressType)
    const answer = ask(page, 'signMessage', { message: 'hello', ...options })
    const { review } = await decideNext(worker, 'approve', 'sign-message')
    expect(review).toMatchObject({ message: 'hello', type })
    const signed = readResult<{ signature: string }>(await answer)
    expect(signed).toMatchObject({ address: account.address, message: 'hello' })
    expect(Verifier.verifySignature(account.address, 'hello', signed.signature)).toBe(true)
  })

  it('is refused for a kind of address that the account in use is not', async () => {
    const { page } = await startSigner('p2tr')
    expect(
      await ask(page, 'signMessage', { message: 'hello', paymentType: 'p2wpkh' }),
    ).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('paymentType: expected p2tr') },
    })
  })

  it('gets 4001 where the person says no', async () => {
    const { worker, page } = await startSigner()
    const answer = ask(page, 'signMessage', { message: 'hello' })
    await decideNext(worker, 'reject', 'sign-message')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
  })
})

describe('signPsbt of Leather', () => {
  const stranger = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })

  function build(site: Signing, own: { sighash?: number } = {}) {
    const { addressType: type, publicKey } = site.account
    const fields = type === 'p2tr' ? { tapInternalKey: fromHex(publicKey).slice(1) } : {}
    const input = { type, key: site.key, amount: 50_000n, proof: 'witness' as const, fields }
    return publishPrevious(
      site,
      buildFresh({ inputs: [{ ...input, ...own }], outputs: [stranger(49_000n)] }),
    )
  }

  it.each([{}, { signAtIndex: 0 }, { signAtIndex: [0] }])(
    'signs and does not finalize with %j',
    async options => {
      const site = await startSigner('p2tr')
      const params = { hex: toHex(build(site).bytes), broadcast: false, ...options }
      const answer = ask(site.page, 'signPsbt', params)
      await decideNext(site.worker, 'approve', 'sign-psbt')
      const signed = readResult<{ hex: string }>(await answer)
      expect(Object.keys(signed)).toEqual(['hex'])
      expect(isSignedElsewhere(signed.hex, 0)).toBe(true)
      expect(Transaction.fromPSBT(fromHex(signed.hex)).isFinal).toBe(false)
    },
  )

  it('takes the sighash type from the PSBT', async () => {
    const site = await startSigner('p2wpkh')
    const answer = ask(site.page, 'signPsbt', { hex: toHex(build(site, { sighash: 0x81 }).bytes) })
    await decideNext(site.worker, 'approve', 'sign-psbt')
    const { hex } = readResult<{ hex: string }>(await answer)
    const [[, signature] = []] = Transaction.fromPSBT(fromHex(hex)).getInput(0).partialSig ?? []
    expect(signature?.at(-1)).toBe(0x81)
  })

  it.each([
    [3, 'signAtIndex: expected the index of one of the 1 inputs, got the number 3'],
    [[0, 3], 'signAtIndex[1]: expected the index of one of the 1 inputs, got the number 3'],
    [[0, 0], 'signAtIndex: names input 0 more than once'],
  ])('names an index that does not fit in its own words: %j', async (signAtIndex, message) => {
    const site = await startSigner('p2tr')
    const params = { hex: toHex(build(site).bytes), signAtIndex }
    expect(await ask(site.page, 'signPsbt', params)).toMatchObject({
      error: { code: -32602, message },
    })
  })

  it('sends where it is to, with one question', async () => {
    const site = await startSigner('p2wpkh')
    const built = build(site)
    const params = { hex: toHex(built.bytes), signAtIndex: [0], broadcast: true }
    const answer = ask(site.page, 'signPsbt', params)
    await decideNext(site.worker, 'approve', 'sign-psbt')
    const { txid } = readResult<{ txid: string }>(await answer)
    expect(txid).toBe(signElsewhere(built, site.key).txid)
    expect(site.world.chain.broadcasts).toEqual([txid])
  })
})

describe('sendTransfer of Leather', () => {
  it.each([
    { address: RECIPIENT, amount: '20000' },
    { recipients: [{ address: RECIPIENT, amount: '20000' }], network: 'regtest' },
  ])('pays with one question: %j', async params => {
    const { world, worker, page } = await startFunded(100_000n)
    const answer = ask(page, 'sendTransfer', params)
    await decideNext(worker, 'approve', 'payment')
    const { txid } = readResult<{ txid: string }>(await answer)
    expect(outputsOf(readBroadcast(world, txid))[0]).toEqual({
      ...{ address: RECIPIENT, sats: 20_000n },
    })
  })
})

describe('requests of Leather', () => {
  it('that tell of the wallet are free', async () => {
    const page = openPage(await startUnlocked(), SITE)
    const names = 'getInfo supportedMethods getAddresses signMessage signPsbt sendTransfer'.split(
      ' ',
    )
    expect(readResult(await ask(page, 'getInfo'))).toMatchObject({
      platform: 'extension',
      supportedMethods: names,
    })
    const { methods } = readResult<{ methods: { name: string }[] }>(
      await ask(page, 'supportedMethods'),
    )
    expect(methods.map(({ name }) => name)).toEqual(names)
  })

  it.each([
    ['signMessage', { message: 'hello' }],
    ['signPsbt', { hex: PSBT }],
    ['sendTransfer', { address: RECIPIENT, amount: 1000 }],
  ])('%s of a page that is not connected is refused, and asks nobody', async (name, params) => {
    const world = createWorld()
    const page = openPage(await startUnlocked(world), SITE)
    expect(await ask(page, name, params)).toMatchObject({ error: { code: 4100 } })
    expect(world.window.shown).toBe(0)
  })

  it.each([
    ['getAddresses', { network: 'testnet3' }, 'network: expected one of livenet'],
    ['signMessage', { message: 7 }, 'message: expected a string'],
    ['signMessage', { message: 'hello', network: 7 }, 'network: expected one of livenet'],
    ['signPsbt', { hex: 'x' }, 'hex: expected a PSBT'],
    ['signPsbt', { hex: PSBT, signAtIndex: [] }, 'signAtIndex: expected an index'],
    ['signPsbt', { hex: PSBT, signAtIndex: ['0'] }, 'signAtIndex[0]: expected a whole number'],
    ['signPsbt', { hex: PSBT, signAtIndex: '0' }, 'signAtIndex: expected a whole number'],
    ['signMessage', { message: 'hello', type: 'LEGACY' }, 'type: expected legacy or bip322'],
    ['sendTransfer', {}, 'address: expected a string'],
    ['sendTransfer', { address: 'x', amount: 1000 }, 'address: '],
    ['sendTransfer', { address: RECIPIENT, amount: 'x' }, 'amount: expected'],
    ['sendTransfer', { address: RECIPIENT, amount: 1 }, 'amount: expected'],
    ['sendTransfer', { recipients: [{ address: 'x', amount: 1 }] }, 'recipients[0].address: '],
  ])('%s with %j names what does not fit', async (name, params, message) => {
    const { page } = await startFunded()
    const answer = await ask(page, name, params)
    expect(answer).toMatchObject({ error: { code: -32602 } })
    expect(Object(answer).error.message.slice(0, message.length)).toBe(message)
  })

  it.each([
    ['getAddresses', {}],
    ['signMessage', { message: 'hello' }],
    ['signPsbt', { hex: PSBT }],
    ['sendTransfer', { address: RECIPIENT, amount: 1000 }],
  ])('%s for another network than that in use says which to choose', async (name, params) => {
    const { page, world } = await startFunded()
    const { shown } = world.window
    expect(await ask(page, name, { ...params, network: 'mainnet' })).toMatchObject({
      error: { code: 4200, message: expect.stringContaining('Choose Mainnet in Satchel') },
    })
    expect(world.window.shown).toBe(shown)
  })

  it.each(['stx_getAddresses', 'open', 'constructor', '__proto__'])(
    '%s are unknown',
    async name => {
      const page = openPage(await startUnlocked(), SITE)
      expect(await ask(page, name)).toMatchObject({ error: { code: -32601 } })
    },
  )
})
