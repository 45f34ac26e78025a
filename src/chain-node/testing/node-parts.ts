import { onTestFinished } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { openChain } from '../chain/level-chain.ts'
import { decodeHex, type Hex } from '../codec/hex.ts'
import type { Production } from '../config/config.ts'
import type { Engine } from '../engine/engine.ts'
import { createEngine } from '../engine/ethereumjs-engine.ts'
import { builtInGenesis, type Genesis, readGenesis } from '../engine/genesis/genesis.ts'
import { createRules } from '../engine/rules.ts'
import type { Pool } from '../pool/pool.ts'
import { createPool } from '../pool/transaction-pool.ts'
import { createProducer } from '../producer/block-producer.ts'
import type { Producer } from '../producer/producer.ts'
import { openStore } from '../store/level-store.ts'
import { stateSource } from '../store/state-source.ts'

/** The parts of a node that has no server, on a folder. */
export interface NodeParts {
  readonly engine: Engine
  readonly chain: Chain
  readonly pool: Pool
  readonly producer: Producer
  readonly faults: unknown[]
  readonly refused: string[]
  close(): Promise<void>
}

export const MIN_GAS_PRICE = 100_000_000n

/** Opens all of it for one test. */
export async function openNodeParts(options: {
  readonly folder: string
  readonly genesis: Genesis
  readonly production: Production
}): Promise<NodeParts> {
  const store = await openStore(options.folder)
  const rules = await createRules(options.genesis)
  const opened: { chain: Chain | null } = { chain: null }
  const engine = await createEngine(rules, stateSource(store), number => {
    const hash = opened.chain?.findHeader(number)?.hash
    return hash === undefined ? null : decodeHex(hash)
  })
  const genesis = await engine.createGenesis()
  const chain = await openChain({ store, engine, genesis, shape: rules.shape })
  opened.chain = chain
  const faults: unknown[] = []
  const refused: string[] = []
  const onFault = (error: unknown) => faults.push(error)
  const pool = await createPool({ engine, chain, store, minGasPrice: MIN_GAS_PRICE, onFault })
  const producer = createProducer({
    engine,
    chain,
    pool,
    production: options.production,
    miner: `0x${'cb'.repeat(20)}`,
    onFault,
    onRefused: (_, reason) => refused.push(reason),
  })
  let isOpen = true
  async function close(): Promise<void> {
    if (!isOpen) return
    isOpen = false
    await producer.stop()
    await pool.close()
    await store.close()
  }
  onTestFinished(close)
  return { engine, chain, pool, producer, faults, refused, close }
}

/** The specification's network, where each of the addresses has a thousand coins. */
export function fundedGenesis(addresses: readonly string[]): Genesis {
  return builtInGenesis('mainnet', { profile: 'default', alloc: fund(addresses) })
}

/** The same with London's fees. */
export function londonGenesis(addresses: readonly string[]): Genesis {
  return readGenesis({
    config: {
      chainId: 66,
      homesteadBlock: 0,
      eip150Block: 0,
      eip155Block: 0,
      eip158Block: 0,
      byzantiumBlock: 0,
      constantinopleBlock: 0,
      petersburgBlock: 0,
      istanbulBlock: 0,
      berlinBlock: 0,
      londonBlock: 0,
    },
    difficulty: '0x0',
    gasLimit: '0x1c9c380',
    baseFeePerGas: '0x3b9aca00',
    alloc: fund(addresses),
  })
}

function fund(addresses: readonly string[]): { [address: Hex]: { balance: Hex } } {
  const balance: Hex = `0x${(1000n * 10n ** 18n).toString(16)}`
  return Object.fromEntries(addresses.map(address => [address.toLowerCase(), { balance }]))
}
