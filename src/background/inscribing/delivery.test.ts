import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../bitcoin/address.ts'
import {
  findCoin,
  inputsOf,
  outputsOf,
  payFromPopup,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
} from '../testing/funded-wallet.ts'
import {
  ARRIVES,
  listDelivered,
  sendDraft,
  sendTokens,
  startHolding,
  TRANSFER,
} from './testing/delivery-world.ts'
import { bump, confirm, readChain, refund, wait } from './testing/job-world.ts'

describe('sending BRC-20 tokens with one approval', () => {
  it('asks once with what each of three transactions costs, and hands all three over', async () => {
    const started = await startHolding()
    const { world, worker, txids, account } = started
    const { review, jobId } = await sendTokens(worker, { label: 'rent' })
    expect(review).toMatchObject({
      purpose: 'inscribe',
      receiver: account.address,
      postage: '546',
      delivery: { to: RECIPIENT, tick: 'ordi', amount: '12.5', name: null },
      warnings: [],
    })
    const effect = review.items[0]?.brc20
    expect(effect).toMatchObject({
      checked: true,
      obstacles: [],
      before: { available: '100', transferable: '0' },
      after: { available: '87.5', transferable: '12.5' },
    })
    const fees = [review.commit?.fee, review.items[0]?.fee, review.delivery?.fee].map(Number)
    expect(Number(review.totalFee)).toBe(fees.reduce((sum, fee) => sum + fee, 0))
    expect(Number(review.cost)).toBe(Number(review.totalFee) + 546)

    expect(world.chain.broadcasts).toHaveLength(3)
    const [commit = '', reveal = '', delivery = ''] = world.chain.broadcasts
    expect(inputsOf(readBroadcast(world, commit))).toEqual([`${txids[0]}:0`])
    expect(inputsOf(readBroadcast(world, reveal))).toEqual([`${commit}:0`])
    expect(outputsOf(readBroadcast(world, reveal))).toEqual([
      { address: account.address, sats: ARRIVES + BigInt(review.delivery?.fee ?? 0) },
    ])
    expect(inputsOf(readBroadcast(world, delivery))).toEqual([`${reveal}:0`])
    expect(outputsOf(readBroadcast(world, delivery))).toEqual([
      { address: RECIPIENT, sats: ARRIVES },
    ])
    expect(readChain(world).texts).toEqual([TRANSFER])
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'waiting',
      postage: '546',
      delivery: { to: RECIPIENT, tick: 'ordi', amount: '12.5', state: 'pending', txid: delivery },
    })
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'done',
      problem: null,
      delivery: { state: 'confirmed' },
    })
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    const sent = entries.find(({ kind }) => kind === 'delivery')
    expect(sent).toMatchObject({ txid: delivery, counterparty: RECIPIENT, status: 'confirmed' })
    expect(Number(sent?.net)).toBe(-546 - Number(review.delivery?.fee))
  })

  it('pays each at the fee rate that was asked for, as independently counted', async () => {
    const { world, worker } = await startHolding()
    const { review } = await sendTokens(worker, { feeRate: 7 })
    const delivery = readBroadcast(world, world.chain.broadcasts[2] ?? '')
    expect(Number(review.delivery?.fee)).toBe(delivery.vsize * 7)
    expect(review.delivery?.vsize).toBe(delivery.vsize)
  })

  it('names the receiver as contacts do, and warns of one that is the account itself', async () => {
    const { worker, account } = await startHolding()
    await worker.ui('saveContact', { id: null, name: 'Alice', address: RECIPIENT })
    const { review } = await worker.ui('planBrc20Send', sendDraft())
    expect(review.delivery?.name).toBe('Alice')
    const own = await worker.ui('planBrc20Send', sendDraft({ to: account.address }))
    expect(own.review.warnings).toContainEqual({ kind: 'own-address' })
  })

  it('counts tokens that are on their way as set aside, and not twice', async () => {
    const { world, worker } = await startHolding(100_000n, 100_000n)
    await sendTokens(worker, { amount: '60' })
    await expect(worker.ui('planBrc20Send', sendDraft({ amount: '60' }))).resolves.toMatchObject({
      review: { items: [{ brc20: { obstacles: ['order'] } }] },
    })
    const { review } = await worker.ui('planBrc20Send', sendDraft({ amount: '40' }))
    expect(review.items[0]?.brc20).toMatchObject({
      obstacles: [],
      before: { available: '40', transferable: '60' },
    })
    // Mined, but the index has not read the block.
    world.brc20.faults.lagBlocks = 1
    world.chain.mine()
    await expect(worker.ui('planBrc20Send', sendDraft({ amount: '60' }))).rejects.toMatchObject({
      code: -32602,
      data: { reason: 'insufficient' },
    })
  })

  it.each([
    [{ amount: '100.1' }, 'amount', 'insufficient'],
    [{ amount: '0' }, 'amount', undefined],
    [{ amount: '1e3' }, 'amount', undefined],
    [{ amount: '1.0000000000000000001' }, 'amount', undefined],
    [{ tick: 'none' }, 'amount', 'not-deployed'],
    [{ tick: 'x' }, 'tick', undefined],
    [{ to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }, 'to', undefined],
    [{ to: '' }, 'to', undefined],
    [{ feeRate: -1 }, 'feeRate', undefined],
  ])('%o is refused with a reason that names the field %s', async (changes, field, reason) => {
    const { world, worker } = await startHolding()
    const error = await worker.ui('planBrc20Send', sendDraft(changes)).catch(one => one)
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(field) })
    if (reason) expect(error.data).toMatchObject({ reason })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('is worked out anew where another one was sent meanwhile that leaves too few', async () => {
    const started = await startHolding(100_000n, 90_000n)
    const { world, worker } = started
    const order = (amount: string) => worker.ui('planBrc20Send', sendDraft({ amount }))
    const first = await order('60')
    const [{ outpoint = '' } = {}] = first.review.commit?.inputs ?? []
    await worker.ui('setCoinChoice', { outpoint, choice: 'locked' })
    const second = await order('60')
    await worker.ui('setCoinChoice', { outpoint, choice: null })
    await confirm(worker, first)
    await confirm(worker, first)
    await expect(confirm(worker, second)).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
    expect(await worker.wallet.jobs.list()).toHaveLength(1)
    expect(world.chain.broadcasts).toHaveLength(3)
    const { review } = await order('40')
    expect(review.items[0]?.brc20).toMatchObject({ obstacles: [] })
  })

  it('goes on where the index does not answer, and says that nothing was checked', async () => {
    const { world, worker } = await startHolding()
    world.brc20.faults.unreachable = true
    const { review } = await worker.ui('planBrc20Send', sendDraft())
    expect(review.items[0]?.brc20).toMatchObject({ checked: false, obstacles: [] })
  })
})

describe('a delivery', () => {
  it('is signed anew with a speed-up before the commit is mined, and only the later ones arrive', async () => {
    const started = await startHolding()
    const { world, worker } = started
    const { jobId, review: first } = await sendTokens(worker)
    const review = await bump(worker, jobId, 20)
    expect(review).toMatchObject({ purpose: 'bump', previousFee: first.totalFee })
    expect(Number(review.delivery?.fee)).toBe(Number(first.delivery?.fee) * 4)
    expect(world.chain.broadcasts).toHaveLength(6)
    world.chain.mine()
    const job = await wait(world, worker, jobId)
    expect(job).toMatchObject({ state: 'done', commit: { feeRate: 20 }, postage: '546' })
    const [delivery = '', ...others] = listDelivered(started)
    expect(others).toEqual([])
    expect(job.delivery?.txid).toBe(delivery)
    expect(outputsOf(readBroadcast(world, delivery))).toEqual([
      { address: RECIPIENT, sats: ARRIVES },
    ])
  })

  it('is signed anew with a speed-up of a reveal whose commit a block has', async () => {
    const started = await startHolding(60_000n, 60_000n)
    const { world, worker } = started
    const { jobId } = await sendTokens(worker)
    const [, reveal = ''] = world.chain.broadcasts
    // The reveal and its delivery leave the mempool, and come back once the commit is mined.
    world.chain.evict(reveal)
    world.chain.mine()
    await wait(world, worker, jobId)
    expect(world.chain.broadcasts).toHaveLength(5)
    const review = await bump(worker, jobId, 30)
    expect(review).toMatchObject({ purpose: 'bump', commit: null, delivery: { to: RECIPIENT } })
    expect(world.chain.broadcasts).toHaveLength(7)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'done',
      delivery: { state: 'confirmed' },
    })
    const [delivery = '', ...others] = listDelivered(started)
    expect(others).toEqual([])
    expect(delivery).toBe(world.chain.broadcasts[6])
    expect(outputsOf(readBroadcast(world, delivery))).toEqual([
      { address: RECIPIENT, sats: ARRIVES },
    ])
  })

  it('is void once the money is taken back', async () => {
    const started = await startHolding()
    const { world, worker } = started
    const { jobId } = await sendTokens(worker)
    const { can } = await wait(world, worker, jobId)
    await refund(worker, jobId, can.refund?.leastFeeRate ?? 0)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'refunded',
      locked: '0',
      delivery: { state: 'kept' },
    })
    expect(readChain(world).texts).toEqual([])
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    expect(entries.find(({ kind }) => kind === 'delivery')).toMatchObject({ status: 'replaced' })
  })

  it('stays here where a block has the reveal that was to be taken back', async () => {
    const started = await startHolding()
    const { world, worker } = started
    const { jobId } = await sendTokens(worker)
    const [, reveal = ''] = world.chain.broadcasts
    const raw = world.chain.get(reveal) ?? new Uint8Array()
    const { can } = await wait(world, worker, jobId)
    await refund(worker, jobId, can.refund?.leastFeeRate ?? 0)
    for (const txid of world.chain.broadcasts.slice(3)) world.chain.evict(txid)
    world.chain.add(raw)
    world.chain.mine()
    await wait(world, worker, jobId)
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'done',
      delivery: { state: 'kept' },
    })
    expect(listDelivered(started)).toEqual([])
    const coin = await findCoin(worker, `${reveal}:0`)
    expect(coin?.held).not.toBe('reserved')
  })

  it('that a block undoes is handed over again with what it needs', async () => {
    const started = await startHolding()
    const { world, worker } = started
    const { jobId } = await sendTokens(worker)
    const delivery = world.chain.broadcasts[2] ?? ''
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done' })
    world.chain.reorg()
    world.chain.evict(delivery)
    expect(listDelivered(started)).toEqual([])
    expect((await wait(world, worker, jobId)).state).not.toBe('done')
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done' })
    expect(listDelivered(started)).toEqual([delivery])
  })

  it('that is refused for good leaves the transfer with the account, once the person says so', async () => {
    const started = await startHolding()
    const { world, worker, gate } = started
    const plan = await worker.ui('planBrc20Send', sendDraft())
    let sent = 0
    gate.refuse = () => (++sent > 2 ? 'dust' : null)
    const { jobId } = await confirm(worker, plan)
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'stuck',
      problem: { kind: 'refused', detail: 'dust' },
      delivery: { state: 'refused' },
      can: { discard: false },
    })
    world.chain.mine()
    const stuck = await wait(world, worker, jobId)
    expect(stuck).toMatchObject({
      state: 'stuck',
      can: { resume: true, discard: true, bump: null, refund: null },
    })
    const reveal = readChain(world).revealOf(TRANSFER)
    expect(await findCoin(worker, `${reveal}:0`)).toMatchObject({ held: 'reserved' })
    await worker.ui('discardJob', { jobId })
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'done',
      problem: null,
      delivery: { state: 'kept' },
      can: { resume: false, discard: false },
    })
    gate.refuse = () => null
    await wait(world, worker, jobId)
    expect(listDelivered(started)).toEqual([])
    expect((await findCoin(worker, `${reveal}:0`))?.held).not.toBe('reserved')
    await expect(payFromPopup(worker)).resolves.toBeDefined()
    expect(listDelivered(started)).toEqual([])
  })

  it('that was refused arrives once the network takes it', async () => {
    const started = await startHolding()
    const { world, worker, gate } = started
    const plan = await worker.ui('planBrc20Send', sendDraft())
    let sent = 0
    gate.refuse = () => (++sent > 2 ? 'mempool full' : null)
    const { jobId } = await confirm(worker, plan)
    world.chain.mine()
    gate.refuse = () => null
    await wait(world, worker, jobId)
    expect(listDelivered(started)).toHaveLength(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
  })

  it('cannot be kept back once the network has it', async () => {
    const { world, worker } = await startHolding()
    const { jobId } = await sendTokens(worker)
    world.chain.mine()
    await expect(worker.ui('discardJob', { jobId })).rejects.toMatchObject({
      data: { reason: 'BUMP_IMPOSSIBLE' },
    })
  })
})

describe('a signer that went wrong', () => {
  it.each([
    [
      'delivers to somebody else',
      { scriptPubKey: parseAddress(SECOND_RECIPIENT, 'regtest').scriptPubKey },
    ],
    ['keeps sats of the receiver for the fee', { amount: 500n, fee: 596n }],
  ])('and %s is found out: nothing is stored, nothing is sent', async (_, changes) => {
    const { world, worker } = await startHolding()
    const plan = await worker.ui('planBrc20Send', sendDraft())
    const { signer } = worker.wallet
    const { signInscribing } = signer
    signer.signInscribing = params => {
      const { inscribing } = params
      const { delivery } = inscribing
      if (!delivery) throw new Error('No delivery')
      const held = delivery.amount + delivery.fee
      const other = { ...delivery, ...changes }
      const fee = held - other.amount
      return signInscribing({
        ...params,
        inscribing: { ...inscribing, delivery: { ...other, fee } },
      })
    }
    await expect(confirm(worker, plan)).rejects.toMatchObject({ code: -32603 })
    expect(await worker.wallet.jobs.list()).toEqual([])
    expect(world.chain.broadcasts).toEqual([])
  })
})
