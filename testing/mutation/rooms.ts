import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Rooms where a fault costs money or keys. Each is judged by its own unit tests alone. */
export const ROOMS: readonly string[] = [
  'src/bitcoin/descriptors',
  'src/bitcoin/messages',
  'src/bitcoin/payments',
  'src/bitcoin/psbt',
  'src/bitcoin/signing',
  'src/ordinals/flow',
  'src/ordinals/transfers',
  'src/background/coins',
  'src/background/keys',
  'src/background/payments',
  'src/background/psbts',
  'src/background/requests',
]

/** A room's code and the unit tests that judge it, as paths from `root`. Throws for a folder that has none of one of them. */
export function listRoom(root: string, folder: string): { sources: string[]; tests: string[] } {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(path => `${folder}/${path}`)
    .filter(path => /\.tsx?$/.test(path) && !path.includes('/testing/'))
    .sort()
  const tests = files.filter(path => /(?<!\.node(?:-rest)?)\.test\.ts$/.test(path))
  const sources = files.filter(path => !path.endsWith('.test.ts'))
  if (tests.length === 0 || sources.length === 0)
    throw new Error(`${folder}: ${sources.length} files and ${tests.length} tests`)
  return { sources, tests }
}
