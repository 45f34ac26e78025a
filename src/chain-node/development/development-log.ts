import type { Chain } from '../chain/chain.ts'
import { encodeHex } from '../codec/hex.ts'
import type { Receipt } from '../engine/block.ts'
import type { Log } from '../log.ts'
import { readConsoleLog } from './console-log.ts'
import type { ContractAbis } from './contract-abis.ts'

/** Transactions of a block of which each is told; of a larger one only the block is. */
const MOST_TOLD = 10

/** Writes what a contract writes with `console.log`. */
export function logConsole(log: Log, input: Uint8Array): void {
  const text = readConsoleLog(input)
  if (text !== null) log.info('console', { text })
}

/** Writes what each transaction did, and why it failed, as blocks come. Gives the way to stop it. */
export function logTransactions(
  log: Log,
  chain: Pick<Chain, 'onAppend'>,
  abis: ContractAbis | null,
): () => void {
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
        ...(to !== null && { ...nameFunction(input, abis) }),
        ...(value > 0n && { value }),
        gasUsed,
        ...(failure !== undefined && { failed: nameFailure(failure, abis) }),
      })
    }
  })
}

/** By its selector alone where no ABI has it. */
function nameFunction(input: Uint8Array, abis: ContractAbis | null): { function: string } | null {
  if (input.length < 4) return null
  return { function: abis?.describeCall(input) ?? encodeHex(input.subarray(0, 4)) }
}

/** In geth's words, and with an error of the contract's own. */
function nameFailure(
  { message, reverted }: NonNullable<Receipt['failure']>,
  abis: ContractAbis | null,
): string {
  const error = reverted === null ? null : (abis?.describeError(reverted) ?? null)
  return error === null ? message : `${message}: ${error}`
}
