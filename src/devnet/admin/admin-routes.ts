// admin: the calls under `/devnet` that move coins, blocks, time and prices or break an endpoint, with the faucet
// and devnet's keys, which are public.

import type { Clock } from '../bitcoind/clock.ts'
import type { FeeRates } from '../mempool/fees.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { RejectedError } from '../mempool/rejection.ts'
import type { Fault, Faults } from '../server/faults.ts'
import { HttpError, json, type Route } from '../server/http.ts'
import {
  type Fields,
  parseAddressField,
  parseBoolean,
  parseFields,
  parseInteger,
} from './admin-fields.ts'
import type { Faucet } from './faucet.ts'
import type { Prices } from './prices.ts'
import type { ReorgResult } from './reorg-result.ts'

const MAX_BLOCKS = 1000

/** What the routes under `/devnet` do. */
export interface Admin {
  network: LocalNetwork
  faucet: Faucet
  faults: Faults
  clock: Clock
  feeRates: FeeRates
  prices: Prices
  /** Requests by route, as `GET /api/tx/:txid`. */
  hits: Map<string, number>
  mine(blocks: number, address?: string): Promise<string[]>
  reorg(depth: number, blocks?: number): Promise<ReorgResult>
}

/** Routes for development: they move coins, time and blocks, and break the other routes on purpose. */
export function adminRoutes(admin: Admin): Route[] {
  const { network, faucet, faults, clock, feeRates, prices, hits } = admin
  const post = (path: string, run: (fields: Fields) => unknown): Route => ({
    method: 'POST',
    path: `/devnet/${path}`,
    handle: async call => json(await run(parseFields(call))),
  })
  const get = (path: string, run: () => unknown): Route => ({
    method: 'GET',
    path: `/devnet/${path}`,
    handle: () => json(run()),
  })
  return [
    get('status', () => ({
      network: 'regtest',
      height: network.chain.height(),
      hash: network.chain.tip()?.hash,
      mempool: network.pool().size(),
      faucet: faucet.address,
      time: clock.now(),
      feeRates,
    })),
    post('faucet', async fields => {
      const script = parseAddressField(fields, 'address')
      const sats = parseInteger(fields, 'sats', 1, Number.MAX_SAFE_INTEGER)
      const confirm = parseBoolean(fields, 'confirm', true)
      const txid = await faucet.pay(script, BigInt(sats))
      if (confirm) await admin.mine(1)
      return { txid }
    }),
    post('mine', async fields => {
      const blocks = parseInteger(fields, 'blocks', 1, MAX_BLOCKS, 1)
      if (fields.address !== undefined) parseAddressField(fields, 'address')
      const hashes = await admin.mine(blocks, fields.address as string | undefined)
      return { hashes, height: network.chain.height() }
    }),
    post('reorg', async fields => {
      const depth = parseInteger(fields, 'depth', 1, network.chain.height())
      const blocks = parseInteger(fields, 'blocks', 0, MAX_BLOCKS, depth + 1)
      return { ...(await admin.reorg(depth, blocks)), height: network.chain.height() }
    }),
    get('clock', () => ({ time: clock.now() })),
    post('clock', async fields => {
      if (fields.time === null) await clock.reset()
      else if (fields.time !== undefined) {
        await clock.set(parseInteger(fields, 'time', 1, 0xffffffff))
      } else if (fields.advance !== undefined) {
        await clock.set(clock.now() + parseInteger(fields, 'advance', 1, 0xffffffff))
      }
      return { time: clock.now() }
    }),
    get('fees', () => feeRates),
    post('fees', fields => {
      for (const name of Object.keys(fields)) setFeeRate(feeRates, name, fields[name])
      return feeRates
    }),
    get('prices', () => prices),
    post('prices', fields => {
      for (const name of Object.keys(fields)) setPrice(prices, name, fields[name])
      return prices
    }),
    get('faults', () => faults.list()),
    post('faults', fields => faults.add(readFault(fields))),
    post('faults/clear', fields => {
      faults.clear(fields.id === undefined ? undefined : parseInteger(fields, 'id', 1, 2 ** 31))
      return faults.list()
    }),
    {
      method: 'DELETE',
      path: '/devnet/faults',
      handle() {
        faults.clear()
        return json(faults.list())
      },
    },
    get('hits', () => Object.fromEntries(hits)),
    post('hits/clear', () => {
      hits.clear()
      return {}
    }),
  ]
}

/** What a refused transaction or a value out of range is answered with, in any route; null for other errors. */
export function adminError(error: unknown): HttpError | null {
  return error instanceof RejectedError || error instanceof RangeError
    ? new HttpError(400, error.message)
    : null
}

function setFeeRate(feeRates: FeeRates, name: string, value: unknown): void {
  if (!(name in feeRates)) throw new HttpError(400, `${name}: is not a fee rate`)
  if (typeof value !== 'number' || !(value > 0)) {
    throw new HttpError(400, `${name}: must be a positive number of sat/vB`)
  }
  feeRates[name as keyof FeeRates] = value
}

/** mempool.space says -1 where it has no price. */
function setPrice(prices: Prices, currency: string, value: unknown): void {
  if (!(currency in prices)) throw new HttpError(400, `${currency}: is not a currency`)
  if (typeof value !== 'number' || !(value > 0 || value === -1)) {
    throw new HttpError(400, `${currency}: must be a positive number, or -1 for none`)
  }
  prices[currency] = value
}

const FAULT_FIELDS = {
  endpoint: 'string',
  times: 'number',
  delay: 'number',
  delayAnswer: 'number',
  status: 'number',
  body: 'any',
  merge: 'object',
  truncate: 'boolean',
  staleBlocks: 'number',
  drop: 'boolean',
  handle: 'boolean',
} satisfies Record<keyof Fault, string>

function readFault(fields: Fields): Fault {
  for (const [name, value] of Object.entries(fields)) {
    const wanted = FAULT_FIELDS[name as keyof Fault] as string | undefined
    if (!wanted) throw new HttpError(400, `${name}: is not a field of a fault`)
    const isWanted = wanted === 'any' || (typeof value === wanted && value !== null)
    if (!isWanted) throw new HttpError(400, `${name}: must be a ${wanted}`)
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= 0)) {
      throw new HttpError(400, `${name}: must be a whole number`)
    }
  }
  if (typeof fields.endpoint !== 'string' || !/^([A-Z]+ +)?[/*]/.test(fields.endpoint)) {
    throw new HttpError(400, 'endpoint: must be a path, or a method and a path')
  }
  return { ...fields, endpoint: fields.endpoint }
}
