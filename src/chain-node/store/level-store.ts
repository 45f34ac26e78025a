import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { makeFolder } from './make-folder.ts'
import type { Store, StoredEntry } from './store.ts'

/** A store that can do without its disk for a while. */
export interface LevelStore extends Store {
  /** Why the last write failed; null once writing is possible again, which is tried every second. */
  fault(): string | null
  /** What LevelDB could not read of its log when it was opened, and left out; null where it read all. */
  damage(): string | null
}

/**
 * Opens a folder of LevelDB, or makes one that only its owner may read. One process at a time: where another has it open,
 * the error names that process and what can be done.
 *
 * What comes after a write that failed, such as on a full disk, would be lost at the next start: LevelDB goes on in its log
 * behind the torn record and cannot read beyond that. So nothing is written then before the folder was opened anew, and that
 * is not tried before there is room; till then, what is there can be read, and each write fails.
 */
export async function openStore(folder: string): Promise<LevelStore> {
  await makeFolder(folder)
  let level = createLevel(folder)
  const owner = join(folder, OWNER_FILE)
  try {
    await level.open()
    await writeFile(owner, `${process.pid}\n`)
  } catch (cause) {
    await level.close()
    throw await describeFailure(folder, owner, cause)
  }

  const damage = await readDamage(folder)
  const waiting: Write[] = []
  let working: Promise<void> | null = null
  let fault: unknown = null
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  /** What came while another write was running is written as one. */
  async function work(): Promise<void> {
    await null
    while (waiting.length > 0) {
      const writes = waiting.splice(0)
      try {
        await writeAll(writes)
        fault = null
        for (const { done } of writes) done()
      } catch (error) {
        fault = error
        clearTimeout(retry)
        if (!isClosed) retry = setTimeout(() => write([]).catch(() => {}), RETRY).unref()
        for (const { fail } of writes) fail(error)
      }
    }
    working = null
  }

  async function writeAll(writes: readonly Write[]): Promise<void> {
    if (fault !== null) await openAnew()
    // A chained batch: ten times less work for this thread than an array of operations.
    const batch = level.batch()
    for (const { puts, deletes } of writes) {
      for (const { key, value } of puts) batch.put(key, value)
      for (const key of deletes) batch.del(key)
    }
    await batch.write({ sync: true })
  }

  async function openAnew(): Promise<void> {
    await assertRoom(folder)
    await level.close()
    level = createLevel(folder)
    await level.open()
  }

  function write(puts: readonly StoredEntry[], deletes: readonly Uint8Array[] = []): Promise<void> {
    return new Promise((done, fail) => {
      waiting.push({ puts, deletes, done, fail })
      working ??= work()
    })
  }

  return {
    get: key => level.getSync(key),
    write,
    iterate: (from, to, options = {}) => iterate(level, from, to, options),
    fault: () => (fault === null ? null : readReason(fault)),
    damage: () => damage,
    async close() {
      if (isClosed) return
      isClosed = true
      await working
      clearTimeout(retry)
      await rm(owner, { force: true })
      await level.close()
    },
  }
}

interface Write {
  readonly puts: readonly StoredEntry[]
  readonly deletes: readonly Uint8Array[]
  readonly done: () => void
  readonly fail: (error: unknown) => void
}

function createLevel(folder: string): ClassicLevel<Uint8Array, Uint8Array> {
  return new ClassicLevel(folder, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    cacheSize: 32 * 2 ** 20,
    writeBufferSize: WRITE_BUFFER,
  })
}

const WRITE_BUFFER = 16 * 2 ** 20

/** Milliseconds. */
const RETRY = 1000

/** Opening writes what the log holds into a table. */
async function assertRoom(folder: string): Promise<void> {
  const probe = join(folder, 'ROOM')
  try {
    await writeFile(probe, Buffer.alloc(2 * WRITE_BUFFER), { flush: true })
  } finally {
    await rm(probe, { force: true })
  }
}

/** LevelDB says nowhere else that it left something out; it begins its notes anew when it opens a folder. */
async function readDamage(folder: string): Promise<string | null> {
  const notes = await readFile(join(folder, 'LOG'), 'latin1').catch(() => '')
  const found = notes.match(/dropping (\d+) bytes; (.*)/)
  return found === null ? null : `${found[1]} bytes: ${found[2]}`
}

/** Says who has the folder; LevelDB itself passes over files that it does not know. */
const OWNER_FILE = 'PROCESS'

/** Entries that are fetched at once. */
const FETCHED = 256

async function* iterate(
  level: ClassicLevel<Uint8Array, Uint8Array>,
  from: Uint8Array,
  to: Uint8Array,
  { reverse = false, limit = -1 }: { reverse?: boolean; limit?: number },
): AsyncGenerator<StoredEntry> {
  const iterator = level.iterator({
    gte: from,
    lt: to,
    reverse,
    limit,
    highWaterMarkBytes: 2 ** 18,
  })
  try {
    for (;;) {
      const entries = await iterator.nextv(FETCHED)
      if (entries.length === 0) return
      for (const [key, value] of entries) yield { key, value }
    }
  } finally {
    await iterator.close()
  }
}

async function describeFailure(folder: string, owner: string, cause: unknown): Promise<Error> {
  const reason = findCause(cause)
  const code = reason instanceof Error && 'code' in reason ? reason.code : null
  if (code === 'LEVEL_LOCKED') {
    const id = (await readFile(owner, 'utf8').catch(() => '')).trim()
    const who =
      id === String(process.pid) ? 'this process' : id ? `process ${id}` : 'another process'
    return new Error(
      `The data folder ${folder} is in use by ${who}: stop the node that runs there, or give this one a folder of its own.`,
      { cause },
    )
  }
  return new Error(`The data folder ${folder} cannot be opened: ${readReason(cause)}`, { cause })
}

/** What LevelDB said. */
function findCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error
}

function readReason(error: unknown): string {
  const cause = findCause(error)
  return cause instanceof Error ? cause.message : String(cause)
}
