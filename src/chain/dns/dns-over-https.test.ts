import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { concatBytes } from '../../bitcoin/bytes.ts'
import {
  bigEndian,
  type DnsQuestion,
  type DnsRecord,
  encodeQuestion,
  TYPES,
} from '../../dnssec/dns-message.ts'
import { type DomainName, encodeDomainName } from '../../dnssec/domain-name.ts'
import { NameProofError } from '../../dnssec/name-proof-error.ts'
import { anchorsOf } from '../../dnssec/root-anchors.ts'
import { aliasRecord } from '../../dnssec/testing/signed-records.ts'
import { verifyTexts } from '../../dnssec/verify-text.ts'
import { type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess } from '../testing/server-access.ts'
import { createDnsOverHttps } from './dns-over-https.ts'

const NAME = ['alice', 'user', '_bitcoin-payment', 'names', 'test']

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

/** An answer by RFC 1035, 4.1. */
function encodeAnswer({ name, type }: DnsQuestion, records: readonly DnsRecord[]): Uint8Array {
  const head = Uint8Array.of(0, 0, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0)
  const question = concatBytes(encodeDomainName(name), bigEndian(type), bigEndian(1))
  const body = records.map(one =>
    concatBytes(
      ...[encodeDomainName(one.name), bigEndian(one.type), bigEndian(1)],
      ...[bigEndian(0), bigEndian(one.ttl), bigEndian(one.data.length), one.data],
    ),
  )
  return concatBytes(head, question, ...body)
}

/** The server has these records of a name, and nothing else. */
function serve(name: DomainName, records: readonly DnsRecord[]) {
  const questions: DnsQuestion[] = [
    { name, type: TYPES.TXT },
    ...[[], ['test'], ['names', 'test']].flatMap(zone =>
      [TYPES.DNSKEY, TYPES.DS].map(type => ({ name: zone, type })),
    ),
  ]
  for (const question of questions) {
    const isOfName = question.type === TYPES.TXT
    const path = `/?dns=${Buffer.from(encodeQuestion(question)).toString('base64url')}`
    server.say({ [path]: { body: encodeAnswer(question, isOfName ? records : []) } })
  }
  const { access } = createTestAccess()
  return createDnsOverHttps(server.url, { access })
}

describe('a DNS server that sends aliases which lead nowhere', () => {
  const long = (label: string) => Array(3).fill(label.repeat(63)) as string[]
  it.each([
    ['two of one name', [aliasRecord(NAME, ['a', 'test']), aliasRecord(NAME, ['b', 'test'])]],
    [
      'one of a whole tree to a name that is too long',
      [aliasRecord(['test'], [...long('a'), 'b'.repeat(50)], TYPES.DNAME)],
    ],
  ])('is heard, and what it sent is refused as unproven: %s', async (_, sent) => {
    const records = await serve(NAME, sent).fetchRecords(NAME)
    expect(records).toEqual(sent)
    const options = { anchors: anchorsOf('regtest'), now: 1_700_000_000 }
    await expect(verifyTexts(NAME, records, options)).rejects.toBeInstanceOf(NameProofError)
  })
})
