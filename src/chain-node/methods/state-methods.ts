import { isPending, requireHeader } from '../chain/block-parameter.ts'
import type { Chain } from '../chain/chain.ts'
import { encodeHex, formatQuantity } from '../codec/hex.ts'
import { type BlockId, readAddress, readBlockId, readStorageSlot } from '../codec/parameters.ts'
import type { Engine } from '../engine/engine.ts'
import type { Pool } from '../pool/pool.ts'
import { defineMethod, type MethodTable, optional, required } from '../rpc/method.ts'

/** What an account has: its balance, nonce, code and storage, at any block. */
export function listStateMethods({
  chain,
  engine,
  pool,
}: {
  readonly chain: Chain
  readonly engine: Engine
  readonly pool: Pool
}): MethodTable {
  const address = required(readAddress)
  const block = optional<BlockId>(readBlockId, { tag: 'latest' })

  return {
    eth_getBalance: defineMethod([address, block], ([address, block]) => {
      const { stateRoot } = requireHeader(chain, block)
      return formatQuantity(engine.readAccount(stateRoot, address)?.balance ?? 0n)
    }),
    eth_getStorageAt: defineMethod(
      [address, required(readStorageSlot), block],
      ([address, slot, block]) =>
        encodeHex(engine.readStorage(requireHeader(chain, block).stateRoot, address, slot)),
    ),
    eth_getTransactionCount: defineMethod([address, block], ([address, block]) => {
      if (isPending(block)) return formatQuantity(pool.nextNonce(address))
      const { stateRoot } = requireHeader(chain, block)
      return formatQuantity(engine.readAccount(stateRoot, address)?.nonce ?? 0n)
    }),
    eth_getCode: defineMethod([address, block], ([address, block]) =>
      encodeHex(engine.readCode(requireHeader(chain, block).stateRoot, address)),
    ),
  }
}
