import { getCreateAddress, Wallet } from 'ethers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openChain } from '../chain/level-chain.ts'
import { decodeHex, type Hex } from '../codec/hex.ts'
import { DEV_KEYS } from '../dev-accounts.ts'
import { createEngine } from '../engine/ethereumjs-engine.ts'
import { builtInGenesis } from '../engine/genesis/genesis.ts'
import { createRules } from '../engine/rules.ts'
import { createPool } from '../pool/transaction-pool.ts'
import { openStore } from '../store/level-store.ts'
import { stateSource } from '../store/state-source.ts'
import { callMethod } from '../testing/call-method.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import { listStateMethods } from './state-methods.ts'

const wallet = new Wallet(DEV_KEYS[0] as Hex)
const SENDER = wallet.address.toLowerCase() as Hex
const MINER: Hex = `0x${'3a'.repeat(20)}`
const STRANGER: Hex = `0x${'0d'.repeat(20)}`
const CONTRACT = getCreateAddress({ from: SENDER, nonce: 0 })
/** Puts 0x2a under slot 0x10, and leaves one byte of code. */
const INIT_CODE = '0x602a60105560fe60005360016000f3'

describe('state', () => {
  it('is that of the block that is asked for', async () => {
    const { call, head, genesis } = await setUp()
    const before = 10n ** 18n
    for (const block of ['earliest', '0x0', genesis.hash, { blockHash: genesis.hash }]) {
      expect(await call('eth_getBalance', SENDER, block)).toEqual({ result: hex(before) })
      expect(await call('eth_getTransactionCount', SENDER, block)).toEqual({ result: '0x0' })
      expect(await call('eth_getCode', CONTRACT, block)).toEqual({ result: '0x' })
      expect(await call('eth_getStorageAt', CONTRACT, '0x10', block)).toEqual({ result: word(0) })
    }
    const after = hex(before - head.gasUsed * 10n ** 9n)
    for (const block of [[], [null], ['latest'], ['0x1'], ['pending'], [{ blockNumber: '0x1' }]]) {
      expect(await call('eth_getBalance', SENDER, ...block)).toEqual({ result: after })
      expect(await call('eth_getTransactionCount', SENDER, ...block)).toEqual({ result: '0x1' })
      expect(await call('eth_getCode', CONTRACT, ...block)).toEqual({ result: '0xfe' })
    }
    expect(await call('eth_getBalance', MINER)).toEqual({ result: hex(head.gasUsed * 10n ** 9n) })
  })

  it('has storage under positions in every spelling', async () => {
    const { call } = await setUp()
    for (const slot of ['0x10', '10', '0x010', `0x${'10'.padStart(64, '0')}`]) {
      expect(await call('eth_getStorageAt', CONTRACT, slot, 'latest')).toEqual({
        result: word(0x2a),
      })
    }
    expect(await call('eth_getStorageAt', CONTRACT, '0', 'latest')).toEqual({ result: word(0) })
    expect(await call('eth_getStorageAt', STRANGER, '0x10', 'latest')).toEqual({ result: word(0) })
    expect(await call('eth_getStorageAt', CONTRACT, '0xasdf', 'latest')).toEqual({
      error: { code: -32602, message: 'invalid hex in storage key: "0xasdf"' },
    })
  })

  it('is empty for an account that is not there, in any case of the address', async () => {
    const { call } = await setUp()
    expect(await call('eth_getBalance', STRANGER.toUpperCase().replace('X', 'x'))).toEqual({
      result: '0x0',
    })
    expect(await call('eth_getTransactionCount', STRANGER)).toEqual({ result: '0x0' })
    expect(await call('eth_getCode', STRANGER)).toEqual({ result: '0x' })
  })

  it('counts pooled transactions for the pending block alone', async () => {
    const { call, addPooled } = await setUp()
    await addPooled(1)
    await addPooled(2)
    expect(await call('eth_getTransactionCount', SENDER, 'pending')).toEqual({ result: '0x3' })
    expect(await call('eth_getTransactionCount', SENDER, 'latest')).toEqual({ result: '0x1' })
  })

  it('of a block that is not there is an error', async () => {
    const { call } = await setUp()
    const error = { code: -32000, message: 'header not found' }
    for (const block of ['0x2', '0x7fffffffffffffff', `0x${'0d'.repeat(32)}`]) {
      expect(await call('eth_getBalance', SENDER, block)).toEqual({ error })
      expect(await call('eth_getTransactionCount', SENDER, block)).toEqual({ error })
      expect(await call('eth_getCode', SENDER, block)).toEqual({ error })
      expect(await call('eth_getStorageAt', SENDER, '0x0', block)).toEqual({ error })
    }
  })
})

/** A chain of one block, in which a contract was made. */
async function setUp() {
  const store = await openStore(createTemporaryFolder())
  onTestFinished(() => store.close())
  const alloc = { [SENDER]: { balance: hex(10n ** 18n) } }
  const rules = await createRules(builtInGenesis('mainnet', { profile: 'default', alloc }))
  const engine = await createEngine(rules, stateSource(store), () => null)
  const genesis = await engine.createGenesis()
  const chain = await openChain({ store, engine, genesis, shape: rules.shape })
  const create = engine.decodeTransaction(await sign({ data: INIT_CODE, nonce: 0 }))
  const template = { timestamp: 1n, miner: MINER, gasLimit: 30_000_000n, extraData: '0x' as Hex }
  await chain.append(await engine.produceBlock(chain.head(), template, [create]))
  const pool = await createPool({
    engine,
    chain,
    store,
    minGasPrice: 1n,
    onFault(error) {
      throw error
    },
  })
  onTestFinished(() => pool.close())
  const table = listStateMethods({ chain, engine, pool })
  return {
    call: (method: string, ...params: unknown[]) => callMethod(table, method, ...params),
    head: chain.head(),
    genesis: chain.genesis,
    async addPooled(nonce: number) {
      await pool.add(engine.decodeTransaction(await sign({ to: STRANGER, nonce })), 'local')
    },
  }
}

async function sign(fields: { to?: string; data?: string; nonce: number }): Promise<Uint8Array> {
  const transaction = { type: 0, chainId: 66, gasLimit: 200_000, gasPrice: 10n ** 9n, ...fields }
  return decodeHex((await wallet.signTransaction(transaction)) as Hex)
}

function hex(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

function word(value: number): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}
