import type { Hex } from '../codec/hex.ts'
import type { Header } from './block.ts'
import type { FindAncestor } from './engine.ts'
import { findHeaderFault } from './header-check.ts'
import type { Rules } from './rules.ts'

/** Yellow paper 4.3: how many uncles a block has at most, and how many generations back their parents are. */
const MOST_UNCLES = 2
const GENERATIONS = 7

/**
 * Why a block after `parent` cannot have these uncles (yellow paper 4.3, section 11.1); null where it can. An uncle is a block that
 * could have been in the chain in the place of one of the six before, and that none of them has for its uncle. Its seal is not looked at.
 */
export function findUncleFault(
  rules: Rules,
  parent: Header,
  uncles: readonly Header[],
  findAncestor: FindAncestor,
): string | null {
  if (uncles.length === 0) return null
  if (uncles.length > MOST_UNCLES)
    return `it has ${uncles.length} uncles, at most ${MOST_UNCLES} are allowed`
  const ancestors = new Map<Hex, Header>()
  const taken = new Set<Hex>()
  let hash = parent.hash
  for (let generation = 0; generation < GENERATIONS; generation++) {
    const ancestor = findAncestor(hash)
    if (ancestor === null) break
    ancestors.set(hash, ancestor.header)
    for (const uncle of ancestor.uncles) taken.add(uncle)
    hash = ancestor.header.parentHash
  }
  for (const uncle of uncles) {
    const name = `its uncle ${uncle.hash}`
    if (taken.has(uncle.hash)) return `${name} is an uncle already`
    taken.add(uncle.hash)
    if (ancestors.has(uncle.hash)) return `${name} is an ancestor`
    const before = ancestors.get(uncle.parentHash)
    if (before === undefined || uncle.parentHash === parent.hash)
      return `${name} follows ${uncle.parentHash}, which is none of the blocks of which it may be the child`
    const fault = findHeaderFault(rules, before, uncle)
    if (fault !== null) return `${name} is not valid: ${fault}`
  }
  return null
}
