import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeHex, encodeHex, type Hex } from '../../codec/hex.ts'
import { builtInGenesis } from '../genesis/genesis.ts'
import { createRules } from '../rules.ts'

const rules = await createRules(builtInGenesis('mainnet', { profile: 'default', alloc: {} }))
const ours = await createEVM({
  common: rules.commonAt(0n, 0n),
  customOpcodes: rules.customOpcodes,
})
const cancun = await createEVM({
  common: new Common({ chain: Mainnet, hardfork: Hardfork.Cancun, customCrypto: {} }),
})

/** Fills 64 bytes of memory, copies, and returns the first 256 bytes. */
function writeProgram(destination: bigint, source: bigint, length: bigint): Hex {
  const push = (value: bigint) => `7f${value.toString(16).padStart(64, '0')}`
  const fill = `7f${'11'.repeat(16)}${'22'.repeat(16)}6000527f${'33'.repeat(32)}602052`
  return `0x${fill}${push(length)}${push(source)}${push(destination)}5e6101006000f3`
}

async function run(evm: typeof ours, code: Hex) {
  const result = await evm.runCode({ code: decodeHex(code), gasLimit: 100_000n })
  return {
    returned: encodeHex(result.returnValue),
    gas: result.executionGasUsed,
    error: result.exceptionError?.error,
  }
}

// Examples of EIP-5656.
it.each<[bigint, bigint, bigint, string]>([
  [0n, 32n, 32n, `${'33'.repeat(32)}${'33'.repeat(32)}`],
  [0n, 0n, 32n, `${'11'.repeat(16)}${'22'.repeat(16)}${'33'.repeat(32)}`],
  [1n, 0n, 8n, `${'11'.repeat(16)}${'22'.repeat(16)}${'33'.repeat(32)}`],
  [0n, 15n, 3n, `112222${'11'.repeat(13)}${'22'.repeat(16)}${'33'.repeat(32)}`],
])('MCOPY to %s from %s of %s bytes', async (destination, source, length, expected) => {
  const { returned } = await run(ours, writeProgram(destination, source, length))
  expect(returned.slice(2, 130)).toBe(expected)
})

it('MCOPY gives and costs what it does on Cancun', async () => {
  const offset = fc.oneof(
    fc.bigInt(0n, 200n),
    fc.bigInt(0n, 100_000n),
    fc.bigInt(0n, 2n ** 256n - 1n),
  )
  await fc.assert(
    fc.asyncProperty(offset, offset, offset, async (destination, source, length) => {
      const code = writeProgram(destination, source, length)
      expect(await run(ours, code)).toEqual(await run(cancun, code))
    }),
    { numRuns: 60 },
  )
})
