import { describe, expect, it, vi } from 'vitest'
import { createDerivationQueue } from './derivation-queue.ts'
import { openKeystore } from './open-keystore.ts'
import { makeKeyFolder } from './testing/key-files.ts'

/** How many derivations run now, and ran at most, at the same time. */
const scrypts = { running: 0, most: 0, all: 0 }

vi.mock('node:crypto', async importOriginal => {
  const original = await importOriginal<typeof import('node:crypto')>()
  return {
    ...original,
    scrypt(
      password: Buffer,
      salt: Buffer,
      length: number,
      options: object,
      done: (error: Error | null, key: Buffer) => void,
    ) {
      scrypts.all++
      scrypts.running++
      scrypts.most = Math.max(scrypts.most, scrypts.running)
      original.scrypt(password, salt, length, options, (error, key) => {
        scrypts.running--
        done(error, key)
      })
    },
  }
})

const TOO_MANY = 'too many key derivations in progress, try again later'

describe('a key store', () => {
  it('derives two keys at a time, lets eight wait and refuses the rest; the event loop goes on', async () => {
    const keystore = await openKeystore({ folder: makeKeyFolder(), scrypt: 'light' })
    const address = await keystore.create('foo')
    Object.assign(scrypts, { running: 0, most: 0, all: 0 })

    let ticks = 0
    const timer = setInterval(() => ticks++, 10)
    const attempts = Array.from({ length: 12 }, () => keystore.unlock(address, 'foo', 300))
    const results = await Promise.allSettled(attempts)
    clearInterval(timer)

    const failures = results.flatMap(result =>
      result.status === 'rejected' ? [result.reason.message] : [],
    )
    expect(failures).toEqual([TOO_MANY, TOO_MANY])
    expect(scrypts).toEqual({ running: 0, most: 2, all: 10 })
    expect(ticks).toBeGreaterThan(0)

    await keystore.unlock(address, 'foo', 300)
    keystore.close()
  })
})

describe('createDerivationQueue', () => {
  it('runs what waits in the order in which it came, whether the work before succeeds or not', async () => {
    const queue = createDerivationQueue(1, 3)
    const order: number[] = []
    const work = (number: number) =>
      queue.run(async () => {
        await new Promise(setImmediate)
        order.push(number)
        if (number === 2) throw new Error('failed')
      })
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map(work))
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
    ])
    expect(order).toEqual([1, 2, 3, 4])
    await work(6)
    expect(order).toEqual([1, 2, 3, 4, 6])
  })
})
