import { describe, expect, it } from 'vitest'
import { createBackup, elsewhere, restore } from '../backup/testing/full-wallet.ts'
import { textDraft } from '../inscribing/testing/job-world.ts'
import { addDevice, createDevice, inscribeOnDevice, payOnDevice } from '../testing/device-wallet.ts'
import { outputsOf, RECIPIENT, readBroadcast } from '../testing/funded-wallet.ts'
import {
  createWorld,
  fund,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
} from '../testing/test-wallet.ts'

/** A SegWit and a Taproot account of one device, the latter in use and with one address. */
async function startApart(
  start: (world: ReturnType<typeof createWorld>) => Promise<Worker> = startUnlocked,
) {
  const world = createWorld()
  const worker = await start(world)
  const device = createDevice()
  const segwit = await addDevice(worker, device, 'p2wpkh')
  await worker.ui('renameAccount', { accountId: segwit.id, name: 'Cold SegWit' })
  const taproot = await addDevice(worker, device, 'p2tr')
  await worker.ui('setManyAddresses', { accountId: taproot.id, on: false })
  const ids = { accountId: segwit.id, ordinalsId: taproot.id }
  const join = (by: Worker = worker) => by.ui('joinAccounts', { ...ids, name: 'Both' })
  return { world, worker, device, segwit, taproot, ids, join }
}

/** A wallet of one private key: it has no phrase. */
async function startWithoutPhrase(world: ReturnType<typeof createWorld>): Promise<Worker> {
  const worker = startWorker(world)
  await worker.ui('selectNetwork', { network: 'regtest' })
  const wif = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA'
  const origin = { kind: 'wif' as const, wif, addressType: 'p2tr' as const }
  await worker.ui('createVault', { origin, password: PASSWORD })
  return worker
}

const deviceAccountsOf = async (worker: Worker) =>
  (await worker.ui('getState', null)).accounts.filter(({ source }) => source === 'device')

describe('a SegWit and a Taproot account of one device that are put together', () => {
  it('are one account that signs with both keys', async () => {
    const { world, worker, device, segwit, taproot, join } = await startApart()
    fund(world, segwit.address, 50_000n)
    const id = world.assets.inscribe(`${fund(world, taproot.address, 546n)}:0`, { body: 'one' })
    await join()
    expect(await deviceAccountsOf(worker)).toMatchObject([
      {
        ...{ id: segwit.id, name: 'Both', address: segwit.address },
        ordinals: { address: taproot.address, derivationPath: "m/86'/1'/0'/0/0" },
      },
    ])
    expect((await worker.ui('getState', null)).accountId).toBe(segwit.id)
    const order = { ids: [id], to: RECIPIENT, feeRate: 2, label: '' }
    const { txid } = await payOnDevice(worker, device, await worker.ui('planTransfer', order))
    expect(outputsOf(readBroadcast(world, txid))[0]).toEqual({ address: RECIPIENT, sats: 546n })
    // What was kept of the one that is none any more is gone.
    expect(JSON.stringify([world.local.dump(), world.session.dump()])).not.toContain(taproot.id)
  })

  it('can be parted and put together again without the device', async () => {
    const { worker, segwit, taproot, join } = await startApart()
    await join()
    const set = (on: boolean) => worker.ui('setOrdinalsAddress', { accountId: segwit.id, on })
    await set(false)
    expect(await deviceAccountsOf(worker)).toMatchObject([{ ordinals: null }])
    await set(true)
    expect(await deviceAccountsOf(worker)).toMatchObject([
      { ordinals: { address: taproot.address } },
    ])
  })

  it.each([
    ['a phrase', startUnlocked],
    ['no phrase', startWithoutPhrase],
  ])(
    'go on with what the Taproot account was inscribing, in a wallet with %s: more is paid, and money taken back',
    async (_, start) => {
      const { world, worker, device, taproot, join } = await startApart(start)
      fund(world, taproot.address, 90_000n)
      const draft = textDraft(['one', 'two'], { postage: 5_000 })
      const { jobId } = await inscribeOnDevice(
        worker,
        device,
        await worker.ui('planInscribe', draft),
      )
      await join()
      const bump = await worker.ui('planJobBump', { jobId, feeRate: 20 })
      const { task } = await worker.ui('getInscribeTask', bump)
      expect(task?.tasks.map(({ inputs }) => inputs.map(one => one.addressType))).toEqual([
        ['p2tr'],
      ])
      expect((await inscribeOnDevice(worker, device, bump)).rounds).toBe(1)
      const refund = await worker.ui('planJobRefund', { jobId, feeRate: 60 })
      expect((await inscribeOnDevice(worker, device, refund)).rounds).toBe(0)
      const back = readBroadcast(world, world.chain.broadcasts.at(-1) ?? '')
      expect(outputsOf(back).map(({ address }) => address)).toEqual([taproot.address])
    },
  )

  it.each([
    ['a phrase', startUnlocked],
    ['no phrase', startWithoutPhrase],
  ])(
    'take back a commit that the Taproot account made and whose job is gone, in a wallet with %s',
    async (_, start) => {
      const { world, worker, device, taproot, join } = await startApart(start)
      fund(world, taproot.address, 60_000n)
      const made = textDraft(['hello'], { postage: 10_000 })
      await inscribeOnDevice(worker, device, await worker.ui('planInscribe', made))
      await world.local.set({ jobs: [], 'jobs.over': [] })
      await join()
      const found = await worker.ui('planCommitRefund', {
        ...{ txid: null, items: [{ kind: 'text', text: 'hello' }], leafHashes: [] },
        ...{ parent: null, metadata: null, rune: null, feeRate: 30 },
      })
      if (found.state !== 'found' || !found.plan) throw new Error(found.state)
      const { planId, digest } = found.plan
      const { txid } = await worker.ui('takeCommitRefund', { planId, digest })
      expect(outputsOf(readBroadcast(world, txid)).map(({ address }) => address)).toEqual([
        taproot.address,
      ])
    },
  )

  it('come back from a backup with what was being inscribed, and show no secret', async () => {
    const { world, worker, device, segwit, taproot, join } = await startApart(startWithoutPhrase)
    fund(world, taproot.address, 60_000n)
    await inscribeOnDevice(
      worker,
      device,
      await worker.ui('planInscribe', textDraft(['hello'], { postage: 9_000 })),
    )
    await join()
    const shown = [await worker.ui('getState', null), world.local.dump(), world.session.dump()]
    expect(JSON.stringify(shown)).not.toContain('inscribingSecret')
    const file = await createBackup(worker)
    const there = await startWithoutPhrase(elsewhere(world))
    const review = await restore(there, file)
    expect(review.sections.map(({ leftOut }) => leftOut)).toEqual(review.sections.map(() => 0))
    const [restored] = await deviceAccountsOf(there)
    expect(restored).toMatchObject({
      ...{ address: segwit.address, ordinals: { address: taproot.address } },
    })
    await there.ui('selectAccount', { accountId: restored?.id ?? '' })
    const [job] = await there.ui('getJobs', null)
    const refund = await there.ui('planJobRefund', { jobId: job?.id ?? '', feeRate: 60 })
    expect((await inscribeOnDevice(there, device, refund)).rounds).toBe(0)
  })
})

describe('accounts of devices that cannot be put together', () => {
  const refused = { data: { reason: 'NO_ORDINALS_ADDRESS' } }

  it('are those of two devices, of two account numbers, with many Taproot addresses, or one with a phrase’s', async () => {
    const { worker, segwit, taproot, ids } = await startApart()
    const stranger = await addDevice(worker, createDevice(new Uint8Array(32).fill(0x78)), 'p2tr')
    const descriptor = `tr(${createDevice().keyAt("86'/1'/1'")}/<0;1>/*)`
    const second = await worker.ui('addDevice', { descriptor, name: 'Second' })
    const { accounts } = await worker.ui('getState', null)
    const [ofPhrase, segwitOfPhrase] = accounts
    for (const { id } of [stranger, second])
      await worker.ui('setManyAddresses', { accountId: id, on: false })
    const join = (accountId?: string, ordinalsId?: string) =>
      worker.ui('joinAccounts', {
        ...{ accountId: accountId ?? '', ordinalsId: ordinalsId ?? '', name: 'Both' },
      })
    for (const ordinalsId of [stranger.id, second.id, ofPhrase?.id])
      await expect(join(segwit.id, ordinalsId)).rejects.toMatchObject(refused)
    await expect(join(taproot.id, segwit.id)).rejects.toMatchObject(refused)
    await expect(join(segwitOfPhrase?.id, taproot.id)).rejects.toMatchObject(refused)
    await worker.ui('setManyAddresses', { accountId: taproot.id, on: true })
    await expect(join(ids.accountId, ids.ordinalsId)).rejects.toMatchObject(refused)
    expect((await worker.ui('getState', null)).accounts).toHaveLength(accounts.length)
  })
})
