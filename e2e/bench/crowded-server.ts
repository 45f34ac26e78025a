import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseAddress } from '../../src/bitcoin/address.ts'
import { toHex } from '../../src/bitcoin/bytes.ts'
import { describeOrd } from './crowded-ord.ts'

const ATOMICALS = '/atomicals/proxy/'
const PAGE = 25
const TIP = 900_000
const GENESIS_OF_REGTEST = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'
const DAY = 86_400
const POSTAGE = 546

export type CrowdSize = {
  coins: number
  transactions: number
  inscriptions?: number
  /** Runes on each coin. */
  runesEach?: number
}

type Answer = { type: string; body: string | Buffer }

/**
 * An Esplora and an ord server of which every address has as many coins and transactions as told, the newest of the coins
 * inscribed, and an Atomicals proxy that knows of none: what no devnet has, because each would have to be mined. The history
 * pages as electrs' does.
 */
export async function startCrowdedServer(first: CrowdSize) {
  let size = { inscriptions: 0, runesEach: 0, ...first }
  /** Lists of all coins, which are megabytes, written once: what is measured is the wallet. */
  const lists = new Map<string, Buffer>()
  let fundedSats: number | null = null
  let owner = ''
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const answer = pathname.startsWith('/ord/')
      ? answerOrd(pathname.slice(4), await readBody(request))
      : pathname.startsWith(ATOMICALS)
        ? answerAtomicals(pathname.slice(ATOMICALS.length))
        : answerEsplora(pathname.replace(/^\/api/, ''))
    response.writeHead(answer ? 200 : 404, {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      ...(answer && { 'content-type': answer.type }),
    })
    response.end(answer?.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    esploraUrl: `http://127.0.0.1:${port}/api`,
    ordUrl: `http://127.0.0.1:${port}/ord`,
    /** Every address has so much from now on, as if there had always been so much. */
    resize(next: CrowdSize) {
      size = { inscriptions: 0, runesEach: 0, ...next }
      lists.clear()
      fundedSats = null
    },
    stop: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  function answerOrd(path: string, body: string) {
    return describeOrd({
      path,
      body,
      tip: TIP,
      isInscribed: at => at < size.inscriptions,
      runesEach: size.runesEach,
      findCoin: outpoint => {
        const at = Number.parseInt(outpoint.slice(2, 18), 16)
        if (!(at < size.coins) || outpoint !== `${hashOf('transaction', at)}:0`) return undefined
        return { outpoint, sats: coinSats(at), height: heightOf(at), address: owner, at }
      },
    })
  }

  function answerAtomicals(method: string): Answer | undefined {
    const global = { coin: 'Bitcoin', network: 'regtest', height: TIP }
    const utxos = () =>
      Array.from({ length: size.coins }, (_, at) => ({
        txid: hashOf('transaction', at),
        ...{ index: 0, vout: 0, height: heightOf(at), value: coinSats(at), atomicals: {} },
      }))
    const succeed = (response: object) => ({ success: true, response })
    const body =
      method === 'blockchain.atomicals.get_global'
        ? JSON.stringify(succeed({ global }))
        : method === 'blockchain.atomicals.listscripthash'
          ? writeOnce('atomicals', () => succeed({ global, atomicals: {}, utxos: utxos() }))
          : null
    return body === null ? undefined : { type: 'application/json', body }
  }

  function writeOnce(name: string, list: () => object): Buffer {
    const body = lists.get(name) ?? Buffer.from(JSON.stringify(list()))
    lists.set(name, body)
    return body
  }

  function answerEsplora(path: string): Answer | undefined {
    const [, kind, address = '', part] = path.split('/')
    if (kind === 'address') owner = address
    if (kind === 'address' && part === 'utxo') {
      return { type: 'application/json', body: writeOnce('coins', listCoins) }
    }
    const answer = describe(path)
    if (answer === null) return undefined
    return typeof answer === 'string'
      ? { type: 'text/plain', body: answer }
      : { type: 'application/json', body: JSON.stringify(answer) }
  }

  /** What an inscription sits on holds its postage. */
  function coinSats(at: number): number {
    return at < size.inscriptions ? POSTAGE : satsOf(at)
  }

  function describe(path: string): unknown {
    const [, first, address = '', ...rest] = path.split('/')
    if (path === '/block-height/0') return GENESIS_OF_REGTEST
    if (path === '/blocks/tip/height') return String(TIP)
    if (path === '/blocks/tip/hash') return hashOf('block', TIP)
    if (first === 'blocks') return [{ id: hashOf('block', TIP), height: TIP, timestamp: now() }]
    if (first === 'block') return { id: hashOf('block', TIP), height: TIP, timestamp: now() }
    if (path === '/v1/fees/precise' || path === '/v1/fees/recommended') {
      return { fastestFee: 10, halfHourFee: 5, hourFee: 2, economyFee: 1, minimumFee: 1 }
    }
    if (first !== 'address') return null
    const kind = rest.join('/')
    if (kind === '') return describeAddress(address)
    const after = /^txs(?:\/chain(?:\/(\w{64}))?)?$/.exec(kind)
    if (!after) return kind === 'txs/mempool' ? [] : null
    const start = after[1] === undefined ? 0 : Number.parseInt(after[1].slice(2, 18), 16) + 1
    const count = Math.max(0, Math.min(PAGE, size.transactions - start))
    return Array.from({ length: count }, (_, at) => describeTransaction(address, start + at))
  }

  function listCoins() {
    return Array.from({ length: size.coins }, (_, at) => ({
      txid: hashOf('transaction', at),
      vout: 0,
      value: coinSats(at),
      status: statusOf(at),
    }))
  }

  function sumUp(): number {
    let sum = 0
    for (let at = 0; at < size.coins; at++) sum += coinSats(at)
    return sum
  }

  function describeAddress(address: string) {
    fundedSats ??= sumUp()
    const none = { funded_txo_count: 0, funded_txo_sum: 0, spent_txo_count: 0, spent_txo_sum: 0 }
    return {
      address,
      chain_stats: {
        ...none,
        funded_txo_count: size.coins,
        funded_txo_sum: fundedSats,
        tx_count: size.transactions,
      },
      mempool_stats: { ...none, tx_count: 0 },
    }
  }
}

/** Each pays the address from somebody who had a little more. */
function describeTransaction(address: string, at: number) {
  const output = (to: string | null, value: number) => ({
    scriptpubkey:
      to === null
        ? `0014${hashOf('script', at).slice(0, 40)}`
        : toHex(parseAddress(to, 'regtest').scriptPubKey),
    scriptpubkey_asm: '',
    scriptpubkey_type: to === null ? 'v0_p2wpkh' : 'v1_p2tr',
    ...(to === null ? {} : { scriptpubkey_address: to }),
    value,
  })
  return {
    txid: hashOf('transaction', at),
    version: 2,
    locktime: 0,
    size: 222,
    weight: 561,
    fee: 282,
    vin: [
      {
        txid: hashOf('parent', at),
        vout: 0,
        prevout: output(null, satsOf(at) + 282),
        scriptsig: '',
        scriptsig_asm: '',
        witness: [],
        is_coinbase: false,
        sequence: 0xfffffffd,
      },
    ],
    vout: [output(address, satsOf(at))],
    status: statusOf(at),
  }
}

function heightOf(at: number): number {
  return TIP - Math.floor(at / 2)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Newest first, ten an hour. */
function statusOf(at: number) {
  const height = heightOf(at)
  return {
    confirmed: true,
    block_height: height,
    block_hash: hashOf('block', height),
    block_time: now() - Math.floor((at * DAY) / 240),
  }
}

/** A coin as the wallet has it from this server. */
export function coinOf(at: number, isInscribed: boolean) {
  const txid = hashOf('transaction', at)
  return {
    txid,
    vout: 0,
    outpoint: `${txid}:0`,
    amount: BigInt(isInscribed ? POSTAGE : satsOf(at)),
    scriptPubKey: new Uint8Array(34),
    height: heightOf(at),
  }
}

/** Spread over three orders of magnitude, the same each time. */
function satsOf(at: number): number {
  return 12_000 + ((at * 7_919_777) % 9_000_000)
}

const KINDS = { block: '0a', transaction: '0b', parent: '0c', script: '0d' }

/** Sixty-four hex digits that tell what they stand for. */
function hashOf(kind: keyof typeof KINDS, at: number): string {
  return `${KINDS[kind]}${at.toString(16).padStart(16, '0')}`.padEnd(64, '5')
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}
