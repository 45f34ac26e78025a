import { p2pkh, Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { PERMISSIVE, verifyIndependently } from '../../bitcoin/testing/signature-oracle.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import {
  createBackup,
  elsewhere,
  mintRunes,
  restore,
  startFresh,
} from '../backup/testing/full-wallet.ts'
import { bump, confirm, readChain, textDraft } from '../inscribing/testing/job-world.ts'
import {
  dieAfter,
  findCoin,
  inputsOf,
  outputsOf,
  payFromPopup,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
  SITE,
  selectedAccount,
} from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  fund,
  startUnlocked,
  startWorker,
  type Worker,
} from '../testing/test-wallet.ts'
import { addressAt } from './testing/many-addresses.ts'

/** The first addresses of the test phrase at BIP-84 and BIP-86, by the BIP-32 library and scure-btc-signer. */
const PAYMENT = addressAt('p2wpkh', 0, 0)
const ORDINALS = addressAt('p2tr', 0, 0)

const OTHER_SITE = 'https://other.example'

const resultOf = (response: object) => Reflect.get(response, 'result')

/** A wallet as it is made, with Taproot and SegWit as two accounts of the same place, Taproot in use. */
async function startApart(world = createWorld()) {
  const worker = await startUnlocked(world)
  const { accounts } = await worker.ui('getState', null)
  const [taproot, segwit] = accounts
  if (taproot?.address !== ORDINALS || segwit?.address !== PAYMENT) throw new Error('no such pair')
  await worker.ui('selectAccount', { accountId: taproot.id })
  const join = (by: Worker = worker, name = 'Everyday') =>
    by.ui('joinAccounts', { accountId: segwit.id, ordinalsId: taproot.id, name })
  return { world, worker, taproot, segwit, join }
}

describe('a SegWit and a Taproot account that are put together', () => {
  it('are one account with both addresses, the name that was chosen, and in use', async () => {
    const { world, worker, taproot, segwit, join } = await startApart()
    fund(world, PAYMENT, 50_000n)
    fund(world, ORDINALS, 90_000n)
    await join()
    const { accounts, accountId } = await worker.ui('getState', null)
    expect(accounts).toHaveLength(1)
    expect(accounts[0]).toMatchObject({ id: segwit.id, name: 'Everyday', address: PAYMENT })
    expect(accounts[0]?.ordinals?.address).toBe(ORDINALS)
    expect(accountId).toBe(segwit.id)
    const { balance } = await worker.ui('getOverview', null)
    expect(BigInt(balance?.confirmed ?? 0)).toBe(140_000n)
    await expect(worker.ui('selectAccount', { accountId: taproot.id })).rejects.toThrow()
  })

  it('keep their notes, the coins that were locked, and what was sent', async () => {
    const { world, worker, segwit, join } = await startApart()
    const locked = fund(world, ORDINALS, 90_000n)
    fund(world, ORDINALS, 60_000n)
    await worker.ui('setCoinChoice', { outpoint: `${locked}:0`, choice: 'locked' })
    await worker.ui('setLabel', { txid: locked, label: 'savings' })
    const { txid } = await payFromPopup(worker)
    await worker.ui('setLabel', { txid, label: 'rent' })
    await join()
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    const shown = entries.map(entry => [entry.txid, entry.label, entry.kind, entry.accountId])
    expect(shown).toEqual(
      expect.arrayContaining([
        [txid, 'rent', 'sent', segwit.id],
        [locked, 'savings', 'received', segwit.id],
      ]),
    )
    const coins = await worker.ui('getCoins', null)
    const kept = coins.find(({ outpoint }) => outpoint === `${locked}:0`)
    expect(kept).toMatchObject({ choice: 'locked', held: 'locked' })
  })

  it.each([
    ['which is in a collection that the other one hides', true],
    ['which came from the other one, and is hidden there', false],
  ])('hold a coin again that was released for an inscription %s', async (_, children) => {
    const { world, worker, taproot, segwit, join } = await startApart()
    const outpoint = `${fund(world, ORDINALS, 20_000n)}:0`
    const parent = `${'ab'.repeat(32)}i0`
    const id = world.assets.inscribe(outpoint, { parents: [parent] })
    const released = await findCoin(worker, outpoint)
    if (!released) throw new Error('No coin')
    await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked', shown: released })
    await worker.ui('selectAccount', { accountId: segwit.id })
    const hidden = { ids: [children ? parent : id], children, choice: 'hidden' as const }
    await worker.ui('sortInscriptions', hidden)
    await worker.ui('selectAccount', { accountId: taproot.id })
    // The hiding of the other account ends nothing here.
    await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked', shown: released })
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: null })
    await join()
    const page = { offset: 0, limit: 60, group: 'hidden' as const }
    expect(await worker.ui('getInscriptions', page)).toMatchObject({ inscriptions: [{ id }] })
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: 'inscribed', choice: null })
  })

  it('show a payment from one to the other as the fee that it cost, once the chain tells of it', async () => {
    const { world, worker, join } = await startApart()
    fund(world, ORDINALS, 60_000n)
    const recipients = [{ to: PAYMENT, sats: '20000' }]
    const { txid, review } = await payFromPopup(worker, { recipients })
    await join()
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    const entry = entries.find(one => one.txid === txid)
    expect(entry).toMatchObject({ net: `-${review.fee}`, counterparty: null })
  })

  it('show a payment to any of the many addresses of the other one as the fee that it cost', async () => {
    const { world, worker, segwit, taproot, join } = await startApart()
    fund(world, ORDINALS, 60_000n)
    await worker.ui('setManyAddresses', { accountId: segwit.id, on: true })
    await worker.ui('selectAccount', { accountId: segwit.id })
    const { address: to } = await worker.ui('getReceiveAddress', { after: 0 })
    expect(to).not.toBe(PAYMENT)
    await worker.ui('selectAccount', { accountId: taproot.id })
    const { txid, review } = await payFromPopup(worker, { recipients: [{ to, sats: '20000' }] })
    await join()
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    const entry = entries.find(one => one.txid === txid)
    expect(entry).toMatchObject({ net: `-${review.fee}`, counterparty: null })
  })

  it('keep whom a payment to the other one paid besides', async () => {
    const { world, worker, join } = await startApart()
    fund(world, ORDINALS, 60_000n)
    const paid = [PAYMENT, RECIPIENT, SECOND_RECIPIENT]
    const { txid } = await payFromPopup(worker, {
      recipients: paid.map(to => ({ to, sats: '10000' })),
    })
    await join()
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    const entry = entries.find(one => one.txid === txid)
    expect(entry).toMatchObject({ counterparty: RECIPIENT })
    const { id } = await selectedAccount(worker)
    const peers = await worker.wallet.activity.listPeers('regtest', id)
    expect(peers.filter(one => one.paid).map(({ address }) => address)).toEqual([
      ...[RECIPIENT, SECOND_RECIPIENT],
    ])
  })

  it('stay connected to a site that knew both, and are asked for anew by one that knew one of them', async () => {
    const { worker, segwit, taproot, join } = await startApart()
    const both = await connectPage(worker, SITE)
    await connectPage(worker, OTHER_SITE, 2)
    await worker.ui('selectAccount', { accountId: segwit.id })
    await connectPage(worker, SITE, 3)
    await worker.ui('selectAccount', { accountId: taproot.id })
    await join()
    expect(resultOf(await both.call('getAccounts'))).toEqual([PAYMENT])
    expect(resultOf(await both.call('connect')).ordinals.address).toBe(ORDINALS)
    const sites = await worker.ui('getSites', null)
    expect(sites.map(({ origin }) => origin)).toEqual([SITE])
  })

  it('go on with what the Taproot account was inscribing, to the end', async () => {
    const { world, worker, segwit, join } = await startApart()
    fund(world, ORDINALS, 60_000n)
    world.chain.faults.refuse = 'not now'
    const { planId, digest } = await worker.ui('planInscribe', textDraft(['hello']))
    const { jobId } = await worker.ui('confirmInscribe', { planId, digest })
    await join()
    delete world.chain.faults.refuse
    await worker.ui('resumeJob', { jobId })
    const [job] = await worker.ui('getJobs', null)
    expect(job).toMatchObject({ id: jobId, accountId: segwit.id })
    const { texts, revealOf } = readChain(world)
    expect(texts).toEqual(['hello'])
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['commit', 'reveal']))
    const paid = outputsOf(readBroadcast(world, revealOf('hello') ?? ''))
    expect(paid.map(({ address }) => address)).toEqual([ORDINALS])
  })

  it('pay more for it with coins of the Taproot address, and can take its money back there', async () => {
    const { world, worker, join } = await startApart()
    fund(world, ORDINALS, 60_000n)
    fund(world, PAYMENT, 70_000n)
    const plan = await worker.ui('planInscribe', textDraft(['hello', 'world'], { postage: 10_000 }))
    const { jobId } = await confirm(worker, plan)
    await join()
    await bump(worker, jobId, 20)
    expect(await worker.ui('getJob', { jobId })).toMatchObject({ state: 'waiting' })
    const refund = await worker.ui('planJobRefund', { jobId, feeRate: 40 })
    await confirm(worker, refund)
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 20 })
    const back = entries.find(({ kind }) => kind === 'refund')
    const paid = outputsOf(readBroadcast(world, back?.txid ?? ''))
    expect(paid.map(({ address }) => address)).toEqual([ORDINALS])
  })

  it.each(['speed-up', 'cancel'] as const)(
    'have a payment replaced that the Taproot account sent: %s',
    async kind => {
      const { world, worker, join } = await startApart()
      const spent = fund(world, ORDINALS, 60_000n)
      fund(world, PAYMENT, 70_000n)
      const { txid: old } = await payFromPopup(worker, {
        recipients: [{ to: RECIPIENT, sats: '20000' }],
      })
      await join()
      const { planId, digest } = await worker.ui('planBump', { txid: old, kind, feeRate: 30 })
      const { txid } = await worker.ui('confirmPayment', { planId, digest })
      const bumped = readBroadcast(world, txid)
      expect(inputsOf(bumped)).toContain(`${spent}:0`)
      const own = outputsOf(bumped).filter(({ address }) => address !== RECIPIENT)
      for (const { address } of own) expect([ORDINALS, PAYMENT]).toContain(address)
      expect(outputsOf(bumped).some(({ address }) => address === RECIPIENT)).toBe(
        kind === 'speed-up',
      )
      const { rawTx } = world.chain.list().find(one => one.txid === txid) ?? {}
      const prevouts = inputsOf(bumped).map(outpoint => {
        const [from = '', vout = '0'] = outpoint.split(':')
        const output = parseTransaction(world.chain.get(from) ?? new Uint8Array()).outputs[
          Number(vout)
        ]
        if (!output) throw new Error('no such output')
        return output
      })
      const signed = Transaction.fromRaw(rawTx ?? new Uint8Array(), PERMISSIVE)
      for (const [index, { scriptPubKey }] of prevouts.entries()) {
        const [signature = new Uint8Array(), key] = signed.getInput(index).finalScriptWitness ?? []
        const what = key
          ? ({ scheme: 'v0', publicKey: key, script: p2pkh(key).script } as const)
          : ({ scheme: 'taproot', publicKey: scriptPubKey.slice(2) } as const)
        const type = key ? 1 : 0
        expect(verifyIndependently(signed, prevouts, index, what, type, signature)).toBe(true)
      }
    },
  )

  it('go on with what the Taproot account was minting', async () => {
    const { world, worker, join } = await startApart()
    fund(world, ORDINALS, 60_000n)
    world.chain.faults.refuse = 'not now'
    const mintId = await mintRunes(worker, world)
    await join()
    expect((await worker.ui('getRuneMints', null)).map(({ id }) => id)).toEqual([mintId])
    delete world.chain.faults.refuse
    world.clock.now += 61_000
    await worker.ui('resumeRuneMint', { mintId })
    expect(await worker.ui('getRuneMint', { mintId })).toMatchObject({ state: 'waiting' })
  })

  it.each([
    ['one address', false],
    ['a fresh one for each payment', true],
  ])(
    'take back a commit that the Taproot account made and whose job is gone, with %s of SegWit',
    async (_, hasMany) => {
      const { world, worker, segwit, join } = await startApart()
      await worker.ui('setManyAddresses', { accountId: segwit.id, on: hasMany })
      fund(world, ORDINALS, 60_000n)
      await confirm(
        worker,
        await worker.ui('planInscribe', textDraft(['hello'], { postage: 10_000 })),
      )
      await world.local.set({ jobs: [], 'jobs.over': [] })
      await join()
      const draft = {
        ...{ txid: null, items: [{ kind: 'text' as const, text: 'hello' }], leafHashes: [] },
        ...{ parent: null, metadata: null, rune: null, feeRate: 30 },
      }
      const found = await worker.ui('planCommitRefund', draft)
      if (found.state !== 'found' || !found.plan) throw new Error(found.state)
      const { planId, digest } = found.plan
      const { txid } = await worker.ui('takeCommitRefund', { planId, digest })
      expect(outputsOf(readBroadcast(world, txid)).map(({ address }) => address)).toEqual([
        ORDINALS,
      ])
    },
  )

  it('come back from a backup with what was being inscribed', async () => {
    const { world, worker, join } = await startApart()
    fund(world, ORDINALS, 60_000n)
    world.chain.faults.refuse = 'not now'
    const { planId, digest } = await worker.ui('planInscribe', textDraft(['hello']))
    await worker.ui('confirmInscribe', { planId, digest })
    await join()
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    const review = await restore(there, file)
    expect(review.sections.map(({ leftOut }) => leftOut)).toEqual(review.sections.map(() => 0))
  })

  it('are both as they were, or one with everything, wherever the worker dies', async () => {
    const outcomes: number[] = []
    for (let writes = 0; ; writes++) {
      const { world, worker, join } = await startApart()
      const locked = fund(world, ORDINALS, 90_000n)
      await worker.ui('setCoinChoice', { outpoint: `${locked}:0`, choice: 'locked' })
      await connectPage(worker, SITE)
      const dying = dieAfter(world, writes)
      const lived = join(startWorker(dying)).then(() => true)
      const isDone = await Promise.race([lived, dying.died.then(() => false)])
      const next = startWorker(world)
      const { accounts, accountId } = await next.ui('getState', null)
      outcomes.push(accounts.length)
      expect(accounts.some(({ id }) => id === accountId)).toBe(true)
      const coins = await next.ui('getCoins', null)
      expect(coins.map(({ choice }) => choice)).toEqual(
        accounts.length === 1 ? ['locked'] : ['locked'],
      )
      expect((await next.ui('getChangedRecords', null)).records).toEqual([])
      if (isDone) break
    }
    expect(new Set(outcomes)).toEqual(new Set([1, 2]))
  }, 60_000)
})

describe('what cannot be put together', () => {
  const refused = { data: { reason: 'NO_ORDINALS_ADDRESS' } }

  it('is a Taproot account of another place, or one that has many addresses', async () => {
    const { worker, segwit, taproot, join } = await startApart()
    const other = await worker.ui('addAccount', { addressType: 'p2tr', name: '' })
    const ids = { accountId: segwit.id, ordinalsId: other.id, name: 'Both' }
    await expect(worker.ui('joinAccounts', ids)).rejects.toMatchObject(refused)
    await worker.ui('setManyAddresses', { accountId: taproot.id, on: true })
    await expect(join()).rejects.toMatchObject(refused)
    expect((await worker.ui('getState', null)).accounts).toHaveLength(3)
  })

  it('is one account with itself, the wrong way round, or what is not there', async () => {
    const { worker, segwit, taproot } = await startApart()
    for (const [accountId, ordinalsId] of [
      [segwit.id, segwit.id],
      [taproot.id, segwit.id],
    ] as const) {
      const ids = { accountId, ordinalsId, name: 'Both' }
      await expect(worker.ui('joinAccounts', ids)).rejects.toMatchObject(refused)
    }
    const gone = { accountId: segwit.id, ordinalsId: '00'.repeat(16), name: 'Both' }
    await expect(worker.ui('joinAccounts', gone)).rejects.toMatchObject({ code: -32602 })
    const nameless = { accountId: segwit.id, ordinalsId: taproot.id, name: '\u202e' }
    await expect(worker.ui('joinAccounts', nameless)).rejects.toMatchObject({ code: -32602 })
  })
})
