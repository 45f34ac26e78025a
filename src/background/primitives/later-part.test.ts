import { expect, it } from 'vitest'
import { laterPart } from './later-part.ts'

it('a part whose code comes later is made at the first call, and once', async () => {
  let made = 0
  const part = laterPart(async () => {
    made++
    return { double: async (of: number) => 2 * of }
  })
  expect(made).toBe(0)
  expect(await Promise.all([part.double(2), part.double(3)])).toEqual([4, 6])
  expect(made).toBe(1)
})

it('a part whose code cannot be read rejects the call with the reason, and is tried again at the next', async () => {
  let isReadable = false
  const part = laterPart(async () => {
    if (!isReadable) throw new Error('not readable')
    return { answer: async () => 'here' }
  })
  await expect(part.answer()).rejects.toThrow('not readable')
  isReadable = true
  expect(await part.answer()).toBe('here')
})

it('a promise can resolve to a part whose code comes later', async () => {
  const part = laterPart(async () => ({ answer: async () => 'here' }))
  expect(await Promise.resolve(part)).toBe(part)
})
