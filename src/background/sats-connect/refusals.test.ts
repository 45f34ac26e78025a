import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SATS_CONNECT_NAMES, type SatsConnectName } from '../../provider/sats-connect-names.ts'
import { RECIPIENT, SITE, startFunded } from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  decideAll,
  openPage,
  startUnlocked,
  startWorker,
} from '../testing/test-wallet.ts'
import { ask } from './testing/sats-connect-site.ts'

const ID = `${'ab'.repeat(32)}i0`
/** The least PSBT there is. */
const PSBT = Buffer.from('70736274ff01000a0200000000000000000000', 'hex').toString('base64')

/** What makes a request go on to the question of whether the page may. */
const FIT: { [name in SatsConnectName]?: unknown } = {
  getAddresses: { purposes: ['payment'] },
  getAccounts: { purposes: ['payment'] },
  signMessage: { address: RECIPIENT, message: 'hello' },
  signMultipleMessages: [{ address: RECIPIENT, message: 'hello' }],
  signPsbt: { psbt: PSBT },
  sendTransfer: { recipients: [{ address: RECIPIENT, amount: 1000 }] },
  wallet_changeNetwork: { name: 'Signet' },
  ord_getInscriptions: { offset: 0, limit: 10 },
  ord_sendInscriptions: { transfers: [{ address: RECIPIENT, inscriptionId: ID }] },
  runes_transfer: {
    recipients: [{ address: RECIPIENT, runeName: 'MEMORY•RUNE•OF•TESTS', amount: '10' }],
  },
  runes_mint: { runeName: 'OPEN•RUNE•OF•TESTS', repeats: 1 },
  runes_etch: { runeName: 'SATCHEL•TEST•RUNES', premine: '10', isMintable: false },
  runes_estimateMint: { runeName: 'OPEN•RUNE•OF•TESTS', repeats: 1 },
  runes_estimateEtch: { runeName: 'SATCHEL•TEST•RUNES', premine: '10', isMintable: false },
}

/** What ask to connect. */
const CONNECTING = ['getAddresses', 'getAccounts', 'wallet_connect', 'wallet_requestPermissions']

/** What everybody is told: nothing of an account. */
const FREE = [
  'getInfo',
  'wallet_getNetwork',
  'wallet_getWalletType',
  'wallet_getCurrentPermissions',
  'wallet_disconnect',
  'wallet_renouncePermissions',
]

describe('a page that is not connected', () => {
  it.each(SATS_CONNECT_NAMES.filter(name => !CONNECTING.includes(name)))(
    'learns nothing of the account from %s, and asks nobody',
    async name => {
      const world = createWorld()
      const worker = await startUnlocked(world)
      const page = openPage(worker, SITE)
      const answer = await ask(page, name, FIT[name] ?? null)
      if (FREE.includes(name)) expect(answer).toHaveProperty('result')
      else expect(answer).toMatchObject({ error: { code: 4100 } })
      const traffic = JSON.stringify(page.received)
      for (const { address, publicKey } of (await worker.ui('getState', null)).accounts) {
        expect(traffic).not.toContain(address)
        expect(traffic).not.toContain(publicKey?.slice(2))
      }
      expect(world.window.shown).toBe(0)
    },
  )

  it.each(SATS_CONNECT_NAMES.filter(name => !FREE.includes(name)))(
    'gets a clean answer from %s while there is no wallet',
    async name => {
      const page = openPage(startWorker(createWorld()), SITE)
      const answer = await ask(page, name, FIT[name] ?? null)
      expect(answer).toMatchObject({ error: { code: CONNECTING.includes(name) ? 4900 : 4100 } })
    },
  )
})

describe('a name that nobody knows', () => {
  it.each([...['runes_getOrder', 'runes_estimateRbfOrder', 'runes_rbfOrder']])(
    '(%s, which a company’s server would work out) gets -32601',
    async name => {
      const page = openPage(await startUnlocked(), SITE)
      expect(await ask(page, name, { runeName: 'UNCOMMON•GOODS' })).toMatchObject({
        error: { code: -32601, message: expect.stringContaining(name) },
      })
    },
  )

  it.each(['connect', 'toString', '__proto__', '', 'x'.repeat(100)])(
    '(%j) gets -32601',
    async name => {
      const page = openPage(await startUnlocked(), SITE)
      expect(await page.send('id', `satsConnect.${name}`, null)).toMatchObject({
        error: { code: -32601, message: expect.stringContaining('Unknown method: ') },
      })
    },
  )
})

describe('parameters that do not fit', () => {
  const cases: [SatsConnectName, unknown, string][] = [
    ['getAddresses', null, 'purposes: expected a list'],
    ['getAddresses', 'payment', 'params: expected an object'],
    ['getAddresses', { purposes: 'payment' }, 'purposes: expected a list'],
    ['getAddresses', { purposes: [7] }, 'purposes[0]: expected a string'],
    ['getAccounts', { purposes: ['payment'], message: 7 }, 'message: expected a string'],
    ['wallet_connect', { addresses: {} }, 'addresses: expected a list'],
    ['wallet_connect', { addresses: ['stacks'] }, 'addresses: expected payment or ordinals'],
    ['wallet_connect', { message: 'x'.repeat(81) }, 'message: expected at most 80'],
    ['wallet_connect', { network: 'Testnet' }, 'network: expected one of Mainnet, Testnet4'],
    ['wallet_connect', { permissions: 'all' }, 'permissions: expected a list'],
    ['wallet_requestPermissions', { read: true }, 'params: expected a list'],
    ['wallet_changeNetwork', null, 'name: expected one of'],
    ['signMessage', null, 'address: expected a string'],
    ['signMessage', { address: RECIPIENT }, 'message: expected a string'],
    ['signMessage', { address: 'me', message: '' }, 'address: expected a Bitcoin address'],
    ['signMessage', { ...Object(FIT.signMessage), protocol: 'RSA' }, 'protocol: expected ECDSA'],
    [
      'signMessage',
      { address: RECIPIENT, message: '\ud800' },
      'message: expected text without lone surrogates',
    ],
    ['signMultipleMessages', [], 'params: expected a list of 1 to 50'],
    ['signMultipleMessages', {}, 'params: expected a list of 1 to 50'],
    [
      'signMultipleMessages',
      Array(2).fill({ address: RECIPIENT, message: 'x'.repeat(32_769) }),
      'params: expected at most 65536 characters in all',
    ],
    ['signMultipleMessages', [{ address: RECIPIENT }], 'params[0].message: expected a string'],
    ['signMultipleMessages', [7], 'params[0]: expected an object'],
    ['sendTransfer', null, 'recipients: expected a list'],
    ['sendTransfer', { recipients: [{ address: RECIPIENT }] }, 'recipients[0].amount: expected'],
    ['sendTransfer', { recipients: [{ amount: 1000 }] }, 'recipients[0].address: expected'],
    ['ord_getInscriptions', null, 'offset: expected a whole number'],
    ['ord_getInscriptions', { offset: 0, limit: -1 }, 'limit: expected a whole number'],
    ['ord_sendInscriptions', null, 'transfers: expected a list of 1 to 100'],
    ['ord_sendInscriptions', { transfers: [{}] }, 'transfers[0].address: expected a string'],
    [
      'ord_sendInscriptions',
      { transfers: [{ address: RECIPIENT, inscriptionId: 'x' }] },
      'transfers[0]: expected an id',
    ],
    [
      'ord_sendInscriptions',
      { transfers: [{ address: 'x', inscriptionId: ID }] },
      'transfers[0].address: expected a Bitcoin address',
    ],
    ['runes_transfer', null, 'recipients: expected a list of 1 to 20 recipients'],
    ['runes_transfer', { recipients: [] }, 'recipients: expected a list of 1 to 20 recipients'],
    ['runes_transfer', { recipients: [{}] }, 'recipients[0].address: expected a string'],
    [
      'runes_transfer',
      { recipients: [{ address: RECIPIENT, runeName: 'UNCOMMON•GOODS', amount: '1.5' }] },
      'recipients[0].amount: expected a whole number above 0',
    ],
    [
      'runes_transfer',
      { recipients: [{ address: RECIPIENT, runeName: 'uncommon', amount: '1' }] },
      'recipients[0].runeName: expected the name of a rune',
    ],
  ]

  it.each(cases)(
    'of %s (%j) are refused by name, and nobody is asked',
    async (name, params, text) => {
      const world = createWorld()
      const worker = await startUnlocked(world)
      // One that can ask to connect says so before, too.
      const isConnected = !CONNECTING.includes(name)
      const page = isConnected ? await connectPage(worker, SITE) : openPage(worker, SITE)
      const { shown } = world.window
      expect(await ask(page, name, params)).toMatchObject({
        error: { code: -32602, message: expect.stringContaining(text) },
      })
      expect(world.window.shown).toBe(shown)
    },
  )

  it.each(cases.filter(([name]) => !CONNECTING.includes(name)))(
    'of %s (%j) are not looked at for a page that is not connected',
    async (name, params) => {
      const page = openPage(await startUnlocked(), SITE)
      expect(await ask(page, name, params)).toMatchObject({ error: { code: 4100 } })
    },
  )

  it('and more of them than could be stored are refused, whatever they are', async () => {
    const page = openPage(await startUnlocked(), SITE)
    const params = { ...Object(FIT.signMessage), padding: 'x'.repeat(5_000_000) }
    expect(await ask(page, 'signMessage', params)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('params: expected at most') },
    })
  })

  it('of whatever kind get a clean answer, and leave nothing', async () => {
    const { world, worker, page, account } = await startFunded(1_000_000n)
    const garbage = fc.oneof(
      fc.anything({ withNullPrototype: true }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '0', '1e3', '\ud800', 'zz', PSBT, ID, RECIPIENT, 'payment', 'Signet'),
      fc.constantFrom(0, -1, 1.5, 546, 1e21, Number.NaN, null),
    )
    const or = <T>(fit: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 3, arbitrary: fit }, { weight: 1, arbitrary: garbage })
    const address = or(fc.constantFrom(account.address, RECIPIENT))
    const signInputs = fc.dictionary(
      fc.oneof(fc.constant(account.address), fc.string(), fc.constant('__proto__')),
      or(fc.array(or(fc.constantFrom(0, 1, 2)), { maxLength: 3 })),
      { maxKeys: 3 },
    )
    const fields = fc.record(
      {
        ...{ purposes: or(fc.array(or(fc.constantFrom('payment', 'ordinals', 'stacks')))) },
        ...{
          addresses: or(fc.array(or(fc.constantFrom('payment', 'ordinals')))),
          message: or(fc.string()),
        },
        ...{ network: or(fc.constantFrom('Regtest', 'Signet')), permissions: garbage },
        ...{
          name: or(fc.constantFrom('Regtest', 'Signet')),
          address,
          protocol: or(fc.constantFrom('ECDSA', 'BIP322', undefined)),
        },
        ...{ psbt: or(fc.constant(PSBT)), signInputs: or(signInputs), broadcast: or(fc.boolean()) },
        recipients: or(
          fc.array(
            or(
              fc.record(
                {
                  ...{ address, amount: or(fc.integer({ min: 0, max: 5000 })) },
                  runeName: or(fc.constantFrom('MEMORY•RUNE•OF•TESTS', '840000:1')),
                },
                { requiredKeys: [] },
              ),
            ),
            { maxLength: 3 },
          ),
        ),
        ...{ offset: or(fc.nat(10)), limit: or(fc.nat(10)) },
        transfers: or(
          fc.array(
            or(fc.record({ address, inscriptionId: or(fc.constant(ID)) }, { requiredKeys: [] })),
            { maxLength: 3 },
          ),
        ),
      },
      { requiredKeys: [] },
    )
    const requests = fc.tuple(
      fc.constantFrom(
        ...SATS_CONNECT_NAMES.filter(
          name => !name.startsWith('wallet_r') && name !== 'wallet_disconnect',
        ),
      ),
      fc.oneof(
        { weight: 6, arbitrary: fields },
        { weight: 1, arbitrary: garbage },
        { weight: 1, arbitrary: fc.array(fields, { maxLength: 3 }) },
      ),
    )
    const tally = { refused: 0, asked: 0, answered: 0 }
    await fc.assert(
      fc.asyncProperty(requests, async ([name, params]) => {
        // As it crosses to the background.
        const sent = JSON.parse(
          JSON.stringify([params], (_, one) => (typeof one === 'bigint' ? String(one) : one)),
        )[0]
        const { shown } = world.window
        // Nobody asks too often.
        world.clock.now += 1000
        const answer = Object(await decideAll(worker, 'reject', ask(page, name, sent)))
        const code = answer.error?.code
        if (code === undefined) tally.answered++
        else if (code === -32602) tally.refused++
        else tally.asked++
        expect([undefined, -32602, 4001, 4100, -32000], JSON.stringify(answer)).toContain(code)
        if (code === -32602) {
          expect(answer.error.message).toMatch(/^[a-z]+(\[".*"\]|\[\d+\]|\.\w+)*: ./is)
          expect(world.window.shown, answer.error.message).toBe(shown)
        }
        const open = (await worker.wallet.requests.load()).filter(({ outcome }) => !outcome)
        expect(open).toEqual([])
      }),
      { numRuns: 600 },
    )
    expect(world.chain.broadcasts).toEqual([])
    expect(Math.min(...Object.values(tally))).toBeGreaterThan(10)
  })
})
