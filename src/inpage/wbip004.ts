import { NAME } from './identity.ts'
import { append, freeze, isArray, setOwn } from './primordials.ts'

/**
 * What adds the wallet to a page's lists of providers of WBIP004, once, and makes them where they are missing. A list that
 * takes no more, and what is no list, stay as they are. May be called again: a wallet that assigns a list of its
 * own while the document loads would push out those that came before.
 */
export function createAnnouncement(
  page: object,
  findWallet: () => { readonly icon: string; findMethods(): readonly string[] },
): () => void {
  const entry = freeze({
    // Where sats-connect finds the provider: a path on `window`.
    id: 'satchel.satsConnect',
    name: NAME,
    get icon() {
      return findWallet().icon
    },
    get methods() {
      return findWallet().findMethods()
    },
  })

  function announceIn(name: string): void {
    // Another script may have made an accessor of the name, a Proxy of the list, or frozen either.
    try {
      const list: unknown = (page as { [name: string]: unknown })[name]
      if (list === undefined || list === null) setOwn(page, name, [entry])
      if (!isArray(list)) return
      for (let i = 0; i < list.length; i++) if (list[i]?.id === entry.id) return
      append(list, entry)
    } catch {}
  }

  return () => {
    // The older name, which libraries read, and the draft's present one.
    announceIn('btc_providers')
    announceIn('wbip_providers')
  }
}
