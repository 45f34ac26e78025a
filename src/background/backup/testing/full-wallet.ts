import { spellName } from '../../keys/testing/spell-name.ts'
import { addPairedDevice, createDevice } from '../../testing/device-wallet.ts'
import { RECIPIENT, SECOND_RECIPIENT, SITE, selectedAccount } from '../../testing/funded-wallet.ts'
import {
  ABANDON_MNEMONIC,
  connectPage,
  createWorld,
  fund,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
  type World,
} from '../../testing/test-wallet.ts'
import type { BackupPart } from '../../views/backup-views.ts'

/** Of Bitcoin's wiki on the import format: a key of the test networks. */
export const TEST_WIF = 'cMzLdeGd5vEqxB8B6VFQoRopQ3sLAAvEzDAoQgvX54xwofSWj1fx'
export const BACKUP_PASSWORD = 'a battery of horses'
/** A transaction of which nothing is known. */
export const SOME_TXID = 'ab'.repeat(32)

export const MINT_RUNE = 'OPEN•RUNE•OF•TESTS'

/** A wallet with something of everything that its phrase does not bring back; an inscribing and mints of a rune wait for the network. */
export async function startFull() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const { ui } = worker
  const account = await selectedAccount(worker)
  const coins = [90_000n, 80_000n, 70_000n].map(sats => `${fund(world, account.address, sats)}:0`)
  await connectPage(worker, SITE)
  await ui('blockSite', { origin: 'https://blocked.example' })
  await ui('renameAccount', { accountId: account.id, name: 'Savings' })
  await ui('addAccount', { addressType: 'p2wpkh', name: 'Spending' })
  await ui('importWif', { wif: TEST_WIF, addressType: 'p2wpkh', name: 'Paper' })
  await ui('watchAddress', { address: RECIPIENT, name: 'Cold store' })
  await addPairedDevice(worker, createDevice())
  await ui('selectAccount', { accountId: account.id })
  await ui('saveContact', { id: null, name: 'Alice', address: RECIPIENT })
  await ui('saveContact', { id: null, name: 'Bob', address: SECOND_RECIPIENT })
  await ui('setLabel', { txid: SOME_TXID, label: 'rent' })
  await ui('setCoinChoice', { outpoint: coins[2] ?? '', choice: 'locked' })
  await ui('changeSettings', { theme: 'dark', currency: 'EUR', autoLockMinutes: 30 })
  await ui('setServer', { network: 'regtest', kind: 'fees', url: 'https://fees.example' })
  world.chain.faults.refuse = 'mempool full'
  const inscribing = await inscribe(worker)
  const minting = await mintRunes(worker, world)
  return { world, worker, account, coins, inscribing, minting }
}

export async function inscribe({ ui }: Worker): Promise<string> {
  const { planId, digest } = await ui('planInscribe', {
    ...{ items: ['one', 'two'].map(text => ({ kind: 'text' as const, text })) },
    ...{ postage: 546, feeRate: 5, parent: null, metadata: null, label: 'my texts' },
  })
  return (await ui('confirmInscribe', { planId, digest })).jobId
}

/** A rune that can be minted. */
export function offerRune({ assets }: World): void {
  assets.etch('', { name: MINT_RUNE, rune: '90:1' })
  const none = { start: null, end: null }
  assets.describeRune('90:1', { terms: { amount: 5n, cap: 100n, height: none, offset: none } })
}

/** Mints a rune that is there then; resolves the id of the job. */
export async function mintRunes(
  { ui }: Worker,
  world: World,
  changes: { count?: number; feeRate?: number } = {},
): Promise<string> {
  offerRune(world)
  const draft = { rune: MINT_RUNE, count: 2, feeRate: 2, label: 'mine', ...changes }
  const { planId, digest } = await ui('planRuneMint', draft)
  return (await ui('confirmRuneMint', { planId, digest })).jobId
}

/** Another computer: an empty storage, before the same chain and indexes. */
export function elsewhere(world: World): World {
  const { local, session, sync, window } = createWorld()
  return { ...world, local, session, sync, window }
}

/** A wallet that was just made of a phrase, on mainnet as all are. */
export async function startFresh(world: World, mnemonic = ABANDON_MNEMONIC): Promise<Worker> {
  const worker = startWorker(world)
  const origin = { kind: 'mnemonic', mnemonic, passphrase: '' } as const
  await worker.ui('createVault', { origin, password: PASSWORD })
  return worker
}

export async function createBackup({ ui }: Worker): Promise<string> {
  const made = await ui('createBackup', { walletPassword: PASSWORD, password: BACKUP_PASSWORD })
  if (!made.accepted) throw new Error(made.reason)
  return made.file
}

/** Looks at a file and restores what is offered as chosen, with more parts where told. */
export async function restore({ ui }: Worker, file: string, more: readonly BackupPart[] = []) {
  const password = BACKUP_PASSWORD
  const review = await ui('reviewBackup', { file, password })
  const parts = review.sections
    .filter(({ part, suggested }) => suggested || more.includes(part))
    .map(({ part }) => part)
  await ui('restoreBackup', { file, password, digest: review.digest, parts })
  return review
}

/** What the wallet's own pages show of all that a backup holds, without ids that are drawn at random. */
export async function readViews({ ui }: Worker) {
  await ui('selectNetwork', { network: 'regtest' })
  const { accounts, settings, phrases } = await ui('getState', null)
  const nameOf = new Map(accounts.map(({ id, name }) => [id, spellName(name)]))
  const named = accounts.map(({ id: _, ...account }) => ({
    ...account,
    ...('phraseId' in account && {
      phraseId: phrases.find(({ id }) => id === account.phraseId)?.name,
    }),
  }))
  const ofAccounts = []
  for (const { id, name, source } of accounts) {
    await ui('selectAccount', { accountId: id })
    const jobs = (await ui('getJobs', null)).map(describeJob)
    const mints = source === 'watch' ? [] : (await ui('getRuneMints', null)).map(describeJob)
    const locked = (await ui('getCoins', null)).filter(({ choice }) => choice !== null)
    const coins = locked.map(({ outpoint, choice }) => ({ outpoint, choice }))
    ofAccounts.push({ name, jobs, mints, coins })
  }
  const sites = (await ui('getSites', null)).map(site => JSON.stringify(site))
  return {
    ...{ accounts: named, phrases: phrases.map(({ name }) => name), settings, ofAccounts },
    sites: sites.map(site =>
      [...nameOf].reduce((text, [id, name]) => text.replaceAll(id, name), site),
    ),
    blocked: await ui('getBlockedSites', null),
    contacts: (await ui('getContacts', null)).map(({ id: _, ...contact }) => contact),
    servers: await ui('getServers', { network: 'regtest' }),
    label: await ui('getActivityDetails', { txid: SOME_TXID }).catch(() => null),
  }
}

function describeJob(job: object) {
  const { accountId: _, ...rest } = job as { accountId?: string }
  return rest
}
