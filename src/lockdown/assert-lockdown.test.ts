import { expect, it } from 'vitest'
import { assertLockdown } from './assert-lockdown.ts'

it('code that was started without lockdown, as unit tests are, does not go on', () => {
  expect(assertLockdown).toThrow('without lockdown')
})
