import { expect, it } from 'vitest'
import { addressAt, createLedger, createTransfer } from '../testing/ledger.ts'
import { createGasPriceOracle } from './gas-price.ts'

const MINER = `0x${'0'.repeat(40)}` as const

async function setUp(options: { baseFee?: bigint } = {}) {
  const ledger = createLedger({ balances: {}, ...options })
  const open = () => createGasPriceOracle({ ...ledger, minimum: 10n })
  let nonce = 0n
  const append = (...fields: Partial<Parameters<typeof createTransfer>[0]>[]) =>
    ledger.appendWith(
      {},
      fields.map(one => createTransfer({ from: addressAt(1), nonce: nonce++, ...one })),
    )
  return { ledger, open, append }
}

it('takes the three lowest prices of a block, without the producer’s own', async () => {
  const { open, append } = await setUp()
  const oracle = open()
  await append(
    { gasPrice: 90n },
    { gasPrice: 30n },
    { gasPrice: 40n },
    { gasPrice: 50n },
    { gasPrice: 20n, from: MINER },
  )
  // Of 30, 40 and 50 the one at (3 - 1) * 60 / 100 = 1.
  expect(oracle.suggestPrice()).toBe(40n)
})

it('forgets what is more than 20 blocks ago, and is the same after a restart', async () => {
  const { open, append } = await setUp()
  const oracle = open()
  for (let block = 0; block < 20; block++) await append({ gasPrice: 100n })
  for (let block = 0; block < 9; block++) {
    expect(oracle.suggestTip()).toBe(100n)
    await append({ gasPrice: 200n })
    expect(open().suggestTip()).toBe(oracle.suggestTip())
  }
  // Of 11 and 9 the one at (20 - 1) * 60 / 100 = 11, counted from zero.
  expect(oracle.suggestTip()).toBe(200n)
})

it('never asks for less than the minimum, nor for more than 500 gwei', async () => {
  const { open, append } = await setUp()
  const oracle = open()
  await append({ gasPrice: 1n })
  expect(oracle.suggestPrice()).toBe(10n)
  for (let block = 0; block < 3; block++) await append({ gasPrice: 10n ** 15n })
  expect(oracle.suggestPrice()).toBe(500n * 10n ** 9n)
})

it('goes by what was paid above the base fee, and adds that of the next block', async () => {
  const { open, append, ledger } = await setUp({ baseFee: 1000n })
  const oracle = open()
  await append({ gasPrice: 5000n, maxPriorityFeePerGas: 50n })
  expect(oracle.suggestTip()).toBe(50n)
  await append({ gasPrice: 1020n })
  await append({ gasPrice: 1030n, maxPriorityFeePerGas: 900n })
  ledger.setBaseFee(1100n)
  // Of 20, 30 and 50 the middle.
  expect(oracle.suggestPrice()).toBe(1130n)
})
