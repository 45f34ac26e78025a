import { getAddress, Transaction, Wallet } from 'ethers'
import { describe, expect, it } from 'vitest'
import { decodeHex, type Hex } from '../codec/hex.ts'
import { callMethod } from '../testing/call-method.ts'
import { fundedGenesis, openNodeParts } from '../testing/node-parts.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import { listTxpoolMethods } from './txpool-methods.ts'

const WALLETS = ['44', '55'].map(byte => new Wallet(`0x${byte.repeat(32)}`))
const TO = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'

async function setUp() {
  const { engine, pool, chain, producer } = await openNodeParts({
    folder: createTemporaryFolder(),
    genesis: fundedGenesis(WALLETS.map(({ address }) => address)),
    production: { mode: 'manual' },
  })
  const table = listTxpoolMethods({ chain, pool })
  const send = async (account: number, nonce: number, to: string | null) => {
    const raw = await WALLETS[account]?.signTransaction({
      type: 0,
      chainId: 66n,
      nonce,
      to,
      value: 2n,
      gasLimit: 60_000n,
      gasPrice: 11_000_000_000n,
    })
    const transaction = engine.decodeTransaction(decodeHex(raw as Hex))
    await pool.add(transaction, 'remote')
    return Transaction.from(raw)
  }
  return {
    send,
    producer,
    call: async (method: string) => (await callMethod(table, method)).result,
  }
}

describe('txpool', () => {
  it('is empty at first, with both groups', async () => {
    const { call } = await setUp()
    expect(await call('txpool_content')).toEqual({ pending: {}, queued: {} })
    expect(await call('txpool_inspect')).toEqual({ pending: {}, queued: {} })
    expect(await call('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  it('lists by checksummed sender and decimal nonce, with text or whole transactions', async () => {
    const { send, call, producer } = await setUp()
    const first = await send(0, 0, TO)
    await send(0, 1, null)
    const queued = await send(0, 12, TO)
    await send(1, 3, TO)
    const [one, other] = WALLETS.map(({ address }) => address)
    if (!one || !other) throw new Error('two are made')
    const text = `${getAddress(TO)}: 2 wei + 60000 gas × 11000000000 wei`
    expect(await call('txpool_inspect')).toEqual({
      pending: {
        [one]: { 0: text, 1: 'contract creation: 2 wei + 60000 gas × 11000000000 wei' },
      },
      queued: { [one]: { 12: text }, [other]: { 3: text } },
    })
    expect(await call('txpool_content')).toMatchObject({
      pending: {
        [one]: {
          0: {
            blockHash: null,
            blockNumber: null,
            transactionIndex: null,
            from: one.toLowerCase(),
            to: TO,
            hash: first.hash,
            nonce: '0x0',
            gas: '0xea60',
            gasPrice: '0x28fa6ae00',
            value: '0x2',
            input: '0x',
          },
          1: { to: null },
        },
      },
      queued: { [one]: { 12: { hash: queued.hash, nonce: '0xc' } } },
    })
    expect(await call('txpool_status')).toEqual({ pending: '0x2', queued: '0x2' })
    await producer.produce()
    expect(await call('txpool_status')).toEqual({ pending: '0x0', queued: '0x2' })
  })
})
