import { fromHex } from '../../bitcoin/bytes.ts'
import { FOREIGN_KEY } from '../../bitcoin/testing/psbt-building.ts'
import type { PaymentDraft } from '../views/payment-views.ts'
import { draft, RECIPIENT, SECOND_RECIPIENT, SITE } from './funded-wallet.ts'
import { MINT_OPERATIONS } from './mint-operations.ts'
import { publishPrevious } from './psbt-site.ts'
import { buildFresh, type SignedElsewhere, signElsewhere } from './signed-transactions.ts'
import { ABANDON_MNEMONIC, PASSWORD } from './test-wallet.ts'
import { askAndApprove, askOnly, NEW_SITE, type Scene, TOKEN, tamper } from './wallet-scene.ts'

/** One call of a site (`method` as the in-page script sends it) or of our own pages (`ui.` and the method). */
export type Operation = {
  name: string
  method: string
  /** Where there is no wallet yet. */
  isFirst?: true
  /** Of the site that asks; the connected one unless said. */
  origin?: string
  /** What the person did before; handed on to `params`. */
  prepare?: (scene: Scene) => Promise<unknown>
  /** Of a site: a list. Of our own pages: one value. */
  params: (scene: Scene, prepared: never) => unknown
  /** What may be done of it and what not when the browser ends in between: each step has the person's approval, or can be made again. */
  halves?: readonly string[]
  /** The wallet opens with this from then on, once it was changed. */
  nextPassword?: string
}

const NEXT_PASSWORD = 'another horse battery'

/** Of Bitcoin's wiki on the import format: a key of the test networks. */
const TEST_WIF = 'cMzLdeGd5vEqxB8B6VFQoRopQ3sLAAvEzDAoQgvX54xwofSWj1fx'

const stranger = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })

/** A transaction of a coin of the account that nobody has shown, and one of nobody's that it does not need. */
async function buildTransactions({ world, key, account }: Scene) {
  const fields = { tapInternalKey: fromHex(account.publicKey).slice(1) }
  const own = { type: 'p2tr' as const, key, amount: 20_000n, fields }
  const spending = (inputs: Parameters<typeof buildFresh>[0]['inputs'], amount: bigint) =>
    publishPrevious({ world }, buildFresh({ inputs, outputs: [stranger(amount)] }))
  const open = [spending([own], 19_000n), spending([{ ...own, amount: 21_000n }], 20_000n)]
  return {
    open: open.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
    own: signElsewhere(open[0] as (typeof open)[0], key),
    foreign: signElsewhere(spending([stranger(10_000n)], 9_000n), FOREIGN_KEY),
  }
}

type Transactions = { open: string[]; own: SignedElsewhere; foreign: SignedElsewhere }

const site = (
  name: string,
  params: (scene: Scene, prepared: never) => unknown[],
  rest: Partial<Operation> = {},
): Operation => ({ name, method: name.split(',')[0] ?? '', params, ...rest })

const signing = (
  name: string,
  params: (transactions: Transactions, scene: Scene) => unknown[],
): Operation =>
  site(name, (scene, prepared) => params(prepared, scene), { prepare: buildTransactions })

const ui = (
  name: string,
  params: (scene: Scene, prepared: never) => unknown = () => null,
  rest: Partial<Operation> = {},
): Operation => ({ name: `ui.${name}`, method: `ui.${name.split(',')[0]}`, params, ...rest })

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

const ofJob = (_: Scene, { jobId }: { jobId: string }) => ({ jobId })
const ofTransaction = (_: Scene, { txid }: { txid: string }) => ({ txid })
const page = { offset: 0, limit: 20 }

const SITE_OPERATIONS: readonly Operation[] = [
  site('connect', () => [], { origin: NEW_SITE }),
  site('requestAccounts', () => [], { origin: NEW_SITE }),
  site('getAccounts', () => []),
  site('getNetwork', () => []),
  site('getPublicKey', () => []),
  site('getBalance', () => []),
  site('getInscriptions', () => [0, 20]),
  site('sendBitcoin', () => [RECIPIENT, 20_000, { feeRate: 2 }]),
  site('sendBitcoin, while locked', () => [RECIPIENT, 20_000, { feeRate: 2 }], {
    prepare: ({ worker }) => worker.ui('lock', null),
  }),
  site('send', ({ account }) => [
    { from: account.address, to: RECIPIENT, value: '0.0002', memo: 'hello', memoPos: 1 },
  ]),
  site('sendInscription', ({ single }) => [RECIPIENT, single.ids[0]]),
  site('transferNft', ({ account, single, other }) => [
    { from: account.address, to: RECIPIENT, data: [...single.ids, ...other.ids] },
  ]),
  site('signMessage', () => ['hello']),
  signing('pushTx', ({ own }) => [own.raw]),
  signing('pushTx, of nobody', ({ foreign }) => [foreign.raw]),
  site('splitUtxo', ({ account }) => [{ from: account.address, amount: 2 }]),
  site('inscribe', ({ account }) => [{ from: account.address, tick: 'ordi' }]),
  site('mint', ({ account }) => [
    {
      ...{ type: 61, from: account.address, feeRate: 7 },
      inscriptions: [{ body: 'hello' }, { body: 'world' }],
    },
  ]),
  signing('signPsbt', ({ open }) => [open[0]]),
  signing('signPsbt, and send', ({ open }) => [open[0], { broadcast: true }]),
  signing('signPsbts', ({ open }) => [open]),
  signing('signPsbts, and send', ({ open }) => [open, { broadcast: true }]),
  signing('pushPsbt', ({ own }) => [own.final]),
  signing('sendPsbt', ({ own, foreign }, { account }) => [
    [
      { itemId: 'a', signedTx: foreign.raw, type: 52 },
      { itemId: 'b', signedTx: own.final, type: 52, dependItemId: ['a'] },
    ],
    account.address,
  ]),
  site('disconnect', () => []),
  site('switchNetwork', () => ['signet'], { halves: ['network', 'sites'] }),
  site('sendTransfer', () => [
    {
      recipients: [
        { address: RECIPIENT, amount: 20_000 },
        { address: SECOND_RECIPIENT, amount: 10_000 },
      ],
    },
  ]),
  site('deriveContextHash', () => ['dapp-vault', 'deadbeef']),
  site('signMessages', () => [[{ text: 'hello' }, { text: 'world' }]]),
]

/** Of the stand-ins for other wallets: those that take several steps. */
const STAND_IN_OPERATIONS: readonly Operation[] = [
  site('satsConnect.wallet_connect', () => [{ network: 'Signet' }], {
    ...{ origin: NEW_SITE, halves: ['network', 'sites'] },
  }),
  site('satsConnect.ord_sendInscriptions', ({ single, other }) => [
    {
      transfers: [...single.ids, ...other.ids].map((inscriptionId, at) => ({
        ...{ inscriptionId, address: [RECIPIENT, SECOND_RECIPIENT][at] },
      })),
    },
  ]),
  signing('satsConnect.signPsbt', ({ open }) => [
    { psbt: Buffer.from(open[0] ?? '', 'hex').toString('base64'), broadcast: true },
  ]),
  site('satsConnect.sendTransfer', () => [
    { recipients: [{ address: RECIPIENT, amount: 20_000 }] },
  ]),
  site('unisat.sendBitcoin', () => [RECIPIENT, 20_000, { memo: 'hello', feeRate: 2 }]),
  site('unisat.inscribeTransfer', () => ['ordi', '5']),
  signing('unisat.signPsbts', ({ open }) => [open]),
  site('unisat.getPublicKey', () => [], { origin: NEW_SITE }),
  site('leather.sendTransfer', () => [{ address: RECIPIENT, amount: 20_000, network: 'regtest' }]),
  signing('leather.signPsbt', ({ open }) => [{ hex: open[0], broadcast: true }]),
]

const UI_OPERATIONS: readonly Operation[] = [
  ui('getState'),
  // The wallet and its password
  ui('generateMnemonic', () => ({ words: 12 })),
  ui('checkMnemonic', () => ({ mnemonic: ABANDON_MNEMONIC })),
  ui('checkWif', () => ({ wif: TEST_WIF, network: 'regtest' })),
  ui(
    'createVault',
    () => ({
      origin: { kind: 'mnemonic', mnemonic: ABANDON_MNEMONIC, passphrase: '' },
      password: PASSWORD,
    }),
    { isFirst: true },
  ),
  ui(
    'createVault, of a key',
    () => ({
      origin: { kind: 'wif', wif: TEST_WIF, addressType: 'p2wpkh' },
      password: PASSWORD,
    }),
    { isFirst: true, prepare: ({ worker }) => worker.ui('selectNetwork', { network: 'regtest' }) },
  ),
  ui('unlock', () => ({ password: PASSWORD }), {
    prepare: ({ worker }) => worker.ui('lock', null),
  }),
  ui('unlock, for a site', () => ({ password: PASSWORD }), {
    async prepare(scene) {
      await scene.worker.ui('lock', null)
      await askOnly(scene)
    },
  }),
  ui('lock'),
  ui('touch'),
  ui('changePassword', () => ({ current: PASSWORD, next: NEXT_PASSWORD }), {
    nextPassword: NEXT_PASSWORD,
  }),
  ui('revealPhrase', () => ({ password: PASSWORD })),
  ui('revealKey', ({ account }) => ({ password: PASSWORD, accountId: account.id })),
  ui('resetWallet', () => ({ confirmation: 'erase' }), { prepare: askOnly }),
  // Accounts
  ui('selectAccount', ({ added }) => ({ accountId: added.id })),
  ui('addAccount', () => ({ addressType: 'p2tr', name: 'Savings' })),
  ui('importWif', () => ({ wif: TEST_WIF, addressType: 'p2tr', name: 'Paper' })),
  ui('watchAddress', () => ({ address: RECIPIENT, name: 'Vault' })),
  ui('renameAccount', ({ added }) => ({ accountId: added.id, name: 'Bills' })),
  ui('setAccountHidden', ({ added }) => ({ accountId: added.id, hidden: true })),
  ui('removeAccount', ({ account }) => ({ accountId: account.id }), {
    halves: ['sites'],
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
  // Home
  ui('getOverview', () => ({ retry: true })),
  ui('getActivity', () => page, { prepare: pay }),
  ui('getActivityDetails', ofTransaction, { prepare: pay }),
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
  ui('exportActivity', () => null, { prepare: pay }),
  ui('getCoins'),
  ui('setCoinChoice', ({ clean }) => ({ outpoint: clean[0], choice: 'locked' })),
  // Inscriptions and Atomicals
  ui('getInscriptions', () => page),
  ui('getInscription', ({ single }) => ({ id: single.ids[0] })),
  ui('getInscriptionContent', ({ single }) => ({ id: single.ids[0], preview: false })),
  ui('planTransfer', ({ single }) => ({
    ...{ ids: single.ids, to: RECIPIENT, feeRate: 2, label: '' },
  })),
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
  // Inscribing
  ui('planInscribe', () => TEXTS),
  ui('planJobBump', (_, { jobId }: { jobId: string }) => ({ jobId, feeRate: 40 }), {
    prepare: inscribe,
  }),
  ui('planJobRefund', (_, plan) => plan, { prepare: planRefund }),
  confirming('confirmInscribe', 'two texts', ({ worker }) => worker.ui('planInscribe', TEXTS)),
  confirming('confirmInscribe', 'a bump', async scene => {
    const { jobId } = await inscribe(scene)
    return scene.worker.ui('planJobBump', { jobId, feeRate: 40 })
  }),
  confirming('confirmInscribe', 'a refund', async scene =>
    scene.worker.ui('planJobRefund', await planRefund(scene)),
  ),
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
  ui('planPayment', () => draft()),
  ui('getBumpOptions', ofTransaction, { prepare: pay }),
  ui('planBump', (_, { txid }: { txid: string }) => ({ txid, kind: 'speed-up', feeRate: 12 }), {
    prepare: pay,
  }),
  confirming('confirmPayment', 'with a note', scene => planning(scene, { label: 'rent' })),
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
  ui('getBlockedSites'),
  ui('blockSite', () => ({ origin: SITE })),
  ui('unblockSite', () => ({ origin: SITE }), {
    prepare: ({ worker }) => worker.ui('blockSite', { origin: SITE }),
  }),
  ui('getHttpSites'),
  ui('setHttpSite', () => ({ origin: 'http://plain.example', on: true })),
  ui('changeSettings', () => ({ autoLockMinutes: 30, theme: 'dark' })),
  ui('getChangedRecords', () => null, { prepare: tamper }),
  ui('settleChangedRecords', (_, digest: string) => ({ digest, keep: false }), {
    prepare: tamper,
  }),
  ui('getOkxAlias'),
  ui('setOkxAlias', () => ({ origin: SITE, on: true })),
  // Approvals
  ui('getApproval', () => null, { prepare: askOnly }),
  ...(['approve', 'reject'] as const).map(decision =>
    ui(`decide, ${decision}`, (_, waiting: object) => ({ ...waiting, decision }), {
      prepare: askOnly,
    }),
  ),
  ui('showApprovals'),
  ui('closeApprovals'),
]

/** Operations that write nothing and ask no server. */
export const WITHOUT_POINTS: readonly string[] = [
  ...['getAccounts', 'getNetwork', 'getPublicKey'],
  ...['getState', 'generateMnemonic', 'checkMnemonic', 'checkWif', 'getServers'].map(nameUi),
  ...['getContacts', 'getSites', 'getBlockedSites', 'getHttpSites', 'getOkxAlias'].map(nameUi),
  nameUi('getChangedRecords'),
  ...['getJobs', 'getJobContent', 'getRuneMints'].map(nameUi),
  ...['getApproval', 'showApprovals', 'closeApprovals'].map(nameUi),
]

function nameUi(name: string): string {
  return `ui.${name}`
}

export const OPERATIONS: readonly Operation[] = [
  ...SITE_OPERATIONS,
  ...STAND_IN_OPERATIONS,
  ...UI_OPERATIONS,
  ...MINT_OPERATIONS,
]
