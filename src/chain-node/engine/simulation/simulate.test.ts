import { getCreateAddress, sha256, zeroPadValue } from 'ethers'
import { describe, expect, it } from 'vitest'
import { encodeHex, type Hex } from '../../codec/hex.ts'
import { listAlloc, setUpEngine, WALLETS } from '../../testing/engine-setup.ts'
import { toBytes } from '../block-environment.ts'
import type { SimulatedBlock, SimulatedCall, SimulationOptions } from '../engine.ts'
import { builtInGenesis, readGenesis } from '../genesis/genesis.ts'

const SENDER = (WALLETS[0]?.address ?? '0x').toLowerCase() as Hex
const OTHER: Hex = `0x${'22'.repeat(20)}`
const PROGRAM: Hex = `0x${'33'.repeat(20)}`
const LATE = 1_000_000

const OPTIONS: SimulationOptions = { validation: false, traceTransfers: false }

function call(fields: Partial<SimulatedCall>): SimulatedCall {
  return { from: SENDER, to: OTHER, value: 0n, input: new Uint8Array(), ...fields }
}

function block(fields: Partial<SimulatedBlock>): SimulatedBlock {
  return { overrides: {}, stateOverrides: new Map(), calls: [], ...fields }
}

const withCode = (code: string) => new Map([[PROGRAM, { code: toBytes(`0x${code}`) }]])

/** A chain that begins with London's rules and has all forks up to Prague later. */
function forkingGenesis() {
  const names = 'homestead eip150 eip155 eip158 byzantium constantinople petersburg istanbul'
  const blocks = `${names} berlin london mergeNetsplit`.split(' ')
  return readGenesis({
    config: {
      chainId: 66,
      ...Object.fromEntries(blocks.map(name => [`${name}Block`, 0])),
      ...{ terminalTotalDifficulty: 0, shanghaiTime: LATE, cancunTime: LATE },
    },
    ...{ difficulty: '0x0', gasLimit: '0x1c9c380', baseFeePerGas: '0x7', alloc: listAlloc() },
  })
}

describe('a simulation', () => {
  it('goes on with its state where the rules change', async () => {
    const { engine, head } = await setUpEngine(forkingGenesis())
    // Gives the balance of the other account; MCOPY is none of London's.
    const balance = `73${OTHER.slice(2)}316000526020600060405e60206040f3`
    const blocks = [
      block({ calls: [call({ value: 5n })] }),
      block({ stateOverrides: withCode(balance), calls: [call({ to: PROGRAM })] }),
      block({
        overrides: { timestamp: BigInt(LATE) },
        calls: [call({ value: 6n }), call({ to: PROGRAM })],
      }),
    ]
    const results = await engine.simulate(head(), blocks, OPTIONS)
    expect(results.map(({ block }) => block.header.excessBlobGas)).toEqual([
      undefined,
      undefined,
      0n,
    ])
    expect(results[1]?.calls[0]?.failure?.message).toBe('invalid opcode: opcode 0x5e not defined')
    expect(BigInt(encodeHex(results[2]?.calls[1]?.returned ?? toBytes('0x')))).toBe(11n)
    expect(results[2]?.block.header.parentHash).toBe(results[1]?.block.header.hash)
    const hashes = results.map(({ block }) => block.header.hash)
    expect(new Set(hashes).size).toBe(3)
  })

  it('leaves the chain and its machines as they were', async () => {
    const { engine, head } = await setUpEngine()
    const [sha, moved]: Hex[] = [`0x${'2'.padStart(40, '0')}`, OTHER]
    const stateOverrides = new Map([[sha as Hex, { movePrecompileTo: moved as Hex }]])
    const input = toBytes('0x1234')
    const [result] = await engine.simulate(
      head(),
      [block({ stateOverrides, calls: [call({ input }), call({ to: sha as Hex, input })] })],
      OPTIONS,
    )
    const hashed = sha256(input)
    expect(result?.calls.map(({ returned }) => encodeHex(returned))).toEqual([hashed, '0x'])
    for (const [to, wanted] of [
      [sha, hashed],
      [moved, '0x'],
    ] as const) {
      const { returned } = await engine.call(head(), call({ to: to as Hex, input }), new Map())
      expect(encodeHex(returned)).toBe(wanted)
    }
    expect(engine.readAccount(head().stateRoot, SENDER)?.nonce).toBe(0n)
  })

  it('tells of what is paid to and by contracts, but for what is taken back', async () => {
    const { engine, head } = await setUpEngine()
    // Pays 1 to the other account and 2 to a contract that is made and destroys itself in favour of it.
    const pay = `6000600060006000600173${OTHER.slice(2)}5af150`
    const init = `73${OTHER.slice(2)}ff`
    const create = `7f${init.padEnd(64, '0')}600052601660006002f050`
    const blocks = [
      block({
        stateOverrides: withCode(`${pay}${create}`),
        calls: [call({ to: PROGRAM, value: 9n })],
      }),
      block({
        stateOverrides: withCode(`${pay}60006000fd`),
        calls: [call({ to: PROGRAM, value: 9n })],
      }),
    ]
    const results = await engine.simulate(head(), blocks, { ...OPTIONS, traceTransfers: true })
    const made = getCreateAddress({ from: PROGRAM, nonce: 0 }).toLowerCase()
    const transfers = results[0]?.calls[0]?.logs.map(({ address, topics, data }) => [
      address,
      ...topics.slice(1),
      BigInt(data),
    ])
    const coin = `0x${'ee'.repeat(20)}`
    const word = (address: string) => zeroPadValue(address, 32)
    expect(transfers).toEqual([
      [coin, word(SENDER), word(PROGRAM), 9n],
      [coin, word(PROGRAM), word(OTHER), 1n],
      [coin, word(PROGRAM), word(made), 2n],
      [coin, word(made), word(OTHER), 2n],
    ])
    expect(results[1]?.calls[0]).toMatchObject({
      logs: [],
      failure: { message: 'execution reverted' },
    })
    // The bloom is that of the logs of contracts alone.
    expect(BigInt(results[0]?.block.header.logsBloom ?? '0x1')).toBe(0n)
  })

  it('has gas for all calls together, and no more time than one call', async () => {
    const { engine, head } = await setUpEngine(undefined, { gas: 100_000n, time: 200 })
    const loop = block({ stateOverrides: withCode('5b600056'), calls: [call({ to: PROGRAM })] })
    const [first] = await engine.simulate(head(), [loop], OPTIONS)
    expect(first?.calls[0]).toMatchObject({
      gasUsed: 100_000n,
      failure: { message: "out of gas (gas limit was capped by the RPC server's global gas cap)" },
    })
    await expect(engine.simulate(head(), [loop, loop], OPTIONS)).rejects.toMatchObject({
      code: -38013,
      message: 'err: intrinsic gas too low: have 0, want 21000 (supplied gas 0)',
    })
    const { engine: rich } = await setUpEngine(undefined, { gas: 10n ** 12n, time: 200 })
    const overrides = { gasLimit: 10n ** 12n }
    await expect(rich.simulate(head(), [{ ...loop, overrides }], OPTIONS)).rejects.toThrow(
      'execution aborted (timeout = 0.2s)',
    )
  })

  it('refuses blobs that nobody can have, or pay for', async () => {
    const { engine, head } = await setUpEngine(
      builtInGenesis('mainnet', { profile: 'prague', alloc: listAlloc() }),
    )
    const refuse = (fields: Partial<SimulatedCall>, overrides = {}, options = OPTIONS) => {
      const blocks = [block({ overrides, calls: [call({ gas: 30_000n, ...fields })] })]
      return expect(engine.simulate(head(), blocks, options)).rejects
    }
    const blobVersionedHashes: Hex[] = [`0x01${'00'.repeat(31)}`]
    const from = OTHER
    await refuse({ blobVersionedHashes, to: null }).toThrow('blob transaction of type create')
    await refuse({ blobVersionedHashes: [] }).toThrow('blob transaction missing blob hashes')
    await refuse({ blobVersionedHashes: [`0x02${'00'.repeat(31)}`] }).toThrow(
      'blob 0 has invalid hash version',
    )
    await refuse({ blobVersionedHashes, from }).toMatchObject({
      code: -38014,
      message: expect.stringContaining('have 0 want 131072'),
    })
    const rich = { maxFeePerBlobGas: 6n, blobVersionedHashes }
    await refuse(rich, { blobBaseFee: 7n }).toThrow('blobGasFeeCap: 6, blobBaseFee: 7')
    await refuse({ authorizationList: [] }).toThrow('EIP-7702 transaction with empty auth list')
  })

  it('has at most 256 blocks and 5,000 calls in one, in the order of their numbers and times', async () => {
    const { engine, head } = await setUpEngine()
    const refuse = (blocks: SimulatedBlock[]) =>
      expect(engine.simulate(head(), blocks, OPTIONS)).rejects
    await refuse([]).toMatchObject({ code: -32602 })
    await refuse(Array.from({ length: 257 }, () => block({}))).toMatchObject({ code: -38026 })
    await refuse([block({ overrides: { number: 257n } })]).toMatchObject({ code: -38026 })
    const calls = Array.from({ length: 5_001 }, () => call({}))
    await refuse([block({ calls })]).toMatchObject({ code: -38026 })
    await refuse([block({ overrides: { number: 0n } })]).toMatchObject({ code: -38020 })
    await refuse([block({ overrides: { timestamp: 0n } })]).toMatchObject({ code: -38021 })
    const [first, , third] = await engine.simulate(
      head(),
      [block({}), block({ overrides: { number: 3n } })],
      OPTIONS,
    )
    expect([first?.block.header.timestamp, third?.block.header.timestamp]).toEqual([12n, 36n])
  })
})
