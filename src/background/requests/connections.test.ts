import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createBlockedSites } from './blocked-sites.ts'
import { type ConnectedPort, createConnections } from './connections.ts'
import type { PagePort } from './pages.ts'

const ID = 'the-wallet'
const SITE = 'https://site.example'
const SENDER = { id: ID, origin: SITE, tab: { id: 7 }, frameId: 0 }

/** Turns of the event loop, after which everything has been heard that was said. */
const turns = () => new Promise(resolve => setTimeout(resolve, 5))

/** The browser hands over a connection; `admits` says for each moment whether its origin may have the wallet. */
function open(
  {
    sender = SENDER,
    name = 'page',
    postMessage = () => {},
  }: { sender?: unknown; name?: string; postMessage?: (message: unknown) => void } = {},
  admits: () => Promise<boolean> = async () => true,
) {
  const heard: { connected: PagePort[]; received: unknown[]; left: number; logged: unknown[] } = {
    ...{ connected: [], received: [], left: 0, logged: [] },
  }
  const router = {
    connect: (page: PagePort) => void heard.connected.push(page),
    receive: async (_: PagePort, message: unknown) => void heard.received.push(message),
    disconnect: async () => void heard.left++,
  }
  let isOpen = true
  let say: (message: unknown) => void = () => {}
  let leave = () => {}
  const port = {
    name,
    sender,
    postMessage,
    disconnect: () => {
      isOpen = false
    },
    onMessage: { addListener: (listener: typeof say) => (say = listener) },
    onDisconnect: { addListener: (listener: typeof leave) => (leave = listener) },
  } as unknown as ConnectedPort
  const log = (...of: unknown[]) => void heard.logged.push(of)
  createConnections({ router, httpSites: { admits }, id: ID, log }).open(port)
  return {
    heard,
    router,
    isOpen: () => isOpen,
    say: (message: unknown) => say(message),
    leave: () => leave(),
  }
}

describe('a connection of a content script', () => {
  it('is a page with the origin, tab and frame that the browser tells', async () => {
    const { heard, say, leave, isOpen } = open()
    say('early')
    await turns()
    expect(heard.connected).toMatchObject([{ origin: SITE, tabId: 7, frameId: 0 }])
    say('late')
    await turns()
    expect([heard.received, isOpen()]).toEqual([['early', 'late'], true])
    leave()
    await turns()
    expect(heard.left).toBe(1)
  })

  it.each<[string, Parameters<typeof open>[0]]>([
    ['without a sender', { sender: null }],
    ['without an origin', { sender: { ...SENDER, origin: undefined } }],
    [
      'whose origin only its url says',
      { sender: { id: ID, url: SITE, tab: { id: 7 }, frameId: 0 } },
    ],
    ['whose origin is no text', { sender: { ...SENDER, origin: [SITE] } }],
    ['of a sandboxed frame', { sender: { ...SENDER, origin: 'null' } }],
    ['of a file', { sender: { ...SENDER, origin: 'file://' } }],
    ['of an origin that only has http in it', { sender: { ...SENDER, origin: 'x-https://a' } }],
    ['of another extension', { sender: { ...SENDER, id: 'other' } }],
    ['of a frame within a page', { sender: { ...SENDER, frameId: 3 } }],
    ['of no frame', { sender: { ...SENDER, frameId: undefined } }],
    ['of no tab', { sender: { ...SENDER, tab: undefined } }],
    ['of another name', { name: 'popup' }],
  ])('%s is ended at once', async (_, changes) => {
    const { heard, isOpen, say } = open({ sender: SENDER, ...changes })
    expect(isOpen()).toBe(false)
    say('hello')
    await turns()
    expect([heard.connected, heard.received]).toEqual([[], []])
  })

  it('of plain http on this computer is one like any other', async () => {
    const { heard } = open({ sender: { ...SENDER, origin: 'http://localhost:8080' } })
    await turns()
    expect(heard.connected).toMatchObject([{ origin: 'http://localhost:8080' }])
  })
})

describe('a site that may not have the wallet', () => {
  it('is disconnected, and nothing of what it says is heard', async () => {
    const { heard, isOpen, say, leave } = open({}, async () => false)
    say('hello')
    leave()
    await turns()
    expect([heard.connected, heard.received, heard.left, isOpen()]).toEqual([[], [], 0, false])
  })

  it('any more is disconnected with its next message', async () => {
    let admitted = true
    const { heard, isOpen, say } = open({}, async () => admitted)
    await turns()
    admitted = false
    say('hello')
    await turns()
    expect([heard.received, heard.left, isOpen()]).toEqual([[], 1, false])
  })

  it('is one of which that cannot be found out, which is logged', async () => {
    const broken = open({}, () => Promise.reject(new Error('no storage')))
    broken.say('hello')
    await turns()
    expect(broken.heard).toMatchObject({ connected: [], received: [] })
    expect(broken.heard.logged.length).toBeGreaterThan(0)
    let isBroken = false
    const later = open({}, async () => {
      if (isBroken) throw new Error('no storage')
      return true
    })
    await turns()
    isBroken = true
    later.say('hello')
    await turns()
    expect([later.heard.received, later.isOpen()]).toEqual([[], false])
  })
})

describe('what goes wrong', () => {
  it('while a message is worked on is logged', async () => {
    const { router, heard, say, leave } = open()
    router.receive = () => Promise.reject(new Error('broken'))
    router.disconnect = () => Promise.reject(new Error('broken, too'))
    say('hello')
    leave()
    await turns()
    expect(heard.logged.toSorted()).toEqual([
      ['Background', new Error('broken')],
      ['Background', new Error('broken, too')],
    ])
  })

  it('because the page has left is logged, and what it would have got is posted else', async () => {
    const posted: unknown[] = []
    const { heard } = open({ postMessage: message => void posted.push(message) })
    await turns()
    const message = { id: '1', result: 1 }
    heard.connected[0]?.post(message)
    expect(posted).toEqual([message])
    const gone = open({
      postMessage: () => {
        throw new Error('gone')
      },
    })
    await turns()
    gone.heard.connected[0]?.post(message)
    expect(gone.heard.logged).toEqual([['A page could not be answered', new Error('gone')]])
  })
})

describe('blocked sites', () => {
  it('are those origins alone, each once with the time of the last, until they are unblocked', async () => {
    const local = createMemoryArea()
    const clock = { now: 1 }
    const sites = createBlockedSites({ local, now: () => clock.now })
    expect([await sites.has(SITE), await sites.list()]).toEqual([false, []])
    await sites.block(SITE)
    await sites.block('https://other.example')
    clock.now = 2
    await sites.block(SITE)
    expect(await sites.list()).toEqual([
      { origin: 'https://other.example', at: 1 },
      { origin: SITE, at: 2 },
    ])
    expect([await sites.has(SITE), await sites.has('http://site.example')]).toEqual([true, false])
    await sites.unblock(SITE)
    const again = createBlockedSites({ local, now: () => clock.now })
    expect(await again.list()).toEqual([{ origin: 'https://other.example', at: 1 }])
  })

  it('are none where storage holds something else, and only what is one', async () => {
    const whole = { origin: SITE, at: 1 }
    for (const [stored, sites] of [
      [{ length: 1 }, []],
      ['text', []],
      [[null, 7, {}, { origin: SITE }, { at: 1 }, { origin: 1, at: 1 }, whole], [whole]],
    ]) {
      const local = createMemoryArea({ blockedSites: stored })
      expect(await createBlockedSites({ local, now: () => 1 }).list()).toEqual(sites)
    }
  })

  it('that are blocked at once are all kept', async () => {
    const sites = createBlockedSites({ local: createMemoryArea(), now: () => 1 })
    await Promise.all(['a', 'b', 'c'].map(name => sites.block(`https://${name}.example`)))
    expect(await sites.list()).toHaveLength(3)
  })
})
