import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { toUtf8 } from '../../bitcoin/bytes.ts'
import { decodeTransaction } from '../../bitcoin/transaction.ts'
import { BackendUnavailableError, type ChainSource } from '../../chain/chain-source.ts'
import { buildInscriptionLeaf } from '../../ordinals/inscriptions/envelope-script.ts'
import { RECIPIENT, selectedAccount } from '../testing/funded-wallet.ts'
import { move, reveal } from '../testing/moves.ts'
import {
  createWorld,
  fund,
  startUnlocked,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'

const VERIFIED = { proof: 'verified', proofDetail: { kind: 'followed', hops: 0 } }
const UNANSWERED = { kind: 'unanswered' }

let world: World
let worker: Worker
let address: string
let coin: string

beforeEach(async () => {
  world = createWorld()
  worker = await startUnlocked(world)
  address = (await selectedAccount(worker)).address
  coin = `${fund(world, address, 10_000n)}:0`
})

const getInscription = (id: string) => worker.ui('getInscription', { id })
const contentOf = (id: string) => worker.ui('getInscriptionContent', { id, preview: false })

/** Answers a question to the chain server differently. */
function answer<K extends 'fetchTransaction' | 'fetchSpender'>(
  question: K,
  change: (real: ChainSource[K]) => ChainSource[K],
): void {
  const { chain } = world.chain
  Object.assign(chain, { [question]: change(chain[question]) })
}

function unreachable(): never {
  const detail = 'The server did not answer.'
  throw new BackendUnavailableError({ kind: 'unreachable', host: 'a', detail, retryInMs: null })
}

describe('an inscription that the wallet checks itself', () => {
  it('is verified when its reveal carries it and its sat is where the index says', async () => {
    const id = world.assets.inscribe(coin, { body: 'hello', offset: 4_321n })
    expect(await getInscription(id)).toMatchObject({
      ...VERIFIED,
      id,
      outpoint: coin,
      offset: '4321',
      address,
      reveal: coin.slice(0, 64),
      delegate: null,
      explorerUrl: null,
    })
  })

  it('is followed through what moved it, whatever came before it in an input', async () => {
    const id = world.assets.inscribe(coin, { body: 'hello', offset: 100n })
    const other = `${fund(world, RECIPIENT, 700n)}:0`
    const first = move(
      world,
      [other, coin],
      [
        [RECIPIENT, 300n],
        [RECIPIENT, 5_000n],
        [address, 5_400n],
      ],
    )
    const outpoint = `${move(
      world,
      [`${first}:0`, `${first}:1`],
      [
        [RECIPIENT, 600n],
        [address, 4_700n],
      ],
    )}:1`
    expect(await getInscription(id)).toMatchObject({
      proof: 'verified',
      proofDetail: { kind: 'followed', hops: 2 },
      outpoint,
      offset: '200',
    })
  })

  it('is verified when it is one of several on a coin, or inscribed over another', async () => {
    const ids = ['a', 'b', 'c'].map((body, i) =>
      world.assets.inscribe(coin, { body, offset: i === 1 ? 600n : 0n }),
    )
    for (const id of ids) expect(await getInscription(id)).toMatchObject(VERIFIED)
  })

  it('is verified when a later input reveals it: its sat is the first of that input', async () => {
    const content = { contentType: 'text/plain', body: toUtf8('second') }
    const txid = reveal(world, [coin], content, [
      [RECIPIENT, 4_000n],
      [address, 9_000n],
    ])
    const [id, outpoint] = [`${txid}i0`, `${txid}:1`]
    world.assets.inscribe(outpoint, { ...content, id, real: false, offset: 6_000n })
    expect(await getInscription(id)).toMatchObject({ ...VERIFIED, outpoint, offset: '6000' })
  })

  it('is verified where a pointer puts it, and at its input where the pointer leads nowhere', async () => {
    for (const [pointer, vout, offset] of [
      [9_500n, 1, 500n],
      [20_000n, 0, 0n],
    ] as const) {
      const content = { contentType: 'text/plain', body: toUtf8('points') }
      const txid = reveal(world, [], { ...content, pointer }, [
        [address, 9_000n],
        [address, 900n],
      ])
      const id = `${txid}i0`
      world.assets.inscribe(`${txid}:${vout}`, { ...content, id, real: false, offset })
      expect(await getInscription(id)).toMatchObject({ ...VERIFIED, outpoint: `${txid}:${vout}` })
    }
  })

  it('is asked of the chain once', async () => {
    const id = world.assets.inscribe(coin, { body: 'hello' })
    await getInscription(id)
    answer('fetchTransaction', () => unreachable)
    expect(await getInscription(id)).toMatchObject(VERIFIED)
  })

  it('shows the content of its delegate, by the delegate’s own reveal', async () => {
    const delegate = world.assets.inscribe(`${fund(world, RECIPIENT, 546n)}:0`, { body: 'shown' })
    const id = world.assets.inscribe(coin, { real: true, fields: { delegate } })
    world.assets.serve(id, { contentType: 'text/plain', bytes: toUtf8('shown') })
    expect(await getInscription(id)).toMatchObject({ ...VERIFIED, delegate })
    expect(await contentOf(id)).toEqual({ kind: 'text', text: 'shown', cut: false })
    world.assets.serve(id, { contentType: 'text/plain', bytes: toUtf8('other') })
    world.assets.misreport(id, { contentLength: 5 })
    expect((await getInscription(id)).proofDetail).toEqual({ kind: 'other-content' })
  })

  it('shows its own content when the delegate does not exist', async () => {
    const delegate = `${'ab'.repeat(32)}i0`
    const id = world.assets.inscribe(coin, { body: 'own', fields: { delegate } })
    expect(await getInscription(id)).toMatchObject({ ...VERIFIED, delegate })
    expect(await contentOf(id)).toEqual({ kind: 'text', text: 'own', cut: false })
  })
})

describe('content that is encoded', () => {
  it('is compared and shown without its encoding', async () => {
    const body = gzipSync('hello')
    const id = world.assets.inscribe(coin, { body, fields: { contentEncoding: 'gzip' } })
    world.assets.serve(id, { contentType: 'text/plain', bytes: toUtf8('hello') })
    expect(await getInscription(id)).toMatchObject(VERIFIED)
    expect(await contentOf(id)).toEqual({ kind: 'text', text: 'hello', cut: false })
  })

  it('is the server’s word where this browser cannot read the encoding', async () => {
    const fields = { contentEncoding: 'compress' }
    const id = world.assets.inscribe(coin, { body: 'packed', fields })
    world.assets.serve(id, { contentType: 'text/plain', bytes: toUtf8('unpacked') })
    expect(await getInscription(id)).toMatchObject({ proof: 'server', proofDetail: null })
    expect(await contentOf(id)).toEqual({ kind: 'text', text: 'unpacked', cut: false })
  })

  it.each([
    ['a bomb', gzipSync(new Uint8Array(50_000_000))],
    ['garbage', toUtf8('not gzip at all')],
    ['cut off', gzipSync('hello'.repeat(99)).subarray(0, 20)],
  ])('is never unpacked beyond what is shown: %s', async (_, body) => {
    const id = world.assets.inscribe(coin, { body, fields: { contentEncoding: 'gzip' } })
    world.assets.serve(id, null)
    expect(await getInscription(id)).toMatchObject({ proof: 'server', proofDetail: null })
    expect(await contentOf(id)).toEqual({ kind: 'placeholder', why: 'too-large' })
  })
})

describe('an index that lies', () => {
  it('is contradicted about the type and the length, until it tells the truth', async () => {
    const id = world.assets.inscribe(coin, { body: 'hello' })
    for (const lie of [{ contentType: 'image/png' }, { contentType: null }, { contentLength: 6 }]) {
      world.assets.misreport(id, lie)
      const { proof, proofDetail } = await getInscription(id)
      expect({ proof, proofDetail }).toEqual({
        proof: 'contradicted',
        proofDetail: { kind: 'other-content' },
      })
    }
    expect(
      (await worker.ui('getInscriptions', { offset: 0, limit: 1 })).inscriptions,
    ).toMatchObject([{ id, proof: 'contradicted' }])
    world.assets.misreport(id, {})
    expect(await getInscription(id)).toMatchObject(VERIFIED)
  })

  it('is contradicted about the content, and what is shown is the reveal’s', async () => {
    const id = world.assets.inscribe(coin, { body: 'true' })
    world.assets.serve(id, { contentType: 'text/plain', bytes: toUtf8('lies') })
    expect(await getInscription(id)).toMatchObject({
      proof: 'contradicted',
      proofDetail: { kind: 'other-content' },
    })
    expect(await contentOf(id)).toEqual({ kind: 'text', text: 'true', cut: false })
  })

  it('is contradicted about the sat within the coin', async () => {
    const id = world.assets.inscribe(coin, { body: 'hello', offset: 10n })
    world.assets.misreport(id, { satpoint: { outpoint: coin, offset: 11n } })
    expect(await getInscription(id)).toMatchObject({
      proof: 'contradicted',
      proofDetail: { kind: 'elsewhere', outpoint: coin },
    })
  })

  it('is contradicted when it puts what somebody else has on an own coin', async () => {
    const theirs = `${fund(world, RECIPIENT, 546n)}:0`
    const id = world.assets.inscribe(theirs, { body: 'precious' })
    world.assets.lie(coin, { known: true, assets: [{ kind: 'inscription', id, offset: null }] })
    const contradicted = {
      proof: 'contradicted',
      proofDetail: { kind: 'elsewhere', outpoint: theirs },
    }
    expect(await getInscription(id)).toMatchObject(contradicted)
    world.assets.misreport(id, { satpoint: { outpoint: coin, offset: 0n } })
    expect(await getInscription(id)).toMatchObject(contradicted)
  })

  it('is contradicted about inscriptions that no transaction carries', async () => {
    const txid = coin.slice(0, 64)
    const ids = [`${'cd'.repeat(32)}i0`, `${txid}i0`, `${txid}i7`]
    for (const id of ids) world.assets.inscribe(coin, { id, real: false })
    for (const id of ids) {
      expect(await getInscription(id)).toMatchObject({
        proof: 'contradicted',
        proofDetail: { kind: 'not-in-reveal' },
      })
    }
  })

  it('cannot be checked about numbers, which only counting all inscriptions would show', async () => {
    const id = world.assets.inscribe(coin, { body: 'hello', number: 70_000_000 })
    world.assets.misreport(id, { number: 0 })
    expect(await getInscription(id)).toMatchObject({ ...VERIFIED, number: 0 })
  })

  it('is believed when it serves no content', async () => {
    const id = world.assets.inscribe(coin, { body: 'hello' })
    world.assets.serve(id, null)
    expect(await getInscription(id)).toMatchObject(VERIFIED)
  })
})

describe('a chain server', () => {
  it('cannot forge a witness, although no txid covers it: the coin that is spent commits to it', async () => {
    const id = world.assets.inscribe(coin, { body: 'true' })
    const rawTx = world.chain.get(coin.slice(0, 64)) ?? new Uint8Array()
    const transaction = decodeTransaction(rawTx)
    const [signature, , controlBlock] = transaction.ins[0]?.witness ?? []
    if (!signature || !controlBlock) throw new Error('No reveal')
    const forged = buildInscriptionLeaf(new Uint8Array(32).fill(2), [
      { contentType: 'text/plain;charset=utf-8', body: toUtf8('lies') },
    ])
    transaction.setWitness(0, [signature, forged, controlBlock])
    world.chain.rewrite(Uint8Array.from(transaction.toBuffer()))
    world.assets.serve(id, { contentType: 'text/plain', bytes: toUtf8('lies') })
    expect(await getInscription(id)).toMatchObject({
      proof: 'contradicted',
      proofDetail: { kind: 'not-in-reveal' },
    })
  })

  it('is only the server’s word where what is spent commits to nothing', async () => {
    const spent = `${fund(world, RECIPIENT, 10_000n)}:0`
    const outpoint = `${move(world, [spent], [[address, 9_000n]])}:0`
    const id = world.assets.inscribe(outpoint, { body: 'odd' })
    expect(await getInscription(id)).toMatchObject({ proof: 'server', proofDetail: null })
  })

  it('that does not answer leaves everything the index’s word', async () => {
    const id = world.assets.inscribe(coin, { body: 'hello' })
    answer('fetchTransaction', () => unreachable)
    expect(await getInscription(id)).toMatchObject({ proof: 'server', proofDetail: UNANSWERED })
    expect(await contentOf(id)).toEqual({ kind: 'text', text: 'hello', cut: false })
  })

  it('that tells no spenders leaves the place the index’s word, and is asked again', async () => {
    const id = world.assets.inscribe(coin, { body: 'hello' })
    move(world, [coin], [[address, 9_000n]])
    const { fetchSpender } = world.chain.chain
    answer('fetchSpender', () => unreachable)
    expect(await getInscription(id)).toMatchObject({ proof: 'revealed', proofDetail: UNANSWERED })
    answer('fetchSpender', () => async () => coin.slice(0, 64))
    expect(await getInscription(id)).toMatchObject({ proof: 'revealed', proofDetail: UNANSWERED })
    answer('fetchSpender', () => fetchSpender)
    expect(await getInscription(id)).toMatchObject({ proof: 'verified' })
  })

  it('is asked for 25 hops, and no more', async () => {
    const id = world.assets.inscribe(coin, { body: 'hello' })
    let at = coin
    for (let hop = 0; hop < 25; hop++) at = `${move(world, [at], [[address, 9_000n]])}:0`
    expect(await getInscription(id)).toMatchObject({
      proof: 'verified',
      proofDetail: { kind: 'followed', hops: 25 },
    })
    move(world, [at], [[address, 9_000n]])
    expect(await getInscription(id)).toMatchObject({
      proof: 'revealed',
      proofDetail: { kind: 'too-far', hops: 25 },
    })
  })

  it('is asked for 120 transactions, and no more', async () => {
    const id = world.assets.inscribe(coin, { body: 'hello' })
    const others = Array.from({ length: 200 }, () => `${fund(world, RECIPIENT, 600n)}:0`)
    move(
      world,
      [...others, coin],
      [
        [RECIPIENT, 120_000n],
        [address, 9_000n],
      ],
    )
    let asked = 0
    answer('fetchTransaction', real => txid => {
      asked += 1
      return real(txid)
    })
    const before = asked
    expect(await getInscription(id)).toMatchObject({
      proof: 'revealed',
      proofDetail: { kind: 'too-far' },
    })
    expect(asked - before).toBeLessThanOrEqual(121)
  })
})

describe('content of an inscription', () => {
  it('is asked of the index for a tile, and neither is known when neither answers', async () => {
    const id = world.assets.inscribe(coin, { body: 'x'.repeat(700) })
    const tile = () => worker.ui('getInscriptionContent', { id, preview: true })
    expect(await tile()).toEqual({ kind: 'text', text: 'x'.repeat(600), cut: true })
    world.assets.faults.unreachable = true
    expect(await tile()).toEqual({ kind: 'placeholder', why: 'unanswered' })
    expect(await contentOf(id)).toEqual({ kind: 'text', text: 'x'.repeat(700), cut: false })
    answer('fetchTransaction', () => unreachable)
    expect(await contentOf(id)).toEqual({ kind: 'placeholder', why: 'unanswered' })
  })

  it('is nothing where there is none', async () => {
    const id = world.assets.inscribe(coin, { real: true })
    expect(await worker.ui('getInscriptionContent', { id, preview: true })).toEqual({
      kind: 'placeholder',
      why: 'empty',
    })
  })

  it.each([
    '',
    'abc',
    `${'AB'.repeat(32)}i0`,
    `${'ab'.repeat(32)}i01`,
    `../${'ab'.repeat(32)}i0`,
    null,
  ])('is not asked for %s', async id => {
    const asked = worker.ui('getInscriptionContent', { id: id as string, preview: true })
    await expect(asked).rejects.toMatchObject({ code: -32602 })
    expect(world.assets.asked).toEqual([])
  })
})
