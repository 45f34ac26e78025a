import { isolate } from './words.ts'

/** "Pending · 5 min ago · app.example": the first is where a line begins; null and what is empty are left out. */
export function joinFacts(facts: readonly (string | null)[]): string {
  return facts.flatMap(fact => (fact ? isolate(fact) : [])).join('\u00a0· ')
}
