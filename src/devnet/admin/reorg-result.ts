export interface ReorgResult {
  /** Hashes of the blocks taken off, tip first. */
  disconnected: string[]
  /** Hashes of the empty blocks put in their place. */
  connected: string[]
}
