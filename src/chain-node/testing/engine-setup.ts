import { Wallet } from 'ethers'
import type { Hex } from '../codec/hex.ts'
import type { Block, ExecutedBlock, Header } from '../engine/block.ts'
import { toBytes } from '../engine/block-environment.ts'
import type { CallLimits } from '../engine/calls.ts'
import type { Engine, ProducedBlock } from '../engine/engine.ts'
import { createEngine } from '../engine/ethereumjs-engine.ts'
import { builtInGenesis, type Genesis } from '../engine/genesis/genesis.ts'
import { createRules } from '../engine/rules.ts'
import type { Transaction } from '../engine/transaction.ts'
import { createStateMemory } from './state-memory.ts'

export const MINER: Hex = `0x${'99'.repeat(20)}`

/** Ten accounts with 1000 coins each, by ethers. */
export const WALLETS = Array.from(
  { length: 10 },
  (_, i) => new Wallet(`0x${(i + 1).toString(16).padStart(64, '0')}`),
)

export interface EngineSetup {
  readonly engine: Engine
  /** Newest last. */
  readonly headers: Header[]
  head(): Header
  /** Signs with ethers. */
  sign(wallet: number, fields: SignedFields): Promise<Transaction>
  produce(candidates: readonly Transaction[], gasLimit?: bigint): Promise<ProducedBlock>
  execute(block: Block): Promise<ExecutedBlock>
}

export interface SignedFields {
  readonly to?: string | null
  readonly value?: bigint
  readonly data?: string
  readonly gasLimit?: bigint
  readonly gasPrice?: bigint
  readonly nonce?: number
}

/** An engine over a chain in memory. */
export async function setUpEngine(
  genesis: Genesis = builtInGenesis('mainnet', { profile: 'default', alloc: listAlloc() }),
  limits?: Partial<CallLimits>,
): Promise<EngineSetup> {
  const memory = createStateMemory()
  const headers: Header[] = []
  const blocks = new Map<Hex, Block>()
  const rules = await createRules(genesis)
  const engine = await createEngine(
    rules,
    memory.source,
    number => {
      const header = headers[Number(number)]
      return header === undefined ? null : toBytes(header.hash)
    },
    limits,
  )

  function append<T extends ExecutedBlock>(executed: T): T {
    memory.store(executed.writes)
    headers.push(executed.block.header)
    blocks.set(executed.block.header.hash, executed.block)
    return executed
  }

  function head(): Header {
    return headers[headers.length - 1] as Header
  }

  append(await engine.createGenesis())
  return {
    engine,
    headers,
    head,
    async sign(wallet, fields) {
      const signer = WALLETS[wallet] as Wallet
      const account = engine.readAccount(head().stateRoot, signer.address.toLowerCase() as Hex)
      const raw = await signer.signTransaction({
        type: 0,
        chainId: engine.chainId,
        nonce: fields.nonce ?? Number(account?.nonce ?? 0n),
        gasPrice: fields.gasPrice ?? 1_000_000_000n,
        gasLimit: fields.gasLimit ?? 1_000_000n,
        ...(fields.to !== undefined && { to: fields.to }),
        value: fields.value ?? 0n,
        data: fields.data ?? '0x',
      })
      return engine.decodeTransaction(toBytes(raw as Hex))
    },
    async produce(candidates, gasLimit = 30_000_000n) {
      const parent = head()
      const template = {
        timestamp: parent.timestamp + 1n,
        miner: MINER,
        gasLimit,
        extraData: '0x',
      } as const
      return append(await engine.produceBlock(parent, template, candidates))
    },
    async execute(block) {
      return append(await engine.executeBlock(head(), block, hash => blocks.get(hash) ?? null))
    },
  }
}

export function listAlloc(): Genesis['alloc'] {
  return Object.fromEntries(
    WALLETS.map(({ address }) => [
      address.toLowerCase(),
      { balance: `0x${(1000n * 10n ** 18n).toString(16)}` as Hex },
    ]),
  )
}
