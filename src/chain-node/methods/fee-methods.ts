import { requireHeader } from '../chain/block-parameter.ts'
import type { Chain } from '../chain/chain.ts'
import { formatQuantity } from '../codec/hex.ts'
import { nameKind, readBlockNumber, readUint64 } from '../codec/parameters.ts'
import type { Engine } from '../engine/engine.ts'
import { defineMethod, type MethodTable, optional, required } from '../rpc/method.ts'
import { ArgumentError, RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { buildFeeHistory } from '../sending/fee-history.ts'
import type { GasPriceOracle } from '../sending/gas-price.ts'

/** What clients ask who pay by EIP-1559; not part of the specification. */
export function listFeeMethods({
  chain,
  engine,
  oracle,
}: {
  readonly chain: Chain
  readonly engine: Pick<Engine, 'nextBaseFee'>
  readonly oracle: GasPriceOracle
}): MethodTable {
  return {
    eth_maxPriorityFeePerGas: defineMethod([], () => formatQuantity(oracle.suggestTip())),

    eth_feeHistory: defineMethod(
      [required(readCount), required(readBlockNumber), optional(readPercentiles, [])],
      ([count, block, percentiles]) => {
        if (count === 0n) return { oldestBlock: '0x0', gasUsedRatio: null }
        const head = chain.head()
        if ('number' in block && block.number > head.number) {
          throw new RpcError(
            SERVER_ERROR,
            `request beyond head block: requested ${block.number}, head ${head.number}`,
          )
        }
        return buildFeeHistory({ chain, engine }, requireHeader(chain, block), count, percentiles)
      },
    ),
  }
}

/** As geth: also a JSON number, or a text of decimal digits. */
function readCount(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^\d{1,19}$/.test(value)) return BigInt(value)
  return readUint64(value)
}

const MAX_PERCENTILES = 100

function readPercentiles(value: unknown): readonly number[] {
  if (!Array.isArray(value)) throw unreadable(value, '[]float64')
  if (value.length > MAX_PERCENTILES) throw refuse(`over the query limit ${MAX_PERCENTILES}`)
  let last: number | null = null
  for (const [index, percentile] of value.entries()) {
    if (typeof percentile !== 'number') throw unreadable(percentile, 'float64')
    if (percentile < 0 || percentile > 100) throw refuse(String(percentile))
    if (last !== null && percentile <= last) {
      throw refuse(`#${index - 1}:${last} >= #${index}:${percentile}`)
    }
    last = percentile
  }
  return value
}

function unreadable(value: unknown, type: string): ArgumentError {
  return new ArgumentError(
    `json: cannot unmarshal ${nameKind(value)} into Go value of type ${type}`,
  )
}

function refuse(reason: string): RpcError {
  return new RpcError(SERVER_ERROR, `invalid reward percentile: ${reason}`)
}
