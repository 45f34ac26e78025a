import { describe, expect, it } from 'vitest'
import { toBase64 } from '../../bitcoin/bytes.ts'
import { dieAfter, SITE, selectedAccount } from '../testing/funded-wallet.ts'
import { privateKeyOf, publishPrevious, startSigner } from '../testing/psbt-site.ts'
import { buildFresh, signElsewhere } from '../testing/signed-transactions.ts'
import {
  connectPage,
  createWorld,
  decideAll,
  decideNext,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'
import { ask, readResult } from './testing/sats-connect-site.ts'

const CONNECT = ['satsConnect.wallet_connect', { network: 'Signet' }] as const

/** A worker, whose wallet is unlocked, on a world that another worker left. */
async function comeBack(world: World): Promise<Worker> {
  const worker = startWorker(world)
  const { vault } = await worker.ui('getState', null)
  if (vault === 'locked') await worker.ui('unlock', { password: PASSWORD })
  return worker
}

describe('a worker that dies between two questions', () => {
  it('asks the second again under the same id, and not the first', async () => {
    const world = createWorld()
    const first = await startUnlocked(world)
    void openPage(first, SITE).send('outer', ...CONNECT)
    await decideNext(first, 'approve', 'connect')
    await nextApproval(first, 'switch-network')

    const second = await comeBack(world)
    const page = openPage(second, SITE)
    const answer = page.send('outer', ...CONNECT)
    const asked: string[] = []
    asked.push((await decideNext(second, 'approve')).review.kind)
    const response = await answer
    expect(asked).toEqual(['switch-network'])
    expect(readResult('wallet_connect', response)).toMatchObject({
      network: { bitcoin: { name: 'Signet' } },
    })
    // Sent once more, all of it is known.
    expect(await page.send('outer', ...CONNECT)).toEqual(response)
    expect(await second.ui('getApproval', null)).toBeNull()
  })

  it('ends what it asked when the page does not come back', async () => {
    const world = createWorld()
    const first = await startUnlocked(world)
    void openPage(first, SITE).send('outer', ...CONNECT)
    await decideNext(first, 'approve', 'connect')
    await nextApproval(first, 'switch-network')
    const second = await comeBack(world)
    await second.router.settleOrphans()
    expect(await second.ui('getApproval', null)).toBeNull()
    expect((await second.ui('getState', null)).network).toBe('regtest')
    const answer = await openPage(second, SITE).send('outer', ...CONNECT)
    expect(answer).toMatchObject({ error: { code: 4001 } })
  })
})

describe('a worker that starts again while the wallet is locked', () => {
  async function askAndDie() {
    const { world, worker, account, page } = await startSigner()
    const params = { address: account.address, message: 'hello', paymentType: 'p2tr' }
    void page.send('outer', 'leather.signMessage', params)
    const { digest } = await nextApproval(worker, 'sign-message')
    await worker.ui('lock', null)
    const second = startWorker(world)
    const later = openPage(second, SITE)
    const answer = later.send('outer', 'leather.signMessage', params)
    await nextApproval(second, 'unlock')
    await second.router.settleOrphans()
    return { second, later, answer, digest }
  }

  it('asks the question again once it is open, for a page that came back for it', async () => {
    const { second, answer, digest } = await askAndDie()
    await second.ui('unlock', { password: PASSWORD })
    const shown = await decideNext(second, 'approve', 'sign-message')
    expect(shown.digest).toBe(digest)
    expect(await answer).toHaveProperty('result.signature')
  })

  it('ends the question where that page leaves as well', async () => {
    const { second, later } = await askAndDie()
    await later.leave()
    await second.ui('unlock', { password: PASSWORD })
    expect(await second.ui('getApproval', null)).toBeNull()
    expect((await second.wallet.requests.load()).filter(({ outcome }) => !outcome)).toEqual([])
  })
})

describe('a worker that dies anywhere between signing and sending', () => {
  async function prepare() {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const account = await selectedAccount(worker)
    const key = await privateKeyOf(account)
    await connectPage(worker, SITE)
    const built = publishPrevious(
      { world },
      buildFresh({
        inputs: [
          {
            ...{ type: 'p2tr', key, amount: 50_000n },
            fields: { tapInternalKey: Buffer.from(account.publicKey, 'hex').subarray(1) },
          },
        ],
        outputs: [{ type: 'p2wpkh', amount: 49_000n }],
      }),
    )
    const signInputs = { [account.address]: [0] }
    const params = { psbt: toBase64(built.bytes), signInputs, broadcast: true }
    return { world, params, txid: signElsewhere(built, key).txid }
  }

  /** The writes that signing and sending takes, when nothing happens in between. */
  async function countWrites(): Promise<number> {
    const { world, params } = await prepare()
    const counting = dieAfter(world, Number.POSITIVE_INFINITY)
    const worker = startWorker(counting)
    const answer = openPage(worker, SITE).send('outer', 'satsConnect.signPsbt', params)
    readResult('signPsbt', await decideAll(worker, 'approve', answer))
    return counting.writes()
  }

  it('sends one transaction, the one that was asked about, and tells its txid', async () => {
    const writes = await countWrites()
    expect(writes).toBeGreaterThan(5)
    for (let moment = 0; moment < writes; moment++) {
      const { world, params, txid } = await prepare()
      const mortal = dieAfter(world, moment)
      const dying = startWorker(mortal)
      void openPage(dying, SITE).send('outer', 'satsConnect.signPsbt', params)
      // Hangs where the worker does.
      void decideAll(dying, 'approve', mortal.died).catch(() => {})
      await mortal.died

      const second = await comeBack(world)
      const page = openPage(second, SITE)
      const answer = page.send('outer', 'satsConnect.signPsbt', params)
      const response = await decideAll(second, 'approve', answer)
      expect(readResult('signPsbt', response), `died at ${moment}`).toMatchObject({ txid })
      expect(new Set(world.chain.broadcasts), `died at ${moment}`).toEqual(new Set([txid]))
    }
  })
})

describe('a page that leaves', () => {
  it('between two questions is not asked about the second', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = openPage(worker, SITE)
    void page.send('outer', ...CONNECT)
    const { key, digest } = await nextApproval(worker, 'connect')
    const decided = worker.ui('decide', { key, digest, decision: 'approve' })
    await Promise.all([decided, page.leave()])
    await new Promise(resolve => setTimeout(resolve, 30))
    expect(await worker.ui('getApproval', null)).toBeNull()
    expect((await worker.ui('getState', null)).network).toBe('regtest')
  })

  it('takes its question along, and no other', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const { address } = await selectedAccount(worker)
    void ask(page, 'signMessage', { address, message: 'hello' })
    await nextApproval(worker, 'sign-message')
    await page.leave()
    expect(await worker.ui('getApproval', null)).toBeNull()
    expect((await worker.wallet.requests.load()).filter(({ outcome }) => !outcome)).toEqual([])
  })
})

describe('a request that is sent again while it is on its way', () => {
  it('asks once, and answers both', async () => {
    const { page, worker, account } = await startSigner()
    const params = { address: account.address, message: 'hello' }
    const send = (port = page) => port.send('outer', 'satsConnect.signMessage', params)
    const first = send()
    await nextApproval(worker, 'sign-message')
    const later = openPage(worker, SITE)
    const second = send(later)
    await page.leave()
    await decideNext(worker, 'approve', 'sign-message')
    const response = await second
    expect(response).toHaveProperty('result.signature')
    // The first page has gone; nothing is posted to it.
    const settled = await Promise.race([first, Promise.resolve('nothing')])
    expect(settled).toBe('nothing')
  })

  it('goes on for the page that came later, with the questions that follow', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    void page.send('outer', ...CONNECT)
    await nextApproval(worker, 'connect')
    const later = openPage(worker, SITE)
    const answer = later.send('outer', ...CONNECT)
    await page.leave()
    await decideNext(worker, 'approve', 'connect')
    await nextApproval(worker, 'switch-network')
    await later.leave()
    expect(await worker.ui('getApproval', null)).toBeNull()
    void answer
  })
})

describe('ids', () => {
  it('with a slash, which are the wallet’s own, are no requests', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = openPage(worker, SITE)
    for (const id of ['outer/0', '/', 'a/b']) {
      await worker.router.receive(page.port, { id, method: 'connect', params: [] })
    }
    expect(page.received.filter(message => 'id' in message)).toEqual([])
    expect(world.window.shown).toBe(0)
  })
})
