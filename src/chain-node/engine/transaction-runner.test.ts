import { createBlock } from '@ethereumjs/block'
import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createTxFromRLP } from '@ethereumjs/tx'
import { Account, type PrefixedHexString } from '@ethereumjs/util'
import { createVM, runTx } from '@ethereumjs/vm'
import { Wallet } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { encodeHex, type Hex } from '../codec/hex.ts'
import { randomProgram } from '../testing/random-programs.ts'
import { createStateMemory } from '../testing/state-memory.ts'
import type { Header } from './block.ts'
import { toAddress, toBytes } from './block-environment.ts'
import type { Engine } from './engine.ts'
import { createEngine } from './ethereumjs-engine.ts'
import { readGenesis } from './genesis/genesis.ts'
import { createRules, type Rules } from './rules.ts'
import type { Transaction } from './transaction.ts'

/** Random blocks: more with CHAIN_NODE_FUZZ set. */
const { count: RUNS } = campaign('transactions that run')

const WALLETS = [1, 2, 3].map(i => new Wallet(`0x${String(i).padStart(64, '0')}`))
const MINER: Hex = `0x${'99'.repeat(20)}`
/** Contracts are at addresses of one byte, after the precompiled ones. */
const CONTRACTS = [0xc0, 0xc1, 0xc2]
const TARGETS = [...CONTRACTS, 0xe0, 0x01, 0x02, 0x04, 0x09]

const FORKS = [
  'homesteadBlock', 'eip150Block', 'eip155Block', 'eip158Block', 'byzantiumBlock', 'constantinopleBlock',
  'petersburgBlock', 'istanbulBlock', 'berlinBlock', 'londonBlock',
] // biome-ignore format: a list

const BLOB_SCHEDULE = {
  cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3338477 },
  prague: { target: 6, max: 9, baseFeeUpdateFraction: 5007716 },
}

const CONFIGS: readonly (readonly [string, object])[] = [
  ['Spurious Dragon', describeForks(4)],
  ['Byzantium', describeForks(5)],
  ['Istanbul', describeForks(8)],
  ['Berlin', describeForks(9)],
  ['London', describeForks(10)],
  [
    'Prague',
    {
      ...describeForks(10),
      terminalTotalDifficulty: 0,
      mergeNetsplitBlock: 0,
      shanghaiTime: 0,
      cancunTime: 0,
      pragueTime: 0,
      blobSchedule: BLOB_SCHEDULE,
    },
  ],
]

function describeForks(count: number): object {
  return Object.fromEntries(FORKS.slice(0, count).map(fork => [fork, 0]))
}

interface Plan {
  readonly sender: number
  readonly to: number | null
  readonly value: number
  readonly gas: number
  readonly input: Uint8Array
}

const plan: fc.Arbitrary<Plan> = fc.record({
  sender: fc.nat(WALLETS.length - 1),
  to: fc.option(fc.constantFrom(...TARGETS), { freq: 6 }),
  value: fc.nat(3),
  gas: fc.integer({ min: 60_000, max: 400_000 }),
  input: fc.oneof(randomProgram(TARGETS), fc.uint8Array({ maxLength: 64 })),
})

describe.each(CONFIGS)('runTransaction (%s)', (_, config) => {
  it('does what EthereumJS runTx does with random transactions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomProgram(TARGETS), { minLength: 3, maxLength: 3 }),
        fc.array(plan, { minLength: 1, maxLength: 6 }),
        async (programs, plans) => {
          const genesis = readGenesis(describeGenesis(config, programs))
          const rules = await createRules(genesis)
          const memory = createStateMemory()
          const engine = await createEngine(rules, memory.source, () => null)
          const first = await engine.createGenesis()
          memory.store(first.writes)
          const parent = first.block.header
          const transactions = signAll(engine, plans, rules)
          const produced = await engine.produceBlock(parent, TEMPLATE, transactions)
          const theirs = await runTheirs(rules, produced.block.header, produced.block.transactions)
          expect(
            produced.receipts.map(({ gasUsed, status, logs }) => ({ gasUsed, status, logs })),
          ).toEqual(theirs.receipts)
          expect(produced.block.header.stateRoot).toBe(theirs.stateRoot)
          expect(produced.refused).toEqual([])
          expect(produced.block.transactions.length).toBe(plans.length)
        },
      ),
      { numRuns: RUNS },
    )
  })
})

const TEMPLATE = { timestamp: 1000n, miner: MINER, gasLimit: 30_000_000n, extraData: '0x' } as const

function describeGenesis(config: object, programs: readonly Uint8Array[]): object {
  const alloc: { [address: string]: object } = {}
  for (const { address } of WALLETS) alloc[address.toLowerCase()] = { balance: '0xde0b6b3a7640000' }
  programs.forEach((program, i) => {
    alloc[toShortAddress(CONTRACTS[i] as number)] = {
      balance: '0x5',
      nonce: '0x1',
      code: encodeHex(program),
      storage: { [word(1)]: word(7), [word(2)]: word(9) },
    }
  })
  return {
    config: { chainId: 66, ...config },
    difficulty: '0x0',
    gasLimit: '0x1c9c380',
    alloc,
  }
}

function signAll(engine: Engine, plans: readonly Plan[], rules: Rules): Transaction[] {
  const nonces = WALLETS.map(() => 0n)
  return plans.map(({ sender, to, value, gas, input }) => {
    const nonce = nonces[sender] as bigint
    nonces[sender] = nonce + 1n
    const key = toBytes(WALLETS[sender]?.privateKey as Hex)
    const signed = engine.signTransaction(
      {
        nonce,
        to: to === null ? null : toShortAddress(to),
        value: BigInt(value),
        gas: BigInt(gas),
        gasPrice: 2_000_000_000n,
        input,
      },
      key,
    )
    expect(rules.chainId).toBe(signed.chainId)
    return signed
  })
}

async function runTheirs(rules: Rules, header: Header, transactions: readonly Transaction[]) {
  const hardfork = rules.commonAt(1n, TEMPLATE.timestamp).hardfork()
  const common = createCustomCommon({ chainId: 66 }, Mainnet, { hardfork })
  const stateManager = new MerkleStateManager({ common })
  for (const [address, account] of Object.entries(rules.genesis.alloc)) {
    const at = toAddress(address as Hex)
    await stateManager.putAccount(
      at,
      new Account(BigInt(account.nonce ?? 0), BigInt(account.balance)),
    )
    if (account.code !== undefined) await stateManager.putCode(at, toBytes(account.code))
    for (const [slot, value] of Object.entries(account.storage ?? {})) {
      await stateManager.putStorage(at, toBytes(slot as Hex), toBytes(value))
    }
  }
  const evm = await createEVM({ common, stateManager })
  const vm = await createVM({ common, stateManager, evm })
  const block = createBlock(
    {
      header: {
        number: header.number,
        timestamp: header.timestamp,
        coinbase: header.miner as PrefixedHexString,
        gasLimit: header.gasLimit,
        difficulty: 0n,
        mixHash: header.mixHash,
        ...(header.baseFeePerGas !== undefined && { baseFeePerGas: header.baseFeePerGas }),
        ...(header.excessBlobGas !== undefined && { excessBlobGas: header.excessBlobGas }),
      },
    },
    { common, skipConsensusFormatValidation: true },
  )
  const receipts = []
  for (const transaction of transactions) {
    const result = await runTx(vm, {
      tx: createTxFromRLP(transaction.raw, { common }),
      block,
      skipHardForkValidation: true,
    })
    receipts.push({
      gasUsed: result.totalGasSpent,
      status: common.gteHardfork('byzantium')
        ? result.execResult.exceptionError === undefined
        : null,
      logs: (result.execResult.logs ?? []).map(([address, topics, data]) => ({
        address: encodeHex(address),
        topics: topics.map(encodeHex),
        data: encodeHex(data),
      })),
    })
  }
  return { receipts, stateRoot: encodeHex(await stateManager.getStateRoot()) }
}

function toShortAddress(byte: number): Hex {
  return `0x${byte.toString(16).padStart(40, '0')}`
}

function word(value: number): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}
