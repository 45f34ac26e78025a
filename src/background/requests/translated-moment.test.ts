import { describe, expect, it } from 'vitest'
import type { Network } from '../../bitcoin/network.ts'
import { RECIPIENT, SITE, selectedAccount } from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  fund,
  startUnlocked,
  type Worker,
} from '../testing/test-wallet.ts'

/** More often than any answer here looks at what is in use. */
const MOST_LOOKS = 10

/** Changes what is in use at the moment after the wallet has looked at it for the nth time. */
function changeAfterLook({ wallet }: Worker, nth: number, change: () => Promise<unknown>) {
  const { accounts } = wallet
  const { network, selected } = accounts
  const stop = () => Object.assign(accounts, { network, selected })
  let looks = 0
  async function count<T>(look: Promise<T>): Promise<T> {
    const seen = await look
    if (++looks === nth) {
      stop()
      await change()
    }
    return seen
  }
  Object.assign(accounts, {
    network: () => count(network()),
    selected: (on: Network) => count(selected(on)),
  })
  return stop
}

/** A wallet whose page is connected to two accounts of different kinds, each on two networks; the first on regtest is in use. */
async function startOnTwo() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const first = await selectedAccount(worker)
  fund(world, first.address, 50_000n)
  const { id } = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
  const page = await connectPage(worker, SITE)
  const second = id
  async function use(accountId: string, network: Network) {
    await worker.ui('selectNetwork', { network })
    await worker.ui('selectAccount', { accountId })
  }
  for (const [accountId, network] of [
    [second, 'regtest'],
    [second, 'signet'],
    [first.id, 'signet'],
  ] as const) {
    await use(accountId, network)
    const answer = page.call('connect')
    await decideNext(worker, 'approve', 'connect')
    await answer
  }
  await use(first.id, 'regtest')
  return { world, worker, page, use, first: first.id, second }
}

const nextTurn = () => new Promise(resolve => setTimeout(resolve, 1))

const readResult = (response: object): unknown => Reflect.get(response, 'result')

describe('an answer in another wallet’s words while the person changes what is in use', () => {
  it.each(['account', 'network'] as const)(
    'has address, key and network of one moment, though another %s is chosen in between',
    async what => {
      const { worker, page, use, first, second } = await startOnTwo()
      for (const asked of [
        ['satsConnect.wallet_getAccount', null],
        ['satsConnect.wallet_connect', null],
        ['satsConnect.getAddresses', { purposes: ['payment'] }],
      ] as [string, unknown][]) {
        for (let nth = 1; nth <= MOST_LOOKS; nth++) {
          await use(first, 'regtest')
          const change = () => (what === 'account' ? use(second, 'regtest') : use(first, 'signet'))
          const before = readResult(await page.call(...asked))
          const stop = changeAfterLook(worker, nth, change)
          const answer = readResult(await page.call(...asked))
          stop()
          await change()
          const after = readResult(await page.call(...asked))
          expect(after).not.toEqual(before)
          expect([before, after], `${asked[0]} after look ${nth}`).toContainEqual(answer)
        }
      }
    },
  )

  it('has coins of the network alone for which a call is', async () => {
    const { worker, page, use, first } = await startOnTwo()
    for (const name of ['getBalanceV2', 'getBitcoinUtxos', 'verifyMessageOfBIP322Simple']) {
      for (let nth = 1; nth <= MOST_LOOKS; nth++) {
        await use(first, 'regtest')
        const looked: Network[] = []
        const { chain } = worker.wallet
        Object.assign(worker.wallet, {
          chain: (network: Network) => {
            looked.push(network)
            return chain(network)
          },
        })
        const stop = changeAfterLook(worker, nth, () => use(first, 'signet'))
        await page.callOn('regtest', `unisat.${name}`, RECIPIENT, 'hello', 'AA==')
        stop()
        Object.assign(worker.wallet, { chain })
        expect(looked, `${name} after look ${nth}`).not.toContain('signet')
      }
    }
  })

  it('asks for and does nothing on another network than a page of Leather names', async () => {
    const { worker, page, use, first } = await startOnTwo()
    for (const [name, params] of [
      ['getAddresses', {}],
      ['signMessage', { message: 'hello' }],
      ['sendTransfer', { address: RECIPIENT, amount: 20_000 }],
    ] as const) {
      for (let nth = 1; nth <= MOST_LOOKS; nth++) {
        await use(first, 'regtest')
        const stop = changeAfterLook(worker, nth, () => use(first, 'signet'))
        let isAnswered = false
        const answer = page.call(`leather.${name}`, { ...params, network: 'regtest' })
        void answer.then(() => {
          isAnswered = true
        })
        while (!isAnswered && !(await worker.ui('getApproval', null))) await nextTurn()
        stop()
        const asked = await worker.wallet.requests.load()
        const own = asked.filter(({ id }) => id.startsWith('leather.'))
        const networks = own.map(record => record.network)
        expect(networks, `${name} after look ${nth}`).not.toContain('signet')
        if (!isAnswered) await decideNext(worker, 'reject')
        expect(JSON.stringify(await answer)).not.toContain('tb1p')
      }
    }
  })
})
