import { describe, expect, it } from 'vitest'
import { lastAnchors } from '../../bitcoin/headers/anchors.ts'
import { isStaleTip } from '../../bitcoin/headers/stale-tip.ts'
import { MAINNET_RUN } from '../../bitcoin/testing/header-vectors.ts'
import type { ChainServer, ChainSource } from '../../chain/chain-source.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { checkChain } from './chain-state.ts'
import { createCheckedHeights } from './checked-heights.ts'
import { createConfirmationProofs } from './confirmation-proofs.ts'
import { createHeldHeaders } from './held-headers.ts'

const HOUR = 3_600_000

/** A wallet of mainnet, whose server has its real headers up to a height and counts what it is asked. */
function startMainnet(height: number) {
  const { height: start, raws } = MAINNET_RUN
  const asked: string[] = []
  const server = { height, asked }
  const upTo = (last: number) => raws.slice(Math.max(last - start - 9, 0), last - start + 1)
  const answers = {
    fetchNewestHeaders: async () => ({ height: server.height, raws: upTo(server.height) }),
    fetchBlockHeaders: async (last: number) => upTo(last),
    fetchTransactionHeight: async () => height,
    fetchTransaction: async () => new Uint8Array(),
    fetchMerkleProof: async () => ({ position: 0, branch: [] }),
  }
  const source = new Proxy(answers, {
    get: (target, name: keyof typeof answers) => {
      if (String(name) === 'network') return 'mainnet'
      if (!(name in target)) return undefined
      return (argument: never) => {
        asked.push(name)
        return target[name](argument)
      }
    },
  }) as unknown as ChainSource
  const clock = { now: timeOf(height) }
  const local = createMemoryArea()
  const deps = {
    ...{ local, now: () => clock.now },
    anchors: () => lastAnchors('mainnet').filter(anchor => anchor.height < start),
  }
  const heldHeaders = createHeldHeaders(deps)
  const servers: ChainServer[] = [{ host: 'one.test', source }]
  const wallet = {
    ...{ now: deps.now, heldHeaders, checkedHeights: createCheckedHeights({ local }) },
    chain: async () => Object.assign(Object.create(source), { servers }),
  }
  const proofs = createConfirmationProofs({ ...deps, headers: heldHeaders })
  return { server, source, clock, check: () => checkChain(wallet, 'mainnet'), proofs }
}

/** As a header says it, read here: seconds at byte 68. */
function timeOf(height: number): number {
  const raw = MAINNET_RUN.raws[height - MAINNET_RUN.height] ?? new Uint8Array(80)
  return new DataView(raw.buffer, raw.byteOffset).getUint32(68, true) * 1000
}

describe('the newest block', () => {
  it('is said to be old after two hours, whole ones, and nothing above it counts until there is another', async () => {
    const { server, clock, check } = startMainnet(824_000)
    expect(await check()).toEqual({ is: 'followed' })
    clock.now += 2 * HOUR
    expect(await check()).toEqual({ is: 'followed' })
    clock.now += 1
    expect(await check()).toEqual({ is: 'stale', hours: 2, checkedTo: 824_000 })
    clock.now += 3 * HOUR
    expect(await check()).toEqual({ is: 'stale', hours: 5, checkedTo: 824_000 })
    server.height = 824_001
    clock.now = timeOf(824_001)
    expect(await check()).toEqual({ is: 'followed' })
  })

  it.each([
    ['mainnet', true],
    ['testnet4', true],
    ['signet', true],
    ['regtest', false],
  ] as const)('of %s may not be old without end: %s', (network, isOld) => {
    expect(isStaleTip(network, 0, 2 * HOUR)).toBe(false)
    expect(isStaleTip(network, 0, 2 * HOUR + 1)).toBe(isOld)
    expect(isStaleTip(network, 0, 365 * 24 * HOUR)).toBe(isOld)
  })
})

describe('requests', () => {
  it('are at most thirty at the first start, with the newest payments, and one for each block from then on', async () => {
    const { server, source, clock, check, proofs } = startMainnet(824_000)
    const payments = Array.from({ length: 50 }, (_, at) => ({
      txid: at.toString(16).padStart(64, '0'),
      // Every second one is older than the headers that are held.
      height: at % 2 === 0 ? 823_950 : 823_100,
    }))
    await check()
    expect(server.asked).toHaveLength(15)
    await proofs.proveEach(source, payments, 5)
    // Three in the headers with two requests each, two older ones with three, and whether there is a new block.
    expect(server.asked.length).toBeLessThanOrEqual(30)
    expect(server.asked).toHaveLength(15 + 1 + 3 * 2 + 2 * 3)
    for (let height = 824_001; height <= 824_006; height++) {
      server.height = height
      clock.now = timeOf(height)
      server.asked.length = 0
      expect(await check()).toEqual({ is: 'followed' })
      expect(server.asked).toEqual(['fetchNewestHeaders'])
    }
  })
})
