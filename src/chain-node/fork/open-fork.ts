import type { Chain } from '../chain/chain.ts'
import { decodeHex, encodeHex, formatQuantity, type Hex } from '../codec/hex.ts'
import type { ForkConfig } from '../config/config.ts'
import { CREATE2_DEPLOYER, DEV_BALANCE } from '../dev-accounts.ts'
import type { ExecutedBlock, Header } from '../engine/block.ts'
import { encodeBlock } from '../engine/encoding/block-codec.ts'
import type { AccountOverride, Engine } from '../engine/engine.ts'
import type { ConsoleListener } from '../engine/machine.ts'
import { EMPTY_ROOT, type StateReader } from '../engine/state/state-reader.ts'
import type { Log } from '../log.ts'
import type { Services } from '../methods/method-table.ts'
import type { Method, MethodTable } from '../rpc/method.ts'
import { stateKey } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { createForkChain } from './fork-chain.ts'
import { createForkEngine } from './fork-engine.ts'
import { type ForkFolder, openForkFolder } from './fork-folder.ts'
import { listForkMethods } from './fork-methods.ts'
import { createForkReader } from './fork-reader.ts'
import { MissingStateError } from './missing-state.ts'
import { refetch } from './refetch.ts'
import { createRemote, type Remote, RemoteError } from './remote.ts'
import { readHeader } from './remote-header.ts'
import { BLOCK_KEY, createRemoteValues, GENESIS_ROOT_KEY } from './remote-values.ts'
import { createSpokenRuns } from './spoken-runs.ts'
import { createStateFetcher } from './state-fetcher.ts'

/** What a node that goes on from a block of another chain has in place of its own parts. */
export interface Fork {
  /** States that lie over that of the block. */
  readonly overlay: (local: StateReader) => StateReader
  /** Of blocks before it, for BLOCKHASH. */
  findBlockHash(number: bigint): Uint8Array | null
  /** Hears what contracts write, in place of who is told of it. */
  readonly onConsole: ConsoleListener
  wrapEngine(engine: Engine): Engine
  /** The block as the first of a chain, with funded accounts in its state. */
  createGenesis(engine: Engine, funded: readonly Hex[]): Promise<ExecutedBlock>
  wrapChain(chain: Chain): Chain
  wrapMethods(table: MethodTable, services: Services): MethodTable
  /** Asks the remote nothing more, and ends what is being asked. */
  close(): void
}

/** The data folder of a fork, and the node of the chain that it goes on from. Throws as `openForkFolder` does. */
export async function openRemoteFolder(
  dataFolder: string,
  config: ForkConfig,
  log: Log,
): Promise<ForkFolder & { readonly remote: Remote }> {
  const remote = createRemote(config.url)
  return { ...(await openForkFolder(dataFolder, config, remote, log)), remote }
}

/** @param block - of the fork, as the remote has it */
export function openFork({
  block,
  remote,
  store,
  log,
  onConsole,
}: {
  readonly block: Header
  readonly remote: Remote
  readonly store: Store
  readonly log: Log
  readonly onConsole: ConsoleListener
}): Fork {
  const spoken = createSpokenRuns(onConsole)
  const values = createRemoteValues(store)
  const onUnproven = (reason: string) =>
    log.warn('the remote node gives no proofs: what it says of the state is taken as it is', {
      reason,
    })
  const fetcher = createStateFetcher({ remote, block, values, onUnproven })

  /** The block with its transactions: it is the head at first. */
  async function fetchBlock(): Promise<unknown> {
    const params = [formatQuantity(block.number), true]
    const answer = await remote.request('eth_getBlockByNumber', params)
    if (readHeader(answer).hash === block.hash) return answer
    throw new RemoteError(`the remote node has another block ${block.number} now`)
  }

  /** Nothing of the state is there at first: it is the remote's. */
  async function writeGenesisState(engine: Engine, funded: readonly Hex[]): Promise<Hex> {
    const root = encodeHex(EMPTY_ROOT)
    const addresses = [CREATE2_DEPLOYER.address, ...funded]
    await fetcher.fetchMissing(addresses.map(address => ({ kind: 'account', address })))
    const overrides = new Map<Hex, AccountOverride>()
    // Code there is EIP-7702's: keys that everybody knows have been lent to whoever takes what comes in.
    for (const address of funded) {
      overrides.set(address, { balance: DEV_BALANCE, code: new Uint8Array() })
    }
    if (engine.readAccount(root, CREATE2_DEPLOYER.address) === null) {
      const code = decodeHex(CREATE2_DEPLOYER.code)
      overrides.set(CREATE2_DEPLOYER.address, { nonce: 1n, code })
    }
    const { stateRoot, writes } = await refetch(fetcher, () => engine.changeState(root, overrides))
    const text = JSON.stringify(await fetchBlock())
    await store.write([
      ...writes.map(({ hash, bytes }) => ({ key: stateKey(hash), value: bytes })),
      { key: GENESIS_ROOT_KEY, value: decodeHex(stateRoot) },
      { key: BLOCK_KEY, value: Buffer.from(text) },
    ])
    return stateRoot
  }

  return {
    overlay: local => createForkReader(local, values),
    findBlockHash(number) {
      if (number < 0n || number >= block.number) return null
      const hash = number === block.number - 1n ? block.parentHash : values.findBlockHash(number)
      if (hash === null) throw new MissingStateError({ kind: 'blockHash', number })
      return decodeHex(hash)
    },
    onConsole: spoken.listener,
    wrapEngine: engine => createForkEngine(engine, fetcher, spoken),
    async createGenesis(engine, funded) {
      const known = store.get(GENESIS_ROOT_KEY)
      const isWhole = known !== undefined && store.get(stateKey(known)) !== undefined
      const stateRoot = isWhole ? encodeHex(known) : await writeGenesisState(engine, funded)
      const { hash, ...fields } = block
      const withdrawals = block.withdrawalsRoot === undefined ? undefined : []
      const encoded = encodeBlock(fields, [], [], withdrawals)
      return {
        block: { ...encoded, header: { ...block, stateRoot } },
        receipts: [],
        writes: [],
      }
    },
    close: remote.close,
    wrapChain: chain => createForkChain(chain, remote),
    wrapMethods(table, services) {
      const stateRoot = encodeHex(EMPTY_ROOT)
      const blockJson = Buffer.from(store.get(BLOCK_KEY) ?? []).toString()
      const methods = listForkMethods(table, { ...services, remote, stateRoot, blockJson })
      return Object.fromEntries(
        Object.entries(methods).map(([name, method]) => [name, refetching(method)]),
      )
    },
  }

  /** Runs a method again that reads what is not fetched yet. */
  function refetching({ parameters, answer }: Method): Method {
    return {
      parameters,
      answer(values, context) {
        const again = (error: unknown) => {
          if (!(error instanceof MissingStateError)) throw error
          return refetch(fetcher, () => answer(values, context), error)
        }
        try {
          const result = answer(values, context)
          return result instanceof Promise ? result.catch(again) : result
        } catch (error) {
          return again(error)
        }
      },
    }
  }
}
