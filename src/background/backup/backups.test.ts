import { describe, expect, it } from 'vitest'
import { canSign } from '../accounts/accounts.ts'
import { spellName } from '../keys/testing/spell-name.ts'
import { RECIPIENT, SITE } from '../testing/funded-wallet.ts'
import { PASSWORD } from '../testing/test-wallet.ts'
import {
  BACKUP_PASSWORD,
  createBackup,
  elsewhere,
  readViews,
  restore,
  SOME_TXID,
  startFresh,
  startFull,
  TEST_WIF,
} from './testing/full-wallet.ts'

/** The phrase of BIP-39's vector of 32 bytes of 0x7f in twelve words. */
const OTHER_MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

const password = BACKUP_PASSWORD

describe('a backup', () => {
  it('brings everything back to another computer that has the phrase alone', async () => {
    const { world, worker } = await startFull()
    const before = await readViews(worker)
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    const review = await restore(there, file, ['servers'])
    expect(review.isOwn).toBe(true)
    expect(review.sections.map(({ leftOut }) => leftOut)).toEqual(review.sections.map(() => 0))
    expect(await readViews(there)).toEqual(before)
    expect(await there.wallet.activity.labelOf('regtest', SOME_TXID)).toBe('rent')
  })

  it('has the jobs under way go on to their end there', async () => {
    const { world, worker, inscribing, minting } = await startFull()
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    await restore(there, file)
    delete world.chain.faults.refuse
    world.clock.now += 61_000
    const jobId = inscribing
    await there.ui('resumeJob', { jobId })
    expect(await there.ui('getJob', { jobId })).toMatchObject({ state: 'waiting', problem: null })
    await there.ui('resumeRuneMint', { mintId: minting })
    world.chain.mine()
    world.clock.now += 61_000
    expect(await there.ui('getJob', { jobId })).toMatchObject({ state: 'done' })
    const mint = await there.ui('getRuneMint', { mintId: minting })
    expect(mint).toMatchObject({ state: 'done', minted: '10' })
  })

  it.each(['bump', 'refund'] as const)(
    'has a job with something signed later (%s) go on to the end of that',
    async change => {
      const { world, worker, inscribing: jobId } = await startFull()
      delete world.chain.faults.refuse
      await worker.ui('resumeJob', { jobId })
      const { can } = await worker.ui('getJob', { jobId })
      const plan =
        change === 'bump'
          ? await worker.ui('planJobBump', { jobId, feeRate: can.bump?.leastFeeRate ?? 0 })
          : await worker.ui('planJobRefund', { jobId, feeRate: can.refund?.leastFeeRate ?? 0 })
      await worker.ui('confirmInscribe', { planId: plan.planId, digest: plan.digest })
      const file = await createBackup(worker)
      const there = await startFresh(elsewhere(world))
      const review = await restore(there, file)
      expect(review.sections.find(({ part }) => part === 'jobs')).toMatchObject({ leftOut: 0 })
      world.chain.mine()
      world.clock.now += 61_000
      const state = change === 'bump' ? 'done' : 'refunded'
      expect(await there.ui('getJob', { jobId })).toMatchObject({ state, problem: null })
    },
  )

  it('says nothing outside of its seal: neither what it holds nor of which wallet it is', async () => {
    const { worker, account } = await startFull()
    const [first, second] = [await createBackup(worker), await createBackup(worker)]
    for (const secret of [account.address, 'Savings', SITE, RECIPIENT, 'abandon'])
      expect(first).not.toContain(secret)
    const [a, b] = [JSON.parse(first), JSON.parse(second)]
    expect(a.kdf.salt).not.toBe(b.kdf.salt)
    expect(a.sealed.slice(0, 40)).not.toBe(b.sealed.slice(0, 40))
  })

  it('takes the wallet’s password to make, as imported keys are in it', async () => {
    const { worker } = await startFull()
    const made = await worker.ui('createBackup', { walletPassword: 'wrong', password })
    expect(made).toMatchObject({ accepted: false, reason: 'WRONG_PASSWORD' })
    const weak = worker.ui('createBackup', { walletPassword: PASSWORD, password: 'password' })
    await expect(weak).rejects.toMatchObject({ code: -32602 })
  })

  it('brings an imported key back with which the wallet signs', async () => {
    const { world, worker } = await startFull()
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    await restore(there, file)
    await there.ui('selectNetwork', { network: 'regtest' })
    const { accounts } = await there.ui('getState', null)
    const paper = accounts.filter(canSign).find(({ name }) => name === 'Paper')
    const accountId = paper?.id ?? ''
    const shown = await there.ui('revealKey', { password: PASSWORD, accountId })
    expect(shown).toEqual({ accepted: true, wif: TEST_WIF, ordinalsWif: null })
  })

  it('restored twice adds nothing the second time, and says so before', async () => {
    const { world, worker } = await startFull()
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    await restore(there, file, ['servers'])
    const stored = world.local.dump()
    const views = await readViews(there)
    const again = await restore(there, file, ['servers'])
    expect(again.sections.map(({ addedCount }) => addedCount)).toEqual(again.sections.map(() => 0))
    expect(again.sections.map(({ differingCount }) => differingCount)).toEqual(
      again.sections.map(() => 0),
    )
    expect(await readViews(there)).toEqual(views)
    expect(world.local.dump()).toEqual(stored)
  })

  it('can be restored again after something of it was removed', async () => {
    const { world, worker } = await startFull()
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    await restore(there, file)
    const [first] = await there.ui('getContacts', null)
    await there.ui('removeContact', { id: first?.id ?? '' })
    await restore(there, file)
    await there.ui('removeContact', { id: (await there.ui('getContacts', null))[0]?.id ?? '' })
    await restore(there, file)
    expect(await there.ui('getContacts', null)).toHaveLength(2)
  })

  it('takes nothing from a wallet that is in use, and says what differs', async () => {
    const { world, worker } = await startFull()
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    const [first] = (await there.ui('getState', null)).accounts
    await there.ui('renameAccount', { accountId: first?.id ?? '', name: 'Mine' })
    await there.ui('saveContact', {
      id: null,
      name: 'alice',
      address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    })
    await there.ui('selectNetwork', { network: 'regtest' })
    await there.ui('setLabel', { txid: SOME_TXID, label: 'food' })
    await there.ui('changeSettings', { theme: 'light' })
    const review = await restore(there, file)
    const section = (name: string) => review.sections.find(({ part }) => part === name)
    expect(section('accounts')?.differing).toMatchObject([{ name: 'Savings', own: 'Mine' }])
    expect(section('contacts')?.differing).toMatchObject([{ name: 'Alice' }])
    expect(section('contacts')?.added).toMatchObject([{ name: 'Bob' }])
    expect(section('labels')?.differing).toMatchObject([{ name: 'rent', own: 'food' }])
    expect(section('settings')).toMatchObject({ suggested: false })
    const state = await there.ui('getState', null)
    expect(state.accounts.map(({ name }) => name)).toContain('Mine')
    expect(state.settings.theme).toBe('light')
    expect(await there.wallet.activity.labelOf('regtest', SOME_TXID)).toBe('food')
    const contacts = await there.ui('getContacts', null)
    expect(contacts.map(({ name }) => name)).toEqual(['alice', 'Bob'])
  })

  it('hides what was hidden, unless the wallet has a name of its own for it', async () => {
    const { world, worker } = await startFull()
    const { accounts } = await worker.ui('getState', null)
    const spare = accounts.find(({ name }) => spellName(name) === 'Account 2')
    await worker.ui('setAccountHidden', { accountId: spare?.id ?? '', hidden: true })
    const file = await createBackup(worker)
    const hiddenIn = async ({ ui }: typeof worker) =>
      (await ui('getState', null)).accounts
        .filter(({ hidden }) => hidden)
        .map(({ name }) => spellName(name))
    const there = await startFresh(elsewhere(world))
    await restore(there, file)
    expect(await hiddenIn(there)).toEqual(['Account 2'])
    const inUse = await startFresh(elsewhere(world))
    const second = (await inUse.ui('getState', null)).accounts[1]
    await inUse.ui('renameAccount', { accountId: second?.id ?? '', name: 'Mine' })
    await restore(inUse, file)
    expect(await hiddenIn(inUse)).toEqual([])
  })

  it('brings back that an account has many addresses, and never narrows one that has', async () => {
    const { world, worker } = await startFull()
    const file = await createBackup(worker)
    const isMany = async ({ wallet }: typeof worker) =>
      JSON.stringify((await wallet.accounts.list('regtest'))[0]).includes('<0;1>')
    await worker.ui('setManyAddresses', { accountId: (await firstOf(worker)).id, on: true })
    const wide = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    await restore(there, wide)
    expect(await readViews(there)).toMatchObject({
      accounts: (await readViews(worker)).accounts,
    })
    expect(await isMany(there)).toBe(true)
    const inUse = await startFresh(elsewhere(world))
    await inUse.ui('setManyAddresses', { accountId: (await firstOf(inUse)).id, on: true })
    await restore(inUse, file)
    expect(await isMany(inUse)).toBe(true)
  })

  it('restores only the parts that were chosen; what hangs on accounts that are left out is left out', async () => {
    const { world, worker } = await startFull()
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    const { digest } = await there.ui('reviewBackup', { file, password })
    await there.ui('restoreBackup', { file, password, digest, parts: ['contacts'] })
    expect(await there.ui('getContacts', null)).toHaveLength(2)
    expect((await there.ui('getState', null)).accounts).toHaveLength(2)
    expect(await there.ui('getSites', null)).toEqual([])
    expect(await there.wallet.jobs.list()).toEqual([])
  })

  it('is not restored as something else than what was shown', async () => {
    const { world, worker } = await startFull()
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    const { digest } = await there.ui('reviewBackup', { file, password })
    await there.ui('saveContact', { id: null, name: 'Carol', address: RECIPIENT })
    const parts = ['contacts' as const]
    const late = there.ui('restoreBackup', { file, password, digest, parts })
    await expect(late).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED' } })
    expect(await there.ui('getContacts', null)).toHaveLength(1)
  })

  it('that cannot be opened says why and changes nothing', async () => {
    const { world, worker } = await startFull()
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    const views = await readViews(there)
    const cut = file.slice(0, -300)
    for (const [text, problem] of [
      ['hello', 'not-a-backup'],
      [cut, 'not-a-backup'],
      [file.replace('"version": 1', '"version": 7'), 'newer-version'],
      [file.replace(/"sealed": "..../, '"sealed": "AAAA'), 'damaged'],
    ]) {
      const opening = there.ui('reviewBackup', { file: text ?? '', password })
      await expect(opening).rejects.toMatchObject({ code: -32602, data: { problem } })
    }
    const wrong = there.ui('reviewBackup', { file, password: 'another one' })
    await expect(wrong).rejects.toMatchObject({ data: { problem: 'wrong-password' } })
    expect(await readViews(there)).toEqual(views)
  })

  it('is neither made nor opened while the wallet is locked', async () => {
    const { worker } = await startFull()
    const file = await createBackup(worker)
    await worker.ui('lock', null)
    await expect(worker.ui('reviewBackup', { file, password })).rejects.toThrow('locked')
    const making = worker.ui('createBackup', { walletPassword: PASSWORD, password })
    await expect(making.then(() => 'made')).rejects.toThrow('locked')
  })
})

async function firstOf({ ui }: Awaited<ReturnType<typeof startFresh>>) {
  const [first] = (await ui('getState', null)).accounts
  if (!first) throw new Error('no account')
  return first
}

describe('a backup of another wallet', () => {
  it('is said to be one, offers nothing as chosen, and restores no jobs and no accounts of its phrase', async () => {
    const { world, worker } = await startFull()
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world), OTHER_MNEMONIC)
    const review = await there.ui('reviewBackup', { file, password })
    expect(review.isOwn).toBe(false)
    expect(review.sections.filter(({ suggested }) => suggested)).toEqual([])
    const section = (name: string) => review.sections.find(({ part }) => part === name)
    expect(section('accounts')).toMatchObject({ addedCount: 3, leftOut: 3 })
    expect(section('jobs')).toMatchObject({ addedCount: 0, leftOut: 2 })
    const parts = review.sections.map(({ part }) => part)
    await there.ui('restoreBackup', { file, password, digest: review.digest, parts })
    await there.ui('selectNetwork', { network: 'regtest' })
    const { accounts } = await there.ui('getState', null)
    expect(accounts.map(({ source }) => source)).toEqual(['seed', 'seed', 'key', 'watch', 'device'])
    expect(await there.ui('getSites', null)).toEqual([])
    expect(await there.wallet.jobs.list()).toEqual([])
    expect(await there.ui('getContacts', null)).toHaveLength(2)
  })
})
