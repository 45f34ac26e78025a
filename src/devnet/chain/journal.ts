/** Changes that can be taken back all at once. The values in the maps are never changed in place. */
export interface Journal {
  set<K, V>(map: Map<K, V>, key: K, value: V): void
  delete<K, V>(map: Map<K, V>, key: K): void
  /** For a change that was made otherwise: how to take it back. */
  onRevert(step: () => void): void
  /** Takes back what was noted in this journal, newest first. */
  revert(): void
}

export function createJournal(): Journal {
  const steps: (() => void)[] = []
  const restore = <K, V>(map: Map<K, V>, key: K): void => {
    const before = map.get(key)
    steps.push(() => {
      if (before === undefined) map.delete(key)
      else map.set(key, before)
    })
  }
  return {
    set(map, key, value) {
      restore(map, key)
      map.set(key, value)
    },
    delete(map, key) {
      restore(map, key)
      map.delete(key)
    },
    onRevert(step) {
      steps.push(step)
    },
    revert() {
      for (let step = steps.pop(); step; step = steps.pop()) step()
    },
  }
}
