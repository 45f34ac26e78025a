/** The part of a WebSocket that a feed uses. */
export type Socket = Pick<
  WebSocket,
  'send' | 'close' | 'onopen' | 'onmessage' | 'onclose' | 'onerror'
>

export type LiveFeedParams = {
  /** Address of the chain server, as chain adapters have it. */
  url: string
  /** Subscribes to transactions of these addresses, {@link MAX_TRACKED} at most, beside blocks. */
  addresses: readonly string[]
  /** The server speaks the protocol. */
  onReady?(): void
  /** There is a block, or a transaction of the address came, went or was mined. */
  onNews?(): void
  /** The feed ended by itself; called once, and never after `close`. */
  onEnd(): void
  connect?(url: string): Socket
  limits?: FeedLimits
}

/** Milliseconds: between pings (a background stays awake under 30 s), until the first answer, and of silence. */
export type FeedLimits = { pingMs: number; readyMs: number; silenceMs: number }

const LIMITS: FeedLimits = { pingMs: 20_000, readyMs: 10_000, silenceMs: 45_000 }
const MAX_MESSAGE = 2_000_000

/** Of one connection, as mempool.space has it. */
export const MAX_TRACKED = 10

const NEWS = [
  ...['block', 'address-transactions', 'address-removed-transactions', 'block-transactions'],
  'multi-address-transactions',
]

/**
 * Listens on mempool.space's websocket, `/v1/ws` below the server's address. A server that refuses, is slow, falls silent
 * or sends what is not its protocol ends the feed. What comes is only a sign to ask again: nothing in it is believed.
 */
export function openLiveFeed(params: LiveFeedParams): { close(): void } {
  const { url, addresses, onReady, onNews, onEnd, limits = LIMITS } = params
  const { connect = (target: string): Socket => new WebSocket(target) } = params
  let isOver = false
  let isReady = false
  let deadline: ReturnType<typeof setTimeout> | undefined
  let pings: ReturnType<typeof setInterval> | undefined
  let socket: Socket | null = null

  expectWithin(limits.readyMs)
  try {
    socket = connect(`${url.replace(/^http/, 'ws')}/v1/ws`)
    socket.onopen = greet
    socket.onmessage = ({ data }) => hear(data)
    socket.onclose = fail
    socket.onerror = fail
  } catch {
    // The browser refuses an address that its content security policy does not allow.
    queueMicrotask(fail)
  }
  return { close: end }

  function greet(): void {
    say({ action: 'want', data: ['blocks'] })
    const [only, ...others] = addresses
    if (others.length > 0) say({ 'track-addresses': addresses.slice(0, MAX_TRACKED) })
    else if (only !== undefined) say({ 'track-address': only })
    ping()
    pings = setInterval(ping, limits.pingMs)
  }

  function ping(): void {
    say({ action: 'ping' })
  }

  function say(message: object): void {
    try {
      socket?.send(JSON.stringify(message))
    } catch {
      fail()
    }
  }

  function hear(data: unknown): void {
    if (isOver) return
    const message = parseMessage(data)
    if (!message) {
      fail()
      return
    }
    expectWithin(limits.silenceMs)
    if (!isReady) {
      isReady = true
      onReady?.()
    }
    if (NEWS.some(key => Object.hasOwn(message, key))) onNews?.()
  }

  function expectWithin(delayMs: number): void {
    clearTimeout(deadline)
    deadline = setTimeout(fail, delayMs)
  }

  function fail(): void {
    if (isOver) return
    end()
    onEnd()
  }

  function end(): void {
    isOver = true
    clearTimeout(deadline)
    clearInterval(pings)
    socket?.close()
  }
}

/** Whether a server's websocket answers. */
export function checkLiveFeed(params: Pick<LiveFeedParams, 'url' | 'connect'>): Promise<boolean> {
  return new Promise(resolve => {
    const feed = openLiveFeed({
      ...params,
      addresses: [],
      onReady() {
        feed.close()
        resolve(true)
      },
      onEnd: () => resolve(false),
      limits: { ...LIMITS, readyMs: 5000 },
    })
  })
}

function parseMessage(data: unknown): object | null {
  if (typeof data !== 'string' || data.length > MAX_MESSAGE) return null
  try {
    const message: unknown = JSON.parse(data)
    return typeof message === 'object' && !Array.isArray(message) ? message : null
  } catch {
    return null
  }
}
