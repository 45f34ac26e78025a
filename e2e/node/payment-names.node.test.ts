import { DEFAULT_ALGORITHMS, DEFAULT_DIGESTS, DNSProver, dohQuery } from '@ensdomains/dnsprovejs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parsePaymentLink } from '../../src/bitcoin/bip321.ts'
import { createServerAccess } from '../../src/chain/access/server-access.ts'
import { createDnsOverHttps } from '../../src/chain/dns/dns-over-https.ts'
import { fetchServerTip } from '../../src/chain/open/server-tip.ts'
import { encodeQuestion, TYPES } from '../../src/dnssec/dns-message.ts'
import { findInstructions, parsePaymentName } from '../../src/dnssec/payment-name.ts'
import { anchorsOf } from '../../src/dnssec/root-anchors.ts'
import { verifyTexts } from '../../src/dnssec/verify-text.ts'
import {
  digTexts,
  type NameServer,
  startNameServer,
  whyNoNameServer,
} from '../fixtures/dns/name-server.ts'
import type { Zone } from '../fixtures/dns/signed-zones.ts'

const missing = whyNoNameServer()

// Of nobody in particular: BIP-173's example program, and another one.
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const BOB = 'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk'

const pay = (user: string, address: string) =>
  `${user}.user._bitcoin-payment TXT "bitcoin:?bcrt=${address}"`

const ZONES: Zone[] = [
  { name: '', algorithm: 'ECDSAP256SHA256' },
  { name: 'test', algorithm: 'RSASHA256', bits: 2048 },
  {
    name: 'p256.test',
    algorithm: 'ECDSAP256SHA256',
    records: [
      pay('alice', ALICE),
      `parts.user._bitcoin-payment TXT "BITCOIN:" "?bcrt=${ALICE}" "&label=Two" "%20parts"`,
      'parts.user._bitcoin-payment TXT "v=spf1 -all"',
      pay('two', ALICE),
      pay('two', BOB),
      'none.user._bitcoin-payment TXT "hello"',
      'alias.user._bitcoin-payment CNAME bob.user._bitcoin-payment.p384.test.',
      'circle.user._bitcoin-payment CNAME circle2.user._bitcoin-payment',
      'circle2.user._bitcoin-payment CNAME circle.user._bitcoin-payment',
      'nowhere.user._bitcoin-payment CNAME x.unsigned.test.',
      `*.wild.user._bitcoin-payment TXT "bitcoin:?bcrt=${BOB}"`,
      pay('own.wild', ALICE),
      'tree.user._bitcoin-payment DNAME user._bitcoin-payment.p384.test.',
    ],
  },
  { name: 'p384.test', algorithm: 'ECDSAP384SHA384', records: [pay('bob', BOB)] },
  {
    name: 'hashed.test',
    algorithm: 'RSASHA512',
    bits: 2048,
    isHashed: true,
    records: [pay('alice', ALICE), `*.user._bitcoin-payment TXT "bitcoin:?bcrt=${BOB}"`],
  },
  { name: 'ed.test', algorithm: 'ED25519', records: [pay('alice', ALICE)] },
  { name: 'sha1.test', algorithm: 'RSASHA1', bits: 2048, records: [pay('alice', ALICE)] },
  {
    name: 'digest.test',
    algorithm: 'ECDSAP256SHA256',
    delegation: 'sha-1',
    records: [pay('alice', ALICE)],
  },
  {
    name: 'expired.test',
    algorithm: 'ECDSAP256SHA256',
    times: ['now-864000', 'now-3600'],
    records: [pay('alice', ALICE)],
  },
  {
    name: 'early.test',
    algorithm: 'ECDSAP256SHA256',
    times: ['now+86400', 'now+864000'],
    records: [pay('alice', ALICE)],
  },
  {
    name: 'island.test',
    algorithm: 'ECDSAP256SHA256',
    delegation: 'none',
    records: [pay('alice', ALICE)],
  },
  { name: 'unsigned.test', algorithm: null, records: [pay('alice', ALICE), 'x TXT "bitcoin:?"'] },
]

describe.skipIf(missing !== null)(`names in a DNS of BIND's (${missing ?? 'there'})`, () => {
  let server: NameServer
  beforeAll(async () => {
    server = await startNameServer(ZONES)
  }, 60_000)
  afterAll(() => server?.stop())

  const resolve = async (text: string, now = Date.now() / 1000) => {
    const name = parsePaymentName(text)
    if (name === null) throw new Error(`${text}: a name was expected`)
    const random = (length: number) => new Uint8Array(length)
    const access = createServerAccess({ now: Date.now, random })
    const source = createDnsOverHttps(server.url, { access })
    const records = await source.fetchRecords(name.domainName)
    const options = { anchors: anchorsOf('regtest'), now: Math.floor(now) }
    const proven = await verifyTexts(name.domainName, records, options)
    return { ...proven, link: parsePaymentLink(findInstructions(proven.texts)) }
  }

  it.each([
    ['alice@p256.test', ALICE],
    ['₿Alice@P256.Test', ALICE],
    ['parts@p256.test', ALICE],
    ['bob@p384.test', BOB],
    ['alice@hashed.test', ALICE],
    ['alice@ed.test', ALICE],
    ['alias@p256.test', BOB],
    ['bob.tree@p256.test', BOB],
    ['anybody.wild@p256.test', BOB],
    ['own.wild@p256.test', ALICE],
    ['deep.er@hashed.test', BOB],
  ])('%s is proven to be %s', async (name, address) => {
    expect((await resolve(name)).link.addresses).toEqual([address])
  })

  it.each([
    ['nobody@p256.test', 'missing'],
    ['nobody@nowhere.test', 'missing'],
    ['two@p256.test', 'several'],
    ['none@p256.test', 'none'],
    ['nowhere@p256.test', 'unsigned'],
    ['alice@unsigned.test', 'unsigned'],
    ['alice@island.test', 'unsigned'],
    ['alice@expired.test', 'expired'],
    ['alice@early.test', 'expired'],
    ['alice@sha1.test', 'weak'],
    ['alice@digest.test', 'weak'],
  ])('%s is refused: %s', async (name, problem) => {
    await expect(resolve(name)).rejects.toMatchObject({ problem })
  })

  it.each(['alice@p256.test', 'parts@p256.test'])(
    'of %s another library proves the same texts',
    async text => {
      const name = parsePaymentName(text)?.domainName.join('.') ?? ''
      const prover = new DNSProver(dohQuery(server.url), DEFAULT_DIGESTS, DEFAULT_ALGORITHMS, [
        rootAnchor(),
      ])
      // It tells all that it does.
      const silenced = (['log', 'info'] as const).map(method =>
        vi.spyOn(console, method).mockImplementation(() => {}),
      )
      const { answer } = await prover.queryWithProof('TXT', name)
      for (const spy of silenced) spy.mockRestore()
      const told = answer.records.map(({ data }) => Buffer.concat([data].flat().map(Buffer.from)))
      const { texts } = await resolve(text)
      expect(told.map(String).sort()).toEqual(texts.map(bytes => String(Buffer.from(bytes))).sort())
    },
  )

  it('is refused when an answer was changed on its way, whatever byte it is', async () => {
    const whole = await resolve('alice@p256.test')
    const question = encodeQuestion({
      name: parsePaymentName('alice@p256.test')?.domainName ?? [],
      type: TYPES.TXT,
    })
    const asked = Buffer.from(question).toString('base64url')
    const problems = new Set<string>()
    // From the first byte of the text on, which BIND sends behind the question; its last record is the signature.
    for (let at = 70; at < 220; at += 6) {
      server.change = (path, answer) =>
        path.endsWith(asked) ? answer.map((byte, index) => (index === at ? byte ^ 1 : byte)) : null
      const found = await resolve('alice@p256.test').catch(({ problem }) => {
        problems.add(problem.kind ?? problem)
        return whole
      })
      expect(found.link.addresses).toEqual([ALICE])
    }
    server.change = null
    expect([...problems]).toContain('forged')
  })

  it('has a server that the wallet takes for good, unless it gives other keys of the root', async () => {
    const access = createServerAccess({ now: Date.now, random: length => new Uint8Array(length) })
    const question = { kind: 'names', url: server.url, key: null, access, now: Date.now } as const
    expect(await fetchServerTip({ ...question, network: 'regtest' })).toBe(null)
    await expect(fetchServerTip({ ...question, network: 'mainnet' })).rejects.toMatchObject({
      problem: { kind: 'nonsense', detail: 'sent no signed keys of the DNS root: forged' },
    })
  })

  it('is there for others too', async () => {
    expect(await digTexts(server.port, 'alice.user._bitcoin-payment.p256.test')).toBe(
      `"bitcoin:?bcrt=${ALICE}"`,
    )
  })
})

function rootAnchor(): DNSProver['anchors'][number] {
  const [anchor] = anchorsOf('regtest')
  if (!anchor) throw new Error('an anchor was expected')
  const { tag: keyTag, algorithm, digestType, digest } = anchor
  const data = { keyTag, algorithm, digestType, digest: Buffer.from(digest) }
  return { name: '.', type: 'DS', class: 'IN', data }
}
