import { formatQuantity } from '../codec/hex.ts'
import { nameKind } from '../codec/parameters.ts'
import type { Production } from '../config/config.ts'
import type { Producer } from '../producer/producer.ts'
import { defineMethod, type MethodTable, optional, required } from '../rpc/method.ts'
import { ArgumentError } from '../rpc/rpc-error.ts'
import type { Impersonation } from './impersonation.ts'
import { readCount } from './numbers.ts'
import type { Snapshots } from './snapshots.ts'
import { nameTwice } from './two-names.ts'

export interface SnapshotServices {
  readonly producer: Pick<Producer, 'setAutomine' | 'setBlockTime'>
  /** As the node was started. */
  readonly production: Production
  readonly snapshots: Snapshots
  readonly impersonation: Impersonation
}

/** What comes back to a state that the node was in. */
export function listSnapshotMethods(services: SnapshotServices): MethodTable {
  const { producer, production, snapshots, impersonation } = services
  const reset = defineMethod([optional(readNoFork, null)], async () => {
    await snapshots.reset()
    impersonation.clear()
    producer.setAutomine(production.mode === 'automine')
    producer.setBlockTime(production.mode === 'interval' ? production.seconds : 0)
  })
  return {
    evm_snapshot: defineMethod([], async () => formatQuantity(await snapshots.take())),
    evm_revert: defineMethod([required(readCount)], ([id]) => snapshots.revert(id)),
    ...nameTwice('reset', reset),
  }
}

/** Hardhat and anvil name there what is to be forked from then on. */
function readNoFork(value: unknown): null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ArgumentError(`expected an object, and found ${nameKind(value)}`)
  }
  if (Object.keys(value).length > 0) {
    throw new ArgumentError('this node forks no other chain: leave the object out')
  }
  return null
}
