import { parseInscriptionId } from '../../ordinals/inscription-id.ts'
import { fromHex, toHex } from '../chain/hex.ts'
import { formatAddress, parseAddress } from '../chain/script.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import type { Brc20Balance, Brc20Token } from '../ord/brc20/brc20-ledger.ts'
import { formatShort } from '../ord/brc20/token-amount.ts'
import type { OrdFollower } from '../ord/ord-follower.ts'
import type { OrdIndex } from '../ord/ord-index.ts'
import { type Answer, type Call, json, param, type Route } from '../server/http.ts'

/** What a caller has to know. */
export const UNISAT_KEY = 'devnet'

const PAGE_SIZE = 16
/** The bit of `tick_filter` that stands for tickers of four bytes; each further byte has the next one. */
const SHORTEST_TICKS = 8
const SHORTEST_TICK_BYTES = 4

/** UniSat's Open API for BRC-20 (confirmed alone), relative to its address. Amounts are decimal texts. */
export function unisatRoutes(network: LocalNetwork, ord: OrdFollower): Route[] {
  const get = (path: string, answer: (call: Call, index: OrdIndex) => Answer): Route => ({
    method: 'GET',
    path: `/v1/indexer/${path}`,
    handle(call) {
      if (call.headers.authorization !== `Bearer ${UNISAT_KEY}`) {
        return json({ code: -1, msg: 'Invalid API Key', data: null }, 401)
      }
      return ord.readAt(call.staleBlocks, index => answer(call, index))
    },
  })

  return [
    get('blockchain/info', (_, index) => {
      const height = index.height()
      const tip = network.chain.block(height)
      return done({
        chain: 'regtest',
        blocks: height,
        headers: height,
        bestBlockHash: tip?.hash,
        prevBlockHash: tip?.previousHash,
        medianTime: tip?.medianTime,
        // At regtest's lowest difficulty a block is two hashes of work.
        chainwork: (2 * (height + 1)).toString(16).padStart(64, '0'),
      })
    }),
    get('brc20/bestheight', (_, index) => {
      const tip = network.chain.block(index.height())
      return done({
        height: index.height(),
        blockid: tip?.hash,
        timestamp: tip?.timestamp,
        total: index.brc20.tokenCount(),
      })
    }),
    get('brc20/:ticker/info', (call, index) => {
      const token = readToken(call, index)
      return token ? done(describeToken(token, index)) : refused('ticker not exist')
    }),
    get('address/:address/brc20/summary', (call, index) => {
      const filter = Number(call.query.get('tick_filter') ?? 0)
      const rows = index.brc20.balances(readScript(call)).flatMap(([tick, balance]) => {
        const token = index.brc20.token(tick)
        const isZero = balance.available + balance.transferable === 0n
        const isHidden = isZero && call.query.get('exclude_zero') === 'true'
        return token && passesFilter(token, filter) && !isHidden
          ? [{ ticker: token.originalTick, ...describeBalance(balance) }]
          : []
      })
      return done({ height: index.height(), ...cutPage(call, rows) })
    }),
    get('address/:address/brc20/:ticker/info', (call, index) => {
      const token = readToken(call, index)
      if (!token) return refused('ticker not exist')
      const balances = new Map(index.brc20.balances(readScript(call)))
      const balance = balances.get(token.tick) ?? { available: 0n, transferable: 0n }
      const notes = listTransferables(call, index, token)
      return done({
        ticker: token.originalTick,
        ...describeBalance(balance),
        availableBalanceSafe: formatShort(balance.available),
        availableBalanceUnSafe: '0',
        transferableCount: notes.length,
        transferableInscriptions: notes,
      })
    }),
    get('address/:address/brc20/:ticker/transferable-inscriptions', (call, index) => {
      const token = readToken(call, index)
      if (!token) return refused('ticker not exist')
      const notes = listTransferables(call, index, token)
      return done({ height: index.height(), ...cutPage(call, notes) })
    }),
  ]

  function describeToken(token: Brc20Token, index: OrdIndex) {
    const { tick, deploy, height } = token
    const history = index.brc20
      .events()
      .flatMap(event => (event.type !== 'predeploy-inscribe' && event.tick === tick ? event : []))
    const mints = history.filter(({ type }) => type === 'mint-inscribe')
    const [made] = history
    const last = mints.at(-1)
    const completeHeight = token.minted === token.max ? (last?.height ?? 0) : 0
    const minted = formatShort(token.minted)
    const holders = index.brc20.holders(tick).map(([, held]) => held)
    return {
      ticker: token.originalTick,
      selfMint: token.selfMint,
      holdersCount: holders.filter(held => held.available + held.transferable > 0n).length,
      historyCount: history.length,
      inscriptionNumber: numberOf(index, deploy),
      inscriptionId: deploy,
      max: formatShort(token.max),
      limit: formatShort(token.limit),
      minted,
      totalMinted: minted,
      confirmedMinted: minted,
      confirmedMinted1h: minted,
      confirmedMinted24h: minted,
      mintTimes: mints.length,
      decimal: token.decimals,
      creator: formatAddress(fromHex(made?.script ?? '') ?? new Uint8Array()) ?? '',
      txid: parseInscriptionId(deploy)?.txid,
      deployHeight: height,
      deployBlocktime: timeOf(height),
      completeHeight,
      completeBlocktime: completeHeight === 0 ? 0 : timeOf(completeHeight),
      inscriptionNumberStart: numberOf(index, mints[0]?.id ?? deploy),
      inscriptionNumberEnd: numberOf(index, last?.id ?? deploy),
    }
  }

  function timeOf(height: number): number {
    return network.chain.block(height)?.timestamp ?? 0
  }
}

function done(data: unknown): Answer {
  return json({ code: 0, msg: 'ok', data })
}

function refused(msg: string): Answer {
  return json({ code: -1, msg, data: null })
}

function readScript(call: Call): string {
  const script = parseAddress(param(call, 'address'))
  return script ? toHex(script) : ''
}

/** By its ticker or, as callers send what does not fit a path, by that in hex. */
function readToken(call: Call, { brc20 }: OrdIndex): Brc20Token | undefined {
  const text = param(call, 'ticker')
  const bytes = fromHex(text)
  return (
    brc20.token(text.toLowerCase()) ??
    (bytes ? brc20.token(Buffer.from(bytes).toString('utf8').toLowerCase()) : undefined)
  )
}

function passesFilter({ originalTick }: Brc20Token, filter: number): boolean {
  const bit = SHORTEST_TICKS << (Buffer.byteLength(originalTick) - SHORTEST_TICK_BYTES)
  return filter === 0 || (filter & bit) !== 0
}

function describeBalance({ available, transferable }: Brc20Balance) {
  return {
    overallBalance: formatShort(available + transferable),
    transferableBalance: formatShort(transferable),
    availableBalance: formatShort(available),
  }
}

function listTransferables(call: Call, index: OrdIndex, token: Brc20Token) {
  const notes = index.brc20.transfers(readScript(call)).filter(({ tick }) => tick === token.tick)
  return notes
    .map(({ id, originalTick, amount, height }) => ({
      data: {
        op: 'transfer',
        tick: originalTick,
        lim: formatShort(token.limit),
        amt: formatShort(amount),
        decimal: String(token.decimals),
      },
      inscriptionNumber: numberOf(index, id),
      inscriptionId: id,
      satoshi: Number(valueAt(index, id)),
      confirmations: index.height() - height + 1,
    }))
    .sort((a, b) => a.inscriptionNumber - b.inscriptionNumber)
}

function numberOf(index: OrdIndex, id: string): number {
  return index.inscription(id)?.number ?? 0
}

/** Sats of the output that an inscription is on. */
function valueAt(index: OrdIndex, id: string): bigint {
  return index.output(index.inscription(id)?.satpoint.outpoint ?? '')?.value ?? 0n
}

function cutPage<Row>({ query }: Call, rows: readonly Row[]) {
  const start = Number(query.get('start') ?? 0)
  const limit = Number(query.get('limit') ?? PAGE_SIZE)
  return { start, total: rows.length, detail: rows.slice(start, start + limit) }
}
