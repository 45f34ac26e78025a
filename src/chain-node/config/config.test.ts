import { describe, expect, it } from 'vitest'
import { ConfigError, mergeValues, readArguments, readConfigFile, resolveConfig } from './config.ts'
import { formatHelp, OPTIONS } from './options.ts'

const ENV = { HOME: '/home/ann' }

describe('configuration', () => {
  it('is complete without any option', () => {
    expect(resolve([])).toMatchObject({
      network: 'mainnet',
      profile: 'default',
      production: { mode: 'automine' },
      dataFolder: '/home/ann/.local/share/satchel-chain-node/mainnet',
      keystoreFolder: '/home/ann/.local/share/satchel-chain-node/mainnet/keystore',
      host: '127.0.0.1',
      port: 8545,
      scrypt: 'standard',
      importRawKey: false,
      metrics: false,
    })
  })

  it('keeps chains that differ in folders that differ', () => {
    const folders = [
      [],
      ['--dev'],
      ['--network', 'testnet'],
      ['--profile', 'istanbul', '--dev'],
    ].map(args => resolve(args).dataFolder)
    expect(new Set(folders).size).toBe(4)
    expect(resolve(['--data', '/srv/chain']).keystoreFolder).toBe('/srv/chain/keystore')
  })

  it.each([
    ['linux', { HOME: '/home/ann', XDG_DATA_HOME: '/data' }, '/data/satchel-chain-node/mainnet'],
    [
      'darwin',
      { HOME: '/Users/ann' },
      '/Users/ann/Library/Application Support/satchel-chain-node/mainnet',
    ],
  ] as const)('follows the customs of %s', (platform, env, folder) => {
    expect(resolveConfig(readArguments([]), env, platform).dataFolder).toBe(folder)
  })

  it('takes the block of another chain to go on from', () => {
    expect(resolve(['--dev']).fork).toBeNull()
    const { fork, dataFolder } = resolve(['--dev', '--fork', 'http://u:p@node.example/key'])
    expect(fork).toMatchObject({ block: null, profile: null })
    expect(fork?.url.href).toBe('http://u:p@node.example/key')
    expect(dataFolder).toMatch(/mainnet-dev-fork$/)
    const more = [
      '--dev',
      '--fork',
      'https://node.example',
      '--fork-block',
      '17',
      '--profile',
      'prague',
    ]
    expect(resolve(more).fork).toMatchObject({ block: 17n, profile: 'prague' })
    expect(resolve(more).dataFolder).toMatch(/fork-17$/)
  })

  it.each([
    [['--fork', 'http://node.example'], '--fork needs --dev'],
    [['--dev', '--fork-block', '1'], '--fork-block needs --fork URL'],
    [['--abi', 'out'], '--abi needs --dev'],
    [['--dev', '--fork', 'http://node.example', '--network', 'testnet'], 'exclude each other'],
    [['--dev', '--fork', 'http://node.example', '--import', 'file'], 'exclude each other'],
    [['--dev', '--fork', 'http://node.example', '--fork-block', '0x1'], '--fork-block must be'],
    [['--dev', '--fork', 'ftp://node.example/secret'], '--fork must be a URL that begins with'],
    [['--dev', '--fork', 'secret'], '--fork must be a URL that begins with'],
  ])('refuses a fork by %j, and repeats no secret', (args, text) => {
    expect(() => resolve(args)).toThrow(text)
    expect(() => resolve(args)).not.toThrow('secret')
  })

  it('makes blocks in one way', () => {
    expect(resolve(['--block-time', '4']).production).toEqual({ mode: 'interval', seconds: 4 })
    expect(resolve(['--on-demand']).production).toEqual({ mode: 'manual' })
    expect(() => resolve(['--automine', '--block-time', '1'])).toThrow(
      '--automine and --block-time exclude each other',
    )
  })

  it('takes options from a file, and the command line before them', () => {
    const file = readConfigFile(
      '{ "port": 9000, "dev": true, "allow-host": ["node.example"], "block-time": 0.5, "network": "testnet" }',
    )
    const values = mergeValues(file, readArguments(['--port', '9001']))
    const config = resolveConfig(values, ENV, 'linux')
    expect(config).toMatchObject({
      port: 9001,
      dev: true,
      allowedHosts: ['node.example'],
      production: { mode: 'interval', seconds: 0.5 },
      network: 'testnet',
    })
  })

  it('lets the command line choose another way to make blocks than the file', () => {
    const file = readConfigFile('{ "block-time": 4 }')
    const resolveWith = (...args: string[]) =>
      resolveConfig(mergeValues(file, readArguments(args)), ENV, 'linux').production
    expect(resolveWith('--on-demand')).toEqual({ mode: 'manual' })
    expect(resolveWith('--automine')).toEqual({ mode: 'automine' })
    expect(resolveWith('--block-time', '2')).toEqual({ mode: 'interval', seconds: 2 })
    expect(resolveWith('--dev')).toEqual({ mode: 'interval', seconds: 4 })
  })

  it('takes a switch that is false in a file for one that is not there', () => {
    const file = readConfigFile('{ "dev": false, "on-demand": false, "block-time": 4 }')
    expect(resolveConfig(file, ENV, 'linux')).toMatchObject({
      describesChain: false,
      production: { mode: 'interval', seconds: 4 },
    })
    const genesis = mergeValues(file, readArguments(['--genesis', 'g.json', '--data', 'd']))
    expect(resolveConfig(genesis, ENV, 'linux').genesisFile).toBe('g.json')
  })

  it.each([
    [['--port', '99999'], '--port must be a whole number from 0 to 65535: 99999'],
    [['--port', '0x10'], '--port must be a whole number from 0 to 65535: 0x10'],
    [['--block-time', '0'], '--block-time must be a number of seconds from 0.05 to 86400: 0'],
    [['--network', 'moon'], '--network must be one of mainnet, testnet: moon'],
    [['--log-level', 'loud'], '--log-level must be one of error, warn, info, debug: loud'],
    [['--miner', '0x12'], '--miner must be an address of 20 bytes: 0x12'],
    [['--gas-price', '-1'], /gas-price/],
    [['--data', ''], '--data must not be empty'],
    [['--prot', '1'], /Unknown option '--prot'/],
    [['8545'], /Unexpected argument '8545'/],
    [['--genesis', 'g.json'], '--genesis needs --data DIR, the folder of that chain'],
    [
      ['--genesis', 'g.json', '--data', 'd', '--profile', 'prague'],
      '--profile says nothing beside --genesis, which describes the whole chain',
    ],
  ] as const)('refuses %j', (args, text) => {
    expect(() => resolve(args)).toThrow(ConfigError)
    expect(() => resolve(args)).toThrow(text)
  })

  it.each(['127.0.0.1', '127.8.9.1', '::1', 'localhost', 'LOCALHOST', '::ffff:127.0.0.1'])(
    'serves keys at %s, which no other machine reaches',
    host => {
      expect(resolve(['--host', host, '--dev'])).toMatchObject({ isExposed: false, keys: true })
    },
  )

  it.each(['0.0.0.0', '::', '192.168.0.7', '2001:db8::1', 'node.example', '127.0.0.1.example'])(
    'serves no keys at %s, which other machines reach',
    host => {
      expect(resolve(['--host', host])).toMatchObject({ isExposed: true, keys: false })
      for (const name of ['dev', 'personal-import-raw-key']) {
        expect(() => resolve(['--host', host, `--${name}`])).toThrow(ConfigError)
        expect(() => resolve(['--host', host, `--${name}`])).toThrow(
          `--${name} with --host ${host} lets whoever reaches this machine use its keys; --allow-insecure-unlock says that this is wanted`,
        )
      }
    },
  )

  it('serves keys to other machines where --allow-insecure-unlock says so', () => {
    const config = resolve(['--host', '0.0.0.0', '--dev', '--allow-insecure-unlock'])
    expect(config).toMatchObject({ isExposed: true, keys: true, dev: true })
  })

  it.each([
    ['{', /The configuration is not JSON/],
    ['[]', 'The configuration must be a JSON object of options'],
    ['{ "prot": 1 }', 'The configuration has an unknown key: prot'],
    ['{ "config": "x" }', 'The configuration has an unknown key: config'],
    ['{ "port": "8545" }', 'port in the configuration must be a number'],
    ['{ "dev": "yes" }', 'dev in the configuration must be true or false'],
    ['{ "allow-host": [1] }', 'allow-host in the configuration must be a list of texts'],
    ['{ "__proto__": 1 }', 'The configuration has an unknown key: __proto__'],
  ])('refuses the file %s', (text, message) => {
    expect(() => readConfigFile(text)).toThrow(ConfigError)
    expect(() => readConfigFile(text)).toThrow(message)
  })

  it('explains every option in lines that fit a terminal', () => {
    const help = formatHelp('chain-node')
    for (const name of OPTIONS.keys()) expect(help).toContain(`  --${name}`)
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(110)
  })
})

function resolve(args: readonly string[]) {
  return resolveConfig(readArguments(args), ENV, 'linux')
}
