import type { ProviderEvent } from '../../src/provider/envelope.ts'
import type { ProviderErrorCode } from '../../src/provider/errors.ts'
import type { SiteFailure } from './failure-descriptions.ts'
import type { Json, Schema } from './json-schema.ts'

export type Argument = {
  readonly name: string
  readonly summary: string
  readonly required: boolean
  readonly schema: Schema
}

/** What a developer has to know of one operation, in JSON. */
export type Description = {
  readonly summary: string
  readonly description?: string
  /** In order; whatever comes after them is ignored. */
  readonly args: readonly Argument[]
  /** Names of two arguments, see RULES. */
  readonly 'x-no-longer-than'?: readonly [string, string]
  readonly result: { readonly name: string; readonly schema: Schema }
  /** `anyone` may call it unconnected; `connected` needs the leave of the account in use. */
  readonly access: 'anyone' | 'connected'
  /** Whether a person is asked, or when. */
  readonly asks: 'never' | 'always' | { readonly when: string }
  /** False for what the wallet has beyond the specification. */
  readonly specified: boolean
  /** Besides those that all operations of its kind have. */
  readonly codes?: readonly ProviderErrorCode[]
  readonly reasons?: readonly SiteFailure[]
  /** That its success may bring about. */
  readonly events?: readonly ProviderEvent[]
  readonly example: { readonly args: readonly Json[]; readonly result: Json }
}
