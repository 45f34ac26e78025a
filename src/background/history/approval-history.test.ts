import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import type { ApprovalAnswer } from '../views/approval-history-views.ts'
import type { Review } from '../views/approval-views.ts'
import {
  type AskedRequest,
  createApprovalHistory,
  MOST_IN_ALL,
  MOST_OF_SITE,
} from './approval-history.ts'

const DAY = 24 * 3_600_000
const ALL = { origin: null, answer: 'all' } as const

function open() {
  const local = createMemoryArea()
  const clock = { now: Date.UTC(2026, 10, 27) }
  const history = createApprovalHistory({ local, now: () => clock.now })
  let asked = 0
  /** A site asks for a signature of a text a minute after what was asked before, and gets that answer. */
  const ask = async (
    origin: string,
    answer: ApprovalAnswer,
    message: string,
    changes: Partial<AskedRequest> = {},
  ) => {
    clock.now += 60_000
    const review: Review = { kind: 'sign-message', message, type: 'ecdsa' }
    const request: AskedRequest = {
      ...{ key: `request ${asked++}`, origin, purpose: 'signMessage', createdAt: clock.now },
      ...{ accountId: 'a', network: 'mainnet', review, input: null, ...changes },
    }
    await history.note([{ request, answer }])
    return request
  }
  const bytes = () => JSON.stringify(local.dump().approvalHistory ?? []).length
  const listTexts = async (origin: string | null = null) =>
    (await history.list({ origin, answer: 'all' })).map(({ question }) =>
      question.kind === 'sign-messages' ? question.texts[0] : question.kind,
    )
  return { local, clock, history, ask, bytes, listTexts }
}

const SITE = 'https://dapp.example'
const HOSTILE = 'https://hostile.example'

describe('what sites asked', () => {
  it('is kept for 90 days, and is gone from the disk then', async () => {
    const { clock, history, ask, local } = open()
    await ask(SITE, 'rejected', 'hello')
    clock.now += 90 * DAY - 1
    expect(await history.list(ALL)).toHaveLength(1)
    clock.now += 1
    expect(await history.list(ALL)).toEqual([])
    await history.prune()
    expect(local.dump()).toEqual({})
  })

  it('lists the newest first, of one site or all, by answer', async () => {
    const { history, ask, listTexts } = open()
    await ask(SITE, 'approved', 'one')
    await ask('https://other.example', 'closed', 'two')
    await ask(SITE, 'failed', 'three')
    expect(await listTexts()).toEqual(['three', 'two', 'one'])
    expect(await listTexts(SITE)).toEqual(['three', 'one'])
    const approved = await history.list({ origin: null, answer: 'approved' })
    expect(approved.map(({ answer }) => answer)).toEqual(['approved'])
    const others = await history.list({ origin: null, answer: 'not-approved' })
    expect(others.map(({ answer }) => answer)).toEqual(['failed', 'closed'])
  })

  it('is forgotten for one site, or for all', async () => {
    const { history, ask, listTexts, local } = open()
    await ask(SITE, 'approved', 'one')
    await ask(HOSTILE, 'closed', 'two')
    await history.clear(HOSTILE)
    expect(await listTexts()).toEqual(['one'])
    await history.clear(null)
    expect(local.dump()).toEqual({})
  })

  it('has a question once, however often its end is told, and what came of it', async () => {
    const { history, ask, local } = open()
    const request = await ask(SITE, 'approved', 'hello')
    const before = local.dump()
    await history.note([{ request, answer: 'approved', result: 'signature' }])
    expect(local.dump()).toEqual(before)
    const error = { code: -32000, message: 'no', data: { reason: 'BROADCAST_REJECTED' } }
    await history.note([{ request, answer: 'failed', error }])
    expect(await history.list(ALL)).toMatchObject([
      { answer: 'failed', reason: 'BROADCAST_REJECTED', question: { texts: ['hello'] } },
    ])
  })

  it('keeps what was asked first where a device or an unlock comes after it', async () => {
    const { history, ask } = open()
    const request = await ask(SITE, 'approved', 'hello')
    const unlock: Review = { kind: 'unlock', method: 'signMessage' }
    await history.note([{ request: { ...request, review: unlock }, answer: 'closed' }])
    expect(await history.list(ALL)).toMatchObject([
      { answer: 'closed', question: { kind: 'sign-messages', texts: ['hello'] } },
    ])
  })

  it('leaves out of storage what is no entry, whoever wrote it', async () => {
    const { history, ask, local } = open()
    await ask(SITE, 'approved', 'hello')
    const [entry] = local.dump().approvalHistory as object[]
    const forged = [
      ...[null, 1, {}, { ...entry, answer: 'yes' }, { ...entry, txids: [1] }],
      ...[
        { ...entry, question: { kind: 'toString' } },
        { ...entry, question: { kind: 'push' } },
      ],
      { ...entry, question: { kind: 'push', count: 1, net: '1e3', fee: null } },
    ]
    await local.set({ approvalHistory: [...forged, entry] })
    expect(await history.list(ALL)).toEqual([entry])
    await local.set({ approvalHistory: 'text' })
    expect(await history.list(ALL)).toEqual([])
  })
})

describe('a hostile site', () => {
  it('fills no more than its own part, whatever it asks for', async () => {
    const { ask, history, bytes } = open()
    for (let n = 0; n < MOST_OF_SITE.count + 50; n++) await ask(HOSTILE, 'closed', `${n}`)
    expect(await history.list(ALL)).toHaveLength(MOST_OF_SITE.count)
    const texts = ['\u{10ffff}'.repeat(100_000), '"'.repeat(1_000_000), '\u0000'.repeat(1_000_000)]
    for (let n = 0; n < 150; n++) await ask(HOSTILE, 'approved', texts[n % 3] ?? '')
    expect(bytes()).toBeLessThanOrEqual(MOST_OF_SITE.bytes + 1_000)
    const entries = await history.list(ALL)
    for (const entry of entries) expect(JSON.stringify(entry).length).toBeLessThan(1_500)
    for (const { question } of entries)
      if (question.kind === 'sign-messages')
        for (const text of question.texts) expect(text.isWellFormed()).toBe(true)
  })

  it('drives out nothing of other sites, and none of its own approvals by asking in vain', async () => {
    const { ask, listTexts } = open()
    await ask(SITE, 'approved', 'mine')
    await ask(SITE, 'rejected', 'no')
    await ask(HOSTILE, 'approved', 'its own')
    for (let n = 0; n < MOST_OF_SITE.count + 5; n++) await ask(HOSTILE, 'ended', `${n}`)
    expect(await listTexts(SITE)).toEqual(['no', 'mine'])
    expect(await listTexts(HOSTILE)).toContain('its own')
    expect((await listTexts(HOSTILE))[0]).toBe(`${MOST_OF_SITE.count + 4}`)
  })

  it('of many names fills no more than all may take, and drives out no approval', async () => {
    const { ask, history, bytes, listTexts, local } = open()
    await ask(SITE, 'approved', 'mine')
    const long = 'x'.repeat(1_000)
    // Two entries each of as many names as fill twice what there may be.
    const [first] = await history.list(ALL)
    const forged = Array.from({ length: 2 * MOST_IN_ALL.count }, (_, at) => ({
      ...first,
      ...{ id: `${at}`, origin: `https://${at % 2000}.example`, answer: 'ended' },
      question: { kind: 'sign-messages', texts: [long.slice(0, 161)], count: 1 },
    }))
    await local.set({ approvalHistory: [first, ...forged] })
    await ask(HOSTILE, 'closed', long)
    expect((await history.list(ALL)).length).toBeLessThanOrEqual(MOST_IN_ALL.count)
    expect(bytes()).toBeLessThanOrEqual(MOST_IN_ALL.bytes + MOST_IN_ALL.count)
    expect(await listTexts(SITE)).toEqual(['mine'])
    expect(await listTexts(HOSTILE)).toHaveLength(1)
  })
})
