import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Shot } from './shot.ts'

const PARTS = new Set(['areas.ts', 'shot.ts'])

/** Which areas are tested in one file, `specs/screens/screens-<name>.e2e.ts`: each about a quarter of all shots. */
export const SCREENS = {
  collectibles: [
    'atomicals',
    'brc20',
    'brc20-send',
    'etching',
    'inscriptions',
    'rune-mints',
    'runes',
  ],
  money: ['activity', 'bump', 'coins', 'contacts', 'home', 'psbt-file', 'receive', 'send'],
  sites: ['approvals', 'inscribe-approvals', 'psbt', 'runestones', 'sites'],
  wallet: [
    'accounts',
    'changed-records',
    'device',
    'first-run',
    'inscribe',
    'jobs',
    'scan',
    'settings',
  ],
} as const

/** The areas that there are: the files of this folder that have shots. */
export function listAreas(): string[] {
  return readdirSync(dirname(fileURLToPath(import.meta.url)))
    .filter(file => file.endsWith('.ts') && !PARTS.has(file))
    .map(file => file.replace(/\.ts$/, ''))
    .sort()
}

/** All shots, or those of one area or whose names begin as told; every name once. Throws when there is none. */
export async function loadShots(only: string | null): Promise<Shot[]> {
  const found: Shot[] = []
  for (const area of listAreas()) {
    const { shots } = (await import(/* @vite-ignore */ `./${area}.ts`)) as { shots: Shot[] }
    const isArea = only === null || area === only
    found.push(
      ...shots.filter(({ name }) => isArea || name.startsWith(`${only}-`) || name === only),
    )
  }
  if (found.length === 0) throw new Error(`No shots ${only ?? ''}`)
  const names = found.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`Two shots are called ${twice}`)
  return found
}
