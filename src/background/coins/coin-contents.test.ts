import { describe, expect, it } from 'vitest'
import { planPayment } from '../payments/payment-plan.ts'
import { inHurry } from '../testing/fast-timers.ts'
import {
  draft,
  findCoin,
  payFromPopup,
  RECIPIENT,
  startFunded,
  startWithCoin,
} from '../testing/funded-wallet.ts'
import { fund, startWorker } from '../testing/test-wallet.ts'
import type { BumpKind } from '../views/payment-views.ts'

const MINUTE = 60_000
const CLEAN = { known: true, assets: [] } as const

describe('while the index does not answer', () => {
  it('coins that it once called clean are spent, and others are not', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    await worker.ui('getCoins', null)
    world.assets.faults.unreachable = true
    world.clock.now += 5 * MINUTE
    const late = fund(world, account.address, 90_000n)
    const { review, outcome } = await payFromPopup(worker)
    expect([outcome, review.warnings]).toEqual(['sent', []])
    expect(await findCoin(worker, `${late}:0`)).toMatchObject({
      held: 'unknown',
      unchecked: 'unanswered',
    })
  })

  it('another worker knows them still, and a browser that was closed does not', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    await worker.ui('getCoins', null)
    world.assets.faults.rateLimited = true
    expect(await findCoin(startWorker(world), outpoint)).toMatchObject({ held: null })
    await world.session.remove('coinAnswers')
    expect(await findCoin(startWorker(world), outpoint)).toMatchObject({ held: 'unknown' })
  })

  it('the change of payments is spent, in a block or not, and they can be replaced without a warning', async () => {
    const { world, worker } = await startFunded(100_000n)
    const { txid } = await payFromPopup(worker)
    world.assets.faults.unreachable = true
    await world.session.remove('coinAnswers')
    const later = startWorker(world)
    expect(await findCoin(later, `${txid}:1`)).toMatchObject({ held: null, unchecked: null })
    const bump = { txid, kind: 'speed-up' as BumpKind, feeRate: 12 }
    expect((await later.ui('planBump', bump)).review.warnings).toEqual([])
    world.chain.mine()
    expect(await findCoin(later, `${txid}:1`)).toMatchObject({ held: null, unchecked: null })
    expect((await payFromPopup(later)).outcome).toBe('sent')
  })
})

describe('an index that contradicts', () => {
  it('what it said before is not believed, in another session either', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    world.assets.lie(outpoint, {
      known: true,
      assets: [{ kind: 'inscription', id: `${'a'.repeat(64)}i0`, offset: null }],
    })
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: 'inscribed' })
    world.assets.lie(outpoint, CLEAN)
    await world.session.remove('coinAnswers')
    expect(await findCoin(startWorker(world), outpoint)).toMatchObject({
      held: 'unknown',
      unchecked: 'contradicted',
    })
  })

  it('is believed again once the person drops what was said before; what the chain shows still counts', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    const id = `${'a'.repeat(64)}i0`
    world.assets.lie(outpoint, {
      known: true,
      assets: [{ kind: 'inscription', id, offset: null }],
    })
    await findCoin(worker, outpoint)
    world.assets.lie(outpoint, CLEAN)
    world.clock.now += 5 * MINUTE
    expect(await findCoin(worker, outpoint)).toMatchObject({ unchecked: 'contradicted' })
    await worker.ui('forgetSeenAssets', null)
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: null, unchecked: null })

    world.assets.lie(outpoint, 'forget')
    world.assets.inscribe(outpoint, { body: 'really there' })
    world.assets.lie(outpoint, CLEAN)
    await expect(payFromPopup(worker)).rejects.toMatchObject({
      data: { reason: 'COINS_HELD', unknownWhy: 'contradicted' },
    })
  })

  it('is believed at once when it takes its lie back, however deep the coin is', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    for (let block = 0; block < 10; block++) world.chain.mine()
    world.assets.inscribe(outpoint)
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: 'inscribed' })
    world.assets.lie(outpoint, CLEAN)
    await world.session.remove('coinAnswers')
    const later = startWorker(world)
    expect(await findCoin(later, outpoint)).toMatchObject({ unchecked: 'contradicted' })
    world.assets.lie(outpoint, 'forget')
    expect(await findCoin(later, outpoint)).toMatchObject({ held: 'inscribed', unchecked: null })
    expect(await findCoin(startWorker(world), outpoint)).toMatchObject({ held: 'inscribed' })
  })

  it('what the coin’s own transaction shows is found out before anything is shown, and the next coin taken', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    const other = fund(
      world,
      (await worker.ui('getState', null)).accounts[0]?.address ?? '',
      60_000n,
    )
    world.assets.inscribe(outpoint, { body: 'hello' })
    world.assets.lie(outpoint, CLEAN)
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: null })
    const recipients = [{ to: RECIPIENT, sats: 'max' as const }]
    const { review } = await payFromPopup(worker, { recipients })
    expect(review.inputs.map(input => input.outpoint)).toEqual([`${other}:0`])
    expect(await findCoin(worker, outpoint)).toMatchObject({
      held: 'unknown',
      unchecked: 'contradicted',
    })
    await expect(worker.ui('planPayment', draft({ coins: [outpoint] }))).rejects.toMatchObject({
      data: { reason: 'COINS_HELD', heldUnknown: '100000', unknownWhy: 'contradicted' },
    })
  })

  it('what this wallet traced to its own output is not believed', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    const id = world.assets.inscribe(outpoint, { offset: 0n })
    const shown = { assets: [{ kind: 'inscription' as const, id, number: 1 }], unchecked: null }
    await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked', shown })
    const { address } = (await worker.ui('getState', null)).accounts[0] ?? { address: '' }
    const { txid, review } = await payFromPopup(worker, {
      recipients: [{ to: address, sats: '20000' }],
    })
    expect(review.assets).toMatchObject([{ to: 'own', output: 0, offset: '0' }])
    expect(await findCoin(worker, `${txid}:0`)).toMatchObject({ held: 'inscribed' })
    expect(await findCoin(worker, `${txid}:1`)).toMatchObject({ held: null })
    world.chain.mine()
    world.assets.lie(`${txid}:0`, CLEAN)
    expect(await findCoin(worker, `${txid}:0`)).toMatchObject({ unchecked: 'contradicted' })
  })
})

describe('an unlocked coin', () => {
  it('of unknown content is named, and its change stays unknown until a block has it', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    world.assets.faults.lagBlocks = 1
    await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked' })
    const { review, txid } = await payFromPopup(worker)
    expect(review.warnings).toEqual([{ kind: 'unchecked-coins', inputs: [0], why: 'behind' }])
    expect(await findCoin(worker, `${txid}:1`)).toMatchObject({ unchecked: 'unconfirmed' })
    expect((await findCoin(worker, `${txid}:1`))?.held).not.toBeNull()
    world.chain.mine()
    world.assets.faults.lagBlocks = 0
    expect(await findCoin(worker, `${txid}:1`)).toMatchObject({ held: null })
  })

  it('is held again once something becomes known that was not shown', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    world.assets.faults.unreachable = true
    await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked' })
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: null })
    delete world.assets.faults.unreachable
    world.assets.etch(outpoint, { name: 'SATCHEL•RUNE' })
    const found = await findCoin(worker, outpoint)
    expect(found).toMatchObject({ held: 'runic', choice: 'unlocked' })
    if (found) await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked', shown: found })
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: null })
    world.assets.inscribe(outpoint)
    world.clock.now += MINUTE
    expect(await findCoin(worker, outpoint)).toMatchObject({
      held: 'inscribed',
      choice: 'unlocked',
    })
  })

  it('of an earlier version of the wallet was unlocked without a word on its content', async () => {
    const { world, worker, account, outpoint } = await startWithCoin(546n)
    const entry = { accountId: account.id, choice: 'unlocked', goneSince: null }
    await world.local.set({ coinChoices: { regtest: { [outpoint]: entry } } })
    world.assets.faults.unreachable = true
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: null })
    delete world.assets.faults.unreachable
    world.assets.inscribe(outpoint)
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: 'inscribed' })
  })

  it('shows where what it carries lands, in a fee too', async () => {
    const { world, worker, outpoint } = await startWithCoin(30_000n)
    const id = world.assets.inscribe(outpoint, { offset: 29_990n, number: 5 })
    const inscription = { kind: 'inscription' as const, id, number: 5 }
    const shown = { assets: [inscription], unchecked: null }
    await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked', shown })
    const recipients = [{ to: RECIPIENT, sats: 'max' as const }]
    const { review } = await payFromPopup(worker, { recipients })
    expect(review.assets).toEqual([expect.objectContaining({ asset: inscription, to: 'fee' })])
  })
})

describe('the change of a payment', () => {
  it('of an earlier version, which looked at no coin, is spent once the index has looked at it', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    const { txid } = await payFromPopup(worker)
    const [record] = await worker.wallet.activity.listSent('regtest', account.id)
    if (!record) throw new Error('No record')
    const { carries: _, ...earlier } = record
    await worker.wallet.activity.record(earlier)
    expect(await findCoin(worker, `${txid}:1`)).toMatchObject({ unchecked: 'unconfirmed' })
    world.chain.mine()
    expect(await findCoin(worker, `${txid}:1`)).toMatchObject({ held: null, unchecked: null })
  })
})

describe('what was seen on coins', () => {
  it('is not noted when the answer comes after the account or the wallet is gone', async () => {
    for (const end of ['removeAccount', 'resetWallet'] as const) {
      const { world, worker, account, outpoint } = await startWithCoin(546n)
      world.assets.inscribe(outpoint)
      const { fetchAssets } = world.assets.source
      let tell = () => {}
      const late = new Promise<void>(resolve => {
        tell = resolve
      })
      world.assets.source.fetchAssets = async coins => {
        await late
        return fetchAssets(coins)
      }
      const looking = worker.ui('getCoins', null).catch(() => {})
      await new Promise(resolve => setTimeout(resolve, 5))
      if (end === 'removeAccount') await worker.ui(end, { accountId: account.id })
      else await worker.ui(end, { confirmation: 'erase' })
      tell()
      await looking
      expect(JSON.stringify(await world.local.get('seenAssets')) ?? '').not.toContain(outpoint)
      if (end === 'resetWallet') expect(await world.session.get('coinAnswers')).toBeUndefined()
    }
  })

  it('is forgotten with their account', async () => {
    const { world, worker, account, outpoint } = await startWithCoin(546n)
    world.assets.inscribe(outpoint)
    await worker.ui('getCoins', null)
    expect(JSON.stringify(await world.local.get('seenAssets'))).toContain(outpoint)
    await worker.ui('removeAccount', { accountId: account.id })
    expect(JSON.stringify(await world.local.get('seenAssets'))).not.toContain(outpoint)
  })
})

describe('a payment of many coins', () => {
  it('looks at a hundred of their transactions at most, and at each once', async () => {
    const { world, worker, account } = await startFunded()
    for (let made = 0; made < 120; made++) fund(world, account.address, 20_000n)
    const { fetchTransaction } = world.chain.chain
    let asked = 0
    const chain = {
      ...world.chain.chain,
      fetchTransaction(txid: string) {
        asked++
        return fetchTransaction(txid)
      },
    }
    const wallet = { ...worker.wallet, chain: async () => chain }
    const order = {
      recipients: [{ to: RECIPIENT, amount: 'max' as const, fields: { to: 'to', amount: 'sats' } }],
      ...{ memo: null, feeRate: 2, coins: null, seed: 'x' },
    }
    const { spends } = await planPayment({ wallet, network: 'regtest', account }, order)
    expect([spends.length, asked]).toEqual([120, 100])
    await planPayment({ wallet, network: 'regtest', account }, order)
    expect(asked).toBe(120)
  })

  it('waits for no chain server that hands them out too slowly', async () => {
    const { world, worker } = await startWithCoin(100_000n)
    world.chain.chain.fetchTransaction = () => new Promise(() => {})
    const { review } = await inHurry(() => worker.ui('planPayment', draft()))
    expect(review.inputs).toHaveLength(1)
  })
})
