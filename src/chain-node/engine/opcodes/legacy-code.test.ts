import { keccak256 } from 'ethers'
import { describe, expect, it } from 'vitest'
import { encodeHex, type Hex } from '../../codec/hex.ts'
import { setUpEngine } from '../../testing/engine-setup.ts'
import { toBytes } from '../block-environment.ts'

const FROM: Hex = `0x${'11'.repeat(20)}`
const PROGRAM: Hex = `0x${'22'.repeat(20)}`
const OTHER: Hex = `0x${'33'.repeat(20)}`
/** Begins as EIP-3540's containers, which no fork has. */
const OTHER_CODE: Hex = '0xef0001'

/** Runs code as a contract, with a million of gas. */
async function run(code: string) {
  const { engine, head } = await setUpEngine()
  const overrides = new Map([
    [PROGRAM, { code: toBytes(`0x${code}`) }],
    [OTHER, { code: toBytes(OTHER_CODE) }],
  ])
  const message = { from: FROM, to: PROGRAM, value: 0n, input: new Uint8Array(), gas: 1_000_000n }
  const { returned, gasUsed } = await engine.call(head(), message, overrides)
  return { returned: encodeHex(returned), gasUsed }
}

const RETURN_WORD = '60005260206000f3'
const ADDRESS = OTHER.slice(2)

describe('code that begins with 0xef00', () => {
  it('has its own size, hash and bytes', async () => {
    const size = await run(`73${ADDRESS}3b${RETURN_WORD}`)
    expect(BigInt(size.returned)).toBe(3n)
    const hash = await run(`73${ADDRESS}3f${RETURN_WORD}`)
    expect(hash.returned).toBe(keccak256(OTHER_CODE))
    const copy = await run(`60046000600073${ADDRESS}3c60206000f3`)
    expect(copy.returned).toBe(`${OTHER_CODE}${'0'.repeat(58)}`)
  })

  // The first opcode is none, so that all gas is spent that was handed on.
  it.each([
    ['CREATE', '6002601e6000f0'],
    ['CREATE2', '60006002601e6000f5'],
  ])('makes no contract with %s, which counts as tried', async (_, create) => {
    const { returned, gasUsed } = await run(`61ef00600052${create}${RETURN_WORD}`)
    expect(BigInt(returned)).toBe(0n)
    expect(gasUsed).toBeGreaterThan(900_000n)
  })
})
