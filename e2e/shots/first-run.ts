import type { Screen } from '../driver/screen.ts'
import { FAIR_THROWS, typeThrows } from './fixtures/throws.ts'
import { type Answers, failing, SETTINGS, type Shot, silent, stateWith, value } from './shot.ts'

/** A phrase of BIP-39's vectors, which nobody keeps money on. */
const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(
  ' ',
)
const REST = WORDS.slice(6).join(' ')
/** A phrase that is a seed of Electrum too. */
const MASS = `${'abandon '.repeat(11)}mass`

const EMPTY = stateWith({ vault: 'none', accounts: [], accountId: null, hasPhrase: null })
const LOCKED = stateWith({ vault: 'locked', accounts: [], accountId: null, hasPhrase: null })

const none: Answers = {
  getState: value(EMPTY),
  generateMnemonic: value({ words: WORDS }),
  checkMnemonic: value({ valid: true, kinds: ['bip39'] }),
  prepareKey: silent,
  createVault: silent,
}
const locked: Answers = { getState: value(LOCKED) }
const german = { ...SETTINGS, language: 'de' as const }

const WIF = 'KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d'
const WIF_ADDRESSES: Answers['checkWif'] = value({
  valid: true,
  addresses: [
    { addressType: 'p2wpkh', address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' },
    {
      addressType: 'p2tr',
      address: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    },
    { addressType: 'p2sh-p2wpkh', address: '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf' },
    { addressType: 'p2pkh', address: '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA' },
  ],
})

async function showWords(screen: Screen): Promise<void> {
  await screen.click('button', 'Show words')
}

async function confirmWords(screen: Screen): Promise<void> {
  await showWords(screen)
  await screen.click('checkbox', 'I wrote them down')
  await screen.click('button', 'Continue')
}

async function typePhrase(screen: Screen, words = WORDS.join(' ')): Promise<void> {
  await screen.fill('textbox', 'Recovery words', words)
  await screen.click('button', 'Continue')
}

async function typePassword(screen: Screen): Promise<void> {
  await screen.fill('textbox', 'Password', 'not the password')
  await screen.click('button', 'Unlock')
}

export const shots: Shot[] = [
  { name: 'first-run-welcome', answers: none },
  { name: 'first-run-welcome-tab', surface: 'tab', answers: none },
  {
    name: 'first-run-welcome-german',
    answers: { getState: value({ ...EMPTY, settings: german }) },
  },
  ...[320, 480].map(width => ({
    name: `first-run-welcome-${width}`,
    surface: 'panel' as const,
    size: { width, height: 700 },
    answers: width === 320 ? { getState: value({ ...EMPTY, settings: german }) } : none,
  })),
  { name: 'first-run-loading', answers: { getState: silent } },
  {
    name: 'first-run-no-answer',
    answers: { getState: failing(4900, 'Satchel was just updated.') },
  },
  { name: 'first-run-create', surface: 'tab', path: '/create', answers: none },
  {
    name: 'first-run-create-german',
    path: '/create',
    answers: { ...none, getState: value({ ...EMPTY, settings: german }) },
  },
  {
    name: 'first-run-create-loading',
    path: '/create',
    answers: { ...none, generateMnemonic: silent },
  },
  {
    name: 'first-run-words-hidden',
    path: '/create',
    answers: none,
  },
  { name: 'first-run-words-shown', path: '/create', answers: none, act: showWords },
  {
    name: 'first-run-words-24',
    path: '/create',
    answers: {
      ...none,
      generateMnemonic: {
        given: ({ words }) => ({ words: Array.from({ length: words }, () => 'abandon') }),
      },
    },
    async act(screen) {
      await screen.click('button', 'Use 24 words instead')
      await showWords(screen)
    },
  },
  { name: 'first-run-confirm', path: '/create', answers: none, act: confirmWords },
  {
    name: 'first-run-confirm-wrong',
    path: '/create',
    answers: none,
    async act(screen) {
      await confirmWords(screen)
      await screen.click('button', 'Continue')
    },
  },
  ...[{}, { language: 'de' as const }, { theme: 'dark' as const }].flatMap((look, at) => {
    const suffix = ['', '-german', '-dark'][at]
    const answers = { ...none, getState: value({ ...EMPTY, settings: { ...SETTINGS, ...look } }) }
    const isGerman = at === 1
    return [
      {
        name: `first-run-throws${suffix}`,
        path: '/create',
        answers,
        act: (screen: Screen) => typeThrows(screen, FAIR_THROWS.slice(0, 37), isGerman),
      },
      {
        name: `first-run-throws-poor${suffix}`,
        path: '/create',
        answers,
        async act(screen: Screen) {
          await typeThrows(screen, `${'6'.repeat(28)}${FAIR_THROWS}`.slice(0, 50), isGerman)
          await screen.find('alert')
        },
      },
      {
        name: `first-run-throws-steps${suffix}`,
        surface: 'tab' as const,
        path: '/create',
        answers,
        async act(screen: Screen) {
          await typeThrows(screen, FAIR_THROWS.slice(0, 50), isGerman)
          await screen.click('button', isGerman ? 'Schritte zeigen' : 'Show the steps')
        },
      },
    ]
  }),
  {
    name: 'first-run-throws-steps-popup',
    path: '/create',
    answers: none,
    async act(screen) {
      await typeThrows(screen, FAIR_THROWS.slice(0, 50))
      await screen.click('button', 'Show the steps')
    },
  },
  {
    name: 'first-run-throws-veiled',
    path: '/create',
    answers: none,
    act: screen => typeThrows(screen, FAIR_THROWS.slice(0, 50)),
  },
  {
    name: 'first-run-create-fails',
    path: '/create',
    answers: { ...none, generateMnemonic: failing(-32603, 'Internal error') },
  },
  { name: 'first-run-import', surface: 'tab', path: '/import', answers: none },
  {
    name: 'first-run-import-passphrase',
    path: '/import',
    answers: none,
    async act(screen) {
      await screen.fill('textbox', 'Recovery words', WORDS.join(' '))
      await screen.click('button', 'Add a passphrase')
    },
  },
  {
    name: 'first-run-import-unknown-word',
    path: '/import',
    answers: {
      ...none,
      checkMnemonic: value({
        valid: false,
        problem: 'UNKNOWN_WORD',
        unknownWords: [
          { word: 'lgeal', place: 0, nearest: ['legal', 'local', 'medal'] },
          { word: 'bitcion', place: 4, nearest: [] },
          { word: 'savsage', place: 5, nearest: ['sausage'] },
        ],
        wordCount: 12,
        isTwoFactor: false,
      }),
    },
    act: screen => typePhrase(screen, `lgeal winner thank year bitcion savsage ${REST}`),
  },
  {
    name: 'first-run-import-unknown-word-german',
    path: '/import',
    answers: {
      ...none,
      getState: value({ ...EMPTY, settings: german }),
      checkMnemonic: value({
        valid: false,
        problem: 'UNKNOWN_WORD',
        unknownWords: [{ word: 'savsage', place: 5, nearest: ['sausage'] }],
        wordCount: 12,
        isTwoFactor: false,
      }),
    },
    async act(screen) {
      await screen.fill('textbox', 'Wiederherstellungswörter', WORDS.join(' '))
      await screen.click('button', 'Weiter')
    },
  },
  {
    name: 'first-run-import-checksum',
    path: '/import',
    answers: {
      ...none,
      checkMnemonic: value({
        valid: false,
        problem: 'CHECKSUM',
        unknownWords: [],
        wordCount: 12,
        isTwoFactor: false,
      }),
    },
    act: screen => typePhrase(screen, `winner legal thank year wave sausage ${REST}`),
  },
  {
    name: 'first-run-import-word-count',
    path: '/import',
    answers: {
      ...none,
      checkMnemonic: value({
        valid: false,
        problem: 'WORD_COUNT',
        unknownWords: [],
        wordCount: 11,
        isTwoFactor: false,
      }),
    },
    act: screen => typePhrase(screen, WORDS.slice(1).join(' ')),
  },
  {
    name: 'first-run-import-two-factor',
    path: '/import',
    answers: {
      ...none,
      checkMnemonic: value({
        valid: false,
        problem: 'CHECKSUM',
        unknownWords: [],
        wordCount: 12,
        isTwoFactor: true,
      }),
    },
    // Of Electrum's tests.
    act: screen =>
      typePhrase(screen, 'science dawn member doll dutch real can brick knife deny drive list'),
  },
  {
    name: 'first-run-import-old-electrum',
    path: '/import',
    answers: {
      ...none,
      checkMnemonic: value({
        valid: false,
        problem: 'UNKNOWN_WORD',
        unknownWords: [{ word: 'tease', place: 5, nearest: ['ease'] }],
        wordCount: 12,
        isTwoFactor: false,
      }),
    },
    // Of Electrum's tests.
    act: screen =>
      typePhrase(
        screen,
        'cell dumb heartbeat north boom tease ship baby bright kingdom rare squeeze',
      ),
  },
  ...[{}, { language: 'de' as const }, { theme: 'dark' as const }].map((look, at) => ({
    name: `first-run-import-whose${['', '-german', '-dark'][at]}`,
    path: '/import',
    answers: {
      ...none,
      getState: value({ ...EMPTY, settings: { ...SETTINGS, ...look } }),
      checkMnemonic: value({ valid: true, kinds: ['bip39', 'electrum-standard'] }),
    } satisfies Answers,
    async act(screen: Screen) {
      await screen.fill('textbox', at === 1 ? 'Wiederherstellungswörter' : 'Recovery words', MASS)
      await screen.click('button', at === 1 ? 'Weiter' : 'Continue')
      await screen.find('radio', 'Electrum')
    },
  })),
  {
    name: 'first-run-import-only-electrum',
    path: '/import',
    answers: { ...none, checkMnemonic: value({ valid: true, kinds: ['electrum-segwit'] }) },
    act: screen => typePhrase(screen, 'wild father tree among universe such mobile favorite'),
  },
  {
    name: 'first-run-import-key',
    path: '/import',
    answers: { ...none, checkWif: WIF_ADDRESSES },
    async act(screen) {
      await screen.click('button', 'Use a private key instead')
      await screen.fill('textbox', 'Private key', WIF)
    },
  },
  {
    name: 'first-run-import-key-wrong',
    path: '/import',
    answers: { ...none, checkWif: value({ valid: false, problem: 'MALFORMED' }) },
    async act(screen) {
      await screen.click('button', 'Use a private key instead')
      await screen.fill('textbox', 'Private key', `${WIF.slice(0, -1)}e`)
    },
  },
  {
    name: 'first-run-password',
    path: '/import',
    answers: none,
    async act(screen) {
      await typePhrase(screen)
      await screen.fill('textbox', 'Password', 'correct horse battery')
    },
  },
  {
    name: 'first-run-password-short',
    path: '/import',
    answers: none,
    async act(screen) {
      await typePhrase(screen)
      await screen.fill('textbox', 'Password', 'short')
      await screen.click('button', 'Import wallet')
    },
  },
  ...['weak', 'fair'].map(strength => ({
    name: `first-run-password-${strength}`,
    path: '/import',
    answers: none,
    async act(screen: Screen) {
      await typePhrase(screen)
      await screen.fill('textbox', 'Password', strength === 'weak' ? 'bitcoin123' : 'x9!kQ2#m')
      if (strength === 'weak') await screen.click('button', 'Import wallet')
    },
  })),
  {
    name: 'first-run-password-encrypting',
    path: '/import',
    answers: none,
    async act(screen) {
      await typePhrase(screen)
      await screen.fill('textbox', 'Password', 'correct horse battery')
      await screen.fill('textbox', 'Repeat password', 'correct horse battery')
      await screen.click('button', 'Import wallet')
    },
  },
  { name: 'first-run-unlock', answers: locked },
  { name: 'first-run-unlock-tab', surface: 'tab', answers: locked },
  {
    name: 'first-run-unlock-wrong',
    answers: {
      ...locked,
      unlock: value({ unlocked: false, reason: 'WRONG_PASSWORD', retryAfterMs: 0 }),
    },
    act: typePassword,
  },
  {
    name: 'first-run-unlock-wait',
    answers: {
      ...locked,
      unlock: value({ unlocked: false, reason: 'WRONG_PASSWORD', retryAfterMs: 30_000 }),
    },
    act: typePassword,
  },
  {
    name: 'first-run-unlock-wait-german',
    answers: { getState: value({ ...LOCKED, settings: german, unlockDelayMs: 60_000 }) },
  },
  {
    name: 'first-run-unlock-damaged',
    answers: {
      ...locked,
      unlock: value({ unlocked: false, reason: 'DAMAGED', retryAfterMs: 0 }),
    },
    act: typePassword,
  },
  { name: 'first-run-damaged', answers: { getState: value({ ...LOCKED, vault: 'damaged' }) } },
  { name: 'first-run-forgot', path: '/settings/reset', answers: locked },
]
