import type { MethodName } from '../../src/provider/method-names.ts'
import type { Methods } from '../../src/provider/methods.ts'
import { ACCOUNT_DESCRIPTIONS } from './account-descriptions.ts'
import type { Description } from './description.ts'
import { INSCRIPTION_DESCRIPTIONS } from './inscription-descriptions.ts'
import type { IsSame, TypeOf } from './json-schema.ts'
import { PAYMENT_DESCRIPTIONS } from './payment-descriptions.ts'
import { RUNE_DESCRIPTIONS } from './rune-descriptions.ts'
import { SIGNING_DESCRIPTIONS } from './signing-descriptions.ts'

const ALL = {
  ...ACCOUNT_DESCRIPTIONS,
  ...PAYMENT_DESCRIPTIONS,
  ...INSCRIPTION_DESCRIPTIONS,
  ...SIGNING_DESCRIPTIONS,
  ...RUNE_DESCRIPTIONS,
} as const satisfies { readonly [M in MethodName]: Description }

/** Operations whose result is described as something else than what the table says. */
type Wrong = {
  [M in keyof typeof ALL]: M extends MethodName
    ? IsSame<TypeOf<(typeof ALL)[M]['result']['schema']>, Methods[M]['result']> extends true
      ? never
      : M
    : M
}[keyof typeof ALL]

/** Every operation of the provider. Does not compile where an operation is missing, unknown, or has another result. */
export const DESCRIPTIONS: [Wrong] extends [never]
  ? { readonly [M in MethodName]: Description }
  : { wrong: Wrong } = ALL
