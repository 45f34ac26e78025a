import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Shot } from './shot.ts'

const PARTS = new Set(['areas.ts', 'camera.ts', 'shot.ts'])

/** All shots, or those of one area or whose names begin as told; every name once. Throws when there is none. */
export async function loadShots(only: string | null): Promise<Shot[]> {
  const folder = dirname(fileURLToPath(import.meta.url))
  const areas = readdirSync(folder).filter(file => file.endsWith('.ts') && !PARTS.has(file))
  const found: Shot[] = []
  for (const file of areas.sort()) {
    const { shots } = (await import(/* @vite-ignore */ `./${file}`)) as { shots: Shot[] }
    const isArea = only === null || file === `${only}.ts`
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
