import { u128 } from '@magiceden-oss/runestone-lib/dist/src/integer/index.js'
import { Network as OracleNetwork } from '@magiceden-oss/runestone-lib/dist/src/network.js'
import { Rune } from '@magiceden-oss/runestone-lib/dist/src/rune.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Network } from '../../bitcoin/network.ts'
import { formatRuneName, parseRuneName } from './rune-name.ts'
import { isReserved, minimumRuneAt, unlockHeightOf } from './rune-unlock.ts'

const START = 840_000
const INTERVAL = 17_500

function minimumName(network: Network, height: number): string {
  return formatRuneName({ rune: minimumRuneAt(network, height), spacers: 0 })
}

function numberOf(name: string): bigint {
  return parseRuneName(name)?.rune ?? -1n
}

// The cases of crates/ordinals/src/rune.rs in ord (CC0).
describe('the first name that a block may etch', () => {
  it.each<[number, string]>([
    [0, 'AAAAAAAAAAAAA'],
    [START / 2, 'AAAAAAAAAAAAA'],
    [START - 1, 'AAAAAAAAAAAAA'],
    [START, 'ZZYZXBRKWXVA'],
    [START + 1, 'ZZXZUDIVTVQA'],
    [START + INTERVAL - 1, 'AAAAAAAAAAAA'],
    [START + INTERVAL, 'ZZYZXBRKWXV'],
    [START + INTERVAL * 2, 'ZZYZXBRKWY'],
    [START + INTERVAL * 5 + 1, 'ZZXZUDJ'],
    [START + INTERVAL * 8, 'ZZZA'],
    [START + INTERVAL * 10 - 2, 'AAC'],
    [START + INTERVAL * 10, 'AAA'],
    [START + INTERVAL * 10 + INTERVAL / 2, 'NA'],
    [START + INTERVAL * 11 - 2, 'AB'],
    [START + INTERVAL * 11 + INTERVAL / 2, 'N'],
    [START + INTERVAL * 12 - 2, 'B'],
    [START + INTERVAL * 12, 'A'],
    [2 ** 32 - 1, 'A'],
  ])('on mainnet at %i is %s', (height, name) => {
    expect(minimumName('mainnet', height)).toBe(name)
  })

  it.each<Network>(['testnet4', 'signet', 'regtest'])(
    'on %s falls from the first block on',
    network => {
      expect(minimumName(network, 0)).toBe('ZZYZXBRKWXVA')
      expect(minimumName(network, 1)).toBe('ZZXZUDIVTVQA')
    },
  )

  it('is that of runestone-lib at every height', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_200_000 }), height => {
        const told = (network: OracleNetwork) =>
          Rune.getMinimumAtHeight(network, u128(height)).value as bigint
        expect(minimumRuneAt('mainnet', height)).toBe(told(OracleNetwork.MAINNET))
        expect(minimumRuneAt('signet', height)).toBe(told(OracleNetwork.SIGNET))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the height at which a name is unlocked', () => {
  it.each<[string, number]>([
    ['AAAAAAAAAAAAB', 0],
    ['AAAAAAAAAAAAA', 0],
    ['ZZZZZZZZZZZZ', START],
    ['ZZZZZZZZZZZ', START + INTERVAL],
    ['ZZZZZZZZZZ', START + INTERVAL * 2],
    ['ZZYZXBRKWXVA', START],
    ['ZZZ', 997_500],
    ['AAA', 1_014_999],
    ['NNNN', 988_400],
    ['Z', 1_033_173],
    ['N', 1_041_249],
    ['B', 1_049_326],
    ['A', 1_049_999],
  ])('of %s on mainnet is %i', (name, height) => {
    expect(unlockHeightOf('mainnet', numberOf(name))).toBe(height)
  })

  it('is the first whose block may etch it', () => {
    fc.assert(
      fc.property(fc.nat({ max: 26 ** 6 }), number => {
        for (const network of ['mainnet', 'signet'] as const) {
          const height = unlockHeightOf(network, BigInt(number)) ?? -1
          expect(minimumRuneAt(network, height)).toBeLessThanOrEqual(BigInt(number))
          expect(minimumRuneAt(network, height - 1)).toBeGreaterThan(BigInt(number))
        }
      }),
    )
  })

  it.each<[string, boolean]>([
    ['A', false],
    ['ZZZZZZZZZZZZZZZZZZZZZZZZZZ', false],
    ['AAAAAAAAAAAAAAAAAAAAAAAAAAA', true],
    ['AAAAAAAAAAAAAAAAAAAAAAAAAAB', true],
    ['BCGDENLQRQWDSLRUGSNLBTMFIJAV', true],
  ])('of %s is none where the name is reserved: %s', (name, reserved) => {
    expect(isReserved(numberOf(name))).toBe(reserved)
    expect(unlockHeightOf('mainnet', numberOf(name)) === null).toBe(reserved)
  })
})
