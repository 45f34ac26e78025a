import type { ExecutedBlock, Header } from '../engine/block.ts'
import type { Engine, StateChange } from '../engine/engine.ts'
import type { Shape } from '../json/shape.ts'
import { HEAD_KEY, headerKey, LAYOUT, LAYOUT_KEY, stateKey, writeHeight } from '../store/keys.ts'
import type { Store, StoredEntry } from '../store/store.ts'
import { listBlockEntries } from './block-entries.ts'
import { listBlockKeys } from './block-keys.ts'
import { createBlockReader, readHead, readHeaderRecord } from './block-reader.ts'
import type { AppendedBlock, Chain } from './chain.ts'
import { encodeHeader, type HeaderRecord } from './header-record.ts'
import { searchLogs } from './log-search.ts'
import { type Damage, dropBrokenBlocks } from './repair.ts'

/**
 * The chain that a store holds; an empty store gets the genesis, and one that is damaged goes back to the last whole block. Throws where the store begins with another genesis, has
 * its JSON in the other shape, or was written by another version of the node.
 */
export async function openChain(options: {
  readonly store: Store
  readonly engine: Pick<Engine, 'restoreBlock'>
  readonly genesis: ExecutedBlock
  readonly shape: Shape
  /** Null where the store has lost no writes. */
  readonly damage?: Damage | null
}): Promise<Chain> {
  const { store, engine, shape } = options
  const genesis = options.genesis.block.header
  const layout = describeLayout(shape)
  /** Keys of blocks that could not be written: the disk may have some of them all the same. */
  let doubtful: Uint8Array[] = []
  if (options.damage) await dropBrokenBlocks(store, options.damage, genesis.number)
  let head = readHead(store)
  if (head) {
    assertSameLayout(store, layout)
    assertSameGenesis(store, genesis)
  } else {
    head = (await write(options.genesis, 0n, [{ key: LAYOUT_KEY, value: Buffer.from(layout) }]))
      .record
  }
  let current = head
  let last: Promise<unknown> = Promise.resolve()
  const reader = createBlockReader(store, engine, () => current, genesis.number)
  const listeners = new Set<(block: AppendedBlock) => void>()
  const resetListeners = new Set<() => void>()

  async function write(
    executed: ExecutedBlock,
    difficultyBefore: bigint,
    more: StoredEntry[] = [],
  ) {
    const { header } = executed.block
    const record: HeaderRecord = { header, totalDifficulty: difficultyBefore + header.difficulty }
    const { entries, logs } = listBlockEntries(executed, record.totalDifficulty, shape)
    const stale = without(doubtful, entries)
    try {
      await store.write([...more, ...entries], stale)
    } catch (error) {
      // Nodes of state are named by what they hold, and do no harm.
      const own = entries.slice(executed.writes.length).map(({ key }) => key)
      doubtful = [...stale, ...own]
      throw error
    }
    doubtful = []
    return { record, logs }
  }

  async function append(executed: ExecutedBlock): Promise<AppendedBlock> {
    const { header } = executed.block
    const parent = current.header
    assertFollows(header, parent)
    const { record, logs } = await write(executed, current.totalDifficulty)
    current = record
    reader.remember(executed.block, record)
    const appended = { ...executed, logs }
    for (const listener of listeners) listener(appended)
    return appended
  }

  /** The head is the other one before that is written: what is to be deleted is not looked for any more. */
  async function reset(record: HeaderRecord, write: () => Promise<void>): Promise<void> {
    const before = current
    current = record
    reader.forget()
    try {
      await write()
    } catch (error) {
      current = before
      reader.forget()
      throw error
    }
    for (const listener of resetListeners) listener()
  }

  function changeState({ stateRoot, writes }: StateChange): Promise<void> {
    const { header, totalDifficulty } = current
    const record = { header: { ...header, stateRoot }, totalDifficulty }
    const nodes = writes.map(({ hash, bytes }) => ({ key: stateKey(hash), value: bytes }))
    const entry = { key: headerKey(header.number), value: encodeHeader(record) }
    return reset(record, () => store.write([...nodes, entry]))
  }

  async function revert(record: HeaderRecord, more: Parameters<Chain['revert']>[1]): Promise<void> {
    const { number, hash } = record.header
    if (reader.reads.findHeader(number)?.hash !== hash) {
      throw new Error(`Block ${number} (${hash}) is not in the chain.`)
    }
    const keys = await listBlockKeys(store, number, current.header.number, height => {
      return readHeaderRecord(store, height).header.hash
    })
    const puts = [
      { key: headerKey(number), value: encodeHeader(record) },
      { key: HEAD_KEY, value: writeHeight(number) },
    ]
    await reset(record, () =>
      store.write([...more.puts, ...puts], [...doubtful, ...keys, ...more.deletes]),
    )
    doubtful = []
  }

  async function switchBranch(
    ancestor: Header,
    branch: readonly ExecutedBlock[],
    puts: readonly StoredEntry[],
  ): Promise<void> {
    const { number, hash } = ancestor
    if (reader.reads.findHeader(number)?.hash !== hash) {
      throw new Error(`Block ${number} (${hash}) is not in the chain.`)
    }
    const base: HeaderRecord = {
      header: ancestor,
      totalDifficulty: reader.reads.totalDifficulty(ancestor),
    }
    const keys = await listBlockKeys(store, number, current.header.number, height => {
      return readHeaderRecord(store, height).header.hash
    })
    let record = base
    const entries: StoredEntry[] = [...puts]
    for (const executed of branch) {
      const { header } = executed.block
      assertFollows(header, record.header)
      record = { header, totalDifficulty: record.totalDifficulty + header.difficulty }
      entries.push(...listBlockEntries(executed, record.totalDifficulty, shape).entries)
    }
    await reset(base, async () => {
      await store.write(entries, without([...doubtful, ...keys], entries))
      current = record
    })
    doubtful = []
  }

  function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    const working = last.then(work)
    last = working.catch(() => {})
    return working
  }

  return {
    ...reader.reads,
    genesis,
    shape,
    head: () => current.header,
    mark: () => current,
    append: executed => takeTurn(() => append(executed)),
    changeState: change => takeTurn(() => changeState(change)),
    revert: (record, more) => takeTurn(() => revert(record, more)),
    switchBranch: (ancestor, branch, puts) => takeTurn(() => switchBranch(ancestor, branch, puts)),
    onReset(listener) {
      resetListeners.add(listener)
      return () => resetListeners.delete(listener)
    },
    onAppend(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    queryLogs(query, limit) {
      const height = current.header.number
      const to = query.to < height ? query.to : height
      return searchLogs(store, { ...query, to }, limit)
    },
  }
}

function assertFollows(header: Header, parent: Header): void {
  if (header.parentHash === parent.hash && header.number === parent.number + 1n) return
  throw new Error(
    `Block ${header.number} (${header.hash}) with parent ${header.parentHash} does not follow the head, which is block ${parent.number} (${parent.hash}).`,
  )
}

function without(keys: readonly Uint8Array[], entries: readonly StoredEntry[]): Uint8Array[] {
  if (keys.length === 0) return []
  const name = (key: Uint8Array) => Buffer.from(key).toString('latin1')
  const written = new Set(entries.map(({ key }) => name(key)))
  return keys.filter(key => !written.has(name(key)))
}

function describeLayout(shape: Shape): string {
  return JSON.stringify({ layout: LAYOUT, shape })
}

function assertSameLayout(store: Store, wanted: string): void {
  const found = Buffer.from(store.get(LAYOUT_KEY) ?? []).toString()
  if (found !== wanted) {
    throw new Error(
      `The data folder is laid out as ${found || 'nothing known'}, and this node reads ${wanted}: start it with the settings and version that made the folder, or with another folder.`,
    )
  }
}

function assertSameGenesis(store: Store, { number, hash: wanted }: Header): void {
  const found = readHeaderRecord(store, number).header.hash
  if (found !== wanted) {
    throw new Error(
      `The data folder holds the chain of genesis ${found}, and this node was started with genesis ${wanted}: start it with the genesis and network that made the folder, or with another folder.`,
    )
  }
}
