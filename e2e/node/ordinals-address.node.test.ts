import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { etchingDraft } from '../../src/background/inscribing/testing/etching-world.ts'
import { textDraft, wait } from '../../src/background/inscribing/testing/job-world.ts'
import { draft, RECIPIENT } from '../../src/background/testing/funded-wallet.ts'
import type { Worker } from '../../src/background/testing/test-wallet.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { createClient } from '../../src/devnet/testing/devnet-client.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'
import { etch, holdingsOf, inscribe, whereIs } from '../fixtures/ordinals/devnet-ord.ts'

// devnet's node decides whether a transaction is valid, and its indexes say what lies where.

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

type Shown = { planId: string; digest: string }

describe.each([
  ['p2wpkh', 'WPKH'],
  ['p2sh-p2wpkh', 'SH'],
] as const)('an account that pays by %s and holds ordinals on Taproot', (addressType, letters) => {
  async function start() {
    const started = await startOnDevnet(devnet)
    const { worker } = started
    const name = 'Everyday'
    const { id, address, ordinals } = await worker.ui('addAccount', {
      ...{ addressType, name, ordinals: true },
    })
    await worker.ui('selectAccount', { accountId: id })
    for (const sats of [120_000n, 80_000n]) await devnet.faucet(address, sats)
    await devnet.mine(1)
    return { ...started, payment: address, holding: ordinals?.address ?? '' }
  }

  async function inscribeBy(worker: Worker, { planId, digest }: Shown): Promise<string> {
    return (await worker.ui('confirmInscribe', { planId, digest })).jobId
  }

  async function payBy(worker: Worker, { planId, digest }: Shown): Promise<string> {
    return (await worker.ui('confirmPayment', { planId, digest })).txid
  }

  const addressOf = async (inscription: string) => (await whereIs(devnet, inscription)).address

  /** Addresses of the outputs, in their order. */
  async function paidBy(txid: string): Promise<(string | undefined)[]> {
    const { vout } = await devnet.rpc<{ vout: { scriptPubKey: { address?: string } }[] }>(
      'getrawtransaction',
      [txid, true],
    )
    return vout.map(({ scriptPubKey }) => scriptPubKey.address)
  }

  it('inscribes, also as children, and sends what it inscribed', async () => {
    const { world, worker, payment, holding } = await start()
    const jobId = await inscribeBy(worker, await worker.ui('planInscribe', textDraft(['a', 'b'])))
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })
    const job = await worker.wallet.jobs.find(jobId)
    const [parent = '', other = ''] = (job?.revealTxids ?? []).map(txid => `${txid}i0`)
    expect(await Promise.all([parent, other].map(addressOf))).toEqual([holding, holding])
    expect((await paidBy(job?.commitTxid ?? '')).at(-1)).toBe(payment)

    const children = textDraft(['c', 'd'], { parent })
    const second = await inscribeBy(worker, await worker.ui('planInscribe', children))
    await devnet.mine(1)
    expect(await wait(world, worker, second)).toMatchObject({ state: 'done', problem: null })
    expect(await addressOf(parent)).toBe(holding)

    const order = { ids: [other], to: RECIPIENT, feeRate: 2, label: '' }
    const txid = await payBy(worker, await worker.ui('planTransfer', order))
    const bump = await worker.ui('planBump', { txid, kind: 'speed-up', feeRate: 9 })
    const replaced = await payBy(worker, bump)
    await devnet.mine(1)
    expect(await addressOf(other)).toBe(RECIPIENT)
    expect((await paidBy(replaced)).at(-1)).toBe(payment)
  })

  it('takes a transfer back to where it was', async () => {
    const { worker, holding } = await start()
    const [id = ''] = await inscribe(devnet, holding, { body: 'kept' })
    const order = { ids: [id], to: RECIPIENT, feeRate: 2, label: '' }
    const txid = await payBy(worker, await worker.ui('planTransfer', order))
    await payBy(worker, await worker.ui('planBump', { txid, kind: 'cancel', feeRate: 12 }))
    await devnet.mine(1)
    expect(await addressOf(id)).toBe(holding)
  })

  it('pays more for its commit, and takes its money back', async () => {
    const { world, worker, payment } = await start()
    const dear = textDraft(['dear'], { feeRate: 1, postage: 5_000 })
    const jobId = await inscribeBy(worker, await worker.ui('planInscribe', dear))
    await inscribeBy(worker, await worker.ui('planJobBump', { jobId, feeRate: 12 }))
    await inscribeBy(worker, await worker.ui('planJobRefund', { jobId, feeRate: 40 }))
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'refunded', locked: '0' })
    const { transactions = [] } = (await worker.wallet.jobs.find(jobId)) ?? {}
    const refund = transactions.findLast(({ kind }) => kind === 'refund')
    expect(await paidBy(refund?.txid ?? '')).toEqual([payment])
  })

  it('etches, mints and sends runes', async () => {
    const { world, worker, holding } = await start()
    const name = `PAIRED${letters}`.padEnd(15, 'X')
    const etching = etchingDraft({ name, feeRate: 2 })
    const jobId = await inscribeBy(worker, await worker.ui('planRuneEtching', etching))
    await devnet.mine(5)
    await wait(world, worker, jobId)
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })

    const minted = `MINTED${letters}`.padEnd(15, 'Y')
    await etch(devnet, holding, { name: minted, amount: '10', terms: { amount: '7', cap: 100 } })
    const mint = { rune: minted, count: 4, feeRate: 2, label: '' }
    const { jobId: mintId } = await worker.ui('confirmRuneMint', {
      ...(({ planId, digest }: Shown) => ({ planId, digest }))(
        await worker.ui('planRuneMint', mint),
      ),
    })
    await devnet.mine(1)
    world.clock.now += 20_000
    const { state, mints } = await worker.ui('resumeRuneMint', { mintId })
    expect([state, mints.length]).toEqual(['done', 4])
    for (const { txid } of mints) {
      expect((await holdingsOf(devnet, `${txid}:0`)).runes[minted]?.amount).toBe(7)
      expect((await paidBy(txid))[0]).toBe(holding)
    }

    const orders = [{ rune: minted, amount: '9', to: RECIPIENT }]
    const send = await worker.ui('planRuneTransfer', { orders, feeRate: 2, label: '' })
    const sent = await payBy(worker, send)
    await devnet.mine(1)
    const addresses = await paidBy(sent)
    const held = await Promise.all(
      addresses.map(async (address, vout) => {
        const { runes } = await holdingsOf(devnet, `${sent}:${vout}`)
        return [address, runes[minted]?.amount] as const
      }),
    )
    const amounts = held.filter(([, amount]) => amount !== undefined)
    expect(amounts).toEqual(expect.arrayContaining([[RECIPIENT, 9]]))
    for (const [address] of amounts) expect([RECIPIENT, holding]).toContain(address)
  })

  it('sends tokens of BRC-20 and units of Atomicals, and parts what shares a coin', async () => {
    const { world, worker, holding, followAtomicals } = await start()
    const order = { tick: 'ordi', amount: '1', to: RECIPIENT, feeRate: 3, label: '' }
    const jobId = await inscribeBy(worker, await worker.ui('planBrc20Send', order))
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{ state: 'done', problem: null, delivery: { state: 'confirmed' } },
    })

    const ids = await inscribe(devnet, holding, {
      ...{ together: true, postage: 4_000 },
      items: [
        { body: 'left', offset: 0 },
        { body: 'right', offset: 2_000 },
      ],
    })
    const outpoint = `${ids[0]?.slice(0, 64)}:0`
    const parted = await payBy(
      worker,
      await worker.ui('planSplit', { outpoint, postage: 546, feeRate: 2 }),
    )
    await devnet.mine(1)
    const places = await Promise.all(ids.map(id => whereIs(devnet, id)))
    expect(places.map(({ address }) => address)).toEqual([holding, holding])
    for (const { satpoint } of places) expect(satpoint.slice(0, 64)).toBe(parted)

    followAtomicals()
    const minted = await createClient(devnet).post('/devnet/atomicals/mint', {
      ...{ kind: 'ft', ticker: `p${letters.toLowerCase()}`, sats: 5_000, address: holding },
    })
    await devnet.mine(3)
    const { id } = JSON.parse(minted.body) as { id: string }
    const token = { id, amount: '2000', to: RECIPIENT, feeRate: 2, label: '' }
    const moved = await payBy(worker, await worker.ui('planTokenTransfer', token))
    await devnet.mine(1)
    expect((await paidBy(moved)).slice(0, 2)).toEqual(expect.arrayContaining([RECIPIENT, holding]))
  })

  it('pays with coins of both addresses once the person allows it', async () => {
    const { worker, holding } = await start()
    await devnet.faucet(holding, 70_000n)
    await devnet.mine(1)
    const coins = await worker.ui('getCoins', null)
    const held = coins.find(coin => coin.held === 'ordinals')
    await worker.ui('setCoinChoice', { outpoint: held?.outpoint ?? '', choice: 'unlocked' })
    const recipients = [{ to: RECIPIENT, sats: '240000' }]
    const txid = await payBy(worker, await worker.ui('planPayment', draft({ recipients })))
    await devnet.mine(1)
    const { confirmations } = await devnet.rpc<{ confirmations?: number }>('getrawtransaction', [
      ...[txid, true],
    ])
    expect(confirmations).toBe(1)
  })
})
