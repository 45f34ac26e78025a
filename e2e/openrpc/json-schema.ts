/** A value as it crosses between page and wallet. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

/**
 * The part of JSON Schema (draft 7) that the descriptions use. What it cannot say is in the keywords that begin with `x-`;
 * {@link RULES} tells what they mean. Lengths of texts count UTF-16 code units.
 */
export type Schema = {
  readonly description?: string
  readonly default?: Json
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'
  readonly enum?: readonly Json[]
  readonly anyOf?: readonly Schema[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: true
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly additionalProperties?: false | Schema
  readonly 'x-range'?: { readonly least: number; readonly most: number }
  readonly 'x-max-decimals'?: number
  readonly 'x-plain-decimal'?: true
  readonly 'x-well-formed'?: true
  readonly 'x-max-utf8-bytes'?: number
  readonly 'x-max-bytes'?: number
  readonly 'x-max-total'?: Total
  readonly 'x-unique-by'?: string
  readonly 'x-unique-ids'?: true
  readonly 'x-as-long-as'?: readonly [string, string]
  readonly 'x-refers-to'?: { readonly member: string; readonly names: string }
}

/** A limit of a list's items together: of a member of each, or of the items themselves. */
export type Total = {
  readonly member: string | null
  readonly measure: 'value' | 'length' | 'bytes'
  readonly most: number
}

/** What the keywords that are not JSON Schema's mean; without them a validator takes a little more than the wallet. */
export const RULES = {
  'x-range': 'The number that a decimal text says, commas left out, lies within these bounds.',
  'x-max-decimals': 'The shortest decimal that is this number has at most so many decimals.',
  'x-plain-decimal': 'JavaScript writes this number without an exponent.',
  'x-well-formed': 'The text has no lone surrogates.',
  'x-max-utf8-bytes': 'The text has at most so many bytes in UTF-8.',
  'x-max-bytes': 'The bytes that the hex or base64 stands for are at most so many.',
  'x-max-total':
    'All items together: the sum of the member named (or of the items), counted as its value, its length, or the bytes that its hex or base64 stands for.',
  'x-unique-by': 'No two items have the same value of this member.',
  'x-unique-ids': 'No two items name the same inscription, with or without -Ordinals.',
  'x-refers-to': 'Each text in this member of an item is in the other member of some item.',
  'x-no-longer-than':
    'Of two arguments the first, where it is a list, has no more items than the other.',
  'x-as-long-as':
    'Of two members the first, where it is a list, has as many items as the other; a text is one item.',
} as const

/** Null stands for absence. */
export function nullable<S extends Schema>(schema: S) {
  return { anyOf: [schema, { type: 'null' }] } as const
}

/** The TypeScript type of the values of a schema that is written as a constant. */
export type TypeOf<S> = S extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : S extends { readonly anyOf: readonly (infer Branch)[] }
    ? Branch extends unknown
      ? TypeOf<Branch>
      : never
    : S extends { readonly type: 'string' }
      ? string
      : S extends { readonly type: 'number' | 'integer' }
        ? number
        : S extends { readonly type: 'null' }
          ? null
          : S extends { readonly type: 'array'; readonly items: infer Item }
            ? TypeOf<Item>[]
            : S extends { readonly type: 'object' }
              ? TypeOfObject<S>
              : never

type TypeOfObject<S> = S extends {
  readonly properties: infer Members
  readonly required: readonly (infer Required)[]
  readonly additionalProperties: false
}
  ? Flat<
      { -readonly [Name in keyof Members as Name & Required]: TypeOf<Members[Name]> } & {
        -readonly [Name in keyof Members as Exclude<Name, Required>]?: TypeOf<Members[Name]>
      }
    >
  : S extends { readonly additionalProperties: infer Value extends Schema }
    ? { [name: string]: TypeOf<Value> }
    : never

type Flat<T> = { [Name in keyof T]: T[Name] }

/** True where two types are the same, and not only assignable. */
export type IsSame<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
