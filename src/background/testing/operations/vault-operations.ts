import { RECIPIENT } from '../funded-wallet.ts'
import { ABANDON_MNEMONIC, connectPage, fund, PASSWORD } from '../test-wallet.ts'
import { askOnly, type Scene } from '../wallet-scene.ts'
import { type Operation, ui } from './operation.ts'

export const LEGAL_WINNER =
  'legal winner thank year wave sausage worth useful legal winner thank yellow'

const NEXT_PASSWORD = 'another horse battery'

/** Of Bitcoin's wiki on the import format: a key of the test networks. */
export const TEST_WIF = 'cMzLdeGd5vEqxB8B6VFQoRopQ3sLAAvEzDAoQgvX54xwofSWj1fx'

const LABELS = [
  `{"type":"tx","ref":"${'ab'.repeat(32)}","label":"rent"}`,
  `{"type":"addr","ref":"${RECIPIENT}","label":"Carol"}`,
  `{"type":"output","ref":"${'ab'.repeat(32)}:0","spendable":false}`,
].join('\n')

const PRF = '7e'.repeat(32)
const BACKUP_PASSWORD = 'a battery of horses'

async function backUp({ worker }: Scene) {
  const password = BACKUP_PASSWORD
  const made = await worker.ui('createBackup', { walletPassword: PASSWORD, password })
  return { file: made.accepted ? made.file : '', password }
}

/** A file with an account, a contact and a lock that are not there any more. */
async function backUpAndForget(scene: Scene) {
  const { worker, added, contact, clean } = scene
  const [outpoint = ''] = clean
  await worker.ui('setCoinChoice', { outpoint, choice: 'locked' })
  const file = await backUp(scene)
  await worker.ui('setCoinChoice', { outpoint, choice: null })
  await worker.ui('removeAccount', { accountId: added.id })
  await worker.ui('removeContact', { id: contact.id })
  const { digest, sections } = await worker.ui('reviewBackup', file)
  return { ...file, digest, parts: sections.map(({ part }) => part) }
}

/** The phrase of BIP-39's vector of 16 bytes of 0x7f, with a grant, a note and a locked coin of its first account. */
async function addPhrase({ worker, world }: Scene) {
  const words = { mnemonic: LEGAL_WINNER, passphrase: '' }
  const { phrase, accounts } = await worker.ui('addPhrase', { ...words, name: 'Second' })
  const [account] = accounts
  if (!account) throw new Error('the phrase has no account')
  await worker.ui('selectAccount', { accountId: account.id })
  const txid = fund(world, account.address, 70_000n)
  await connectPage(worker, 'https://second.example')
  await worker.ui('setLabel', { txid, label: 'salary' })
  await worker.ui('setCoinChoice', { outpoint: `${txid}:0`, choice: 'locked' })
  return phrase
}

/** What a passkey gives that was just made for this wallet. */
async function preparePasskey({ worker }: Scene) {
  const prepared = await worker.ui('preparePasskey', { password: PASSWORD })
  return { salt: prepared.accepted ? prepared.salt : '', credentialId: 'c0ffee', prf: PRF }
}

/** The wallet, its password and passkey, and files of what it knows. */
export const VAULT_OPERATIONS: readonly Operation[] = [
  ui('generateMnemonic', () => ({ words: 12 })),
  ui('checkMnemonic', () => ({ mnemonic: ABANDON_MNEMONIC })),
  ui('checkWif', () => ({ wif: TEST_WIF, network: 'regtest' })),
  ui('prepareKey', () => ({ password: NEXT_PASSWORD })),
  ui(
    'createVault',
    () => ({
      origin: { kind: 'mnemonic', mnemonic: ABANDON_MNEMONIC, passphrase: '' },
      password: PASSWORD,
      isNew: true,
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
  ui('unlockWithPasskey', () => ({ prf: PRF }), {
    async prepare(scene) {
      await scene.worker.ui('addPasskey', await preparePasskey(scene))
      await scene.worker.ui('lock', null)
    },
  }),
  ui('preparePasskey', () => ({ password: PASSWORD })),
  ui('addPasskey', (_, prepared) => prepared, { prepare: preparePasskey }),
  ui('removePasskey', () => ({ password: PASSWORD }), {
    prepare: async scene => scene.worker.ui('addPasskey', await preparePasskey(scene)),
  }),
  ui('revealPhrase', () => ({ password: PASSWORD })),
  ui('addPhrase', () => ({ mnemonic: LEGAL_WINNER, passphrase: 'tea', name: '' })),
  ui('renamePhrase', (_, { id }: { id: string }) => ({ phraseId: id, name: 'Holidays' }), {
    prepare: addPhrase,
  }),
  ui('removePhrase', (_, { id }: { id: string }) => ({ phraseId: id, password: PASSWORD }), {
    prepare: addPhrase,
  }),
  ui('revealKey', ({ account }) => ({ password: PASSWORD, accountId: account.id })),
  ui('resetWallet', () => ({ confirmation: 'erase' }), { prepare: askOnly }),
  ui('createBackup', () => ({ walletPassword: PASSWORD, password: BACKUP_PASSWORD })),
  ui('reviewBackup', (_, shown) => shown, { prepare: backUp }),
  ui('restoreBackup', (_, shown) => shown, { prepare: backUpAndForget }),
  ui('exportLabels'),
  ui('reviewLabels', () => ({ text: LABELS })),
  ui('importLabels', (_, shown) => shown, {
    async prepare({ worker }) {
      const { digest } = await worker.ui('reviewLabels', { text: LABELS })
      return { text: LABELS, digest }
    },
  }),
]
