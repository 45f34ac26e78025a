// chain-node: an EVM chain node with JSON-RPC, independent of the wallet. Its README says what it serves and how
// its rooms hang together; this file opens a data folder and starts the parts.

import type { Chain } from './chain/chain.ts'
import { exportChain } from './chain/export.ts'
import { importChain } from './chain/import.ts'
import { openChain } from './chain/level-chain.ts'
import type { Damage } from './chain/repair.ts'
import { decodeHex, type Hex } from './codec/hex.ts'
import type { Config } from './config/config.ts'
import { openDataFolder } from './data-folder.ts'
import { DEV_KEYS } from './dev-accounts.ts'
import { createDevelopment } from './development/development.ts'
import { logConsole, logTransactions } from './development/development-log.ts'
import { fundAccounts } from './development/fund-accounts.ts'
import type { Engine } from './engine/engine.ts'
import { createEngine } from './engine/ethereumjs-engine.ts'
import { createRules } from './engine/rules.ts'
import { createFilters } from './filters/filters.ts'
import { createClosedKeystore } from './keystore/closed-keystore.ts'
import type { Keystore } from './keystore/keystore.ts'
import { openKeystore } from './keystore/open-keystore.ts'
import { deriveAddress } from './keystore/private-key.ts'
import type { Log } from './log.ts'
import { describeError } from './methods/describe-error.ts'
import { listMethods } from './methods/method-table.ts'
import { listJournalEntries } from './pool/journal.ts'
import { createPool } from './pool/transaction-pool.ts'
import { createProducer } from './producer/block-producer.ts'
import { createRpc } from './rpc/rpc.ts'
import { openStore } from './store/level-store.ts'
import { stateSource } from './store/state-source.ts'
import { createSubscriptions } from './subscriptions/subscriptions.ts'
import { listen } from './transport/listen.ts'

/** A chain node that serves. */
export interface ChainNode {
  readonly url: string
  readonly wsUrl: string
  readonly chainId: bigint
  readonly chain: Chain
  /** Addresses that `--dev` funded and unlocked. */
  readonly devAccounts: readonly Hex[]
  /** Answers what was asked, finishes the block that is being made, and closes the store. */
  close(): Promise<void>
}

/** Opens the chain of a folder, imports what is to be imported, and serves it. Throws, with everything closed again, where one of it fails. */
export async function startNode(
  config: Config,
  { log, version }: { log: Log; version: string },
): Promise<ChainNode> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne()
  }
  try {
    return { ...(await openNode(config, log, version, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Opens the chain of a folder, imports what is to be imported, and writes its blocks from the first on to a file, without serving
 * any of it.
 * Throws where the chain has none yet, and where the file is there already.
 *
 * @returns the height of the last block
 */
export async function exportBlocks(
  config: Config,
  file: string,
  { log }: { log: Log },
): Promise<bigint> {
  const closers: (() => unknown)[] = []
  try {
    const { chain } = await openFolder(config, log, closers)
    const { number } = chain.head()
    if (number === 0n) throw new Error('The chain has no blocks to export yet.')
    await exportChain(chain, file, 0n, number)
    return number
  } finally {
    for (const closeOne of closers) await closeOne()
  }
}

async function openFolder(config: Config, log: Log, closers: (() => unknown)[]) {
  // What a fork needs is loaded for forks alone.
  const forking = config.fork === null ? null : await import('./fork/open-fork.ts')
  const forked =
    config.fork && (await forking?.openRemoteFolder(config.dataFolder, config.fork, log))
  if (forked) closers.push(forked.remote.close)
  const folder = forked ?? (await openDataFolder(config))
  const store = await openStore(folder.chain)
  closers.push(store.close)
  const onConsole = (input: Uint8Array) => logConsole(log, input)
  const fork = forked && forking ? forking.openFork({ ...forked, store, log, onConsole }) : null
  const rules = await createRules(folder.genesis)
  const heads: { chain: Chain | null } = { chain: null }
  const ownEngine = await createEngine(
    rules,
    stateSource(store),
    number => {
      const hash = heads.chain?.findHeader(number)?.hash
      return hash === undefined ? (fork?.findBlockHash(number) ?? null) : decodeHex(hash)
    },
    { gas: config.callGas, time: config.callTimeoutMs },
    config.dev ? (fork?.onConsole ?? onConsole) : null,
    fork?.overlay,
  )
  const engine = fork?.wrapEngine(ownEngine) ?? ownEngine
  const ownChain = await openChain({
    store,
    engine,
    genesis: await (fork?.createGenesis(engine, DEV_ADDRESSES) ?? engine.createGenesis()),
    shape: rules.shape,
    damage: store.damage() === null ? null : describeDamage(engine, log),
  })
  if (store.damage() !== null) log.warn('the data folder was damaged', { reason: store.damage() })
  const chain = fork?.wrapChain(ownChain) ?? ownChain
  heads.chain = chain
  if (config.importFile !== null) {
    const { imported, skipped, aside, height } = await importChain({
      chain,
      engine,
      store,
      keepTransactions: transactions => listJournalEntries(store, transactions),
      file: config.importFile,
    })
    log.info('imported', { blocks: imported, skipped, aside, height })
  }
  return { store, rules, engine, chain, fork }
}

function describeDamage({ hasState }: Engine, log: Log): Damage {
  return {
    hasState,
    onLost: ({ first, last }) =>
      log.error('blocks are lost: the disk gives back something else than was written', {
        first,
        last,
      }),
  }
}

async function openNode(
  config: Config,
  log: Log,
  version: string,
  closers: (() => unknown)[],
): Promise<Omit<ChainNode, 'close'>> {
  const onFault = (part: string) => (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    log.error(`${part} failed`, { reason })
    log.debug('where', { stack: error instanceof Error ? (error.stack ?? null) : null })
  }

  // What it needs is a tenth of all that there is to load.
  const metricsModule = config.metrics ? await import('./metrics.ts') : null
  const { store, rules, engine, chain, fork } = await openFolder(config, log, closers)
  const keystore = config.keys
    ? await openKeystore({ folder: config.keystoreFolder, scrypt: config.scrypt })
    : createClosedKeystore()
  closers.push(keystore.close)
  const devAccounts = config.dev ? await unlockDevAccounts(config.keystoreFolder, keystore) : []
  if (config.dev && config.genesisFile !== null) await fundAccounts(chain, engine, devAccounts)

  const pool = await createPool({
    engine,
    chain,
    store,
    minGasPrice: config.minGasPrice,
    onFault: onFault('the pool'),
  })
  closers.push(pool.close)
  const producer = createProducer({
    engine,
    chain,
    pool,
    production: config.production,
    miner: config.miner,
    untilDecoded: engine.untilDecoded,
    onFault: onFault('making a block'),
    onRefused: ({ hash }, reason) => log.warn('transaction refused', { hash, reason }),
    onProduced: ({ number, hash, gasUsed }, transactions, seconds) => {
      metrics?.countBlock(transactions, seconds)
      log.info('block', { number, hash, transactions, gasUsed, ms: Math.round(seconds * 1000) })
    },
  })
  closers.push(producer.stop)
  // The time goes on from the block of a fork, as with Hardhat and anvil.
  if (fork !== null) producer.setClock({ now: chain.head().timestamp, next: null })
  if (config.dev) {
    const abis = config.abis.length === 0 ? null : await import('./development/contract-abis.ts')
    closers.push(logTransactions(log, chain, abis?.openContractAbis(config.abis) ?? null))
  }
  const filters = createFilters(chain, pool)
  closers.push(filters.close)
  const subscriptions = createSubscriptions(chain, pool)
  closers.push(subscriptions.close)

  let countConnections = () => 0
  const metrics =
    metricsModule?.createMetrics({
      head: () => Number(chain.head().number),
      pending: () => pool.countPending(),
      queued: () => pool.countQueued(),
      connections: () => countConnections(),
      subscriptions: () => subscriptions.count(),
      filters: () => filters.count(),
    }) ?? null

  const parts = { store, engine, chain, pool, producer }
  const beginning = fork === null ? {} : { now: () => Number(chain.genesis.timestamp) * 1000 }
  const services = {
    config,
    version,
    chainId: rules.chainId,
    ...parts,
    keystore,
    filters,
    subscriptions,
    development: config.dev ? createDevelopment({ ...parts, ...beginning }) : null,
  }
  const table = listMethods(services)
  const rpc = createRpc({
    table: fork?.wrapMethods(table, services) ?? table,
    describeError,
    onFault: (error, method) => onFault(method)(error),
    ...(metrics && {
      onCall: (method: string, milliseconds: number, isOk: boolean) =>
        metrics.countCall(method, milliseconds / 1000, isOk),
    }),
  })
  const listener = await listen({
    host: config.host,
    port: config.port,
    rpc,
    hosts: config.allowedHosts,
    origins: config.allowedOrigins,
    pages: {
      '/healthz': () => describeHealth(chain, store.fault() ?? producer.fault()),
      ...(metrics && {
        '/metrics': async () => ({ status: 200, ...(await metrics.format()) }),
      }),
    },
    onFault: onFault('serving'),
  })
  closers.push(listener.close)
  if (fork !== null) closers.push(fork.close)
  countConnections = listener.countConnections
  log.debug('serving', { url: listener.url, chainId: rules.chainId, head: chain.head().number })
  return { url: listener.url, wsUrl: listener.wsUrl, chainId: rules.chainId, chain, devAccounts }
}

/** Not healthy while nothing can be written to the disk, or the last block that was tried could not be made. */
function describeHealth(chain: Chain, fault: string | null) {
  const { number, hash, timestamp } = chain.head()
  const facts = { head: Number(number), hash, timestamp: Number(timestamp) }
  return {
    status: fault === null ? 200 : 503,
    contentType: 'application/json',
    text: JSON.stringify(
      fault === null ? { status: 'ok', ...facts } : { status: 'failing', fault, ...facts },
    ),
  }
}

const DEV_ADDRESSES = DEV_KEYS.map(key => deriveAddress(decodeHex(key)))

/** Their key files have the empty passphrase: there is nothing to hide. */
async function unlockDevAccounts(folder: string, keystore: Keystore): Promise<Hex[]> {
  const keys = DEV_KEYS.map(decodeHex)
  const addresses = DEV_ADDRESSES
  const known = new Set(keystore.accounts())
  if (!addresses.every(address => known.has(address))) {
    const quick = await openKeystore({ folder, scrypt: 'public' })
    for (const [index, address] of addresses.entries()) {
      if (!known.has(address)) await quick.importKey(keys[index] ?? new Uint8Array(), '')
    }
    quick.close()
  }
  await Promise.all(addresses.map(address => keystore.unlock(address, '', 0)))
  return addresses
}
