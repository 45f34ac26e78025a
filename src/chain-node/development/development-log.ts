import type { Chain } from '../chain/chain.ts'
import { encodeHex, type Hex } from '../codec/hex.ts'
import type { Log } from '../log.ts'
import { readConsoleLog } from './console-log.ts'

/** Transactions of a block of which each is told; of a larger one only the block is. */
const MOST_TOLD = 10

/** Writes what a contract writes with `console.log`. */
export function logConsole(log: Log, input: Uint8Array): void {
  const text = readConsoleLog(input)
  if (text !== null) log.info('console', { text })
}

/** Writes what each transaction did, and why it failed, as blocks come. Gives the way to stop it. */
export function logTransactions(log: Log, chain: Pick<Chain, 'onAppend'>): () => void {
  return chain.onAppend(({ block, receipts }) => {
    if (receipts.length > MOST_TOLD) return
    for (const [index, { from, to, input, value, hash }] of block.transactions.entries()) {
      const receipt = receipts[index]
      if (receipt === undefined) continue
      const { gasUsed, contractAddress, failure } = receipt
      log.info('transaction', {
        hash,
        from,
        ...(to === null ? { creates: contractAddress } : { to }),
        ...(to !== null && { ...nameFunction(input) }),
        ...(value > 0n && { value }),
        gasUsed,
        ...(failure !== undefined && { failed: failure }),
      })
    }
  })
}

/** By its selector: nobody has told the node what it is called. */
function nameFunction(input: Uint8Array): { function: Hex } | null {
  return input.length < 4 ? null : { function: encodeHex(input.subarray(0, 4)) }
}
