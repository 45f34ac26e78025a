import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { createDevice, inscribeOnDevice, startOnDevice } from '../testing/device-wallet.ts'
import { inputsOf, outputsOf, RECIPIENT, readBroadcast, SITE } from '../testing/funded-wallet.ts'
import {
  nextApproval,
  openPage,
  startWorker,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'
import { credit, sendDraft, TRANSFER } from './testing/delivery-world.ts'
import { readShown } from './testing/device-answers.ts'
import { etchingDraft, listEtchings } from './testing/etching-world.ts'
import { readChain, textDraft, wait } from './testing/job-world.ts'

const SEGWIT = ADDRESS_TYPES.filter(type => type !== 'p2pkh')

/** Fees of transactions whose inputs the chain knows, and what was asked. */
function assertRate(world: World, txids: readonly string[], feeRate: number): void {
  for (const txid of txids) {
    const { inputs, outputs, vsize } = parseTransaction(world.chain.get(txid) ?? new Uint8Array())
    const spent = inputs.reduce((sum, input) => {
      const parent = parseTransaction(world.chain.get(input.txid) ?? new Uint8Array())
      return sum + (parent.outputs[input.vout]?.amount ?? 0n)
    }, 0n)
    const fee = spent - outputs.reduce((sum, { amount }) => sum + amount, 0n)
    expect(Number(fee), txid).toBeGreaterThanOrEqual(vsize * feeRate)
    expect(Number(fee), txid).toBeLessThan(vsize * feeRate * 1.03 + 10)
  }
}

describe('inscribing with an account whose key is on a device', () => {
  it.each(ADDRESS_TYPES)(
    'from %s takes one round for the commit; the reveals are signed here and pay the account',
    async type => {
      const { world, worker, device, account, txids } = await startOnDevice(type, 60_000n, 50_000n)
      const plan = await worker.ui('planInscribe', textDraft(['one', 'two']))
      const { rounds, jobId } = await inscribeOnDevice(worker, device, plan)
      expect(rounds).toBe(1)
      expect(readChain(world).texts).toEqual(['one', 'two'])
      expect(world.chain.broadcasts).toHaveLength(3)
      const [commit = '', ...reveals] = world.chain.broadcasts
      expect(
        inputsOf(readBroadcast(world, commit)).every(one => txids.includes(one.slice(0, 64))),
      ).toBe(true)
      for (const [at, txid] of reveals.entries()) {
        expect(inputsOf(readBroadcast(world, txid))).toEqual([`${commit}:${at}`])
        expect(outputsOf(readBroadcast(world, txid))).toEqual([
          { address: account.address, sats: 546n },
        ])
      }
      assertRate(world, world.chain.broadcasts, 5)
      world.chain.mine()
      expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })
      // Nothing that the device has is in a leaf, and nothing of the wallet’s own accounts.
      const own = toHex(fromHex(account.publicKey).subarray(1))
      for (const txid of reveals)
        expect(toHex(world.chain.get(txid) ?? new Uint8Array())).not.toContain(own)
    },
  )

  it('shows the device where the commit’s money goes, and says who is paid', async () => {
    const { worker } = await startOnDevice('p2wpkh', 60_000n)
    const { planId, digest, review } = await worker.ui('planInscribe', textDraft(['one']))
    const { task, review: shown } = await worker.ui('getInscribeTask', { planId, digest })
    expect(shown).toEqual(review)
    const [leaf] = review.commit?.outputs ?? []
    expect(task?.tasks).toMatchObject([
      { pays: [{ address: leaf?.address, sats: leaf?.sats }], fee: review.commit?.fee },
    ])
  })

  it('is not handed over before the device has signed, and is refused for the wallet’s own accounts', async () => {
    const { world, worker } = await startOnDevice('p2tr', 60_000n)
    const { planId, digest } = await worker.ui('planInscribe', textDraft(['one']))
    await expect(worker.ui('confirmInscribe', { planId, digest })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('what the device of this account signed'),
    })
    expect(world.chain.broadcasts).toEqual([])
    expect(await worker.wallet.jobs.list()).toEqual([])
  })

  it('is the same job when it is confirmed again, in another worker too', async () => {
    const { world, worker, device } = await startOnDevice('p2wpkh', 60_000n)
    const { planId, digest } = await worker.ui('planInscribe', textDraft(['one']))
    const { task } = await worker.ui('getInscribeTask', { planId, digest })
    if (!task) throw new Error('no task')
    const returned = device.signAll(task)
    const { jobId } = await worker.ui('confirmInscribe', { planId, digest, returned })
    const later = startWorker(world)
    expect(await later.ui('confirmInscribe', { planId, digest, returned })).toEqual({ jobId })
    expect(readChain(world).texts).toEqual(['one'])
  })

  it.each(SEGWIT)('below a parent is one round, from %s', async type => {
    const { world, worker, device, account, txids } = await startOnDevice(type, 90_000n, 10_000n)
    const parent = world.assets.inscribe(`${txids[1]}:0`)
    const plan = await worker.ui('planInscribe', textDraft(['one', 'two'], { parent }))
    const { rounds } = await inscribeOnDevice(worker, device, plan)
    expect(rounds).toBe(3)
    expect(readChain(world).texts).toEqual(['one', 'two'])
    const last = readBroadcast(world, world.chain.broadcasts.at(-1) ?? '')
    expect(outputsOf(last)[1]).toEqual({ address: account.address, sats: 10_000n })
    assertRate(world, world.chain.broadcasts, 5)
  })

  it.each(SEGWIT)('sends BRC-20 tokens in one round, from %s', async type => {
    const { world, worker, device, account } = await startOnDevice(type, 90_000n)
    credit({ world, account })
    const plan = await worker.ui('planBrc20Send', sendDraft())
    const { rounds } = await inscribeOnDevice(worker, device, plan)
    expect(rounds).toBe(2)
    expect(readChain(world).texts).toEqual([TRANSFER])
    const delivery = readBroadcast(world, world.chain.broadcasts.at(-1) ?? '')
    expect(outputsOf(delivery)).toEqual([{ address: RECIPIENT, sats: 546n }])
    assertRate(world, world.chain.broadcasts, 5)
  })

  it('refuses from a Legacy address what its device would have to sign in two rounds, before anything is signed', async () => {
    const { world, worker, account, txids } = await startOnDevice('p2pkh', 90_000n, 10_000n)
    credit({ world, account })
    const parent = world.assets.inscribe(`${txids[1]}:0`)
    const refused = {
      data: { reason: 'DEVICE_CANNOT' },
      message: expect.stringContaining('Legacy'),
    }
    await expect(worker.ui('planInscribe', textDraft(['one'], { parent }))).rejects.toMatchObject(
      refused,
    )
    await expect(worker.ui('planBrc20Send', sendDraft())).rejects.toMatchObject(refused)
  })

  it.each(ADDRESS_TYPES)('etches a rune from %s', async type => {
    const { world, worker, device } = await startOnDevice(type, 90_000n)
    const { jobId } = await inscribeOnDevice(
      worker,
      device,
      await worker.ui('planRuneEtching', etchingDraft()),
    )
    world.chain.mine()
    for (let block = 0; block < 5; block++) world.chain.mine()
    await wait(world, worker, jobId)
    expect(listEtchings(world)).toHaveLength(1)
  })
})

describe('a job of an account whose key is on a device', () => {
  async function startJob(type: (typeof ADDRESS_TYPES)[number], ...coins: bigint[]) {
    const started = await startOnDevice(type, ...coins)
    const { worker, device } = started
    const plan = await worker.ui('planInscribe', textDraft(['one', 'two'], { postage: 5_000 }))
    return { ...started, ...(await inscribeOnDevice(worker, device, plan)) }
  }

  it.each(ADDRESS_TYPES)(
    'is paid more for by the device before a block has its commit: %s',
    async type => {
      const { world, worker, device, jobId, txids } = await startJob(type, 90_000n)
      const plan = await worker.ui('planJobBump', { jobId, feeRate: 20 })
      const { rounds } = await inscribeOnDevice(worker, device, plan)
      expect(rounds).toBe(1)
      expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(1)
      world.chain.mine()
      expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done' })
    },
  )

  it.each(ADDRESS_TYPES)('gives its money back without the device: %s', async type => {
    const { world, worker, device, jobId } = await startJob(type, 90_000n)
    const plan = await worker.ui('planJobRefund', { jobId, feeRate: 20 })
    const { rounds } = await inscribeOnDevice(worker, device, plan)
    expect(rounds).toBe(0)
    const back = readBroadcast(world, world.chain.broadcasts.at(-1) ?? '')
    // The first address for change has that of the commit.
    expect(outputsOf(back)).toMatchObject([{ address: device.addressAt(type, 1, 1) }])
    expect(inputsOf(back)).toHaveLength(2)
  })

  it.each(ADDRESS_TYPES)(
    'has reveals that pay more once a block has its commit: %s',
    async type => {
      const { world, worker, device } = await startOnDevice(type, 60_000n, 80_000n)
      world.chain.faults.refuse = 'mempool full'
      // Each takes the change of the one before, which a Legacy address gives no id before it has signed.
      const texts = type === 'p2pkh' ? ['one'] : ['one', 'two']
      const draft = textDraft(texts, { postage: 5_000 })
      const plan = await worker.ui('planInscribe', draft)
      const { jobId } = await inscribeOnDevice(worker, device, plan)
      const job = await worker.wallet.jobs.find(jobId)
      const bytes = job && (await worker.wallet.jobs.loadBytes(job, 0))
      world.chain.add(fromHex(bytes?.raw[job?.commitTxid ?? ''] ?? ''))
      delete world.chain.faults.refuse
      const bump = () => worker.ui('planJobBump', { jobId, feeRate: 20 })
      await inscribeOnDevice(worker, device, await bump())
      world.chain.mine()
      expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done' })
    },
  )

  it('from a Legacy address refuses reveals that take each other’s change, and says what works', async () => {
    const { world, worker, device } = await startOnDevice('p2pkh', 60_000n, 80_000n)
    world.chain.faults.refuse = 'mempool full'
    const plan = await worker.ui('planInscribe', textDraft(['one', 'two'], { postage: 5_000 }))
    const { jobId } = await inscribeOnDevice(worker, device, plan)
    const job = await worker.wallet.jobs.find(jobId)
    const bytes = job && (await worker.wallet.jobs.loadBytes(job, 0))
    world.chain.add(fromHex(bytes?.raw[job?.commitTxid ?? ''] ?? ''))
    delete world.chain.faults.refuse
    await expect(worker.ui('planJobBump', { jobId, feeRate: 20 })).rejects.toMatchObject({
      data: { reason: 'DEVICE_CANNOT' },
      message: expect.stringContaining('taking the money back'),
    })
    const refund = await worker.ui('planJobRefund', { jobId, feeRate: 20 })
    expect((await inscribeOnDevice(worker, device, refund)).rounds).toBe(0)
  })
})

describe('what a site has an account inscribe whose key is on a device', () => {
  it('is approved, then signed there in one round', async () => {
    const { world, worker, device, page, account } = await startOnDevice('p2tr', 90_000n)
    const inscriptions = [{ body: 'one' }, { body: 'two' }]
    const answer = page.call('mint', { type: 61, from: account.address, inscriptions })
    await decide(worker, await nextApproval(worker, 'inscribe'))
    const asked = await nextApproval(worker, 'sign-on-device')
    await decide(worker, asked, device.signAll(readShown(asked.review)))
    expect(await answer).toMatchObject({
      result: { commitTx: world.chain.broadcasts[0], revealTxs: world.chain.broadcasts.slice(1) },
    })
    expect(readChain(world).texts).toEqual(['one', 'two'])
  })

  it('goes on in another worker while the device signs: one commit, and one job', async () => {
    const { world, worker, device, page, account } = await startOnDevice('p2tr', 90_000n)
    const order = { type: 61, from: account.address, inscriptions: [{ body: 'one' }] }
    void page.send('one', 'mint', order)
    await decide(worker, await nextApproval(worker, 'inscribe'))
    const asked = await nextApproval(worker, 'sign-on-device')
    const later = startWorker(world)
    const answer = openPage(later, SITE).send('one', 'mint', order)
    const again = await nextApproval(later, 'sign-on-device')
    expect(again.digest).toBe(asked.digest)
    await decide(later, again, device.signAll(readShown(asked.review)))
    expect(await answer).toMatchObject({ result: { commitTx: world.chain.broadcasts[0] } })
    expect(world.chain.broadcasts).toHaveLength(2)
    expect(await later.wallet.jobs.list()).toHaveLength(1)
  })

  it('is a transfer of BRC-20 of the amount that the person says', async () => {
    const { world, worker, device, page, account } = await startOnDevice('p2wpkh', 90_000n)
    credit({ world, account })
    const answer = page.call('inscribe', { from: account.address, tick: 'ordi' })
    await decide(worker, await nextApproval(worker, 'brc20-amount'), '12.5')
    await decide(worker, await nextApproval(worker, 'inscribe'))
    const asked = await nextApproval(worker, 'sign-on-device')
    await decide(worker, asked, device.signAll(readShown(asked.review)))
    expect(await answer).toMatchObject({ result: world.chain.broadcasts[1] })
    expect(readChain(world).texts).toEqual([TRANSFER])
  })

  it('is not sent where another commit comes back, or the person does not take it there', async () => {
    const { world, worker, page, account } = await startOnDevice('p2wpkh', 90_000n)
    const order = { type: 61, from: account.address, inscriptions: [{ body: 'one' }] }
    const answer = page.call('mint', order)
    await decide(worker, await nextApproval(worker, 'inscribe'))
    const asked = await nextApproval(worker, 'sign-on-device')
    const stranger = createDevice(new Uint8Array(32).fill(0x78))
    await expect(
      decide(worker, asked, stranger.signAll(readShown(asked.review))),
    ).rejects.toMatchObject({ code: -32602 })
    const { key, digest } = asked
    await worker.ui('decide', { key, digest, decision: 'reject' })
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(world.chain.broadcasts).toEqual([])
    expect(await worker.wallet.jobs.list()).toEqual([])
  })
})

function decide(worker: Worker, { key, digest }: { key: string; digest: string }, input?: string) {
  const decision = 'approve' as const
  return worker.ui('decide', { key, digest, decision, ...(input !== undefined && { input }) })
}
