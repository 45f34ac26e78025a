import { bls12_381 } from '@noble/curves/bls12-381.js'
import { AbiCoder, concat, getCreateAddress, keccak256, zeroPadValue } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { encodeHex, type Hex } from '../codec/hex.ts'
import { type CompiledContract, compileContracts } from '../testing/contracts.ts'
import { type EngineSetup, setUpEngine, WALLETS } from '../testing/engine-setup.ts'
import { toBytes } from './block-environment.ts'
import { type AccountOverride, CallError, type CallMessage } from './engine.ts'
import { builtInGenesis } from './genesis/genesis.ts'

const OWNER = (WALLETS[0]?.address.toLowerCase() ?? '') as Hex
const OTHER = (WALLETS[1]?.address.toLowerCase() ?? '') as Hex
const STRANGER: Hex = `0x${'ab'.repeat(20)}`
const SUPPLY = 10n ** 24n

/** Those of the two groups of EIP-2537, as a contract hands them over. */
const [BLS_G1, BLS_G2] = [bls12_381.G1, bls12_381.G2].map(({ Point }) => {
  const { x, y } = Point.BASE.toAffine()
  return [x, y]
    .flatMap(part => (typeof part === 'bigint' ? [part] : [part.c0, part.c1]))
    .map(part => part.toString(16).padStart(128, '0'))
    .join('')
})

/** Those of the two groups of EIP-197, as a contract hands them over. */
const GENERATORS = [
  '1',
  '2',
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2',
  '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed',
  '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b',
  '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
]
  .map(field => field.padStart(64, '0'))
  .join('')

describe('createCaller', () => {
  let setup: EngineSetup
  let contracts: { readonly [name: string]: CompiledContract }
  let token: Hex
  let probe: Hex

  beforeAll(async () => {
    contracts = compileContracts()
    setup = await setUpEngine()
    const argument = AbiCoder.defaultAbiCoder().encode(['uint256'], [SUPPLY]).slice(2)
    const produced = await setup.produce([
      await setup.sign(0, { data: contracts.Token?.initCode + argument, gasLimit: 3_000_000n }),
      await setup.sign(0, {
        data: contracts.Probe?.initCode ?? '',
        gasLimit: 5_000_000n,
        nonce: 1,
      }),
    ])
    expect(produced.receipts.map(receipt => receipt.status)).toEqual([true, true])
    const addresses = [0, 1].map(nonce => getCreateAddress({ from: OWNER, nonce }).toLowerCase())
    expect(produced.receipts.map(receipt => receipt.contractAddress)).toEqual(addresses)
    ;[token, probe] = addresses as [Hex, Hex]
  })

  function ask(name: string, contract: string, values: unknown[], rest: Partial<CallMessage> = {}) {
    const data = contracts[contract]?.abi.encodeFunctionData(name, values) as Hex
    const to = contract === 'Token' ? token : probe
    return { from: OWNER, to, value: 0n, input: toBytes(data), ...rest }
  }

  async function call(
    message: CallMessage,
    overrides: [Hex, AccountOverride][] = [],
    header = setup.head(),
  ): Promise<Hex> {
    const { returned } = await setup.engine.call(header, message, new Map(overrides))
    return encodeHex(returned)
  }

  async function fail(message: CallMessage, overrides: [Hex, AccountOverride][] = []) {
    const error = await call(message, overrides).then(
      () => null,
      (error: unknown) => error,
    )
    expect(error).toBeInstanceOf(CallError)
    const { message: text, reverted } = error as CallError
    return { text, reverted: reverted === null ? null : encodeHex(reverted) }
  }

  it('reads a balance, now and at blocks before', async () => {
    const message = ask('balanceOf', 'Token', [OWNER])
    const before = setup.head()
    expect(BigInt(await call(message))).toBe(SUPPLY)
    const data = contracts.Token?.abi.encodeFunctionData('transfer', [OTHER, 5n]) ?? ''
    const { receipts } = await setup.produce([await setup.sign(0, { to: token, data })])
    expect(receipts[0]?.status).toBe(true)
    expect(BigInt(await call(message))).toBe(SUPPLY - 5n)
    expect(BigInt(await call(message, [], before))).toBe(SUPPLY)
    expect(await call(message, [], setup.headers[0])).toBe('0x')
  })

  it('gives each frame a memory of zeros, whatever others have written and however they have ended', async () => {
    const [writer, reader] = [`0x${'c1'.repeat(20)}`, `0x${'c2'.repeat(20)}`] as [Hex, Hex]
    // 32 bytes of ff at 0 and at 0x2000, then STOP, REVERT, INVALID.
    const write = `7f${'ff'.repeat(32)}6000527f${'ff'.repeat(32)}61200052`
    for (const end of ['00', '60006000fd', 'fe']) {
      const overrides: [Hex, AccountOverride][] = [
        [writer, { code: toBytes(`0x${write}${end}`) }],
        // Calls the writer, and returns the first 0x2020 bytes of its own memory.
        [
          reader,
          { code: toBytes(`0x6000600060006000600073${writer.slice(2)}620f4240f1506120206000f3`) },
        ],
      ]
      const run = (to: Hex) =>
        call({ from: OWNER, to, value: 0n, input: toBytes('0x') }, overrides).catch(() => null)
      const zeros = `0x${'00'.repeat(0x2020)}`
      expect(await run(reader)).toBe(zeros)
      await run(writer)
      expect(await run(reader)).toBe(zeros)
    }
  })

  it('says why a call was reverted, as geth', async () => {
    const reason = await fail(ask('failWithReason', 'Probe', []))
    expect(reason.text).toBe('execution reverted: boom')
    expect(reason.reverted?.slice(0, 10)).toBe('0x08c379a0')
    expect(await fail(ask('failSilently', 'Probe', []))).toEqual({
      text: 'execution reverted',
      reverted: '0x',
    })
    const assertion = await fail(ask('failAssertion', 'Probe', [1n]))
    expect(assertion.text).toBe('execution reverted: assert(false)')
    const division = await fail(ask('divide', 'Probe', [1n, 0n]))
    expect(division.text).toBe('execution reverted: division or modulo by zero')
    const custom = await fail(ask('transfer', 'Token', [OTHER, 1n], { from: STRANGER }))
    expect(custom.text).toBe('execution reverted')
    expect(custom.reverted).toBe(
      contracts.Token?.abi.encodeErrorResult('InsufficientBalance', [STRANGER, 0n, 1n]),
    )
  })

  it('names failures of the machine as geth', async () => {
    const run = (code: string, gas = 100_000n) =>
      fail({ from: OWNER, to: STRANGER, value: 0n, input: new Uint8Array(0), gas }, [
        [STRANGER, { code: toBytes(code as Hex) }],
      ])
    const text = async (code: string, gas?: bigint) => (await run(code, gas)).text
    expect(await text('0xfe')).toBe('invalid opcode: INVALID')
    expect(await text('0x0c')).toBe('invalid opcode: opcode 0xc not defined')
    expect(await text('0x600101')).toBe('stack underflow (1 <=> 2)')
    expect(await text('0x5b5f600056')).toBe('stack limit reached 1024 (1023)')
    expect(await text('0x600356')).toBe('invalid jump destination')
    expect(await text('0x600160023e')).toBe('stack underflow (2 <=> 3)')
    expect(await text('0x6001600060003e')).toBe('return data out of bounds')
    expect(await text('0x5b600056')).toBe('out of gas')
    const point: CallMessage = {
      from: OWNER,
      to: `0x${'7'.padStart(40, '0')}`,
      value: 0n,
      input: new Uint8Array(32).fill(1),
    }
    expect(await fail(point)).toMatchObject({ text: 'bn256: malformed point', reverted: null })
    expect(await text('0x00', 20_999n)).toBe('intrinsic gas too low: have 20999, want 21000')
    const initCode = { from: OWNER, to: null, value: 0n, gas: 10_000_000n }
    expect((await fail({ ...initCode, input: toBytes('0x6160016000f3') })).text).toBe(
      'max code size exceeded',
    )
    const collision = getCreateAddress({ from: OWNER, nonce: 3 }).toLowerCase() as Hex
    expect(
      (await fail({ ...initCode, input: toBytes('0x00') }, [[collision, { nonce: 1n }]])).text,
    ).toBe('contract address collision')
  })

  it('runs init code and gives the code of the contract', async () => {
    const input = toBytes('0x600a600c600039600a6000f3602a60005260206000f3')
    expect(await call({ from: OWNER, to: null, value: 0n, input })).toBe('0x602a60005260206000f3')
  })

  it('asks for the value, and for gas where it has a price', async () => {
    const look = ask('look', 'Probe', [])
    const { abi } = contracts.Probe as CompiledContract
    const seen = abi.decodeFunctionResult(
      'look',
      await call({ ...look, value: 3n, gasPrice: 7n, gas: 100_000n }),
    )
    expect([...seen].slice(1)).toEqual([3n, 3n, 7n, setup.head().number])
    expect((await fail({ ...look, from: STRANGER, value: 1n })).text).toMatch(
      /^insufficient funds for gas \* price \+ value: address 0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB have 0 want 1$/i,
    )
    expect((await fail({ ...look, from: STRANGER, gasPrice: 1n, gas: 50_000n })).text).toContain(
      'have 0 want 50000',
    )
    expect(
      await call({ ...look, from: STRANGER, value: 1n }, [[STRANGER, { balance: 1n }]]),
    ).toMatch(/^0x/)
  })

  it('puts overrides over the state, for this call alone', async () => {
    const balance = ask('balanceOf', 'Token', [STRANGER])
    const key = AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [STRANGER, 0])
    const { keccak256 } = await import('ethers')
    const slot = keccak256(key) as Hex
    const word: Hex = `0x${'2a'.padStart(64, '0')}`
    const diff = new Map([[slot, word]])
    expect(BigInt(await call(balance, [[token, { stateDiff: diff }]]))).toBe(42n)
    expect(BigInt(await call(balance, [[token, { state: diff }]]))).toBe(42n)
    expect(BigInt(await call(balance))).toBe(0n)
    const supply = ask('totalSupply', 'Token', [])
    expect(BigInt(await call(supply, [[token, { stateDiff: diff }]]))).toBe(SUPPLY)
    expect(BigInt(await call(supply, [[token, { state: diff }]]))).toBe(0n)
    expect(BigInt(await call(supply, [[token, { state: new Map() }]]))).toBe(0n)
    expect(
      await call({ ...supply, to: STRANGER }, [
        [STRANGER, { code: toBytes('0x602a60005260206000f3') }],
      ]),
    ).toBe(word)
    const created = await call(
      { from: STRANGER, to: null, value: 0n, input: toBytes('0x3060005260206000f3') },
      [[STRANGER, { nonce: 9n }]],
    )
    expect(created.slice(-40)).toBe(
      getCreateAddress({ from: STRANGER, nonce: 9 }).slice(2).toLowerCase(),
    )
  })

  it('ends a call that takes too long, while others go on', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    const limited = await setUpEngine(undefined, { time: 300, gas: 10n ** 13n })
    const loop: CallMessage = { from: OWNER, to: STRANGER, value: 0n, input: new Uint8Array(0) }
    const code = new Map([[STRANGER, { code: toBytes('0x5b600056') }]])
    const error = await limited.engine
      .call(limited.head(), loop, code)
      .catch((error: unknown) => error)
    clearInterval(timer)
    expect(String(error)).toContain('execution aborted (timeout = 0.3s)')
    expect(ticks).toBeGreaterThan(0)
    expect(BigInt(await call(ask('totalSupply', 'Token', [])))).toBe(SUPPLY)
  })

  it.each([
    ['blake2f', 9, `0x${'fffffffe'}${'11'.repeat(208)}01`],
    // Base and modulus of eight bytes, an exponent of two million.
    [
      'modexp',
      5,
      `0x${[8, 2_000_000, 8].map(length => length.toString(16).padStart(64, '0')).join('')}${'fd'.repeat(2_000_008)}${'fb'.repeat(8)}`,
    ],
    ['pairings', 8, `0x${GENERATORS.repeat(4_000)}`],
    ['sums in G1', 0x0c, `0x${`${BLS_G1}${'fd'.repeat(32)}`.repeat(20_000)}`],
    ['sums in G2', 0x0e, `0x${`${BLS_G2}${'fd'.repeat(32)}`.repeat(10_000)}`],
    ['pairings of BLS12-381', 0x0f, `0x${`${BLS_G1}${BLS_G2}`.repeat(4_000)}`],
  ] as const)(
    'ends %s when its time is over, and lets others have theirs',
    async (_, contract, input) => {
      let ticks = 0
      const timer = setInterval(() => ticks++, 5)
      const prague = builtInGenesis('mainnet', { profile: 'prague', alloc: {} })
      const limited = await setUpEngine(prague, { time: 800, gas: 10n ** 14n })
      const to: Hex = `0x${contract.toString(16).padStart(40, '0')}`
      const message = { from: OWNER, to, value: 0n, input: toBytes(input) }
      const error = await limited.engine
        .call(limited.head(), message, new Map())
        .catch((error: unknown) => error)
      clearInterval(timer)
      expect(String(error)).toContain('execution aborted (timeout = 0.8s)')
      expect(ticks).toBeGreaterThan(0)
    },
  )

  it('keeps calls apart that run at the same time as a block', async () => {
    const data = contracts.Probe?.abi.encodeFunctionData('store', [77n]) ?? ''
    const transactions = [await setup.sign(1, { to: probe, data })]
    const [produced, ...results] = await Promise.all([
      setup.produce(transactions),
      ...Array.from({ length: 5 }, (_, i) =>
        call(ask('stored', 'Probe', [], { gas: 90_000n + BigInt(i) })),
      ),
    ])
    expect(produced.receipts[0]?.status).toBe(true)
    expect(results.map(BigInt)).toEqual([0n, 0n, 0n, 0n, 0n])
    expect(BigInt(await call(ask('stored', 'Probe', [])))).toBe(77n)
  })

  it('finds what a call touches, with which it costs what is said', async () => {
    const message = ask('transfer', 'Token', [STRANGER, 1n])
    const { accessList, gasUsed, failure } = await setup.engine.createAccessList(
      setup.head(),
      message,
    )
    // The first of its variables is a mapping from addresses.
    const storageKeys = [OWNER, STRANGER]
      .map(owner => keccak256(concat([zeroPadValue(owner, 32), zeroPadValue('0x00', 32)])))
      .sort()
    expect([accessList, failure]).toEqual([[{ address: token, storageKeys }], null])
    const outcome = await setup.engine.call(setup.head(), { ...message, accessList }, new Map())
    expect(outcome.gasUsed).toBe(gasUsed)

    const creation = { from: OWNER, to: null, value: 0n, input: toBytes('0x60015f555f5ff3') }
    const created = await setup.engine.createAccessList(setup.head(), creation)
    expect(created).toMatchObject({ accessList: [{ storageKeys: [`0x${'0'.repeat(64)}`] }] })
    const nothing = { from: OWNER, to: null, value: 0n, input: toBytes('0x5f5ff3') }
    expect(await setup.engine.createAccessList(setup.head(), nothing)).toMatchObject({
      accessList: [],
    })
  })

  describe('estimateGas', () => {
    const estimate = (message: CallMessage) =>
      setup.engine.estimateGas(setup.head(), message, new Map())

    it('is exact: a transaction with it succeeds, one with less fails', async () => {
      const messages = [
        ask('transfer', 'Token', [STRANGER, 1n]),
        ask('transfer', 'Token', [OTHER, 1n]),
        ask('store', 'Probe', [0n]),
        ask('needsGasLeft', 'Probe', []),
        ask('callOther', 'Probe', [probe, 60_000n]),
        ask('create', 'Probe', [1n]),
        ask('copy', 'Probe', ['0x1234']),
        ask('holdAndReturn', 'Probe', [5n]),
      ]
      for (const message of messages) {
        const gas = await estimate(message)
        const produceWith = async (gasLimit: bigint) => {
          const parent = setup.head()
          const template = {
            timestamp: parent.timestamp + 1n,
            miner: OTHER,
            gasLimit: 30_000_000n,
            extraData: '0x',
          } as const
          const data = encodeHex(message.input)
          return setup.engine.produceBlock(parent, template, [
            await setup.sign(0, { to: message.to, data, gasLimit }),
          ])
        }
        const good = await produceWith(gas)
        const bad = await produceWith(gas - 1n)
        expect(good.receipts[0]?.status).toBe(true)
        expect(bad.receipts[0]?.status).toBe(false)
      }
    })

    it('is 21000 for a transfer, and 53000 for an empty creation', async () => {
      const transfer = { from: OWNER, to: STRANGER, value: 1n, input: new Uint8Array(0) }
      expect(await estimate(transfer)).toBe(21_000n)
      expect(await estimate({ ...transfer, to: null })).toBe(53_000n)
    })

    it('fails as geth', async () => {
      await expect(estimate(ask('failWithReason', 'Probe', []))).rejects.toMatchObject({
        message: 'execution reverted: boom',
      })
      await expect(
        estimate(ask('transfer', 'Token', [STRANGER, 1n], { gas: 30_000n })),
      ).rejects.toThrow('gas required exceeds allowance (30000)')
      const value = { from: STRANGER, to: OWNER, value: 1n, input: new Uint8Array(0) }
      await expect(estimate({ ...value, gasPrice: 1n })).rejects.toThrow(
        'insufficient funds for transfer',
      )
      await expect(estimate(value)).rejects.toThrow('insufficient funds for gas * price + value')
      // PUSH1 1, PUSH1 0, PUSH1 0, RETURNDATACOPY
      const copy = { from: OWNER, to: null, value: 0n, input: toBytes('0x6001600060003e') }
      await expect(estimate(copy)).rejects.toThrow('return data out of bounds')
    })
  })
})
