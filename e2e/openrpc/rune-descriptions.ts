import { DEFAULT_PAGE, MAX_PAGE } from '../../src/provider/inscription-params.ts'
import { RuneEtching, RuneMint, RuneRecipients, withDefault } from './argument-schemas.ts'
import type { Description } from './description.ts'
import { ADDRESS, OTHER_TXID, RECIPIENT, TXID } from './example-values.ts'
import { MOVING_ASSETS, MOVING_FUNDS } from './failure-descriptions.ts'
import { EtchedRune, MintedRunes, RuneEstimate, RunePage, SentTransfer } from './result-schemas.ts'
import { FeeRate } from './value-schemas.ts'

export const RUNE_DESCRIPTIONS = {
  getRunes: {
    summary: 'A page of the runes on the connected address, by name, with the outputs they are on.',
    description: 'Past the end the list is empty. Amounts are the word of the index.',
    args: [
      {
        name: 'offset',
        summary: 'How many to leave out.',
        required: false,
        schema: withDefault({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 0),
      },
      {
        name: 'limit',
        summary: 'How many at most.',
        required: false,
        schema: withDefault({ type: 'integer', minimum: 0, maximum: MAX_PAGE }, DEFAULT_PAGE),
      },
    ],
    result: { name: 'page', schema: RunePage },
    access: 'connected',
    asks: 'never',
    specified: false,
    codes: [-32002],
    reasons: ['BACKEND_UNAVAILABLE'],
    example: {
      args: [0, 1],
      result: {
        total: 1,
        list: [
          {
            id: '840000:3',
            name: 'DOG•GO•TO•THE•MOON',
            symbol: '🐕',
            divisibility: 5,
            amount: '889806.5',
            spendable: '889806.5',
            coins: [{ output: `${OTHER_TXID}:0`, outputValue: 546, amount: '889806.5' }],
          },
        ],
      },
    },
  },
  sendRunes: {
    summary: 'Sends runes, several of them to several addresses where asked, in one transaction.',
    description:
      'Each address gets one output. What is left of these runes and of others on their coins comes back.',
    args: [
      {
        name: 'transfer',
        summary: 'Who gets how much of what.',
        required: true,
        schema: {
          type: 'object',
          properties: { recipients: RuneRecipients, feeRate: FeeRate },
          required: ['recipients'],
        },
      },
    ],
    result: { name: 'sent', schema: SentTransfer },
    access: 'connected',
    asks: 'always',
    specified: false,
    reasons: MOVING_ASSETS,
    example: {
      args: [
        {
          recipients: [
            { address: RECIPIENT, rune: 'DOG•GO•TO•THE•MOON', amount: '12.5' },
            { address: ADDRESS, rune: '840000:3', units: '1' },
          ],
          feeRate: 2,
        },
      ],
      result: { txid: TXID },
    },
  },
  mintRune: {
    summary: 'Mints a rune, once or several times with one question; a transaction each.',
    description:
      'The runes go to the connected address. When the mints of the rune run out meanwhile, those that nothing is left for are never sent.',
    args: [
      { name: 'mint', summary: 'What is minted, and how often.', required: true, schema: RuneMint },
    ],
    result: { name: 'minted', schema: MintedRunes },
    access: 'connected',
    asks: 'always',
    specified: false,
    reasons: MOVING_ASSETS,
    example: {
      args: [{ rune: 'UNCOMMON•GOODS', count: 2, feeRate: 2 }],
      result: { txids: [TXID, OTHER_TXID] },
    },
  },
  etchRune: {
    summary: 'Etches a rune, which is there for good once its reveal is in a block.',
    description:
      'The commit is sent at once, and the reveal by the wallet itself once the commit has six confirmations. Whoever etches the name before that has it.',
    args: [{ name: 'etching', summary: 'What the rune is.', required: true, schema: RuneEtching }],
    result: { name: 'etched', schema: EtchedRune },
    access: 'connected',
    asks: 'always',
    specified: false,
    reasons: [...MOVING_ASSETS, 'NAME_TAKEN'],
    example: {
      args: [
        {
          name: 'FOUR•CENTS•A•SLICE',
          symbol: '🍕',
          divisibility: 2,
          premine: '1000',
          terms: { amount: '10', cap: '5000', offset: { end: 1000 } },
          feeRate: 2,
        },
      ],
      result: { commitTx: TXID, revealTx: OTHER_TXID, commitAddr: RECIPIENT },
    },
  },
  estimateMintRune: {
    summary: 'What mints would cost.',
    description: 'Takes what mintRune takes.',
    args: [
      { name: 'mint', summary: 'What is minted, and how often.', required: true, schema: RuneMint },
    ],
    result: { name: 'estimate', schema: RuneEstimate },
    access: 'connected',
    asks: 'never',
    specified: false,
    codes: [-32002],
    reasons: [...MOVING_FUNDS, 'PROTECTED_ASSET'],
    example: {
      args: [{ rune: 'UNCOMMON•GOODS', count: 2, feeRate: 2 }],
      result: { fee: 772, postage: 1092, total: 1864, vsize: 386 },
    },
  },
  estimateEtchRune: {
    summary: 'What an etching would cost.',
    description: 'Takes what etchRune takes.',
    args: [{ name: 'etching', summary: 'What the rune is.', required: true, schema: RuneEtching }],
    result: { name: 'estimate', schema: RuneEstimate },
    access: 'connected',
    asks: 'never',
    specified: false,
    codes: [-32002],
    reasons: [...MOVING_FUNDS, 'NAME_TAKEN'],
    example: {
      args: [{ name: 'FOUR•CENTS•A•SLICE', premine: '1000', feeRate: 2 }],
      result: { fee: 650, postage: 546, total: 1196, vsize: 325 },
    },
  },
} as const satisfies { readonly [method: string]: Description }
