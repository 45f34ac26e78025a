/** Records that only the wallet may write: grants, contacts, servers, switches. Rooms that keep one know no more of how it is guarded. */
export type Records = {
  /** What is stored, and whether somebody else than the wallet wrote it. A locked wallet cannot tell: then it says false. */
  read(key: string): Promise<{ stored: unknown; isChanged: boolean }>
  /**
   * Stores entries, other keys' too. Throws {@link ChangedRecordError} when one to be replaced was changed by somebody else, and
   * {@link RecordsLockedError} when the wallet is locked and one would not stay what it is; nothing is written then.
   */
  write(entries: { [key: string]: unknown }): Promise<void>
}

/** A record is not as the wallet wrote it, and the person has not said yet what to do. */
export class ChangedRecordError extends Error {
  override name = 'ChangedRecordError'
  constructor(record: string) {
    super(`${record}: changed by something other than the wallet`)
  }
}

/** A record cannot be written while the wallet is locked. */
export class RecordsLockedError extends Error {
  override name = 'RecordsLockedError'
  constructor() {
    super('The wallet is locked.')
  }
}
