import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_BRC20_AMOUNT } from '../../ordinals/brc20/brc20-amount.ts'
import type { HttpAnswer } from '../access/http.ts'
import type { ServerAccess } from '../access/server-access.ts'
import type { Brc20Source } from '../brc20-source.ts'
import { BackendUnavailableError } from '../chain-source.ts'
import { createOpi } from './opi.ts'
import { createUnisat } from './unisat.ts'

const ID = `${'ab'.repeat(32)}i0`

/** What honest servers say, by a word of the path. */
const OPI = {
  block_height: 838_346,
  ticker_info: {
    error: null,
    result: {
      tick: 'ordi',
      max_supply: '21000000000000000000000000',
      decimals: 18,
      limit_per_mint: '1000000000000000000000',
      remaining_supply: '1000000000000000000',
      is_self_mint: false,
      deploy_inscription_id: ID,
    },
  },
  get_current_balance: {
    error: null,
    result: { overall_balance: '3000000000000000000', available_balance: '1000000000000000000' },
  },
  get_valid_tx_notes: {
    error: null,
    result: { unused_txes: [{ tick: 'ordi', inscription_id: ID, amount: '2000000000000000000' }] },
  },
}
const UNISAT = {
  'blockchain/info': { code: 0, data: { chain: 'regtest' } },
  bestheight: { code: 0, data: { height: 118 } },
  summary: {
    code: 0,
    data: {
      total: 1,
      detail: [{ ticker: 'ordi', availableBalance: '1.5', transferableBalance: '2' }],
    },
  },
  'transferable-inscriptions': {
    code: 0,
    data: { total: 1, detail: [{ inscriptionId: ID, data: { tick: 'ordi', amt: '2' } }] },
  },
  'ordi/info': {
    code: 0,
    data: {
      ticker: 'ordi',
      inscriptionId: ID,
      max: '21000000',
      limit: '1000',
      totalMinted: '20999999.5',
      decimal: 18,
    },
  },
}

const SOURCES = { opi: [createOpi, OPI], unisat: [createUnisat, UNISAT] } as const

/** A value that servers lie with, among it what JSON cannot say but text can. */
const lie = fc.oneof(
  fc.constantFrom('-1', '1e3', '1e400', '', ' ', 'NaN', 'Infinity', '0x10', '1.', '.5', '+1', '١'),
  fc.constantFrom(
    '9'.repeat(40),
    `1${'0'.repeat(40)}`,
    `0.${'0'.repeat(19)}1`,
    '18446744073709551616',
  ),
  fc.constantFrom(-1, 1.5, 1e40, 0, 19, null, true, [], {}, '<html>', 'ordi\u0000', 'meme', 'mint'),
  fc.jsonValue(),
)

/** The places of all values in a value. */
function placesIn(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  const inside = Object.entries(value).flatMap(([key, one]) =>
    placesIn(one).map(rest => [key, ...rest]),
  )
  return [[], ...inside]
}

function replaceAt(value: unknown, [key, ...rest]: readonly (string | number)[], by: unknown) {
  if (key === undefined) return by
  const copy = Array.isArray(value) ? [...value] : { ...Object(value) }
  copy[key] = replaceAt(copy[key], rest, by)
  return copy
}

function accessSaying(answerTo: (path: string) => Partial<HttpAnswer>): ServerAccess {
  return {
    resetBackoff() {},
    async ask(url) {
      const { status = 200, body = '' } = answerTo(url)
      const bytes = new TextEncoder().encode(body)
      return { status, body, bytes, contentType: 'text/html', retryAfter: null }
    },
  }
}

const isAmount = (amount: bigint) => amount >= 0n && amount <= MAX_BRC20_AMOUNT

/** All that the wallet asks; throws where anything is out of the bounds that it relies on. */
async function askAll(source: Brc20Source): Promise<void> {
  expect((await source.fetchTip()).height).toBeGreaterThanOrEqual(0)
  for (const { tick, available, transferable } of await source.fetchBalances('bcrt1q', ['ordi']))
    expect([tick.length > 0, isAmount(available), isAmount(transferable)]).not.toContain(false)
  for (const { id, amount } of await source.fetchTransferables('bcrt1q'))
    expect([/^[0-9a-f]{64}i\d+$/.test(id), isAmount(amount)]).not.toContain(false)
  const token = await source.fetchToken('ordi')
  if (token === null || token === 'unknown') return
  expect(token).toMatchObject({ tick: 'ordi', selfMint: expect.any(Boolean) })
  expect(token.decimals).toBeLessThanOrEqual(18)
  for (const amount of [token.supply, token.limit, token.minted ?? 0n])
    expect(isAmount(amount)).toBe(true)
}

describe.each(Object.keys(SOURCES) as (keyof typeof SOURCES)[])('a server of %s', api => {
  const [create, honest] = SOURCES[api]
  const open = (answerTo: (path: string) => Partial<HttpAnswer>) =>
    create('regtest', 'https://brc20.test', { access: accessSaying(answerTo), key: null })
  const words = Object.keys(honest)
  const sayOf = (url: string) => words.find(word => url.includes(word)) ?? ''

  it('that is honest is believed', async () => {
    await askAll(open(url => ({ body: JSON.stringify(Object(honest)[sayOf(url)]) })))
  })

  it('that lies in one value is not believed, or stays within bounds', async () => {
    const lies = fc.constantFrom(...words).chain(word => {
      const said = Object(honest)[word]
      return fc
        .tuple(fc.constantFrom(...placesIn(said)), lie)
        .map(([place, by]) => ({ word, body: JSON.stringify(replaceAt(said, place, by)) }))
    })
    const tally = { refused: 0, taken: 0 }
    await fc.assert(
      fc.asyncProperty(lies, async ({ word, body }) => {
        const source = open(url => ({
          body: sayOf(url) === word ? body : JSON.stringify(Object(honest)[sayOf(url)]),
        }))
        try {
          await askAll(source)
          tally.taken++
        } catch (error) {
          if (!(error instanceof BackendUnavailableError)) throw error
          tally.refused++
        }
      }),
      { numRuns: 2_000 },
    )
    expect(tally.refused).toBeGreaterThan(1_000)
  })

  it.each([
    ['a page', 200, '<!doctype html><title>Login</title>'],
    ['half an answer', 200, '{"error":null,"result":{"overall_bal'],
    ['deep brackets', 200, '['.repeat(200_000)],
    ['a page that is not there', 404, '<html>not found</html>'],
    ['an error without words', 400, ''],
    ['bytes that are no text', 200, '\ufffd\ufffd'],
  ])('that answers %s is no server of BRC-20', async (_, status, body) => {
    const source = open(() => ({ status, body }))
    for (const question of [
      () => source.fetchTip(),
      () => source.fetchBalances('bcrt1q', ['ordi']),
      () => source.fetchTransferables('bcrt1q'),
    ])
      await expect(question()).rejects.toThrow(BackendUnavailableError)
  })
})
