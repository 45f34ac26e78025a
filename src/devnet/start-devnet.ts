import { type Admin, adminError, adminRoutes } from './admin/admin-routes.ts'
import { createFaucet } from './admin/faucet.ts'
import { DEFAULT_PRICES } from './admin/prices.ts'
import type { ReorgResult } from './admin/reorg-result.ts'
import { followAtomicals } from './atomicals/atomicals-follower.ts'
import { mintRoutes } from './atomicals/mint-routes.ts'
import { createMinter } from './atomicals/minter.ts'
import { proxyRoutes } from './atomicals/proxy-routes.ts'
import { startBitcoind } from './bitcoind/bitcoind.ts'
import { findBitcoind } from './bitcoind/bitcoind-binary.ts'
import { createClock } from './bitcoind/clock.ts'
import type { Rpc } from './bitcoind/rpc.ts'
import { opiRoutes } from './brc20/opi-routes.ts'
import { unisatRoutes } from './brc20/unisat-routes.ts'
import { formatAddress, parseAddress } from './chain/script.ts'
import { addressRoutes } from './esplora/address-routes.ts'
import { blockRoutes } from './esplora/block-routes.ts'
import { broadcastRoutes } from './esplora/broadcast-routes.ts'
import { mempoolRoutes } from './esplora/mempool-routes.ts'
import { transactionRoutes } from './esplora/transaction-routes.ts'
import { lieRoutes } from './lies/lie-routes.ts'
import { createLies } from './lies/lies.ts'
import { lieInRoutes } from './lies/lying-routes.ts'
import { DEFAULT_FEE_RATES } from './mempool/fees.ts'
import { createLocalNetwork, type LocalNetwork } from './mempool/local-network.ts'
import { loadPool, savePool } from './mempool/pool-file.ts'
import { mempoolSpaceRoutes } from './mempool-space/routes.ts'
import { createWebsocket } from './mempool-space/websocket.ts'
import { inscribeRoutes } from './ord/inscribe-routes.ts'
import { createInscriber } from './ord/inscriber.ts'
import { followOrd } from './ord/ord-follower.ts'
import { ordRoutes } from './ord/ord-routes.ts'
import { createFaults } from './server/faults.ts'
import type { Route } from './server/http.ts'
import { assertLoopback, startServer } from './server/server.ts'

/** Past coinbase maturity, and at ord's jubilee on regtest. */
const FIRST_BLOCKS = 110
/** A P2WPKH of an unknown key, so that blocks of a reorg differ from those they replace. */
const REORG_SCRIPT = Uint8Array.of(0, 20, ...new Uint8Array(20).fill(0xde))
const FOLLOW_TIMEOUT_MS = 5_000

export interface DevnetOptions {
  /** 0, or absent, for any free port. */
  port?: number
  /** Only 127.0.0.1 is accepted. */
  host?: string
  /** Keeps the chain between runs; without it the chain is deleted when devnet stops. */
  dataDir?: string
  /** ord's index keeps the numbers of sats, as with its `--index-sats`. */
  indexSats?: boolean
  onProgress?: (line: string) => void
}

export interface Devnet {
  /** `http://127.0.0.1:PORT` */
  url: string
  /** Base of the Esplora interface; mempool.space's own calls are under its `/v1`. */
  esploraUrl: string
  /** Base of another Esplora of the same node, which tells no lies. */
  secondUrl: string
  websocketUrl: string
  /** Base of ord's interface. */
  ordUrl: string
  /** Base of OPI's interface for BRC-20. */
  opiUrl: string
  /** Base of UniSat's Open API for BRC-20; its key is `devnet`. */
  unisatUrl: string
  /** Base of atomicals-electrumx' HTTP proxy. */
  atomicalsUrl: string
  /** Pays an address and mines a block unless `confirm` is false; resolves the txid. */
  faucet(address: string, sats: bigint | number, confirm?: boolean): Promise<string>
  /** Mines blocks with the mempool in the first; resolves their hashes. */
  mine(blocks?: number, address?: string): Promise<string[]>
  /** Takes `depth` blocks off and mines `blocks` empty ones instead (one more than it took, unless given). */
  reorg(depth: number, blocks?: number): Promise<ReorgResult>
  /** Calls the node, whose own mempool stays empty. */
  rpc: Rpc
  /** Stops the servers and the node. */
  stop(): Promise<void>
}

/** Starts a regtest node with its index servers; resolves when everything answers. */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  assertLoopback(options.host ?? '127.0.0.1')
  const onProgress = options.onProgress ?? (() => undefined)
  const binary = await findBitcoind(onProgress)
  onProgress(`Starting bitcoind (${binary.isKnots ? 'Knots' : 'Core'} ${binary.major})`)
  const node = await startBitcoind(binary, options.dataDir)
  const { rpc } = node
  try {
    const clock = createClock(rpc)
    const network = createLocalNetwork(rpc, node.isKnots, clock)
    const ord = followOrd(network, options.indexSats ?? false)
    const atomicals = followAtomicals(network)
    const faucet = createFaucet(network)
    const height = await rpc<number>('getblockcount')
    if (height < FIRST_BLOCKS) {
      onProgress(`Mining ${FIRST_BLOCKS - height} blocks`)
      await rpc('generatetoaddress', [FIRST_BLOCKS - height, faucet.address])
    }
    onProgress('Reading the chain')
    await network.sync()
    if (options.dataDir) await loadPool(network, options.dataDir)

    const mine = (blocks = 1, address = faucet.address) => network.mine(blocks, address)
    const reorg = async (depth: number, blocks = depth + 1) => ({
      disconnected: await network.disconnect(depth),
      connected: await network.mine(blocks, formatAddress(REORG_SCRIPT) ?? faucet.address, true),
    })
    const feeRates = { ...DEFAULT_FEE_RATES }
    const prices = { ...DEFAULT_PRICES }
    const faults = createFaults()
    const hits = new Map<string, number>()
    const admin: Admin = { network, faucet, faults, clock, feeRates, prices, hits, mine, reorg }
    const esploraOf = (seen: LocalNetwork) => [
      ...addressRoutes(seen),
      ...transactionRoutes(seen),
      ...blockRoutes(seen, rpc),
      ...mempoolRoutes(seen, () => feeRates),
      ...broadcastRoutes(seen),
    ]
    const lies = createLies(network)
    const esplora = lieInRoutes(network, lies, esploraOf(network))
    const websocket = createWebsocket(network, () => feeRates)
    const server = await startServer({
      routes: [
        ...adminRoutes(admin),
        ...lieRoutes(lies),
        ...inscribeRoutes(createInscriber(network, faucet, ord.index)),
        ...mintRoutes(createMinter(network, faucet, atomicals.index)),
        ...withPrefix(
          '/api/v1',
          mempoolSpaceRoutes(
            network,
            () => feeRates,
            () => ({ time: clock.now(), ...prices }),
          ),
        ),
        ...withPrefix('/api', esplora),
        // mempool.space serves Esplora's calls under both prefixes.
        ...withPrefix('/api/v1', esplora),
        ...withPrefix('/second', esploraOf(asOthersSee(network))),
        ...withPrefix('/ord', ordRoutes(network, rpc, ord)),
        ...withPrefix('/opi', opiRoutes(ord)),
        ...withPrefix('/unisat', unisatRoutes(network, ord)),
        ...withPrefix('/atomicals', proxyRoutes(network, atomicals)),
      ],
      faults,
      hits,
      toHttpError: adminError,
      port: options.port ?? 0,
      upgrade: { path: '/api/v1/ws', accept: websocket.accept },
    })
    const url = `http://127.0.0.1:${server.port}`
    let isStopping = false
    const followed = follow()
    let stopped: Promise<void> | null = null

    /** Sees blocks that someone mined through `rpc`. */
    async function follow(): Promise<void> {
      while (!isStopping) {
        try {
          await rpc('waitfornewblock', [FOLLOW_TIMEOUT_MS])
          if (!isStopping) await network.sync()
        } catch {
          if (!isStopping) await new Promise(resolve => setTimeout(resolve, 1000))
        }
      }
    }

    async function stop(): Promise<void> {
      isStopping = true
      websocket.close()
      await server.close()
      if (options.dataDir) await savePool(network, options.dataDir)
      await node.stop()
      await followed
    }

    return {
      url,
      esploraUrl: `${url}/api`,
      secondUrl: `${url}/second`,
      websocketUrl: `ws://127.0.0.1:${server.port}/api/v1/ws`,
      ordUrl: `${url}/ord`,
      opiUrl: `${url}/opi`,
      unisatUrl: `${url}/unisat`,
      atomicalsUrl: `${url}/atomicals/proxy`,
      async faucet(address, sats, confirm = true) {
        const script = parseAddress(address)
        if (!script) throw new RangeError(`${address} is not a regtest address`)
        const txid = await faucet.pay(script, BigInt(sats))
        if (confirm) await mine()
        return txid
      },
      mine,
      reorg,
      rpc,
      stop() {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await node.stop()
    throw error
  }
}

/** Without what is kept back, until it is handed over here too. */
function asOthersSee(network: LocalNetwork): LocalNetwork {
  return {
    ...network,
    pool: network.passedOn,
    async submit(hex, options) {
      const record = await network.submit(hex, options)
      network.passOn(record.txid)
      return record
    },
  }
}

function withPrefix(prefix: string, routes: readonly Route[]): Route[] {
  return routes.map(route => ({ ...route, path: prefix + route.path }))
}
