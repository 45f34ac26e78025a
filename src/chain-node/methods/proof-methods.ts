import { requireHeader, resolveHeight } from '../chain/block-parameter.ts'
import type { Chain } from '../chain/chain.ts'
import { encodeHex, formatQuantity, type Hex } from '../codec/hex.ts'
import {
  type BlockId,
  nameKind,
  readAddress,
  readBlockId,
  readStorageSlot,
} from '../codec/parameters.ts'
import type { Engine } from '../engine/engine.ts'
import { defineMethod, JsonText, type MethodTable, optional, required } from '../rpc/method.ts'
import { ArgumentError } from '../rpc/rpc-error.ts'

/** As in geth. */
const MAX_SLOTS = 1024
const ZERO_HASH: Hex = `0x${'0'.repeat(64)}`

/** What lets others check this chain without running it; not part of the specification. */
export function listProofMethods({
  chain,
  engine,
}: {
  readonly chain: Chain
  readonly engine: Pick<Engine, 'readAccount' | 'readStorage' | 'proveAccount' | 'proveStorage'>
}): MethodTable {
  return {
    eth_getBlockReceipts: defineMethod([required(readBlockId)], ([block]) => {
      const id = 'hash' in block ? block.hash : resolveHeight(chain, block)
      const found = chain.findBlock(id)
      if (found === null) return null
      const texts = found.transactions.map(({ hash }) => {
        const text = chain.receiptJson(hash)
        if (text === null) throw new Error(`Transaction ${hash} of a block has no receipt.`)
        return text
      })
      return new JsonText(`[${texts.join(',')}]`)
    }),

    eth_getProof: defineMethod(
      [
        required(readAddress),
        required(readSlots),
        optional<BlockId>(readBlockId, { tag: 'latest' }),
      ],
      ([address, slots, block]) => {
        const { stateRoot } = requireHeader(chain, block)
        const account = engine.readAccount(stateRoot, address)
        return {
          address,
          accountProof: engine.proveAccount(stateRoot, address).map(encodeHex),
          balance: formatQuantity(account?.balance ?? 0n),
          codeHash: account?.codeHash ?? ZERO_HASH,
          nonce: formatQuantity(account?.nonce ?? 0n),
          storageHash: account?.storageRoot ?? ZERO_HASH,
          storageProof: slots.map(({ key, slot }) => ({
            key,
            value: formatQuantity(BigInt(encodeHex(engine.readStorage(stateRoot, address, slot)))),
            proof: engine.proveStorage(stateRoot, address, slot).map(encodeHex),
          })),
        }
      },
    ),
  }
}

/** As geth names them in its answer: those that were given in 32 bytes as they are, others as QUANTITY. */
function readSlots(value: unknown): readonly { key: Hex; slot: Uint8Array }[] {
  if (!Array.isArray(value)) {
    throw new ArgumentError(`expected an array of slots, and found ${nameKind(value)}`)
  }
  if (value.length > MAX_SLOTS) {
    throw new ArgumentError(`expected at most ${MAX_SLOTS} slots, and found ${value.length}`)
  }
  return value.map(text => {
    const slot = readStorageSlot(text)
    const isWhole = String(text).replace(/^0x/i, '').length > 62
    return { key: isWhole ? encodeHex(slot) : formatQuantity(BigInt(encodeHex(slot))), slot }
  })
}
