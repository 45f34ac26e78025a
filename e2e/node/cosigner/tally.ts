/** What a campaign met, by name. */
export function createTally() {
  const counts = {
    requests: 0,
    granted: 0,
    worlds: 0,
    transactions: 0,
    tries: 0,
    refusals: {} as Record<string, number>,
    shapes: {} as Record<string, number>,
    tricks: {} as Record<string, number>,
    coins: {} as Record<string, number>,
    holdings: {} as Record<string, number>,
    signatures: {} as Record<string, number>,
    used: {} as Record<string, number>,
    claims: {} as Record<string, number>,
  }
  const count = (names: Record<string, number>, name: string) => {
    names[name] = (names[name] ?? 0) + 1
  }
  return {
    counts,
    claim: (name: string) => count(counts.claims, name),
    count: (
      group: 'refusals' | 'shapes' | 'tricks' | 'coins' | 'holdings' | 'signatures' | 'used',
      name: string,
    ) => count(counts[group], name),
  }
}

export type Tally = ReturnType<typeof createTally>
