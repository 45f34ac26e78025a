import { InvalidAddressError } from '../../bitcoin/address.ts'
import { isNetwork, NETWORKS, type Network } from '../../bitcoin/network.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import { parsePayee } from '../../bitcoin/silent-payments/payee.ts'
import { LANGUAGES } from '../../browser/languages.ts'
import { parseServerUrl } from '../../chain/access/http.ts'
import { InvalidServerUrlError } from '../../chain/access/invalid-server-url.ts'
import { parsePaymentName } from '../../dnssec/payment-name.ts'
import { readChangeableHost } from '../../provider/page-origin.ts'
import { parseLabel } from '../activity/labels.ts'
import { CHOICES, isChoiceSubject } from '../collectibles/inscription-choices.ts'
import { checkName } from '../primitives/check-name.ts'
import { SERVER_KINDS } from '../settings/chosen-servers.ts'
import { CURRENCIES, LONGEST_MINUTES, THEMES } from '../settings/settings.ts'
import { json, list, type Of, object, oneOf, orNull, record, text, whole } from './shape.ts'

/** Bounds of what a file may hold, far above what wallets have. */
const MOST = { contacts: 10_000, labels: 100_000, sites: 10_000, coins: 10_000, jobs: 200 }
const MOST_TEXT = 2_000

/** Milliseconds since 1970, until the year 10000. */
const time = whole(0, 253_402_300_800_000)
/** The place of an account in the backup. */
const place = whole(0, 10_000)
const network = oneOf(NETWORKS)

const name = text(value => succeeds(() => checkName(value) === value), 'no name')
const label = text(value => value !== '' && succeeds(() => parseLabel(value) === value), 'no label')
const address = text(value => isAddress(value) || isPaymentName(value), 'no address')
const origin = text(isOrigin, 'no origin of a site')
const outpoint = text(value => succeeds(() => parseOutpoint(value)), 'no outpoint')
const subject = text(isChoiceSubject, 'no inscription and no collection')
const server = text(value => isServer(value), 'no address of a server')
const note = text(value => value.length <= MOST_TEXT, 'a text that is too long')

const settings = object({
  network,
  language: oneOf(['auto' as const, ...LANGUAGES]),
  theme: oneOf(THEMES),
  currency: orNull(oneOf(CURRENCIES)),
  autoLockMinutes: whole(1, LONGEST_MINUTES),
})
const chosenServer = object({
  network,
  kind: oneOf(SERVER_KINDS),
  url: server,
  key: orNull(note),
})
const contact = object({ name, address })
const grant = object({ origin, network, account: place, at: time })
const blocked = object({ origin, at: time })
const coin = object({ outpoint, network, account: place })
const sorted = object({ subject, choice: oneOf(CHOICES), network, account: place })
const job = object({ account: place, job: json, bytes: list(1_000, json) })
const mint = object({ account: place, job: json })
const cosigned = object({ account: place, job: json })

/** Everything besides the accounts. Switches that lift protections are never in it, nor coins that were unlocked. */
export const parseContents = object({
  settings,
  servers: list(NETWORKS.length * SERVER_KINDS.length, chosenServer),
  contacts: list(MOST.contacts, contact),
  labels: record(isNetwork, NETWORKS.length, record(isTxid, MOST.labels, label)),
  sites: list(MOST.sites, grant),
  blockedSites: list(MOST.sites, blocked),
  lockedCoins: list(MOST.coins, coin),
  /** Which inscriptions are hidden, or shown whatever hides them. Earlier versions had none. */
  inscriptions: (value: unknown) => (value === undefined ? [] : list(MOST.coins, sorted)(value)),
  jobs: list(MOST.jobs, job),
  mints: list(MOST.jobs, mint),
  /** Earlier versions had none. */
  cosigned: (value: unknown) => (value === undefined ? [] : list(MOST.jobs, cosigned)(value)),
})

export type BackupContents = Of<typeof parseContents>
export type BackupSettings = BackupContents['settings']
export type BackupServer = BackupContents['servers'][number]

/** Without what a reader would refuse: earlier versions let in more, and plain http sites are allowed by hand. */
export function keepSound(contents: BackupContents): BackupContents {
  const labels = Object.entries(contents.labels).map(([on, byTxid]) => {
    const sound = Object.entries(byTxid).filter(
      ([txid, own]) => isTxid(txid) && succeeds(() => label(own)),
    )
    return [on, Object.fromEntries(sound.slice(0, MOST.labels))]
  })
  const keep = <T>(all: readonly T[], shape: (value: unknown) => T, most: number): T[] =>
    all.filter(one => succeeds(() => shape(one))).slice(0, most)
  return parseContents({
    settings: contents.settings,
    servers: keep(contents.servers, chosenServer, NETWORKS.length * SERVER_KINDS.length),
    contacts: keep(contents.contacts, contact, MOST.contacts),
    labels: Object.fromEntries(labels),
    sites: keep(contents.sites, grant, MOST.sites),
    blockedSites: keep(contents.blockedSites, blocked, MOST.sites),
    lockedCoins: keep(contents.lockedCoins, coin, MOST.coins),
    inscriptions: keep(contents.inscriptions, sorted, MOST.coins),
    jobs: keep(contents.jobs, job, MOST.jobs),
    mints: keep(contents.mints, mint, MOST.jobs),
    cosigned: keep(contents.cosigned, cosigned, MOST.jobs),
  })
}

export function isTxid(value: string): boolean {
  return /^[0-9a-f]{64}$/.test(value)
}

/** In its canonical spelling, of any network; a silent payment address too. */
function isAddress(value: string): boolean {
  return NETWORKS.some(each => {
    try {
      return parsePayee(value, each).address === value
    } catch (error) {
      if (error instanceof InvalidAddressError) return false
      throw error
    }
  })
}

/** As a contact has it. */
function isPaymentName(value: string): boolean {
  return parsePaymentName(value)?.text === value
}

/** An https origin, or a plain http one of this computer: others are allowed by hand. */
function isOrigin(value: string): boolean {
  if (value.length > MOST_TEXT || !URL.canParse(value)) return false
  const { origin: own, protocol } = new URL(value)
  if (own !== value) return false
  return protocol === 'https:' || (protocol === 'http:' && readChangeableHost(value) === null)
}

function isServer(value: string): boolean {
  try {
    return value.length <= MOST_TEXT && parseServerUrl(value) === value
  } catch (error) {
    if (error instanceof InvalidServerUrlError) return false
    throw error
  }
}

function succeeds(check: () => unknown): boolean {
  try {
    return check() !== false
  } catch {
    return false
  }
}

/** The networks of a record by network. */
export function networksOf<T>(byNetwork: { [key: string]: T }): [Network, T][] {
  return NETWORKS.flatMap((each): [Network, T][] => {
    const own = byNetwork[each]
    return own === undefined ? [] : [[each, own]]
  })
}
