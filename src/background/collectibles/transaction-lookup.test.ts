import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import type { ChainSource } from '../../chain/chain-source.ts'
import { createTransactionLookup, TooFarError } from './transaction-lookup.ts'

/** A chain that has any transaction it is asked for, of this many bytes, and counts how often it is asked. */
function chainOf(bytes: number) {
  const asked: string[] = []
  const transaction = new Transaction()
  transaction.addInput(new Uint8Array(32).fill(1), 0)
  transaction.addOutput(new Uint8Array(bytes), 1_000n)
  const raw = transaction.toBuffer()
  const chain = {
    fetchTransaction: async (txid: string) => {
      asked.push(txid)
      return raw
    },
  } as Partial<ChainSource> as ChainSource
  return { chain, asked }
}

const txidOf = (at: number) => String(at).padStart(64, '0')

describe('transactions of several inquiries', () => {
  it('are asked for once where they are shared, and count for the one that asked', async () => {
    const { chain, asked } = chainOf(100)
    const shared = { known: new Map(), bytes: 0 }
    const first = createTransactionLookup(chain, Date.now, { shared })
    for (let at = 0; at < 120; at++) await first.get(txidOf(at))
    await expect(first.get(txidOf(120))).rejects.toThrow(TooFarError)
    const second = createTransactionLookup(chain, Date.now, { shared })
    for (let at = 0; at < 130; at++) await second.get(txidOf(at))
    expect(asked).toHaveLength(130)
  })

  it('are asked for by each where they are not', async () => {
    const { chain, asked } = chainOf(100)
    for (let inquiry = 0; inquiry < 2; inquiry++)
      await createTransactionLookup(chain, Date.now).get(txidOf(1))
    expect(asked).toHaveLength(2)
  })

  it('are kept up to 20 MB', async () => {
    const { chain, asked } = chainOf(3_000_000)
    const shared = { known: new Map(), bytes: 0 }
    const read = async () => {
      const lookup = createTransactionLookup(chain, Date.now, { shared })
      for (let at = 0; at < 7; at++) await lookup.get(txidOf(at))
    }
    await read()
    expect(shared.known.size).toBe(6)
    await read()
    expect(asked).toHaveLength(8)
  })
})
