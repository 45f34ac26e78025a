import { describe, expect, it } from 'vitest'
import { startWithAtomicals } from '../testing/atomical-wallet.ts'
import {
  inputsOf,
  outputsOf,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
  SITE,
  startFunded,
} from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import { decideNext, nextApproval, openPage, PASSWORD } from '../testing/test-wallet.ts'
import { ask, askResult, readResult } from './testing/sats-connect-site.ts'

type Sent = { txid: string }
type Listed = {
  total: number
  limit: number
  offset: number
  inscriptions: { inscriptionId: string }[]
}

const ONE = { sats: 546n, with: [{}] }

describe('sendTransfer', () => {
  it('pays several in one transaction, with one question', async () => {
    const { world, worker, account, page } = await startFunded(100_000n)
    const recipients = [
      { address: RECIPIENT, amount: 20_000 },
      { address: SECOND_RECIPIENT, amount: '1234' },
    ]
    const answer = ask(page, 'sendTransfer', { recipients })
    const { review } = await decideNext(worker, 'approve', 'payment')
    expect(review).toMatchObject({
      recipients: [
        { address: RECIPIENT, sats: '20000' },
        { address: SECOND_RECIPIENT, sats: '1234' },
      ],
    })
    const { txid } = readResult<Sent>('sendTransfer', await answer)
    expect(world.chain.broadcasts).toEqual([txid])
    const [first, second, change] = outputsOf(readBroadcast(world, txid))
    expect([first, second]).toEqual([
      { address: RECIPIENT, sats: 20_000n },
      { address: SECOND_RECIPIENT, sats: 1_234n },
    ])
    expect(change?.address).toBe(account.address)
  })

  it('sends nothing where the person says no', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    const recipients = [{ address: RECIPIENT, amount: 20_000 }]
    const answer = ask(page, 'sendTransfer', { recipients })
    await decideNext(worker, 'reject', 'payment')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('tells a shortage as a failure with its reason', async () => {
    const { page } = await startFunded(10_000n)
    const recipients = [{ address: RECIPIENT, amount: 20_000 }]
    expect(await ask(page, 'sendTransfer', { recipients })).toMatchObject({
      error: { code: -32000, data: { reason: 'INSUFFICIENT_FUNDS' } },
    })
  })
})

describe('ord_getInscriptions', () => {
  it('gives pages of them, with text where sats-connect has text', async () => {
    const { account, page, ids, outpoints } = await startInscribed([ONE, { ...ONE, sats: 700n }])
    const first = await askResult<Listed>(page, 'ord_getInscriptions', { offset: 0, limit: 1 })
    const second = await askResult<Listed>(page, 'ord_getInscriptions', { offset: 1, limit: 60 })
    expect([first.total, first.limit, first.offset]).toEqual([2, 1, 0])
    expect([second.total, second.limit, second.offset]).toEqual([2, 60, 1])
    const all = [...first.inscriptions, ...second.inscriptions]
    expect(all.map(({ inscriptionId }) => inscriptionId).sort()).toEqual([...ids].sort())
    const at = all.findIndex(({ inscriptionId }) => inscriptionId === ids[1])
    expect(all[at]).toMatchObject({
      ...{ address: account.address, output: outpoints[1], postage: '700', offset: 0 },
      ...{ genesisTransaction: ids[1]?.slice(0, 64), contentLength: '10' },
    })
  })

  it('leaves out what is no inscription', async () => {
    const inscribed = [{ body: 'a' }]
    const nft = { sats: 600n, with: [{ number: 7 }] }
    const mixed = await startWithAtomicals([{ sats: 546n, with: [], inscribed }, nft])
    const range = { offset: 0, limit: 60 }
    const listed = await askResult<Listed>(mixed.page, 'ord_getInscriptions', range)
    expect(listed).toMatchObject({ total: 1, inscriptions: [{ postage: '546' }] })
    const { page } = await startWithAtomicals([nft])
    const none = await askResult<Listed>(page, 'ord_getInscriptions', range)
    expect(none).toMatchObject({ total: 0, inscriptions: [] })
  })

  it('gives no longer pages than there are, and says so', async () => {
    const { page } = await startInscribed([ONE])
    const listed = await askResult<Listed>(page, 'ord_getInscriptions', { offset: 0, limit: 5000 })
    expect(listed).toMatchObject({ total: 1, limit: 100 })
  })
})

describe('ord_sendInscriptions', () => {
  it.each([1, 2])('sends each of %i to its own address in one transaction', async count => {
    const started = await startInscribed([ONE, { ...ONE, sats: 700n }])
    const { world, worker, page, ids, outpoints } = started
    const transfers = [RECIPIENT, SECOND_RECIPIENT]
      .map((address, at) => ({ address, inscriptionId: ids[at] }))
      .slice(0, count)
    const answer = ask(page, 'ord_sendInscriptions', { transfers })
    await decideNext(worker, 'approve', 'payment')
    const { txid } = readResult<Sent>('ord_sendInscriptions', await answer)
    expect(world.chain.broadcasts).toEqual([txid])
    const sent = readBroadcast(world, txid)
    expect(inputsOf(sent).slice(0, count)).toEqual(outpoints.slice(0, count))
    for (const [at, { address, inscriptionId }] of transfers.entries()) {
      expect(outputsOf(sent)[at]?.address).toBe(address)
      expect(world.assets.truth(`${txid}:${at}`)).toMatchObject([{ id: inscriptionId }])
    }
  })

  it.each([1, 2])('of a locked wallet asks to unlock it and goes on with %i', async count => {
    const { world, worker, page, ids } = await startInscribed([ONE, ONE])
    await worker.ui('lock', null)
    const transfers = ids
      .slice(0, count)
      .map(inscriptionId => ({ address: RECIPIENT, inscriptionId }))
    const answer = ask(page, 'ord_sendInscriptions', { transfers })
    expect((await nextApproval(worker, 'unlock')).review).toMatchObject({
      method: count === 1 ? 'sendInscription' : 'transferNft',
    })
    await worker.ui('unlock', { password: PASSWORD })
    await decideNext(worker, 'approve', 'payment')
    const { txid } = readResult<Sent>('ord_sendInscriptions', await answer)
    expect(world.assets.truth(`${txid}:0`)).toMatchObject([{ id: ids[0] }])
  })

  it('refuses a page that is not connected, and asks nobody', async () => {
    const { world, worker, ids } = await startInscribed([ONE, ONE])
    const { shown } = world.window
    const page = openPage(worker, `${SITE}.other`)
    for (const count of [1, 2]) {
      const transfers = ids
        .map(inscriptionId => ({ address: RECIPIENT, inscriptionId }))
        .slice(0, count)
      expect(await ask(page, 'ord_sendInscriptions', { transfers })).toMatchObject({
        error: { code: 4100 },
      })
    }
    expect(world.window.shown).toBe(shown)
  })
})

describe('runes_getBalance and runes_transfer', () => {
  const GOLD = 'GOLD•OF•TESTS'
  const SILVER = 'SILVER•OF•TESTS'

  async function startWithRunes() {
    const started = await startFunded(90_000n, 80_000n, 546n, 546n)
    const { world, txids } = started
    const gold = { name: GOLD, rune: '90:1', divisibility: 2, symbol: '¢', amount: 60_000n }
    world.assets.etch(`${txids[2]}:0`, gold)
    world.assets.etch(`${txids[3]}:0`, { name: SILVER, rune: '90:2', amount: 9n })
    return { ...started, silver: `${txids[3]}:0` }
  }

  it('tell each rune in its smallest unit, and what can be sent of it', async () => {
    const { worker, page, silver } = await startWithRunes()
    await worker.ui('setCoinChoice', { outpoint: silver, choice: 'locked' })
    expect(await askResult(page, 'runes_getBalance')).toEqual({
      balances: [
        {
          ...{ runeName: GOLD, amount: '60000', divisibility: 2, symbol: '¢' },
          ...{ inscriptionId: null, spendableBalance: '60000' },
        },
        {
          ...{ runeName: SILVER, amount: '9', divisibility: 0, symbol: '¤' },
          ...{ inscriptionId: null, spendableBalance: '0' },
        },
      ],
    })
  })

  it('send so many smallest units of several to several, with one question', async () => {
    const { world, worker, page } = await startWithRunes()
    const recipients = [
      { runeName: GOLD, amount: '1250', address: RECIPIENT },
      { runeName: 'SILVEROFTESTS', amount: '9', address: SECOND_RECIPIENT },
    ]
    const answer = ask(page, 'runes_transfer', { recipients })
    await decideNext(worker, 'approve', 'payment')
    const { txid } = readResult<Sent>('runes_transfer', await answer)
    expect(world.chain.broadcasts).toEqual([txid])
    const landed = outputsOf(readBroadcast(world, txid)).flatMap(({ address }, vout) =>
      world.assets
        .truth(`${txid}:${vout}`)
        .map(asset => [address, 'amount' in asset && asset.amount]),
    )
    expect(landed.slice(-2)).toEqual([
      [RECIPIENT, 1_250n],
      [SECOND_RECIPIENT, 9n],
    ])
  })

  it('send nothing where the person says no, or more is asked for than there is', async () => {
    const { world, worker, page } = await startWithRunes()
    const order = (amount: string) => ({
      recipients: [{ runeName: GOLD, amount, address: RECIPIENT }],
    })
    const answer = ask(page, 'runes_transfer', order('1'))
    await decideNext(worker, 'reject', 'payment')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(await ask(page, 'runes_transfer', order('60001'))).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringContaining('recipients[0].amount: expected at'),
      },
    })
    expect(world.chain.broadcasts).toEqual([])
  })
})
