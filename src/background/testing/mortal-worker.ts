import { AsyncLocalStorage } from 'node:async_hooks'
import { sha256 } from '@noble/hashes/sha2.js'
import { toUtf8 } from '../../bitcoin/bytes.ts'
import { createCachedArea } from '../../storage/cached-area.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createMemoryNotifications } from '../notifications/testing/memory-notifications.ts'
import { createMemoryScripting } from './memory-scripting.ts'
import { startWorker, type World } from './test-wallet.ts'

/** Where a worker is stopped: at which of its points (from 0), before that takes effect or before the worker hears that it did. */
export type Stop = { at: number; when: 'before' | 'after' }

/** The worker in whose life something runs: a call of `fetch` names no port. */
const lives = new AsyncLocalStorage<Life>()

type Life = ReturnType<typeof startLife>

/**
 * A worker on a world in memory whose every write to storage and every question to a server is a numbered point, and which
 * can be stopped at one of them. From then on nothing of it reaches storage, servers, browser or pages, whatever is still running.
 */
export function startMortalWorker(world: World, stop: Stop | null, onStop: () => void) {
  const life = startLife(stop, onStop)
  const local = createCachedArea(life.guardArea('local', world.local))
  const session = createCachedArea(life.guardArea('session', world.session))
  const guarded: World = {
    ...world,
    local: { ...local, dump: world.local.dump },
    session: { ...session, dump: world.session.dump },
    chain: { ...world.chain, chain: life.guardPort('chain', world.chain.chain) },
    assets: { ...world.assets, source: life.guardPort('assets', world.assets.source) },
    brc20: { ...world.brc20, open: openGuarded('brc20', world.brc20.open) },
    atomicals: { ...world.atomicals, open: openGuarded('atomicals', world.atomicals.open) },
    scripting: {
      ...world.scripting,
      scripting: life.guardPort('scripting', world.scripting.scripting),
      permissions: life.guardPort('permissions', world.scripting.permissions),
    },
    notifications: {
      ...world.notifications,
      notices: {
        ...life.guardPort('notices', world.notifications.notices),
        languages: world.notifications.notices.languages,
      },
    },
    window: life.guardState(world.window),
  }
  return lives.run(life, () => {
    const worker = startWorker(guarded)
    // As background.ts does at its start.
    void worker.wallet.followJobs().catch(() => {})
    void worker.wallet.approvals.reconcile().catch(() => {})
    return { ...worker, life, run: <T>(work: () => T): T => lives.run(life, work) }
  })

  function openGuarded<Source extends object>(name: string, open: () => Promise<Source | null>) {
    return async () => {
      const source = await open()
      return source && life.guardPort(name, source)
    }
  }
}

export type MortalWorker = ReturnType<typeof startMortalWorker>

/** `fetch` whose calls are points of the worker that makes them. */
export function guardFetch(original: typeof fetch): typeof fetch {
  return (...request) => {
    const life = lives.getStore()
    return life ? life.pass('fetch', () => original(...request)) : original(...request)
  }
}

/**
 * Randomness of which a worker draws the same keys as the one before it drew: what is worked out anew is the same then. All
 * else, such as the ids of what is added, stays random.
 */
export function guardRandom(original: Crypto['getRandomValues']): Crypto['getRandomValues'] {
  return <T extends Parameters<typeof original>[0]>(array: T): T => {
    const life = lives.getStore()
    if (!(array instanceof Uint8Array) || array.length !== KEY_BYTES || !life)
      return original.call(crypto, array) as T
    array.set(sha256(toUtf8(`key ${life.countKey()}`)))
    return array
  }
}

const KEY_BYTES = 32

/** Keeps a world as it is now; the result makes it anew, as often as it is called, for one worker at a time. */
export function saveWorld(world: World): () => World {
  const rewindChain = world.chain.save()
  const faults = { ...world.chain.faults }
  const [local, session] = [world.local.dump(), world.session.dump()]
  const { now } = world.clock
  const allowed = [...world.scripting.allowed]
  return () => {
    rewindChain()
    const present = world.chain.faults
    for (const fault of Object.keys(present)) Reflect.deleteProperty(present, fault)
    Object.assign(present, faults)
    const scripting = createMemoryScripting()
    for (const pattern of allowed) scripting.allowed.add(pattern)
    return {
      ...world,
      ...{ local: createMemoryArea(local), session: createMemoryArea(session), scripting },
      notifications: createMemoryNotifications(),
      ...{ clock: { now }, window: { open: false, shown: 0 } },
    }
  }
}

function startLife(given: Stop | null, onStop: () => void) {
  let stop = given
  const points: string[] = []
  const never = new Promise<never>(() => {})
  let isAlive = true
  let busy = 0
  let keys = 0
  let lastAt = 0
  let tellStopped = () => {}
  const stopped = new Promise<void>(resolve => {
    tellStopped = resolve
  })
  return {
    /** From now on it is not stopped any more; resolves the points that it came by. */
    spare(): string[] {
      stop = null
      return [...points]
    },
    countKey: () => keys++,
    stopped,
    isAlive: () => isAlive,
    /** Whether nothing goes through, and nothing did for some milliseconds. */
    isQuiet: () => busy === 0 && performance.now() - lastAt > QUIET_MS,
    end,
    pass,
    guardArea,
    guardPort,
    guardState,
  }

  function end(): void {
    if (!isAlive) return
    isAlive = false
    tellStopped()
    onStop()
  }

  /** Lets a call through while the worker lives; a call without a name is no point. */
  async function pass<T>(point: string | null, call: () => Promise<T> | T): Promise<T> {
    if (!isAlive) return never
    const isLast = point !== null && points.push(point) - 1 === stop?.at
    if (isLast && stop?.when === 'before') {
      end()
      return never
    }
    busy++
    try {
      const result = await call()
      if (isLast) end()
      return isAlive ? result : never
    } catch (error) {
      if (isLast) end()
      return isAlive ? Promise.reject(error) : never
    } finally {
      busy--
      lastAt = performance.now()
    }
  }

  function guardArea(name: string, area: StorageArea): StorageArea {
    return {
      get: key => pass(null, () => area.get(key)),
      getStored: key => pass(null, () => area.getStored(key)),
      set: entries =>
        pass(`${name}.set ${Object.keys(entries).join(' ')}`, () => area.set(entries)),
      remove: keys => pass(`${name}.remove ${[keys].flat().join(' ')}`, () => area.remove(keys)),
      clear: () => pass(`${name}.clear`, () => area.clear()),
    }
  }

  function guardPort<Port extends object>(name: string, port: Port): Port {
    const guarded = Object.entries(port).map(([key, member]) => [
      key,
      typeof member === 'function'
        ? (...args: unknown[]) =>
            pass(isLocalRead(key) ? null : `${name}.${key}`, () => member(...args))
        : member,
    ])
    return Object.fromEntries(guarded)
  }

  function guardState<State extends object>(state: State): State {
    return new Proxy(state, {
      set: (target, key, value) => (isAlive ? Reflect.set(target, key, value) : true),
    })
  }
}

const QUIET_MS = 3

/** What only asks the browser itself. */
function isLocalRead(key: string): boolean {
  return ['getRegisteredContentScripts', 'contains', 'listShown', 'level'].includes(key)
}
