import { describe, expect, it } from 'vitest'
import { addressAt } from '../accounts/testing/many-addresses.ts'
import { textDraft } from '../inscribing/testing/job-world.ts'
import { SITE } from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  fund,
  startUnlocked,
  type Worker,
} from '../testing/test-wallet.ts'
import { createBackup, elsewhere, restore, startFresh } from './testing/full-wallet.ts'

/** The first addresses of the test phrase at BIP-84 and BIP-86. */
const PAYMENT = addressAt('p2wpkh', 0, 0)
const ORDINALS = addressAt('p2tr', 0, 0)

async function listOnRegtest(worker: Worker) {
  await worker.ui('selectNetwork', { network: 'regtest' })
  return (await worker.ui('getState', null)).accounts
}

/** A wallet with the two accounts that all have. */
async function startApart() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const [taproot, segwit] = await listOnRegtest(worker)
  const ids = { accountId: segwit?.id ?? '', ordinalsId: taproot?.id ?? '' }
  const join = async () => {
    await worker.ui('joinAccounts', { ...ids, name: 'Everyday' })
    await worker.ui('selectAccount', { accountId: ids.accountId })
  }
  return { world, worker, ids, join }
}

const addressesOf = (accounts: Awaited<ReturnType<typeof listOnRegtest>>) =>
  accounts.map(({ name, address, ordinals }) => [name, address, ordinals?.address ?? null])

describe('a backup of two accounts that were put together', () => {
  it('makes them one again on another computer, with the name and what was being inscribed', async () => {
    const { world, worker, ids, join } = await startApart()
    fund(world, ORDINALS, 60_000n)
    fund(world, PAYMENT, 60_000n)
    world.chain.faults.refuse = 'not now'
    await worker.ui('selectAccount', { accountId: ids.ordinalsId })
    for (const text of ['before', 'after']) {
      const { planId, digest } = await worker.ui('planInscribe', textDraft([text]))
      await worker.ui('confirmInscribe', { planId, digest })
      if (text === 'before') await join()
    }
    const there = await startFresh(elsewhere(world))
    await restore(there, await createBackup(worker))
    const accounts = await listOnRegtest(there)
    expect(addressesOf(accounts)).toEqual([['Everyday', PAYMENT, ORDINALS]])
    await there.ui('selectAccount', { accountId: accounts[0]?.id ?? '' })
    expect(await there.ui('getJobs', null)).toHaveLength(2)
    const jobs = await there.wallet.jobs.list()
    expect(new Set(jobs.map(({ accountId }) => accountId))).toEqual(new Set([accounts[0]?.id]))
  })

  it('brings back that they have a fresh address for each payment', async () => {
    const { world, worker, ids, join } = await startApart()
    await join()
    await worker.ui('setManyAddresses', { accountId: ids.accountId, on: true })
    const there = await startFresh(elsewhere(world))
    await restore(there, await createBackup(worker))
    const accounts = await listOnRegtest(there)
    expect(addressesOf(accounts)).toEqual([['Everyday', PAYMENT, ORDINALS]])
    expect(accounts[0]?.descriptor).toMatch(/^wpkh\(/)
  })

  it('leaves them apart in a wallet where a person has named one of them, and no address is in two', async () => {
    const { world, worker, ids, join } = await startApart()
    await join()
    await worker.ui('setManyAddresses', { accountId: ids.accountId, on: true })
    const there = await startFresh(elsewhere(world))
    const [taproot] = await listOnRegtest(there)
    await there.ui('renameAccount', { accountId: taproot?.id ?? '', name: 'Art' })
    await restore(there, await createBackup(worker))
    expect(addressesOf(await listOnRegtest(there))).toEqual([
      ['Art', ORDINALS, null],
      ['Everyday', PAYMENT, null],
    ])
  })
})

describe('a backup from before two accounts were put together', () => {
  it('connects no site to both that had been allowed to see one', async () => {
    const { worker, ids, join } = await startApart()
    await worker.ui('selectAccount', { accountId: ids.ordinalsId })
    const page = await connectPage(worker, SITE)
    const file = await createBackup(worker)
    await join()
    await restore(worker, file, ['sites'])
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
    expect(await worker.ui('getSites', null)).toEqual([])
  })
})
