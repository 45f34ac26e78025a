/** Whether there is an account no more: what is still being fetched of it is not stored. An id is never given twice. */
export type HasEnded = (accountId: string) => boolean

/** Tells the accounts that were removed, put together with another or erased from those that are there. */
export function createEndedAccounts() {
  const met = new Set<string>()
  const ended = new Set<string>()
  return {
    /** Accounts that are, or lately were, there. */
    meet(accountIds: readonly string[]): void {
      for (const id of accountIds) met.add(id)
    },
    /** All that there are now. */
    settle(accountIds: readonly string[]): void {
      const present = new Set(accountIds)
      for (const id of met) if (!present.has(id)) ended.add(id)
      for (const id of present) met.add(id)
    },
    has: ((accountId: string) => ended.has(accountId)) satisfies HasEnded,
  }
}
