import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { MINT_RUNE, mintRunes, offerRune } from '../backup/testing/full-wallet.ts'
import { credit, sendTokens } from '../inscribing/testing/delivery-world.ts'
import { etch } from '../inscribing/testing/etching-world.ts'
import {
  bump,
  confirm,
  mintTexts,
  readChain,
  refund,
  textDraft,
  wait as waitForJob,
} from '../inscribing/testing/job-world.ts'
import {
  addDevice,
  createDevice,
  encodeAddress,
  inscribeOnDevice,
} from '../testing/device-wallet.ts'
import { outputsOf, RECIPIENT, readBroadcast, SITE } from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  decideAll,
  fund,
  nextApproval,
  startUnlocked,
  type World,
} from '../testing/test-wallet.ts'
import {
  addressAt,
  balance,
  listChangePaid,
  listPlacesPaid,
  MASTER,
  pay,
  startWithMany,
  wait,
} from './testing/many-addresses.ts'
import { ORDINALS, PAYMENT, startPaired } from './testing/paired.ts'

const last = ({ chain }: World) => chain.broadcasts.at(-1) ?? ''

/** An account of many addresses with coins on its first one and on a further one. */
async function startRich(type: 'p2tr' | 'p2wpkh' = 'p2wpkh') {
  const started = await startWithMany(type)
  const { world, worker, account } = started
  for (let at = 0; at < 3; at++) fund(world, account.address, 60_000n)
  fund(world, addressAt(type, 0, 3), 60_000n)
  return { ...started, page: await connectPage(worker, SITE) }
}

describe('the change of what an account of many addresses makes', () => {
  it.each(['p2wpkh', 'p2tr'] as const)(
    'goes to an address that nothing else had, and what is made to the first one: %s',
    async type => {
      const { world, worker, account } = await startRich(type)
      const inscribed = await mintTexts(worker, ['one', 'two'])
      const [commit = '', ...reveals] = world.chain.broadcasts
      expect(listPlacesPaid(world, commit, type)).toEqual([null, null, '1/0'])
      for (const reveal of reveals) expect(listPlacesPaid(world, reveal, type)).toEqual(['0/0'])
      const [one, two, change] = inscribed.review.commit?.outputs ?? []
      expect([one?.own, two?.own, change?.own]).toEqual([false, false, true])
      expect(change?.address).toBe(addressAt(type, 1, 0))
      wait(world)
      await mintRunes(worker, world, { count: 3 })
      const [first = '', second = '', third = ''] = world.chain.broadcasts.slice(3)
      expect(listPlacesPaid(world, first, type)).toEqual(['0/0', null, '1/2', '1/1'])
      expect(listPlacesPaid(world, second, type)).toEqual(['0/0', null, '1/2'])
      expect(listPlacesPaid(world, third, type)).toEqual(['0/0', null])
      wait(world)
      await etch(worker)
      expect(listPlacesPaid(world, last(world), type)).toEqual([null, '1/3'])
      wait(world)
      credit({ world, account: account as never })
      await sendTokens(worker)
      const sent = world.chain.broadcasts.slice(7)
      expect(listPlacesPaid(world, sent[0] ?? '', type)).toEqual([null, '1/4'])
      expect(outputsOf(readBroadcast(world, sent.at(-1) ?? ''))[0]?.address).toBe(RECIPIENT)
      wait(world)
      await pay(worker, '2000')
      expect(listPlacesPaid(world, last(world), type)).toEqual([null, '1/5'])
    },
  )

  it('is the account’s own in its balance, its coins and its activity', async () => {
    const { world, worker } = await startRich()
    const { review } = await mintTexts(worker, ['one'])
    const [commit = ''] = world.chain.broadcasts
    const change = review.commit?.outputs[1]
    const coins = await worker.ui('getCoins', null)
    expect(coins.find(({ outpoint }) => outpoint === `${commit}:1`)).toMatchObject({
      ...{ sats: change?.sats, held: null, height: null },
    })
    const spendable = coins.filter(({ held }) => held === null)
    const sum = spendable.reduce((total, { sats }) => total + BigInt(sats), 0n)
    expect(String(sum)).toBe(review.balanceAfter)
    world.chain.mine()
    wait(world)
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    const net = entries.flatMap(({ kind, net }) =>
      (kind === 'commit' || kind === 'reveal') && net !== null ? BigInt(net) : [],
    )
    // The postage stays with the account.
    expect(net.reduce((total, one) => total + one, 0n)).toBe(546n - BigInt(review.cost))
    const details = await worker.ui('getActivityDetails', { txid: commit })
    expect(details.outputs.map(({ own }) => own)).toEqual([false, true])
    expect(await balance(worker)).toEqual({
      ...{ confirmed: String(240_000n - BigInt(review.totalFee)), unconfirmed: '0' },
    })
  })

  it('goes back to where it was in a commit that pays more', async () => {
    const { world, worker } = await startRich()
    const { jobId } = await mintTexts(worker, ['one'])
    wait(world)
    const review = await bump(worker, jobId, 30)
    expect(review.commit?.outputs.at(-1)).toMatchObject({
      ...{ address: addressAt('p2wpkh', 1, 0), own: true },
    })
    expect(listPlacesPaid(world, world.chain.broadcasts.at(-2) ?? '')).toEqual([null, '1/0'])
    world.chain.mine()
    expect(await waitForJob(world, worker, jobId)).toMatchObject({ state: 'done' })
    await pay(worker, '2000')
    expect(listChangePaid(world, last(world))).toEqual(['1/1'])
  })

  it('pays for reveals, each with change of its own, and back to where that was once they pay more again', async () => {
    const { world, worker } = await startWithMany()
    for (const index of [1, 2]) fund(world, addressAt('p2wpkh', 1, index), 40_000n)
    fund(world, addressAt('p2wpkh', 0, 4), 30_000n)
    await balance(worker)
    const { jobId } = await mintTexts(worker, ['one', 'two'])
    const [commit = '', ...reveals] = world.chain.broadcasts
    for (const txid of reveals) world.chain.evict(txid)
    world.chain.mine()
    expect(listChangePaid(world, commit)).toEqual(['1/3'])
    await waitForJob(world, worker, jobId)
    await bump(worker, jobId, 20)
    const raised = world.chain.broadcasts.slice(-2)
    expect(raised.map(txid => listPlacesPaid(world, txid))).toEqual([
      ['0/0', '1/4'],
      ['0/0', '1/5'],
    ])
    wait(world)
    await bump(worker, jobId, 60)
    const again = world.chain.broadcasts.slice(-2)
    expect(again.map(txid => listPlacesPaid(world, txid))).toEqual([
      ['0/0', '1/4'],
      ['0/0', '1/5'],
    ])
    world.chain.mine()
    expect(await waitForJob(world, worker, jobId)).toMatchObject({ state: 'done' })
    expect(readChain(world).texts).toEqual(['one', 'two'])
    await pay(worker, '2000')
    expect(listChangePaid(world, last(world))).toEqual(['1/6'])
  })

  it('is what comes back of a commit, at an address of its own; a refund that pays more keeps that', async () => {
    const { world, worker } = await startRich()
    const { jobId } = await mintTexts(worker, ['one'], { postage: 9_000 })
    wait(world)
    const review = await refund(worker, jobId, 10)
    expect(review.receiver).toBe(addressAt('p2wpkh', 1, 1))
    expect(review.commit?.outputs).toMatchObject([
      { address: addressAt('p2wpkh', 1, 1), own: true },
    ])
    expect(listPlacesPaid(world, last(world))).toEqual(['1/1'])
    wait(world)
    await refund(worker, jobId, 40)
    expect(listPlacesPaid(world, last(world))).toEqual(['1/1'])
    world.chain.mine()
    expect(await waitForJob(world, worker, jobId)).toMatchObject({ state: 'refunded' })
    await pay(worker, '2000')
    expect(listChangePaid(world, last(world))).toEqual(['1/2'])
  })

  it('of a site’s inscribing and of its mints has addresses that nothing else gets until they are decided', async () => {
    const { world, worker, page, account } = await startRich()
    const asked = page.call('mint', {
      ...{ type: 61, from: account.address },
      inscriptions: [{ contentType: 'text/plain', body: 'asked' }],
    })
    const { review } = await nextApproval(worker, 'inscribe')
    expect(review.kind === 'inscribe' && review.commit?.outputs.at(-1)?.address).toBe(
      addressAt('p2wpkh', 1, 0),
    )
    await pay(worker, '2000')
    expect(listChangePaid(world, last(world))).toEqual(['1/1'])
    wait(world)
    const mine = await worker.ui('planInscribe', textDraft(['mine']))
    expect(mine.review.commit?.outputs.at(-1)?.address).toBe(addressAt('p2wpkh', 1, 2))
    await decideAll(worker, 'approve', asked)
    const [, commit = ''] = world.chain.broadcasts
    expect(listChangePaid(world, commit)).toEqual(['1/0'])
    wait(world)
    offerRune(world)
    const mints = page.call('mintRune', { rune: MINT_RUNE, count: 2 })
    await nextApproval(worker, 'rune-mint')
    await mintTexts(worker, ['mine'])
    expect(listChangePaid(world, world.chain.broadcasts.at(-2) ?? '')).toEqual(['1/4'])
    await decideAll(worker, 'approve', mints)
    expect(listChangePaid(world, world.chain.broadcasts.at(-2) ?? '')).toEqual(['1/3', '1/2'])
  })

  it('of what the network has not taken yet stays its own', async () => {
    const { world, worker } = await startRich()
    world.chain.faults.refuse = 'mempool full'
    const { jobId } = await mintTexts(worker, ['later'])
    wait(world)
    const mintId = await mintRunes(worker, world, { count: 2 })
    delete world.chain.faults.refuse
    wait(world)
    await pay(worker, '2000')
    expect(listChangePaid(world, last(world))).toEqual(['1/3'])
    wait(world)
    await worker.ui('resumeJob', { jobId })
    expect(listChangePaid(world, world.chain.broadcasts[1] ?? '')).toEqual(['1/0'])
    await worker.ui('resumeRuneMint', { mintId })
    expect(listChangePaid(world, world.chain.broadcasts[3] ?? '')).toEqual(['1/2', '1/1'])
  })

  it('is worked out anew where something else has its address meanwhile', async () => {
    const { world, worker } = await startRich()
    const plan = await worker.ui('planInscribe', textDraft(['one']))
    const other = await worker.ui('planInscribe', textDraft(['two']))
    const chosen = new Set(
      [plan, other].flatMap(({ review }) => review.commit?.inputs.map(({ outpoint }) => outpoint)),
    )
    const coins = await worker.ui('getCoins', null)
    const apart = coins.find(({ outpoint }) => !chosen.has(outpoint))?.outpoint ?? ''
    await pay(worker, '2000', { coins: [apart] })
    for (const late of [plan, other])
      await expect(confirm(worker, late)).rejects.toMatchObject({
        data: { reason: 'PLAN_OUTDATED' },
        message: expect.stringContaining('change address'),
      })
    expect(world.chain.broadcasts).toHaveLength(1)
    await mintTexts(worker, ['one'])
    expect(listChangePaid(world, world.chain.broadcasts[1] ?? '')).toEqual(['1/1'])
  })

  it('of what was begun with one address has addresses of its own once it is changed', async () => {
    const { world, worker, account } = await startRich()
    await worker.ui('setManyAddresses', { accountId: account.id, on: false })
    const { jobId } = await mintTexts(worker, ['before'], { postage: 9_000 })
    expect(listPlacesPaid(world, world.chain.broadcasts[0] ?? '')).toEqual([null, '0/0'])
    await worker.ui('setManyAddresses', { accountId: account.id, on: true })
    wait(world)
    const review = await bump(worker, jobId, 30)
    expect(review.commit?.outputs.map(({ own }) => own)).toEqual([false, true])
    expect(listPlacesPaid(world, world.chain.broadcasts.at(-2) ?? '')).toEqual([null, '1/0'])
    wait(world)
    await refund(worker, jobId, 50)
    world.chain.mine()
    expect(await waitForJob(world, worker, jobId)).toMatchObject({ state: 'refunded' })
    expect(listPlacesPaid(world, last(world))).toEqual(['1/1'])
  })

  it('is on SegWit where ordinals have a Taproot address of their own, which holds what is made', async () => {
    const { world, worker, account } = await startPaired()
    await worker.ui('setManyAddresses', { accountId: account.id, on: true })
    for (let at = 0; at < 3; at++) fund(world, PAYMENT, 50_000n)
    const changeAt = (index: number) =>
      encodeAddress('p2wpkh', MASTER.derivePath(`m/84'/1'/1'/1/${index}`).publicKey)
    const addressesOf = (txid = '') => outputsOf(readBroadcast(world, txid)).map(one => one.address)
    const { jobId } = await mintTexts(worker, ['one', 'two'], { postage: 9_000 })
    const [commit = '', ...reveals] = world.chain.broadcasts
    expect(addressesOf(commit).at(-1)).toBe(changeAt(0))
    for (const txid of reveals) world.chain.evict(txid)
    world.chain.mine()
    await waitForJob(world, worker, jobId)
    await bump(worker, jobId, 20)
    const raised = world.chain.broadcasts.slice(-2)
    expect(raised.map(addressesOf)).toEqual([
      [ORDINALS, changeAt(1)],
      [ORDINALS, changeAt(2)],
    ])
    wait(world)
    const review = await refund(worker, jobId, 60)
    expect(review.receiver).not.toBe(ORDINALS)
    // In the place of reveals, to where one of them had its change.
    expect(addressesOf(last(world))).toEqual([changeAt(2)])
    world.chain.mine()
    expect(await waitForJob(world, worker, jobId)).toMatchObject({ state: 'refunded' })
  })

  it.each(['p2tr', 'p2wpkh', 'p2sh-p2wpkh'] as const)(
    'is found by a device as its own, in every transaction of a round: %s',
    async type => {
      const world = createWorld()
      const worker = await startUnlocked(world)
      const device = createDevice()
      await addDevice(worker, device, type)
      fund(world, device.addressAt(type, 0, 0), 90_000n)
      const { planId, digest } = await worker.ui('planInscribe', textDraft(['cold']))
      const { task } = await worker.ui('getInscribeTask', { planId, digest })
      const psbt = device.sign(task?.tasks[0]?.psbt ?? '')
      const { bip32Derivation, tapBip32Derivation } = psbt.getOutput(1)
      const key = device.publicKeyAt(type, 1, 0)
      const origin = {
        fingerprint: Number.parseInt(device.fingerprint, 16),
        path: device.pathOf(type, 1, 0),
      }
      if (type === 'p2tr')
        expect(tapBip32Derivation).toEqual([[key.slice(1), { hashes: [], der: origin }]])
      else expect(bip32Derivation).toEqual([[key, origin]])
      // What holds the leaf is nobody's by what the device can tell.
      expect(psbt.getOutput(0)).not.toHaveProperty('bip32Derivation')
      const { jobId } = await inscribeOnDevice(worker, device, { planId, digest })
      const [commit = ''] = world.chain.broadcasts
      expect(outputsOf(readBroadcast(world, commit))[1]?.address).toBe(device.addressAt(type, 1, 0))
      wait(world)
      await inscribeOnDevice(worker, device, await worker.ui('planJobBump', { jobId, feeRate: 30 }))
      const replaced = readBroadcast(world, world.chain.broadcasts.at(-2) ?? '')
      expect(outputsOf(replaced)[1]?.address).toBe(device.addressAt(type, 1, 0))
    },
  )

  it('that is foreign in what storage says of a job gets nothing: the next commit pays the account', async () => {
    const { world, worker } = await startRich()
    const { jobId } = await mintTexts(worker, ['one'])
    const key = `job.${jobId}.0`
    const stored = JSON.parse(JSON.stringify(await world.local.get(key)))
    const [commit = ''] = world.chain.broadcasts
    const script = outputScriptOf(world, commit, 0)
    stored.inscribing.commit.outputs[1].script = script
    await world.local.set({ [key]: stored })
    wait(world)
    const { review } = await worker.ui('planJobBump', { jobId, feeRate: 30 })
    expect(review.commit?.outputs.map(({ own }) => own)).toEqual([false, true])
    expect(review.commit?.outputs[1]?.script).not.toBe(script)
  })

  it('that a signer would send elsewhere is not signed', async () => {
    const { world, worker } = await startRich()
    const plan = await worker.ui('planInscribe', textDraft(['one']))
    const { signer } = worker.wallet
    const { signInscribing } = signer
    signer.signInscribing = params => {
      const { inscribing } = params
      const outputs = inscribing.commit.outputs.map((output, at) =>
        at === inscribing.commit.changeIndex
          ? { ...output, scriptPubKey: fromHex('0014'.padEnd(44, 'a')) }
          : output,
      )
      return signInscribing({
        ...params,
        inscribing: { ...inscribing, commit: { ...inscribing.commit, outputs } },
      })
    }
    await expect(confirm(worker, plan)).rejects.toMatchObject({ code: -32603 })
    expect(await worker.wallet.jobs.list()).toEqual([])
    expect(world.chain.broadcasts).toEqual([])
  })
})

function outputScriptOf(world: World, txid: string, vout: number): string {
  const { script } = readBroadcast(world, txid).getOutput(vout)
  return Buffer.from(script ?? []).toString('hex')
}
