import { describe, expect, it } from 'vitest'
import { isPathTemplate } from './key-origin.ts'
import {
  changePathOf,
  type isTemplate,
  listFurtherPaths,
  nameWallets,
  WALLET_PATHS,
} from './wallet-paths.ts'

describe('the paths of wallets', () => {
  it('are lines that a vault can hold, each with where it is written', () => {
    for (const { origin, paths } of WALLET_PATHS) {
      expect(new URL(origin).protocol).toBe('https:')
      for (const [, line] of paths)
        expect(isPathTemplate(line) || ['accounts', 'receive', 'change'].includes(line)).toBe(true)
    }
  })

  it('beside those of the BIPs are 17, each once', () => {
    const keys = listFurtherPaths().map(({ addressType, line }) => `${addressType} ${line}`)
    expect(keys).toContain("p2wpkh m/44'/c'/0'/0/i")
    expect(keys).toContain("p2tr m/86'/c'/0'/i")
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toHaveLength(17)
  })

  it.each([
    ["m/44'/c'/0'/0/i", "m/44'/c'/0'/1/i"],
    ["m/0'/0/i", "m/0'/1/i"],
    ["m/0'/0'/i'", "m/0'/1'/i'"],
    ["m/86'/c'/0'/i", null],
    ["m/44'/c'/0'/1/i", null],
  ] as const)('have the change of %s at %s', (line, change) => {
    expect(changePathOf(line)).toBe(change)
  })

  it('name the wallet whose they are', () => {
    const name = (line: Parameters<typeof isTemplate>[0], index = 5) =>
      nameWallets({ addressType: 'p2wpkh', line }, index)
    expect(name("m/44'/c'/0'/0/i")).toEqual(['UniSat', 'BitPay (Copay)'])
    expect(name("m/44'/c'/0'/1/i")).toEqual(['UniSat', 'BitPay (Copay)'])
    expect(name("m/0'/1'/i'")).toEqual(['Bitcoin Core'])
    expect(name('accounts')).toEqual(['Xverse', 'Leather', 'Magic Eden'])
    expect(name('change')).toEqual(['Sparrow', 'Electrum', 'Bitcoin Core', 'Wasabi', 'Samourai'])
    expect(name('receive')).toEqual(expect.arrayContaining(['UniSat', 'OKX', 'Phantom', 'Sparrow']))
    // The first address of account 0 is the first for receiving.
    expect(name('accounts', 0)).toEqual(expect.arrayContaining(['UniSat', 'Xverse', 'Electrum']))
  })

  it('name nobody for a path that no wallet of the table has', () => {
    expect(nameWallets({ addressType: 'p2wpkh', line: "m/99'/i" }, 0)).toEqual([])
  })
})
