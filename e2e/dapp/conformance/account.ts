import { type Check, describeOperation, describeRejection } from './check.ts'
import { describe, expect, type Kit } from './kit.ts'
import { Failed } from './outcome.ts'
import { asAddress, asPublicKey, asRecord, asText, asTexts, holdShape, SHAPES } from './shapes.ts'

const NO_ACCOUNT = 'an application obtains account access by calling connect or requestAccounts'

/** What each operation is called with by a page that is not connected: nothing of it may get to a person. */
const UNCONNECTED: { [operation: string]: readonly unknown[] } = {
  getPublicKey: [],
  getBalance: [],
  getInscriptions: [],
  sendBitcoin: ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 1000],
  send: [{ from: nobody(), to: nobody(), value: '0.00001' }],
  sendInscription: [nobody(), `${'0'.repeat(64)}i0`],
  transferNft: [{ from: nobody(), to: nobody(), data: `${'0'.repeat(64)}i0` }],
  signMessage: ['hello'],
  pushTx: ['00'.repeat(60)],
  splitUtxo: [{ from: nobody() }],
  inscribe: [{ from: nobody(), tick: 'ordi' }],
  mint: [{ type: 61, from: nobody(), inscriptions: [{ body: 'hello' }] }],
  signPsbt: ['70736274ff'],
  signPsbts: [['70736274ff']],
  pushPsbt: ['70736274ff'],
  sendPsbt: [[{ itemId: 'a', signedTx: '70736274ff', type: 20 }], nobody()],
}

const BEFORE_CONNECTION: Check[] = [
  ...describeOperation('getAccounts', [
    {
      id: 'unconnected',
      name: 'tells a page that is not connected no address, and asks nobody',
      section: 'Authentication',
      words: NO_ACCOUNT,
      needs: ['unconnected'],
      async run(kit) {
        const addresses = asTexts(await kit.resolve('getAccounts', []), 'getAccounts')
        expect(addresses.length === 0, `it tells ${describe(addresses)}`)
        return 'an empty list'
      },
    },
  ]),
  ...describeOperation('getNetwork', [
    {
      id: 'unconnected',
      name: 'tells its network to a page that is not connected',
      words: 'string, the network',
      needs: ['unconnected'],
      run: async kit => asText(await kit.resolve('getNetwork', []), 'getNetwork'),
    },
  ]),
  ...Object.entries(UNCONNECTED).flatMap(([operation, args]) =>
    describeOperation(operation, [
      {
        id: 'unconnected',
        name: 'fails for a page that is not connected, and asks nobody',
        section: 'Authentication',
        words: NO_ACCOUNT,
        needs: ['unconnected'],
        run: kit => kit.refuse(operation, args),
      },
    ]),
  ),
]

const CONNECTION: Check[] = [
  ...describeRejection('connect', () => [], ['unconnected']),
  ...describeRejection('requestAccounts', () => [], ['unconnected']),
  ...describeOperation('requestAccounts', [
    {
      id: 'result',
      name: 'connects, and resolves a list with the address',
      words: 'string[] of addresses of the current account',
      needs: ['unconnected'],
      person: ['approve'],
      async run(kit) {
        const got = asTexts(await kit.resolve('requestAccounts', [], 'approve'), 'requestAccounts')
        expect(got.length > 0, 'the list is empty')
        for (const address of got) asAddress(address, 'requestAccounts')
        return got.join(', ')
      },
    },
    {
      id: 'silent',
      name: 'asks no second time',
      section: 'States and transitions',
      words: 'the current account is connected and its address',
      async run(kit) {
        const { address } = await kit.account()
        const again = asTexts(await kit.resolve('requestAccounts', []), 'requestAccounts')
        expect(again[0] === address, `another address: ${describe(again)}`)
        return 'the same address, without a question'
      },
    },
  ]),
  ...describeOperation('connect', [
    {
      id: 'result',
      name: 'connects, and resolves address and public key',
      words: 'object: address (string), publicKey (string)',
      needs: ['unconnected'],
      person: ['approve'],
      async run(kit) {
        const got = asRecord(await kit.resolve('connect', [], 'approve'), 'connect')
        asAddress(got.address, 'address')
        const { length } = asPublicKey(got.publicKey, 'publicKey')
        return length === 66 ? 'the key has 33 bytes' : 'the key has 32 bytes (x only)'
      },
    },
    {
      id: 'silent',
      name: 'asks no second time',
      section: 'States and transitions',
      words: 'the current account is connected and its address',
      async run(kit) {
        const { address } = await kit.account()
        const again = asRecord(await kit.resolve('connect', []), 'connect')
        expect(again.address === address, `another address: ${describe(again)}`)
        return 'the same account, without a question'
      },
    },
  ]),
]

const READING: Check[] = [
  ...describeOperation('getAccounts', [
    {
      id: 'result',
      name: 'resolves a list with the address, and asks nobody',
      words: 'string[] of addresses of the current account',
      async run(kit) {
        const { address } = await kit.account()
        const got = asTexts(await kit.resolve('getAccounts', []), 'getAccounts')
        asAddress(got[0], 'getAccounts[0]')
        const { address: connected } = asRecord(await kit.resolve('connect', []), 'connect')
        expect(got.includes(String(connected)), `${describe(got)} lacks ${connected}`)
        return address
      },
    },
  ]),
  ...describeOperation('getNetwork', [
    {
      id: 'result',
      name: 'resolves the name of the network',
      words: 'string, the network',
      run: async kit => asText(await kit.resolve('getNetwork', []), 'getNetwork'),
    },
  ]),
  ...describeOperation('getPublicKey', [
    {
      id: 'result',
      name: 'resolves the public key of the account',
      words: 'string, public key of the current account',
      async run(kit) {
        await kit.account()
        const key = asPublicKey(await kit.resolve('getPublicKey', []), 'getPublicKey')
        const { publicKey } = asRecord(await kit.resolve('connect', []), 'connect')
        const isSame = key.slice(-64) === String(publicKey).slice(-64)
        expect(isSame, `connect() said ${publicKey}, and this is ${key}`)
        return key
      },
    },
  ]),
  ...describeOperation('getBalance', [
    {
      id: 'shape',
      name: 'resolves three numbers of satoshis',
      section: 'Balance',
      words: 'confirmed satoshis',
      run: async kit => holdShape(await readBalance(kit), SHAPES.Balance, 'getBalance'),
    },
    {
      id: 'total',
      name: 'the total is the sum of the other two',
      section: 'Balance',
      words: 'total satoshis',
      async run(kit) {
        const { confirmed, unconfirmed, total } = await readBalance(kit)
        expect(confirmed + unconfirmed === total, `${confirmed} + ${unconfirmed} is not ${total}`)
        return `${total} sats`
      },
    },
    {
      id: 'chain',
      name: 'counts what devnet pays to the address',
      section: 'Balance',
      words: 'confirmed satoshis',
      needs: ['connected', 'devnet'],
      async run(kit) {
        await kit.material.stock()
        const { confirmed } = await readBalance(kit)
        if (confirmed < 10_000_000) throw new Failed(`only ${confirmed} sats`)
        return `${confirmed} sats are confirmed`
      },
    },
  ]),
]

/** Nobody has the key: the example of BIP-173. */
export function nobody(): string {
  return 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
}

type Balance = { confirmed: number; unconfirmed: number; total: number }

async function readBalance(kit: Kit): Promise<Balance> {
  return asRecord(await kit.resolve('getBalance', []), 'getBalance') as Balance
}

/** In the order in which they have to run: what is not connected comes first. */
export const ACCOUNT_CHECKS: readonly Check[] = [...BEFORE_CONNECTION, ...CONNECTION, ...READING]
