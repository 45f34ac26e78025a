import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import { buildTransaction } from '../activity/testing/activity-world.ts'
import {
  dieAfter,
  draft,
  inputsOf,
  outputsOf,
  payFromPopup,
  payFromSite,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
  startFunded,
  THIRD_RECIPIENT,
} from '../testing/funded-wallet.ts'
import {
  decideNext,
  fund,
  nextApproval,
  startUnlocked,
  startWorker,
} from '../testing/test-wallet.ts'

const OUTDATED = { code: -32000, data: { reason: 'PLAN_OUTDATED' } }

describe('a payment of the popup', () => {
  it('is what was shown: several recipients in their order, memo, exact fee, note', async () => {
    const { world, worker, account } = await startFunded(100_000n, 50_000n)
    const recipients = [RECIPIENT, SECOND_RECIPIENT, THIRD_RECIPIENT].map((to, index) => ({
      to,
      sats: String(1_000 * (index + 1)),
    }))
    await worker.ui('saveContact', { id: null, name: 'Ann', address: SECOND_RECIPIENT })
    const { txid, review, outcome } = await payFromPopup(worker, {
      ...{ recipients, memo: { text: 'thanks', position: 0 }, feeRate: 2.345, label: 'gifts' },
    })
    const sent = readBroadcast(world, txid)
    const change = outputsOf(sent).at(-1)
    expect(outcome).toBe('sent')
    expect(outputsOf(sent).slice(0, -1)).toEqual([
      { address: null, sats: 0n },
      ...recipients.map(({ to, sats }) => ({ address: to, sats: BigInt(sats) })),
    ])
    expect(change?.address).toBe(account.address)
    expect(review.fee).toBe(String(Math.ceil(sent.vsize * 2.345)))
    expect(review).toMatchObject({
      ...{ purpose: 'send', previous: null, memo: 'thanks', sats: '6000' },
      recipients: [{ name: null }, { address: SECOND_RECIPIENT, name: 'Ann' }, { name: null }],
    })
    const { entry } = await worker.ui('getActivityDetails', { txid })
    expect(entry).toMatchObject({
      ...{ kind: 'sent', label: 'gifts', origin: null, counterparty: RECIPIENT, fee: review.fee },
      net: String(-6000n - BigInt(review.fee)),
    })
    const coins = await worker.ui('getCoins', null)
    const spendable = coins.filter(({ held }) => held === null)
    expect(String(spendable.reduce((sum, { sats }) => sum + BigInt(sats), 0n))).toBe(
      review.balanceAfter,
    )
  })

  it('shows a memo whole, a byte order mark at its start too', async () => {
    const { worker } = await startFunded(100_000n)
    const text = '\ufeffthanks'
    const { review } = await worker.ui('planPayment', draft({ memo: { text, position: 0 } }))
    expect(review.memo).toBe(text)
  })

  it('of all leaves nothing behind', async () => {
    const { world, worker } = await startFunded(100_000n, 50_000n)
    const { txid, review } = await payFromPopup(worker, {
      recipients: [{ to: RECIPIENT, sats: 'max' }],
    })
    expect(outputsOf(readBroadcast(world, txid))).toEqual([
      { address: RECIPIENT, sats: 150_000n - BigInt(review.fee) },
    ])
    expect(review).toMatchObject({ balanceAfter: '0' })
  })

  it('spends exactly the coins that the person chose, and none that is held or gone', async () => {
    const { world, worker, txids } = await startFunded(100_000n, 50_000n, 40_000n, 546n)
    world.assets.inscribe(`${txids[3]}:0`)
    const coins = [`${txids[1]}:0`, `${txids[2]}:0`]
    const { txid } = await payFromPopup(worker, { coins })
    expect(inputsOf(readBroadcast(world, txid)).sort()).toEqual([...coins].sort())
    await expect(
      worker.ui('planPayment', draft({ coins: [`${txids[3]}:0`] })),
    ).rejects.toMatchObject({ data: { reason: 'COINS_HELD', heldInscribed: '546' } })
    await expect(
      worker.ui('planPayment', draft({ coins: [`${'0'.repeat(64)}:0`] })),
    ).rejects.toMatchObject({ code: -32602 })
  })

  it('that is only worked out reserves nothing', async () => {
    const { worker } = await startFunded(100_000n)
    await worker.ui('planPayment', draft())
    expect(await worker.ui('getCoins', null)).toMatchObject([{ held: null }])
  })

  it('with a fee rate of its own needs no fee server', async () => {
    const { world, worker } = await startFunded(100_000n)
    world.chain.chain.fetchFeeRates = async () => {
      throw new Error('down')
    }
    expect(await payFromPopup(worker)).toMatchObject({ outcome: 'sent' })
  })

  it('whose answer is lost says so, and is the same transaction when confirmed again', async () => {
    const { world, worker } = await startFunded(100_000n)
    world.chain.faults.loseAnswers = true
    const { planId, digest, txid, outcome } = await payFromPopup(worker)
    expect(outcome).toBe('unknown')
    delete world.chain.faults.loseAnswers
    expect(await worker.ui('confirmPayment', { planId, digest })).toEqual({ txid, outcome: 'sent' })
    expect(new Set(world.chain.broadcasts)).toEqual(new Set([txid]))
  })

  it('that a site pushes once more stays what it is', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    const { txid } = await payFromPopup(worker)
    const pushed = page.call('pushTx', toHex(world.chain.get(txid) ?? new Uint8Array()))
    await decideNext(worker, 'approve', 'push-tx')
    expect(await pushed).toMatchObject({ result: txid })
    expect((await worker.ui('getActivityDetails', { txid })).entry).toMatchObject({
      ...{ kind: 'sent', status: 'pending', origin: null },
    })
    expect((await worker.ui('getBumpOptions', { txid })).cancel.why).toBeNull()
  })

  it.each([
    ['recipients', { recipients: [] }],
    ['recipients[0].to', { recipients: [{ to: 'nobody', sats: '20000' }] }],
    ['recipients[1].sats', { recipients: [draft().recipients[0], { to: RECIPIENT, sats: '293' }] }],
    ['recipients[0].sats', { recipients: [{ to: RECIPIENT, sats: '1e5' }] }],
    ['at most one', { recipients: [0, 1].map(() => ({ to: RECIPIENT, sats: 'max' })) }],
    ['memo', { memo: { text: 'x'.repeat(81), position: 0 } }],
    ['memo.position', { memo: { text: 'x', position: -1 } }],
    ['feeRate', { feeRate: 0 }],
    ['coins', { coins: ['coin'] }],
    ['coins', { coins: [] }],
    ['label', { label: 'two\nlines' }],
  ])('names what is wrong: %s', async (field, changes) => {
    const { worker } = await startFunded(100_000n)
    await expect(worker.ui('planPayment', draft(changes as object))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(field),
    })
  })
})

describe('a plan', () => {
  it('confirmed twice at once, and again, is one transaction', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    const { planId, digest } = await worker.ui('planPayment', draft())
    const confirm = () => worker.ui('confirmPayment', { planId, digest })
    const answers = await Promise.all([confirm(), confirm(), confirm()])
    answers.push(await confirm())
    expect(new Set(answers.map(({ txid }) => txid))).toEqual(new Set(world.chain.broadcasts))
    expect(new Set(world.chain.broadcasts).size).toBe(1)
  })

  it('that was confirmed is the same transaction in another worker, even while that is locked', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    const { planId, digest, txid } = await payFromPopup(worker)
    const second = startWorker(world)
    await second.ui('lock', null)
    expect(await second.ui('confirmPayment', { planId, digest })).toMatchObject({ txid })
  })

  it('with another digest, or unknown, is not signed', async () => {
    const { world, worker } = await startFunded(100_000n)
    const { planId, digest } = await worker.ui('planPayment', draft())
    for (const params of [
      { planId, digest: digest.replace(/^./, one => (one === '0' ? '1' : '0')) },
      { planId: '0'.repeat(32), digest },
    ]) {
      await expect(worker.ui('confirmPayment', params)).rejects.toMatchObject(OUTDATED)
    }
    expect(world.chain.broadcasts).toEqual([])
  })

  it('whose coin another payment took has to be worked out anew', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    const { planId, digest } = await worker.ui('planPayment', draft())
    void page.call('sendBitcoin', RECIPIENT, 30_000)
    await nextApproval(worker, 'payment')
    await expect(worker.ui('confirmPayment', { planId, digest })).rejects.toMatchObject(OUTDATED)
    await decideNext(worker, 'approve', 'payment')
    await expect.poll(() => world.chain.broadcasts).toHaveLength(1)
    await expect(worker.ui('confirmPayment', { planId, digest })).rejects.toMatchObject(OUTDATED)
    expect(await payFromPopup(worker)).toMatchObject({ outcome: 'sent' })
  })

  it('whose coin was locked, or whose account, network or lock changed, is not signed', async () => {
    const { world, worker, account, txids } = await startFunded(100_000n)
    const { planId, digest } = await worker.ui('planPayment', draft())
    const confirm = () => worker.ui('confirmPayment', { planId, digest })
    const outpoint = `${txids[0]}:0`
    await worker.ui('setCoinChoice', { outpoint, choice: 'locked' })
    await expect(confirm()).rejects.toMatchObject(OUTDATED)
    await worker.ui('setCoinChoice', { outpoint, choice: null })
    const { accounts } = await worker.ui('getState', null)
    const other = accounts.find(({ id }) => id !== account.id)?.id ?? ''
    await worker.ui('selectAccount', { accountId: other })
    await expect(confirm()).rejects.toMatchObject(OUTDATED)
    await worker.ui('selectAccount', { accountId: account.id })
    await worker.ui('selectNetwork', { network: 'signet' })
    await expect(confirm()).rejects.toMatchObject(OUTDATED)
    await worker.ui('selectNetwork', { network: 'regtest' })
    await worker.ui('lock', null)
    await expect(confirm()).rejects.toMatchObject({ code: 4100 })
    expect(world.chain.broadcasts).toEqual([])
  })

  /** Every write to storage that a confirmation makes, as a moment to die before. */
  const moments = Array.from({ length: 7 }, (_, index) => index)

  it.each(moments)(
    'in a worker that dies before write %i is one transaction in the next',
    async moment => {
      const { world, worker } = await startFunded(100_000n, 100_000n)
      const { planId, digest } = await worker.ui('planPayment', draft({ label: 'rent' }))
      const doomed = dieAfter(world, moment)
      void startWorker(doomed).ui('confirmPayment', { planId, digest })
      await new Promise(resolve => setTimeout(resolve, 150))
      // With the last moment none is left out.
      if (moment === moments.length - 1) expect(doomed.writes()).toBeLessThan(moment)
      const second = startWorker(world)
      const { txid } = await second.ui('confirmPayment', { planId, digest })
      expect(new Set(world.chain.broadcasts)).toEqual(new Set([txid]))
      expect((await second.ui('getActivityDetails', { txid })).entry).toMatchObject({
        label: 'rent',
      })
      const again = await payFromPopup(second)
      const spent = [txid, again.txid].flatMap(one => inputsOf(readBroadcast(world, one)))
      expect(new Set(spent).size).toBe(spent.length)
    },
  )
})

describe('after a payment that the network refused', () => {
  it('the next one spends a coin of it again, whoever asks', async () => {
    for (const next of ['popup', 'site']) {
      const { world, worker, page } = await startFunded(60_000n, 60_000n, 60_000n, 60_000n)
      world.chain.faults.refuse = 'mempool full'
      const { planId, digest, review } = await worker.ui('planPayment', draft({ feeRate: 20 }))
      await expect(worker.ui('confirmPayment', { planId, digest })).rejects.toMatchObject({
        data: { reason: 'BROADCAST_REJECTED', node: 'mempool full' },
      })
      delete world.chain.faults.refuse
      const { txid } =
        next === 'popup'
          ? await payFromPopup(worker, { recipients: [{ to: SECOND_RECIPIENT, sats: '30000' }] })
          : await payFromSite(worker, page, 30_000)
      const refused = review.inputs.map(({ outpoint }) => outpoint)
      expect(inputsOf(readBroadcast(world, txid)).some(one => refused.includes(one))).toBe(true)
    }
  })

  it('the next one does so also when the person chose other coins, and says it', async () => {
    const { world, worker, txids } = await startFunded(60_000n, 60_000n, 60_000n)
    const [first = '', second = '', third = ''] = txids.map(txid => `${txid}:0`)
    world.chain.faults.refuse = 'mempool full'
    await expect(payFromPopup(worker, { coins: [first, second] })).rejects.toMatchObject({
      data: { reason: 'BROADCAST_REJECTED' },
    })
    delete world.chain.faults.refuse
    const apart = await worker.ui('planPayment', draft({ coins: [third] }))
    const shown = apart.review.inputs.map(({ outpoint }) => outpoint)
    expect(shown).toHaveLength(2)
    expect(shown.filter(one => one === first || one === second)).toHaveLength(1)
    const touching = await worker.ui('planPayment', draft({ coins: [second] }))
    expect(touching.review.inputs).toMatchObject([{ outpoint: second }])
  })

  it('or that somebody else’s took the place of, the next one spends what is left of it', async () => {
    const { world, worker, account, txids } = await startFunded(60_000n, 60_000n, 60_000n)
    const [first = '', second = '', third = ''] = txids.map(txid => `${txid}:0`)
    await payFromPopup(worker, { coins: [first, second] })
    const conflicting = buildTransaction(
      [parseOutpoint(first)],
      [{ address: RECIPIENT, sats: 1_000n }],
    )
    world.chain.receive(fromHex(conflicting))
    await worker.wallet.activity.refresh(world.chain.chain, account)
    const [sent] = await worker.wallet.activity.listSent('regtest', account.id)
    expect(sent).toMatchObject({ status: 'replaced' })
    const { review } = await worker.ui('planPayment', draft({ coins: [third] }))
    expect(review.inputs.map(({ outpoint }) => outpoint).sort()).toEqual([second, third].sort())
  })

  it('a plan that was made before and shares no coin with it has to be worked out anew', async () => {
    const { world, worker, txids } = await startFunded(60_000n, 60_000n)
    const [first, second] = txids.map(txid => [`${txid}:0`])
    const kept = await worker.ui('planPayment', draft({ coins: first ?? [] }))
    world.clock.now += 1
    world.chain.faults.refuse = 'mempool full'
    await expect(payFromPopup(worker, { coins: second ?? [] })).rejects.toMatchObject({
      data: { reason: 'BROADCAST_REJECTED' },
    })
    delete world.chain.faults.refuse
    const { planId, digest } = kept
    await expect(worker.ui('confirmPayment', { planId, digest })).rejects.toMatchObject(OUTDATED)
    world.clock.now += 1
    const { txid } = await payFromPopup(worker)
    expect(inputsOf(readBroadcast(world, txid))).toEqual(second)
  })

  it('the same plan can be tried again, unless its coins went elsewhere meanwhile', async () => {
    const { world, worker } = await startFunded(60_000n)
    world.chain.faults.refuse = 'mempool full'
    const { planId, digest } = await worker.ui('planPayment', draft())
    const confirm = () => worker.ui('confirmPayment', { planId, digest })
    await expect(confirm()).rejects.toMatchObject({ data: { reason: 'BROADCAST_REJECTED' } })
    await expect(confirm()).rejects.toMatchObject({ data: { reason: 'BROADCAST_REJECTED' } })
    delete world.chain.faults.refuse
    const { txid } = await payFromPopup(worker, { feeRate: 1 })
    await expect(confirm()).rejects.toMatchObject({ data: { reason: 'BROADCAST_REJECTED' } })
    expect(world.chain.broadcasts).toEqual([txid])
  })
})

describe('signing', () => {
  it('of coins that are not taproot is refused when the server lies about an amount', async () => {
    const { world, worker } = await startFunded()
    const { accounts } = await worker.ui('getState', null)
    const legacy = accounts.find(({ addressType }) => addressType === 'p2wpkh')
    await worker.ui('selectAccount', { accountId: legacy?.id ?? '' })
    const txid = fund(world, legacy?.address ?? '', 100_000n)
    world.assets.lie(`${txid}:0`, { known: true, assets: [] })
    const { fetchUtxos } = world.chain.chain
    world.chain.chain.fetchUtxos = async (...asked) =>
      (await fetchUtxos(...asked)).map(utxo => ({ ...utxo, amount: utxo.amount - 50_000n }))
    await expect(payFromPopup(worker)).rejects.toMatchObject({
      data: { reason: 'UNVERIFIED_INPUT' },
    })
    world.chain.chain.fetchUtxos = fetchUtxos
    expect(await payFromPopup(worker)).toMatchObject({ outcome: 'sent' })
  })

  it('needs the wallet to be open', async () => {
    const worker = await startUnlocked()
    await worker.ui('lock', null)
    await expect(worker.ui('planPayment', draft())).rejects.toMatchObject({ code: 4100 })
  })
})
