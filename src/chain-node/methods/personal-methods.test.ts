import { verifyMessage, Wallet } from 'ethers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import { openKeystore } from '../keystore/open-keystore.ts'
import { makeAccount, makeKeyFolder } from '../keystore/testing/key-files.ts'
import { callMethod } from '../testing/call-method.ts'
import { listPersonalMethods } from './personal-methods.ts'
import { listSigningMethods } from './signing-methods.ts'

const [A, B, C] = [makeAccount('a'), makeAccount('b'), makeAccount('c')]
const MESSAGE = '0xdeadbeaf'
const SIGNATURE = new Wallet(A.privateKey).signMessageSync(Buffer.from('deadbeaf', 'hex'))
const SECOND = 1000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function serve({ importRawKey = false } = {}) {
  const keystore = await openKeystore({ folder: makeKeyFolder([A, B]), scrypt: 'light' })
  const table = {
    ...listSigningMethods({ keystore }),
    ...listPersonalMethods({ keystore, importRawKey }),
  }
  const call = (method: string, ...params: unknown[]) => callMethod(table, method, ...params)
  const isUnlocked = async () => (await call('eth_sign', A.address, '0x')).error === undefined
  return { call, isUnlocked }
}

const refuse = (message: string) => ({ error: { code: -32000, message } })
const misread = (message: string) => ({ error: { code: -32602, message } })

describe('personal_listAccounts', () => {
  it('has what eth_accounts has', async () => {
    const { call } = await serve()
    expect(await call('personal_listAccounts')).toEqual({ result: [A.address, B.address] })
    expect(await call('eth_accounts')).toEqual({ result: [A.address, B.address] })
  })
})

describe('personal_newAccount', () => {
  it('makes an account that its passphrase opens', async () => {
    const { call } = await serve()
    const { result: address } = await call('personal_newAccount', 'new')
    expect(address).toMatch(/^0x[0-9a-f]{40}$/)
    // The file's name begins with UTC, those of the others with key.
    expect(await call('personal_listAccounts')).toEqual({ result: [address, A.address, B.address] })
    expect(await call('eth_sign', address, MESSAGE)).toEqual(
      refuse('authentication needed: password or unlock'),
    )
    const { result: signature } = await call('personal_sign', MESSAGE, address, 'new')
    const signer = verifyMessage(Buffer.from('deadbeaf', 'hex'), String(signature))
    expect(signer.toLowerCase()).toBe(address)
  })

  it('wants a passphrase, which may be empty', async () => {
    const { call } = await serve()
    expect(await call('personal_newAccount')).toEqual(
      misread('missing value for required argument 0'),
    )
    expect(await call('personal_newAccount', 7)).toEqual(
      misread('invalid argument 0: json: cannot unmarshal number into Go value of type string'),
    )
    expect(await call('personal_newAccount', '')).toHaveProperty('result')
  })
})

describe('personal_unlockAccount', () => {
  it.each([
    ['no duration', [], 300],
    ['null', [null], 300],
    ['seconds', [10], 10],
  ])('unlocks: %s', async (_, duration, seconds) => {
    const { call, isUnlocked } = await serve()
    expect(await call('personal_unlockAccount', A.address, A.passphrase, ...duration)).toEqual({
      result: true,
    })
    vi.advanceTimersByTime(seconds * SECOND - 1)
    expect(await isUnlocked()).toBe(true)
    vi.advanceTimersByTime(1)
    expect(await isUnlocked()).toBe(false)
  })

  it('unlocks until the process ends: 0', async () => {
    const { call, isUnlocked } = await serve()
    await call('personal_unlockAccount', A.address, A.passphrase, 0)
    vi.advanceTimersByTime(366 * 86_400 * SECOND)
    expect(await isUnlocked()).toBe(true)
  })

  it.each([
    ['0x12c', 'string'],
    ['300', 'string'],
    [true, 'bool'],
    [[300], 'array'],
    [{}, 'object'],
    [-1, 'number -1'],
    [1.5, 'number 1.5'],
    [1e20, 'number 100000000000000000000'],
  ])('does not take %j for seconds', async (duration, found) => {
    const { call, isUnlocked } = await serve()
    expect(await call('personal_unlockAccount', A.address, A.passphrase, duration)).toEqual(
      misread(`invalid argument 2: json: cannot unmarshal ${found} into Go value of type uint64`),
    )
    expect(await isUnlocked()).toBe(false)
  })

  it.each([9_223_372_037, 2 ** 63])('does not unlock for %d seconds', async duration => {
    const { call } = await serve()
    expect(await call('personal_unlockAccount', A.address, A.passphrase, duration)).toEqual(
      refuse('unlock duration too large'),
    )
    expect(await call('personal_unlockAccount', A.address, A.passphrase, 9_223_372_036)).toEqual({
      result: true,
    })
  })

  it('refuses a wrong passphrase and accounts that are not ours', async () => {
    const { call } = await serve()
    expect(await call('personal_unlockAccount', A.address, 'wrong')).toEqual(
      refuse('could not decrypt key with given password'),
    )
    expect(await call('personal_unlockAccount', C.address, C.passphrase)).toEqual(
      refuse('no key for given address or file'),
    )
  })
})

describe('personal_lockAccount', () => {
  it('locks what is ours', async () => {
    const { call, isUnlocked } = await serve()
    await call('personal_unlockAccount', A.address, A.passphrase, 0)
    expect(await call('personal_lockAccount', A.address)).toEqual({ result: true })
    expect(await isUnlocked()).toBe(false)
    expect(await call('personal_lockAccount', A.address)).toEqual({ result: true })
    expect(await call('personal_lockAccount', C.address)).toEqual({ result: false })
  })
})

describe('personal_sign', () => {
  it('signs as eth_sign, and unlocks nothing', async () => {
    const { call, isUnlocked } = await serve()
    expect(await call('personal_sign', MESSAGE, A.address, A.passphrase)).toEqual({
      result: SIGNATURE,
    })
    expect(await isUnlocked()).toBe(false)
    await call('personal_unlockAccount', A.address, A.passphrase)
    expect(await call('eth_sign', A.address, MESSAGE)).toEqual({ result: SIGNATURE })
  })

  it('opens with the passphrase alone where there is one, and wants an account of ours', async () => {
    const { call } = await serve()
    await call('personal_unlockAccount', A.address, A.passphrase)
    expect(await call('personal_sign', MESSAGE, A.address, 'wrong')).toEqual(
      refuse('could not decrypt key with given password'),
    )
    expect(await call('personal_sign', MESSAGE, C.address, C.passphrase)).toEqual(
      refuse('unknown account'),
    )
  })

  it('takes an unlocked account without a passphrase, as clients send it', async () => {
    const { call } = await serve()
    expect(await call('personal_sign', MESSAGE, A.address)).toEqual(
      refuse('authentication needed: password or unlock'),
    )
    await call('personal_unlockAccount', A.address, A.passphrase)
    expect(await call('personal_sign', MESSAGE, A.address)).toEqual({ result: SIGNATURE })
    expect(await call('personal_sign', MESSAGE, C.address)).toEqual(refuse('unknown account'))
    expect(await call('personal_sign', MESSAGE)).toEqual(
      misread('missing value for required argument 1'),
    )
  })
})

describe('personal_ecRecover', () => {
  const withV = (v: string) => `${SIGNATURE.slice(0, -2)}${v}`

  it('finds the signer of what ethers signed', async () => {
    const { call } = await serve()
    expect(await call('personal_ecRecover', MESSAGE, SIGNATURE)).toEqual({ result: A.address })
    const other = verifyMessage(Buffer.from('deadbeef', 'hex'), SIGNATURE)
    expect(await call('personal_ecRecover', '0xdeadbeef', SIGNATURE)).toEqual({
      result: other.toLowerCase(),
    })
  })

  it.each([
    ['v of 0', withV('00'), 'invalid Ethereum signature (V is not 27 or 28)'],
    ['v of 1', withV('01'), 'invalid Ethereum signature (V is not 27 or 28)'],
    ['v of 29', withV('1d'), 'invalid Ethereum signature (V is not 27 or 28)'],
    ['64 bytes', SIGNATURE.slice(0, -2), 'signature must be 65 bytes long'],
    ['66 bytes', `${SIGNATURE}00`, 'signature must be 65 bytes long'],
    ['nothing', '0x', 'signature must be 65 bytes long'],
    ['zeros', `0x${'00'.repeat(64)}1b`, 'recovery failed'],
  ])('refuses %s', async (_, signature, message) => {
    const { call } = await serve()
    expect(await call('personal_ecRecover', MESSAGE, signature)).toEqual(refuse(message))
  })
})

describe('personal_importRawKey', () => {
  it('is not implemented unless it is asked for', async () => {
    const { call } = await serve()
    expect(await call('personal_importRawKey', C.privateKey, 'foo')).toEqual(
      refuse('personal_importRawKey is not implemented'),
    )
    expect(await call('personal_listAccounts')).toEqual({ result: [A.address, B.address] })
  })

  it.each<[string, (key: Hex) => string]>([
    ['as geth', key => key.slice(2)],
    ['with 0x', key => key],
  ])('takes a key once: %s', async (_, write) => {
    const { call } = await serve({ importRawKey: true })
    expect(await call('personal_importRawKey', write(C.privateKey), 'foo')).toEqual({
      result: C.address,
    })
    expect(await call('personal_importRawKey', write(C.privateKey), 'bar')).toEqual(
      refuse('account already exists'),
    )
    expect(await call('personal_unlockAccount', C.address, 'foo')).toEqual({ result: true })
  })

  it("refuses what is no private key, as the documentation's sample of 64 bytes", async () => {
    const { call } = await serve({ importRawKey: true })
    expect(await call('personal_importRawKey', 'ab'.repeat(64), 'foo')).toEqual(
      refuse('invalid length, need 256 bits'),
    )
    expect(await call('personal_importRawKey', 'xyz', 'foo')).toEqual(
      refuse("invalid hex character 'x' in private key"),
    )
  })
})
