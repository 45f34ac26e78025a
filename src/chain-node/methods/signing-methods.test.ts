import { Wallet } from 'ethers'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { openKeystore } from '../keystore/open-keystore.ts'
import { makeAccount, makeKeyFolder } from '../keystore/testing/key-files.ts'
import { callMethod } from '../testing/call-method.ts'
import { listSigningMethods } from './signing-methods.ts'

const [A, B, C] = [makeAccount('a'), makeAccount('b'), makeAccount('c')]

async function serve() {
  const keystore = await openKeystore({ folder: makeKeyFolder([B, A]), scrypt: 'light' })
  const table = listSigningMethods({ keystore })
  return {
    keystore,
    call: (method: string, ...params: unknown[]) => callMethod(table, method, ...params),
  }
}

describe('eth_accounts', () => {
  it('has them all, locked or not, in the order of their files', async () => {
    const { keystore, call } = await serve()
    await keystore.unlock(A.address, A.passphrase, 0)
    expect(await call('eth_accounts')).toEqual({ result: [B.address, A.address] })
  })

  it('takes nothing', async () => {
    const { call } = await serve()
    expect(await call('eth_accounts', 1)).toEqual({
      error: { code: -32602, message: 'too many arguments, want at most 0' },
    })
  })
})

describe('eth_sign', () => {
  it.each(['0x', '0xdeadbeaf', `0x${'68c3a9'.repeat(100)}`] as const)(
    'signs %s as ethers and viem do',
    async message => {
      const { keystore, call } = await serve()
      await keystore.unlock(A.address, A.passphrase, 0)
      const { result } = await call('eth_sign', A.address.toUpperCase().replace('X', 'x'), message)
      expect(result).toBe(
        new Wallet(A.privateKey).signMessageSync(Buffer.from(message.slice(2), 'hex')),
      )
      expect(result).toBe(
        await privateKeyToAccount(A.privateKey).signMessage({ message: { raw: message } }),
      )
    },
  )

  it('wants an account of ours that is unlocked', async () => {
    const { keystore, call } = await serve()
    await keystore.unlock(A.address, A.passphrase, 0)
    expect(await call('eth_sign', B.address, '0x00')).toEqual({
      error: { code: -32000, message: 'authentication needed: password or unlock' },
    })
    expect(await call('eth_sign', C.address, '0x00')).toEqual({
      error: { code: -32000, message: 'unknown account' },
    })
    keystore.lock(A.address)
    expect(await call('eth_sign', A.address, '0x00')).toEqual({
      error: { code: -32000, message: 'authentication needed: password or unlock' },
    })
  })

  it.each([
    [[], 'missing value for required argument 0'],
    [[A.address], 'missing value for required argument 1'],
    [['0x1234', '0x'], 'invalid argument 0: hex string has length 4, want 40 for common.Address'],
    [
      [A.address, 'text'],
      'invalid argument 1: json: cannot unmarshal hex string without 0x prefix into Go value of type hexutil.Bytes',
    ],
  ])('refuses the parameters %j', async (params, message) => {
    const { call } = await serve()
    expect(await call('eth_sign', ...params)).toEqual({ error: { code: -32602, message } })
  })
})
