import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { getBytes, keccak256, toBeHex } from 'ethers'

/** As `anvil_dumpState` has it. */
export interface DumpedAccount {
  readonly nonce: number
  readonly balance: string
  readonly code: string
  readonly storage: { readonly [slot: string]: string }
}

/** The root of the state that is made of these accounts, without empty ones (EIP-161) and without slots that are zero. */
export async function computeStateRoot(accounts: {
  readonly [address: string]: DumpedAccount
}): Promise<string> {
  const trie = await createMPT({ useKeyHashing: true })
  for (const [address, { nonce, balance, code, storage }] of Object.entries(accounts)) {
    if (nonce === 0 && BigInt(balance) === 0n && code === '0x') continue
    const slots = await createMPT({ useKeyHashing: true })
    for (const [slot, value] of Object.entries(storage)) {
      if (BigInt(value) === 0n) continue
      await slots.put(getBytes(toBeHex(slot, 32)), RLP.encode(BigInt(value)))
    }
    const fields = [BigInt(nonce), BigInt(balance), slots.root(), getBytes(keccak256(code))]
    await trie.put(getBytes(address), RLP.encode(fields))
  }
  return `0x${Buffer.from(trie.root()).toString('hex')}`
}
