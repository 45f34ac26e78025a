import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createActivity } from '../../../src/background/activity/activity.ts'
import { createServerAccess } from '../../../src/chain/access/server-access.ts'
import { openChain } from '../../../src/chain/open/open-chain.ts'
import { createMemoryArea } from '../../../src/storage/testing/memory-area.ts'
import { startCrowdedServer } from '../crowded-server.ts'
import { describeSamples, type Figure, sampleFigure } from '../figure.ts'
import { classify } from '../ordinals-figures.ts'
import { prepareReview } from '../psbt-figures.ts'
import { describeAccount } from '../rune-figures.ts'
import { prepareSelection } from '../wallet-figures.ts'
import { type Curve, drawCurves, exponentOf, formatCurves, spreadSizes } from './growth.ts'
import { growScreens } from './screen-growth.ts'

const RUNS = 5
const PICTURE = join(import.meta.dirname, 'growth.svg')
const TABLE = join(import.meta.dirname, 'README.md')

/** How costs grow with what there is, at ten sizes each; writes a table and a picture beside this file. */
export async function measureGrowth(): Promise<Figure[]> {
  const curves = [
    await growReview(),
    await growSelection(),
    await growClassification(),
    ...(await growActivity()),
    ...(await growScreens()),
  ]
  writeFileSync(PICTURE, drawCurves(curves))
  const about =
    'How costs grow, made by `npm run bench -- growth`: medians of five, of a first look at coins one measurement; of screens in Chromium, of all else in Node. An exponent of 1 is linear.'
  writeFileSync(TABLE, `# Growth\n\n${about}\n\n![Growth](growth.svg)\n\n${formatCurves(curves)}`)
  return curves.map(curve =>
    sampleFigure({ name: `${curve.name} over ${curve.of}: exponent`, unit: '', aim: 1 }, [
      exponentOf(curve),
    ]),
  )
}

function growReview(): Promise<Curve> {
  return measureCurve({ name: 'review of a PSBT', of: 'inputs' }, spreadSizes(1, 3_000), size => {
    const review = prepareReview('p2tr', size)
    return async () => review()
  })
}

function growSelection(): Promise<Curve> {
  const sizes = spreadSizes(10, 100_000)
  return measureCurve({ name: 'coin selection', of: 'coins' }, sizes, size => {
    const choose = prepareSelection(size)
    let run = 0
    return async () => choose(run++)
  })
}

async function growClassification(): Promise<Curve> {
  const sizes = spreadSizes(10, 100_000)
  const most = sizes.at(-1) ?? 0
  const server = await startCrowdedServer({ coins: most, transactions: 0, inscriptions: 5 })
  try {
    const labels = { name: 'what sits on coins', of: 'coins' }
    return await measureCurve(labels, sizes, size => () => classify(server, size))
  } finally {
    await server.stop()
  }
}

/** How much is stored of what an account did: no more than 2,000 entries. */
async function growActivity(): Promise<Curve[]> {
  const stored: { size: number; value: number }[] = []
  for (const size of spreadSizes(10, 2_000)) {
    const server = await startCrowdedServer({ coins: 1, transactions: size })
    try {
      const bytes = await storeActivity(server.esploraUrl, Math.ceil(size / 25))
      stored.push({ size, value: bytes / 1000 })
    } finally {
      await server.stop()
    }
  }
  return [{ name: 'storage of the activity', of: 'entries', unit: 'kB', points: stored }]
}

async function storeActivity(esploraUrl: string, pages: number) {
  const local = createMemoryArea()
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const checks = { has: async () => true, add: async () => {} }
  const access = createServerAccess({ now: Date.now, random })
  const urls = { chain: esploraUrl, secondChain: '', fees: '', price: '' }
  const chain = openChain('regtest', urls, { access, checks })
  const activity = createActivity({ local, now: Date.now })
  const account = describeAccount()
  await activity.refresh(chain, account)
  for (let page = 0; page < pages; page++) await activity.extend(chain, account)
  return JSON.stringify(local.dump()).length
}

async function measureCurve(
  labels: { name: string; of: string },
  sizes: readonly number[],
  prepare: (size: number) => () => Promise<number>,
): Promise<Curve> {
  const points: { size: number; value: number }[] = []
  for (const size of sizes) points.push({ size, value: await medianOf(prepare(size)) })
  return { ...labels, unit: 'ms', points }
}

/** The first time, in which code is compiled, does not count. */
async function medianOf(measure: () => Promise<number>): Promise<number> {
  await measure()
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) times.push(await measure())
  return describeSamples(times).median
}
