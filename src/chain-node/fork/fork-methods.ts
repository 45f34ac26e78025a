import { formatQuantity, type Hex } from '../codec/hex.ts'
import type { LogFilter } from '../codec/log-filter.ts'
import type { BlockId } from '../codec/parameters.ts'
import { listAccessListMethods, listCallMethods } from '../methods/call-methods.ts'
import type { Services } from '../methods/method-table.ts'
import { listStateMethods } from '../methods/state-methods.ts'
import { type CallContext, JsonText, type Method, type MethodTable } from '../rpc/method.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { joinFeeHistory } from './fee-history.ts'
import { createOldBlocks, type Place } from './old-blocks.ts'
import type { Remote } from './remote.ts'

type ForkServices = Pick<Services, 'chain' | 'engine' | 'pool' | 'producer'> & {
  readonly remote: Remote
  /** Root of the state of the fork's block, without what was changed here. */
  readonly stateRoot: Hex
  /** The block with its transactions, as the remote answers it. */
  readonly blockJson: string
}

/** What answers in place of a method: `raw` are the parameters as they were written. */
type Answer = (values: unknown[], raw: readonly unknown[], context: CallContext) => unknown

/** By method, which of its parameters names the block whose state it reads. */
const STATE_METHODS: ReadonlyMap<string, number> = new Map([
  ['eth_getBalance', 1],
  ['eth_getTransactionCount', 1],
  ['eth_getCode', 1],
  ['eth_getStorageAt', 2],
  ['eth_call', 1],
  ['eth_estimateGas', 1],
  ['eth_createAccessList', 1],
])

/** What is asked of a block that is named first. */
const BLOCK_METHODS = [
  'eth_getBlockTransactionCountByNumber',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionbyBlockNumberAndIndex',
  'eth_getBlockTransactionCountByHash',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getBlockReceipts',
]

/**
 * The methods of a node that goes on from a block of another chain: what is asked of blocks before it is asked of the remote node,
 * and at the block itself the state is the remote's, without what was changed here.
 */
export function listForkMethods(table: MethodTable, services: ForkServices): MethodTable {
  const { chain, pool, remote, stateRoot } = services
  const old = createOldBlocks(chain, remote)
  const header = { ...chain.genesis, stateRoot }
  const atBase = { ...services, chain: { ...chain, head: () => header, findHeader: () => header } }
  const baseTable: MethodTable = {
    ...listStateMethods(atBase),
    ...listCallMethods(atBase),
    ...listAccessListMethods(atBase),
  }
  const found = new Map<string, Method>()

  function replace(name: string, choose: (method: Method) => Answer): void {
    const method = table[name]
    if (method !== undefined) found.set(name, answerRaw(method, choose(method)))
  }

  for (const [name, position] of STATE_METHODS) {
    replace(name, method => async (values, raw, context) => {
      const block = values[position] as BlockId
      const place = old.place(block)
      if (place === 'local') return method.answer(values as never[], context)
      if (place === 'base') return baseTable[name]?.answer(values as never[], context)
      if ('hash' in block && !(await old.has(block.hash))) throw noHeader()
      return old.forward(name, raw)
    })
  }

  for (const name of BLOCK_METHODS) {
    replace(name, method => async (values, raw, context) => {
      const given = values[0] as BlockId | Hex
      const block = typeof given === 'string' ? { hash: given } : given
      const place = placeBlock(block)
      if (place === 'local') return method.answer(values as never[], context)
      if ('hash' in block && !(await old.has(block.hash))) return null
      const named = place === 'base' && !('hash' in block) ? formatQuantity(header.number) : raw[0]
      return old.forward(name.replace('byBlock', 'ByBlock'), [named, ...raw.slice(1)])
    })
  }

  for (const name of ['eth_getBlockByNumber', 'eth_getBlockByHash']) {
    replace(name, method => async (values, raw, context) => {
      const [given, withTransactions] = values as [BlockId | Hex, boolean]
      const block = typeof given === 'string' ? { hash: given } : given
      const place = placeBlock(block)
      if (place === 'local') return method.answer(values as never[], context)
      if (place === 'base') return showBase(withTransactions)
      return 'hash' in block && !(await old.has(block.hash)) ? null : old.forward(name, raw)
    })
  }

  /** The head is the remote's block until there is one here. */
  function placeBlock(block: BlockId): Place {
    const isLatest = 'tag' in block && block.tag === 'latest'
    return isLatest && chain.head().number === header.number ? 'base' : old.place(block)
  }

  function showBase(withTransactions: boolean): JsonText | object {
    if (withTransactions) return new JsonText(services.blockJson)
    const block = JSON.parse(services.blockJson) as { transactions: readonly { hash: Hex }[] }
    return { ...block, transactions: block.transactions.map(({ hash }) => hash) }
  }

  /** A transaction that is not here; one that waits is in no block there either. */
  const replaceByHash = (name: string, ask: (hash: Hex) => Promise<unknown>) =>
    replace(name, method => async (values, _, context) => {
      const own = await method.answer(values as never[], context)
      const hash = values[0] as Hex
      return own !== null || pool.find(hash) !== null ? own : ask(hash)
    })
  const askOld = (name: string) => (hash: Hex) => old.forwardOld(name, [hash], 'blockNumber')
  replaceByHash('eth_getTransactionByHash', askOld('eth_getTransactionByHash'))
  replaceByHash('eth_getTransactionReceipt', askOld('eth_getTransactionReceipt'))
  replaceByHash('eth_getTransactionLogs', async hash => {
    const receipt = await askOld('eth_getTransactionReceipt')(hash)
    return receipt === null ? null : (receipt as { logs?: unknown }).logs
  })

  replace('eth_getLogs', method => async (values, raw, context) => {
    const filter = values[0] as LogFilter
    const isRemote = 'blockHash' in filter && old.place({ hash: filter.blockHash }) !== 'local'
    if (!isRemote) return method.answer(values as never[], context)
    if (!(await old.has(filter.blockHash))) throw new RpcError(SERVER_ERROR, 'unknown block')
    return old.forward('eth_getLogs', raw)
  })
  replace('eth_feeHistory', method => joinFeeHistory(method, services, old))
  replace('eth_getProof', () => () => {
    throw new RpcError(
      SERVER_ERROR,
      'eth_getProof is not answered on a fork: the state roots of its blocks are those of what was changed here',
    )
  })
  replace('hardhat_metadata', method => async (values, _, context) => ({
    ...((await method.answer(values as never[], context)) as object),
    forkedNetwork: {
      chainId: Number(services.engine.chainId),
      forkBlockNumber: Number(header.number),
      forkBlockHash: header.hash,
    },
  }))
  return { ...table, ...Object.fromEntries(found) }
}

/** A method with the same parameters, whose answer sees them as they were written too. */
function answerRaw(method: Method, answer: Answer): Method {
  type Pair = readonly [value: unknown, raw: unknown]
  return {
    parameters: method.parameters.map(({ parse, fallback }) => ({
      parse: (raw: unknown): Pair => [parse(raw), raw],
      ...(fallback !== undefined && { fallback: { value: [fallback.value, null] as Pair } }),
    })),
    answer(pairs: Pair[], context: CallContext) {
      const values = pairs.map(([value]) => value)
      const raw = pairs.map(([, raw]) => raw)
      while (raw.length > 0 && raw.at(-1) === null) raw.pop()
      return answer(values, raw, context)
    },
  } as Method
}

function noHeader(): RpcError {
  return new RpcError(SERVER_ERROR, 'header not found')
}
