import { DEFAULT_PAGE, MAX_PAGE } from '../../src/provider/inscription-params.ts'
import { NetworkWord, withDefault } from './argument-schemas.ts'
import type { Description } from './description.ts'
import { ADDRESS, INSCRIPTION_ID, OTHER_TXID, PUBLIC_KEY } from './example-values.ts'
import {
  Account,
  Accounts,
  Balance,
  InscriptionPage,
  NetworkName,
  Nothing,
} from './result-schemas.ts'
import { PublicKey } from './value-schemas.ts'

const UNTIL_CONNECTED = { when: 'Until the site is connected to the account in use.' }

export const ACCOUNT_DESCRIPTIONS = {
  connect: {
    summary: 'Connects the site to the account in use: its address and public key.',
    description:
      'Asks once for each site, account and network; silent afterwards. Where sites cannot be connected to the account in use, the person chooses another, which is in use then.',
    args: [],
    result: { name: 'account', schema: Account },
    access: 'anyone',
    asks: UNTIL_CONNECTED,
    specified: true,
    events: ['networkChanged', 'connect', 'accountChanged', 'accountsChanged'],
    example: {
      args: [],
      result: { address: ADDRESS, publicKey: PUBLIC_KEY, compressedPublicKey: PUBLIC_KEY },
    },
  },
  requestAccounts: {
    summary: 'Connects like connect; a list with the address.',
    args: [],
    result: { name: 'accounts', schema: Accounts },
    access: 'anyone',
    asks: UNTIL_CONNECTED,
    specified: true,
    events: ['networkChanged', 'connect', 'accountChanged', 'accountsChanged'],
    example: { args: [], result: [ADDRESS] },
  },
  getAccounts: {
    summary: 'The connected address, or an empty list.',
    args: [],
    result: { name: 'accounts', schema: Accounts },
    access: 'anyone',
    asks: 'never',
    specified: true,
    example: { args: [], result: [ADDRESS] },
  },
  getNetwork: {
    summary: 'The network in use.',
    args: [],
    result: { name: 'network', schema: NetworkName },
    access: 'anyone',
    asks: 'never',
    specified: true,
    example: { args: [], result: 'livenet' },
  },
  getPublicKey: {
    summary: 'The public key of the connected account.',
    args: [],
    result: { name: 'publicKey', schema: PublicKey },
    access: 'connected',
    asks: 'never',
    specified: true,
    example: { args: [], result: PUBLIC_KEY },
  },
  getBalance: {
    summary: 'Satoshis of the connected address, every output counted.',
    args: [],
    result: { name: 'balance', schema: Balance },
    access: 'connected',
    asks: 'never',
    specified: true,
    reasons: ['BACKEND_UNAVAILABLE'],
    example: { args: [], result: { confirmed: 90_000, unconfirmed: -1_000, total: 89_000 } },
  },
  getInscriptions: {
    summary: 'A page of the inscriptions on the connected address, what came last first.',
    description:
      'The NFTs of Atomicals come behind them, with -Atomicals behind their id. Past the end the list is empty.',
    args: [
      {
        name: 'cursor',
        summary: 'How many to leave out.',
        required: false,
        schema: withDefault({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 0),
      },
      {
        name: 'size',
        summary: 'How many at most.',
        required: false,
        schema: withDefault({ type: 'integer', minimum: 0, maximum: MAX_PAGE }, DEFAULT_PAGE),
      },
    ],
    result: { name: 'page', schema: InscriptionPage },
    access: 'connected',
    asks: 'never',
    specified: true,
    codes: [-32002],
    reasons: ['BACKEND_UNAVAILABLE'],
    example: {
      args: [0, 1],
      result: {
        total: 1,
        list: [
          {
            inscriptionId: INSCRIPTION_ID,
            inscriptionNumber: 0,
            address: ADDRESS,
            outputValue: 10_000,
            contentLength: 793,
            contentType: 'image/png',
            timestamp: 1_671_000_000,
            offset: 0,
            output: `${OTHER_TXID}:0`,
            genesisTransaction: INSCRIPTION_ID.slice(0, 64),
            location: `${OTHER_TXID}:0:0`,
          },
        ],
      },
    },
  },
  disconnect: {
    summary: 'Gives up the leave of this site for the account in use.',
    description: 'While the wallet is locked: for all accounts.',
    args: [],
    result: { name: 'nothing', schema: Nothing },
    access: 'anyone',
    asks: 'never',
    specified: false,
    events: ['accountsChanged', 'disconnect'],
    example: { args: [], result: null },
  },
  switchNetwork: {
    summary:
      'Changes the network of the wallet, and connects the site to the account in use there.',
    args: [
      { name: 'name', summary: 'The network to change to.', required: true, schema: NetworkWord },
    ],
    result: { name: 'network', schema: NetworkName },
    access: 'connected',
    asks: { when: 'Unless the network is in use already.' },
    specified: false,
    events: ['networkChanged', 'accountChanged', 'accountsChanged'],
    example: { args: ['testnet4'], result: 'testnet4' },
  },
} as const satisfies { readonly [method: string]: Description }
