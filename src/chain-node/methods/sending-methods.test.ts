import { Transaction, Wallet } from 'ethers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decodeHex, type Hex } from '../codec/hex.ts'
import type { Production } from '../config/config.ts'
import type { Genesis } from '../engine/genesis/genesis.ts'
import { openKeystore } from '../keystore/open-keystore.ts'
import { createGasPriceOracle } from '../sending/gas-price.ts'
import { callMethod } from '../testing/call-method.ts'
import {
  fundedGenesis,
  londonGenesis,
  MIN_GAS_PRICE,
  openNodeParts,
} from '../testing/node-parts.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import { listSendingMethods } from './sending-methods.ts'
import { listTxpoolMethods } from './txpool-methods.ts'

const OURS = new Wallet(`0x${'11'.repeat(32)}`)
const THEIRS = new Wallet(`0x${'22'.repeat(32)}`)
const POOR = new Wallet(`0x${'33'.repeat(32)}`)
const TO = '0x00000000000000000000000000000000000000aa'
const PASSPHRASE = 'correct horse'
const AUTOMINE: Production = { mode: 'automine' }
const MANUAL: Production = { mode: 'manual' }

async function setUp(
  production: Production,
  genesis: Genesis = fundedGenesis([OURS.address, THEIRS.address]),
) {
  const folder = createTemporaryFolder()
  const parts = await openNodeParts({ folder: `${folder}/chain`, genesis, production })
  const keystore = await openKeystore({ folder: `${folder}/keys`, scrypt: 'light' })
  onTestFinished(() => keystore.close())
  await keystore.importKey(decodeHex(OURS.privateKey as Hex), PASSPHRASE)
  const oracle = createGasPriceOracle({ ...parts, minimum: MIN_GAS_PRICE })
  const services = {
    ...parts,
    keystore,
    oracle,
    unprotected: false,
    isImpersonated: () => false,
  }
  const table = { ...listSendingMethods(services), ...listTxpoolMethods(services) }
  const call = (method: string, ...params: unknown[]) => callMethod(table, method, ...params)
  const unlock = () => keystore.unlock(OURS.address.toLowerCase() as Hex, PASSPHRASE, 0)
  const send = async (object: object) => {
    const { result, error } = await call('eth_sendTransaction', object)
    if (typeof result !== 'string') throw new Error(error?.message)
    return result as Hex
  }
  return { ...parts, keystore, call, unlock, send }
}

const transfer = {
  type: 0,
  chainId: 66n,
  nonce: 0,
  to: TO,
  value: 5n,
  gasLimit: 21_000n,
  gasPrice: MIN_GAS_PRICE,
}

const refusal = (code: number, message: string) => ({ error: { code, message } })

describe('eth_sendRawTransaction', () => {
  it('answers the hash once the transaction is in a block', async () => {
    const { call, chain } = await setUp(AUTOMINE)
    const raw = await THEIRS.signTransaction(transfer)
    const { hash } = Transaction.from(raw)
    expect(await call('eth_sendRawTransaction', raw)).toEqual({ result: hash })
    expect(chain.findTransaction(hash as Hex)?.header.number).toBe(1n)
    expect(JSON.parse(chain.receiptJson(hash as Hex) ?? '')).toMatchObject({ status: '0x1' })
    expect(await call('eth_sendRawTransaction', raw)).toEqual(refusal(-32000, 'nonce too low'))
  })

  it('takes what reverts, and has it mined with status 0', async () => {
    const { call, chain } = await setUp(AUTOMINE)
    // PUSH1 0 PUSH1 0 REVERT as init code.
    const creation = { ...transfer, to: null, data: '0x60006000fd', gasLimit: 100_000n }
    const { result } = await call('eth_sendRawTransaction', await THEIRS.signTransaction(creation))
    expect(JSON.parse(chain.receiptJson(result as Hex) ?? '')).toMatchObject({ status: '0x0' })
  })

  it('answers at once where there is a gap before the nonce', async () => {
    const { call, chain } = await setUp(AUTOMINE)
    const later = await THEIRS.signTransaction({ ...transfer, nonce: 1 })
    await call('eth_sendRawTransaction', later)
    expect(chain.head().number).toBe(0n)
    await call('eth_sendRawTransaction', await THEIRS.signTransaction(transfer))
    expect(await call('txpool_status')).toEqual({ result: { pending: '0x0', queued: '0x0' } })
    expect(chain.findTransaction(Transaction.from(later).hash as Hex)).not.toBeNull()
  })

  it('refuses as geth does', async () => {
    const { call } = await setUp(MANUAL)
    const cases = [
      [THEIRS, { chainId: 65n }, 'invalid sender'],
      [THEIRS, { chainId: 0n }, 'only replay-protected (EIP-155) transactions allowed over RPC'],
      [THEIRS, { gasLimit: 20_999n }, 'intrinsic gas too low'],
      [THEIRS, { gasLimit: 30_000_001n }, 'exceeds block gas limit'],
      [THEIRS, { gasPrice: MIN_GAS_PRICE - 1n }, 'transaction underpriced'],
      [THEIRS, { gasLimit: 3_000_000n, data: `0x${'00'.repeat(131_072)}` }, 'oversized data'],
      [POOR, {}, 'insufficient funds for gas * price + value'],
      [
        THEIRS,
        { type: 2, gasPrice: null, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
        'transaction type not supported',
      ],
    ] as const
    for (const [wallet, change, message] of cases) {
      const raw = await wallet.signTransaction({ ...transfer, ...change })
      expect(await call('eth_sendRawTransaction', raw)).toEqual(refusal(-32000, message))
    }
  })

  it('refuses what is known or pays too little more than what it would replace', async () => {
    const { call } = await setUp(MANUAL)
    const raw = await THEIRS.signTransaction(transfer)
    await call('eth_sendRawTransaction', raw)
    expect(await call('eth_sendRawTransaction', raw)).toEqual(refusal(-32000, 'already known'))
    const next = await THEIRS.signTransaction({ ...transfer, value: 6n })
    expect(await call('eth_sendRawTransaction', next)).toEqual(
      refusal(-32000, 'replacement transaction underpriced'),
    )
    expect(await call('eth_sendRawTransaction', '0x')).toMatchObject({ error: { code: -32000 } })
    expect(await call('eth_sendRawTransaction', '0xabc')).toMatchObject({ error: { code: -32602 } })
  })
})

describe('eth_sendTransaction', () => {
  const from = OURS.address

  it('fills in what is missing: gas 90000, the price of eth_gasPrice, the next nonce, no value', async () => {
    const { send, unlock, chain } = await setUp(AUTOMINE)
    await unlock()
    const hash = await send({ from, to: TO })
    expect(chain.findTransaction(hash)?.transaction).toMatchObject({
      type: 0,
      chainId: 66n,
      from: from.toLowerCase(),
      nonce: 0n,
      gas: 90_000n,
      gasPrice: MIN_GAS_PRICE,
      value: 0n,
    })
    const raw = Buffer.from(chain.findTransaction(hash)?.transaction.raw ?? []).toString('hex')
    // By a second implementation: the signature is the account's.
    expect(Transaction.from(`0x${raw}`)).toMatchObject({ from, hash, nonce: 0 })
  })

  it('estimates a creation whose gas is not named, for whoever may send it', async () => {
    const { call, send, unlock, chain } = await setUp(AUTOMINE)
    // Creates a contract of 1,000 zero bytes, which costs 200,000 beside the 53,000 of any creation.
    const data = '0x6103e85ff3'
    expect(await call('eth_sendTransaction', { from, data })).toEqual(
      refusal(-32000, 'authentication needed: password or unlock'),
    )
    await unlock()
    for (const hash of [
      await send({ from, data }),
      (await call('personal_sendTransaction', { from, data }, PASSPHRASE)).result as Hex,
    ]) {
      expect(JSON.parse(chain.receiptJson(hash) ?? '')).toMatchObject({ status: '0x1' })
      const gas = chain.findTransaction(hash)?.transaction.gas ?? 0n
      expect(gas).toBeGreaterThan(253_000n)
      expect(gas).toBeLessThan(270_000n)
    }
    // REVERT with nothing.
    expect(await call('eth_sendTransaction', { from, data: '0x5f5ffd' })).toMatchObject({
      error: { code: 3, message: 'execution reverted' },
    })
  })

  it('takes gasLimit for gas, input for data, and names in any case', async () => {
    const { send, unlock, chain } = await setUp(AUTOMINE)
    await unlock()
    const hash = await send({ from, to: TO, gasLimit: '0x7530', INPUT: '0xabcd', value: null })
    const { gas, input } = chain.findTransaction(hash)?.transaction ?? {}
    expect([gas, Buffer.from(input ?? [])]).toEqual([30_000n, Buffer.from('abcd', 'hex')])
  })

  it('gives nonces without a hole or a double to sends at once, with and without a passphrase', async () => {
    const { call, unlock, chain, engine, faults } = await setUp(AUTOMINE)
    await unlock()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 10 === 0
          ? call('personal_sendTransaction', { from, to: TO, value: '0x1' }, PASSPHRASE)
          : call('eth_sendTransaction', { from, to: TO, value: '0x1' }),
      ),
    )
    expect(answers.filter(({ error }) => error)).toEqual([])
    expect(new Set(answers.map(({ result }) => result)).size).toBe(40)
    const address = from.toLowerCase() as Hex
    expect(engine.readAccount(chain.head().stateRoot, address)?.nonce).toBe(40n)
    expect(engine.readAccount(chain.head().stateRoot, TO)?.balance).toBe(40n)
    expect(faults).toEqual([])
  })

  it('replaces a pooled one whose nonce is named', async () => {
    const { call, send, unlock, pool } = await setUp(MANUAL)
    await unlock()
    await send({ from, to: TO, nonce: '0x0', gasPrice: '0x3e8' })
    expect(
      await call('eth_sendTransaction', { from, to: TO, nonce: '0x0', gasPrice: '0x44b' }),
    ).toEqual(refusal(-32000, 'replacement transaction underpriced'))
    const hash = await send({ from, to: TO, nonce: '0x0', gasPrice: '0x44c' })
    expect([...pool.candidates()].map(one => one.hash)).toEqual([hash])
  })

  it('refuses as geth does', async () => {
    const { call, unlock } = await setUp(MANUAL)
    await unlock()
    const cases: readonly [unknown, number, string][] = [
      [{ to: TO }, -32602, 'invalid argument 0: missing field from: the address of the sender'],
      [
        { from, to: TO, gas: '0x1', gasLimit: '0x2' },
        -32602,
        'invalid argument 0: both gas and gasLimit are set and not equal',
      ],
      [
        { from, to: '0x12' },
        -32602,
        'invalid argument 0: field to: hex string has length 2, want 40 for common.Address',
      ],
      [
        { from, to: TO, value: '0x01' },
        -32602,
        'invalid argument 0: json: cannot unmarshal hex number with leading zero digits into Go struct field TransactionArgs.value of type *hexutil.Big',
      ],
      [
        { from, to: TO, gas: 21_000 },
        -32602,
        'invalid argument 0: json: cannot unmarshal non-string into Go struct field TransactionArgs.gas of type hexutil.Uint64',
      ],
      [
        TO,
        -32602,
        'invalid argument 0: json: cannot unmarshal string into Go value of type ethapi.TransactionArgs',
      ],
      [{ from }, -32000, 'contract creation without any data provided'],
      [
        { from, to: from, authorizationList: [] },
        -32000,
        'authorizationList is not supported here: sign the transaction and use eth_sendRawTransaction',
      ],
      [{ from, data: '0x' }, -32000, 'contract creation without any data provided'],
      [
        { from, to: TO, data: '0x01', input: '0x02' },
        -32000,
        'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
      ],
      [
        { from, to: TO, chainId: '0x41' },
        -32000,
        "chainId does not match node's (have=65, want=66)",
      ],
      [
        { from, to: TO, gasPrice: '0x1', maxFeePerGas: '0x1' },
        -32000,
        'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
      ],
      [
        { from, to: TO, maxFeePerGas: '0x1' },
        -32000,
        'maxFeePerGas and maxPriorityFeePerGas are not valid before London is active',
      ],
      [{ from: THEIRS.address, to: TO }, -32000, 'unknown account'],
      [{ from, to: TO, gas: '0x5207' }, -32000, 'intrinsic gas too low'],
      [
        { from, to: TO, value: `0x${(10n ** 21n).toString(16)}` },
        -32000,
        'insufficient funds for gas * price + value',
      ],
    ]
    for (const [object, code, message] of cases) {
      expect(await call('eth_sendTransaction', object)).toEqual(refusal(code, message))
    }
  })

  it('needs the account to be unlocked', async () => {
    const { call } = await setUp(MANUAL)
    expect(await call('eth_sendTransaction', { from, to: TO })).toEqual(
      refusal(-32000, 'authentication needed: password or unlock'),
    )
  })

  it('signs with EIP-1559 where the chain has a base fee and the fields are there', async () => {
    const { send, call, unlock, chain } = await setUp(AUTOMINE, londonGenesis([from]))
    await unlock()
    const hash = await send({
      from,
      to: TO,
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: '0x7',
    })
    expect(chain.findTransaction(hash)?.transaction).toMatchObject({
      type: 2,
      gasPrice: 2_000_000_000n,
      maxPriorityFeePerGas: 7n,
    })
    // Without a highest fee: twice the base fee, and the tip.
    const baseFee = chain.head().baseFeePerGas ?? 0n
    const other = await send({ from, to: TO, maxPriorityFeePerGas: '0x9', accessList: [] })
    const taken = chain.findTransaction(other)
    expect(taken?.transaction.gasPrice).toBe(2n * (taken?.header.baseFeePerGas ?? 0n) + 9n)
    expect(taken?.header.baseFeePerGas).toBeLessThan(baseFee)
    expect(
      await call('eth_sendTransaction', {
        from,
        to: TO,
        maxFeePerGas: '0x1',
        maxPriorityFeePerGas: '0x2',
      }),
    ).toEqual(refusal(-32000, 'maxFeePerGas (1) < maxPriorityFeePerGas (2)'))
    const legacy = await send({ from, to: TO })
    expect(chain.findTransaction(legacy)?.transaction.type).toBe(0)
  })
})

describe('personal_sendTransaction', () => {
  const from = OURS.address

  it('sends with the passphrase, and leaves the account locked', async () => {
    const { call, chain } = await setUp(AUTOMINE)
    const { result } = await call('personal_sendTransaction', { from, to: TO }, PASSPHRASE)
    expect(chain.findTransaction(result as Hex)?.header.number).toBe(1n)
    expect(await call('eth_sendTransaction', { from, to: TO })).toEqual(
      refusal(-32000, 'authentication needed: password or unlock'),
    )
  })

  it('says that the passphrase is wrong before it looks at the state', async () => {
    const { call } = await setUp(AUTOMINE)
    const object = { from, to: TO, value: `0x${(10n ** 30n).toString(16)}` }
    expect(await call('personal_sendTransaction', object, 'wrong')).toEqual(
      refusal(-32000, 'could not decrypt key with given password'),
    )
    expect(await call('personal_sendTransaction', object, PASSPHRASE)).toEqual(
      refusal(-32000, 'insufficient funds for gas * price + value'),
    )
    expect(await call('personal_sendTransaction', { from, to: TO })).toMatchObject({
      error: { code: -32602 },
    })
  })
})

describe('eth_gasPrice', () => {
  it('is the least price, then what 60 of a hundred blocks’ prices are below', async () => {
    const { call, producer, chain } = await setUp(MANUAL)
    const price = async () => BigInt((await call('eth_gasPrice')).result as string)
    expect(await price()).toBe(MIN_GAS_PRICE)
    const prices = [5n, 9n, 7n, 1n, 3n].map(factor => factor * MIN_GAS_PRICE)
    for (const [nonce, gasPrice] of prices.entries()) {
      const raw = await THEIRS.signTransaction({ ...transfer, nonce, gasPrice })
      await call('eth_sendRawTransaction', raw)
      await producer.produce()
    }
    expect(chain.head().number).toBe(5n)
    // Sorted 1 3 5 7 9: the index is (5 - 1) * 60 / 100 = 2.
    expect(await price()).toBe(5n * MIN_GAS_PRICE)
    for (let block = 0; block < 20; block++) await producer.produce()
    expect(await price()).toBe(MIN_GAS_PRICE)
  })

  it('adds the base fee of the next block', async () => {
    const { call, chain, engine } = await setUp(MANUAL, londonGenesis([OURS.address]))
    const { result } = await call('eth_gasPrice')
    expect(BigInt(result as string)).toBe(MIN_GAS_PRICE + engine.nextBaseFee(chain.head()))
  })
})
