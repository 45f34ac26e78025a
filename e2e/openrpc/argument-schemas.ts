import { MAX_SATS } from '../../src/bitcoin/amount.ts'
import {
  BASE64_PATTERN,
  DEFAULT_SYMBOL,
  MAX_DIVISIBILITY,
  MAX_ETCHED_NAME,
  MAX_SYMBOL,
} from '../../src/provider/etch-rune-params.ts'
import { NETWORK_WORDS } from '../../src/provider/first-params.ts'
import {
  MAX_CONTENT,
  MAX_CONTENT_TYPE,
  MAX_ITEMS as MAX_MINT_ITEMS,
  MAX_WORD,
  MINT_TYPES,
} from '../../src/provider/inscribe-params.ts'
import { MAX_IDS } from '../../src/provider/inscription-params.ts'
import { MAX_RECIPIENTS } from '../../src/provider/methods.ts'
import { MAX_INPUTS, MAX_PSBTS, MAX_SIGHASH_TYPES } from '../../src/provider/psbt-params.ts'
import { MAX_ITEMS as MAX_BATCH_ITEMS, MAX_ID_LENGTH } from '../../src/provider/push-params.ts'
import {
  MAX_MINTS,
  MAX_RUNE_AMOUNT_LENGTH,
  MAX_RUNE_RECIPIENTS,
  RUNE_PATTERN,
} from '../../src/provider/rune-params.ts'
import { type Json, nullable, type Schema } from './json-schema.ts'
import {
  AddressText,
  Amount,
  FeeRate,
  InscriptionId,
  MAX_PSBT_BYTES,
  PayeeText,
  Psbt,
  PsbtBase64,
  PsbtHex,
  RawTransaction,
} from './value-schemas.ts'

/** Shapes of arguments that have more than one value. */

export const NetworkWord: Schema = {
  description: '`mainnet` is another word for `livenet`, `testnet` for `testnet4`.',
  enum: [...NETWORK_WORDS.keys()].map(String),
}

export const InscriptionIds: Schema = {
  type: 'array',
  items: InscriptionId,
  minItems: 1,
  maxItems: MAX_IDS,
  'x-unique-ids': true,
}

export const Receivers: Schema = {
  description: 'An address for all, or a list with one for each id in its order.',
  anyOf: [AddressText, { type: 'array', items: AddressText, minItems: 1, maxItems: MAX_IDS }],
}

export const Recipient: Schema = {
  type: 'object',
  properties: { address: PayeeText, amount: Amount },
  required: ['address', 'amount'],
}

export const Recipients: Schema = {
  description: 'An address may be there more than once: each gets an output of its own.',
  type: 'array',
  items: Recipient,
  minItems: 1,
  maxItems: MAX_RECIPIENTS,
  'x-max-total': { member: 'amount', measure: 'value', most: Number(MAX_SATS) },
}

const RuneName: Schema = {
  description: 'Its name, with or without spacers, or its id.',
  type: 'string',
  pattern: RUNE_PATTERN,
}

const RuneAmount: Schema = {
  description: 'Whole runes.',
  type: 'string',
  pattern: '^[0-9]+(?:\\.[0-9]+)?$',
  maxLength: MAX_RUNE_AMOUNT_LENGTH,
}

const RuneUnits: Schema = {
  description: 'The smallest unit of the rune, in place of amount; up to 128 bits.',
  anyOf: [
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'string', pattern: '^[0-9]{1,39}$', 'x-range': { least: 1, most: 2 ** 128 } },
  ],
}

const Absent = { type: 'null' } as const

export const RuneRecipient: Schema = {
  type: 'object',
  properties: {
    address: AddressText,
    rune: RuneName,
    amount: { ...nullable(RuneAmount), description: 'Whole runes, as decimal text.' },
    units: { ...nullable(RuneUnits), description: 'The smallest unit, in place of amount.' },
  },
  required: ['address', 'rune'],
  anyOf: [
    { properties: { amount: RuneAmount, units: Absent }, required: ['amount'] },
    { properties: { amount: Absent, units: RuneUnits }, required: ['units'] },
  ],
}

export const RuneRecipients: Schema = {
  description: 'An address may be there more than once: it gets one output with all of it.',
  type: 'array',
  items: RuneRecipient,
  minItems: 1,
  maxItems: MAX_RUNE_RECIPIENTS,
}

export const RuneMint: Schema = {
  type: 'object',
  properties: {
    rune: RuneName,
    count: {
      ...withDefault({ type: 'integer', minimum: 1, maximum: MAX_MINTS }, 1),
      description: 'How often, a transaction each.',
    },
    feeRate: FeeRate,
  },
  required: ['rune'],
}

const wholeRunes = (description: string): Schema => ({
  ...{ description, type: 'string', maxLength: MAX_RUNE_AMOUNT_LENGTH },
})

const Block: Schema = nullable({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const blockSpan = (description: string): Schema => ({
  ...nullable({
    type: 'object',
    properties: {
      start: { ...Block, description: 'The first block with mints.' },
      end: { ...Block, description: 'The first block without.' },
    },
  }),
  description,
})

export const RuneEtching: Schema = {
  type: 'object',
  properties: {
    name: { description: 'With • between its words.', type: 'string', maxLength: MAX_ETCHED_NAME },
    symbol: {
      ...withDefault({ type: 'string', maxLength: MAX_SYMBOL }, DEFAULT_SYMBOL),
      description: 'One character.',
    },
    divisibility: {
      ...withDefault({ type: 'integer', minimum: 0, maximum: MAX_DIVISIBILITY }, 0),
      description: 'Digits behind the point that an amount can have.',
    },
    premine: nullable(
      wholeRunes('What the account gets, in whole runes. Nothing where it is missing.'),
    ),
    terms: {
      ...nullable({
        type: 'object',
        properties: {
          amount: wholeRunes('Of one mint, in whole runes.'),
          cap: wholeRunes('How many mints there are.'),
          height: blockSpan('Blocks by their height.'),
          offset: blockSpan('Blocks counted from the one that etches.'),
        },
        required: ['amount', 'cap'],
      }),
      description: 'Who may mint how much. Nobody where it is missing.',
    },
    turbo: {
      ...withDefault({ type: 'boolean' }, false),
      description: 'Opts into later changes of the protocol.',
    },
    inscription: {
      ...nullable({
        type: 'object',
        properties: {
          contentType: { type: 'string', maxLength: MAX_CONTENT_TYPE },
          base64: { type: 'string', maxLength: MAX_CONTENT, pattern: BASE64_PATTERN },
        },
        required: ['contentType', 'base64'],
      }),
      description: 'What the same transaction inscribes.',
    },
    feeRate: FeeRate,
  },
  required: ['name'],
}

export const MintItem: Schema = {
  type: 'object',
  properties: {
    contentType: {
      ...nullable({ type: 'string', maxLength: MAX_CONTENT_TYPE }),
      description: 'MIME type.',
      default: 'text/plain;charset=utf-8',
    },
    body: {
      description: 'The text; of an image the bytes in hex; of BRC-20 the JSON of the operation.',
      type: 'string',
      maxLength: MAX_CONTENT,
    },
  },
  required: ['body'],
}

export const MintItems: Schema = {
  type: 'array',
  items: MintItem,
  minItems: 1,
  maxItems: MAX_MINT_ITEMS,
  'x-max-total': { member: 'body', measure: 'length', most: MAX_CONTENT },
}

export const MintTypeCode: Schema = {
  description: 'BRC-20: 60 deploy, 50 mint, 51 transfer. 61 text, 62 image.',
  enum: MINT_TYPES,
}

export const Ticker: Schema = { type: 'string', maxLength: MAX_WORD }

export const ProposedAmount: Schema = {
  description: 'Decimal text. The person sees it as a proposal and says the amount.',
  anyOf: [
    { type: 'string', pattern: '^(?:[0-9]+(?:\\.[0-9]+)?)?$', maxLength: MAX_WORD },
    { type: 'number', minimum: 0, exclusiveMaximum: 1e21, 'x-plain-decimal': true },
    { type: 'null' },
  ],
}

const SignerName = { type: 'string', maxLength: 200 } as const

export const SignInput: Schema = {
  description:
    'An input, and whose it is. The address wins where both are there; unknown members are ignored.',
  type: 'object',
  properties: {
    index: { type: 'integer', minimum: 0, maximum: 0xffff_ffff },
    address: nullable(SignerName),
    publicKey: nullable(SignerName),
    sighashTypes: nullable({
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: 0xff },
      maxItems: MAX_SIGHASH_TYPES,
    }),
    disableTweakSigner: {
      ...nullable({ type: 'boolean' }),
      description: 'Taproot: sign with the key as it is.',
      default: false,
    },
    useTweakedSigner: {
      ...nullable({ type: 'boolean' }),
      description: 'The opposite of disableTweakSigner; wins over it.',
    },
  },
  required: ['index'],
  anyOf: [
    { properties: { address: SignerName }, required: ['address'] },
    { properties: { publicKey: SignerName }, required: ['publicKey'] },
  ],
}

export const SignOptions: Schema = {
  type: 'object',
  properties: {
    autoFinalized: {
      ...nullable({ type: 'boolean' }),
      description: 'Finalize what can be; the rest stays as it is.',
      default: true,
    },
    psbtSighashes: {
      ...nullable({ type: 'boolean' }),
      description:
        'The sighash types in the PSBT count as asked for. Those that leave something to others need a second confirmation then.',
      default: false,
    },
    broadcast: {
      ...nullable({ type: 'boolean' }),
      description:
        'The wallet finalizes and sends it, and says so when it asks. Where one PSBT of a request says so, all are sent.',
      default: false,
    },
    toSignInputs: {
      ...nullable({
        type: 'array',
        items: SignInput,
        maxItems: MAX_INPUTS,
        'x-unique-by': 'index',
      }),
      description: 'None, or an empty list: every input of the connected account.',
    },
  },
}

export const Psbts: Schema = {
  type: 'array',
  items: Psbt,
  minItems: 1,
  maxItems: MAX_PSBTS,
  'x-max-total': { member: null, measure: 'bytes', most: MAX_PSBT_BYTES },
}

const ItemId = { type: 'string', minLength: 1, maxLength: MAX_ID_LENGTH } as const

export const BatchItem: Schema = {
  type: 'object',
  properties: {
    itemId: ItemId,
    signedTx: {
      anyOf: [PsbtHex, { ...PsbtBase64, 'x-max-bytes': MAX_PSBT_BYTES }, RawTransaction],
    },
    type: { description: '52 for BRC-20, 20 for an NFT; it labels the activity.', type: 'number' },
    dependItemId: {
      ...nullable({ type: 'array', items: ItemId, maxItems: MAX_BATCH_ITEMS }),
      description: 'Items that are sent before this one.',
    },
    extJson: nullable({
      type: 'object',
      properties: { inscription: nullable({ type: 'string', maxLength: MAX_ID_LENGTH }) },
    }),
  },
  required: ['itemId', 'signedTx', 'type'],
}

export const BatchItems: Schema = {
  description: 'The order comes from dependItemId and from what each transaction spends.',
  type: 'array',
  items: BatchItem,
  minItems: 1,
  maxItems: MAX_BATCH_ITEMS,
  'x-unique-by': 'itemId',
  'x-refers-to': { member: 'dependItemId', names: 'itemId' },
  'x-max-total': { member: 'signedTx', measure: 'bytes', most: MAX_PSBT_BYTES },
}

/** With what the wallet takes in its place. */
export function withDefault(schema: Schema, value: Json): Schema {
  return { ...nullable(schema), default: value }
}
