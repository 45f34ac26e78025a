// openrpc: describes the provider as an OpenRPC document (https://spec.open-rpc.org). Tests hold the document
// against the provider's parsers with an independent validator, so neither can change alone.

import type { ProviderErrorCode } from '../../src/provider/errors.ts'
import { METHOD_NAMES, type MethodName } from '../../src/provider/method-names.ts'
import {
  BatchItem,
  MintItem,
  Recipient,
  RuneEtching,
  RuneMint,
  SignInput,
  SignOptions,
} from './argument-schemas.ts'
import type { Argument, Description } from './description.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { EVENTS } from './event-descriptions.ts'
import { ERRORS, FAILURES, NAME_OF_CODE } from './failure-descriptions.ts'
import { type Json, RULES, type Schema } from './json-schema.ts'
import {
  Account,
  Accounts,
  Balance,
  Inscription,
  InscriptionPage,
  MintResult,
  NetworkName,
  RuneEstimate,
  SentTransfer,
  TxHash,
  UtxoRecord,
} from './result-schemas.ts'
import {
  Address,
  AddressText,
  Amount,
  BtcAmount,
  FeeOptions,
  FeeRate,
  InscriptionId,
  Psbt,
  PublicKey,
  RawTransaction,
  SignedPsbt,
  Txid,
} from './value-schemas.ts'

/** Shapes that the document names; wherever one of these very objects is used, it refers to it. */
const COMPONENTS: { readonly [name: string]: Schema } = {
  Account,
  Accounts,
  Address,
  AddressText,
  Amount,
  Balance,
  BatchItem,
  BtcAmount,
  FeeOptions,
  FeeRate,
  Inscription,
  InscriptionId,
  InscriptionPage,
  MintItem,
  MintResult,
  NetworkName,
  Psbt,
  PublicKey,
  RawTransaction,
  Recipient,
  RuneEstimate,
  RuneEtching,
  RuneMint,
  SentTransfer,
  SignedPsbt,
  SignInput,
  SignOptions,
  Txid,
  TxHash,
  UtxoRecord,
}

const NAME_OF_SCHEMA = new Map(Object.entries(COMPONENTS).map(([name, schema]) => [schema, name]))

const ABOUT = [
  'The operations of `window.satchel.bitcoin`, each a function that takes its arguments in order and returns a promise.',
  'What is said of arguments is what crosses from the page to the wallet: there, `undefined` is the same as absent (null in a list), a bigint is its decimal text, unknown members of objects and arguments in excess are ignored. Lengths of texts count UTF-16 code units.',
  'A promise rejects with an Error that has `code` and, where it helps, `data`. Any operation refuses with -32602 arguments that JSON cannot say, such as NaN, a function or a cycle, also those that it ignores. One that takes arguments may refuse them for more than a schema can say, such as an address of another network.',
  '`x-asks` tells when the person is asked about the call itself. While the wallet is locked, an operation that ever asks has it unlocked first, if `x-access` is `anyone` or some account has allowed the site; else it rejects with 4100.',
].join('\n\n')

/** The provider as an OpenRPC document: plain JSON, the same at each call. */
export function buildDocument(version: string): { [key: string]: Json } {
  return {
    openrpc: '1.3.2',
    info: { title: 'Satchel', version, description: ABOUT, license: { name: 'MIT' } },
    methods: METHOD_NAMES.map(name => describeMethod(name, DESCRIPTIONS[name])),
    components: {
      schemas: mapValues(COMPONENTS, schema => expand(schema)),
      errors: ERRORS,
    },
    'x-events': Object.entries(EVENTS).map(([name, { summary, args, specified }]) => ({
      name,
      summary,
      params: args.map(({ name, schema }) => ({ name, schema: refer(schema) })),
      ...(!specified && { 'x-extension': true }),
    })),
    'x-properties': [
      {
        name: 'selectedAccount',
        summary: 'The account that the site is connected to, or null.',
        schema: { anyOf: [refer(Account), { type: 'null' }] },
        'x-extension': true,
      },
    ],
    'x-failure-reasons': FAILURES,
    'x-rules': RULES,
  }
}

/** Every call may end with them: before it leaves the page, when the wallet is updated, at the door, or by a fault. */
const OF_ANY_CALL: readonly ProviderErrorCode[] = [-32602, 4900, -32005, -32603]

/** The codes that an operation may reject with. */
export function listCodes(description: Description): ProviderErrorCode[] {
  const { access, asks, codes = [], reasons = [] } = description
  const all: ProviderErrorCode[] = [...OF_ANY_CALL, ...codes]
  if (access === 'connected') all.push(4100)
  if (asks !== 'never') all.push(4001, 4100, -32002)
  if (reasons.length > 0) all.push(-32000)
  return [...new Set(all)].sort((a, b) => b - a)
}

function describeMethod(name: MethodName, described: Description): Json {
  const { summary, description, args, result, access, asks, specified, example } = described
  const { reasons, events, 'x-no-longer-than': pair } = described
  return {
    name,
    summary,
    ...(description && { description }),
    paramStructure: 'by-position',
    params: args.map(describeArgument),
    result: { name: result.name, schema: refer(result.schema) },
    errors: listCodes(described).map(code => ({
      $ref: `#/components/errors/${NAME_OF_CODE[code]}`,
    })),
    examples: [
      {
        name: `${name}Example`,
        params: example.args.map((value, at) => ({ name: args[at]?.name ?? String(at), value })),
        result: { name: result.name, value: example.result },
      },
    ],
    'x-access': access,
    'x-asks': typeof asks === 'string' ? asks : asks.when,
    ...(pair && { 'x-no-longer-than': pair }),
    ...(reasons && { 'x-failure-reasons': reasons }),
    ...(events && { 'x-events': events }),
    ...(!specified && { 'x-extension': true }),
  }
}

function describeArgument({ name, summary, required, schema }: Argument): Json {
  return { name, summary, required, schema: refer(schema) }
}

function refer(schema: Schema): Json {
  const name = NAME_OF_SCHEMA.get(schema)
  return name === undefined ? expand(schema) : { $ref: `#/components/schemas/${name}` }
}

function expand({ anyOf, items, properties, additionalProperties, ...rest }: Schema): {
  [key: string]: Json
} {
  return {
    ...rest,
    ...(anyOf && { anyOf: anyOf.map(refer) }),
    ...(items && { items: refer(items) }),
    ...(properties && { properties: mapValues(properties, refer) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: additionalProperties && refer(additionalProperties),
    }),
  }
}

function mapValues<V>(
  record: { readonly [key: string]: V },
  map: (value: V) => Json,
): { [key: string]: Json } {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
