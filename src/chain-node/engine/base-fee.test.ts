import { describe, expect, it } from 'vitest'
import { readExecutionApisBlocks, readExecutionApisGenesis } from '../testing/execution-apis.ts'
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from './base-fee.ts'
import type { Header } from './block.ts'
import { decodeBlock } from './encoding/block-codec.ts'
import { builtInGenesis, readGenesis } from './genesis/genesis.ts'
import { createRules } from './rules.ts'

function rulesWith(config: object) {
  return createRules(
    readGenesis({
      config: {
        chainId: 1,
        homesteadBlock: 0,
        eip150Block: 0,
        eip155Block: 0,
        eip158Block: 0,
        byzantiumBlock: 0,
        constantinopleBlock: 0,
        istanbulBlock: 0,
        berlinBlock: 0,
        londonBlock: 5,
        ...config,
      },
      difficulty: 1,
      gasLimit: 1,
      alloc: {},
    }),
  )
}
const london = await rulesWith({})
const BLOBS = { londonBlock: 0, shanghaiTime: 0, cancunTime: 0 }
const cancun = await rulesWith(BLOBS)

describe('the base fee', () => {
  // Cases of go-ethereum's TestCalcBaseFee.
  it.each([
    [1_000_000_000n, 20_000_000n, 10_000_000n, 1_000_000_000n],
    [1_000_000_000n, 20_000_000n, 9_000_000n, 987_500_000n],
    [1_000_000_000n, 20_000_000n, 11_000_000n, 1_012_500_000n],
  ])('after %s with a limit of %s and %s used is %s', (base, gasLimit, gasUsed, expected) => {
    const parent = { number: 5n, timestamp: 0n, baseFeePerGas: base, gasLimit, gasUsed } as Header
    expect(nextBaseFee(london, parent)).toBe(expected)
  })

  it('begins with a gwei, and rises by one wei at least', () => {
    const parent = { number: 4n, timestamp: 0n, gasLimit: 10n, gasUsed: 10n } as Header
    expect(nextBaseFee(london, parent)).toBe(1_000_000_000n)
    expect(nextBaseFee(london, { ...parent, number: 6n, baseFeePerGas: 1n })).toBe(2n)
  })

  it('is nothing before London', async () => {
    const parent = { number: 3n, timestamp: 0n, gasLimit: 10n, gasUsed: 10n } as Header
    expect(nextBaseFee(london, parent)).toBe(0n)
    const rules = await createRules(builtInGenesis('mainnet', { profile: 'default', alloc: {} }))
    expect(nextBaseFee(rules, parent)).toBe(0n)
  })

  it('is as it is where a block has no room', () => {
    const parent = { number: 6n, timestamp: 0n, gasLimit: 1n, gasUsed: 1n, baseFeePerGas: 7n }
    expect(nextBaseFee(london, parent as Header)).toBe(7n)
  })
})

describe('the blob base fee', () => {
  // Cases of go-ethereum's TestCalcBlobFee.
  it.each([
    [0n, 1n],
    [2_314_057n, 1n],
    [2_314_058n, 2n],
    [10n * 1024n * 1024n, 23n],
  ])('for %s gas in excess is %s', (excessBlobGas, expected) => {
    expect(blobBaseFee(cancun, { number: 1n, timestamp: 1n, excessBlobGas } as Header)).toBe(
      expected,
    )
  })

  it('is missing before Cancun', () => {
    expect(blobBaseFee(london, { number: 9n, timestamp: 0n } as Header)).toBe(null)
    expect(nextExcessBlobGas(london, { number: 9n } as Header, 1n)).toBe(0n)
  })

  // Cases of go-ethereum's TestCalcExcessBlobGas, with a target of three blobs.
  it.each([
    [0n, 0n, 0n],
    [0n, 1n, 0n],
    [0n, 3n, 0n],
    [0n, 4n, 131_072n],
    [1n, 3n, 1n],
    [1n, 4n, 131_073n],
    [1n, 5n, 262_145n],
    [393_216n, 3n, 393_216n],
    [393_216n, 2n, 262_144n],
    [393_216n, 1n, 131_072n],
    [393_216n, 0n, 0n],
  ])('grows from %s with %s blobs to %s', (excessBlobGas, count, expected) => {
    const parent = { number: 1n, timestamp: 1n, excessBlobGas, blobGasUsed: count * 131_072n }
    expect(nextExcessBlobGas(cancun, parent as Header, 2n)).toBe(expected)
  })

  // Examples of EIP-7918: the price does not fall while blobs cost less than the gas around them.
  it('does not fall under the cost of execution from Osaka on', async () => {
    const rules = await rulesWith({ ...BLOBS, pragueTime: 0, osakaTime: 0 })
    const parent = {
      number: 1n,
      timestamp: 1n,
      excessBlobGas: 1_000_000n,
      blobGasUsed: 3n * 131_072n,
    }
    const next = (baseFeePerGas: bigint) =>
      nextExcessBlobGas(rules, { ...parent, baseFeePerGas } as Header, 2n)
    expect(next(16n)).toBe(1_000_000n - 3n * 131_072n)
    expect(next(17n)).toBe(1_000_000n + (3n * 131_072n * 3n) / 9n)
  })
})

it('the headers of execution-apis have these fees', async () => {
  const rules = await createRules(readGenesis(readExecutionApisGenesis()))
  const headers = readExecutionApisBlocks().map(rlp => decodeBlock(rules, rlp).header)
  for (const [index, header] of headers.slice(1).entries()) {
    const parent = headers[index] as Header
    expect(nextBaseFee(rules, parent)).toBe(header.baseFeePerGas ?? 0n)
    expect(nextExcessBlobGas(rules, parent, header.timestamp)).toBe(header.excessBlobGas ?? 0n)
  }
})
