// brc20: the servers of BRC-20, OPI and UniSat's Open API, over the ledger in `ord/brc20`.

import { fromHex, toHex } from '../chain/hex.ts'
import { formatAddress, parseAddress } from '../chain/script.ts'
import type { Brc20Event } from '../ord/brc20/brc20-event.ts'
import type { Brc20Balance } from '../ord/brc20/brc20-ledger.ts'
import type { OrdFollower } from '../ord/ord-follower.ts'
import type { OrdIndex } from '../ord/ord-index.ts'
import { type Answer, json, type Route } from '../server/http.ts'
import { hashActivity } from './activity-hash.ts'

const INDEXER = 'satchel devnet'

/** OPI's `brc20_api`, relative to its address. Amounts are integers in text, times 10^18. */
export function opiRoutes(ord: OrdFollower): Route[] {
  const get = (
    name: string,
    answer: (query: URLSearchParams, index: OrdIndex) => Answer,
  ): Route => ({
    method: 'GET',
    path: `/v1/brc20/${name}`,
    handle: call => ord.readAt(call.staleBlocks, index => answer(call.query, index)),
  })

  return [
    get('block_height', (_, index) => ({
      status: 200,
      type: 'text/html; charset=utf-8',
      body: String(index.height()),
    })),
    get('get_current_balance_of_wallet', (query, index) => {
      const tick = readTick(query)
      if (tick === null) return failed()
      const held = index.brc20.balances(readScript(query)).find(([ticker]) => ticker === tick)
      if (!held) return refused('no balance found')
      return done({ ...describeBalance(held[1]), block_height: index.height() })
    }),
    get('get_valid_tx_notes_of_wallet', (query, index) => {
      const notes = index.brc20
        .transfers(readScript(query))
        .sort((a, b) => (a.tick < b.tick ? -1 : 1))
        .map(({ tick, id, amount, height }) => ({
          tick,
          inscription_id: id,
          amount: String(amount),
          genesis_height: height,
        }))
      if (notes.length === 0) return refused('no unused tx found')
      return done({ unused_txes: notes, block_height: index.height() })
    }),
    // OrdinalsBot's OPI alone has it: the row of its table.
    get('ticker_info', (query, index) => {
      const token = index.brc20.token(readTick(query) ?? '')
      if (!token) return refused(query.has('ticker') ? 'no ticker found' : 'ticker is required')
      return done({
        original_tick: token.originalTick,
        tick: token.tick,
        max_supply: String(token.max),
        decimals: token.decimals,
        limit_per_mint: String(token.limit),
        remaining_supply: String(token.max - token.minted),
        burned_supply: String(token.burned),
        is_self_mint: token.selfMint,
        deploy_inscription_id: token.deploy,
        block_height: token.height,
      })
    }),
    get('holders', (query, index) => {
      const tick = readTick(query)
      if (tick === null) return failed()
      const holders = index.brc20.holders(tick).map(([script, balance]) => ({
        pkscript: script,
        wallet: formatWallet(script),
        ...describeBalance(balance),
      }))
      if (holders.length === 0) return refused('no unused tx found')
      const rows = holders
        .filter(({ overall_balance }) => overall_balance !== '0')
        .sort((a, b) => Number(BigInt(b.overall_balance) - BigInt(a.overall_balance)))
      // Named so there too.
      return done({ unused_txes: rows, block_height: index.height() })
    }),
    // OPI's query for one inscription does not fetch the id, so the answer is without it.
    get('event', (query, index) => {
      const id = query.get('inscription_id')
      if (!id) return refused('inscription_id is required')
      return done(index.brc20.events().flatMap(event => (event.id === id ? [describe(event)] : [])))
    }),
    get('activity_on_block', (query, index) => {
      const height = readHeight(query, index)
      if (height === null) return refused('block not indexed yet')
      const events = index.brc20.eventsAt(height)
      return done(events.map(event => ({ ...describe(event), inscription_id: event.id })))
    }),
    get('get_hash_of_all_activity', (query, index) => {
      const height = readHeight(query, index)
      if (height === null) return refused('block not indexed yet')
      const { cumulative, block } = hashActivity(index.brc20, height)
      return done({
        cumulative_event_hash: cumulative,
        block_event_hash: block,
        indexer_version: INDEXER,
        block_height: query.get('block_height'),
      })
    }),
  ]
}

function done(result: unknown): Answer {
  return json({ error: null, result })
}

function refused(error: string): Answer {
  return json({ error, result: null }, 400)
}

function failed(): Answer {
  return json({ error: 'internal error', result: null }, 500)
}

function readTick(query: URLSearchParams): string | null {
  return query.get('ticker')?.toLowerCase() ?? null
}

/** In hex; of no account where the query names none. */
function readScript(query: URLSearchParams): string {
  const address = query.get('address')
  if (!address) return query.get('pkscript') ?? ''
  const script = parseAddress(address)
  return script ? toHex(script) : ''
}

/** Of an indexed block; null for any other. */
function readHeight(query: URLSearchParams, index: OrdIndex): number | null {
  const text = query.get('block_height') ?? ''
  return /^\d{1,9}$/.test(text) && Number(text) <= index.height() ? Number(text) : null
}

function describeBalance({ available, transferable }: Brc20Balance) {
  return {
    overall_balance: String(available + transferable),
    available_balance: String(available),
  }
}

function describe(event: Brc20Event) {
  if (event.type === 'predeploy-inscribe')
    return {
      predeployer_pkScript: event.script,
      predeployer_wallet: formatWallet(event.script),
      event_type: event.type,
      hash: event.hash,
      block_height: String(event.height),
    }
  const { type, script, tick, originalTick } = event
  const wallet = formatWallet(script)
  const ticks = { tick, original_tick: originalTick, event_type: type }
  switch (type) {
    case 'deploy-inscribe':
      return {
        deployer_pkScript: script,
        deployer_wallet: wallet,
        ...ticks,
        decimals: String(event.decimals),
        max_supply: String(event.max),
        limit_per_mint: String(event.limit),
        is_self_mint: String(event.selfMint),
      }
    case 'mint-inscribe':
      return {
        minted_pkScript: script,
        minted_wallet: wallet,
        ...ticks,
        amount: String(event.amount),
        parent_id: event.parent ?? '',
      }
    case 'transfer-inscribe':
      return {
        source_pkScript: script,
        source_wallet: wallet,
        ...ticks,
        amount: String(event.amount),
      }
    case 'transfer-transfer':
      return {
        source_pkScript: script,
        source_wallet: wallet,
        spent_pkScript: event.to,
        spent_wallet: event.to === null ? null : formatWallet(event.to),
        ...ticks,
        amount: String(event.amount),
      }
  }
}

/** Empty where a script has no address. */
function formatWallet(script: string): string {
  return formatAddress(fromHex(script) ?? new Uint8Array()) ?? ''
}
