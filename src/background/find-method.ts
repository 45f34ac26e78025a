import { parseNothing } from '../provider/first-params.ts'
import type { MethodName } from '../provider/method-names.ts'
import { getAccounts, getNetwork, getPublicKey } from './methods/account.ts'
import { connect, requestAccounts } from './methods/connecting/connect.ts'
import { disconnect } from './methods/disconnect.ts'
import type { MethodParts } from './methods/methods.ts'
import type { FindMethod, FoundMethod, MethodTable } from './requests/method.ts'

/** What every page begins with, which is there when the worker starts. None of them takes parameters. */
const FIRST: Partial<MethodTable<MethodParts>> = {
  connect,
  requestAccounts,
  getAccounts,
  getNetwork,
  getPublicKey,
  disconnect,
}

/** The other operations, and the parsers of their parameters, come with the first request for one of them. */
export const findMethod: FindMethod<MethodParts> = async <M extends MethodName>(name: M) => {
  const first = FIRST[name]
  if (first) return { method: first, parse: parseNothing as FoundMethod<M, MethodParts>['parse'] }
  const [{ methods }, { parsers }] = await Promise.all([
    import('./methods/methods.ts'),
    import('../provider/methods.ts'),
  ])
  return { method: methods[name], parse: parsers[name] }
}
