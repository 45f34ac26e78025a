import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'

const A = 'https://a.example'
const B = 'https://b.example'
const REJECTED = { error: { code: 4001, message: 'User rejected the request.' } }

/** Windows 1 and 2, with a tab of the same number each; sites A and B are connected in them. */
const [LEFT, RIGHT] = [1, 2]

// Read before any clock is held: that takes seconds where much else runs.
beforeAll(() => Promise.all([import('../methods/methods.ts'), import('../../provider/methods.ts')]))
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

async function open(...withPanel: number[]) {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const a = await connectPage(worker, A, LEFT)
  const b = await connectPage(worker, B, RIGHT)
  for (const id of [LEFT, RIGHT]) world.panels.windowOf.set(id, id)
  for (const id of withPanel) openPanel(world, id)
  world.window = { open: false, shown: 0 }
  return { world, worker, a, b }
}

function openPanel({ panels }: World, windowId: number) {
  panels.open.add(windowId)
  panels.connected.add(windowId)
}

/** As the browser does: its page is gone, and its connection. */
function closePanel({ panels }: World, { wallet }: Worker, windowId: number) {
  panels.open.delete(windowId)
  panels.connected.delete(windowId)
  wallet.approvals.losePanel(windowId)
}

const wait = (ms: number) => new Promise<string>(resolve => setTimeout(resolve, ms, 'no answer'))

const inPanel = (worker: Worker, panel: number) => worker.ui('getApproval', { panel })

async function nextInPanel(worker: Worker, panel: number) {
  return vi.waitFor(async () => {
    const approval = await inPanel(worker, panel)
    if (!approval) throw new Error('Nothing is asked')
    return approval
  })
}

async function decideIn(worker: Worker, panel: number, decision: 'approve' | 'reject') {
  const { key, digest } = await nextInPanel(worker, panel)
  await worker.ui('decide', { key, digest, decision })
}

describe('a question', () => {
  it('is asked in the panel beside its tab, and opens no window', async () => {
    const { world, worker, a } = await open(LEFT)
    const answer = a.call('signMessage', 'hello')
    expect(await nextInPanel(worker, LEFT)).toMatchObject({ origin: A, position: 1, total: 1 })
    expect(await worker.ui('getApproval', null)).toBeNull()
    await vi.advanceTimersByTimeAsync(10_000)
    await decideIn(worker, LEFT, 'approve')
    expect(await answer).toHaveProperty('result')
    expect(world.window).toEqual({ open: false, shown: 0 })
  })

  it('is asked in the window where the panel is beside another tab', async () => {
    const { world, worker, b } = await open(LEFT)
    const answer = b.call('signMessage', 'hello')
    await decideNext(worker, 'reject')
    expect(await answer).toMatchObject(REJECTED)
    expect(world.window.shown).toBe(1)
    expect(await inPanel(worker, LEFT)).toBeNull()
  })

  it('of each of two windows is asked in its own panel, oldest first', async () => {
    const { worker, a, b } = await open(LEFT, RIGHT)
    const first = a.call('signMessage', 'first')
    const left = await nextInPanel(worker, LEFT)
    const other = b.call('signMessage', 'other')
    expect(await nextInPanel(worker, RIGHT)).toMatchObject({ origin: B, total: 1 })
    const second = a.call('signMessage', 'second')
    await vi.waitFor(async () => expect(await inPanel(worker, LEFT)).toMatchObject({ total: 2 }))
    expect(await inPanel(worker, LEFT)).toMatchObject({ key: left.key, position: 1 })
    await decideIn(worker, LEFT, 'approve')
    await decideIn(worker, RIGHT, 'reject')
    await decideIn(worker, LEFT, 'reject')
    expect(await Promise.all([first, other, second])).toMatchObject([
      { result: expect.any(String) },
      REJECTED,
      REJECTED,
    ])
  })

  it('stays in the window when a panel opens beside its tab', async () => {
    const { world, worker, a } = await open()
    const answer = a.call('signMessage', 'hello')
    const { key } = await nextApproval(worker)
    openPanel(world, LEFT)
    expect(await inPanel(worker, LEFT)).toBeNull()
    expect(await nextApproval(worker)).toMatchObject({ key })
    await decideNext(worker, 'approve')
    expect(await answer).toHaveProperty('result')
  })

  it('of a site that was told no again and again comes up in no panel', async () => {
    const { world, worker, a } = await open(LEFT)
    for (let no = 0; no < 3; no++) {
      const answer = a.call('signMessage', `${no}`)
      await decideIn(worker, LEFT, 'reject')
      await answer
    }
    void a.call('signMessage', 'again')
    expect(await nextApproval(worker)).toMatchObject({ origin: A, wasDeclined: true })
    expect([await inPanel(worker, LEFT), world.window.shown]).toEqual([null, 0])
  })

  it('behind the lock is asked in the same panel once the wallet is open', async () => {
    const { world, worker, a } = await open(LEFT)
    await worker.ui('lock', null)
    const answer = a.call('signMessage', 'hello')
    expect(await nextInPanel(worker, LEFT)).toMatchObject({ review: { kind: 'unlock' } })
    await worker.ui('unlock', { password: PASSWORD })
    await vi.waitFor(async () =>
      expect((await inPanel(worker, LEFT))?.review).toMatchObject({ kind: 'sign-message' }),
    )
    await decideIn(worker, LEFT, 'approve')
    expect(await answer).toHaveProperty('result')
    expect(world.window.shown).toBe(0)
  })
})

describe('a panel', () => {
  it('that closes leaves what it showed to the window, unanswered', async () => {
    const { world, worker, a, b } = await open(LEFT, RIGHT)
    const left = a.call('signMessage', 'left')
    const shown = await nextInPanel(worker, LEFT)
    const right = b.call('signMessage', 'right')
    await nextInPanel(worker, RIGHT)
    closePanel(world, worker, LEFT)
    await vi.waitFor(() => expect(world.window.shown).toBe(1), { timeout: 5_000 })
    expect(await nextApproval(worker)).toMatchObject({ key: shown.key, digest: shown.digest })
    await decideNext(worker, 'approve')
    expect(await left).toHaveProperty('result')
    await decideIn(worker, RIGHT, 'approve')
    expect(await right).toHaveProperty('result')
  })

  it('that is loaded anew keeps it', async () => {
    const { world, worker, a } = await open(LEFT)
    const answer = a.call('signMessage', 'hello')
    await nextInPanel(worker, LEFT)
    closePanel(world, worker, LEFT)
    openPanel(world, LEFT)
    await vi.advanceTimersByTimeAsync(10_000)
    await decideIn(worker, LEFT, 'approve')
    expect([await answer, world.window.shown]).toMatchObject([{ result: expect.any(String) }, 0])
  })

  it('whose page never comes loses it to the window after three seconds', async () => {
    const { world, worker, a } = await open(LEFT)
    world.panels.connected.clear()
    void a.call('signMessage', 'hello')
    await nextInPanel(worker, LEFT)
    await vi.waitFor(() => expect(world.window.shown).toBe(1), { timeout: 10_000 })
    expect(await nextApproval(worker)).toMatchObject({ origin: A })
  })

  it('keeps its question when the window is closed, which rejects what was in it', async () => {
    const { worker, a, b } = await open(LEFT)
    const left = a.call('signMessage', 'left')
    await nextInPanel(worker, LEFT)
    const right = b.call('signMessage', 'right')
    await nextApproval(worker)
    await worker.wallet.approvals.rejectAll()
    expect(await right).toMatchObject(REJECTED)
    await decideIn(worker, LEFT, 'approve')
    expect(await left).toHaveProperty('result')
  })

  it('is brought to the front where its question is looked for elsewhere', async () => {
    const { world, worker, a } = await open(LEFT)
    void a.call('signMessage', 'hello')
    await nextInPanel(worker, LEFT)
    await worker.ui('showApprovals', null)
    expect([world.panels.focused, world.window.shown]).toEqual([[LEFT], 0])
  })
})

describe('when the worker is killed', () => {
  it.each([
    ['and the panel is still there, it goes on asking', true],
    ['and the panel has closed meanwhile, the window asks', false],
  ])('in mid-question %s', async (_, isThere) => {
    const { world, worker, a } = await open(LEFT)
    const id = 'signMessage-0'
    void a.send(id, 'signMessage', 'hello')
    const shown = await nextInPanel(worker, LEFT)
    const next = startWorker(world)
    if (!isThere) {
      world.panels.open.clear()
      world.panels.connected.clear()
    }
    await next.wallet.approvals.reconcile()
    const answer = openPage(next, A, LEFT).send(id, 'signMessage', 'hello')
    if (isThere) {
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await nextInPanel(next, LEFT)).toMatchObject({ key: shown.key })
      await decideIn(next, LEFT, 'approve')
    } else await decideNext(next, 'approve')
    expect(await answer).toHaveProperty('result')
    expect(world.window.shown > 0).toBe(!isThere)
  })

  it('and it is approved while the next one still looks for the panel, it is done', async () => {
    const { world, worker, a } = await open(LEFT)
    const id = 'signMessage-0'
    void a.send(id, 'signMessage', 'hello')
    const { key, digest } = await nextInPanel(worker, LEFT)
    const next = startWorker(world)
    let find = (_: number) => {}
    const found = new Promise<number>(resolve => {
      find = resolve
    })
    const looking = vi.spyOn(world.panels.panels, 'findBeside').mockReturnValue(found)
    const answer = openPage(next, A, LEFT).send(id, 'signMessage', 'hello')
    await vi.waitFor(() => expect(looking).toHaveBeenCalled())
    await next.ui('decide', { key, digest, decision: 'approve' })
    find(LEFT)
    expect(await Promise.race([answer, wait(5_000)])).toHaveProperty('result')
  })

  it('and the wallet is unlocked while the next one still looks for the panel, nobody asks for that again', async () => {
    const { world, worker, a } = await open(LEFT)
    await worker.ui('lock', null)
    const id = 'signMessage-0'
    void a.send(id, 'signMessage', 'hello')
    expect(await nextInPanel(worker, LEFT)).toMatchObject({ review: { kind: 'unlock' } })
    const next = startWorker(world)
    let find = (_: number) => {}
    const found = new Promise<number>(resolve => {
      find = resolve
    })
    const looking = vi.spyOn(world.panels.panels, 'findBeside').mockReturnValue(found)
    const answer = openPage(next, A, LEFT).send(id, 'signMessage', 'hello')
    await vi.waitFor(() => expect(looking).toHaveBeenCalled())
    await next.ui('unlock', { password: PASSWORD })
    find(LEFT)
    expect((await nextInPanel(next, LEFT)).review).toMatchObject({ kind: 'sign-message' })
    await decideIn(next, LEFT, 'approve')
    expect(await Promise.race([answer, wait(5_000)])).toHaveProperty('result')
  })

  it('with nobody to send the question again, a panel that is gone leaves it to the window', async () => {
    const { world, worker, a } = await open(LEFT)
    void a.call('signMessage', 'hello')
    await nextInPanel(worker, LEFT)
    world.panels.connected.clear()
    // What the killed worker still meant to do.
    vi.clearAllTimers()
    const next = startWorker(world)
    await next.wallet.approvals.reconcile()
    await vi.waitFor(() => expect(world.window.shown).toBe(1), { timeout: 10_000 })
    expect(await nextApproval(next)).toMatchObject({ origin: A })
  })
})

describe('what the toolbar button opens', () => {
  it('is the panel once that has come up', async () => {
    const { world, worker } = await open(LEFT)
    expect(await worker.ui('setToolbar', { opens: 'panel', windowId: LEFT })).toBe(true)
    expect((await worker.ui('getState', null)).settings.toolbarOpens).toBe('panel')
    expect(await worker.ui('setToolbar', { opens: 'popup', windowId: LEFT })).toBe(true)
    expect(world.panels.applied).toEqual(['panel', 'popup'])
  })

  it('stays the popup where the browser shows no panel, whatever API it has', async () => {
    const { world, worker } = await open()
    const setting = worker.ui('setToolbar', { opens: 'panel', windowId: LEFT })
    expect(await setting).toBe(false)
    expect((await worker.ui('getState', null)).settings.toolbarOpens).toBe('popup')
    expect(world.panels.applied).toEqual([])
  })

  it('is refused by name for what is no surface, no window, or another call’s to change', async () => {
    const { worker } = await open(LEFT)
    const set = (params: object) => worker.ui('setToolbar', params as never)
    const field = (name: string) => ({ code: -32602, message: expect.stringContaining(name) })
    await expect(set({ opens: 'tab', windowId: LEFT })).rejects.toMatchObject(field('toolbarOpens'))
    await expect(set({ opens: 'panel', windowId: '1' })).rejects.toMatchObject(field('windowId'))
    await expect(
      worker.ui('changeSettings', { toolbarOpens: 'panel' } as never),
    ).rejects.toMatchObject(field('toolbarOpens'))
  })
})

describe('the site in the tab of a window', () => {
  it('is the one whose page is connected to the wallet, with its leave', async () => {
    const { world, worker } = await open()
    const read = (windowId: number) => worker.ui('getTabSite', { windowId })
    world.panels.active.set(LEFT, LEFT)
    expect(await read(LEFT)).toEqual({ origin: A, isConnected: true })
    await worker.ui('revokeSite', { origin: A, grant: null })
    expect(await read(LEFT)).toEqual({ origin: A, isConnected: false })
    await worker.ui('lock', null)
    world.panels.active.set(RIGHT, RIGHT)
    expect(await read(RIGHT)).toEqual({ origin: B, isConnected: false })
  })

  it('is none where the page never spoke to it, which is asked to connect', async () => {
    const { world, worker, a } = await open()
    const read = () => worker.ui('getTabSite', { windowId: LEFT })
    expect([await read(), world.panels.woken]).toEqual([{ origin: null, isConnected: false }, []])
    world.panels.active.set(LEFT, LEFT)
    await a.leave()
    expect([await read(), world.panels.woken]).toEqual([
      { origin: null, isConnected: false },
      [LEFT],
    ])
  })
})
