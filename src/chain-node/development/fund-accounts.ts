import type { Chain } from '../chain/chain.ts'
import { decodeHex, type Hex } from '../codec/hex.ts'
import { CREATE2_DEPLOYER, DEV_BALANCE } from '../dev-accounts.ts'
import type { AccountChange, Engine } from '../engine/engine.ts'

/**
 * Gives a chain of somebody's own genesis what a chain for development has: funded accounts, and the deployer of contracts. The
 * genesis stays what it is, so that its hash does; accounts that it has keep what they have. A chain with blocks stays as it is.
 */
export async function fundAccounts(
  chain: Pick<Chain, 'head' | 'changeState'>,
  engine: Pick<Engine, 'readAccount' | 'changeAccount'>,
  addresses: readonly Hex[],
): Promise<void> {
  if (chain.head().number > 0n) return
  const changes: (readonly [Hex, AccountChange])[] = [
    [CREATE2_DEPLOYER.address, { nonce: 1n, code: decodeHex(CREATE2_DEPLOYER.code) }],
    ...addresses.map(address => [address, { balance: DEV_BALANCE }] as const),
  ]
  for (const [address, change] of changes) {
    const { stateRoot } = chain.head()
    if (engine.readAccount(stateRoot, address) !== null) continue
    await chain.changeState(engine.changeAccount(stateRoot, address, change))
  }
}
