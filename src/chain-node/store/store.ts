export interface StoredEntry {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** One folder of keys and values in the order of their bytes. */
export interface Store {
  /** Synchronous: what is asked often is answered from memory. */
  get(key: Uint8Array): Uint8Array | undefined
  /** All of it or nothing, and on the disk when the promise is fulfilled. */
  write(puts: readonly StoredEntry[], deletes?: readonly Uint8Array[]): Promise<void>
  /** Entries with `from <= key < to`, in the order of their keys, read as the store was at the start. */
  iterate(
    from: Uint8Array,
    to: Uint8Array,
    options?: { reverse?: boolean; limit?: number },
  ): AsyncIterable<StoredEntry>
  close(): Promise<void>
}
