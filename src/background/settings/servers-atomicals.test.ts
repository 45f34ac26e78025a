import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atomicalsGlobal, GLOBAL, sayListed, tell } from '../../chain/testing/scripted-atomicals.ts'
import { coinAt, ordOutput, sayOrd } from '../../chain/testing/scripted-ord.ts'
import { type ScriptedServer, startScriptedServer } from '../../chain/testing/scripted-server.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createPlainRecords } from '../../storage/testing/plain-records.ts'
import { createServers } from './servers.ts'

let ord: ScriptedServer
let electrumx: ScriptedServer

beforeAll(async () => {
  ord = await startScriptedServer()
  electrumx = await startScriptedServer()
})
afterAll(() => Promise.all([ord.close(), electrumx.close()]))
beforeEach(() => {
  ord.reset()
  electrumx.reset()
})

const COIN = coinAt(1)
const CLEAN = { known: true, assets: [] }

const sayGlobal = (changes: object) =>
  electrumx.say({ [GLOBAL]: tell({ global: atomicalsGlobal(changes) }) })

function createTestServers() {
  return createServers({
    records: createPlainRecords(createMemoryArea()),
    session: createMemoryArea(),
    now: () => 1_800_000_000_000,
    random: n => new Uint8Array(n),
  })
}

describe('the server of Atomicals', () => {
  it('is devnet’s on regtest, and none elsewhere until the person names one', async () => {
    const servers = createTestServers()
    expect((await servers.urls('regtest')).atomicals).toBe('http://127.0.0.1:18480/atomicals/proxy')
    for (const network of ['mainnet', 'testnet4', 'signet'] as const) {
      expect((await servers.urls(network)).atomicals).toBe('')
      expect(await servers.openAtomicals(network)).toBeNull()
    }
  })

  it('is checked for its network before it is stored; nothing is stored', async () => {
    sayGlobal({ height: 912_345, network: 'signet' })
    const servers = createTestServers()
    expect(await servers.check('signet', 'atomicals', `${electrumx.url}/`)).toMatchObject({
      usable: true,
      height: 912_345,
      live: false,
    })
    expect(await servers.check('mainnet', 'atomicals', electrumx.url)).toMatchObject({
      usable: false,
      problem: { kind: 'wrong-network', host: electrumx.host },
    })
    expect(await servers.check('mainnet', 'atomicals', ord.url)).toMatchObject({
      usable: false,
      problem: { kind: 'nonsense' },
    })
    expect((await servers.urls('signet')).atomicals).toBe('')
  })

  it('of another chain is not stored, and one that does not answer is', async () => {
    sayGlobal({ network: 'mainnet' })
    const servers = createTestServers()
    const set = servers.set('regtest', 'atomicals', electrumx.url)
    await expect(set).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('follows another chain'),
    })
    await servers.set('mainnet', 'atomicals', 'http://127.0.0.1:9')
    expect((await servers.urls('mainnet')).atomicals).toBe('http://127.0.0.1:9')
  })

  it('is opened once, and again when another is chosen', async () => {
    sayGlobal({ height: 7 })
    const servers = createTestServers()
    await servers.set('regtest', 'atomicals', electrumx.url)
    const source = await servers.openAtomicals('regtest')
    expect(await source?.fetchTip()).toEqual({ height: 7 })
    expect(await servers.openAtomicals('regtest')).toBe(source)
    await servers.set('regtest', 'atomicals', '')
    expect(await servers.openAtomicals('regtest')).not.toBe(source)
  })

  it('is asked of coins beside the index of inscriptions, once it is named', async () => {
    sayOrd(ord, { [COIN.outpoint]: ordOutput(COIN) })
    ord.say({ '/status': { body: JSON.stringify(signetStatus()) } })
    sayListed(electrumx, [], [], atomicalsGlobal({ network: 'signet' }))
    const servers = createTestServers()
    await servers.set('signet', 'assets', ord.url)
    const verdict = async () =>
      (await (await servers.openAssets('signet')).fetchAssets([COIN])).get(COIN.outpoint)
    expect(await verdict()).toEqual(CLEAN)
    expect(electrumx.asked).toEqual([])
    await servers.set('signet', 'atomicals', electrumx.url)
    expect(await verdict()).toEqual({ known: false, why: 'unanswered' })
    sayListed(electrumx, [COIN], [], atomicalsGlobal({ network: 'signet' }))
    expect(await verdict()).toEqual(CLEAN)
    expect(await servers.openAssets('signet')).toBe(await servers.openAssets('signet'))
    await servers.set('signet', 'atomicals', '')
    electrumx.reset()
    expect(await verdict()).toEqual(CLEAN)
    expect(electrumx.asked).toEqual([])
  })

  it.each([
    [{ height: 100 }, 'synced'],
    [{ height: 97 }, 'behind'],
    [{ network: 'mainnet' }, 'wrong-network'],
    [{ height: 'x' }, 'unreachable'],
  ])('that says %j of itself is %s at 100 blocks', async (changes, state) => {
    sayGlobal(changes)
    const session = createMemoryArea({ seenHeights: { regtest: 100 } })
    const servers = createServers({
      records: createPlainRecords(
        createMemoryArea({
          servers: {
            regtest: {
              ...{ chain: ord.url, assets: ord.url, brc20: ord.url },
              atomicals: electrumx.url,
            },
          },
        }),
      ),
      session,
      now: () => 1_800_000_000_000,
      random: n => new Uint8Array(n),
    })
    const states = await servers.states('regtest')
    expect(states.find(({ kind }) => kind === 'atomicals')).toMatchObject({
      state,
      url: electrumx.url,
    })
  })
})

function signetStatus() {
  return {
    chain: 'signet',
    height: 100,
    inscription_index: true,
    rune_index: true,
    unrecoverably_reorged: false,
  }
}
