import type { Network } from '../../bitcoin/network.ts'
import type { AccountView } from './account-views.ts'
import type { ServerKind } from './settings-views.ts'

/** What a backup has, by what it is; each part can be left out of a restore. */
export type BackupPart =
  | 'accounts'
  | 'contacts'
  | 'labels'
  | 'sites'
  | 'coins'
  | 'jobs'
  | 'settings'
  | 'servers'

/** One thing of a backup: what it is called and what it belongs to. */
export type BackupItem = {
  kind:
    | AccountView['source']
    | 'contact'
    | 'label'
    | 'grant'
    | 'blocked'
    | 'locked'
    | 'inscribing'
    | 'etching'
    | 'minting'
    | 'cosigning'
    | 'language'
    | 'theme'
    | 'currency'
    | 'autoLockMinutes'
    | 'network'
    | ServerKind
  /** Of an account or contact its name, of a label its text, of a site its origin, of a coin its outpoint, of others their value. */
  name: string
  /** Address, txid, or the account that it belongs to. */
  detail: string | null
  network: Network | null
  /** What the wallet has in its place. */
  own: string | null
}

export type BackupSection = {
  part: BackupPart
  /** What is not in the wallet, the first few hundred; and how many there are. */
  added: BackupItem[]
  addedCount: number
  /** What the wallet has otherwise. Its own stays, except settings and servers where their part is restored. */
  differing: BackupItem[]
  differingCount: number
  /** How many the wallet has just so. */
  sameCount: number
  /** How many are of another wallet's accounts, or are not what they claim to be. */
  leftOut: number
  /** Whether to offer it as chosen: never where it would take the place of a choice, or decide whom the wallet asks. */
  suggested: boolean
}

/** What restoring a file would do. */
export type BackupReview = {
  digest: string
  /** Milliseconds since 1970. */
  madeAt: number
  /** Whether a wallet with this phrase or key made it. */
  isOwn: boolean
  sections: BackupSection[]
}

/** What a file of labels (BIP-329) would do, in the account and network in use. */
export type LabelsReview = {
  digest: string
  sections: BackupSection[]
  /** Lines of kinds that the wallet has no place for, and lines that are no labels. */
  skipped: number
  malformed: number
}
