// dns: Questions to a DNS server over HTTPS (RFC 8484). It believes no answer: what is in one is proven elsewhere, by signatures.

import { MalformedBytesError } from '../../bitcoin/byte-cursor.ts'
import { toBase64 } from '../../bitcoin/bytes.ts'
import {
  type DnsAnswer,
  type DnsQuestion,
  type DnsRecord,
  encodeQuestion,
  parseAnswer,
  TYPES,
} from '../../dnssec/dns-message.ts'
import { type DomainName, formatDomainName } from '../../dnssec/domain-name.ts'
import { NameProofError } from '../../dnssec/name-proof-error.ts'
import { parseSignature } from '../../dnssec/record-data.ts'
import { findSet, groupRecords, type RecordSet } from '../../dnssec/record-sets.ts'
import { findAlias, followAlias } from '../../dnssec/verify-text.ts'
import { serverFailure } from '../access/http.ts'
import type { ServerAccess } from '../access/server-access.ts'
import { createServerReader } from '../access/server-reader.ts'
import type { NameSource } from '../name-source.ts'

const TIMEOUT_MS = 10_000
/** DNS messages are no longer. */
const MOST_BYTES = 65_535
/** An honest name of one zone takes seven; each alias to another zone up to five more. */
const MOST_QUESTIONS = 40
const NO_ERROR = 0
const NO_SUCH_NAME = 3

export type NameServer = NameSource & {
  /** The keys of the root with their signatures. */
  fetchRootKeys(): Promise<DnsRecord[]>
}

/** The server at `url`, which is asked as `url?dns=…`. */
export function createDnsOverHttps(
  url: string,
  { access, bypassBackoff = false }: { access: ServerAccess; bypassBackoff?: boolean },
): NameServer {
  const server = createServerReader(url, access, { bypassBackoff })

  return {
    async fetchRootKeys() {
      return (await ask({ name: [], type: TYPES.DNSKEY })).records
    },
    async fetchRecords(name) {
      const records: DnsRecord[] = []
      const asked = new Set<string>()
      let next = firstQuestions(name)
      while (next.length > 0) {
        for (const question of next) asked.add(JSON.stringify(question))
        if (asked.size > MOST_QUESTIONS)
          throw serverFailure('nonsense', url, `led to more than ${MOST_QUESTIONS} questions`)
        for (const answer of await Promise.all(next.map(askForRecords))) records.push(...answer)
        next = missingQuestions(name, records).filter(
          question => !asked.has(JSON.stringify(question)),
        )
      }
      return records
    },
  }

  /** Of a zone there may be nothing to be had; what there is to be paid is what was asked for. */
  async function askForRecords(question: DnsQuestion): Promise<DnsRecord[]> {
    const { code, records } = await ask(question)
    if (code === NO_ERROR || code === NO_SUCH_NAME || question.type !== TYPES.TXT) return records
    const name = formatDomainName(question.name)
    throw serverFailure('unreachable', url, `answered with code ${code} for ${name}`)
  }

  function ask(question: DnsQuestion): Promise<DnsAnswer> {
    const message = toBase64(encodeQuestion(question))
    const text = message.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
    const accept = 'application/dns-message'
    return server.ask(
      `?dns=${text}`,
      { accept, timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES },
      answer => read(() => parseAnswer(answer.bytes, question)),
    )
  }

  function read<T>(parse: () => T): T {
    try {
      return parse()
    } catch (cause) {
      if (!(cause instanceof MalformedBytesError)) throw cause
      throw serverFailure('nonsense', url, `sent no DNS message: ${cause.message}`, { cause })
    }
  }

  /** What the records so far call for: the end of an alias, and the keys of who signed, with those of the zones above. */
  function missingQuestions(name: DomainName, records: readonly DnsRecord[]): DnsQuestion[] {
    return read(() => {
      const end = findEnd(name, records)
      const signers = records
        .filter(({ type }) => type === TYPES.RRSIG)
        .map(({ data }) => parseSignature(data).signer)
      return uniqueOf([{ name: end, type: TYPES.TXT }, ...signers.flatMap(questionsOfZone)])
    })
  }
}

/** What is needed nearly always, at once: of the zones that the last labels may be. */
function firstQuestions(name: DomainName): DnsQuestion[] {
  const domain = name.slice(name.indexOf('_bitcoin-payment') + 1)
  const zones = domain.map((_, at) => domain.slice(at)).slice(-3)
  return uniqueOf([
    { name, type: TYPES.TXT },
    ...questionsOfZone([]),
    ...zones.flatMap(questionsOfZone),
  ])
}

function questionsOfZone(name: DomainName): DnsQuestion[] {
  const keys = { name, type: TYPES.DNSKEY }
  return name.length === 0 ? [keys] : [keys, { name, type: TYPES.DS }]
}

/** Where aliases lead, believed for now; of a circle some name in it. */
function findEnd(name: DomainName, records: readonly DnsRecord[]): DomainName {
  const sets = groupRecords(records)
  let end = name
  for (let steps = 0; steps < 10; steps++) {
    const alias = findSet(sets, end, TYPES.TXT) ? null : findAlias(sets, end)
    const next = alias && readTarget(alias, end)
    if (next === null) break
    end = next
  }
  return end
}

/** Null for one that leads nowhere: what is wrong with it is for who proves the records. */
function readTarget(alias: RecordSet, from: DomainName): DomainName | null {
  try {
    return followAlias(alias, from)
  } catch (error) {
    if (error instanceof NameProofError) return null
    throw error
  }
}

function uniqueOf(questions: readonly DnsQuestion[]): DnsQuestion[] {
  const byText = new Map(questions.map(question => [JSON.stringify(question), question]))
  return [...byText.values()]
}
