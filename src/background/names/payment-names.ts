// names: Names that are paid (BIP-353): what they lead to now, proven by DNSSEC. It never believes the DNS server, keeps no answer
// for longer than its records allow, and takes no older answer for a newer one.

import { sha256 } from '@noble/hashes/sha2.js'
import { parsePaymentLink } from '../../bitcoin/bip321.ts'
import { MalformedBytesError } from '../../bitcoin/byte-cursor.ts'
import { toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { findPayableAddress } from '../../bitcoin/silent-payments/payee.ts'
import { formatDomainName } from '../../dnssec/domain-name.ts'
import { findInstructions, type PaymentName, parsePaymentName } from '../../dnssec/payment-name.ts'
import { anchorsOf } from '../../dnssec/root-anchors.ts'
import { type ProvenTexts, verifyTexts } from '../../dnssec/verify-text.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { Sources } from '../settings/servers.ts'
import { asNameError, nameError } from './name-errors.ts'

/** A name and the address that it leads to; proven until then, in milliseconds since 1970. */
export type NamedAddress = { name: string; address: string; validUntil: number }

/** The newest answer of a name: the digest of its link, and when the signatures on the way began, by name. */
type SeenAnswer = { digest: string; steps: { [name: string]: number } }

const SEEN_KEY = 'seenNames'
const MOST_SEEN = 100

/** Names, as the DNS server of each network has them. */
export function createPaymentNames({
  session,
  now,
  names,
}: {
  session: StorageArea
  now(): number
  names: Sources['names']
}) {
  const known = new Map<string, { at: number; found: NamedAddress }>()
  const inTurn = createMutex()

  return {
    /** Throws -32602 with `nameProblem`, and BackendUnavailableError. */
    async resolve(network: Network, text: string): Promise<NamedAddress> {
      const name = parsePaymentName(text)
      if (name === null) throw nameError(text.slice(0, 300), 'not-a-name')
      const key = `${network} ${name.text}`
      const before = known.get(key)
      // Before it was proven, nobody knows for how long it counts.
      if (before && now() >= before.at && now() < before.found.validUntil) return before.found
      known.delete(key)
      const at = now()
      const found = await lookUp(network, name)
      known.set(key, { at, found })
      return found
    },
  }

  async function lookUp(network: Network, name: PaymentName): Promise<NamedAddress> {
    const source = await names(network)
    if (source === null) throw nameError(name.text, 'no-server')
    const records = await source.fetchRecords(name.domainName)
    try {
      const at = Math.floor(now() / 1000)
      const options = { anchors: anchorsOf(network), now: at }
      const proven = await verifyTexts(name.domainName, records, options)
      const instructions = findInstructions(proven.texts)
      const address = findPayableAddress(parsePaymentLink(instructions), network)
      if (address === null) throw nameError(name.text, 'unpayable')
      await assertNewest(`${network} ${name.text}`, name.text, instructions, proven)
      return { name: name.text, address, validUntil: proven.validUntil * 1000 }
    } catch (error) {
      if (error instanceof MalformedBytesError)
        throw nameError(name.text, 'forged', { cause: error })
      throw asNameError(name.text, error)
    }
  }

  /** Signatures of an answer that was replaced may be good for weeks: whoever sends it again is refused. */
  function assertNewest(
    key: string,
    name: string,
    instructions: string,
    { steps }: Pick<ProvenTexts, 'steps'>,
  ): Promise<void> {
    return inTurn(async () => {
      const { [key]: before, ...others } = await loadSeen()
      const digest = toHex(sha256(toUtf8(instructions)))
      const signedAt = Object.fromEntries(
        steps.map(step => [formatDomainName(step.name), step.signedAt]),
      )
      const isOlder = Object.entries(before?.steps ?? {}).some(
        ([step, at]) => (signedAt[step] ?? at) < at,
      )
      if (before && isOlder) {
        if (before.digest !== digest) throw nameError(name, 'superseded')
        return
      }
      const kept = Object.entries(others).slice(1 - MOST_SEEN)
      const next = { ...Object.fromEntries(kept), [key]: { digest, steps: signedAt } }
      await session.set({ [SEEN_KEY]: next })
    })
  }

  /** Only this module writes it. */
  async function loadSeen(): Promise<{ [key: string]: SeenAnswer }> {
    return Object((await session.get(SEEN_KEY)) ?? {})
  }
}

export type PaymentNames = ReturnType<typeof createPaymentNames>
