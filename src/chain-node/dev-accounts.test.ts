import { HDNodeWallet } from 'ethers'
import { expect, it } from 'vitest'
import { DEV_KEYS } from './dev-accounts.ts'

it('the ten accounts are those of the phrase that Hardhat and anvil use', () => {
  const phrase = 'test test test test test test test test test test test junk'
  const derived = Array.from(
    { length: 10 },
    (_, index) => HDNodeWallet.fromPhrase(phrase, '', `m/44'/60'/0'/0/${index}`).privateKey,
  )
  expect(DEV_KEYS).toEqual(derived)
})
