import { describe, expect, it } from 'vitest'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import type { CoinAssets } from '../../ordinals/asset.ts'
import { tokenOf } from '../../ordinals/testing/atomical-assets.ts'
import { inscription } from '../../ordinals/testing/test-assets.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createCoinAssetsCache } from './coin-assets-cache.ts'

const CLEAN: CoinAssets = { known: true, assets: [] }
const INSCRIBED: CoinAssets = { known: true, assets: [inscription(1, null)] }
const DOUBTED: CoinAssets = { known: false, why: 'contradicted' }
const SILENT: CoinAssets = { known: false, why: 'unanswered' }
const AWAY = { kind: 'unreachable', host: 'index.test', detail: '', retryInMs: 0 } as const
const MINUTE = 60_000

/** In block 100 unless said. */
const coin = (n: number, height: number | null = 100, amount = 1_000n): Utxo => ({
  ...{ txid: n.toString(16).padStart(64, '0'), vout: 0, amount, height },
  scriptPubKey: new Uint8Array(),
})

/** An index at block 100, which tells what `told` says of coins by their numbers, else that they are clean. */
function open(session = createMemoryArea()) {
  const clock = { now: 1_000_000 }
  const asked: number[][] = []
  const state = {
    tip: 100 as number | null,
    told: {} as { [n: number]: CoinAssets },
    error: null as Error | null,
    wait: null as Promise<void> | null,
  }
  const numberOf = (outpoint: string) => Number.parseInt(outpoint.slice(0, 64), 16)
  const source = {
    async fetchAssets(coins: { outpoint: string }[]) {
      asked.push(coins.map(({ outpoint }) => numberOf(outpoint)))
      await state.wait
      if (state.error) throw state.error
      return new Map(
        coins.map(({ outpoint }) => [outpoint, state.told[numberOf(outpoint)] ?? CLEAN]),
      )
    },
    async fetchTip() {
      if (state.tip === null) throw new BackendUnavailableError(AWAY)
      return { height: state.tip }
    },
  }
  const cache = createCoinAssetsCache({ session, now: () => clock.now })
  const wallet = { assets: async () => source } as unknown as Parameters<typeof cache.ask>[0]
  const ask = async (...coins: Utxo[]) => {
    const told = await cache.ask(wallet, 'signet', coins)
    return coins.map(one => told.get(formatOutpoint(one)))
  }
  const anew = async (...coins: Utxo[]) => {
    const told = await cache.askAnew(wallet, 'signet', coins)
    return coins.map(one => told.get(formatOutpoint(one)))
  }
  return { cache, wallet, clock, asked, state, session, ask, anew }
}

describe('what the index said of a coin', () => {
  it('is believed for a minute, and asked for again then', async () => {
    const { ask, asked, clock, state } = open()
    state.told = { 1: INSCRIBED }
    expect(await ask(coin(1), coin(2))).toEqual([INSCRIBED, CLEAN])
    clock.now += MINUTE - 1
    expect(await ask(coin(1), coin(2))).toEqual([INSCRIBED, CLEAN])
    expect(asked).toEqual([[1, 2]])
    clock.now += 1
    state.told = {}
    expect(await ask(coin(1))).toEqual([CLEAN])
    expect(asked).toEqual([[1, 2], [1]])
  })

  it('is asked for again where the clock was set back since', async () => {
    const { ask, asked, clock, state } = open()
    await ask(coin(1))
    clock.now -= 60 * MINUTE
    state.told = { 1: INSCRIBED }
    expect(await ask(coin(1))).toEqual([INSCRIBED])
    expect(asked).toEqual([[1], [1]])
  })

  it.each([
    ['of six confirmations for good', 105, 1],
    ['of five for a minute', 104, 2],
    ['of as many as nobody knows for a minute', null, 2],
  ])('is kept of a coin %s', async (_, tip, questions) => {
    const { ask, asked, clock, state } = open()
    state.tip = tip
    await ask(coin(1))
    clock.now += 100 * MINUTE
    await ask(coin(1))
    expect(asked).toHaveLength(questions)
  })

  it('is of the block that has the coin, and of one network', async () => {
    const { ask, asked, cache, wallet } = open()
    await ask(coin(1))
    await ask(coin(1, 101))
    await cache.ask(wallet, 'regtest', [coin(1, 101)])
    expect(asked).toEqual([[1], [1], [1]])
  })

  it('is there for the next worker', async () => {
    const { ask, state, session } = open()
    state.told = { 1: INSCRIBED }
    await ask(coin(1), coin(2))
    const next = open(session)
    expect(await next.ask(coin(1), coin(2))).toEqual([INSCRIBED, CLEAN])
    expect(next.asked).toEqual([])
  })

  it('stands where the index does not answer any more, or only says that it cannot', async () => {
    const { ask, clock, state } = open()
    state.told = { 1: INSCRIBED }
    await ask(coin(1))
    clock.now += MINUTE
    state.told = { 1: SILENT }
    expect(await ask(coin(1))).toEqual([INSCRIBED])
    state.error = new BackendUnavailableError(AWAY)
    expect(await ask(coin(1), coin(2))).toEqual([INSCRIBED, undefined])
  })

  it('does not stand against a contradiction', async () => {
    const { ask, clock, state, session } = open()
    state.told = { 1: INSCRIBED }
    await ask(coin(1))
    clock.now += MINUTE
    state.told = { 1: DOUBTED }
    expect(await ask(coin(1))).toEqual([DOUBTED])
    expect(session.dump().coinAnswers).toEqual({})
  })

  it('is not kept while it is no answer, or of a token without its ticker', async () => {
    const { ask, asked, state, session } = open()
    const nameless: CoinAssets = { known: true, assets: [inscription(2, null), tokenOf(1, 5n)] }
    state.told = { 1: SILENT, 2: nameless }
    expect(await ask(coin(1), coin(2))).toEqual([SILENT, nameless])
    await ask(coin(1), coin(2))
    expect(asked).toHaveLength(2)
    expect(session.dump().coinAnswers ?? {}).toEqual({})
  })

  it('is not asked for of a coin in no block', async () => {
    const { ask, anew, asked } = open()
    expect(await ask(coin(1, null))).toEqual([{ known: false, why: 'unconfirmed' }])
    expect(await anew(coin(1, null))).toEqual([undefined])
    expect(asked).toEqual([])
  })

  it('is forgotten where that is asked for, of the one coin', async () => {
    const { ask, asked, cache, session } = open()
    await ask(coin(1), coin(2))
    await cache.forget('signet', [formatOutpoint(coin(1))])
    await ask(coin(1), coin(2))
    expect(asked).toEqual([[1, 2], [1]])
    await cache.clear()
    expect(session.dump()).toEqual({})
    await ask(coin(2))
    expect(asked[2]).toEqual([2])
  })
})

describe('an answer that was forgotten', () => {
  it('is forgotten by the next worker too', async () => {
    const { ask, cache, session } = open()
    await ask(coin(1), coin(2))
    await cache.forget('signet', [formatOutpoint(coin(1))])
    const next = open(session)
    await next.ask(coin(1), coin(2))
    expect(next.asked).toEqual([[1]])
  })

  it('costs a write only where there was one', async () => {
    const { ask, cache, session } = open()
    await ask(coin(1))
    let writes = 0
    const { set } = session
    session.set = entries => {
      writes++
      return set(entries)
    }
    await cache.forget('signet', [formatOutpoint(coin(2))])
    expect(writes).toBe(0)
    await cache.forget('signet', [formatOutpoint(coin(2)), formatOutpoint(coin(1))])
    expect(writes).toBe(1)
  })
})

describe('a question to the index', () => {
  it('is made anew past all that is kept, and its answer is kept too', async () => {
    const { ask, anew, asked, state } = open()
    await ask(coin(1))
    state.told = { 1: INSCRIBED }
    expect(await anew(coin(1))).toEqual([INSCRIBED])
    expect(await ask(coin(1))).toEqual([INSCRIBED])
    expect(asked).toEqual([[1], [1]])
    state.told = { 1: SILENT }
    expect(await anew(coin(1))).toEqual([SILENT])
  })

  it('is of at most 250 coins, the largest first', async () => {
    const { ask, asked } = open()
    const coins = Array.from({ length: 501 }, (_, at) => coin(at + 1, 100, BigInt(at)))
    await ask(...coins)
    expect(asked.map(({ length }) => length)).toEqual([250, 250, 1])
    expect(asked.flat()).toEqual(coins.map((_, at) => 501 - at))
  })

  it('of many coins is written once a second at most, and whole at the end', async () => {
    let writes = 0
    const session = createMemoryArea({}, () => void writes++)
    const { ask, state, clock } = open(session)
    let turn = Promise.resolve()
    // One piece after the other.
    Object.defineProperty(state, 'wait', {
      get: () => {
        turn = turn.then(() => new Promise(resolve => setTimeout(resolve, 2)))
        return turn
      },
    })
    const coins = Array.from({ length: 5_000 }, (_, at) => coin(at + 1))
    await ask(...coins)
    expect(writes).toBeLessThan(4)
    const { asked, ask: askNext } = open(session)
    await askNext(...coins)
    expect([asked, clock.now]).toEqual([[], 1_000_000])
  })

  it('of many coins at a slow index writes each answer a few times at most, and the last ones too', async () => {
    const { ask, state, clock, session } = open()
    const { set } = session
    let written = 0
    session.set = entries => {
      written += Object.keys(Object(entries.coinAnswers)).length
      return set(entries)
    }
    let turn = Promise.resolve()
    // Each piece takes longer than the pause between two writes.
    Object.defineProperty(state, 'wait', {
      get: () => {
        turn = turn.then(() => {
          clock.now += 2_000
          return new Promise(resolve => setTimeout(resolve))
        })
        return turn
      },
    })
    const coins = Array.from({ length: 10_000 }, (_, at) => coin(at + 1))
    await ask(...coins)
    expect(written).toBeGreaterThanOrEqual(coins.length)
    expect(written).toBeLessThan(4 * coins.length)
    expect(Object.keys(Object(session.dump().coinAnswers))).toHaveLength(coins.length)
  })

  it('of another index is kept, though one to the index before still waits as it is answered', async () => {
    const { cache, ask, asked: before, state, session } = open()
    await ask(coin(1))
    let release = () => {}
    state.wait = new Promise(resolve => {
      release = resolve
    })
    const waiting = ask(coin(2))
    await expect.poll(() => before.length).toBe(2)
    await cache.clear()
    state.wait = null
    await ask(coin(3))
    release()
    await waiting
    const { asked, ask: askNext } = open(session)
    await askNext(coin(3))
    expect(asked).toEqual([])
  })

  it('is shared by all that ask meanwhile', async () => {
    const { ask, asked, state } = open()
    let release = () => {}
    state.wait = new Promise(resolve => {
      release = resolve
    })
    state.told = { 1: INSCRIBED }
    const first = ask(coin(1))
    const second = ask(coin(1), coin(2))
    await new Promise(resolve => setTimeout(resolve, 5))
    release()
    expect(await first).toEqual([INSCRIBED])
    expect(await second).toEqual([INSCRIBED, CLEAN])
    expect(asked).toEqual([[1], [2]])
  })

  it('that was put to another index is heard and not kept', async () => {
    const { ask, cache, state, session } = open()
    let release = () => {}
    state.wait = new Promise(resolve => {
      release = resolve
    })
    const late = ask(coin(1))
    await new Promise(resolve => setTimeout(resolve, 5))
    await cache.clear()
    release()
    expect(await late).toEqual([CLEAN])
    expect(session.dump()).toEqual({})
  })

  it('fails with a fault of ours, and not with the index', async () => {
    const { ask, state } = open()
    state.error = new TypeError('broken')
    await expect(ask(coin(1))).rejects.toThrow('broken')
    state.error = null
    expect(await ask(coin(1))).toEqual([CLEAN])
  })

  it('is answered although storage has no room', async () => {
    const { ask, session, asked } = open()
    session.set = () => Promise.reject(new Error('QuotaExceeded'))
    expect(await ask(coin(1))).toEqual([CLEAN])
    await ask(coin(1))
    expect(asked).toHaveLength(1)
  })
})
