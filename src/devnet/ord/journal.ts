/** Writes to maps that can be taken back all at once. The values are never changed in place. */
export interface Journal {
  set<K, V>(map: Map<K, V>, key: K, value: V): void
  /** Takes back what was written through this journal, newest first. */
  revert(): void
}

export function createJournal(): Journal {
  const steps: (() => void)[] = []
  return {
    set(map, key, value) {
      const before = map.get(key)
      steps.push(() => {
        if (before === undefined) map.delete(key)
        else map.set(key, before)
      })
      map.set(key, value)
    },
    revert() {
      for (let step = steps.pop(); step; step = steps.pop()) step()
    },
  }
}
