import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { concatBytes, fromHex, toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { openBackup, sealBackup } from '../keys/backup-file.ts'
import { randomBytes } from '../primitives/random-source.ts'
import { RECIPIENT } from '../testing/funded-wallet.ts'
import { createSeededRandom } from '../testing/seeded-random.ts'
import { checkJob, checkMint } from './backup-jobs.ts'
import {
  BACKUP_PASSWORD,
  createBackup,
  elsewhere,
  readViews,
  startFresh,
  startFull,
} from './testing/full-wallet.ts'

const { count: COUNT, seed: SEED } = campaign('altered jobs of backups')
const password = BACKUP_PASSWORD
const quick = {
  random: randomBytes,
  deriveKey: async (word: string, salt: Uint8Array) => derive(word, salt),
}

/** As the workers of these tests derive it. */
async function derive(word: string, salt: Uint8Array): Promise<Uint8Array> {
  const bytes = concatBytes(salt, toUtf8(word))
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
}

type Body = ReturnType<typeof JSON.parse>
type Full = Awaited<ReturnType<typeof startFull>>

let full: Full
let file: string
let head: Uint8Array
let body: Body

beforeAll(async () => {
  full = await startFull()
  file = await createBackup(full.worker)
  const plain = await openBackup(file, password, quick)
  head = plain.slice(0, 48)
  body = JSON.parse(new TextDecoder().decode(plain.slice(48)))
})

/** A file of somebody who knows the password and not the phrase: it names no wallet. */
const forge = (contents: unknown, from: Uint8Array = new Uint8Array(48)) =>
  sealBackup(concatBytes(from, toUtf8(JSON.stringify(contents))), password, quick)

describe('a file of somebody who knows its password', () => {
  it('is refused where it claims to be of this wallet', async () => {
    const there = await startFresh(elsewhere(full.world))
    const altered = { ...body, contacts: [{ name: 'Exchange', address: RECIPIENT }] }
    const claimed = await forge(altered, head)
    const opening = there.ui('reviewBackup', { file: claimed, password })
    await expect(opening).rejects.toMatchObject({ data: { problem: 'damaged' } })
    const same = await forge(body, head)
    expect((await there.ui('reviewBackup', { file: same, password })).isOwn).toBe(true)
  })

  it('is that of another wallet: no job of it is taken, nothing is chosen beforehand', async () => {
    const there = await startFresh(elsewhere(full.world))
    const review = await there.ui('reviewBackup', { file: await forge(body), password })
    expect(review.isOwn).toBe(false)
    expect(review.sections.some(({ suggested }) => suggested)).toBe(false)
    const jobs = review.sections.find(({ part }) => part === 'jobs')
    expect(jobs).toMatchObject({ addedCount: 0, leftOut: 2 })
  })

  it.each<[string, (told: Body) => void]>([
    ['a server without encryption', told => (told.servers[0].url = 'http://evil.example')],
    ['a server that is no address', told => (told.servers[0].url = 'javascript:alert(1)')],
    ['a server with a password in it', told => (told.servers[0].url = 'https://a:b@evil.example')],
    ['a server of an unknown kind', told => (told.servers[0].kind = '__proto__')],
    ['a plain http site', told => (told.sites[0].origin = 'http://evil.example')],
    ['a site that is a path', told => (told.sites[0].origin = 'https://evil.example/path')],
    ['a site that is no address', told => (told.sites[0].origin = 'null')],
    ['a contact whose name turns letters around', told => (told.contacts[0].name = 'A\u202ec')],
    ['a contact without an address', told => (told.contacts[0].address = 'bc1qnothing')],
    ['a contact with a name of another spelling', told => (told.contacts[0].address = '₿a@b.test')],
    ['a contact with half a name', told => (told.contacts[0].address = 'a@')],
    ['a contact in another spelling', told => (told.contacts[0].address = RECIPIENT.toUpperCase())],
    ['a contact with a member more', told => (told.contacts[0].id = 'x')],
    ['a note with line ends', told => (told.labels.regtest = { ['ab'.repeat(32)]: 'a\nb' })],
    ['a note of no transaction', told => (told.labels.regtest = { rent: 'a' })],
    ['a network that is none', told => (told.labels.moon = {})],
    ['a coin that is none', told => (told.lockedCoins[0].outpoint = 'ab:0')],
    ['a lock after no time', told => (told.settings.autoLockMinutes = 0)],
    ['a switch that lifts a protection', told => (told.settings.expert = { burnAssets: true })],
    ['a currency that is none', told => (told.settings.currency = 'XXX')],
    ['a part more', told => (told.httpSites = ['evil.example'])],
    ['a part less', told => delete told.contacts],
    ['contacts that are no list', told => (told.contacts = { length: 3 })],
    [
      'more contacts than anybody has',
      told => (told.contacts = Array(10_001).fill(told.contacts[0])),
    ],
    ['accounts that are no list', told => (told.accounts = {})],
    ['more accounts than anybody has', told => (told.accounts = Array(501).fill(told.accounts[0]))],
    ['the same account twice', told => told.accounts.push(told.accounts[0])],
    ['a name that is not seen', told => (told.accounts[0].name = '\u200b')],
    ['a key with another’s address', told => swapSides(told, 'key')],
    ['a device with another’s address', told => swapSides(told, 'device')],
    ['a device at another path', told => (findOf(told, 'device').derivationPath = "m/0'")],
    [
      'ordinals of a device with another’s address',
      told => (findOf(told, 'device').sides.test.ordinals.scriptPubKey = `5120${'ab'.repeat(32)}`),
    ],
    [
      'ordinals of a device with another’s key',
      told => (findOf(told, 'device').sides.test.ordinals.publicKey = `02${'ab'.repeat(32)}`),
    ],
    [
      'ordinals of a device at another path',
      told => (findOf(told, 'device').ordinals.derivationPath = "m/86'/1'/0'/0/1"),
    ],
    [
      'ordinals of a device whose key is its other one',
      told => (findOf(told, 'device').ordinals.descriptor = findOf(told, 'device').descriptor),
    ],
    ['ordinals of a device without their key', told => delete findOf(told, 'device').ordinals],
    [
      'a watched script that has no address',
      told => (findOf(told, 'watch').sides.test.scriptPubKey = '6a'.repeat(24)),
    ],
    ['a kind of account that is none', told => (told.accounts[0].source = 'cloud')],
    ['JSON that is too deep', told => (told.jobs[0].job = nest(40))],
    ['a time that is none', told => (told.madeAt = -1)],
  ])('is refused as a whole with %s, and changes nothing', async (_, alter) => {
    const there = await startFresh(elsewhere(full.world))
    const before = await readViews(there)
    const told = structuredClone(body)
    alter(told)
    const opening = there.ui('reviewBackup', { file: await forge(told), password })
    await expect(opening).rejects.toMatchObject({ code: -32602, data: { problem: 'damaged' } })
    expect(await readViews(there)).toEqual(before)
  })

  it('of a version that is newer is said to be', async () => {
    const there = await startFresh(elsewhere(full.world))
    const opening = there.ui('reviewBackup', {
      file: await forge({ ...body, version: 3 }),
      password,
    })
    await expect(opening).rejects.toMatchObject({ data: { problem: 'newer-version' } })
  })

  it('whose JSON is cut or overwritten anywhere is refused, or holds what it says', async () => {
    const there = await startFresh(elsewhere(full.world))
    const text = JSON.stringify({ ...body, jobs: [], mints: [] })
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length),
        fc.nat(20),
        fc.string({ maxLength: 4 }),
        async (at, cut, put) => {
          const damaged = text.slice(0, at) + put + text.slice(at + cut)
          const sealed = await sealBackup(
            concatBytes(new Uint8Array(48), toUtf8(damaged.toWellFormed())),
            password,
            quick,
          )
          const answer = await there
            .ui('reviewBackup', { file: sealed, password })
            .catch(error => error)
          if (answer instanceof Error)
            expect(answer).toMatchObject({ code: -32602, data: { problem: expect.any(String) } })
          else expect(answer.isOwn).toBe(false)
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('jobs of a backup', () => {
  const owner = () => {
    const { id, address } = full.account
    return { id, address, network: 'regtest' as const }
  }

  it('are taken as they were signed', () => {
    const checked = checkJob(body.jobs[0], owner())
    expect(checked?.job).toMatchObject({ id: full.inscribing, recorded: 0, seen: {}, checkedAt: 1 })
    expect(checkMint(body.mints[0], owner())).toMatchObject({ id: full.minting, seen: {} })
  })

  it.each<[string, (one: Body) => void]>([
    ['of another account', ({ job }) => (job.address = RECIPIENT)],
    ['of another network', ({ job }) => (job.network = 'signet')],
    ['whose id is a key of storage', ({ job }) => (job.id = 'x.0.jobs')],
    [
      'without the bytes of a transaction',
      ({ bytes }) => delete bytes[0].raw[Object.keys(bytes[0].raw)[0] ?? ''],
    ],
    ['with a transaction that is called otherwise', ({ bytes }) => rename(bytes[0].raw)],
    ['with a signature that is altered', ({ bytes }) => flipWitness(bytes[0].raw)],
    ['whose entry says another fee', ({ job }) => (job.transactions[0].fee = '1')],
    [
      'whose entry spends something else',
      ({ job }) => (job.transactions[0].spends = [`${'ab'.repeat(32)}:0`]),
    ],
    [
      'whose coins are said to be worth more',
      ({ bytes }) => (bytes[0].inscribing.commit.inputs[0].sats = '9999999'),
    ],
    [
      'whose coins are somebody else’s',
      ({ bytes }) => (bytes[0].inscribing.commit.inputs[0].script = `0014${'00'.repeat(20)}`),
    ],
    [
      'with an entry of the activity for something else',
      ({ bytes }) => (bytes[0].records[0].txid = 'ab'.repeat(32)),
    ],
    ['with fewer signings than bytes', ({ job }) => (job.attempts = [])],
    ['with a note that no field takes', ({ job }) => (job.label = 'a\nb')],
    ['that is nothing', one => (one.job = null)],
  ])('%s are left out', (_, alter) => {
    const one = structuredClone(body.jobs[0])
    alter(one)
    expect(checkJob(one, owner())).toBeNull()
  })

  it.each<[string, (job: Body) => void]>([
    ['of another account', job => (job.address = RECIPIENT)],
    ['with a signature that is altered', job => flipRaw(job.unrecorded[0])],
    [
      'with a transaction that is called otherwise',
      job => (job.unrecorded[0].txid = 'ab'.repeat(32)),
    ],
    ['without transactions', job => (job.unrecorded = [])],
    [
      'whose coins are somebody else’s',
      job => (job.unrecorded[0].payment.inputs[0].script = `0014${'00'.repeat(20)}`),
    ],
  ])('mints %s are left out', (_, alter) => {
    const one = structuredClone(body.mints[0])
    alter(one.job)
    expect(checkMint(one, owner())).toBeNull()
  })

  it('mints forget what servers of the other wallet said of them, whatever it is', () => {
    const one = structuredClone(body.mints[0])
    for (const record of one.job.unrecorded) record.sighting = { hosts: 'nonsense' }
    const mint = checkMint(one, owner())
    expect(mint?.unrecorded).toHaveLength(one.job.unrecorded.length)
    for (const record of mint?.unrecorded ?? []) expect(record).not.toHaveProperty('sighting')
  })

  it(
    `${COUNT} times altered in a byte of a signed transaction are never taken (seed ${SEED})`,
    () => {
      const random = createSeededRandom(SEED)
      for (let i = 0; i < COUNT; i++) {
        const one = structuredClone(body.jobs[0])
        const { raw } = one.bytes[0]
        const txid = random.pick(Object.keys(raw))
        const bytes = fromHex(raw[txid])
        const at = random.below(bytes.length)
        bytes[at] = Number(bytes[at]) ^ (1 << random.below(8))
        delete raw[txid]
        // Under the name that it has now, in the list too: whoever alters it does that.
        const renamed = nameOf(bytes) ?? txid
        raw[renamed] = toHex(bytes)
        const told = JSON.parse(JSON.stringify(one).replaceAll(`"${txid}`, `"${renamed}`))
        expect(checkJob(told, owner()), `byte ${at} of ${txid}`).toBeNull()
      }
    },
    Math.max(120_000, 20 * COUNT),
  )
})

function nameOf(bytes: Uint8Array): string | null {
  try {
    return parseTransaction(bytes).txid
  } catch {
    return null
  }
}

function findOf(told: Body, source: string): Body {
  return told.accounts.find((account: Body) => account.source === source)
}

function swapSides(told: Body, source: string): void {
  findOf(told, source).sides.test = findOf(told, 'seed').sides.test
}

function nest(depth: number): unknown {
  return depth === 0 ? 1 : [nest(depth - 1)]
}

function rename(raw: { [txid: string]: string }): void {
  const [txid = ''] = Object.keys(raw)
  raw['ab'.repeat(32)] = raw[txid] ?? ''
  delete raw[txid]
}

function flipWitness(raw: { [txid: string]: string }): void {
  const [txid = ''] = Object.keys(raw)
  const hex = raw[txid] ?? ''
  // Within the last witness, before the locktime.
  raw[txid] = `${hex.slice(0, -20)}${hex.at(-20) === '0' ? '1' : '0'}${hex.slice(-19)}`
}

function flipRaw(record: { rawTx: string }): void {
  const raw = { tx: record.rawTx }
  flipWitness(raw)
  record.rawTx = raw.tx
}
