import type { Hex } from '../../codec/hex.ts'
import { toBytes } from '../../engine/block-environment.ts'
import { decodeRlp } from '../../engine/encoding/rlp.ts'
import { decodeBodyTransaction } from '../../engine/encoding/transaction-codec.ts'
import { computeFloorGas, computeIntrinsicGas } from '../../engine/intrinsic-gas.ts'
import { assertAllowed } from '../../engine/transaction-limits.ts'
import { rulesOf } from './networks.ts'

/** A transaction test as the files have it, as far as it is read. */
export interface TransactionTest {
  readonly txbytes: Hex
  readonly result: { readonly [network: string]: TransactionVerdict }
}

export interface TransactionVerdict {
  /** Why a block takes no such transaction; the others are there where it does. */
  readonly exception?: string
  readonly hash?: string
  readonly sender?: string
  readonly intrinsicGas?: string
}

/** Reads a transaction as a block of a network would, whatever the state is; the faults that were found. */
export async function runTransactionTest(
  { txbytes }: TransactionTest,
  network: string,
  wanted: TransactionVerdict,
): Promise<string[]> {
  const rules = await rulesOf(network)
  const common = rules.commonAt(0n, 0n)
  const bytes = toBytes(txbytes)
  try {
    const isLegacy = (bytes[0] ?? 0) >= 0x80
    const transaction = decodeBodyTransaction(rules, common, isLegacy ? decodeRlp(bytes) : bytes)
    assertAllowed(common, transaction)
    const intrinsic = computeIntrinsicGas(common, transaction)
    const floor = computeFloorGas(common, transaction.input)
    if (transaction.gas < intrinsic || transaction.gas < floor)
      throw new Error('intrinsic gas too low')
    if (wanted.exception !== undefined) return [`it is taken, expected ${wanted.exception}`]
    const found = {
      hash: transaction.hash,
      sender: transaction.from,
      intrinsicGas: `0x${intrinsic.toString(16)}`,
    }
    return (Object.keys(found) as (keyof typeof found)[]).flatMap(name => {
      const expected = wanted[name]
      const isSame =
        expected === undefined ||
        (name === 'intrinsicGas' ? BigInt(expected) === intrinsic : expected === found[name])
      return isSame ? [] : [`its ${name} is ${found[name]}, expected ${expected}`]
    })
  } catch (error) {
    if (wanted.exception !== undefined) return []
    return [`it is refused: ${error instanceof Error ? error.message : error}`]
  }
}
