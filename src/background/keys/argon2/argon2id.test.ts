import { argon2id } from '@noble/hashes/argon2.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../../bitcoin/bytes.ts'
import { hashArgon2id } from './argon2id.ts'

const SLICE_MS = 100

describe('hashArgon2id', () => {
  it('gives the tag of RFC 9106, section 5.3', async () => {
    const tag = await hashArgon2id(
      {
        memoryKib: 32,
        passes: 3,
        lanes: 4,
        password: new Uint8Array(32).fill(1),
        salt: new Uint8Array(16).fill(2),
        secret: new Uint8Array(8).fill(3),
        associatedData: new Uint8Array(12).fill(4),
      },
      SLICE_MS,
    )
    expect(toHex(tag)).toBe('0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659')
  })

  it('agrees with @noble/hashes, whatever the cost and what is hashed', async () => {
    const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength })
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          // 2,048 KiB in one lane: several blocks of addresses in a segment.
          memoryKib: fc.oneof(fc.integer({ min: 32, max: 200 }), fc.constant(2048)),
          passes: fc.integer({ min: 1, max: 4 }),
          lanes: fc.integer({ min: 1, max: 4 }),
          password: bytes(0, 200),
          salt: bytes(8, 64),
          secret: bytes(0, 40),
          associatedData: bytes(0, 40),
        }),
        async input => {
          const expected = argon2id(input.password, input.salt, {
            m: input.memoryKib,
            t: input.passes,
            p: input.lanes,
            dkLen: 32,
            key: input.secret,
            personalization: input.associatedData,
          })
          expect(toHex(await hashArgon2id(input, SLICE_MS))).toBe(toHex(expected))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('gives the same, however often it pauses, and lets others work meanwhile', async () => {
    const input = {
      memoryKib: 1024,
      passes: 3,
      lanes: 1,
      password: new Uint8Array(12).fill(7),
      salt: new Uint8Array(16).fill(9),
    }
    let turns = 0
    let isDone = false
    const others = (async () => {
      while (!isDone) {
        turns++
        await new Promise(resolve => setTimeout(resolve))
      }
    })()
    const tag = await hashArgon2id(input, 0)
    isDone = true
    await others
    expect(turns).toBeGreaterThan(10)
    expect(toHex(tag)).toBe(toHex(await hashArgon2id(input, Number.POSITIVE_INFINITY)))
  })

  it('leaves what it was given as it was', async () => {
    const password = Uint8Array.from([1, 2, 3])
    const salt = new Uint8Array(16).fill(5)
    await hashArgon2id({ memoryKib: 64, passes: 1, lanes: 1, password, salt }, SLICE_MS)
    expect([...password]).toEqual([1, 2, 3])
    expect(salt).toEqual(new Uint8Array(16).fill(5))
  })
})
