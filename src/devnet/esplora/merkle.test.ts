import { describe, expect, it } from 'vitest'
import { merkleBranch } from './merkle.ts'

// Block 100,000 of mainnet.
const TXIDS = [
  '8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87',
  'fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4',
  '6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4',
  'e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d',
]
const FIRST_PAIR = 'ccdafb73d8dcd0173d5d5c3c9a0770d0b3953db889dab99ef05b1907518cb815'

describe('a merkle branch', () => {
  it('names the sibling and the other pair', () => {
    expect(merkleBranch(TXIDS, 3)).toEqual([TXIDS[2], FIRST_PAIR])
    expect(merkleBranch(TXIDS, 2)).toEqual([TXIDS[3], FIRST_PAIR])
  })

  it('pairs the last of an odd count with itself', () => {
    expect(merkleBranch(TXIDS.slice(0, 3), 2)).toEqual([TXIDS[2], FIRST_PAIR])
  })

  it('of a block with one transaction is empty', () => {
    expect(merkleBranch(TXIDS.slice(0, 1), 0)).toEqual([])
  })
})
