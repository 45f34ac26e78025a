import { paramsBlock } from '@ethereumjs/block'
import { Common, type ParamsDict } from '@ethereumjs/common'
import { createEVM, paramsEVM } from '@ethereumjs/evm'
import { paramsTx } from '@ethereumjs/tx'
import { paramsVM } from '@ethereumjs/vm'
import { describe, expect, it } from 'vitest'
import { readExecutionApisGenesis } from '../testing/execution-apis.ts'
import { FORK_PARAMS } from './genesis/fork-params.ts'
import { builtInGenesis, readGenesis } from './genesis/genesis.ts'
import { createRules } from './rules.ts'

const DEFAULT = await createRules(builtInGenesis('mainnet', { profile: 'default', alloc: {} }))
const ISTANBUL = await createRules(builtInGenesis('mainnet', { profile: 'istanbul', alloc: {} }))

/** One block, or ten seconds, for each fork. */
const TIMES = {
  cancunTime: 150,
  pragueTime: 160,
  osakaTime: 170,
  bpo1Time: 180,
  bpo2Time: 190,
  bpo3Time: 200,
}
const EVERY_FORK = {
  config: {
    chainId: 7,
    homesteadBlock: 1,
    daoForkBlock: 2,
    daoForkSupport: true,
    eip150Block: 3,
    eip155Block: 4,
    eip158Block: 4,
    byzantiumBlock: 5,
    constantinopleBlock: 6,
    petersburgBlock: 7,
    istanbulBlock: 8,
    muirGlacierBlock: 9,
    berlinBlock: 10,
    londonBlock: 11,
    arrowGlacierBlock: 12,
    grayGlacierBlock: 13,
    mergeNetsplitBlock: 14,
    terminalTotalDifficulty: 1,
    shanghaiTime: 145,
    ...TIMES,
    blobSchedule: { bpo3: { target: 20, max: 30, baseFeeUpdateFraction: 20_609_697 } },
  },
  difficulty: 1,
  gasLimit: 30_000_000,
  alloc: {},
}
const every = await createRules(readGenesis(EVERY_FORK))

describe('the rules of a block', () => {
  it.each([
    [0n, 0n, 'chainstart'],
    [1n, 10n, 'homestead'],
    [2n, 20n, 'dao'],
    [3n, 30n, 'tangerineWhistle'],
    [4n, 40n, 'spuriousDragon'],
    [5n, 50n, 'byzantium'],
    [6n, 60n, 'constantinople'],
    [7n, 70n, 'petersburg'],
    [8n, 80n, 'istanbul'],
    [9n, 90n, 'muirGlacier'],
    [10n, 100n, 'berlin'],
    [11n, 110n, 'london'],
    [12n, 120n, 'arrowGlacier'],
    [13n, 130n, 'grayGlacier'],
    [14n, 140n, 'paris'],
    [15n, 145n, 'shanghai'],
    [16n, 149n, 'shanghai'],
    [16n, 150n, 'cancun'],
    [17n, 160n, 'prague'],
    [18n, 170n, 'osaka'],
    [19n, 180n, 'bpo1'],
    [20n, 190n, 'bpo2'],
    [21n, 200n, 'bpo3'],
    [9999n, 99_999n, 'bpo3'],
  ])('at height %s and time %s are those of %s', (number, timestamp, fork) => {
    expect(every.commonAt(number, timestamp).hardfork()).toBe(fork)
  })

  it('follow the chain of execution-apis', async () => {
    const rules = await createRules(readGenesis(readExecutionApisGenesis()))
    const forkAt = (number: bigint) => rules.commonAt(number, number * 10n).hardfork()
    expect([0n, 26n, 27n, 36n, 39n, 42n, 45n, 48n, 51n, 54n].map(forkAt)).toEqual([
      'homestead',
      'berlin',
      'london',
      'paris',
      'shanghai',
      'cancun',
      'prague',
      'osaka',
      'bpo1',
      'bpo2',
    ])
  })

  it('hold the limits of blobs that the genesis gives', () => {
    const blobsAt = (timestamp: bigint) => {
      const { maxBlobGasPerBlock, targetBlobGasPerBlock, blobGasPriceUpdateFraction } = every
        .commonAt(21n, timestamp)
        .getBlobGasSchedule()
      return [
        targetBlobGasPerBlock / 131072n,
        maxBlobGasPerBlock / 131072n,
        blobGasPriceUpdateFraction,
      ]
    }
    expect(blobsAt(150n)).toEqual([3n, 6n, 3_338_477n])
    expect(blobsAt(160n)).toEqual([6n, 9n, 5_007_716n])
    expect(blobsAt(170n)).toEqual([6n, 9n, 5_007_716n])
    expect(blobsAt(180n)).toEqual([10n, 15n, 8_346_193n])
    expect(blobsAt(190n)).toEqual([14n, 21n, 11_684_671n])
    expect(blobsAt(200n)).toEqual([20n, 30n, 20_609_697n])
  })

  it('of the default profile are Berlin with legacy fees, PUSH0 and transient storage', () => {
    const common = DEFAULT.commonAt(0n, 0n)
    expect(common.hardfork()).toBe('berlin')
    expect(common.chainId()).toBe(66n)
    expect([1559, 3860, 1153, 2929, 3855].map(eip => common.isActivatedEIP(eip))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ])
    expect(DEFAULT.customOpcodes.map(({ opcode }) => opcode)).toEqual([0x5e])
  })

  it('of the istanbul profile have nothing that came later', () => {
    const common = ISTANBUL.commonAt(10n, 10n)
    expect(common.hardfork()).toBe('muirGlacier')
    expect([2929, 2930, 3855, 1153].some(eip => common.isActivatedEIP(eip))).toBe(false)
    expect(ISTANBUL.customOpcodes).toEqual([])
  })
})

describe('the shared Common', () => {
  it('is one for each fork, also for the machines that are made with it', async () => {
    const common = DEFAULT.commonAt(1n, 1n)
    expect(DEFAULT.commonAt(2n, 2n)).toBe(common)
    const machine = await createEVM({ common })
    expect(machine.common).toBe(common)
    expect(machine.shallowCopy().common).toBe(common)
    expect(common.copy()).toBe(common)
  })

  it('cannot be changed', () => {
    const common = DEFAULT.commonAt(1n, 1n)
    const message = 'the rules of berlin are shared and cannot be changed'
    expect(() => common.setHardfork('istanbul')).toThrow(message)
    expect(() => common.setHardforkBy({ blockNumber: 1n })).toThrow(message)
    expect(() => common.setEIPs([])).toThrow(message)
    expect(() => common.resetParams({})).toThrow(message)
    expect(() => common.updateParams({ 1: { txGas: 1 } })).toThrow(message)
    for (const params of [paramsEVM, paramsVM, paramsBlock, paramsTx]) {
      expect(() => common.updateParams(params)).not.toThrow()
    }
    expect(() => common.setHardfork('berlin')).not.toThrow()
    expect(Object.isFrozen(common)).toBe(true)
    expect(common.param('txGas')).toBe(21000n)
  })

  it('answers as one that EthereumJS made and filled itself', () => {
    // In this order EthereumJS's own machines fill theirs: the EVM's window of EIP-2935 is one block too long.
    const sources: ParamsDict[] = [paramsEVM, paramsVM, paramsBlock, paramsTx]
    const names = new Set(
      [paramsEVM, FORK_PARAMS].flatMap(params => Object.values(params).flatMap(Object.keys)),
    )
    let compared = 0
    for (let step = 0n; step < 20n; step++) {
      const common = every.commonAt(step, step * 10n)
      const plain = createPlainCommon(common.hardfork())
      for (const params of sources) plain.updateParams(params)
      for (const name of names) {
        expect([name, readParam(common, name)], common.hardfork()).toEqual([
          name,
          readParam(plain, name),
        ])
        compared += 1
      }
      for (const eip of [2929, 1559, 4399, 4895, 4844, 7702, 7594, 7918]) {
        expect(common.isActivatedEIP(eip), `${eip}`).toBe(plain.isActivatedEIP(eip))
      }
      expect(common.gteHardfork('london')).toBe(plain.gteHardfork('london'))
    }
    expect(compared).toBeGreaterThan(2000)
  })
})

/** The same chain in the way of EthereumJS's own chains; forks with their usual limits of blobs. */
function createPlainCommon(hardfork: string): Common {
  return new Common({
    chain: {
      name: 'plain',
      chainId: 7,
      genesis: { gasLimit: 1, difficulty: 1, nonce: '0x0000000000000000', extraData: '0x' },
      hardforks: [
        { name: 'chainstart', block: 0 },
        ...every.genesis.forks
          .filter(({ name }) => name !== 'bpo3')
          .map(fork =>
            'block' in fork
              ? { name: fork.name, block: fork.block }
              : { name: fork.name, block: null, timestamp: fork.time },
          ),
      ],
      bootstrapNodes: [],
      consensus: { type: 'pow', algorithm: 'ethash' },
    },
    hardfork,
  })
}

function readParam(common: Common, name: string): bigint | null {
  // EthereumJS gives the limits of the last forks in blobs, under other names.
  if (/BlobGasPerBlock$/.test(name) && common.gteHardfork('cancun')) {
    return common.getBlobGasSchedule()[name as 'maxBlobGasPerBlock']
  }
  try {
    return common.param(name)
  } catch {
    return null
  }
}
