import { selectedAccount } from '../../src/background/testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  startUnlocked,
  type Worker,
} from '../../src/background/testing/test-wallet.ts'
import { openAssets } from '../../src/chain/open/open-assets.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess } from '../../src/chain/testing/server-access.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { inscribe } from '../fixtures/ordinals/devnet-ord.ts'
import { type Figure, sampleFigure } from './figure.ts'

/** A server of another country: each answer takes this much longer than one on this machine. */
const DISTANCE_MS = 100
const RUNS = 5
const MOVED = 60
const MINTED = 24
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

type Call = { name: string; params: (from: string, ids: string[]) => [string, ...unknown[]] }

const CALLS: readonly Call[] = [
  { name: 'sendBitcoin', params: () => ['sendBitcoin', RECIPIENT, 5_000] },
  { name: 'transferNft of 1', params: (from, ids) => transfer(from, ids.splice(0, 1)) },
  { name: `transferNft of ${MOVED}`, params: (from, ids) => transfer(from, ids.splice(0, MOVED)) },
  { name: `mint of ${MINTED}`, params: from => ['mint', orderTexts(from)] },
]

/** From a page's call to the question, and from Approve to the answer, with servers that are far away; a real node behind them. */
export async function measureDistance(): Promise<Figure[]> {
  const devnet = await startDevnet()
  const distance = putFarAway()
  try {
    const figures: Figure[] = []
    for (const call of CALLS) figures.push(...(await measureCall(devnet, distance, call)))
    return figures
  } finally {
    distance.restore()
    await devnet.stop()
  }
}

type Distance = ReturnType<typeof putFarAway>

/** Delays what the wallet asks while it is `on`, and counts it. */
function putFarAway() {
  const near = globalThis.fetch
  const distance = {
    on: false,
    requests: 0,
    restore() {
      globalThis.fetch = near
    },
  }
  globalThis.fetch = async (...request) => {
    if (distance.on) {
      distance.requests += 1
      await new Promise(resolve => setTimeout(resolve, DISTANCE_MS))
    }
    return near(...request)
  }
  return distance
}

/** Each run is a wallet of its own: nothing is known from before, and the newest block is new. */
async function measureCall(devnet: Devnet, distance: Distance, { name, params }: Call) {
  const asked: number[] = []
  const answered: number[] = []
  const requests = { question: 0, answer: 0 }
  for (let run = 0; run < RUNS; run++) {
    const { worker, from, ids } = await startFarWallet(devnet, run)
    const page = await connectPage(worker, 'https://dapp.example')
    const call = params(from, ids)
    const time = async <T>(act: () => Promise<T>) => {
      const before = distance.requests
      const start = performance.now()
      distance.on = true
      const result = await act().finally(() => {
        distance.on = false
      })
      return { result, ms: performance.now() - start, requests: distance.requests - before }
    }
    const answer = page.call(...call)
    const question = await time(() => waitForQuestion(worker, answer))
    const end = await time(async () => {
      await decideNext(worker, 'approve')
      const response = await answer
      if ('error' in response) throw new Error(response.error.message)
    })
    asked.push(question.ms)
    answered.push(end.ms)
    requests.question = question.requests
    requests.answer = end.requests
    await devnet.mine(1)
  }
  const far = `servers ${DISTANCE_MS} ms away`
  return [
    sampleFigure(
      {
        name: `${name}, ${far}: call to question`,
        unit: 'ms',
        note: `${requests.question} requests`,
      },
      asked,
    ),
    sampleFigure(
      { name: 'the same: approved to answered', unit: 'ms', note: `${requests.answer} requests` },
      answered,
    ),
  ]
}

async function startFarWallet(devnet: Devnet, run: number) {
  const world = createWorld()
  const { access, checks } = createTestAccess()
  const urls = { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' }
  world.chain.chain = openChain('regtest', urls, { access, checks })
  const assets = { assets: devnet.ordUrl, secondAssets: '' }
  world.assets.source = openAssets('regtest', assets, { access, now: Date.now })
  world.clock.now = Date.now()
  const worker = await startUnlocked(world)
  for (let added = 0; added <= run; added++) {
    const { id } = await worker.ui('addAccount', { addressType: 'p2tr', name: '' })
    await worker.ui('selectAccount', { accountId: id })
  }
  const { address: from } = await selectedAccount(worker)
  await devnet.faucet(from, 2_000_000n)
  const items = Array.from({ length: 20 }, (_, at) => ({ body: `number ${at}` }))
  const ids: string[] = []
  while (ids.length < MOVED) ids.push(...(await inscribe(devnet, from, { items })))
  return { worker, from, ids }
}

/** Throws where the call ends without one. */
async function waitForQuestion(worker: Worker, answer: Promise<unknown>): Promise<void> {
  let ended: unknown = null
  answer.then(response => {
    ended = response
  })
  while (!(await worker.ui('getApproval', null))) {
    if (ended !== null) throw new Error(`Nobody was asked: ${JSON.stringify(ended)}`)
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}

function transfer(from: string, data: string[]): [string, ...unknown[]] {
  return ['transferNft', { from, to: RECIPIENT, data }]
}

function orderTexts(from: string) {
  const inscriptions = Array.from({ length: MINTED }, (_, at) => ({
    contentType: 'text/plain;charset=utf-8',
    body: `number ${at}`,
  }))
  return { type: 61, from, feeRate: 1, inscriptions }
}
