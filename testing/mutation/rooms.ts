import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Rooms where a fault costs money or keys, and the folders whose unit tests judge each: its own, and of the rooms that are made to use it. */
export const ROOMS: { readonly [folder: string]: readonly string[] } = {
  'src/bitcoin/messages': ['src/bitcoin/messages'],
  'src/bitcoin/payments': ['src/bitcoin/payments'],
  'src/bitcoin/psbt': ['src/bitcoin/psbt'],
  'src/bitcoin/signing': ['src/bitcoin/signing', 'src/bitcoin/psbt'],
  'src/ordinals/flow': ['src/ordinals/flow'],
  'src/ordinals/transfers': ['src/ordinals/transfers'],
  'src/background/coins': ['src/background/coins'],
  'src/background/keys': ['src/background/keys'],
  'src/background/payments': ['src/background/payments'],
  'src/background/psbts': ['src/background/psbts'],
  'src/background/requests': ['src/background/requests'],
}

/** A room's code and the unit tests that judge it, as paths from `root`. Throws for a folder that has none of one of them. */
export function listRoom(root: string, folder: string): { sources: string[]; tests: string[] } {
  const list = (of: string) =>
    readdirSync(join(root, of), { recursive: true, encoding: 'utf8' })
      .map(path => `${of}/${path}`)
      .filter(path => /\.tsx?$/.test(path) && !path.includes('/testing/'))
      .sort()
  const tests = (ROOMS[folder] ?? [folder])
    .flatMap(list)
    .filter(path => /(?<!\.node)\.test\.ts$/.test(path))
  const sources = list(folder).filter(path => !path.endsWith('.test.ts'))
  if (tests.length === 0 || sources.length === 0)
    throw new Error(`${folder}: ${sources.length} files and ${tests.length} tests`)
  return { sources, tests }
}
