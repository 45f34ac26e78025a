import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import anchorTables from '../../bitcoin/headers/anchors.json' with { type: 'json' }
import { type Anchor, readAnchors } from '../../bitcoin/headers/anchors.ts'
import { parseBlockHeader } from '../../bitcoin/headers/block-header.ts'
import type { Network } from '../../bitcoin/network.ts'
import { buildBlock } from '../../bitcoin/testing/block-building.ts'
import { MAINNET_RUN, STALE_HEADER } from '../../bitcoin/testing/header-vectors.ts'
import type { ChainSource } from '../../chain/chain-source.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createHeldHeaders } from './held-headers.ts'

const NOW = Date.parse('2026-11-01')
const ANCHORS = readAnchors(anchorTables.mainnet)

/** What a server answers from: raw headers that follow each other, as it says. */
type Shown = { height: number; raws: readonly Uint8Array[] }

const MAINNET_AT = (height: number): Shown => ({
  height: MAINNET_RUN.height,
  raws: MAINNET_RUN.raws.slice(0, height - MAINNET_RUN.height + 1),
})

/** A server with so many headers a request, which counts its requests. */
function serve(network: Network, shown: Shown, perRequest = 10) {
  const server = { shown, requests: 0 }
  const source = {
    network,
    async fetchNewestHeaders() {
      const { height, raws } = server.shown
      const newest = height + raws.length - 1
      return { height: newest, raws: await this.fetchBlockHeaders(newest) }
    },
    async fetchBlockHeaders(to: number) {
      server.requests++
      const { height, raws } = server.shown
      const end = to - height + 1
      return raws.slice(Math.max(end - perRequest, 0), end)
    },
  }
  return { server, source: source as unknown as ChainSource }
}

function open(
  options: {
    local?: ReturnType<typeof createMemoryArea>
    anchors?: Anchor[]
    clock?: { now: number }
  } = {},
) {
  const { local = createMemoryArea(), anchors = ANCHORS, clock = { now: NOW } } = options
  const headers = createHeldHeaders({
    local,
    now: () => clock.now,
    anchors: network => (network === 'mainnet' ? anchors : []),
  })
  return { headers, local }
}

/** Headers of regtest's difficulty. */
function easy(height: number, count: number, previous = '00'.repeat(32)): Uint8Array[] {
  const raws: Uint8Array[] = []
  for (let at = 0; at < count; at++) {
    const block = buildBlock({
      height: height + at,
      previous,
      at: 1_700_000_000_000 + at * 600_000,
    })
    raws.push(block.header)
    previous = block.hash
  }
  return raws
}

describe('the headers of mainnet that are held', () => {
  it('are the last 150 at the start, in fifteen requests or ten', async () => {
    for (const [perRequest, requests] of [
      [10, 15],
      [15, 10],
    ]) {
      const { headers, local } = open()
      const { server, source } = serve('mainnet', MAINNET_AT(824_000), perRequest)
      expect(await headers.follow(source)).toMatchObject({
        is: 'followed',
        tip: { height: 824_000 },
      })
      expect(server.requests).toBe(requests)
      const stored = Object(local.dump()['headers.mainnet'])
      expect(stored.height).toBe(824_000 - 149)
      expect(Buffer.from(stored.headers, 'base64')).toHaveLength(150 * 80)
    }
  })

  it('follow each block with one request, and take no more where there is none', async () => {
    const { headers } = open()
    const { server, source } = serve('mainnet', MAINNET_AT(824_000))
    await headers.follow(source)
    server.requests = 0
    for (let height = 824_001; height <= 824_020; height++) {
      server.shown = MAINNET_AT(height)
      expect(await headers.follow(source)).toMatchObject({ is: 'followed', tip: { height } })
      if (height % 4 === 0) await headers.follow(source)
    }
    expect(server.requests).toBe(20 + 5)
  })

  it('are asked for once by all who ask at the same time', async () => {
    const { headers } = open()
    const { server, source } = serve('mainnet', MAINNET_AT(824_000))
    const told = await Promise.all([1, 2, 3].map(() => headers.follow(source)))
    expect(told).toEqual([told[0], told[0], told[0]])
    expect(server.requests).toBe(15)
  })

  it('are there for the next worker, and over an adjustment whose period is at hand exactly as the network wants them', async () => {
    const { headers, local } = open()
    const { server, source } = serve('mainnet', MAINNET_AT(MAINNET_RUN.height + 149))
    await headers.follow(source)
    const end = MAINNET_RUN.height + MAINNET_RUN.raws.length - 1
    for (let height = MAINNET_RUN.height + 149; height < end; height += 100) {
      server.shown = MAINNET_AT(height)
      // A worker that was started anew.
      await open({ local }).headers.follow(source)
    }
    server.shown = MAINNET_AT(end)
    const last = open({ local }).headers
    expect(await last.follow(source)).toMatchObject({ is: 'followed', tip: { height: end } })
    const { height, headers: recent } = Object(local.dump()['headers.mainnet'])
    const { height: oldest, headers: old } = Object(local.dump()['headers.mainnet.old'])
    const bytes = Buffer.concat([Buffer.from(old, 'base64'), Buffer.from(recent, 'base64')])
    expect(bytes.equals(Buffer.concat(MAINNET_RUN.raws))).toBe(true)
    expect(oldest).toBe(MAINNET_RUN.height)
    expect(oldest + (old.length * 0.75) / 80).toBe(height)
    expect(Buffer.from(recent, 'base64').length / 80).toBeLessThan(2 * 144)
  })

  it('stay where a server shows what is behind, or a block beside the last that was given up', async () => {
    const { headers } = open()
    const { server, source } = serve('mainnet', MAINNET_AT(STALE_HEADER.height))
    await headers.follow(source)
    const before = await headers.tip('mainnet')
    server.shown = MAINNET_AT(STALE_HEADER.height - 1)
    expect(await headers.follow(source)).toMatchObject({ is: 'behind', tip: before })
    const { height, raws } = server.shown
    server.shown = { height, raws: [...raws, STALE_HEADER.raw] }
    expect(await headers.follow(source)).toMatchObject({ is: 'behind', tip: before })
    expect(await headers.tip('mainnet')).toEqual(before)
  })

  it('leave a block that was given up, once the other way has more work', async () => {
    const { headers } = open()
    const { height, raws } = MAINNET_AT(STALE_HEADER.height - 1)
    const { server, source } = serve('mainnet', { height, raws: [...raws, STALE_HEADER.raw] })
    await headers.follow(source)
    expect((await headers.tip('mainnet'))?.hash).toBe(parseBlockHeader(STALE_HEADER.raw)?.hash)
    server.shown = MAINNET_AT(STALE_HEADER.height + 1)
    expect(await headers.follow(source)).toMatchObject({
      is: 'followed',
      tip: { height: STALE_HEADER.height + 1 },
    })
  })

  it('begin anew after a long sleep', async () => {
    const { headers, local } = open()
    const { server, source } = serve('mainnet', MAINNET_AT(823_000))
    await headers.follow(source)
    server.requests = 0
    server.shown = MAINNET_AT(824_500)
    expect(await headers.follow(source)).toMatchObject({ is: 'followed', tip: { height: 824_500 } })
    expect(server.requests).toBe(15)
    expect(Object(local.dump()['headers.mainnet']).height).toBe(824_500 - 149)
  })
})

describe('headers that are refused', () => {
  it('at the start: those without the work that the last anchor lets expect', async () => {
    const { headers } = open()
    const { source } = serve('mainnet', { height: 960_000, raws: easy(960_000, 160) })
    const { is, ...rest } = await headers.follow(source)
    expect({ is, ...rest }).toMatchObject({ is: 'refused', tip: null })
    expect(await headers.tip('mainnet')).toBeNull()
    // Real ones of difficulty 1, long ago, are too easy as well.
    const harder = ANCHORS.map(anchor => ({
      ...anchor,
      nextTarget: anchor.nextTarget && anchor.nextTarget / 5n,
    }))
    const old = open({ anchors: harder }).headers
    expect(await old.follow(serve('mainnet', MAINNET_AT(824_000)).source)).toMatchObject({
      ...{ is: 'refused', fault: 'too-little-work', tip: null },
    })
  })

  it('where a block of a release is another one', async () => {
    const wrong = ANCHORS.map(anchor =>
      anchor.height === 824_543 ? { ...anchor, hash: 'ff'.repeat(32) } : anchor,
    )
    const { headers } = open({ anchors: wrong })
    const { source } = serve('mainnet', MAINNET_AT(824_550))
    expect(await headers.follow(source)).toMatchObject({ is: 'refused', fault: 'not-anchored' })
  })

  it('where there are none, or those before them are of another chain', async () => {
    const { headers } = open()
    const { source } = serve('mainnet', MAINNET_AT(824_000))
    const silent = { ...source, fetchBlockHeaders: async () => [] }
    expect(await headers.follow(silent)).toMatchObject({ is: 'refused', fault: 'bad-size' })
    const other = serve('mainnet', MAINNET_AT(823_990)).source
    const torn = { ...other, fetchNewestHeaders: () => source.fetchNewestHeaders() }
    torn.fetchBlockHeaders = height => other.fetchBlockHeaders(height - 5)
    expect(await headers.follow(torn)).toMatchObject({
      ...{ is: 'refused', fault: 'prev-blk-not-found' },
    })
  })

  it('that have nothing of what is held, and are no newer', async () => {
    const { headers } = open()
    const { server, source } = serve('mainnet', MAINNET_AT(824_500))
    await headers.follow(source)
    const before = await headers.tip('mainnet')
    // Whether these are a fork or long ago, nothing tells.
    server.shown = MAINNET_AT(824_300)
    expect(await headers.follow(source)).toMatchObject({
      is: 'refused',
      fault: 'unlinked',
      tip: before,
    })
  })

  it('that have nothing of what is held, unless the wallet slept as long as they take, whatever height they claim', async () => {
    const held = MAINNET_AT(823_000)
    const at = parseBlockHeader(held.raws.at(-1) ?? new Uint8Array())?.at ?? 0
    const clock = { now: at + 3_600_000 }
    const { headers } = open({ clock })
    const { server, source } = serve('mainnet', held)
    await headers.follow(source)
    const before = await headers.tip('mainnet')
    // Real work of another time, claimed to be far ahead: within an hour nobody finds 150 blocks.
    const other = MAINNET_AT(822_800)
    server.shown = { ...other, height: other.height + 1_000_000 }
    expect(await headers.follow(source)).toMatchObject({
      is: 'refused',
      fault: 'unlinked',
      tip: before,
    })
    clock.now = at + 13 * 3_600_000
    // Older than what is held, whatever the clock says.
    expect(await headers.follow(source)).toMatchObject({
      is: 'refused',
      fault: 'unlinked',
      tip: before,
    })
    clock.now = NOW
    server.shown = MAINNET_AT(824_500)
    expect(await headers.follow(source)).toMatchObject({ is: 'followed', tip: { height: 824_500 } })
  })

  it('at a height that was made up give way once nobody goes on with them', async () => {
    const { headers } = open()
    const poisoned = MAINNET_AT(823_000)
    const { source } = serve('mainnet', { ...poisoned, height: poisoned.height + 1_000_000 })
    await headers.follow(source)
    const honest = serve('mainnet', MAINNET_AT(824_500)).source
    expect(await headers.follow(honest)).toMatchObject({ is: 'followed', tip: { height: 824_500 } })
  })

  it('and leave what is held as it was, whatever a server shows', async () => {
    const shown = MAINNET_AT(824_000)
    const after = MAINNET_RUN.raws.slice(shown.raws.length, shown.raws.length + 12)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(after.length - 1),
        fc.nat(79),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('alter', 'leave out', 'repeat', 'swap', 'cut'),
        async (place, at, change, lie) => {
          const lies = after.map(raw => raw.slice())
          const one = lies[place] ?? new Uint8Array()
          if (lie === 'alter') one[at] = (one[at] ?? 0) ^ change
          if (lie === 'cut') lies[place] = one.slice(0, at)
          if (lie === 'leave out') lies.splice(place, 1)
          if (lie === 'repeat') lies.splice(place, 0, one)
          if (lie === 'swap') lies.reverse()
          const { headers } = open()
          const { server, source } = serve('mainnet', shown)
          await headers.follow(source)
          server.shown = { height: shown.height, raws: [...shown.raws, ...lies] }
          const following = await headers.follow(source)
          const held = await headers.tip('mainnet')
          const honest = [...shown.raws.slice(-1), ...after].map(raw => parseBlockHeader(raw)?.hash)
          expect(honest).toContain(held?.hash)
          // Without its last one, what is left is honest.
          if (lie !== 'leave out' || place < after.length - 1)
            expect(following.is).not.toBe('followed')
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('headers that storage holds', () => {
  it.each([
    ['no object', 'headers'],
    ['no text', { height: 1, headers: 5 }],
    ['no base64', { height: 1, headers: '!' }],
    ['no whole headers', { height: 1, headers: 'AAAA' }],
    ['no height', { height: 'x', headers: '' }],
  ])('are none where storage holds something else: %s', async (_, stored) => {
    const local = createMemoryArea({ 'headers.mainnet': stored, 'headers.mainnet.old': stored })
    const { headers } = open({ local })
    expect(await headers.tip('mainnet')).toBeNull()
    const { source } = serve('mainnet', MAINNET_AT(824_000))
    expect(await headers.follow(source)).toMatchObject({ is: 'followed', tip: { height: 824_000 } })
  })

  it('of regtest give way to another chain, which somebody made anew', async () => {
    const { headers } = open()
    const { server, source } = serve('regtest', { height: 0, raws: easy(0, 40) })
    await headers.follow(source)
    server.shown = { height: 0, raws: easy(0, 20, '11'.repeat(32)) }
    expect(await headers.follow(source)).toMatchObject({ is: 'followed', tip: { height: 19 } })
  })

  it('are read from the server again where something else is stored', async () => {
    const { local, headers } = open()
    const { source } = serve('mainnet', MAINNET_AT(824_000))
    await headers.follow(source)
    const stored = Object(local.dump()['headers.mainnet'])
    const bytes = Buffer.from(stored.headers, 'base64')
    bytes[4000] = (bytes[4000] ?? 0) ^ 1
    const altered = createMemoryArea({
      'headers.mainnet': { ...stored, headers: bytes.toString('base64') },
    })
    const next = open({ local: altered }).headers
    expect(await next.tip('mainnet')).toBeNull()
    expect(await next.follow(source)).toMatchObject({ is: 'followed', tip: { height: 824_000 } })
  })
})
