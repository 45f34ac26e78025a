import { MAX_SATS } from '../../src/bitcoin/amount.ts'
import { MAX_PAYEE_LENGTH } from '../../src/provider/methods.ts'
import { MAX_PSBT_LENGTH } from '../../src/provider/psbt-params.ts'
import { MAX_TRANSACTION_LENGTH } from '../../src/provider/push-params.ts'
import { nullable, type Schema } from './json-schema.ts'

/** Shapes of single values, in arguments and results. */

/** The wallet refuses longer texts before it parses them as addresses. */
export const AddressText = { type: 'string', maxLength: 100 } as const

/** Who is paid sats: an address, or a silent payment address (BIP-352). */
export const PayeeText = { type: 'string', maxLength: MAX_PAYEE_LENGTH } as const

export const Address = { type: 'string', minLength: 1 } as const

export const Txid = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const

export const PublicKey = {
  description: 'Compressed public key, 33 bytes in hex.',
  type: 'string',
  pattern: '^0[23][0-9a-f]{64}$',
} as const

export const Sats = { type: 'integer', minimum: 0, maximum: Number(MAX_SATS) } as const

export const InscriptionId = {
  description:
    'Transaction id, `i` and index. Behind an inscription -Ordinals or nothing, behind an Atomical -Atomicals.',
  type: 'string',
  pattern: '^[0-9a-f]{64}i(?:0|[1-9][0-9]{0,9})(?:-(?:Ordinals|Atomicals))?$',
} as const

const MAX_SATS_NUMBER = Number(MAX_SATS)

export const Amount: Schema = {
  description: 'Sats. A bigint crosses as its decimal text.',
  anyOf: [
    { type: 'integer', minimum: 1, maximum: MAX_SATS_NUMBER },
    {
      type: 'string',
      pattern: '^[1-9][0-9]{0,15}$',
      'x-range': { least: 1, most: MAX_SATS_NUMBER },
    },
  ],
}

const BTC_RANGE = { least: 1e-8, most: MAX_SATS_NUMBER / 1e8 }

export const BtcAmount: Schema = {
  description:
    'BTC, exactly: at most eight decimals. In a text commas may stand between all thousands; a comma is never a decimal sign.',
  anyOf: [
    {
      type: 'string',
      pattern:
        '^(?:(?:0|[1-9][0-9]{0,7}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,2})(?:\\.[0-9]{1,8})?|\\.[0-9]{1,8})$',
      'x-range': BTC_RANGE,
    },
    {
      type: 'number',
      minimum: BTC_RANGE.least,
      maximum: BTC_RANGE.most,
      'x-max-decimals': 8,
    },
  ],
}

const FEE_RATES = { least: 0.1, most: 10_000 }

export const FeeRate: Schema = {
  description:
    'sat/vB. A number is rounded up to three decimals. Where it is left out, the wallet takes what brings a transaction into a block within half an hour.',
  anyOf: [
    { type: 'number', minimum: FEE_RATES.least, maximum: FEE_RATES.most },
    {
      type: 'string',
      pattern: '^(?:0|[1-9][0-9]{0,4})(?:\\.[0-9]{1,3})?$',
      'x-range': FEE_RATES,
    },
    { type: 'null' },
  ],
}

export const FeeOptions: Schema = nullable({ type: 'object', properties: { feeRate: FeeRate } })

export const RawTransaction: Schema = {
  description: 'A signed transaction in hex.',
  type: 'string',
  pattern: '^(?:[0-9a-fA-F]{2})+$',
  maxLength: MAX_TRANSACTION_LENGTH,
}

/** The five bytes that begin each, `psbt` and 0xff. */
const PSBT_HEX = '^70736274[fF]{2}(?:[0-9a-fA-F]{2})*$'
const PSBT_BASE64 =
  '^cHNidP(?:8=|[89+/][A-Za-z0-9+/](?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?)$'

/** Characters of hex. */
export const MAX_PSBT_BYTES = MAX_PSBT_LENGTH / 2

export const PsbtHex: Schema = {
  description: 'A PSBT in hex.',
  type: 'string',
  pattern: PSBT_HEX,
  maxLength: MAX_PSBT_LENGTH,
}

export const PsbtBase64: Schema = {
  description: 'A PSBT in base64.',
  type: 'string',
  pattern: PSBT_BASE64,
  maxLength: MAX_PSBT_LENGTH,
  'x-max-bytes': MAX_PSBT_BYTES,
}

export const Psbt: Schema = { anyOf: [PsbtHex, PsbtBase64] }

/** What signPsbt gives. */
export const SignedPsbt = {
  description: 'A PSBT in lower-case hex.',
  type: 'string',
  pattern: '^70736274ff(?:[0-9a-f]{2})*$',
} as const
