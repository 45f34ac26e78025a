import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import {
  addPairedDevice,
  approveOnDevice,
  createDevice,
  inscribeOnDevice,
  startPairedOnDevice,
} from '../testing/device-wallet.ts'
import { inputsOf, outputsOf, RECIPIENT, readBroadcast } from '../testing/funded-wallet.ts'
import { createWorld, fund, startUnlocked, type World } from '../testing/test-wallet.ts'
import { credit, sendDraft, TRANSFER } from './testing/delivery-world.ts'
import { etchingDraft, listEtchings } from './testing/etching-world.ts'
import { readChain, textDraft, wait } from './testing/job-world.ts'

const PAYMENT_TYPES = ['p2wpkh', 'p2sh-p2wpkh'] as const

/** Sats per vB of a transaction whose inputs the chain knows. */
function feeRateOf(world: World, txid: string): number {
  const read = (id: string) => parseTransaction(world.chain.get(id) ?? new Uint8Array())
  const { inputs, outputs, vsize } = read(txid)
  const spent = inputs.map(input => read(input.txid).outputs[input.vout]?.amount ?? 0n)
  const fee = [...spent, ...outputs.map(({ amount }) => -amount)].reduce(
    (sum, one) => sum + one,
    0n,
  )
  return Number(fee) / vsize
}

describe.each(PAYMENT_TYPES)('inscribing with two keys on a device, %s and Taproot,', type => {
  it('is paid by the first in one round, and lands on the second', async () => {
    const started = await startPairedOnDevice(type, 90_000n)
    const { world, worker, device, account, holding, txids } = started
    const plan = await worker.ui('planInscribe', textDraft(['one', 'two']))
    expect(plan.review).toMatchObject({ receiver: holding })
    const { rounds, jobId } = await inscribeOnDevice(worker, device, plan)
    expect(rounds).toBe(1)
    const [commit = '', ...reveals] = world.chain.broadcasts
    expect(inputsOf(readBroadcast(world, commit))).toEqual([`${txids[0]}:0`])
    expect(outputsOf(readBroadcast(world, commit)).at(-1)?.address).toBe(account.address)
    for (const txid of reveals)
      expect(outputsOf(readBroadcast(world, txid))).toEqual([{ address: holding, sats: 546n }])
    for (const txid of world.chain.broadcasts)
      expect(feeRateOf(world, txid)).toBeGreaterThanOrEqual(5)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })
    // Neither key of the device is in what is revealed.
    for (const key of [account.publicKey, account.ordinals?.publicKey ?? ''])
      for (const txid of reveals)
        expect(toHex(world.chain.get(txid) ?? new Uint8Array())).not.toContain(key.slice(2))
  })

  it('goes below a parent on the second, which comes back there', async () => {
    const { world, worker, device, holding } = await startPairedOnDevice(type, 90_000n)
    const parent = world.assets.inscribe(`${fund(world, holding, 10_000n)}:0`)
    const plan = await worker.ui('planInscribe', textDraft(['one', 'two'], { parent }))
    const { task } = await worker.ui('getInscribeTask', plan)
    expect(task?.tasks.map(({ inputs }) => inputs.map(one => one.addressType))).toEqual([
      ...[[type], ['p2tr'], ['p2tr']],
    ])
    await inscribeOnDevice(worker, device, plan)
    expect(readChain(world).texts).toEqual(['one', 'two'])
    const last = readBroadcast(world, world.chain.broadcasts.at(-1) ?? '')
    expect(outputsOf(last)).toEqual([
      { address: holding, sats: 546n },
      { address: holding, sats: 10_000n },
    ])
  })

  it('is paid more for, before a block has the commit and after', async () => {
    const { world, worker, device, holding } = await startPairedOnDevice(type, 60_000n, 80_000n)
    world.chain.faults.refuse = 'mempool full'
    const draft = textDraft(['one', 'two'], { postage: 5_000 })
    const plan = await worker.ui('planInscribe', draft)
    const { jobId } = await inscribeOnDevice(worker, device, plan)
    const bump = async (feeRate: number) =>
      inscribeOnDevice(worker, device, await worker.ui('planJobBump', { jobId, feeRate }))
    await bump(9)
    const job = await worker.wallet.jobs.find(jobId)
    const commit = job?.transactions.findLast(({ kind }) => kind === 'commit')
    const bytes = job && (await worker.wallet.jobs.loadBytes(job, 1))
    world.chain.add(fromHex(bytes?.raw[commit?.txid ?? ''] ?? ''))
    delete world.chain.faults.refuse
    expect((await bump(20)).rounds).toBeGreaterThan(0)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done' })
    const reveal = readBroadcast(world, world.chain.broadcasts.at(-1) ?? '')
    expect(outputsOf(reveal)[0]?.address).toBe(holding)
    expect(feeRateOf(world, reveal.id)).toBeGreaterThanOrEqual(20)
  })

  it('gives its money back to the first without the device', async () => {
    const { world, worker, device, account } = await startPairedOnDevice(type, 90_000n)
    const draft = textDraft(['one', 'two'], { postage: 5_000 })
    const plan = await worker.ui('planInscribe', draft)
    const { jobId } = await inscribeOnDevice(worker, device, plan)
    const refund = await worker.ui('planJobRefund', { jobId, feeRate: 20 })
    expect((await inscribeOnDevice(worker, device, refund)).rounds).toBe(0)
    const back = readBroadcast(world, world.chain.broadcasts.at(-1) ?? '')
    expect(outputsOf(back)).toMatchObject([{ address: account.address }])
  })

  it('sends BRC-20 tokens in one round, and etches a rune onto the second', async () => {
    const { world, worker, device, account, holding } = await startPairedOnDevice(type, 190_000n)
    credit({ world, account: { ...account, address: holding } })
    const tokens = await worker.ui('planBrc20Send', sendDraft())
    expect((await inscribeOnDevice(worker, device, tokens)).rounds).toBe(2)
    expect(readChain(world).texts).toEqual([TRANSFER])
    const delivery = readBroadcast(world, world.chain.broadcasts.at(-1) ?? '')
    expect(outputsOf(delivery)).toEqual([{ address: RECIPIENT, sats: 546n }])
    world.chain.mine()
    const etching = await worker.ui('planRuneEtching', etchingDraft())
    const { jobId } = await inscribeOnDevice(worker, device, etching)
    for (let block = 0; block < 6; block++) world.chain.mine()
    await wait(world, worker, jobId)
    const [etched] = listEtchings(world)
    expect(outputsOf(readBroadcast(world, etched?.txid ?? ''))[0]?.address).toBe(holding)
  })
})

describe('the money of a commit of two keys on a device', () => {
  it('comes back from the phrase, the descriptors and the content alone', async () => {
    const { world, worker, device, account } = await startPairedOnDevice('p2wpkh', 90_000n)
    const draft = textDraft(['one'], { postage: 5_000 })
    world.chain.faults.refuse = 'mempool full'
    const plan = await worker.ui('planInscribe', draft)
    const { jobId } = await inscribeOnDevice(worker, device, plan)
    const job = await worker.wallet.jobs.find(jobId)
    const bytes = job && (await worker.wallet.jobs.loadBytes(job, 0))
    const commit = world.chain.add(fromHex(bytes?.raw[job?.commitTxid ?? ''] ?? ''))
    expect(commit).toBe(job?.commitTxid)
    delete world.chain.faults.refuse
    const { local, session, sync } = createWorld()
    const other = { ...world, local, session, sync }
    const there = await startUnlocked(other)
    await addPairedDevice(there, createDevice())
    const found = await there.ui('planCommitRefund', {
      ...{ txid: null, leafHashes: [], parent: null, metadata: null, rune: null, feeRate: 3 },
      items: [{ kind: 'text', text: 'one' }],
    })
    if (found.state !== 'found' || !found.plan) throw new Error(found.state)
    const { planId, digest } = found.plan
    const { txid } = await there.ui('takeCommitRefund', { planId, digest })
    expect(outputsOf(readBroadcast(other, txid))).toMatchObject([{ address: account.address }])
  })
})

describe('what a site has an account of two keys on a device inscribe', () => {
  it('is approved, signed there in one round, and lands on Taproot', async () => {
    const started = await startPairedOnDevice('p2wpkh', 90_000n)
    const { world, worker, device, page, account, holding } = started
    const order = { type: 61, from: account.address, inscriptions: [{ body: 'one' }] }
    const answer = page.call('mint', order)
    const { tasks } = await approveOnDevice(worker, device, 'inscribe')
    expect(tasks).toHaveLength(1)
    const response = await answer
    const [commitTx, ...revealTxs] = world.chain.broadcasts
    expect(response).toMatchObject({ result: { commitTx, revealTxs } })
    expect(outputsOf(readBroadcast(world, revealTxs[0] ?? ''))[0]?.address).toBe(holding)
  })
})
