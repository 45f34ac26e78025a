import { describe, expect, it } from 'vitest'
import type { SigningAccountView } from '../../background/views/account-views.ts'
import { describeRecipient } from './use-send-facts.ts'

// BIP-173's and BIP-86's examples.
const SHOP = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const PAYMENTS = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'
const ORDINALS = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'

const PAIRED: SigningAccountView = {
  ...{ id: '1', name: 'Everyday', source: 'seed', addressType: 'p2wpkh', address: PAYMENTS },
  ...{ publicKey: '', descriptor: null, derivationPath: null, phraseId: '1', hidden: false },
  ordinals: { address: ORDINALS, publicKey: '', derivationPath: "m/86'/0'/0'/0/0" },
}
const nobody = { listed: [], isAll: true }

const describeFor = (address: string, known: Parameters<typeof describeRecipient>[2] = nobody) =>
  describeRecipient(address, [PAIRED], known)

describe('who is paid', () => {
  it('is an own account at either of its addresses', () => {
    expect(describeFor(PAYMENTS)).toBe('Your account Everyday')
    expect(describeFor(ORDINALS)).toBe('Your account Everyday')
  })
  it('is somebody who was paid before, or who has a name', () => {
    const known = { address: SHOP, name: 'Bakery' }
    expect(describeFor(SHOP, { listed: [{ ...known, kind: 'contact' }], isAll: false })).toBe(
      'Bakery',
    )
    expect(describeFor(SHOP, { listed: [{ ...known, kind: 'recent' }], isAll: false })).toBe(
      'You have paid this address before',
    )
  })
  it('is somebody new only once all who were paid are known', () => {
    expect(describeFor(SHOP)).toBe('You have not paid this address before')
    expect(describeFor(SHOP, { listed: [], isAll: false })).toBeNull()
  })
})
