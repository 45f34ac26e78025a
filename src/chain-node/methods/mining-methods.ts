import { formatQuantity } from '../codec/hex.ts'
import type { Producer } from '../producer/producer.ts'
import { defineMethod, type MethodTable } from '../rpc/method.ts'

/** Blocks on demand; not part of the specification, and served only by a node that was started for it. `--dev` has more of it. */
export function listMiningMethods({ producer }: { producer: Producer }): MethodTable {
  return {
    evm_mine: defineMethod([], async () => formatQuantity((await producer.produce()).number)),
  }
}
