import { isTemplate } from '../../../bitcoin/wallet-paths.ts'
import type { FoundAddress } from './restore-scan.ts'

type PlaceWithPath = Pick<FoundAddress, 'addressType' | 'line' | 'index' | 'path'>

/** The first address of the account that a found one is among the many of; null where it is of an account of one address. */
export function firstOf({ addressType, line, path }: PlaceWithPath): PlaceWithPath | null {
  const [, account] = /^(m(?:\/\d+'?)*)\/[01]\/\d+$/.exec(path) ?? []
  if (account === undefined) return null
  const first = { addressType, index: 0, path: `${account}/0/0` }
  if (!isTemplate(line)) return line === 'accounts' ? null : { ...first, line: 'accounts' }
  const receive = line.endsWith('/1/i') ? (`${line.slice(0, -'/1/i'.length)}/0/i` as const) : line
  return { ...first, line: receive as typeof line }
}
