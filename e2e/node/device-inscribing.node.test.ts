import { Verifier } from 'bip322-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { etchingDraft } from '../../src/background/inscribing/testing/etching-world.ts'
import { textDraft, wait } from '../../src/background/inscribing/testing/job-world.ts'
import { RECIPIENT } from '../../src/background/testing/funded-wallet.ts'
import { connectPage, nextApproval } from '../../src/background/testing/test-wallet.ts'
import { ADDRESS_TYPES } from '../../src/bitcoin/testing/spending.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { createClient } from '../../src/devnet/testing/devnet-client.ts'
import {
  inscribeOnCore,
  mintOnCore,
  payOnCore,
  signAll,
  startOnCore,
} from '../fixtures/core-account.ts'
import { type CoreDevice, startCoreDevice } from '../fixtures/core-device.ts'
import { etch, holdingsOf, inscribe, whereIs } from '../fixtures/ordinals/devnet-ord.ts'

// The device is Bitcoin Core, which knows nothing but the PSBTs; devnet's node and its indexes judge what comes of them.

let devnet: Devnet
let device: CoreDevice

beforeAll(async () => {
  // One after the other: the first may have to fetch bitcoind.
  devnet = await startDevnet()
  device = await startCoreDevice()
})
afterAll(() => Promise.all([devnet?.stop(), device?.stop()]))

const SEGWIT = ADDRESS_TYPES.filter(type => type !== 'p2pkh')
const LETTERS = { p2tr: 'TR', p2wpkh: 'WPKH', 'p2sh-p2wpkh': 'SH', p2pkh: 'PKH' }

async function contentOf(txid: string): Promise<string> {
  return (await fetch(`${devnet.ordUrl}/content/${txid}i0`)).text()
}

describe.each(ADDRESS_TYPES)('an account of Bitcoin Core’s keys, %s,', addressType => {
  const start = (coins?: bigint[]) => startOnCore({ devnet, device }, addressType, coins)
  const runeName = (prefix: string) => `${prefix}${LETTERS[addressType]}`.padEnd(15, 'X')

  it('inscribes one and a batch, and the index has them', async () => {
    const { world, worker } = await start()
    for (const texts of [['alone'], ['one', 'two', 'three', 'four']]) {
      const plan = await worker.ui('planInscribe', textDraft(texts))
      const { jobId, rounds } = await inscribeOnCore(device, worker, plan)
      expect(rounds).toBe(1)
      await devnet.mine(1)
      const job = await wait(world, worker, jobId)
      expect(job).toMatchObject({ state: 'done', problem: null })
      const reveals = (await worker.wallet.jobs.find(jobId))?.revealTxids ?? []
      expect(await Promise.all(reveals.map(contentOf))).toEqual(texts)
    }
  })

  it('pays more for its commit, and takes its money back with the wallet’s own key', async () => {
    const { world, worker } = await start()
    const draft = textDraft(['dear'], { feeRate: 1, postage: 5_000 })
    const { jobId } = await inscribeOnCore(device, worker, await worker.ui('planInscribe', draft))
    const bump = await worker.ui('planJobBump', { jobId, feeRate: 12 })
    expect((await inscribeOnCore(device, worker, bump)).rounds).toBe(1)
    const refund = await worker.ui('planJobRefund', { jobId, feeRate: 40 })
    expect((await inscribeOnCore(device, worker, refund)).rounds).toBe(0)
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'refunded', locked: '0' })
  })

  it('etches a rune and mints of one', async () => {
    const { world, worker } = await start()
    const name = runeName('ETCHED')
    const draft = etchingDraft({ name, feeRate: 2 })
    const { jobId } = await inscribeOnCore(
      device,
      worker,
      await worker.ui('planRuneEtching', draft),
    )
    await devnet.mine(5)
    await wait(world, worker, jobId)
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })

    const minted = runeName('MINTED')
    await etch(devnet, null, { name: minted, amount: '0', terms: { amount: '7', cap: 100 } })
    const count = addressType === 'p2pkh' ? 1 : 5
    const order = { rune: minted, count, feeRate: 2, label: '' }
    const mintId = await mintOnCore(device, worker, await worker.ui('planRuneMint', order))
    await devnet.mine(1)
    world.clock.now += 20_000
    const { state, mints } = await worker.ui('resumeRuneMint', { mintId })
    expect([state, mints.length]).toEqual(['done', count])
    for (const { txid } of mints)
      expect((await holdingsOf(devnet, `${txid}:0`)).runes[minted]?.amount).toBe(7)
  })

  it('sends runes, parts inscriptions that share a coin, and sends units of a token', async () => {
    const { worker, account, followAtomicals } = await start()
    const name = runeName('SENT')
    await etch(devnet, account.address, { name, amount: '1000' })
    const orders = [{ rune: name, amount: '250', to: RECIPIENT }]
    const plan = await worker.ui('planRuneTransfer', { orders, feeRate: 2, label: '' })
    const sent = await payOnCore(device, worker, plan)
    await devnet.mine(1)
    const outputs = await Promise.all([0, 1].map(vout => holdingsOf(devnet, `${sent}:${vout}`)))
    expect(outputs.map(({ runes }) => runes[name]?.amount).sort()).toEqual([250, 750])

    const ids = await inscribe(devnet, account.address, {
      ...{ together: true, postage: 4_000 },
      items: [
        { body: 'left', offset: 0 },
        { body: 'right', offset: 2_000 },
      ],
    })
    const outpoint = `${ids[0]?.slice(0, 64)}:0`
    const split = await worker.ui('planSplit', { outpoint, postage: 546, feeRate: 2 })
    const parted = await payOnCore(device, worker, split)
    await devnet.mine(1)
    const places = await Promise.all(ids.map(id => whereIs(devnet, id)))
    expect(places.map(({ address }) => address)).toEqual([account.address, account.address])
    expect(new Set(places.map(({ satpoint }) => satpoint.slice(0, 66))).size).toBe(2)
    for (const { satpoint } of places) expect(satpoint.slice(0, 64)).toBe(parted)

    followAtomicals()
    const ticker = `t${LETTERS[addressType].toLowerCase()}`
    const minted = await createClient(devnet).post('/devnet/atomicals/mint', {
      ...{ kind: 'ft', ticker, sats: 5_000, address: account.address },
    })
    await devnet.mine(3)
    const { id } = JSON.parse(minted.body) as { id: string }
    const order = { id, amount: '2000', to: RECIPIENT, feeRate: 2, label: '' }
    const moved = await payOnCore(device, worker, await worker.ui('planTokenTransfer', order))
    await devnet.mine(1)
    const { confirmations } = await devnet.rpc<{ confirmations?: number }>('getrawtransaction', [
      ...[moved, true],
    ])
    expect(confirmations).toBe(1)
  })
})

describe.each(SEGWIT)('an account of Bitcoin Core’s keys, %s, in one round', addressType => {
  it('inscribes children of an inscription, whose coin comes back', async () => {
    const { world, worker, account } = await startOnCore({ devnet, device }, addressType)
    const [parent = ''] = await inscribe(devnet, account.address, { body: 'parent' })
    const plan = await worker.ui('planInscribe', textDraft(['a', 'b'], { parent }))
    const { jobId, rounds } = await inscribeOnCore(device, worker, plan)
    expect(rounds).toBe(3)
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })
    const found = await fetch(`${devnet.ordUrl}/inscription/${parent}`, {
      headers: { accept: 'application/json' },
    })
    expect(await found.json()).toMatchObject({ child_count: 2, address: account.address })
  })

  it('inscribes a transfer of BRC-20 and sends it on', async () => {
    const { world, worker } = await startOnCore({ devnet, device }, addressType)
    const draft = { tick: 'ordi', amount: '1', to: RECIPIENT, feeRate: 3, label: '' }
    const plan = await worker.ui('planBrc20Send', draft)
    const { jobId, rounds } = await inscribeOnCore(device, worker, plan)
    expect(rounds).toBe(2)
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{ state: 'done', problem: null, delivery: { state: 'confirmed' } },
    })
  })
})

describe.each(['p2tr', 'p2wpkh'] as const)('a text signed by Bitcoin Core’s keys, %s,', type => {
  it('proves the address to an independent library', async () => {
    const { worker, account } = await startOnCore({ devnet, device }, type, [])
    const page = await connectPage(worker, 'https://login.example')
    const answer = page.call('signMessage', 'Grüße ₿', 'bip322-simple')
    const asked = await nextApproval(worker, 'sign-message')
    await worker.ui('decide', { key: asked.key, digest: asked.digest, decision: 'approve' })
    const { key, digest, review } = await nextApproval(worker, 'sign-on-device')
    if (review.kind !== 'sign-on-device') throw new Error('Wrong review')
    const input = await signAll(device, review)
    await worker.ui('decide', { key, digest, decision: 'approve', input })
    const { result } = (await answer) as { result: string }
    expect(Verifier.verifySignature(account.address, 'Grüße ₿', result)).toBe(true)
  })
})
