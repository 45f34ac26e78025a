/** Members by a number that each of them has, the highest at hand. Zero takes one out. */
export interface Crowd<T> {
  place(member: T, count: number): void
  /** One of those with the highest number. */
  largest(): { member: T; count: number } | null
}

export function createCrowd<T>(): Crowd<T> {
  const counts = new Map<T, number>()
  const members = new Map<number, Set<T>>()
  let highest = 0

  return {
    place(member, count) {
      const before = counts.get(member) ?? 0
      if (before === count) return
      members.get(before)?.delete(member)
      if (count === 0) {
        counts.delete(member)
        return
      }
      counts.set(member, count)
      const equals = members.get(count)
      if (equals) equals.add(member)
      else members.set(count, new Set([member]))
      if (count > highest) highest = count
    },
    largest() {
      for (; highest > 0; highest--) {
        const [member] = members.get(highest) ?? []
        if (member !== undefined) return { member, count: highest }
        members.delete(highest)
      }
      return null
    },
  }
}
