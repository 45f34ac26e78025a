import { MAX_APP_NAME, MAX_CONTEXT } from '../../src/provider/context-hash-params.ts'
import {
  MAX_MESSAGE_LENGTH,
  MAX_MESSAGES,
  MESSAGE_TYPES,
} from '../../src/provider/message-params.ts'
import { BatchItems, Psbts, SignOptions, withDefault } from './argument-schemas.ts'
import type { Description } from './description.ts'
import {
  ADDRESS,
  CONTEXT,
  CONTEXT_HASH,
  INSCRIPTION_ID,
  MESSAGE,
  MESSAGE_SIGNATURE,
  PSBT,
  RAW_TRANSACTION,
  SIGNED_PSBT,
  SPLIT_TRANSACTION,
  SPLIT_TXID,
  TXID,
} from './example-values.ts'
import { PUSHING, PUSHING_BATCH, PUSHING_PSBT, SIGNING } from './failure-descriptions.ts'
import { nullable } from './json-schema.ts'
import { BatchResult } from './result-schemas.ts'
import { AddressText, Psbt, RawTransaction, SignedPsbt, Txid } from './value-schemas.ts'

const MessageType = withDefault({ enum: MESSAGE_TYPES }, 'ecdsa')
const MessageText = {
  type: 'string',
  maxLength: MAX_MESSAGE_LENGTH,
  'x-well-formed': true,
} as const
const From = { ...nullable(AddressText), description: 'The connected address.' } as const
const MessageSignature = { type: 'string', minLength: 1 } as const

/** Where what is broadcast was not shown before. */
const UNLESS_CLEAN = {
  when: 'Unless each transaction spends no coin of any account of the wallet, at a fee that is known and not high, or was shown as it is when it was signed.',
}

export const SIGNING_DESCRIPTIONS = {
  signMessage: {
    summary: 'Signs a text.',
    description:
      '`ecdsa`: base64 of 65 bytes. `bip322-simple`: bare base64 of the witness. `bip322`: the same with the prefix of BIP-322.',
    args: [
      {
        name: 'signStr',
        summary: 'The text.',
        required: true,
        schema: MessageText,
      },
      {
        name: 'type',
        summary: 'How it is signed; as some clients have it, in an object.',
        required: false,
        schema: {
          anyOf: [
            { enum: MESSAGE_TYPES },
            {
              type: 'object',
              properties: {
                type: MessageType,
                from: From,
              },
            },
            { type: 'null' },
          ],
          default: 'ecdsa',
        },
      },
    ],
    result: { name: 'signature', schema: MessageSignature },
    access: 'connected',
    asks: 'always',
    specified: true,
    example: { args: [MESSAGE, 'ecdsa'], result: MESSAGE_SIGNATURE },
  },
  signMessages: {
    summary: 'Signs several texts with one question: all of them or none.',
    description: 'The signatures come in the order of the texts. The same text may come twice.',
    args: [
      {
        name: 'messages',
        summary: 'The texts, and how each is signed.',
        required: true,
        schema: {
          type: 'array',
          items: {
            type: 'object',
            properties: { text: MessageText, type: MessageType, from: From },
            required: ['text'],
          },
          minItems: 1,
          maxItems: MAX_MESSAGES,
          'x-max-total': { member: 'text', measure: 'length', most: MAX_MESSAGE_LENGTH },
        },
      },
    ],
    result: { name: 'signatures', schema: { type: 'array', items: MessageSignature } },
    access: 'connected',
    asks: 'always',
    specified: false,
    example: {
      args: [[{ text: MESSAGE, type: 'ecdsa' }, { text: MESSAGE }]],
      result: [MESSAGE_SIGNATURE, MESSAGE_SIGNATURE],
    },
  },
  signPsbt: {
    summary:
      'Signs the inputs of the connected account, those that are named or all; hex comes out.',
    args: [
      { name: 'psbt', summary: 'Hex or base64.', required: true, schema: Psbt },
      {
        name: 'options',
        summary: 'What to sign, and whether to finalize.',
        required: false,
        schema: nullable(SignOptions),
      },
    ],
    result: { name: 'psbt', schema: SignedPsbt },
    access: 'connected',
    asks: 'always',
    specified: true,
    reasons: SIGNING,
    example: {
      args: [
        PSBT,
        {
          autoFinalized: true,
          toSignInputs: [{ index: 0, address: ADDRESS, sighashTypes: [0, 1] }],
        },
      ],
      result: SIGNED_PSBT,
    },
  },
  signPsbts: {
    summary: 'Signs several PSBTs with one question: all of them or none.',
    args: [
      { name: 'psbts', summary: 'Hex or base64.', required: true, schema: Psbts },
      {
        name: 'options',
        summary: 'One for all, or a list with one for each and null where there is none.',
        required: false,
        schema: {
          anyOf: [SignOptions, { type: 'array', items: nullable(SignOptions) }, { type: 'null' }],
        },
      },
    ],
    'x-no-longer-than': ['options', 'psbts'],
    result: { name: 'psbts', schema: { type: 'array', items: SignedPsbt } },
    access: 'connected',
    asks: 'always',
    specified: true,
    reasons: SIGNING,
    example: { args: [[PSBT], [{ autoFinalized: true }]], result: [SIGNED_PSBT] },
  },
  deriveContextHash: {
    summary:
      'Makes a secret of 32 bytes that only this account can make again, for an application.',
    description:
      "By revision 2 of the specification of this name: HKDF-SHA-256 of the key at m/73681862', with the name, the network and the public key of the account before the context. The same in every wallet of the same recovery phrase. For an account of an imported private key it is made of that key instead, and the phrase cannot make it again.",
    args: [
      {
        name: 'appName',
        summary: 'The application; shown to the person. Not a proof: any site can name it.',
        required: true,
        schema: {
          type: 'string',
          pattern: '^[a-z0-9-]+$',
          maxLength: MAX_APP_NAME,
        },
      },
      {
        name: 'context',
        summary: 'Lower-case hex without 0x: what the secret is for.',
        required: true,
        schema: {
          type: 'string',
          pattern: '^(?:[0-9a-f]{2})+$',
          maxLength: MAX_CONTEXT,
        },
      },
    ],
    result: { name: 'secret', schema: { type: 'string', pattern: '^[0-9a-f]{64}$' } },
    access: 'connected',
    asks: 'always',
    specified: false,
    example: { args: ['babylon-btc-vault', CONTEXT], result: CONTEXT_HASH },
  },
  pushTx: {
    summary: 'Broadcasts a signed transaction.',
    args: [
      {
        name: 'rawTx',
        summary: 'Hex; as some clients have it, in an object.',
        required: true,
        schema: {
          anyOf: [
            RawTransaction,
            { type: 'object', properties: { rawtx: RawTransaction }, required: ['rawtx'] },
          ],
        },
      },
    ],
    result: { name: 'txid', schema: Txid },
    access: 'connected',
    asks: UNLESS_CLEAN,
    specified: true,
    reasons: PUSHING,
    example: { args: [RAW_TRANSACTION], result: TXID },
  },
  pushPsbt: {
    summary: 'Broadcasts the transaction of a signed PSBT, finalized where it is not.',
    args: [{ name: 'psbt', summary: 'Hex or base64.', required: true, schema: Psbt }],
    result: { name: 'txid', schema: Txid },
    access: 'connected',
    asks: UNLESS_CLEAN,
    specified: true,
    reasons: PUSHING_PSBT,
    example: { args: [SIGNED_PSBT], result: TXID },
  },
  sendPsbt: {
    summary: 'Broadcasts signed transactions that may depend on each other.',
    description: 'One question for all of them. What depends on a failed item is not sent.',
    args: [
      { name: 'txs', summary: 'The transactions.', required: true, schema: BatchItems },
      {
        name: 'from',
        summary: 'The connected address.',
        required: true,
        schema: AddressText,
      },
    ],
    result: { name: 'sent', schema: BatchResult },
    access: 'connected',
    asks: UNLESS_CLEAN,
    specified: true,
    reasons: PUSHING_BATCH,
    example: {
      args: [
        [
          {
            itemId: 'purchase',
            signedTx: SIGNED_PSBT,
            type: 20,
            dependItemId: ['split'],
            extJson: { inscription: INSCRIPTION_ID },
          },
          { itemId: 'split', signedTx: SPLIT_TRANSACTION, type: 52 },
        ],
        ADDRESS,
      ],
      result: [{ purchase: TXID }, { split: SPLIT_TXID }],
    },
  },
} as const satisfies { readonly [method: string]: Description }
