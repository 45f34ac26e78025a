import { describe, expect, it } from 'vitest'
import { createWalletChannel } from '../inpage/wallet-channel.ts'
import type { BackgroundMessage, Request } from '../provider/envelope.ts'
import {
  createPipe,
  EARLY_DROP_MS,
  MAX_GATHERED_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_TOGETHER,
  type PortLike,
  RETRY_DELAYS_MS,
  runWhenShown,
} from './pipe.ts'

const request = (id: string): Request => ({ id, method: 'signMessage', params: [id] })
const stopped = expect.objectContaining({
  code: 4900,
  message: 'The wallet was just updated or stopped. Reload the page and try again.',
})

/** A pipe with Ports that the test answers and drops, and with a clock that the test moves. */
function openPipe() {
  const ports: FakePort[] = []
  const toPage: BackgroundMessage[] = []
  let clock = 0
  let alive = true
  let timers: { task: () => void; at: number }[] = []
  let turn: (() => void)[] | null = null

  type FakePort = PortLike & {
    received: Request[]
    /** How many requests came in each message. */
    sizes: number[]
    closed: boolean
    say(message: BackgroundMessage | BackgroundMessage[]): void
    drop(): void
  }

  function connect(): FakePort {
    if (!alive) throw new Error('Extension context invalidated.')
    const onMessage: ((message: BackgroundMessage | BackgroundMessage[]) => void)[] = []
    const onDisconnect: (() => void)[] = []
    const port: FakePort = {
      received: [],
      sizes: [],
      closed: false,
      postMessage(message) {
        if (port.closed) throw new Error('Attempting to use a disconnected port object')
        const requests = [message].flat()
        port.received.push(...requests)
        port.sizes.push(requests.length)
      },
      disconnect() {
        port.closed = true
      },
      onMessage: { addListener: listener => onMessage.push(listener) },
      onDisconnect: { addListener: listener => onDisconnect.push(listener) },
      say: message => {
        for (const listener of onMessage) listener(message)
      },
      drop() {
        port.closed = true
        for (const listener of onDisconnect) listener()
      },
    }
    ports.push(port)
    return port
  }

  const pipe = createPipe({
    connect,
    toPage: message => toPage.push(message),
    isAlive: () => alive,
    now: () => clock,
    runLater: (task, delayMs) => timers.push({ task, at: clock + delayMs }),
    afterTurn: task => (turn ? turn.push(task) : task()),
  })

  return {
    pipe,
    ports,
    toPage,
    port(): FakePort {
      const port = ports.at(-1)
      if (!port) throw new Error('No Port was opened')
      return port
    },
    received: () => ports.map(port => port.received.map(message => message.id)),
    pass(ms: number) {
      for (const end = clock + ms; clock < end; clock += 10) {
        const due = timers.filter(timer => timer.at <= clock)
        timers = timers.filter(timer => timer.at > clock)
        for (const { task } of due) task()
      }
    },
    invalidate() {
      alive = false
    },
    /** What a page's script does without a pause. */
    inOneTurn(script: () => void) {
      turn = []
      script()
      const tasks = turn
      turn = null
      for (const task of tasks) task()
    },
  }
}

describe('the pipe between page and background', () => {
  it('opens the Port at the first message and carries both ways', () => {
    const { pipe, ports, port, toPage, received } = openPipe()
    expect(ports).toHaveLength(0)
    pipe.fromPage(JSON.stringify(request('1')))
    pipe.fromPage(JSON.stringify(request('2')))
    port().say({ state: { account: null, network: 'livenet' } })
    port().say({ id: '2', result: 'signed' })
    expect(received()).toEqual([['1', '2']])
    expect(toPage).toEqual([
      { state: { account: null, network: 'livenet' } },
      { id: '2', result: 'signed' },
    ])
  })

  it('opens the Port, and sends nothing, when the page asks only for the state', () => {
    const { pipe, received } = openPipe()
    pipe.fromPage(JSON.stringify({}))
    pipe.fromPage(JSON.stringify({}))
    expect(received()).toEqual([[]])
  })

  it('opens a dropped Port again at once and sends again what has no answer', () => {
    const { pipe, port, received, toPage } = openPipe()
    pipe.fromPage(JSON.stringify(request('1')))
    pipe.fromPage(JSON.stringify(request('2')))
    port().say({ id: '1', result: 'signed' })
    port().drop()
    expect(received()).toEqual([['1', '2'], ['2']])
    port().say({ id: '2', result: 'signed' })
    expect(toPage).toHaveLength(2)
  })

  it('stays closed when nothing is awaited, until the next message', () => {
    const { pipe, port, ports, received, pass } = openPipe()
    pipe.fromPage(JSON.stringify(request('1')))
    port().say({ id: '1', result: 'signed' })
    port().drop()
    pass(60_000)
    expect(ports).toHaveLength(1)
    pipe.fromPage(JSON.stringify(request('2')))
    expect(received()).toEqual([['1'], ['2']])
  })

  it('asks again for a state that never came', () => {
    const { pipe, port, ports } = openPipe()
    pipe.fromPage(JSON.stringify({}))
    port().drop()
    expect(ports).toHaveLength(2)
    port().say({ state: { account: null, network: 'livenet' } })
    port().drop()
    expect(ports).toHaveLength(2)
  })

  it('opens at a poke only where the page has used the wallet, and only one Port', () => {
    const { pipe, port, ports } = openPipe()
    pipe.poke()
    expect(ports).toHaveLength(0)
    pipe.fromPage(JSON.stringify(request('1')))
    pipe.poke()
    expect(ports).toHaveLength(1)
    port().say({ id: '1', result: 'signed' })
    port().drop()
    pipe.poke()
    expect(ports).toHaveLength(2)
  })

  it('takes a new Port when the page comes back from the back/forward cache', () => {
    const { pipe, port, ports, received, toPage } = openPipe()
    pipe.restore()
    expect(ports).toHaveLength(0)
    pipe.fromPage(JSON.stringify(request('1')))
    const old = port()
    pipe.restore()
    expect(old.closed).toBe(true)
    expect(received()).toEqual([['1'], ['1']])
    old.say({ id: '1', result: 'of a Port that is gone' })
    old.drop()
    expect(toPage).toEqual([])
    expect(ports).toHaveLength(2)
  })

  it('waits longer after each early drop, then answers every call with 4900', () => {
    const { pipe, port, ports, toPage, pass, received } = openPipe()
    pipe.fromPage(JSON.stringify(request('1')))
    for (const delayMs of RETRY_DELAYS_MS) {
      port().drop()
      const count = ports.length
      if (delayMs > 0) {
        pass(delayMs - 20)
        pipe.poke()
        expect(ports).toHaveLength(count)
        pass(40)
        expect(ports).toHaveLength(count + 1)
      }
    }
    pipe.fromPage(JSON.stringify(request('2')))
    expect(toPage).toEqual([])
    port().drop()
    expect(toPage).toEqual([
      { id: '1', error: stopped },
      { id: '2', error: stopped },
    ])
    pass(60_000)
    expect(ports).toHaveLength(RETRY_DELAYS_MS.length + 1)
    pipe.fromPage(JSON.stringify(request('3')))
    expect(received().at(-1)).toEqual(['3'])
  })

  it('sends a call that comes while it waits when the wait is over', () => {
    const { pipe, port, ports, pass, received } = openPipe()
    pipe.fromPage(JSON.stringify(request('1')))
    port().drop()
    port().drop()
    pipe.fromPage(JSON.stringify(request('2')))
    expect(ports).toHaveLength(2)
    pass(100)
    expect(received()).toEqual([['1'], ['1'], ['1', '2']])
  })

  it('never gives up on a background that only stops from time to time', () => {
    const { pipe, port, ports, toPage, pass } = openPipe()
    pipe.fromPage(JSON.stringify(request('1')))
    for (let i = 0; i < 20; i++) {
      pass(EARLY_DROP_MS)
      port().drop()
    }
    expect(ports).toHaveLength(21)
    expect(toPage).toEqual([])
  })

  it('answers with 4900 at once after the extension was updated or removed', () => {
    const { pipe, port, ports, invalidate, toPage } = openPipe()
    pipe.fromPage(JSON.stringify(request('1')))
    invalidate()
    port().drop()
    pipe.fromPage(JSON.stringify(request('2')))
    expect(ports).toHaveLength(1)
    expect(toPage).toEqual([
      { id: '1', error: stopped },
      { id: '2', error: stopped },
    ])
  })

  it('notices within a second that the extension is gone, though its Port says nothing', () => {
    const { pipe, port, toPage, pass, invalidate } = openPipe()
    pipe.fromPage(JSON.stringify(request('1')))
    port().say({ id: '1', result: 'signed' })
    pass(3000)
    pipe.fromPage(JSON.stringify(request('2')))
    pass(1500)
    expect(toPage).toEqual([{ id: '1', result: 'signed' }])
    invalidate()
    pass(1100)
    expect(toPage.at(-1)).toEqual({ id: '2', error: stopped })
  })

  it('treats a Port that refuses a message as dropped', () => {
    const { pipe, port, received } = openPipe()
    pipe.fromPage(JSON.stringify(request('1')))
    port().closed = true
    pipe.fromPage(JSON.stringify(request('2')))
    expect(received()).toEqual([['1'], ['1', '2']])
  })
})

describe('calls that a page makes in one turn', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => String(at))

  function callInOneTurn({ pipe, inOneTurn }: ReturnType<typeof openPipe>, count: number) {
    inOneTurn(() => {
      for (const id of ids(count)) pipe.fromPage(JSON.stringify(request(id)))
    })
  }

  it('go together after those that open the Port, in their order, and their answers come apart again', () => {
    const opened = openPipe()
    callInOneTurn(opened, 600)
    expect(opened.received()).toEqual([ids(600)])
    expect(opened.port().sizes).toEqual([
      1,
      1,
      MAX_TOGETHER,
      MAX_TOGETHER,
      600 - 2 - 2 * MAX_TOGETHER,
    ])
    const answers = ids(600).map(id => ({ id, result: id }))
    opened.port().say(answers)
    expect(opened.toPage).toEqual(answers)
    opened.port().drop()
    expect(opened.ports).toHaveLength(1)
  })

  it('are sent again, each once, where the Port drops before they went', () => {
    const opened = openPipe()
    opened.inOneTurn(() => {
      for (const id of ids(4)) opened.pipe.fromPage(JSON.stringify(request(id)))
      opened.port().drop()
      opened.pipe.fromPage(JSON.stringify(request('4')))
    })
    expect(opened.received()).toEqual([ids(2), ids(5)])
  })

  it('keep their order around one that is long, which goes by itself', () => {
    const { pipe, port, received, inOneTurn } = openPipe()
    const long = { ...request('3'), params: ['x'.repeat(MAX_GATHERED_LENGTH)] }
    inOneTurn(() => {
      for (const call of [request('0'), request('1'), request('2'), long, request('4')])
        pipe.fromPage(JSON.stringify(call))
    })
    expect(received()).toEqual([ids(5)])
    expect(port().sizes).toEqual([1, 1, 1, 1, 1])
  })
})

describe('a text of a page that is too long', () => {
  it('is answered under its id, is not parsed and goes nowhere', () => {
    const { pipe, ports, toPage } = openPipe()
    const posted: string[] = []
    const answers: unknown[] = []
    const channel = createWalletChannel({ post: text => posted.push(text) })
    channel.call('signPsbts', [['x'.repeat(MAX_TEXT_LENGTH)]], error => answers.push(error))
    // Cut off, it is no JSON.
    pipe.fromPage(posted[0]?.slice(0, -1) ?? '')
    expect(ports).toHaveLength(0)
    for (const message of toPage) channel.receive(JSON.stringify(message))
    expect(answers).toMatchObject([
      { code: -32602, message: 'params: expected at most 4800000 characters' },
    ])
  })

  it('does not stop one that is as long as the wallet takes', () => {
    const { pipe, received } = openPipe()
    pipe.fromPage(JSON.stringify({ ...request('1'), params: ['x'.repeat(4_799_996)] }))
    expect(received()).toEqual([['1']])
  })
})

describe('a page that the browser only prepares', () => {
  it('is served once it is shown, and not before', () => {
    const page = Object.assign(new EventTarget(), { prerendering: true })
    let runs = 0
    runWhenShown(page, () => runs++)
    expect(runs).toBe(0)
    page.prerendering = false
    page.dispatchEvent(new Event('prerenderingchange'))
    page.dispatchEvent(new Event('prerenderingchange'))
    expect(runs).toBe(1)
  })

  it.each([{ prerendering: false }, {}])('or that is shown (%j) is served at once', state => {
    let runs = 0
    runWhenShown(Object.assign(new EventTarget(), state), () => runs++)
    expect(runs).toBe(1)
  })
})
