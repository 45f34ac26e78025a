import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { HttpAnswer } from '../access/http.ts'
import type { ServerAccess } from '../access/server-access.ts'
import {
  atomicalFacts,
  pathOfList,
  pathOfShortList,
  sayListed,
  tell,
} from '../testing/scripted-atomicals.ts'
import { coinAt } from '../testing/scripted-ord.ts'
import { type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createAtomicals } from './atomicals.ts'

const ID = `${'ab'.repeat(32)}i0`
const CLEAN = { known: true, assets: [] }
const INSCRIBED = { known: true, assets: [expect.objectContaining({ id: ID })] }
const COINS = Array.from({ length: 40 }, (_, at) => coinAt(at + 1))
const SCRIPT = COINS[0]?.scriptPubKey ?? new Uint8Array()

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.reset()
  sayListed(
    server,
    COINS.map((coin, at) => ({ ...coin, listed: at % 2 ? { atomicals: { [ID]: 1 } } : {} })),
    [atomicalFacts(ID)],
  )
})

/** The index, how often an answer of it was read, and what is done as one is. */
function open() {
  const state = { reads: 0, onRead: () => {} }
  const { access } = createTestAccess()
  const counting: ServerAccess = {
    ...access,
    async ask(url, request) {
      const answer = await access.ask(url, request)
      return Object.defineProperty({ ...answer } as HttpAnswer, 'body', {
        get: () => {
          state.reads++
          state.onRead()
          return answer.body
        },
      })
    },
  }
  const atomicals = createAtomicals('regtest', server.url, { access: counting })
  const ask = async (coin = COINS[0]) =>
    coin && (await atomicals.fetchAtomicals([coin])).get(coin.outpoint)
  return { state, ask }
}

describe('the list of a script', () => {
  it('is read once for all questions about its coins that wait for it, and answers each', async () => {
    const { state, ask } = open()
    const answers = await Promise.all(COINS.map(ask))
    expect(answers).toEqual(COINS.map((_, at) => (at % 2 ? INSCRIBED : CLEAN)))
    expect(state.reads).toBe(1)
  })

  it('answers a question too that comes as it is read', async () => {
    const { state, ask } = open()
    const late: ReturnType<typeof ask>[] = []
    state.onRead = () => {
      if (late.length === 0) late.push(ask(COINS[1]))
    }
    expect(await ask(COINS[0])).toEqual(CLEAN)
    expect(await late[0]).toEqual(INSCRIBED)
  })

  it('is asked for again after it failed, and once it was read', async () => {
    const { ask } = open()
    server.say({ [pathOfList(SCRIPT)]: { status: 404, body: 'no' } })
    const failed = await Promise.all(COINS.slice(0, 3).map(coin => problemOf(ask(coin))))
    expect(failed).toEqual(
      COINS.slice(0, 3).map(() => expect.objectContaining({ kind: 'nonsense' })),
    )
    sayListed(server, COINS)
    expect(await ask(COINS[1])).toEqual(CLEAN)
    sayListed(server, [{ ...coinAt(2), listed: { atomicals: { [ID]: 1 } } }], [atomicalFacts(ID)])
    expect(await ask(COINS[1])).toEqual(INSCRIBED)
  })

  it('that is too long has its short form read once for all too', async () => {
    const { state, ask } = open()
    server.say({
      [pathOfList(SCRIPT)]: tell('x'.repeat(16_000_001)),
      [pathOfShortList(SCRIPT)]: tell(
        COINS.map(({ txid, vout, amount, height }) => ({
          ...{
            tx_hash: txid,
            txid,
            index: vout,
            tx_pos: vout,
            vout,
            height,
            value: Number(amount),
          },
          atomicals: {},
        })),
      ),
    })
    expect(await Promise.all(COINS.map(ask))).toEqual(COINS.map(() => CLEAN))
    // The height and the short list.
    expect(state.reads).toBe(2)
  })
})
