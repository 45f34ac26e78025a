import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { leafHash } from '../../bitcoin/signing/taproot-leaf.ts'
import { addressAt, listPlacesPaid } from '../accounts/testing/many-addresses.ts'
import { addDevice, createDevice, inscribeOnDevice } from '../testing/device-wallet.ts'
import { inputsOf, outputsOf, readBroadcast, selectedAccount } from '../testing/funded-wallet.ts'
import {
  createWorld,
  fund,
  startUnlocked,
  startWorker,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'
import type { CommitRefundDraft } from '../views/inscribe-views.ts'
import { etchingDraft, NAME } from './testing/etching-world.ts'
import { mintTexts, startJobs, textDraft } from './testing/job-world.ts'

const FEE_RATE = 3

function draftOf(texts: readonly string[], changes: Partial<CommitRefundDraft> = {}) {
  return {
    ...{ txid: null, leafHashes: [], parent: null, metadata: null, rune: null, feeRate: FEE_RATE },
    items: texts.map(text => ({ kind: 'text' as const, text })),
    ...changes,
  }
}

/** Another computer with the same phrase on the same chain: nothing else is left. */
async function restoreElsewhere(world: World): Promise<{ world: World; worker: Worker }> {
  const { local, session, sync } = createWorld()
  const other = { ...world, local, session, sync }
  return { world: other, worker: await startUnlocked(other) }
}

/** A commit whose reveals never reached the network, and its id. */
async function commitAlone(texts: readonly string[], changes = {}) {
  const started = await startJobs()
  let first: string | null = null
  started.gate.refuse = txid => {
    first ??= txid
    return txid === first ? null : 'min relay fee not met'
  }
  await mintTexts(started.worker, texts, { postage: 5_000, ...changes })
  const [txid = ''] = started.world.chain.broadcasts
  started.gate.refuse = () => null
  return { ...started, txid }
}

async function plan(worker: Worker, draft: CommitRefundDraft) {
  const found = await worker.ui('planCommitRefund', draft)
  if (found.state !== 'found' || !found.plan) throw new Error(JSON.stringify(found))
  return { ...found, plan: found.plan }
}

describe('the money of a commit, in a wallet that was restored from its phrase,', () => {
  it('is found by its id and its content, shown, and taken back', async () => {
    const { world, txid } = await commitAlone(['one', 'two'])
    const { worker } = await restoreElsewhere(world)
    const account = await selectedAccount(worker)
    const found = await plan(worker, draftOf(['one', 'two'], { txid }))
    expect(found).toMatchObject({ txid, outputs: 2, confirmed: false, leastFeeRate: 1 })
    const { review } = found.plan
    expect(review.items.map(({ contentType }) => contentType)).toHaveLength(2)
    expect(review.warnings).toEqual([{ kind: 'spends-unconfirmed', inputs: [0, 1] }])
    const taken = await worker.ui('takeCommitRefund', found.plan)
    expect(taken.outcome).toBe('sent')
    const sent = readBroadcast(world, taken.txid)
    const back = BigInt(found.sats) - BigInt(review.totalFee)
    expect(outputsOf(sent)).toEqual([{ address: account.address, sats: back }])
    expect(Number(review.totalFee)).toBeGreaterThanOrEqual(sent.vsize * FEE_RATE)
    expect(review.cost).toBe(String(-back))
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 5 })
    const entry = entries.find(({ txid }) => txid === taken.txid)
    expect(entry).toMatchObject({ kind: 'refund', net: String(back) })
  })

  it('is found without its id, in the account’s history', async () => {
    const { world, txid } = await commitAlone(['one', 'two'])
    world.chain.mine()
    const { worker } = await restoreElsewhere(world)
    expect(await plan(worker, draftOf(['two', 'one', 'three']))).toMatchObject({
      ...{ txid, outputs: 2, confirmed: true },
    })
  })

  it('comes back as far as the content is known, by the hash of a leaf as well', async () => {
    const { world, txid, worker: first } = await commitAlone(['one', 'two'])
    const [job] = await first.wallet.jobs.list()
    if (!job) throw new Error('no job')
    const { inscribing } = (await first.wallet.jobs.loadBytes(job, 0)) ?? {}
    const leaf = Uint8Array.from(Buffer.from(inscribing?.reveals[1]?.leaf ?? '', 'hex'))
    const { worker } = await restoreElsewhere(world)
    expect(await plan(worker, draftOf(['one'], { txid }))).toMatchObject({ outputs: 1 })
    const both = await plan(worker, draftOf(['one'], { txid, leafHashes: [toHex(leafHash(leaf))] }))
    expect(both.outputs).toBe(2)
    expect(both.plan.review.items).toHaveLength(1)
  })

  it('comes back with metadata only where that is given', async () => {
    const metadata = '{"by":"nobody"}'
    const { world, txid } = await commitAlone(['one'], { metadata })
    const { worker } = await restoreElsewhere(world)
    expect(await worker.ui('planCommitRefund', draftOf(['one'], { txid }))).toEqual({
      state: 'no-match',
    })
    expect(await plan(worker, draftOf(['one'], { txid, metadata }))).toMatchObject({ outputs: 1 })
  })

  it('of a rune comes back by the rune’s name', async () => {
    const { world, worker: first } = await startJobs()
    const { planId, digest } = await first.ui('planRuneEtching', etchingDraft())
    await first.ui('confirmInscribe', { planId, digest })
    const [txid = ''] = world.chain.broadcasts
    const { worker } = await restoreElsewhere(world)
    const found = await plan(worker, draftOf([], { txid, rune: NAME }))
    expect(found.outputs).toBe(1)
    expect(await worker.ui('takeCommitRefund', found.plan)).toMatchObject({ outcome: 'sent' })
  })

  it('comes back to an address of its own in an account of many, and once however often it is taken', async () => {
    const { world, worker: first, gate } = await startJobs()
    const { id: accountId } = await selectedAccount(first)
    await first.ui('setManyAddresses', { accountId, on: true })
    let commit: string | null = null
    gate.refuse = txid => {
      commit ??= txid
      return txid === commit ? null : 'min relay fee not met'
    }
    await mintTexts(first, ['one'], { postage: 5_000 })
    gate.refuse = () => null
    const { world: there, worker } = await restoreElsewhere(world)
    const account = await selectedAccount(worker)
    await worker.ui('setManyAddresses', { accountId: account.id, on: true })
    const found = await plan(worker, draftOf(['one']))
    const late = await plan(worker, draftOf(['one']))
    const [back] = late.plan.review.commit?.outputs ?? []
    expect(back).toMatchObject({ address: addressAt('p2tr', 1, 1), own: true })
    expect(late.plan.review.receiver).toBe(back?.address)
    const { txid } = await worker.ui('takeCommitRefund', late.plan)
    expect(listPlacesPaid(there, txid, 'p2tr')).toEqual(['1/1'])
    const again = startWorker(there)
    expect(await again.ui('takeCommitRefund', late.plan)).toMatchObject({ txid })
    await expect(worker.ui('takeCommitRefund', found.plan)).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
  })

  it('comes back to the account of a device, without the device', async () => {
    const { world, worker: first, gate } = await startJobs()
    const device = createDevice()
    const account = await addDevice(first, device, 'p2wpkh')
    fund(world, account.address, 80_000n)
    const { planId, digest } = await first.ui(
      'planInscribe',
      textDraft(['one'], { postage: 5_000 }),
    )
    let commit: string | null = null
    gate.refuse = txid => {
      commit ??= txid
      return txid === commit ? null : 'min relay fee not met'
    }
    await inscribeOnDevice(first, device, { planId, digest })
    gate.refuse = () => null
    const { worker } = await restoreElsewhere(world)
    await addDevice(worker, device, 'p2wpkh')
    const found = await plan(worker, draftOf(['one'], { txid: commit }))
    const { txid } = await worker.ui('takeCommitRefund', found.plan)
    const [back] = outputsOf(readBroadcast(world, txid))
    expect(back?.address).toBe(device.addressAt('p2wpkh', 1, 1))
  })

  it('takes the place of a reveal that no block has, at more than that pays', async () => {
    const { world, worker: first } = await startJobs()
    await mintTexts(first, ['one'], { postage: 5_000, feeRate: 5 })
    const [txid = '', reveal = ''] = world.chain.broadcasts
    const { worker } = await restoreElsewhere(world)
    const seen = await worker.ui('planCommitRefund', draftOf(['one'], { txid, feeRate: null }))
    if (seen.state !== 'found') throw new Error(seen.state)
    expect(seen.plan).toBeNull()
    expect(seen.leastFeeRate).toBeGreaterThan(5)
    await expect(worker.ui('planCommitRefund', draftOf(['one'], { txid }))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('feeRate'),
    })
    const feeRate = seen.leastFeeRate
    const found = await plan(worker, draftOf(['one'], { txid, feeRate }))
    const paid = BigInt(found.plan.review.previousFee ?? 0)
    expect(paid).toBeGreaterThan(0n)
    expect(BigInt(found.plan.review.totalFee)).toBeGreaterThan(paid)
    const taken = await worker.ui('takeCommitRefund', found.plan)
    // It spends what the reveal spent.
    expect(inputsOf(readBroadcast(world, taken.txid))).toEqual([`${txid}:0`])
    expect(world.chain.get(reveal)).toBeUndefined()
  })
})

describe('the taking back of a commit that did not reach the server', () => {
  it('is handed over again, and takes the place of the reveal', async () => {
    const { world, worker: first, gate } = await startJobs()
    await mintTexts(first, ['one'], { postage: 5_000, feeRate: 5 })
    const [txid = '', reveal = ''] = world.chain.broadcasts
    const { world: other, worker } = await restoreElsewhere(world)
    const { plan: shown } = await plan(worker, draftOf(['one'], { txid, feeRate: 9 }))
    gate.lose = () => 'before'
    const taken = await worker.ui('takeCommitRefund', shown)
    expect(taken.outcome).toBe('unknown')
    expect(world.chain.get(reveal)).toBeDefined()
    gate.lose = () => null
    other.clock.now += 600_000
    await worker.ui('getOverview', { retry: true })
    expect(world.chain.get(taken.txid)).toBeDefined()
    expect(world.chain.get(reveal)).toBeUndefined()
  })
})

describe('a commit that cannot be taken back', () => {
  it.each<[string, (txid: string) => CommitRefundDraft, string]>([
    [
      'is not known to the network',
      () => draftOf(['one'], { txid: '7d'.repeat(32) }),
      'no-transaction',
    ],
    ['holds something else', txid => draftOf(['another'], { txid }), 'no-match'],
    ['is not in the history with this', () => draftOf(['another']), 'no-match'],
  ])('says so where it %s', async (_, draft, state) => {
    const { world, txid } = await commitAlone(['one'])
    const { worker } = await restoreElsewhere(world)
    expect(await worker.ui('planCommitRefund', draft(txid))).toEqual({ state })
  })

  it('says so where blocks have its reveals, or what was taken back', async () => {
    const { world, worker: first } = await startJobs()
    await mintTexts(first, ['one'])
    world.chain.mine()
    const { worker } = await restoreElsewhere(world)
    const [txid = ''] = world.chain.broadcasts
    const spent = { state: 'spent' }
    expect(await worker.ui('planCommitRefund', draftOf(['one'], { txid }))).toEqual(spent)
    expect(await worker.ui('planCommitRefund', draftOf(['one']))).toEqual(spent)
  })

  it('is another account’s: its key opens nothing', async () => {
    const { world, txid } = await commitAlone(['one'])
    const { worker } = await restoreElsewhere(world)
    const other = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
    await worker.ui('selectAccount', { accountId: other.id })
    expect(await worker.ui('planCommitRefund', draftOf(['one'], { txid }))).toEqual({
      state: 'no-match',
    })
  })

  it('is a job of this wallet, which takes it back', async () => {
    const { worker, txid } = await commitAlone(['one'])
    const [job] = await worker.ui('getJobs', null)
    expect(await worker.ui('planCommitRefund', draftOf(['one'], { txid }))).toEqual({
      ...{ state: 'job', jobId: job?.id },
    })
  })

  it('is refused while the server is silent or the wallet locked, and by an account without a key', async () => {
    const { world, txid } = await commitAlone(['one'])
    const { worker } = await restoreElsewhere(world)
    const draft = draftOf(['one'], { txid })
    world.chain.faults.unreachable = true
    await expect(worker.ui('planCommitRefund', draft)).rejects.toMatchObject({
      data: { reason: 'BACKEND_UNAVAILABLE' },
    })
    delete world.chain.faults.unreachable
    const found = await plan(worker, draft)
    await worker.ui('lock', null)
    for (const tried of [
      () => worker.ui('planCommitRefund', draft),
      () => worker.ui('takeCommitRefund', found.plan),
    ])
      await expect(tried()).rejects.toMatchObject({ code: 4100 })
  })

  it.each<[string, Partial<CommitRefundDraft>, string]>([
    ['no content', { items: [] }, 'items'],
    ['no id of a transaction', { txid: 'zz' }, 'txid'],
    ['half a hash', { leafHashes: ['00'] }, 'leafHashes[0]'],
    ['no name of a rune', { rune: '1' }, 'rune'],
    ['no fee rate', { feeRate: -1 }, 'feeRate'],
    ['too many', { items: Array(49).fill({ kind: 'text', text: 'x' }) }, 'items'],
  ])('is not looked for by %s', async (_, changes, field) => {
    const { worker } = await startJobs()
    await expect(worker.ui('planCommitRefund', draftOf(['one'], changes))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(field),
    })
  })

  it('is taken as it was shown alone, and once', async () => {
    const { world, txid } = await commitAlone(['one'])
    const { worker } = await restoreElsewhere(world)
    const { plan: shown } = await plan(worker, draftOf(['one'], { txid }))
    const { planId, digest } = shown
    const outdated = { data: { reason: 'PLAN_OUTDATED' } }
    await expect(
      worker.ui('takeCommitRefund', { planId, digest: '00'.repeat(32) }),
    ).rejects.toMatchObject(outdated)
    const before = world.chain.broadcasts.length
    const first = await worker.ui('takeCommitRefund', { planId, digest })
    expect(await worker.ui('takeCommitRefund', { planId, digest })).toEqual(first)
    expect(new Set(world.chain.broadcasts.slice(before))).toEqual(new Set([first.txid]))
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 20 })
    expect(entries.filter(entry => entry.txid === first.txid)).toHaveLength(1)
  })
})
