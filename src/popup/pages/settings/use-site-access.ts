import { useCallback, useEffect, useState } from 'react'
import type { OkxAliasView } from '../../../background/views/settings-views.ts'
import { EVERY_SITE, formatHostPattern } from '../../../provider/okx-alias.ts'
import { listMissingHosts, requestHosts, subscribeToPermissions } from '../../platform/rpc.ts'
import { useQuery } from '../../state/use-query.ts'

/** Whether the browser lets the wallet be in pages before their first script where it answers in the place of others. */
export function useSiteAccess(alias: OkxAliasView | null) {
  const patterns = alias ? listPatterns(alias) : []
  const wanted = useQuery(() => listMissingHosts(patterns), patterns.join(' '), [])
  const all = useQuery(() => listMissingHosts(EVERY_SITE), '', [])
  const [asking, setAsking] = useState(false)
  const { retry: lookAtWanted } = wanted
  const { retry: lookAtAll } = all
  const look = useCallback(() => {
    lookAtWanted()
    lookAtAll()
  }, [lookAtWanted, lookAtAll])
  useEffect(() => subscribeToPermissions(look), [look])
  return {
    isKnown: wanted.answer !== null && all.answer !== null,
    /** Whether the browser asks the person when something is switched on. */
    asks: all.answer !== null && all.answer.length > 0,
    /** The hosts where it is on and does not come in time, by match pattern; none while the browser asks. */
    missing: asking ? [] : (wanted.answer ?? []),
    /** Only in the handler of a press, before anything is awaited. */
    ask(next: readonly string[]): void {
      setAsking(true)
      void requestHosts(next).then(() => {
        setAsking(false)
        look()
      })
    },
  }
}

/** The hosts for which leave is needed, by match pattern. */
export function listPatterns({ everywhere, origins }: OkxAliasView): readonly string[] {
  return everywhere ? EVERY_SITE : [...new Set(origins.map(formatHostPattern))]
}
