import { useEffect, useState } from 'react'
import type { OkxAliasView } from '../../../background/views/settings-views.ts'
import { OKX_ALIAS_KEY } from '../../../provider/okx-alias.ts'
import { call, type UiParams } from '../../platform/rpc.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'

type Change = UiParams<'setOkxAlias'>

/** Where the wallet answers in the place of other wallets, with what was just pressed, and how to change it. */
export function useOkxAlias() {
  const { answer, problem } = useQuery(() => call('getOkxAlias', null), '', [OKX_ALIAS_KEY])
  const [optimistic, setOptimistic] = useState<OkxAliasView | null>(null)
  const { failure, run } = useTask()
  // What is stored by now counts for more than what was said of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is a reason
  useEffect(() => setOptimistic(null), [answer])
  const alias = optimistic ?? answer
  return {
    alias,
    problem,
    failure,
    /** Resolves whether it was stored. */
    async change(change: Change): Promise<boolean> {
      if (alias) setOptimistic(apply(alias, change))
      const done = await run(async () => setOptimistic(await call('setOkxAlias', change)))
      if (!done) setOptimistic(null)
      return done
    },
  }
}

/** What it will be, so that a switch does not jump back while the background stores it. */
function apply(alias: OkxAliasView, change: Change): OkxAliasView {
  if ('everywhere' in change) return { ...alias, everywhere: change.everywhere }
  const others = alias.origins.filter(origin => origin !== change.origin)
  return { ...alias, origins: change.on ? [change.origin, ...others] : others }
}
