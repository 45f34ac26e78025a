import { Transaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HttpAnswer } from '../access/http.ts'
import type { ServerAccess } from '../access/server-access.ts'
import type { AtomicalsSource } from '../atomicals-source.ts'
import { BackendUnavailableError } from '../chain-source.ts'
import { atomicalFacts, atomicalsGlobal, listedCoin } from '../testing/scripted-atomicals.ts'
import { coinAt } from '../testing/scripted-ord.ts'
import { createAtomicals } from './atomicals.ts'

const NFT = `${'ab'.repeat(32)}i0`
const TOKEN = `${'cd'.repeat(32)}i3`
const [HELD, EMPTY] = [coinAt(1), coinAt(2)]

const transaction = new Transaction()
transaction.addInput(new Uint8Array(32).fill(7), 0)
transaction.addOutput(new Uint8Array(22), 1000n)
const RAW_TX = Uint8Array.from(transaction.toBuffer())

const facts = [atomicalFacts(NFT), atomicalFacts(TOKEN, { type: 'FT', $ticker: 'atom' })]
const summaries = facts.map(data => {
  const { atomical_id: id, atomical_number, type } = data
  return [id, { atomical_id: id, atomical_number, type, confirmed: 600, data }]
})

/** What an honest server says, by the end of the method's name. */
const HONEST: { [method: string]: unknown } = {
  get_global: { global: atomicalsGlobal() },
  listscripthash: {
    global: atomicalsGlobal(),
    atomicals: Object.fromEntries(summaries),
    utxos: [listedCoin(HELD, { atomicals: { [NFT]: 1000, [TOKEN]: 600 } }), listedCoin(EMPTY)],
  },
  get: { global: atomicalsGlobal(), result: facts[1] },
  validate_tx_blueprint: {
    result: {
      tx_id: transaction.getId(),
      ft_output_blueprint: {
        outputs: { 0: { atomicals: { [TOKEN]: { type: 'FT', atomical_value: 600 } } } },
        fts_burned: { [TOKEN]: 5 },
        cleanly_assigned: true,
      },
      nft_output_blueprint: {
        outputs: { 0: { atomicals: { [NFT]: { type: 'NFT', atomical_value: 1000 } } } },
        nfts_burned: {},
      },
    },
  },
}

/** A value that servers lie with, among it what JSON cannot say but text can. */
const lie = fc.oneof(
  fc.constantFrom('-1', '1e3', '', ' ', 'NaN', '0x10', '9'.repeat(40), '18446744073709551616'),
  fc.constantFrom(-1, 0, 1, 1.5, 1e40, 601, 1001, null, true, [], [[]], '<html>', 'FT', 'NFT'),
  fc.jsonValue(),
)

/** The places of all values in a value. */
function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  const inside = Object.entries(value).flatMap(([key, one]) =>
    placesIn(one).map(rest => [key, ...rest]),
  )
  return [[], ...inside]
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = Array.isArray(value) ? [...value] : { ...Object(value) }
  copy[key] = replaceAt(copy[key], rest, by)
  return copy
}

function accessSaying(answerTo: (method: string) => Partial<HttpAnswer>): ServerAccess {
  return {
    resetBackoff() {},
    async ask(url) {
      const method = /\.(\w+)(?:\?|$)/.exec(url.slice(url.lastIndexOf('/')))?.[1] ?? ''
      const { status = 200, body = '' } = answerTo(method)
      const bytes = new TextEncoder().encode(body)
      return { status, body, bytes, contentType: 'text/html', retryAfter: null }
    },
  }
}

const open = (answerTo: (method: string) => Partial<HttpAnswer>) =>
  createAtomicals('regtest', 'https://atomicals.test/proxy', { access: accessSaying(answerTo) })

const say = (response: unknown) => ({ body: JSON.stringify({ success: true, response }) })

const isId = (id: string) => /^[0-9a-f]{64}i\d+$/.test(id)
const isName = (name: string | null) => name === null || /^[a-z0-9.-]{1,256}$/.test(name)

/** All that the wallet asks; throws where anything is out of the bounds that it relies on. */
async function askAll(source: AtomicalsSource) {
  expect((await source.fetchTip()).height).toBeGreaterThanOrEqual(0)
  const told = await source.fetchAtomicals([HELD, EMPTY])
  expect([...told.keys()]).toEqual([HELD.outpoint, EMPTY.outpoint])
  for (const coin of told.values()) {
    for (const { id, name, number, amount } of coin.known ? coin.assets : []) {
      const isWithin = amount >= 1n && amount <= 1000n && (number ?? 0) >= 0
      expect(isId(id) && isWithin && isName(name)).toBe(true)
    }
  }
  for (const [id, { reveal, name }] of await source.fetchFacts([TOKEN])) {
    expect(id).toBe(TOKEN)
    expect(isId(`${reveal.txid}i0`) && isName(name)).toBe(true)
  }
  const { outputs, burned } = await source.foresee(RAW_TX)
  for (const { output, id, amount } of outputs)
    expect(isId(id) && output === 0 && amount >= 1n && amount <= 1000n).toBe(true)
  for (const { id, amount } of burned) expect(isId(id) && amount >= 1n).toBe(true)
  return told
}

describe('a server of Atomicals', () => {
  it('that is honest is believed', async () => {
    const told = await askAll(open(method => say(HONEST[method])))
    expect(told.get(HELD.outpoint)).toMatchObject({ assets: [{ id: NFT }, { id: TOKEN }] })
    expect(told.get(EMPTY.outpoint)).toEqual({ known: true, assets: [] })
  })

  it('that lies in one value is not believed, or stays within bounds and calls nothing empty', async () => {
    const lies = fc.constantFrom(...Object.keys(HONEST)).chain(method => {
      const said = HONEST[method]
      return fc
        .tuple(fc.constantFrom(...placesIn(said)), lie)
        .map(([place, by]) => ({ method, place, response: replaceAt(said, place, by) }))
    })
    const tally = { refused: 0, taken: 0 }
    await fc.assert(
      fc.asyncProperty(lies, async ({ method, place, response }) => {
        const source = open(asked => say(asked === method ? response : HONEST[asked]))
        try {
          const held = (await askAll(source)).get(HELD.outpoint)
          const isEmptied = place.join('.') === 'utxos.0.atomicals'
          if (held?.known && !isEmptied) expect(held.assets).toHaveLength(2)
          tally.taken++
        } catch (error) {
          if (!(error instanceof BackendUnavailableError)) throw error
          tally.refused++
        }
      }),
      { numRuns: 1_000 },
    )
    expect(tally.refused).toBeGreaterThan(100)
    expect(tally.taken).toBeGreaterThan(100)
  })

  it.each([
    ['a page', 200, '<!doctype html><title>Login</title>'],
    ['half an answer', 200, '{"success":true,"response":{"glo'],
    ['deep brackets', 200, '['.repeat(200_000)],
    ['a page that is not there', 404, '<html>not found</html>'],
    ['an error without words', 500, ''],
    ['null', 200, 'null'],
    ['bytes that are no text', 200, '\ufffd\ufffd'],
  ])('that answers %s is none', async (_, status, body) => {
    const source = open(() => ({ status, body }))
    for (const question of [
      () => source.fetchTip(),
      () => source.fetchAtomicals([HELD]),
      () => source.fetchFacts([NFT]),
      () => source.foresee(RAW_TX),
    ])
      await expect(question()).rejects.toThrow(BackendUnavailableError)
  })
})
