import type { WalletState } from '../../src/background/views/ui-methods.ts'
import type { Screen } from '../driver/screen.ts'
import { german, MIXED, open, openDialog } from './accounts.ts'
import { failing, PHRASE, SEGWIT, SETTINGS, type Shot, TAPROOT, unnamed, value } from './shot.ts'

const dark = { settings: { ...SETTINGS, theme: 'dark' as const } }
const SECOND_PHRASE = {
  id: '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  name: 'Holidays',
  kind: 'bip39' as const,
}
const EMPTY_PHRASE = {
  id: '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  name: unnamed('wallet', 3),
  kind: 'bip39' as const,
}

const ELECTRUM_PHRASE = {
  ...{ id: '1c1d1e1f101112131415161718191a1b', name: unnamed('wallet', 2) },
  kind: 'electrum-segwit' as const,
}
/** The account in use is the one of a seed of Electrum. */
const ELECTRUM: Partial<WalletState> = {
  phrases: [PHRASE, ELECTRUM_PHRASE],
  accounts: [
    TAPROOT,
    {
      ...SEGWIT,
      id: 'c1c2c3c4c5c6c7c8c9cacbcccdcecfc0',
      name: unnamed('account', 2),
      source: 'seed',
      phraseId: ELECTRUM_PHRASE.id,
      derivationPath: "m/0'/0/0",
      // Of Electrum's tests.
      address: 'bc1q3g5tmkmlvxryhh843v4dz026avatc0zzr6h3af',
    },
  ],
  accountId: 'c1c2c3c4c5c6c7c8c9cacbcccdcecfc0',
}

/** Three wallets, of which the last has no account, and accounts without words. */
const SEVERAL: Partial<WalletState> = {
  phrases: [PHRASE, SECOND_PHRASE, EMPTY_PHRASE],
  accounts: [
    ...MIXED,
    {
      ...TAPROOT,
      id: 'b1b2b3b4b5b6b7b8b9babbbcbdbebfc0',
      name: unnamed('account', 7),
      source: 'seed',
      phraseId: SECOND_PHRASE.id,
      derivationPath: "m/86'/0'/0'/0/0",
      address: 'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
    },
  ],
}

async function typeWords(screen: Screen): Promise<void> {
  await screen.click('button', 'Import a wallet*')
  await screen.fill('textbox', 'Recovery words', `${'abandon '.repeat(11)}about`)
  await screen.click('button', 'Continue')
  await screen.find('textbox', 'Name of the wallet')
}

export const shots: Shot[] = [
  { name: 'wallets-list', path: '/accounts', answers: open(SEVERAL) },
  { name: 'wallets-list-german', path: '/accounts', answers: open({ ...SEVERAL, ...german }) },
  { name: 'wallets-list-dark', path: '/accounts', answers: open({ ...SEVERAL, ...dark }) },
  { name: 'wallets-list-add-account', path: '/accounts/add', answers: open(SEVERAL) },
  { name: 'wallets-backup', path: '/settings/backup', answers: open(SEVERAL) },
  { name: 'wallets', path: `/accounts/wallet/${SECOND_PHRASE.id}`, answers: open(SEVERAL) },
  {
    name: 'wallets-electrum',
    path: `/accounts/wallet/${ELECTRUM_PHRASE.id}`,
    answers: open(ELECTRUM),
  },
  {
    name: 'wallets-electrum-restore',
    path: `/accounts/restore/${ELECTRUM_PHRASE.id}`,
    answers: open(ELECTRUM),
  },
  {
    name: 'wallets-electrum-add-account',
    path: '/accounts/add',
    answers: open(ELECTRUM),
  },
  {
    name: 'wallets-electrum-backup',
    path: `/settings/backup/${ELECTRUM_PHRASE.id}`,
    answers: open(ELECTRUM, {
      revealPhrase: value({
        accepted: true,
        words: 'frost pig brisk excite novel report camera enlist axis nation novel desert'.split(
          ' ',
        ),
        passphrase: '',
      }),
    }),
    async act(screen) {
      await screen.fill('textbox', 'Password', 'correct horse battery')
      await screen.click('button', 'Continue')
      await screen.click('button', 'Show words')
    },
  },
  { name: 'wallets-gone', path: '/accounts/wallet/00', answers: open(SEVERAL) },
  {
    name: 'wallets-rename',
    path: `/accounts/wallet/${SECOND_PHRASE.id}`,
    answers: open(SEVERAL),
    act: screen => openDialog(screen, 'Rename'),
  },
  ...[{}, german, dark].map((look, at) => ({
    name: `wallets-remove${['', '-german', '-dark'][at]}`,
    path: `/accounts/wallet/${PHRASE.id}`,
    answers: open({ ...SEVERAL, ...look }),
    act: (screen: Screen) => openDialog(screen, at === 1 ? 'Wallet entfernen' : 'Remove wallet'),
  })),
  {
    name: 'wallets-remove-busy',
    path: `/accounts/wallet/${PHRASE.id}`,
    answers: open(SEVERAL, {
      removePhrase: failing(-32000, 'Something is under way.', {
        reason: 'JOBS_UNDER_WAY',
        names: [TAPROOT.name, 'Savings'],
      }),
    }),
    async act(screen) {
      await openDialog(screen, 'Remove wallet')
      await screen.click('checkbox', 'I have these words*')
      await screen.fill('textbox', 'Password', 'correct horse battery')
      await screen.click('button', 'Remove')
      await screen.waitForText('still under way')
    },
  },
  { name: 'wallets-add', path: '/accounts/add-wallet', answers: open() },
  {
    name: 'wallets-add-name',
    path: '/accounts/add-wallet',
    answers: open({}, { checkMnemonic: value({ valid: true, kinds: ['bip39'] }) }),
    act: typeWords,
  },
  {
    name: 'wallets-add-twice',
    path: '/accounts/add-wallet',
    answers: open(
      {},
      {
        checkMnemonic: value({ valid: true, kinds: ['bip39'] }),
        addPhrase: failing(-32000, 'It is there.', { reason: 'PHRASE_EXISTS', name: PHRASE.name }),
      },
    ),
    async act(screen) {
      await typeWords(screen)
      await screen.click('button', 'Add a wallet')
      await screen.waitForText('already, as')
    },
  },
]
