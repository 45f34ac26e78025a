import { describe, expect, it } from 'vitest'
import { UNISAT_NAMES, type UnisatName } from '../../provider/unisat-names.ts'
import { RECIPIENT, SITE, startFunded } from '../testing/funded-wallet.ts'
import {
  createWorld,
  decideNext,
  openPage,
  startUnlocked,
  startWorker,
} from '../testing/test-wallet.ts'

const ID = `${'ab'.repeat(32)}i0`
/** The least PSBT there is. */
const PSBT = '70736274ff01000a0200000000000000000000'
/** The least one with an input. */
const ONE_INPUT = `70736274ff0100330200000001${'11'.repeat(32)}0000000000ffffffff00000000000000`

/** What makes a request go on to the question of whether the page may. */
const FIT: { [name in UnisatName]?: unknown[] } = {
  switchNetwork: ['livenet'],
  switchChain: ['BITCOIN_SIGNET'],
  sendBitcoin: [RECIPIENT, 1000],
  sendRunes: [RECIPIENT, '63104:1', '10'],
  sendInscription: [RECIPIENT, ID],
  inscribeTransfer: ['ordi', '10'],
  signMessage: ['hello'],
  signMessages: [[{ text: 'hello' }]],
  multiSignMessage: [[{ text: 'hello' }]],
  signData: ['00'],
  verifyMessageOfBIP322Simple: [RECIPIENT, 'hello', 'AA=='],
  signPsbt: [PSBT],
  signPsbts: [[PSBT]],
  pushTx: [{ rawtx: '00' }],
  pushPsbt: [PSBT],
  deriveContextHash: ['vault', '00ff'],
}

/** What everybody is told: nothing of an account. */
const FREE: UnisatName[] = ['getAccounts', 'getNetwork', 'getChain', 'getVersion', 'disconnect']

/** What asks to connect, as UniSat does. */
const CONNECTING: UnisatName[] = ['requestAccounts', 'getPublicKey', 'switchNetwork', 'switchChain']

/** What nobody gets. */
const REFUSED: UnisatName[] = ['signData']

describe('a page that is not connected', () => {
  it.each(UNISAT_NAMES.filter(name => !CONNECTING.includes(name)))(
    'learns nothing of the account from unisat.%s, and asks nobody',
    async name => {
      const world = createWorld()
      const worker = await startUnlocked(world)
      const page = openPage(worker, SITE)
      const answer = await page.call(`unisat.${name}`, ...(FIT[name] ?? []))
      if (FREE.includes(name)) expect(answer).toHaveProperty('result')
      else expect(answer).toMatchObject({ error: { code: REFUSED.includes(name) ? 4200 : 4100 } })
      const traffic = JSON.stringify(page.received)
      for (const { address, publicKey } of (await worker.ui('getState', null)).accounts) {
        expect(traffic).not.toContain(address)
        expect(traffic).not.toContain(publicKey?.slice(2))
      }
      expect(world.window.shown).toBe(0)
    },
  )

  it.each(CONNECTING)('is asked about by unisat.%s, and learns nothing before', async name => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const answer = page.call(`unisat.${name}`, ...(FIT[name] ?? []))
    await decideNext(worker, 'reject', 'connect')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(page.states().at(-1)).toEqual({ account: null, network: null })
  })

  it('is told to open the wallet where there is none', async () => {
    const page = openPage(startWorker(createWorld()), SITE)
    expect(await page.call('unisat.requestAccounts')).toMatchObject({ error: { code: 4900 } })
    expect(await page.call('unisat.signMessage', 'hello')).toMatchObject({ error: { code: 4100 } })
  })
})

describe('a name that nobody knows', () => {
  it.each(['connect', 'mint', 'toString', '__proto__', '', 'x'.repeat(100)])(
    '(%j) gets -32601',
    async name => {
      const page = openPage(await startUnlocked(), SITE)
      expect(await page.send('id', `unisat.${name}`)).toMatchObject({
        error: { code: -32601, message: expect.stringContaining('Unknown method: ') },
      })
    },
  )
})

describe('parameters that do not fit', () => {
  const cases: [UnisatName, unknown[], string][] = [
    ['switchNetwork', [], 'network: expected livenet or testnet, got undefined'],
    ['switchNetwork', ['BITCOIN_MAINNET'], 'network: expected livenet or testnet'],
    ['switchChain', ['livenet'], 'chain: expected one of BITCOIN_MAINNET, BITCOIN_TESTNET4'],
    ['switchChain', ['BITCOIN_TESTNET'], 'chain: expected one of BITCOIN_MAINNET'],
    ['switchChain', ['FRACTAL_BITCOIN_MAINNET'], 'chain: expected one of BITCOIN_MAINNET'],
    ['getBitcoinUtxos', [-1], 'cursor: expected a whole number'],
    ['getBitcoinUtxos', [0, '5'], 'size: expected a whole number'],
    ['getInscriptions', ['0'], 'cursor: expected a whole number'],
    ['sendBitcoin', [RECIPIENT, 0.5], 'satoshis: expected'],
    ['sendBitcoin', [RECIPIENT, 1000, 7], 'options: expected an object'],
    ['sendBitcoin', [7, 1000, { memo: 'a' }], 'toAddress: expected a string'],
    ['sendBitcoin', ['x', 1000, { memo: 'a' }], 'toAddress: '],
    ['sendBitcoin', [RECIPIENT, 1, { memo: 'a' }], 'satoshis: expected'],
    ['sendBitcoin', [RECIPIENT, 1000, { memo: 'a', feeRate: -1 }], 'options.feeRate: expected'],
    ['sendBitcoin', [RECIPIENT, 1000, { memo: 'é'.repeat(41) }], 'options.memo: expected text of'],
    [
      'sendBitcoin',
      [RECIPIENT, 1000, { memos: ['a', 'b'] }],
      'options.memos: expected a list of at most 1',
    ],
    [
      'sendBitcoin',
      [RECIPIENT, 1000, { memo: 'ff' }],
      'options.memo: expected text, or hex of text in UTF-8',
    ],
    ['sendInscription', [RECIPIENT, 'x'], 'inscriptionId: expected an id'],
    ['signMessage', [7], 'signStr: expected a string'],
    ['signMessage', ['hello', 'rsa'], 'type: expected one of'],
    ['signMessages', [[]], 'messages: expected a list of 1 to 50'],
    ['signMessages', [[{ text: 7 }]], 'messages[0].text: expected a string'],
    ['verifyMessageOfBIP322Simple', [RECIPIENT, 'hello'], 'signature: expected a string'],
    ['signPsbt', ['hello'], 'psbt: expected a PSBT'],
    ['signPsbt', [PSBT, 'all'], 'options: expected an object'],
    ['signPsbt', [PSBT, { toSignInputs: {} }], 'options.toSignInputs: expected a list'],
    ['signPsbt', [PSBT, { toSignInputs: [{ index: 0 }] }], 'options.toSignInputs[0]: address'],
    [
      'signPsbt',
      [ONE_INPUT, { toSignInputs: [{ index: '1', address: 'x' }] }],
      'options.toSignInputs[0].index: expected the index of one of the 1 inputs',
    ],
    [
      'signPsbts',
      [
        [ONE_INPUT, ONE_INPUT],
        [null, { toSignInputs: [{ index: 1, address: 'x' }] }],
      ],
      'options[1].toSignInputs[0].index: expected the index of one of the 1 inputs',
    ],
    ['signPsbts', [[]], 'psbts: expected at least one'],
    ['signPsbts', [[PSBT, 'x']], 'psbts[1]: expected a PSBT'],
    ['pushTx', [{}], 'rawTx: expected a string'],
    ['pushPsbt', ['x'], 'psbt: expected a PSBT'],
  ]

  it.each(cases)('of unisat.%s, %j, are named', async (name, params, message) => {
    const { page, world } = await startFunded()
    const { shown } = world.window
    expect(await page.call(`unisat.${name}`, ...params)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(message) },
    })
    expect(world.window.shown).toBe(shown)
  })
})
