import { describe, expect, it } from 'vitest'
import { firstOf } from './first-address.ts'

const found = (line: Parameters<typeof firstOf>[0]['line'], index: number, path: string) =>
  firstOf({ addressType: 'p2wpkh', line, index, path })

describe('the account of a found address', () => {
  it('begins with the first receiving address of the same path', () => {
    const first = { addressType: 'p2wpkh', line: 'accounts', index: 0, path: "m/84'/1'/0'/0/0" }
    expect(found('receive', 7, "m/84'/1'/0'/0/7")).toEqual(first)
    expect(found('change', 3, "m/84'/1'/0'/1/3")).toEqual(first)
    const other = { addressType: 'p2wpkh', index: 0, line: "m/0'/0/i", path: "m/0'/0/0" }
    expect(found("m/0'/0/i", 7, "m/0'/0/7")).toEqual(other)
    expect(found("m/0'/1/i", 7, "m/0'/1/7")).toEqual(other)
  })

  it('is the address alone where it is an account of its own, or hardened', () => {
    expect(found('accounts', 3, "m/84'/1'/3'/0/0")).toBeNull()
    expect(found("m/0'/0'/i'", 3, "m/0'/0'/3'")).toBeNull()
    expect(found("m/86'/c'/0'/i", 3, "m/86'/1'/0'/3")).toBeNull()
  })
})
