import type { Network } from '../../bitcoin/network.ts'
import type { AccountView, GivenName, PasswordResult } from './account-views.ts'
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
    | 'phrase'
    | 'contact'
    | 'label'
    | 'grant'
    | 'blocked'
    | 'locked'
    | 'hidden'
    | 'kept'
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
  name: GivenName
  /** Address, txid, or the account that it belongs to. */
  detail: GivenName | null
  network: Network | null
  /** What the wallet has in its place. */
  own: GivenName | null
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

/** Backup files, and labels of other wallets. */
export type BackupMethods = {
  /**
   * What the recovery phrase does not bring back, as the text of a file under a password of its own; the wallet's own password is
   * asked for as well, as imported keys are in it.
   */
  createBackup(params: { walletPassword: string; password: string }): PasswordResult<{
    file: string
  }>
  /** What restoring such a file would do; nothing is written. Throws -32602 with `data.problem` for one that cannot be opened. */
  reviewBackup(params: { file: string; password: string }): BackupReview
  /** Restores the chosen parts as they were shown, all or nothing; the same digest again restores once. */
  restoreBackup(params: {
    file: string
    password: string
    digest: string
    parts: BackupPart[]
  }): null
  /** Notes, contacts and locked coins of the network in use, as JSON Lines of BIP-329. */
  exportLabels(params: null): { text: string; count: number }
  /** What such lines of another wallet would add; nothing is written. */
  reviewLabels(params: { text: string }): LabelsReview
  /** Adds them as they were shown, all or nothing; the same digest again adds once. */
  importLabels(params: { text: string; digest: string }): null
}
