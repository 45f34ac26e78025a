import { randomBytes } from 'node:crypto'
import { scriptPubKeyOf } from '../../src/bitcoin/address.ts'
import { toHex } from '../../src/bitcoin/bytes.ts'
import { publicKeyOf } from '../../src/bitcoin/secp256k1.ts'
import { buildBrc20Blocks, replayBrc20Events } from '../../src/devnet/testing/brc20-blocks.ts'
import type { EnvelopeContent } from '../../src/ordinals/inscriptions/envelope-script.ts'
import { buildInscribing } from '../../src/ordinals/inscriptions/inscribing.ts'
import { signInscribing } from '../../src/ordinals/inscriptions/inscribing-signature.ts'
import { encodePng } from '../fixtures/ordinals/png.ts'
import { seatTrader, type Trader } from '../fixtures/psbt/trader.ts'
import { startWorld, type World } from '../fixtures/world.ts'
import { clockAnswer, clockQuestion } from './clocked-call.ts'
import { type Figure, sampleFigure } from './figure.ts'

const MANY = 24
/** Of noise, which no format makes smaller: three bytes a pixel. */
const IMAGE_SIDE = 360
const RUNS = 9
const BLOCKS = 1_000
const EVENTS_PER_BLOCK = 100

const TEXT = 'text/plain;charset=utf-8'
const TEXTS = Array.from({ length: MANY }, (_, at) => `number ${at + 1} of ${MANY}`)
const IMAGE = encodePng(
  'rgb',
  Array.from({ length: IMAGE_SIDE }, () => randomBytes(3 * IMAGE_SIDE)),
)

/** A page's order, and the same as what is built of it. */
type Order = { name: string; aims: Aims; mint: object; items: EnvelopeContent[] }

/** In milliseconds. */
type Aims = { built: number; asked: number | null; answered: number | null }

const ORDERS: readonly Order[] = [
  {
    name: `mint of ${MANY} texts`,
    aims: { built: 300, asked: 300, answered: 800 },
    mint: { type: 61, inscriptions: TEXTS.map(body => ({ contentType: TEXT, body })) },
    items: TEXTS.map(text => ({ contentType: TEXT, body: new TextEncoder().encode(text) })),
  },
  {
    name: `mint of a ${Math.round(IMAGE.length / 1000)} kB image`,
    aims: { built: 500, asked: null, answered: null },
    mint: { type: 62, inscriptions: [{ contentType: 'image/png', body: toHex(IMAGE) }] },
    items: [{ contentType: 'image/png', body: IMAGE }],
  },
]

/** The largest orders, built and signed, and in a real browser; devnet's BRC-20 ledger. */
export async function measureInscribing(): Promise<Figure[]> {
  return [...ORDERS.map(measureBuilder), ...(await measureMints()), measureLedger()]
}

/** From a coin to the signed and verified transactions, in this process. */
function measureBuilder({ name, aims, items }: Order): Figure {
  const privateKey = new Uint8Array(32).fill(7)
  const own = { publicKey: publicKeyOf(privateKey), addressType: 'p2tr' as const }
  const keys = [{ privateKey, addressType: own.addressType }]
  const coin = {
    txid: 'ab'.repeat(32),
    vout: 0,
    amount: 1_000_000n,
    scriptPubKey: scriptPubKeyOf(own.publicKey, own.addressType),
    height: 1,
  }
  const terms = { own, utxos: [coin], feeRate: 2, seed: '', postage: 546n, parent: null }
  const build = () => {
    const start = performance.now()
    const inscribing = buildInscribing({ ...terms, items })
    signInscribing(inscribing, { own, keys }, new Map())
    return performance.now() - start
  }
  build()
  return sampleFigure(
    { name: `${name}: built and signed`, unit: 'ms', aim: aims.built, note: 'in Node' },
    Array.from({ length: RUNS }, build),
  )
}

/** In a real browser with a real node, which takes the commit and every reveal before the page has its answer. */
async function measureMints(): Promise<Figure[]> {
  const world = await startWorld('chromium')
  try {
    const place = { site: world.site, esploraUrl: world.devnet.esploraUrl }
    const trader = await seatTrader(world.wallet, 'Account 1 Taproot', place)
    const figures: Figure[] = []
    for (const order of ORDERS) figures.push(...(await measureMint(world, trader, order)))
    return figures
  } finally {
    await world.stop()
  }
}

async function measureMint({ devnet }: World, trader: Trader, { name, aims, mint, items }: Order) {
  const { address } = trader.owner
  const params = [{ ...mint, from: address, feeRate: 1 }]
  const asked: number[] = []
  const answered: number[] = []
  for (let run = 0; run < RUNS; run++) {
    // One coin a run, as what waits in no block counts with what hangs on it.
    await devnet.faucet(address, 2_000_000n)
    asked.push(await clockQuestion(trader, 'mint', params))
    answered.push(await clockAnswer(trader, 'mint', params))
    await devnet.mine()
  }
  const note = `${items.length + 1} transactions taken by the node`
  return [
    sampleFigure({ name: `${name}: call to question`, unit: 'ms', aim: aims.asked }, asked),
    sampleFigure(
      { name: 'the same: approved to answered', unit: 'ms', aim: aims.answered, note },
      answered,
    ),
  ]
}

/** In this process; all that it takes to undo the blocks is kept. */
function measureLedger(): Figure {
  const blocks = buildBrc20Blocks(BLOCKS, EVENTS_PER_BLOCK)
  const events = blocks.reduce((sum, passages) => sum + passages.length, 0)
  replayBrc20Events(blocks.slice(0, BLOCKS / 10))
  const rates = Array.from({ length: RUNS }, () => {
    const start = performance.now()
    replayBrc20Events(blocks)
    return events / ((performance.now() - start) / 1000)
  })
  const kept = `${BLOCKS.toLocaleString('en')} blocks`
  return sampleFigure({ name: `devnet’s BRC-20 ledger, ${kept}: events`, unit: '/s' }, rates)
}
