import { describe, expect, it } from 'vitest'
import { readExecutionApisGenesis } from '../../testing/execution-apis.ts'
import { builtInGenesis, readGenesis } from './genesis.ts'
import { GenesisError } from './genesis-fields.ts'

const ADDRESS = '0x7dcd17433742f4c0ca53122ab541d0ba67fc27df'

/** A file as geth's documentation has it for a private chain. */
const FILE = {
  config: {
    chainId: 12345,
    homesteadBlock: 0,
    eip150Block: 0,
    eip155Block: 0,
    eip158Block: 0,
    byzantiumBlock: 0,
    constantinopleBlock: 0,
    petersburgBlock: 0,
    istanbulBlock: 0,
    berlinBlock: 0,
    londonBlock: 7,
  },
  difficulty: '1',
  gasLimit: '800000000',
  alloc: { '7df9a875a174b3bc565e6424a0050ebc1b2d1d82': { balance: '300000' } },
}

const MERGED = {
  ...FILE,
  config: { ...FILE.config, londonBlock: 0, terminalTotalDifficulty: 0, shanghaiTime: 5 },
}

function withConfig(config: object): object {
  return { ...MERGED, config: { ...MERGED.config, ...config } }
}

describe('a genesis file of geth', () => {
  it('is read with what it leaves out', () => {
    const genesis = readGenesis(FILE)
    expect(genesis).toMatchObject({ chainId: '0x3039', shape: 'complete', eips: [] })
    expect(genesis.forks.at(-1)).toEqual({ name: 'london', block: 7 })
    expect(genesis.header).toEqual({
      nonce: '0x0000000000000000',
      timestamp: '0x0',
      extraData: '0x',
      gasLimit: '0x2faf0800',
      difficulty: '0x1',
      mixHash: `0x${'0'.repeat(64)}`,
      coinbase: `0x${'0'.repeat(40)}`,
      parentHash: `0x${'0'.repeat(64)}`,
      gasUsed: '0x0',
    })
    expect(genesis.alloc).toEqual({
      '0x7df9a875a174b3bc565e6424a0050ebc1b2d1d82': { balance: '0x493e0' },
    })
  })

  it('is the same after it was written as JSON, whatever the order of its accounts', () => {
    const accounts = Object.entries({
      [ADDRESS]: { balance: 1 },
      '7df9a875a174b3bc565e6424a0050ebc1b2d1d82': { balance: '0x1', storage: { '0x2': '0x0' } },
    })
    const write = (entries: typeof accounts) =>
      JSON.stringify(readGenesis({ ...FILE, alloc: Object.fromEntries(entries) }))
    expect(write(accounts)).toBe(write(accounts.toReversed()))
    const genesis = readGenesis(MERGED)
    expect(JSON.parse(JSON.stringify(genesis))).toEqual(genesis)
  })

  it('reads accounts with code, nonce and storage, and leaves out what is zero', () => {
    const account = {
      balance: '0xDE0B6B3A7640000',
      nonce: 1,
      code: '0x6001',
      storage: { '1': '2', '0x03': '0x00' },
    }
    expect(
      readGenesis({ ...FILE, alloc: { [ADDRESS.toUpperCase().replace('0X', '0x')]: account } })
        .alloc,
    ).toEqual({
      [ADDRESS]: {
        balance: '0xde0b6b3a7640000',
        nonce: '0x1',
        code: '0x6001',
        storage: { [`0x${'0'.repeat(63)}1`]: `0x${'0'.repeat(63)}2` },
      },
    })
  })

  it('reads the names of fields as Go does', () => {
    const mixHash = `0x${'ab'.repeat(32)}`
    expect(readGenesis({ ...FILE, mixhash: mixHash }).header.mixHash).toBe(mixHash)
  })

  it('has the merge where geth has it', () => {
    const findParis = (config: object) =>
      readGenesis(withConfig(config)).forks.find(fork => fork.name === 'paris')
    expect(findParis({})).toEqual({ name: 'paris', block: 0 })
    expect(findParis({ terminalTotalDifficulty: null })).toEqual({ name: 'paris', block: 0 })
    expect(findParis({ terminalTotalDifficulty: 9, mergeNetsplitBlock: 36 })).toEqual({
      name: 'paris',
      block: 36,
    })
    expect(findParis({ terminalTotalDifficulty: 9, terminalTotalDifficultyPassed: true })).toEqual({
      name: 'paris',
      block: 0,
    })
    expect(findParis({ terminalTotalDifficulty: 9, shanghaiTime: 0 })).toEqual({
      name: 'paris',
      block: 0,
    })
    expect(findParis({ terminalTotalDifficulty: undefined, shanghaiTime: undefined })).toBe(
      undefined,
    )
    expect(
      findParis({ terminalTotalDifficulty: '58750000000000000000000', shanghaiTime: null }),
    ).toBe(undefined)
  })

  it('takes Petersburg with Constantinople, and the fork of the DAO only where it is supported', () => {
    const named = (config: object) => readGenesis(withConfig(config)).forks.map(fork => fork.name)
    expect(named({ petersburgBlock: null })).toContain('petersburg')
    expect(named({ daoForkBlock: 0 })).not.toContain('dao')
    expect(named({ daoForkBlock: 0, daoForkSupport: true })).toContain('dao')
  })

  it('knows the limits of blobs where the file does not say them', () => {
    const later = { cancunTime: 6, pragueTime: 7, osakaTime: 8, bpo1Time: 9 }
    const own = { target: 1, max: 2, baseFeeUpdateFraction: 3 }
    expect(
      readGenesis(withConfig({ ...later, blobSchedule: { prague: own, amsterdam: own } }))
        .blobSchedule,
    ).toEqual({
      cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3338477 },
      prague: own,
      osaka: { target: 6, max: 9, baseFeeUpdateFraction: 5007716 },
      bpo1: { target: 10, max: 15, baseFeeUpdateFraction: 8346193 },
    })
  })

  it.each<[string, unknown, string]>([
    ['nothing', null, 'genesis: missing'],
    ['a list', [], 'genesis: expected an object'],
    ['no config', { ...FILE, config: undefined }, 'config: missing'],
    ['no chain id', withConfig({ chainId: undefined }), 'config.chainId: missing'],
    ['chain id zero', withConfig({ chainId: 0 }), 'config.chainId: must not be zero'],
    [
      'an inexact number',
      withConfig({ chainId: 2 ** 60 }),
      'config.chainId: expected an integer, as a number that JSON holds exactly or as text',
    ],
    [
      'a fork at a word',
      withConfig({ londonBlock: 'soon' }),
      'config.londonBlock: expected an integer, as a number that JSON holds exactly or as text',
    ],
    [
      'a fork that is not known',
      withConfig({ amsterdamTime: 0 }),
      'config.amsterdamTime: this fork is not known',
    ],
    [
      'forks out of order',
      withConfig({ istanbulBlock: 5, londonBlock: 9, mergeNetsplitBlock: 9 }),
      'config.berlinBlock: 0 is before config.istanbulBlock, which is 5',
    ],
    [
      'a fork left out',
      withConfig({ byzantiumBlock: undefined }),
      'config.byzantiumBlock: needed for config.constantinopleBlock',
    ],
    [
      'a merge without its forks',
      withConfig({ londonBlock: null }),
      'config.londonBlock: needed for the merge',
    ],
    [
      'half of Spurious Dragon',
      withConfig({ eip158Block: 1 }),
      'config.eip158Block: must be equal to config.eip155Block',
    ],
    [
      'a merge at no block',
      withConfig({ terminalTotalDifficulty: 9 }),
      'config.mergeNetsplitBlock: needed beside config.shanghaiTime where config.terminalTotalDifficulty is not zero: the first block after the merge',
    ],
    [
      'an unknown blob fork',
      withConfig({ cancunTime: 5, pragueTime: 5, osakaTime: 5, bpo3Time: 6 }),
      'config.blobSchedule.bpo3: missing',
    ],
    [
      'a schedule that divides by zero',
      withConfig({
        cancunTime: 5,
        blobSchedule: { cancun: { target: 1, max: 1, baseFeeUpdateFraction: 0 } },
      }),
      'config.blobSchedule.cancun.baseFeeUpdateFraction: must not be zero',
    ],
    ['no gas limit', { ...FILE, gasLimit: undefined }, 'gasLimit: missing'],
    ['no difficulty', { ...FILE, difficulty: null }, 'difficulty: missing'],
    [
      'a large timestamp',
      { ...FILE, timestamp: '0x10000000000000000' },
      'timestamp: is above 64 bits',
    ],
    ['a later block', { ...FILE, number: '0x1' }, 'number: must be zero'],
    [
      'odd extra data',
      { ...FILE, extraData: '0x1' },
      'extraData: expected bytes in hexadecimal digits',
    ],
    ['a short hash', { ...FILE, mixHash: '0x12' }, 'mixHash: expected 32 bytes, not 1'],
    ['no accounts', { ...FILE, alloc: undefined }, 'alloc: missing'],
    [
      'a bad address',
      { ...FILE, alloc: { '12': { balance: '1' } } },
      'alloc.12: expected 20 bytes, not 1',
    ],
    [
      'an address twice',
      { ...FILE, alloc: { [ADDRESS]: { balance: 1 }, [ADDRESS.slice(2)]: { balance: 1 } } },
      `alloc.${ADDRESS.slice(2)}: is there twice`,
    ],
    ['no balance', { ...FILE, alloc: { [ADDRESS]: {} } }, `alloc.${ADDRESS}.balance: missing`],
    [
      'a bad slot',
      { ...FILE, alloc: { [ADDRESS]: { balance: 1, storage: { xyz: '1' } } } },
      `alloc.${ADDRESS}.storage.xyz: expected up to 32 bytes in hexadecimal digits`,
    ],
  ])('is refused with the name of the field: %s', (_, file, message) => {
    expect(() => readGenesis(file)).toThrow(new GenesisError(message))
  })

  it('of execution-apis names its forks', () => {
    const genesis = readGenesis(readExecutionApisGenesis())
    expect(genesis.chainId).toBe('0xc72dd9d5e883e')
    expect(genesis.forks.slice(-8)).toEqual([
      { name: 'grayGlacier', block: 33 },
      { name: 'paris', block: 36 },
      { name: 'shanghai', time: 390 },
      { name: 'cancun', time: 420 },
      { name: 'prague', time: 450 },
      { name: 'osaka', time: 480 },
      { name: 'bpo1', time: 510 },
      { name: 'bpo2', time: 540 },
    ])
  })
})

describe('the built-in networks', () => {
  it('have the chain ids of the specification', () => {
    expect(builtInGenesis('mainnet', { profile: 'default', alloc: {} }).chainId).toBe('0x42')
    expect(builtInGenesis('testnet', { profile: 'default', alloc: {} }).chainId).toBe('0x41')
  })

  it('are shown with the fields of the specification, and begin as they are told', () => {
    const genesis = builtInGenesis('mainnet', {
      profile: 'istanbul',
      alloc: { '0x7DF9A875A174B3BC565E6424A0050EBC1B2D1D82': { balance: '0x1' } },
      gasLimit: 16n,
      timestamp: 255n,
    })
    expect(genesis.shape).toBe('specified')
    expect(genesis.header).toMatchObject({ gasLimit: '0x10', timestamp: '0xff', difficulty: '0x0' })
    expect(genesis.alloc).toEqual({
      '0x7df9a875a174b3bc565e6424a0050ebc1b2d1d82': { balance: '0x1' },
    })
  })
})
