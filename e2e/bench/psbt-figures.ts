import { toHex } from '../../src/bitcoin/bytes.ts'
import { planSigning } from '../../src/bitcoin/psbt/plan.ts'
import { readPrevouts } from '../../src/bitcoin/psbt/prevouts.ts'
import { parsePsbt } from '../../src/bitcoin/psbt/psbt.ts'
import { reviewPsbt } from '../../src/bitcoin/psbt/review.ts'
import { checkSignatures } from '../../src/bitcoin/psbt/signatures.ts'
import { publicKeyOf } from '../../src/bitcoin/secp256k1.ts'
import { buildPsbt, type Locked } from '../../src/bitcoin/testing/psbt-building.ts'
import { createMutator } from '../../src/bitcoin/testing/psbt-mutations.ts'
import { processPsbt } from '../../src/bitcoin/testing/psbt-pipeline.ts'
import { createRandom } from '../../src/bitcoin/testing/signable-psbts.ts'
import { spendOf } from '../../src/bitcoin/testing/spending.ts'
import { scriptsOf } from '../fixtures/psbt/coins.ts'
import { seatTrader } from '../fixtures/psbt/trader.ts'
import { startWorld } from '../fixtures/world.ts'
import { clockAnswer, clockQuestion } from './clocked-call.ts'
import { type Figure, sampleFigure } from './figure.ts'

const MANY = 1_000
const SOME = 100
const BATCH = 50
const RUNS = 9
const COIN = 10_000n

const ACCOUNTS = { p2tr: 'Account 1 Taproot', p2wpkh: 'Account 2 Native' } as const
type Measured = keyof typeof ACCOUNTS
const MEASURED: readonly Measured[] = ['p2tr', 'p2wpkh']

/** Large PSBTs: the review, the fuzzer, and a real browser from call to question and from Approve to the page's answer. */
export async function measurePsbts(): Promise<Figure[]> {
  return [...MEASURED.map(measureReview), measureMutations(), ...(await measureApprovals())]
}

function measureReview(addressType: Measured): Figure {
  const review = prepareReview(addressType, MANY)
  review()
  return sampleFigure(
    { name: `review of ${MANY.toLocaleString('en')} ${addressType} inputs`, unit: 'ms', aim: 80 },
    Array.from({ length: RUNS }, review),
  )
}

/** Milliseconds from the bytes to all that the screen says, in this process; the wallet's own coins. */
export function prepareReview(addressType: Measured, inputs: number): () => number {
  const publicKey = publicKeyOf(new Uint8Array(32).fill(7))
  const { script } = spendOf(addressType, publicKey)
  const key = { publicKey, addressType }
  const own = [{ accountId: 'account', scriptPubKey: script, publicKey }]
  const bytes = drawPsbt(inputs, { script, fields: {} })
  return () => {
    const start = performance.now()
    const psbt = parsePsbt(bytes)
    const prevouts = readPrevouts(psbt, new Map())
    const plan = planSigning({ psbt, prevouts, key, inputs: null, expert: false })
    const signatures = checkSignatures(psbt, prevouts)
    reviewPsbt({ psbt, prevouts, plan, own, signatures })
    return performance.now() - start
  }
}

/** What the fuzzer puts through reading, planning, the review, signing and finalizing. */
function measureMutations(): Figure {
  const { mutate } = createMutator(createRandom(1))
  const counts = Array.from({ length: RUNS + 1 }, () => {
    let count = 0
    const end = performance.now() + 1000
    for (; performance.now() < end; count++) processPsbt(mutate())
    return count
  })
  return sampleFigure({ name: 'mutated PSBTs signed or refused', unit: '/s' }, counts.slice(1))
}

/** Signing in the worker of a real browser. */
async function measureApprovals(): Promise<Figure[]> {
  const world = await startWorld('chromium')
  try {
    const place = { site: world.site, esploraUrl: world.devnet.esploraUrl }
    const figures: Figure[] = []
    for (const type of MEASURED) {
      const trader = await seatTrader(world.wallet, ACCOUNTS[type], place)
      const lock = { script: scriptsOf(trader.owner).script, fields: {} }
      const [many, some] = [MANY, SOME].map(inputs => toHex(drawPsbt(inputs, lock)))
      const batch = Array.from({ length: BATCH }, (_, at) => toHex(drawPsbt(1, lock, at)))
      figures.push(
        sampleFigure(
          { name: `${MANY.toLocaleString('en')} ${type} inputs: call to question`, unit: 'ms' },
          await repeat(() => clockQuestion(trader, 'signPsbt', [many])),
        ),
        sampleFigure(
          { name: `${SOME} ${type} inputs: approved to answered`, unit: 'ms', aim: 150 },
          await repeat(() => clockAnswer(trader, 'signPsbt', [some])),
        ),
        sampleFigure(
          { name: `${BATCH} PSBTs of 1 ${type} input: approved to answered`, unit: 'ms' },
          await repeat(() => clockAnswer(trader, 'signPsbts', [batch])),
        ),
      )
    }
    return figures
  } finally {
    await world.stop()
  }
}

async function repeat(measure: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) times.push(await measure())
  return times
}

/** Coins of one script, each of a transaction of its own, all to one output; `at` makes them others. */
function drawPsbt(inputs: number, type: Locked, at = 0): Uint8Array {
  const total = COIN * BigInt(inputs)
  return buildPsbt({
    inputs: Array.from({ length: inputs }, () => ({ type, amount: COIN, proof: 'both' })),
    outputs: [{ type: 'p2wpkh', amount: total - BigInt(200 * inputs) }],
    from: at * inputs,
  }).bytes
}
