import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listPersonalMethods } from '../methods/personal-methods.ts'
import { callMethod } from '../testing/call-method.ts'
import { openKeystore } from './open-keystore.ts'
import { createPassphraseLimit } from './passphrase-limit.ts'
import { makeAccount, makeKeyFolder } from './testing/key-files.ts'

const [A, B] = [makeAccount('a'), makeAccount('b')]
const WRONG = { error: { code: -32000, message: 'could not decrypt key with given password' } }

async function serve() {
  let time = 0
  const folder = makeKeyFolder([A, B])
  const keystore = await openKeystore({
    folder,
    scrypt: 'light',
    limit: createPassphraseLimit(() => time),
  })
  const table = listPersonalMethods({ keystore, importRawKey: false })
  const unlock = ({ address } = A, passphrase = 'wrong') =>
    callMethod(table, 'personal_unlockAccount', address, passphrase)
  const sign = (passphrase = 'wrong') =>
    callMethod(table, 'personal_sign', '0x', A.address, passphrase)
  const waitSeconds = (seconds: number) => {
    time += 1000 * seconds
  }
  return { unlock, sign, waitSeconds, folder }
}

const refuse = (seconds: number) => ({
  error: {
    code: -32000,
    message: `too many wrong passphrases for ${A.address}, try again in ${seconds} s`,
  },
})

describe('guessing a passphrase', () => {
  it('has five tries, then one after 1, 2, 4 seconds, up to one in five minutes', async () => {
    const { unlock, waitSeconds } = await serve()
    for (let count = 0; count < 5; count++) expect(await unlock()).toEqual(WRONG)
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
      expect(await unlock()).toEqual(refuse(seconds))
      waitSeconds(seconds - 0.001)
      expect(await unlock()).toEqual(refuse(1))
      waitSeconds(0.001)
      expect(await unlock()).toEqual(WRONG)
    }
  })

  it('is no quicker by another method, and the right one does not open either while it waits', async () => {
    const { unlock, sign, waitSeconds } = await serve()
    for (let count = 0; count < 3; count++) await unlock()
    for (let count = 0; count < 2; count++) expect(await sign()).toEqual(WRONG)
    expect(await sign()).toEqual(refuse(1))
    expect(await unlock(A, A.passphrase)).toEqual(refuse(1))
    waitSeconds(1)
    expect(await unlock(A, A.passphrase)).toEqual({ result: true })
  })

  it('begins anew after the right one', async () => {
    const { unlock } = await serve()
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 4; count++) expect(await unlock()).toEqual(WRONG)
      expect(await unlock(A, A.passphrase)).toEqual({ result: true })
    }
  })

  it('leaves other accounts alone', async () => {
    const { unlock } = await serve()
    for (let count = 0; count < 6; count++) await unlock()
    expect(await unlock(B, B.passphrase)).toEqual({ result: true })
  })

  it('wins nothing by many tries at once', async () => {
    const { unlock } = await serve()
    const answers = await Promise.all(Array.from({ length: 10 }, () => unlock()))
    // Two run at a time, so that one more may have begun when the fifth fails.
    const tried = answers.filter(answer => answer.error?.message === WRONG.error.message)
    expect(tried.length).toBeGreaterThanOrEqual(5)
    expect(tried.length).toBeLessThanOrEqual(6)
  })

  it('is not what a file is that cannot be read', async () => {
    const { unlock, folder } = await serve()
    writeFileSync(join(folder, 'key-0'), A.file.replace('"version":3', '"version":4'))
    for (let count = 0; count < 8; count++) {
      expect((await unlock()).error?.message).toBe('version not supported: 4')
    }
  })
})
