import { describe, expect, it } from 'vitest'
import { fromHex } from '../bytes.ts'
import { BLOCK_370090, BLOCK_542213, GENESIS_BLOCK } from '../testing/mainnet-blocks.ts'
import { hasDifficulty, parseBlockHeader } from './block-header.ts'

describe('a block header', () => {
  it.each([GENESIS_BLOCK, BLOCK_542213])('of mainnet is read as it is published', block => {
    expect(parseBlockHeader(fromHex(block.header))).toMatchObject({
      hash: block.hash,
      merkleRoot: block.merkleRoot,
      at: block.at,
    })
  })

  it('names the block before it', () => {
    expect(parseBlockHeader(fromHex(BLOCK_542213.header))?.previous).toBe(
      '000000000000000000085a38ccf9c046c51b96add547c466ccba3612b1eb8089',
    )
  })

  it('that misses the target it states is none', () => {
    expect(parseBlockHeader(fromHex(BLOCK_370090.header))?.hash).toBe(BLOCK_370090.hash)
    expect(parseBlockHeader(fromHex(BLOCK_370090.wrongNonce))).toBeNull()
  })

  it('of another length is none', () => {
    expect(parseBlockHeader(fromHex(GENESIS_BLOCK.header).subarray(1))).toBeNull()
    expect(parseBlockHeader(fromHex(`${GENESIS_BLOCK.header}00`))).toBeNull()
  })

  it.each(['00000000', 'ffff8020', '0000803c', 'ffff7fff'])(
    'with the target %s, which is negative, zero or too large, is none',
    bits => {
      const { header } = GENESIS_BLOCK
      expect(parseBlockHeader(fromHex(header.slice(0, 144) + bits + header.slice(152)))).toBeNull()
    },
  )

  it('tells how hard the block was to find: the first one 1, by definition', () => {
    const header = parseBlockHeader(fromHex(GENESIS_BLOCK.header))
    if (!header) throw new Error('No header')
    expect(hasDifficulty(header, 1n)).toBe(true)
    expect(hasDifficulty(header, 2n)).toBe(false)
  })
})
