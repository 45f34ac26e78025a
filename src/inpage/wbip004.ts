import { SATS_CONNECT_WORDS } from '../provider/sats-connect-names.ts'
import { ICON, NAME } from './identity.ts'
import { makeOnce } from './make-once.ts'
import { listNames } from './names.ts'
import { append, freeze, isArray, setOwn } from './primordials.ts'

const findMethods = makeOnce(() => freeze(listNames(SATS_CONNECT_WORDS, /\w+/g)))

const entry = freeze({
  // Where sats-connect finds the provider: a path on `window`.
  id: 'satchel.satsConnect',
  name: NAME,
  // Few pages look at these.
  get icon() {
    return ICON
  },
  get methods() {
    return findMethods()
  },
})

/**
 * Adds the wallet to the lists of providers of WBIP004, once, and makes them where they are missing. A list that
 * takes no more, and what is no list, stay as they are. May be called again: a wallet that assigns a list of its
 * own while the document loads would push out those that came before.
 */
export function announceProvider(page: object): void {
  // The older name, which libraries read, and the draft's present one.
  announceIn(page, 'btc_providers')
  announceIn(page, 'wbip_providers')
}

function announceIn(page: object, name: string): void {
  // Another script may have made an accessor of the name, a Proxy of the list, or frozen either.
  try {
    const list: unknown = (page as { [name: string]: unknown })[name]
    if (list === undefined || list === null) setOwn(page, name, [entry])
    else if (isArray(list) && !isListed(list)) append(list, entry)
  } catch {}
}

function isListed(list: readonly unknown[]): boolean {
  for (let i = 0; i < list.length; i++) {
    if ((list[i] as { id?: unknown } | undefined)?.id === entry.id) return true
  }
  return false
}
