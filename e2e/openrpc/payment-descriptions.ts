import { MAX_MEMO_SIZE } from '../../src/bitcoin/script.ts'
import { DEFAULT_SPLITS, MAX_MEMO_POSITION, MAX_SPLITS } from '../../src/provider/methods.ts'
import { Recipients, withDefault } from './argument-schemas.ts'
import type { Description } from './description.ts'
import { ADDRESS, RAW_TRANSACTION, RECIPIENT, TXID } from './example-values.ts'
import { MOVING_FUNDS, PAYING } from './failure-descriptions.ts'
import { nullable } from './json-schema.ts'
import { SentTransfer, Split, TxHash } from './result-schemas.ts'
import {
  AddressText,
  Amount,
  BtcAmount,
  FeeOptions,
  FeeRate,
  PayeeText,
  Txid,
} from './value-schemas.ts'

export const PAYMENT_DESCRIPTIONS = {
  sendBitcoin: {
    summary: 'Pays satoshis to an address.',
    args: [
      { name: 'toAddress', summary: 'Who is paid.', required: true, schema: PayeeText },
      { name: 'satoshis', summary: 'How much.', required: true, schema: Amount },
      { name: 'options', summary: 'The fee rate.', required: false, schema: FeeOptions },
    ],
    result: { name: 'txid', schema: Txid },
    access: 'connected',
    asks: 'always',
    specified: true,
    reasons: PAYING,
    example: { args: [RECIPIENT, 25_000, { feeRate: 2.5 }], result: TXID },
  },
  send: {
    summary:
      'Pays bitcoin to an address, with a text in an OP_RETURN output where one is asked for.',
    description: 'A memo takes effect only with memoPos; one without the other is not read.',
    args: [
      {
        name: 'payment',
        summary: 'Who pays whom how much.',
        required: true,
        schema: {
          type: 'object',
          properties: {
            from: { ...AddressText, description: 'The connected address.' },
            to: PayeeText,
            value: BtcAmount,
            satBytes: FeeRate,
            memo: nullable({
              type: 'string',
              'x-well-formed': true,
              'x-max-utf8-bytes': MAX_MEMO_SIZE,
            }),
            memoPos: {
              ...nullable({ type: 'integer', minimum: 0, maximum: MAX_MEMO_POSITION }),
              description: 'Which output the OP_RETURN is.',
            },
          },
          required: ['from', 'to', 'value'],
        },
      },
    ],
    result: { name: 'sent', schema: TxHash },
    access: 'connected',
    asks: 'always',
    specified: true,
    reasons: PAYING,
    example: {
      args: [
        { from: ADDRESS, to: RECIPIENT, value: '0.00025', satBytes: '2.5', memo: 'Hi', memoPos: 1 },
      ],
      result: { txhash: TXID },
    },
  },
  sendTransfer: {
    summary: 'Pays satoshis to several addresses in one transaction.',
    args: [
      {
        name: 'payment',
        summary: 'Who is paid how much.',
        required: true,
        schema: {
          type: 'object',
          properties: { recipients: Recipients, feeRate: FeeRate },
          required: ['recipients'],
        },
      },
    ],
    result: { name: 'sent', schema: SentTransfer },
    access: 'connected',
    asks: 'always',
    specified: false,
    reasons: PAYING,
    example: {
      args: [
        {
          recipients: [
            { address: RECIPIENT, amount: 25_000 },
            { address: RECIPIENT, amount: '1000' },
          ],
        },
      ],
      result: { txid: TXID },
    },
  },
  splitUtxo: {
    summary: 'Makes small coins of the account, as PSBTs of marketplaces need them.',
    description:
      'Signs a payment of 546 sats a coin to the account and keeps it back: the wallet sends it before the first transaction that spends one of the coins.',
    args: [
      {
        name: 'request',
        summary: 'Whose coins, and how many.',
        required: true,
        schema: {
          type: 'object',
          properties: {
            from: { ...AddressText, description: 'The connected address.' },
            amount: {
              ...withDefault(
                {
                  anyOf: [
                    { type: 'integer', minimum: 2, maximum: MAX_SPLITS },
                    {
                      type: 'string',
                      pattern: '^[0-9]{1,2}$',
                      'x-range': { least: 2, most: MAX_SPLITS },
                    },
                  ],
                },
                DEFAULT_SPLITS,
              ),
              description: 'How many coins.',
            },
          },
          required: ['from'],
        },
      },
    ],
    result: { name: 'split', schema: Split },
    access: 'connected',
    asks: 'always',
    specified: true,
    reasons: MOVING_FUNDS,
    example: {
      args: [{ from: ADDRESS, amount: 2 }],
      result: {
        utxos: [0, 1].map(vOut => ({
          ...{ txId: TXID, vOut, amount: 546 },
          rawTransaction: RAW_TRANSACTION,
        })),
      },
    },
  },
} as const satisfies { readonly [method: string]: Description }
