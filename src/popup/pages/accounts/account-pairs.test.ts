import { describe, expect, it } from 'vitest'
import type { AccountView } from '../../../background/views/account-views.ts'
import type { AddressType } from '../../../bitcoin/address.ts'
import { chooseName, findDevicePartner, findPair, hasPartner, listPairs } from './account-pairs.ts'
import type { FoundAddress } from './restore-scan.ts'

function found(
  addressType: AddressType,
  index: number,
  more: Partial<FoundAddress> = {},
): FoundAddress {
  const address = `${addressType} ${more.line ?? 'accounts'} ${index}`
  return {
    ...{ addressType, index, line: 'accounts', address, path: '', balance: '0', transactions: 1 },
    ...more,
  }
}

function account(
  purpose: number,
  index: number,
  addressType: AddressType,
  more: Partial<AccountView> = {},
): AccountView {
  return {
    ...{
      id: `${purpose} ${index}`,
      name: { unnamed: 'account', number: index },
      source: 'seed',
      addressType,
    },
    ...{ address: `${addressType} accounts ${index}`, publicKey: '02', descriptor: null },
    ...{ ordinals: null, hidden: false, derivationPath: `m/${purpose}'/0'/${index}'/0/0` },
    ...more,
  } as AccountView
}

describe('addresses of a wallet that keeps payments on SegWit and ordinals on Taproot', () => {
  it('are pairs of the same account number, as Xverse and Leather derive them', () => {
    const all = [found('p2tr', 0), found('p2tr', 3), found('p2wpkh', 0), found('p2wpkh', 3)]
    expect(listPairs(all)).toEqual([
      { index: 0, payment: 'p2wpkh' },
      { index: 3, payment: 'p2wpkh' },
    ])
  })

  it('may be Nested SegWit, where Native SegWit was not used', () => {
    const nested = [found('p2tr', 1), found('p2sh-p2wpkh', 1)]
    expect(listPairs(nested)).toEqual([{ index: 1, payment: 'p2sh-p2wpkh' }])
    expect(listPairs([...nested, found('p2wpkh', 1)])).toEqual([{ index: 1, payment: 'p2wpkh' }])
  })

  it('are no pair where the numbers differ, one is not used, or is a further address of an account', () => {
    expect(listPairs([found('p2tr', 0), found('p2wpkh', 1)])).toEqual([])
    expect(listPairs([found('p2wpkh', 0)])).toEqual([])
    expect(listPairs([found('p2tr', 2, { line: 'receive' }), found('p2wpkh', 2)])).toEqual([])
    expect(listPairs([found('p2tr', 0), found('p2pkh', 0)])).toEqual([])
  })

  it('are no pair where Taproot itself was used as an account of many addresses', () => {
    const all = [found('p2tr', 0), found('p2wpkh', 0), found('p2tr', 1, { line: 'receive' })]
    expect(listPairs(all)).toEqual([])
    const many = [found('p2tr', 0), found('p2wpkh', 0), found('p2wpkh', 5, { line: 'change' })]
    expect(listPairs(many)).toEqual([{ index: 0, payment: 'p2wpkh' }])
  })

  it('belong together although one of them is empty', () => {
    const all = [found('p2tr', 2), found('p2wpkh', 2, { balance: '5' }), found('p2tr', 4)]
    expect(all.map(one => hasPartner(one, all))).toEqual([true, false, false])
  })
})

describe('the two accounts of a pair', () => {
  const pair = { index: 2, payment: 'p2wpkh' } as const

  it('are found by their paths, on any network', () => {
    const accounts = [
      account(86, 2, 'p2tr', { derivationPath: "m/86'/1'/2'/0/0" }),
      account(84, 2, 'p2wpkh', { derivationPath: "m/84'/1'/2'/0/0" }),
      account(84, 12, 'p2wpkh'),
    ]
    expect(findPair(accounts, pair)).toEqual({ account: accounts[1], taproot: accounts[0] })
  })

  it('are not there once they are one, or where the Taproot one has many addresses', () => {
    const [taproot, segwit] = [account(86, 2, 'p2tr'), account(84, 2, 'p2wpkh')]
    const many = { ...taproot, descriptor: 'tr(xpub)' } as AccountView
    const ordinals = { address: '', publicKey: '', derivationPath: '' }
    const paired = { ...segwit, ordinals } as AccountView
    expect(findPair([many, segwit], pair)).toBeNull()
    expect(findPair([taproot, paired], pair)).toBeNull()
    expect(findPair([segwit], pair)).toBeNull()
  })

  it('have the name that a person gave one of them', () => {
    const [taproot, segwit] = [account(86, 2, 'p2tr'), account(84, 2, 'p2wpkh')]
    expect(chooseName(segwit, taproot)).toBe('')
    expect(chooseName(segwit, { ...taproot, name: 'Art' })).toBe('Art')
    expect(chooseName({ ...segwit, name: 'Daily' }, { ...taproot, name: 'Art' })).toBe('Daily')
  })
})

describe('the Taproot account of a device beside its SegWit one', () => {
  const onDevice = (
    purpose: number,
    index: number,
    addressType: AddressType,
    fingerprint = 'd34db33f',
  ) => account(purpose, index, addressType, { source: 'device', fingerprint })
  const segwit = onDevice(84, 1, 'p2wpkh')
  const taproot = onDevice(86, 1, 'p2tr')

  it('is that of the same device and account number', () => {
    const others = [onDevice(86, 0, 'p2tr'), onDevice(86, 1, 'p2tr', '0badcafe'), segwit]
    expect(findDevicePartner(segwit, [...others, taproot])).toBe(taproot)
    expect(findDevicePartner(segwit, others)).toBeNull()
    expect(findDevicePartner(taproot, [segwit, taproot])).toBeNull()
    expect(findDevicePartner(segwit, [account(86, 1, 'p2tr')])).toBeNull()
    expect(findDevicePartner(account(84, 1, 'p2wpkh'), [taproot])).toBeNull()
  })
})
