import { BackendUnavailableError } from '../../../chain/chain-source.ts'
import type { NameSource } from '../../../chain/name-source.ts'
import type { DnsRecord } from '../../../dnssec/dns-message.ts'
import { parsePaymentName } from '../../../dnssec/payment-name.ts'
import {
  delegationRecord,
  keyRecord,
  makeZoneKey,
  readRootKey,
  signRecords,
  textRecord,
  type ZoneKey,
} from '../../../dnssec/testing/signed-records.ts'

const DAY = 86_400

/** The zone of all names here. */
const ZONE = ['names', 'test']

let zoneKeys: Promise<[root: ZoneKey, top: ZoneKey, own: ZoneKey]> | undefined

/** The keys of the zones down to {@link ZONE}, the root's first: made once, and not before a name is looked up. */
function readZoneKeys() {
  zoneKeys ??= Promise.all([readRootKey(), makeZoneKey(), makeZoneKey()])
  return zoneKeys
}

/** A DNS behind the wallet's port, with a zone that is signed from the root of regtest. Names are `user@names.test`. */
export function createMemoryNames(clock: { now: number }) {
  const links = new Map<string, { texts: string[]; signedAt: number }>()
  const asked: string[] = []
  const faults: { unreachable?: boolean /** The person named no server. */; none?: boolean } = {}

  const source: NameSource = {
    async fetchRecords(name) {
      asked.push(name.join('.'))
      if (faults.unreachable)
        throw new BackendUnavailableError({
          ...{ kind: 'unreachable', host: 'names.memory.test' },
          ...{ detail: 'could not be reached', retryInMs: null },
        })
      const link = links.get(name.join('.'))
      const chain = await describeZones()
      if (!link) return chain
      const [, , key] = await readZoneKeys()
      const from = link.signedAt
      const texts = link.texts.map(text => textRecord(name, text))
      const signing = { zone: ZONE, key, from, to: from + 30 * DAY }
      return [...chain, ...(await signRecords(texts, signing))]
    },
  }

  return {
    asked,
    faults,
    open: async () => (faults.none ? null : source),
    /** Gives a name these texts, signed now unless at another time (in milliseconds). */
    set(name: string, texts: string[], at = clock.now): void {
      const parsed = parsePaymentName(name)
      if (parsed === null) throw new Error(`${name}: a name was expected`)
      const signedAt = Math.floor(at / 1000)
      links.set(parsed.domainName.join('.'), { texts, signedAt })
    },
  }

  async function describeZones(): Promise<DnsRecord[]> {
    const [root, top, own] = await readZoneKeys()
    const now = Math.floor(clock.now / 1000)
    const when = { from: now - DAY, to: now + DAY }
    const [topZone, rootZone] = [ZONE.slice(1), []]
    const sets = [
      signRecords([keyRecord(rootZone, root)], { zone: rootZone, key: root, ...when }),
      signRecords([await delegationRecord(topZone, top)], { zone: rootZone, key: root, ...when }),
      signRecords([keyRecord(topZone, top)], { zone: topZone, key: top, ...when }),
      signRecords([await delegationRecord(ZONE, own)], { zone: topZone, key: top, ...when }),
      signRecords([keyRecord(ZONE, own)], { zone: ZONE, key: own, ...when }),
    ]
    return (await Promise.all(sets)).flat()
  }
}

export type MemoryNames = ReturnType<typeof createMemoryNames>
