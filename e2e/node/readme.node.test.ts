import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SITE, selectedAccount } from '../../src/background/testing/funded-wallet.ts'
import { openPage, type Worker } from '../../src/background/testing/test-wallet.ts'
import { createBrc20Server } from '../../src/chain/brc20/brc20-server.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'

const README = readFileSync(new URL('../../src/ordinals/README.md', import.meta.url), 'utf8')
/** Where `npm start` has its devnet. */
const PLACE = '127.0.0.1:18480'
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const UNITS = '0'.repeat(18)

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

/** The only block of code in this language that has this in it, with the devnet of this test for that of `npm start`. */
function findBlock(language: string, part: string): string {
  const blocks = [...README.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name, code]) => name === language && code?.includes(part))
    .map(([, , code = '']) => code.replaceAll(PLACE, new URL(devnet.url).host))
  const [block, ...others] = blocks
  if (block === undefined || others.length > 0) throw new Error(`${blocks.length} with ${part}`)
  return block
}

/** A wallet on devnet with coins, and a page that is not connected yet. */
async function startVisitor() {
  const { world, worker, access } = await startOnDevnet(devnet)
  const apis = { find: async () => null, keep: async () => {} }
  const brc20 = createBrc20Server('regtest', devnet.opiUrl, { access, apis, key: null })
  world.brc20.open = async () => brc20
  const { address } = await selectedAccount(worker)
  for (let coin = 0; coin < 3; coin++) await devnet.faucet(address, 100_000n)
  const page = openPage(worker, SITE)
  const asked: string[] = []
  const call =
    (method: string) =>
    async (...params: unknown[]) => {
      const answer = await approveAll(worker, asked, page.call(method, ...params))
      if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
      return answer.result
    }
  const methods = ['connect', 'mint', 'inscribe', 'sendInscription']
  const bitcoin = Object.fromEntries(methods.map(method => [method, call(method)]))
  return { address, asked, window: { satchel: { bitcoin } } }
}

/** Approves what is asked until there is an answer, and says 250 where it is asked how much. */
async function approveAll<T>(worker: Worker, asked: string[], answer: Promise<T>): Promise<T> {
  let isThere = false
  const watched = answer.finally(() => {
    isThere = true
  })
  while (!isThere) {
    const approval = await worker.ui('getApproval', null)
    if (approval) {
      const { key, digest, review } = approval
      asked.push(review.kind)
      const filled = review.kind === 'brc20-amount' ? { input: '250' } : {}
      await worker.ui('decide', { key, digest, decision: 'approve', ...filled })
    }
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return watched
}

describe('the README of what sits on coins', () => {
  it('has what it takes to deploy, mint, inscribe and send a token, which devnet counts', async () => {
    const { address, asked, window } = await startVisitor()
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor
    await AsyncFunction('window', findBlock('js', 'brc20(60'))(window)
    expect(asked).toEqual([
      'connect',
      'inscribe',
      'inscribe',
      'brc20-amount',
      'inscribe',
      'payment',
    ])

    const questions = findBlock('sh', '/opi/v1/brc20/').trim().split('\n')
    const answers = await Promise.all(
      questions.map(async question => {
        const [, place = ''] = /(127\.0\.0\.1:[^\s']+)/.exec(question) ?? []
        const [, authorization = ''] = /'Authorization: ([^']+)'/.exec(question) ?? []
        return (await fetch(`http://${place}`, { headers: { authorization } })).json()
      }),
    )
    const held = (tokens: number) => `${tokens}${UNITS}`
    expect(answers).toMatchObject([
      {
        result: {
          unused_txes: [
            { wallet: address, overall_balance: held(750), available_balance: held(750) },
            { wallet: RECIPIENT, overall_balance: held(250), available_balance: held(250) },
          ],
        },
      },
      { code: 0, data: { ticker: 'pack', minted: '1000', creator: address, holdersCount: 2 } },
    ])
  })
})
