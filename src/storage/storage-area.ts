// storage: the browser's storage areas behind one small type, so that the rest of the wallet never names the
// browser API. It keeps no schema: each room reads its own keys, and `background/migrations.ts` says what an update changes in them.

/** The part of an extension storage area that the wallet uses; tests hand in a map with the same shape. */
export type StorageArea = {
  get(key: string): Promise<unknown>
  /** What is stored by now, past any cache: for reading back what matters. */
  getStored(key: string): Promise<unknown>
  set(entries: { [key: string]: unknown }): Promise<void>
  remove(keys: string | string[]): Promise<void>
  /** Removes everything. */
  clear(): Promise<void>
}
