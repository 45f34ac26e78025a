import { Address, PublicKey, Sats, Txid } from './value-schemas.ts'

/** Shapes of what operations resolve to. */

export const Account = {
  description:
    'Both keys are the same one. `ordinals` is there where the account has a Taproot address for inscriptions and runes beside the other.',
  type: 'object',
  properties: {
    address: Address,
    publicKey: PublicKey,
    compressedPublicKey: PublicKey,
    ordinals: {
      type: 'object',
      properties: { address: Address, publicKey: PublicKey },
      required: ['address', 'publicKey'],
      additionalProperties: false,
    },
  },
  required: ['address', 'publicKey', 'compressedPublicKey'],
  additionalProperties: false,
} as const

export const Accounts = {
  description: 'The address of the connected account, or nothing.',
  type: 'array',
  items: Address,
  maxItems: 1,
} as const

export const NetworkName = {
  description: '`livenet` is Bitcoin itself.',
  type: 'string',
  pattern: '^(?:livenet|testnet4|signet|regtest)$',
} as const

export const Balance = {
  description: 'Sats. What is on its way out makes `unconfirmed` negative.',
  type: 'object',
  properties: {
    confirmed: Sats,
    unconfirmed: { type: 'integer' },
    total: { type: 'integer' },
  },
  required: ['confirmed', 'unconfirmed', 'total'],
  additionalProperties: false,
} as const

const Outpoint = {
  description: 'Transaction id and index of the output.',
  type: 'string',
  pattern: '^[0-9a-f]{64}:(?:0|[1-9][0-9]*)$',
} as const

export const Inscription = {
  description: 'An inscription, or an NFT of Atomicals: its id ends in -Atomicals.',
  type: 'object',
  properties: {
    inscriptionId: {
      type: 'string',
      pattern: '^[0-9a-f]{64}i(?:0|[1-9][0-9]{0,9})(?:-Atomicals)?$',
    },
    inscriptionNumber: { description: 'Negative for cursed ones.', type: 'integer' },
    address: Address,
    outputValue: Sats,
    contentLength: { description: 'Bytes.', type: 'integer', minimum: 0 },
    contentType: { description: 'MIME type; empty where it names none.', type: 'string' },
    timestamp: {
      description: 'Of the block that revealed it, in seconds since 1970.',
      type: 'integer',
      minimum: 0,
    },
    offset: { description: 'Sats before it within the output.', ...Sats },
    output: Outpoint,
    genesisTransaction: Txid,
    location: {
      description: 'Transaction id, index of the output and offset.',
      type: 'string',
      pattern: '^[0-9a-f]{64}:(?:0|[1-9][0-9]*):(?:0|[1-9][0-9]*)$',
    },
  },
  required: [
    'inscriptionId',
    'inscriptionNumber',
    'address',
    'outputValue',
    'contentLength',
    'contentType',
    'timestamp',
    'offset',
    'output',
    'genesisTransaction',
    'location',
  ],
  additionalProperties: false,
} as const

export const InscriptionPage = {
  type: 'object',
  properties: {
    total: { type: 'integer', minimum: 0 },
    list: { type: 'array', items: Inscription },
  },
  required: ['total', 'list'],
  additionalProperties: false,
} as const

const RuneAmount = { type: 'string', pattern: '^[0-9]+(?:\\.[0-9]+)?$' } as const

export const RuneCoin = {
  type: 'object',
  properties: { output: Outpoint, outputValue: Sats, amount: RuneAmount },
  required: ['output', 'outputValue', 'amount'],
  additionalProperties: false,
} as const

export const Rune = {
  description: 'What the account has of a rune; amounts are whole runes, as decimal text.',
  type: 'object',
  properties: {
    id: {
      description: 'Block and place of its etching; null where no index tells it now.',
      anyOf: [{ type: 'string', pattern: '^[0-9]+:[0-9]+$' }, { type: 'null' }],
    },
    name: { description: 'With its spacers.', type: 'string' },
    symbol: { description: 'One character.', anyOf: [{ type: 'string' }, { type: 'null' }] },
    divisibility: {
      description: 'Digits behind the point that an amount can have.',
      type: 'integer',
      minimum: 0,
      maximum: 38,
    },
    amount: RuneAmount,
    spendable: { description: 'What sendRunes could send now.', ...RuneAmount },
    coins: { description: 'The outputs it is on.', type: 'array', items: RuneCoin },
  },
  required: ['id', 'name', 'symbol', 'divisibility', 'amount', 'spendable', 'coins'],
  additionalProperties: false,
} as const

export const RunePage = {
  type: 'object',
  properties: {
    total: { type: 'integer', minimum: 0 },
    list: { type: 'array', items: Rune },
  },
  required: ['total', 'list'],
  additionalProperties: false,
} as const

export const TxHash = {
  type: 'object',
  properties: { txhash: Txid },
  required: ['txhash'],
  additionalProperties: false,
} as const

export const SentTransfer = {
  type: 'object',
  properties: { txid: Txid },
  required: ['txid'],
  additionalProperties: false,
} as const

export const MintedRunes = {
  type: 'object',
  properties: {
    txids: {
      description:
        'In the order of their broadcast. Those that nothing is left for are never sent.',
      type: 'array',
      items: Txid,
    },
  },
  required: ['txids'],
  additionalProperties: false,
} as const

export const EtchedRune = {
  type: 'object',
  properties: {
    commitTx: Txid,
    revealTx: { description: 'Goes out once the commit has six confirmations.', ...Txid },
    commitAddr: { description: 'Where the commit pays to.', type: 'string' },
  },
  required: ['commitTx', 'revealTx', 'commitAddr'],
  additionalProperties: false,
} as const

export const RuneEstimate = {
  description: 'By the coins that there are now, in sats; nothing is reserved.',
  type: 'object',
  properties: {
    fee: { description: 'Of all transactions.', ...Sats },
    postage: { description: 'Stays with the account, on outputs of their own.', ...Sats },
    total: { description: 'What the account can spend less afterwards.', ...Sats },
    vsize: { description: 'Virtual bytes.', type: 'integer', minimum: 0 },
  },
  required: ['fee', 'postage', 'total', 'vsize'],
  additionalProperties: false,
} as const

export const UtxoRecord = {
  description: 'A coin of a transaction that the wallet sends before the first one that spends it.',
  type: 'object',
  properties: {
    txId: Txid,
    vOut: { type: 'integer', minimum: 0 },
    amount: Sats,
    rawTransaction: {
      description: 'The signed transaction in hex, the same in each record.',
      type: 'string',
      pattern: '^(?:[0-9a-f]{2})+$',
    },
  },
  required: ['txId', 'vOut', 'amount', 'rawTransaction'],
  additionalProperties: false,
} as const

export const Split = {
  type: 'object',
  properties: { utxos: { type: 'array', items: UtxoRecord } },
  required: ['utxos'],
  additionalProperties: false,
} as const

export const MintResult = {
  type: 'object',
  properties: {
    commitTx: Txid,
    revealTxs: { description: 'One an item.', type: 'array', items: Txid },
    commitTxFee: Sats,
    revealTxFees: { type: 'array', items: Sats },
    commitAddrs: {
      description: 'Addresses that the commit pays to, one an item.',
      type: 'array',
      items: Address,
    },
    feeRate: { description: 'sat/vB', type: 'number' },
    size: { description: 'Sats of each inscription.', ...Sats },
  },
  required: [
    'commitTx',
    'revealTxs',
    'commitTxFee',
    'revealTxFees',
    'commitAddrs',
    'feeRate',
    'size',
  ],
  additionalProperties: false,
} as const

export const BatchResult = {
  description:
    'In the order given: the transaction id of each item, or null where it was not sent.',
  type: 'array',
  items: {
    type: 'object',
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: { anyOf: [Txid, { type: 'null' }] },
  },
} as const

export const Nothing = { type: 'null' } as const
