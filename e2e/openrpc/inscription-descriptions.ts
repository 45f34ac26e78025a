import { TRANSFER } from '../../src/provider/inscribe-params.ts'
import {
  InscriptionIds,
  MintItems,
  MintTypeCode,
  ProposedAmount,
  Receivers,
  Ticker,
  withDefault,
} from './argument-schemas.ts'
import type { Description } from './description.ts'
import { ADDRESS, INSCRIPTION_ID, OTHER_TXID, RECIPIENT, TXID } from './example-values.ts'
import { MOVING_ASSETS } from './failure-descriptions.ts'
import { MintResult, TxHash } from './result-schemas.ts'
import { AddressText, FeeOptions, FeeRate, InscriptionId, Txid } from './value-schemas.ts'

const From = { ...AddressText, description: 'The connected address.' }

/** Operations that inscribe take the fee rate by either of two names. */
const feeRates = {
  feeRate: FeeRate,
  satBytes: { ...FeeRate, description: 'Another name of feeRate, read where that is left out.' },
}

export const INSCRIPTION_DESCRIPTIONS = {
  sendInscription: {
    summary: 'Sends one inscription or Atomical to an address.',
    args: [
      { name: 'address', summary: 'Who gets it.', required: true, schema: AddressText },
      { name: 'inscriptionId', summary: 'What is sent.', required: true, schema: InscriptionId },
      { name: 'options', summary: 'The fee rate.', required: false, schema: FeeOptions },
    ],
    result: { name: 'txid', schema: Txid },
    access: 'connected',
    asks: 'always',
    specified: true,
    codes: [4200],
    reasons: MOVING_ASSETS,
    example: { args: [RECIPIENT, `${INSCRIPTION_ID}-Ordinals`, { feeRate: 2 }], result: TXID },
  },
  transferNft: {
    summary: 'Sends inscriptions and Atomicals in one transaction.',
    args: [
      {
        name: 'transfer',
        summary: 'What goes to whom.',
        required: true,
        schema: {
          type: 'object',
          properties: {
            from: From,
            to: Receivers,
            data: {
              description: 'One id, or a list of them.',
              anyOf: [InscriptionId, InscriptionIds],
            },
            feeRate: FeeRate,
          },
          required: ['from', 'to', 'data'],
          'x-as-long-as': ['to', 'data'],
        },
      },
    ],
    result: { name: 'sent', schema: TxHash },
    access: 'connected',
    asks: 'always',
    specified: true,
    codes: [4200],
    reasons: MOVING_ASSETS,
    example: {
      args: [{ from: ADDRESS, to: RECIPIENT, data: [INSCRIPTION_ID, `${OTHER_TXID}i0-Atomicals`] }],
      result: { txhash: TXID },
    },
  },
  inscribe: {
    summary:
      'Inscribes a BRC-20 transfer of an amount that the person says; the txid of the reveal.',
    args: [
      {
        name: 'inscribe',
        summary: 'Of which token.',
        required: true,
        schema: {
          type: 'object',
          properties: {
            type: withDefault({ enum: [TRANSFER] }, TRANSFER),
            from: From,
            tick: { ...Ticker, description: 'The token.' },
            tid: { description: 'Taken and ignored.' },
            amt: ProposedAmount,
            amount: {
              ...ProposedAmount,
              description: 'Another name of amt, read where that is left out.',
            },
            ...feeRates,
          },
          required: ['from', 'tick'],
        },
      },
    ],
    result: { name: 'txid', schema: Txid },
    access: 'connected',
    asks: 'always',
    specified: true,
    reasons: MOVING_ASSETS,
    example: {
      args: [{ type: TRANSFER, from: ADDRESS, tick: 'ordi', amt: '12.5', satBytes: '2' }],
      result: TXID,
    },
  },
  mint: {
    summary: 'Inscribes texts, images or BRC-20 operations: one commit, and a reveal for each.',
    description:
      'A BRC-20 operation that indexers would ignore is refused with -32602, and `data.reason` says why.',
    args: [
      {
        name: 'mint',
        summary: 'What is inscribed.',
        required: true,
        schema: {
          type: 'object',
          properties: { type: MintTypeCode, from: From, inscriptions: MintItems, ...feeRates },
          required: ['type', 'from', 'inscriptions'],
        },
      },
    ],
    result: { name: 'minted', schema: MintResult },
    access: 'connected',
    asks: 'always',
    specified: true,
    reasons: MOVING_ASSETS,
    example: {
      args: [
        {
          type: 61,
          from: ADDRESS,
          inscriptions: [{ contentType: 'text/plain', body: 'Hello' }, { body: 'Hi' }],
          feeRate: 2,
        },
      ],
      result: {
        commitTx: TXID,
        revealTxs: [OTHER_TXID, '22'.repeat(32)],
        commitTxFee: 394,
        revealTxFees: [278, 278],
        commitAddrs: [RECIPIENT, ADDRESS],
        feeRate: 2,
        size: 546,
      },
    },
  },
} as const satisfies { readonly [method: string]: Description }
