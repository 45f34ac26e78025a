import { createElement } from 'react'
import { expect, it } from 'vitest'
import type { MessageVerdictView } from '../../../background/views/message-views.ts'
import { textOf } from '../../testing/text-of.ts'
import { Verdict } from './verdict.tsx'

const proof = { message: 'mine', signature: 'AAAA', address: 'bc1q' }
const textFor = (verdict: MessageVerdictView) => textOf(createElement(Verdict, { proof, verdict }))

type Valid = Extract<MessageVerdictView, { state: 'valid' }>
const valid = (changes: Partial<Valid>) =>
  textFor({
    ...{ state: 'valid', format: 'simple', coins: [] },
    lock: { time: 0, age: 0, version: 0 },
    ...changes,
  })

it('says that a signature is valid, and in which form', () => {
  const text = valid({})
  expect(text).toContain('The signature is valid Who signed this text can spend')
  expect(text).toContain('BIP-322 simple')
  expect(text).not.toContain('time lock')
  expect(valid({ format: 'legacy' })).toContain('Bitcoin Signed Message')
})

it('never calls a signature under a time lock valid without the lock', () => {
  const byHeight = valid({ format: 'full', lock: { time: 950_000, age: 144, version: 2 } })
  expect(byHeight).toContain('The signature is valid with a time lock')
  expect(byHeight).toContain('Valid from Block 950000')
  expect(byHeight).toContain('Coin at least this old 144 blocks')
  // BIP-68: bit 22 is a time in units of 512 seconds; 8 of them are 68 minutes and more than one hour.
  const byTime = valid({ lock: { time: 1_830_297_600, age: 2 ** 22 + 8, version: 2 } })
  expect(byTime).toContain('2028')
  expect(byTime).toContain('Coin at least this old 2 hours')
})

it('lists the coins of a proof of funds with their sum, and calls none of them unspent before the chain is asked', () => {
  const text = valid({
    format: 'proof-of-funds',
    coins: ['150', '50'].map((sats, at) => ({
      ...{ outpoint: `${'ab'.repeat(32)}:${at}`, sats, address: null, sequence: 0 },
    })),
  })
  expect(text).toContain('Coins it proves')
  expect(text).toMatch(/Sum 0\.0*\s*00\s*200/)
  expect(text).not.toContain('Unspent')
})

it.each([
  [{ kind: 'script', error: 'NULLFAIL', input: 0 }, 'not made by the key of this address'],
  [{ kind: 'script', error: 'UNSATISFIED_LOCKTIME', input: 0 }, 'A time lock'],
  [{ kind: 'script', error: 'CLEANSTACK', input: 2 }, '(CLEANSTACK). This is about coin 2'],
  [{ kind: 'address' }, 'not an address of the network in use'],
  [{ kind: 'encoding' }, 'signature is incomplete'],
  [{ kind: 'transaction' }, 'another text, or for another address'],
] as const)('says that a signature is not valid and why: %o', (reason, why) => {
  const text = textFor({ state: 'invalid', format: null, reason })
  expect(text).toContain('The signature is not valid')
  expect(text).toContain(why)
})

it.each([
  [{ kind: 'address-version' }, 'of a kind that has no rules yet'],
  [{ kind: 'transaction-version', version: 3 }, 'transaction version 3'],
  [{ kind: 'work' }, 'more signatures than are checked'],
] as const)('calls neither valid nor invalid what it cannot tell: %o', (reason, why) => {
  const text = textFor({ state: 'inconclusive', format: null, reason })
  expect(text).toContain('Satchel cannot say whether the signature is valid')
  expect(text).toContain(why)
  expect(text).not.toContain('is not valid')
})
