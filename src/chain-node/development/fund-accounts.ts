import type { Chain } from '../chain/chain.ts'
import { decodeHex, type Hex } from '../codec/hex.ts'
import { CREATE2_DEPLOYER, DEV_BALANCE } from '../dev-accounts.ts'
import type { AccountOverride, Engine } from '../engine/engine.ts'

/**
 * Gives a chain of somebody's own genesis what a chain for development has: funded accounts, and the deployer of contracts. The
 * genesis stays what it is, so that its hash does; accounts that it has keep what they have. A chain with blocks stays as it is.
 */
export async function fundAccounts(
  chain: Pick<Chain, 'head' | 'changeState'>,
  engine: Pick<Engine, 'readAccount' | 'changeState'>,
  addresses: readonly Hex[],
): Promise<void> {
  const { number, stateRoot } = chain.head()
  if (number > 0n) return
  const wanted: (readonly [Hex, AccountOverride])[] = [
    [CREATE2_DEPLOYER.address, { nonce: 1n, code: decodeHex(CREATE2_DEPLOYER.code) }],
    ...addresses.map(address => [address, { balance: DEV_BALANCE }] as const),
  ]
  const missing = wanted.filter(([address]) => engine.readAccount(stateRoot, address) === null)
  if (missing.length > 0) {
    await chain.changeState(engine.changeState(stateRoot, new Map(missing)))
  }
}
