import { Verifier } from 'bip322-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { etchingDraft } from '../../src/background/inscribing/testing/etching-world.ts'
import { textDraft, wait } from '../../src/background/inscribing/testing/job-world.ts'
import { draft, RECIPIENT } from '../../src/background/testing/funded-wallet.ts'
import { connectPage, nextApproval } from '../../src/background/testing/test-wallet.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import {
  inscribeOnCore,
  mintOnCore,
  payOnCore,
  signAll,
  startPairedOnCore,
} from '../fixtures/core-account.ts'
import { type CoreDevice, startCoreDevice } from '../fixtures/core-device.ts'
import { etch, holdingsOf, inscribe, whereIs } from '../fixtures/ordinals/devnet-ord.ts'

// The device is Bitcoin Core with the keys of both addresses, which knows nothing but the PSBTs; devnet's node and its indexes judge
// what comes of them.

let devnet: Devnet
let device: CoreDevice

beforeAll(async () => {
  // One after the other: the first may have to fetch bitcoind.
  devnet = await startDevnet()
  device = await startCoreDevice()
})
afterAll(() => Promise.all([devnet?.stop(), device?.stop()]))

type Output = { scriptPubKey: { address?: string } }

async function readTransaction(txid: string) {
  return devnet.rpc<{ vin: { txid: string; vout: number }[]; vout: Output[] }>(
    'getrawtransaction',
    [txid, true],
  )
}

/** Addresses of the outputs, in their order. */
async function paidBy(txid: string): Promise<(string | undefined)[]> {
  return (await readTransaction(txid)).vout.map(({ scriptPubKey }) => scriptPubKey.address)
}

/** Addresses of the coins that are spent, in the order of the inputs. */
async function spentBy(txid: string): Promise<(string | undefined)[]> {
  const { vin } = await readTransaction(txid)
  return Promise.all(
    vin.map(
      async ({ txid, vout }) => (await readTransaction(txid)).vout[vout]?.scriptPubKey.address,
    ),
  )
}

const addressOf = async (inscription: string) => (await whereIs(devnet, inscription)).address

describe.each([
  ['p2wpkh', 'WPKH'],
  ['p2sh-p2wpkh', 'SH'],
] as const)('an account of Bitcoin Core’s keys, %s and Taproot for ordinals,', (type, letters) => {
  const start = () => startPairedOnCore({ devnet, device }, type)

  it('sends an inscription from Taproot with a fee from SegWit, and pays more for it', async () => {
    const { worker, account, holding } = await start()
    const [id = ''] = await inscribe(devnet, holding, { body: 'to send' })
    const order = { ids: [id], to: RECIPIENT, feeRate: 1, label: '' }
    const txid = await payOnCore(device, worker, await worker.ui('planTransfer', order))
    const bump = await worker.ui('planBump', { txid, kind: 'speed-up', feeRate: 9 })
    const replaced = await payOnCore(device, worker, bump)
    await devnet.mine(1)
    expect((await spentBy(replaced)).slice(0, 2)).toEqual([holding, account.address])
    expect(await addressOf(id)).toBe(RECIPIENT)
  })

  it('inscribes with money of SegWit, also below a parent on Taproot, in one round', async () => {
    const { world, worker, account, holding } = await start()
    const texts = textDraft(['a', 'b'])
    const first = await inscribeOnCore(device, worker, await worker.ui('planInscribe', texts))
    await devnet.mine(1)
    expect(await wait(world, worker, first.jobId)).toMatchObject({ state: 'done', problem: null })
    const job = await worker.wallet.jobs.find(first.jobId)
    const [parent = ''] = (job?.revealTxids ?? []).map(txid => `${txid}i0`)
    expect(await addressOf(parent)).toBe(holding)
    expect((await spentBy(job?.commitTxid ?? '')).every(one => one === account.address)).toBe(true)
    const children = await worker.ui('planInscribe', textDraft(['c', 'd'], { parent }))
    const { jobId, rounds } = await inscribeOnCore(device, worker, children)
    expect(rounds).toBe(3)
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })
    expect(await addressOf(parent)).toBe(holding)
  })

  it('takes the money of a commit back without the device', async () => {
    const { world, worker, account } = await start()
    const dear = textDraft(['dear'], { feeRate: 1, postage: 5_000 })
    const { jobId } = await inscribeOnCore(device, worker, await worker.ui('planInscribe', dear))
    const bump = await worker.ui('planJobBump', { jobId, feeRate: 12 })
    expect((await inscribeOnCore(device, worker, bump)).rounds).toBe(1)
    const refund = await worker.ui('planJobRefund', { jobId, feeRate: 40 })
    expect((await inscribeOnCore(device, worker, refund)).rounds).toBe(0)
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'refunded', locked: '0' })
    const { transactions = [] } = (await worker.wallet.jobs.find(jobId)) ?? {}
    const back = transactions.findLast(({ kind }) => kind === 'refund')
    expect(await paidBy(back?.txid ?? '')).toEqual([account.address])
  })

  it('etches, mints and sends runes', async () => {
    const { world, worker, holding } = await start()
    const name = `TWOKEYS${letters}`.padEnd(15, 'X')
    const etching = await worker.ui('planRuneEtching', etchingDraft({ name, feeRate: 2 }))
    const { jobId } = await inscribeOnCore(device, worker, etching)
    await devnet.mine(5)
    await wait(world, worker, jobId)
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })

    const minted = `TWOMINTS${letters}`.padEnd(15, 'Y')
    await etch(devnet, holding, { name: minted, amount: '10', terms: { amount: '7', cap: 100 } })
    const order = { rune: minted, count: 4, feeRate: 2, label: '' }
    const mintId = await mintOnCore(device, worker, await worker.ui('planRuneMint', order))
    await devnet.mine(1)
    world.clock.now += 20_000
    const { state, mints } = await worker.ui('resumeRuneMint', { mintId })
    expect([state, mints.length]).toEqual(['done', 4])
    for (const { txid } of mints) expect((await paidBy(txid))[0]).toBe(holding)

    const orders = [{ rune: minted, amount: '9', to: RECIPIENT }]
    const send = await worker.ui('planRuneTransfer', { orders, feeRate: 2, label: '' })
    const sent = await payOnCore(device, worker, send)
    await devnet.mine(1)
    const paid = await paidBy(sent)
    const held = await Promise.all(
      paid.map(async (address, vout) => {
        const { runes } = await holdingsOf(devnet, `${sent}:${vout}`)
        return [address, runes[minted]?.amount] as const
      }),
    )
    const amounts = held.filter(([, amount]) => amount !== undefined)
    expect(amounts).toEqual(expect.arrayContaining([[RECIPIENT, 9]]))
    for (const [address] of amounts) expect([RECIPIENT, holding]).toContain(address)
  })

  it('pays with coins of both once the person allows it', async () => {
    const { worker, account, holding } = await start()
    await devnet.faucet(holding, 70_000n)
    await devnet.mine(1)
    const listed = await worker.ui('getCoins', null)
    const held = listed.find(coin => coin.held === 'ordinals')?.outpoint ?? ''
    const free = listed.find(coin => coin.held === null)?.outpoint ?? ''
    await worker.ui('setCoinChoice', { outpoint: held, choice: 'unlocked' })
    const payment = draft({ coins: [held, free] })
    const txid = await payOnCore(device, worker, await worker.ui('planPayment', payment))
    await devnet.mine(1)
    expect(new Set(await spentBy(txid))).toEqual(new Set([account.address, holding]))
    expect((await paidBy(txid))[0]).toBe(RECIPIENT)
  })
})

describe('texts of a site, signed by Bitcoin Core’s keys of one account,', () => {
  it('prove both addresses to an independent library', async () => {
    const { worker, account, holding } = await startPairedOnCore({ devnet, device }, 'p2wpkh')
    const page = await connectPage(worker, 'https://login.example')
    const froms = [account.address, holding]
    const messages = froms.map(from => ({ text: 'Grüße ₿', type: 'bip322-simple', from }))
    const answer = page.call('signMessages', messages)
    const asked = await nextApproval(worker, 'sign-messages')
    await worker.ui('decide', { key: asked.key, digest: asked.digest, decision: 'approve' })
    const { key, digest, review } = await nextApproval(worker, 'sign-on-device')
    if (review.kind !== 'sign-on-device') throw new Error('Wrong review')
    const input = await signAll(device, review)
    await worker.ui('decide', { key, digest, decision: 'approve', input })
    const { result } = (await answer) as { result: string[] }
    for (const [at, from] of froms.entries())
      expect(Verifier.verifySignature(from, 'Grüße ₿', result[at] ?? '')).toBe(true)
  })
})
