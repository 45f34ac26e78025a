import { NETWORKS } from '../../bitcoin/network.ts'
import { invalidParams } from '../../provider/errors.ts'
import { parseContacts } from '../accounts/contacts.ts'
import { CONTACTS_KEY } from '../accounts/contacts-key.ts'
import type { AuthenticRecords, ChangedRecord } from '../keys/authentic-records.ts'
import { digestOf } from '../primitives/digest.ts'
import { parseGrants } from '../requests/grants.ts'
import type { Announcer } from '../requests/pages.ts'
import { SITES_KEY } from '../requests/sites.ts'
import { parseChosen, SERVER_KEYS_KEY, SERVERS_KEY } from '../settings/chosen-servers.ts'
import { pickExpert, SETTINGS_KEY } from '../settings/settings.ts'
import type { ChangedEntry, ChangedRecordView } from '../views/settings-views.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type RecordMethodParts = Announcer & {
  records: Pick<AuthenticRecords, 'listChanged' | 'settle'>
}

/**
 * What somebody else than the wallet has changed in its storage. It is shown as it is and does not count; the person says
 * whether it shall, or is given up: sites and contacts are then none, servers the default, switches off.
 */
export const recordMethods = {
  async getChangedRecords({ wallet }) {
    const changed = await wallet.records.listChanged()
    return { records: changed.flatMap(describe), digest: digestOf(changed) }
  },

  async settleChangedRecords({ wallet }, { digest, keep }) {
    if (typeof keep !== 'boolean') throw invalidParams('keep', keep, 'a boolean')
    const changed = await wallet.records.listChanged()
    if (digestOf(changed) !== digest)
      throw invalidParams('digest', digest, 'the digest of what was shown; it changed meanwhile')
    const entries = changed.map(record => [
      record.key,
      keep ? (record.stored ?? null) : empty(record),
    ])
    await wallet.records.settle(Object.fromEntries(entries))
    wallet.announce()
    return null
  },
} satisfies UiMethodsOf<RecordMethodParts>

const VIEWS: {
  [key: string]: { record: ChangedRecordView['record']; list(stored: unknown): ChangedEntry[] }
} = {
  [SITES_KEY]: {
    record: 'sites',
    list: stored =>
      parseGrants(stored).map(({ origin, network }) => ({ name: origin, detail: '', network })),
  },
  [CONTACTS_KEY]: {
    record: 'contacts',
    list: stored =>
      parseContacts(stored).map(({ name, address }) => ({ name, detail: address, network: null })),
  },
  [SERVERS_KEY]: {
    record: 'servers',
    list(stored) {
      const chosen = parseChosen(stored)
      return NETWORKS.flatMap(network =>
        Object.entries(chosen[network] ?? {}).map(([name, detail]) => ({ name, detail, network })),
      )
    },
  },
  [SERVER_KEYS_KEY]: {
    record: 'serverKeys',
    list: stored =>
      NETWORKS.filter(network => Object.hasOwn(Object(stored), network)).map(network => ({
        name: String(Object(Object(stored)[network]).url),
        detail: '',
        network,
      })),
  },
  [SETTINGS_KEY]: {
    record: 'switches',
    list: stored => pickExpert(stored).map(name => ({ name, detail: '', network: null })),
  },
}

function describe({ key, stored }: ChangedRecord): ChangedRecordView[] {
  const view = VIEWS[key]
  return view ? [{ record: view.record, entries: view.list(stored) }] : []
}

/** The record without anything of the part that is guarded. */
function empty({ key, stored }: ChangedRecord): unknown {
  if (key === SETTINGS_KEY) return { ...Object(stored), expert: {} }
  return key === SITES_KEY || key === CONTACTS_KEY ? [] : {}
}
