import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { campaign, isLong } from '../../../testing/campaigns.ts'
import { type ScriptedServer, startScriptedServer } from '../../chain/testing/scripted-server.ts'
import { METHOD_NAMES } from '../../provider/method-names.ts'
import { uiMethods } from '../ui-methods/ui-method-table.ts'
import type { Ended } from './mortal-browser.ts'
import { guardFetch, guardRandom, type Stop } from './mortal-worker.ts'
import { type Fault, prepareOperation, startScenes } from './operations/operation-runs.ts'
import { OPERATIONS, WITHOUT_POINTS } from './operations/operations.ts'
import { createSeededRandom } from './seeded-random.ts'

/** How many stops of each operation are tried: every write and question, before and after, for worker and browser. */
const { count, seed } = campaign('stops of the background')

type Row = { name: string; points: number; stops: number } & { [kind in Fault['kind']]: number }

let server: ScriptedServer
let scenes: Awaited<ReturnType<typeof startScenes>>
const rows: Row[] = []

beforeAll(async () => {
  vi.stubGlobal('fetch', guardFetch(fetch))
  const drawing = guardRandom(crypto.getRandomValues)
  vi.spyOn(crypto, 'getRandomValues').mockImplementation(drawing)
  server = await startScriptedServer()
  scenes = await startScenes(server.url)
})
afterAll(async () => {
  await server.close()
  if (isLong) process.stdout.write(formatTable(rows))
})

describe('a background that is stopped at a write or at a question to a server', () => {
  it.each(OPERATIONS)(
    'of $name loses nothing, does nothing twice and leaves nothing waiting',
    async operation => {
      const prepared = await prepareOperation(scenes, operation)
      const { points, whole } = prepared
      expect(whole.answer, 'undisturbed').toHaveProperty('result')
      expect(points.length === 0).toBe(WITHOUT_POINTS.includes(operation.name))
      const stops = drawStops(operation.name, points.length)
      const row = { name: operation.name, points: points.length, stops: stops.length }
      const faults: string[] = []
      const counts = { lost: 0, doubled: 0, hanging: 0 }
      for (const { ended, ...stop } of stops) {
        const { outcome, faults: found } = await prepared.stopAt(stop, ended)
        const place = `${ended}, ${stop.when} ${stop.at} ${points[stop.at]}`
        if (!outcome.wasStopped) faults.push(`${place}: was not reached`)
        for (const kind of new Set(found.map(({ kind }) => kind))) counts[kind]++
        faults.push(...found.map(({ kind, what }) => `${place}: ${kind}: ${what}`))
      }
      rows.push({ ...row, ...counts })
      expect(faults).toEqual([])
    },
    600_000,
  )

  it('is stopped in every operation of the provider and every method of our own pages', () => {
    const tried = new Set(OPERATIONS.map(({ method }) => method))
    const all = [...METHOD_NAMES, ...Object.keys(uiMethods).map(name => `ui.${name}`)]
    expect(all.filter(method => !tried.has(method))).toEqual([])
    expect(WITHOUT_POINTS.filter(method => !tried.has(method))).toEqual([])
  })
})

/** All stops there are, or as many of them as are to be tried. */
function drawStops(name: string, points: number): (Stop & { ended: Ended })[] {
  const all = Array.from({ length: points }, (_, at) => at).flatMap(at =>
    (['before', 'after'] as const).flatMap(when =>
      (['worker', 'browser'] as const).map(ended => ({ at, when, ended })),
    ),
  )
  const random = createSeededRandom(seed + name.length)
  const left = [...all]
  const drawn = all.slice(0, count).flatMap(() => left.splice(random.below(left.length), 1))
  return drawn.sort((a, b) => all.indexOf(a) - all.indexOf(b))
}

function formatTable(listed: readonly Row[]): string {
  const sum = (key: keyof Omit<Row, 'name'>) => listed.reduce((total, row) => total + row[key], 0)
  const total = {
    ...{ name: 'all', points: sum('points'), stops: sum('stops') },
    ...{ lost: sum('lost'), doubled: sum('doubled'), hanging: sum('hanging') },
  }
  const lines = [...listed, total].map(({ name, points, stops, lost, doubled, hanging }) =>
    [name.padEnd(34), ...[points, stops, lost, doubled, hanging].map(n => `${n}`.padStart(8))].join(
      '',
    ),
  )
  const head = ['points', 'stops', 'lost', 'doubled', 'hanging'].map(word => word.padStart(8))
  return `\n${'operation'.padEnd(34)}${head.join('')}\n${lines.join('\n')}\n`
}
