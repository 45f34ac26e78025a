import { createImpersonation, type Impersonation } from './impersonation.ts'
import { createSnapshots, type SnapshotParts, type Snapshots } from './snapshots.ts'

/** What a node for development keeps beside its chain. */
export interface Development {
  readonly snapshots: Snapshots
  readonly impersonation: Impersonation
}

export function createDevelopment(parts: SnapshotParts): Development {
  return { snapshots: createSnapshots(parts), impersonation: createImpersonation() }
}
