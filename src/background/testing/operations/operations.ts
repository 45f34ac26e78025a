import { createProofOfFunds } from '../../../bitcoin/messages/testing/proof-of-funds.ts'
import { sendDraft } from '../../inscribing/testing/delivery-world.ts'
import { etchingDraft } from '../../inscribing/testing/etching-world.ts'
import type { CommitRefundDraft } from '../../views/inscribe-views.ts'
import type { PaymentDraft } from '../../views/payment-views.ts'
import { draft, RECIPIENT, SITE } from '../funded-wallet.ts'
import { askAndApprove, askOnly, type Scene, TOKEN, tamper } from '../wallet-scene.ts'
import { DEVICE_OPERATIONS } from './device-operations.ts'
import { MINT_OPERATIONS } from './mint-operations.ts'
import { type Operation, ui } from './operation.ts'
import { PSBT_OPERATIONS } from './psbt-operations.ts'
import { SITE_OPERATIONS, STAND_IN_OPERATIONS } from './site-operations.ts'
import { TEST_WIF, VAULT_OPERATIONS } from './vault-operations.ts'

/** Of a coin that the server does not know. */
const FUNDS = createProofOfFunds('mine', [{ txid: '11'.repeat(32), vout: 0, sats: 5000n }])

/** With a plan that was worked out before. */
const confirming = (
  name: 'confirmPayment' | 'confirmInscribe',
  what: string,
  prepare: (scene: Scene) => Promise<{ planId: string; digest: string }>,
): Operation => {
  const pick = (_: Scene, { planId, digest }: { planId: string; digest: string }) => ({
    ...{ planId, digest },
  })
  return ui(`${name}, ${what}`, pick, { prepare })
}

const planning = async ({ worker }: Scene, changes: Partial<PaymentDraft> = {}) =>
  worker.ui('planPayment', draft(changes))

const NAMED = 'alice@names.test'

async function giveName({ world }: Scene): Promise<void> {
  world.names.set(NAMED, [`bitcoin:?bcrt=${RECIPIENT}`])
}

async function pay(scene: Scene): Promise<{ txid: string }> {
  return scene.worker.ui('confirmPayment', await planning(scene))
}

const TEXTS = {
  ...{ items: ['one', 'two'].map(text => ({ kind: 'text' as const, text })) },
  ...{ postage: 546, feeRate: 5, parent: null, metadata: null, label: '' },
}

async function inscribe({ worker }: Scene): Promise<{ jobId: string }> {
  return worker.ui('confirmInscribe', await worker.ui('planInscribe', TEXTS))
}

/** A job of which the network took nothing. */
async function inscribeInVain(scene: Scene): Promise<{ jobId: string }> {
  scene.world.chain.faults.refuse = 'mempool full'
  const job = await inscribe(scene)
  delete scene.world.chain.faults.refuse
  return job
}

async function planRefund(scene: Scene) {
  const { jobId } = await inscribe(scene)
  const { can } = await scene.worker.ui('getJob', { jobId })
  const feeRate = can.refund?.leastFeeRate ?? 0
  return { jobId, feeRate }
}

/** A site asks, and the person says no. */
async function refuse(scene: Scene): Promise<void> {
  await scene.worker.ui('decide', { ...(await askOnly(scene)), decision: 'reject' })
}

type Shown = { planId: string; digest: string }

/** A commit of which the wallet has no record any more, and what is known of it. */
async function loseRecord(scene: Scene): Promise<CommitRefundDraft> {
  const { feeRate } = await planRefund(scene)
  const txid = scene.world.chain.broadcasts.at(-3) ?? null
  await scene.world.local.set({ jobs: [], 'jobs.over': [] })
  const { items } = TEXTS
  return { txid, items, leafHashes: [], parent: null, metadata: null, rune: null, feeRate }
}

async function planCommitRefund(scene: Scene): Promise<Shown> {
  const found = await scene.worker.ui('planCommitRefund', await loseRecord(scene))
  if (found.state !== 'found' || !found.plan) throw new Error(`no plan: ${found.state}`)
  return found.plan
}

/** A payment that the server took and has not kept, some time after. */
async function loseFromServer(scene: Scene): Promise<{ txid: string }> {
  const { txid } = await pay(scene)
  scene.world.chain.evict(txid)
  scene.world.clock.now += 120_000
  return { txid }
}

const ofJob = (_: Scene, { jobId }: { jobId: string }) => ({ jobId })
const ofTransaction = (_: Scene, { txid }: { txid: string }) => ({ txid })
const page = { offset: 0, limit: 20 }

/** The Taproot account in use and the SegWit one of the same place, with a coin locked in each. */
async function findPair({ worker, clean }: Scene) {
  const { accounts, accountId } = await worker.ui('getState', null)
  const segwit = accounts.find(({ addressType }) => addressType === 'p2wpkh')
  const [outpoint = ''] = clean
  await worker.ui('setCoinChoice', { outpoint, choice: 'locked' })
  return { accountId: segwit?.id ?? '', ordinalsId: accountId ?? '', name: 'Both' }
}

const UI_OPERATIONS: readonly Operation[] = [
  ui('getState'),
  // Accounts
  ui('selectAccount', ({ added }) => ({ accountId: added.id })),
  ui('addAccount', () => ({ addressType: 'p2tr', name: 'Savings' })),
  ui('importWif', () => ({ wif: TEST_WIF, addressType: 'p2tr', name: 'Paper' })),
  ui('watchAddress', () => ({ address: RECIPIENT, name: 'Vault' })),
  ui('renameAccount', ({ added }) => ({ accountId: added.id, name: 'Bills' })),
  ui('setManyAddresses', ({ added }) => ({ accountId: added.id, on: true })),
  ui('setOrdinalsAddress', ({ added }) => ({ accountId: added.id, on: true })),
  ui('joinAccounts', (_, shown) => shown, { prepare: findPair }),
  ui('getReceiveAddress', () => ({ after: 1 }), {
    prepare: ({ worker, account }) =>
      worker.ui('setManyAddresses', { accountId: account.id, on: true }),
  }),
  ui('setAccountHidden', ({ added }) => ({ accountId: added.id, hidden: true })),
  ui('removeAccount', ({ account }) => ({ accountId: account.id }), {
    async prepare(scene) {
      const { worker } = scene
      const { txid } = await pay(scene)
      await worker.ui('setLabel', { txid, label: 'rent' })
      await worker.ui('setCoinChoice', { outpoint: scene.single.outpoint, choice: 'locked' })
    },
  }),
  ui('scanAddresses', () => ({ addressType: 'p2tr', line: 'receive', from: 0, count: 3 })),
  ui('addScanned', () => ({
    found: [
      { addressType: 'p2tr', line: 'receive', index: 4 },
      { addressType: 'p2wpkh', line: 'accounts', index: 3 },
    ],
  })),
  // Network and servers
  ui('selectNetwork', () => ({ network: 'signet' })),
  ui('getServers', () => ({ network: 'regtest' })),
  ui('checkServer', ({ serverUrl }) => ({ network: 'regtest', kind: 'chain', url: serverUrl })),
  ui('setServer', ({ serverUrl }) => ({ network: 'regtest', kind: 'assets', url: serverUrl })),
  ui('setServer, with a key', ({ serverUrl }) => ({
    ...{ network: 'regtest', kind: 'brc20', url: serverUrl, key: 'secret' },
  })),
  ui('getServerStates'),
  ui('getChainState'),
  // Home
  ui('getOverview', () => ({ retry: true })),
  ui('getPriceChart', () => ({ retry: true }), {
    async prepare({ worker, world }) {
      await worker.ui('changeSettings', { currency: 'EUR' })
      world.chain.faults.priceHistory = [{ at: world.clock.now - 3_600_000, perBitcoin: 90_000 }]
    },
  }),
  ui('getActivity', () => page, { prepare: pay }),
  ui('getActivityDetails', ofTransaction, { prepare: pay }),
  ui('getUnprovenPayments', () => null, {
    prepare: ({ worker }) => worker.ui('getOverview', null),
  }),
  ui('getConfirmationProof', ofTransaction, { prepare: pay }),
  ui('getUnsharedPayments', () => null, { prepare: loseFromServer }),
  ui('shareTransaction', ofTransaction, {
    async prepare(scene) {
      const lost = await loseFromServer(scene)
      for (let looks = 0; looks < 2; looks++) {
        await scene.worker.ui('getUnsharedPayments', null)
        scene.world.clock.now += 120_000
      }
      return lost
    },
  }),
  ui('getCoinProofs', (_, { txid }: { txid: string }) => ({ txids: [txid] }), { prepare: pay }),
  ui('setLabel', (_, { txid }: { txid: string }) => ({ txid, label: 'rent' }), { prepare: pay }),
  ui('dropUnsent', ofTransaction, {
    async prepare(scene) {
      const split = { from: scene.account.address, amount: 2 }
      const { utxos } = (await askAndApprove(scene, 'splitUtxo', split)) as {
        utxos: { txId: string }[]
      }
      return { txid: utxos[0]?.txId }
    },
  }),
  ui('exportActivity', () => ({ unnamed: 'Account {number}' }), { prepare: pay }),
  ui('getCoins'),
  ui('setCoinChoice', ({ clean }) => ({ outpoint: clean[0], choice: 'locked' })),
  // Inscriptions and Atomicals
  ui('getInscriptions', () => page),
  ui('sortInscriptions', ({ single }) => ({ ids: single.ids, children: false, choice: 'hidden' })),
  ui('getInscription', ({ single }) => ({ id: single.ids[0] })),
  ui('getInscriptionContent', ({ single }) => ({ id: single.ids[0], preview: false })),
  ui('planTransfer', ({ single }) => ({
    ...{ ids: single.ids, to: RECIPIENT, feeRate: 2, label: '' },
  })),
  ui('planBurn', ({ single }) => ({ id: single.ids[0], feeRate: 2 })),
  ui('planSplit', ({ double }) => ({ outpoint: double.outpoint, postage: 546, feeRate: 2 })),
  ui('forgetSeenAssets'),
  ui('getAtomicals', () => page),
  ui('getAtomical', ({ assets }) => ({ id: assets[1]?.id })),
  ui('planTokenTransfer', () => ({
    ...{ id: TOKEN, amount: '1200', to: RECIPIENT, feeRate: 2, label: '' },
  })),
  ui('getRunes', () => page),
  ui('getRune', ({ runeDraft }) => ({ name: runeDraft.orders[0]?.rune })),
  ui('planRuneTransfer', ({ runeDraft }) => runeDraft),
  ui('planRuneEtching', () => etchingDraft()),
  ui('planBrc20Send', () => sendDraft()),
  // Inscribing
  ui('planInscribe', () => TEXTS),
  ui('planJobBump', (_, { jobId }: { jobId: string }) => ({ jobId, feeRate: 40 }), {
    prepare: inscribe,
  }),
  ui('planJobRefund', (_, plan) => plan, { prepare: planRefund }),
  confirming('confirmInscribe', 'two texts', ({ worker }) => worker.ui('planInscribe', TEXTS)),
  confirming('confirmInscribe', 'a rune', ({ worker }) =>
    worker.ui('planRuneEtching', etchingDraft()),
  ),
  confirming('confirmInscribe', 'tokens', ({ worker }) => worker.ui('planBrc20Send', sendDraft())),
  confirming('confirmInscribe', 'a bump', async scene => {
    const { jobId } = await inscribe(scene)
    return scene.worker.ui('planJobBump', { jobId, feeRate: 40 })
  }),
  confirming('confirmInscribe', 'a refund', async scene =>
    scene.worker.ui('planJobRefund', await planRefund(scene)),
  ),
  ui('planCommitRefund', (_, draft) => draft, { prepare: loseRecord }),
  ui('takeCommitRefund', (_, { planId, digest }: Shown) => ({ planId, digest }), {
    prepare: planCommitRefund,
  }),
  ui('getJobs', () => null, { prepare: inscribe }),
  ui('getJob', ofJob, { prepare: inscribe }),
  ui('getJobContent', (_, { jobId }: { jobId: string }) => ({ jobId, item: 0 }), {
    prepare: inscribe,
  }),
  ui('resumeJob', ofJob, { prepare: inscribeInVain }),
  ui('discardJob', ofJob, { prepare: inscribeInVain }),
  // BRC-20
  ui('getBrc20'),
  ui('getBrc20Token', () => ({ tick: 'ordi' })),
  ui('followBrc20', () => ({ tick: 'ordi', followed: true })),
  // Payments
  ui('getFeeRates'),
  ui('lookUpName', () => ({ name: NAMED }), { prepare: giveName }),
  ui('planPayment', () => draft()),
  ui('planMerge', ({ clean }) => ({ coins: clean, feeRate: 2 })),
  ui('getBumpOptions', ofTransaction, { prepare: pay }),
  ui('planBump', (_, { txid }: { txid: string }) => ({ txid, kind: 'speed-up', feeRate: 12 }), {
    prepare: pay,
  }),
  confirming('confirmPayment', 'with a note', scene => planning(scene, { label: 'rent' })),
  confirming('confirmPayment', 'to a name', async scene => {
    await giveName(scene)
    return planning(scene, { recipients: [{ to: NAMED, sats: '20000' }] })
  }),
  confirming('confirmPayment', 'a merge', ({ worker, clean }) =>
    worker.ui('planMerge', { coins: clean, feeRate: 2 }),
  ),
  confirming('confirmPayment', 'of inscriptions', ({ worker, single }) =>
    worker.ui('planTransfer', { ids: single.ids, to: RECIPIENT, feeRate: 2, label: '' }),
  ),
  ...(['speed-up', 'cancel'] as const).map(kind =>
    confirming('confirmPayment', kind, async scene => {
      const { txid } = await pay(scene)
      return scene.worker.ui('planBump', { txid, kind, feeRate: 12 })
    }),
  ),
  ui('getContacts'),
  ui('saveContact', () => ({ id: null, name: 'Bob', address: RECIPIENT })),
  ui('saveContact, again', ({ contact }) => ({ id: contact.id, name: 'Al', address: RECIPIENT })),
  ui('removeContact', ({ contact }) => ({ id: contact.id })),
  // Sites and settings
  ui('getSites'),
  ui('revokeSite', () => ({ origin: SITE, grant: null })),
  ui('revokeAllSites'),
  ui('limitSite', () => ({ origin: SITE, term: 'day' })),
  ui('getBlockedSites'),
  ui('blockSite', () => ({ origin: SITE })),
  ui('unblockSite', () => ({ origin: SITE }), {
    prepare: ({ worker }) => worker.ui('blockSite', { origin: SITE }),
  }),
  ui('getApprovalHistory', () => ({ origin: SITE, answer: 'all', ...page }), { prepare: refuse }),
  ui('exportApprovalHistory', () => ({ origin: null, unnamed: 'Account {number}' }), {
    prepare: refuse,
  }),
  ui('clearApprovalHistory', () => ({ origin: SITE }), { prepare: refuse }),
  ui('getHttpSites'),
  ui('setHttpSite', () => ({ origin: 'http://plain.example', on: true })),
  ui('dismissNews'),
  ui('dismissFirstPayment'),
  ui('changeSettings', () => ({ autoLockMinutes: 30, theme: 'dark' })),
  ui('getChangedRecords', () => null, { prepare: tamper }),
  ui('settleChangedRecords', (_, digest: string) => ({ digest, keep: false }), {
    prepare: tamper,
  }),
  // Messages
  ui('verifyMessage', () => FUNDS),
  ui('checkProvenCoins', () => FUNDS),
  ui('signText', ({ account }) => ({
    ...{ accountId: account.id, address: account.address, message: 'hello', type: 'bip322' },
  })),
  ui('getOkxAlias'),
  ui('setOkxAlias', () => ({ origin: SITE, on: true })),
  ui('getNotifications'),
  ui('setNotifications', () => ({ on: true, jobs: false })),
  // Approvals
  ui('getApproval', () => null, { prepare: askOnly }),
  ...(['approve', 'reject'] as const).map(decision =>
    ui(`decide, ${decision}`, (_, waiting: object) => ({ ...waiting, decision }), {
      prepare: askOnly,
    }),
  ),
  ui('getEndedRequest', () => ({ key: 'none' })),
  ui('showApprovals'),
  ui('getTabSite', () => ({ windowId: 1 })),
  ui('setToolbar', () => ({ opens: 'popup', windowId: 1 })),
  ui('closeApprovals'),
]

/** Operations that write nothing and ask no server. */
export const WITHOUT_POINTS: readonly string[] = [
  ...['getState', 'generateMnemonic', 'checkMnemonic', 'checkWif', 'prepareKey'].map(nameUi),
  ...['getServers', 'getApprovalHistory', 'exportApprovalHistory'].map(nameUi),
  ...['getContacts', 'getSites', 'getBlockedSites', 'getHttpSites', 'getOkxAlias'].map(nameUi),
  ...['getNotifications', 'verifyMessage', 'signText'].map(nameUi),
  ...['getChangedRecords', 'reviewBackup', 'exportLabels', 'reviewLabels'].map(nameUi),
  ...['getJobs', 'getJobContent', 'getRuneMints', 'getLoadedPsbt', 'getPsbtTask'].map(nameUi),
  ...['listCosignings', 'getCosignerKey'].map(nameUi),
  ...['getApproval', 'getEndedRequest', 'showApprovals', 'closeApprovals', 'getTabSite'].map(
    nameUi,
  ),
]

function nameUi(name: string): string {
  return `ui.${name}`
}

export const OPERATIONS: readonly Operation[] = [
  ...SITE_OPERATIONS,
  ...STAND_IN_OPERATIONS,
  ...VAULT_OPERATIONS,
  ...UI_OPERATIONS,
  ...MINT_OPERATIONS,
  ...DEVICE_OPERATIONS,
  ...PSBT_OPERATIONS,
]
