import { describe, expect, it } from 'vitest'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { defer, RECIPIENT } from '../testing/funded-wallet.ts'
import { startSigner } from '../testing/psbt-site.ts'
import { foreign, stranger } from '../testing/signed-transactions.ts'
import { decideNext, fund, PASSWORD, startWorker } from '../testing/test-wallet.ts'

type Site = Awaited<ReturnType<typeof startSigner>>

const GONE = { kind: 'unreachable', host: 'devnet', detail: '', retryInMs: 0 } as const

/** One that spends the output of another. */
function childOf(site: Pick<Site, 'world'>, txid: string) {
  const inputs = [{ ...stranger(9_000n), outpoint: { txid, vout: 0 } }]
  return foreign(site, { inputs, outputs: [stranger(8_000n)] })
}

function item(itemId: string, signedTx: string, changes: object = {}) {
  return { itemId, signedTx, type: 52, ...changes }
}

async function listStatuses({ worker, account }: Site, sent: { txid: string }[]) {
  const records = await worker.wallet.activity.listSent('regtest', account.id)
  return sent.map(({ txid }) => records.find(record => record.txid === txid)?.status)
}

/** From now on the node refuses this transaction alone. */
function refuse({ world }: Site, raw: string): void {
  const { broadcast } = world.chain.chain
  world.chain.chain.broadcast = async bytes => {
    world.chain.faults.refuse = Buffer.from(bytes).toString('hex') === raw ? 'bad' : ''
    return broadcast(bytes)
  }
}

describe('a batch', () => {
  it('tells null for a refused parent and all that depends on it, and sends the rest', async () => {
    const site = await startSigner()
    const { page, account, world } = site
    const [a, c] = [foreign(site), foreign(site)]
    const b = childOf(site, a.txid)
    const { broadcast } = world.chain.chain
    world.chain.chain.broadcast = async raw => {
      world.chain.faults.refuse = Buffer.from(raw).toString('hex') === a.raw ? 'bad' : ''
      return broadcast(raw)
    }
    const txs = [b, a, c].map((each, at) => item('bac'[at] ?? '', each.raw))
    expect(await page.call('sendPsbt', txs, account.address)).toMatchObject({
      result: [{ b: null }, { a: null }, { c: c.txid }],
    })
    expect(world.chain.broadcasts).toEqual([c.txid])
    // Nothing of them goes out later, without the refused one.
    delete world.chain.faults.refuse
    world.chain.chain.broadcast = broadcast
    await site.worker.wallet.activity.refresh(world.chain.chain, account)
    expect(await listStatuses(site, [a, b, c])).toEqual(['failed', 'failed', 'pending'])
    expect(world.chain.broadcasts).toEqual([c.txid])
  })

  it('has all of a batch on record before the first leaves, so that activity can send what an end cuts off', async () => {
    const site = await startSigner()
    const { page, account, world } = site
    const [a, b] = [foreign(site), foreign(site)]
    const { broadcast } = world.chain.chain
    const onRecord: unknown[] = []
    world.chain.chain.broadcast = async raw => {
      onRecord.push(await listStatuses(site, [a, b]))
      return broadcast(raw)
    }
    await page.call('sendPsbt', [item('a', a.raw), item('b', b.raw)], account.address)
    expect(onRecord[0]).toEqual(['sending', 'sending'])
  })

  it('keeps what spends an output of one that nobody answered for, and activity sends both', async () => {
    const site = await startSigner()
    const { page, account, world, worker } = site
    const [a, c] = [foreign(site), foreign(site)]
    const b = childOf(site, a.txid)
    const { broadcast } = world.chain.chain
    world.chain.chain.broadcast = async raw => {
      if (Buffer.from(raw).toString('hex') === a.raw) throw new BackendUnavailableError(GONE)
      return broadcast(raw)
    }
    const txs = [item('a', a.raw), item('b', b.raw), item('c', c.raw)]
    expect(await page.call('sendPsbt', txs, account.address)).toMatchObject({
      result: [{ a: null }, { b: null }, { c: c.txid }],
    })
    expect(await listStatuses(site, [a, b, c])).toEqual(['sending', 'sending', 'pending'])
    world.chain.chain.broadcast = broadcast
    await worker.wallet.activity.refresh(world.chain.chain, account)
    expect(world.chain.broadcasts).toEqual([c.txid, a.txid, b.txid])
  })

  it.each([
    ['pending', {}],
    ['sending', { loseAnswers: true }],
  ] as const)(
    'does not free the coins of a payment that is %s by naming a refused transaction as its parent',
    async (status, faults) => {
      const site = await startSigner('p2wpkh')
      const { page, account, world, worker } = site
      fund(world, account.address, 100_000n)
      Object.assign(world.chain.faults, faults)
      const paying = page.call('sendBitcoin', RECIPIENT, 20_000, { feeRate: 2 })
      await decideNext(worker, 'approve')
      await paying
      delete world.chain.faults.loseAnswers
      const [payment] = await worker.wallet.activity.listSent('regtest', account.id)
      if (!payment) throw new Error('no payment')
      expect(payment.status).toBe(status)

      const bad = foreign(site)
      refuse(site, bad.raw)
      const txs = [item('bad', bad.raw), item('pay', payment.rawTx, { dependItemId: ['bad'] })]
      const sending = page.call('sendPsbt', txs, account.address)
      await decideNext(worker, 'approve', 'send-batch').catch(() => {})
      expect(await sending).toMatchObject({ result: [{ bad: null }, { pay: null }] })
      expect(await listStatuses(site, [bad, payment])).toEqual(['failed', status])
    },
  )

  it('leaves a transaction alone that was handed over before and that nobody answered for', async () => {
    const site = await startSigner()
    const { page, account, world } = site
    const [bad, own] = [foreign(site), foreign(site)]
    world.chain.faults.loseAnswers = true
    expect(await page.call('pushTx', own.raw)).toHaveProperty('error')
    delete world.chain.faults.loseAnswers
    world.clock.now += 1
    refuse(site, bad.raw)
    const txs = [item('bad', bad.raw), item('own', own.raw, { dependItemId: ['bad'] })]
    expect(await page.call('sendPsbt', txs, account.address)).toMatchObject({
      result: [{ bad: null }, { own: null }],
    })
    expect(await listStatuses(site, [bad, own])).toEqual(['failed', 'sending'])
  })

  it('withholds a prepared payment again where what it is to come after is refused', async () => {
    const site = await startSigner('p2wpkh')
    const { page, account, world, worker } = site
    fund(world, account.address, 100_000n)
    const splitting = page.call('splitUtxo', { from: account.address, amount: 2 })
    await decideNext(worker, 'approve')
    await splitting
    const [prepared] = await worker.wallet.activity.listSent('regtest', account.id)
    if (!prepared) throw new Error('nothing was prepared')
    const bad = foreign(site)
    refuse(site, bad.raw)
    const txs = [item('bad', bad.raw), item('own', prepared.rawTx, { dependItemId: ['bad'] })]
    expect(await page.call('sendPsbt', txs, account.address)).toMatchObject({
      result: [{ bad: null }, { own: null }],
    })
    expect(await listStatuses(site, [bad, prepared])).toEqual(['failed', 'unsent'])
  })

  it.each([false, true])(
    'gives up what is to come after a refused one also where the worker ended before it heard of that (with a prepared payment: %s)',
    async isPrepared => {
      const site = await startSigner('p2wpkh')
      const { page, account, world, worker } = site
      fund(world, account.address, 100_000n)
      const prepare = async () => {
        const splitting = page.call('splitUtxo', { from: account.address, amount: 2 })
        await decideNext(worker, 'approve')
        await splitting
        const [prepared] = await worker.wallet.activity.listSent('regtest', account.id)
        return { txid: prepared?.txid ?? '', raw: prepared?.rawTx ?? '' }
      }
      const [bad, own] = [foreign(site), isPrepared ? await prepare() : foreign(site)]
      const { broadcast } = world.chain.chain
      const { promise: asked, resolve } = defer()
      world.chain.chain.broadcast = async () => {
        resolve()
        return new Promise<never>(() => {})
      }
      const txs = [item('bad', bad.raw), item('own', own.raw, { dependItemId: ['bad'] })]
      void page.call('sendPsbt', txs, account.address)
      await asked
      world.chain.chain.broadcast = broadcast
      refuse(site, bad.raw)
      const next = startWorker(world)
      await next.ui('unlock', { password: PASSWORD })
      await next.ui('getOverview', null)
      expect(world.chain.broadcasts).toEqual([])
      expect(await listStatuses({ ...site, worker: next }, [bad, own])).toEqual([
        ...['failed', 'failed'],
      ])
    },
  )
})
