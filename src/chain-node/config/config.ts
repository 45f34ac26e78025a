import { BlockList, isIP } from 'node:net'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Hex } from '../codec/hex.ts'
import type { Profile } from '../engine/genesis/genesis.ts'
import { OPTIONS, type OptionName } from './options.ts'

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** How the chain gets its blocks. */
export type Production =
  | { readonly mode: 'automine' }
  | { readonly mode: 'interval'; readonly seconds: number }
  | { readonly mode: 'manual' }

export interface Config {
  /** Whether anything was said about which chain it is; a folder that holds one is not asked for another then. */
  readonly describesChain: boolean
  readonly network: 'mainnet' | 'testnet'
  readonly profile: Profile
  /** A genesis.json in geth's shape; null for the chain that network, profile and dev describe. */
  readonly genesisFile: string | null
  readonly dev: boolean
  /** Files and folders with the ABIs of contracts, for what the log tells of their transactions. */
  readonly abis: readonly string[]
  /** Null for a chain of its own. */
  readonly fork: ForkConfig | null
  readonly gasLimit: bigint
  readonly importFile: string | null
  readonly exportFile: string | null
  readonly production: Production
  readonly miner: Hex
  /** In wei for a unit of gas. */
  readonly minGasPrice: bigint
  readonly dataFolder: string
  readonly keystoreFolder: string
  readonly host: string
  /** Whether machines other than this one reach the host. */
  readonly isExposed: boolean
  /** Whether accounts and `personal_*` are served. */
  readonly keys: boolean
  readonly port: number
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly scrypt: 'standard' | 'light'
  readonly importRawKey: boolean
  readonly callGas: bigint
  readonly callTimeoutMs: number
  /** Zero for no limit. */
  readonly logsSpan: number
  /** Whether methods beyond the specification are served that tools ask for. */
  readonly extended: boolean
  /** Whether transactions without a chain id in their signature are taken over RPC. */
  readonly unprotected: boolean
  readonly logLevel: LogLevel
  readonly logJson: boolean
  readonly metrics: boolean
}

/** Which chain is gone on from. */
export interface ForkConfig {
  /** Of a node of it; it may hold a password or a key. */
  readonly url: URL
  /** Null for its head. */
  readonly block: bigint | null
  /** Null for the rules that fit the block. */
  readonly profile: Profile | null
}

const PROFILES: readonly Profile[] = ['default', 'istanbul', 'prague']

/** Options of which one says how blocks are made. */
const PRODUCTIONS = ['automine', 'block-time', 'on-demand'] as const

type Values = { readonly [name in OptionName]?: string | boolean | readonly string[] }

/** What the command line says, as text; throws `ConfigError` for what is no option. */
export function readArguments(args: readonly string[]): Values {
  const options = Object.fromEntries(
    [...OPTIONS].map(([name, { kind }]) => [
      name,
      { type: kind === 'switch' ? 'boolean' : 'string', multiple: kind === 'list' } as const,
    ]),
  )
  try {
    return parseArgs({ args: [...args], options, strict: true }).values as Values
  } catch (error) {
    throw new ConfigError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : '')
  }
}

/** The values of a configuration file; throws `ConfigError` that names the key. */
export function readConfigFile(text: string): Values {
  return readConfigObject(parseObject(text))
}

/** The same of an object; what is undefined in it is not there. */
export function readConfigObject(file: { readonly [name: string]: unknown }): Values {
  const values: { [name: string]: string | boolean | readonly string[] } = {}
  for (const [name, value] of Object.entries(file)) {
    const option = OPTIONS.get(name)
    if (!option || name === 'config')
      throw new ConfigError(`The configuration has an unknown key: ${name}`)
    if (value === undefined) continue
    const isRight =
      option.kind === 'switch'
        ? typeof value === 'boolean'
        : option.kind === 'number'
          ? typeof value === 'number'
          : option.kind === 'text'
            ? typeof value === 'string'
            : Array.isArray(value) && value.every(item => typeof item === 'string')
    if (!isRight) {
      const expected = {
        switch: 'true or false',
        number: 'a number',
        text: 'a text',
        list: 'a list of texts',
      }
      throw new ConfigError(`${name} in the configuration must be ${expected[option.kind]}`)
    }
    if (value === false) continue
    values[name] = typeof value === 'number' ? String(value) : (value as string | true | string[])
  }
  return values as Values
}

/** A file's values under those of the command line, which also chooses anew how blocks are made where it says anything of it. */
export function mergeValues(file: Values, args: Values): Values {
  const isChosen = PRODUCTIONS.some(name => args[name] !== undefined)
  const kept = Object.entries(file).filter(
    ([name]) => !isChosen || !PRODUCTIONS.some(production => production === name),
  )
  return { ...Object.fromEntries(kept), ...args }
}

/**
 * The configuration that options give.
 *
 * @param env - for where the user's data are
 */
export function resolveConfig(
  values: Values,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Config {
  const text = (name: OptionName) => {
    const value = values[name]
    if (value === '') throw new ConfigError(`--${name} must not be empty`)
    return typeof value === 'string' ? value : null
  }
  const list = (name: OptionName) => (values[name] ?? []) as readonly string[]
  const network = oneOf('network', text('network') ?? 'mainnet', ['mainnet', 'testnet'] as const)
  const profile = oneOf('profile', text('profile') ?? 'default', PROFILES)
  const genesisFile = text('genesis')
  const dev = values.dev === true
  if (genesisFile !== null) {
    for (const name of ['profile', 'network', 'gas-limit'] as const) {
      if (values[name] !== undefined) {
        throw new ConfigError(
          `--${name} says nothing beside --genesis, which describes the whole chain`,
        )
      }
    }
    if (text('data') === null)
      throw new ConfigError('--genesis needs --data DIR, the folder of that chain')
  }
  const fork = readFork(values, text('fork'), text('fork-block'), profile)
  const dataFolder = resolve(
    text('data') ??
      join(
        findUserData(env, platform),
        [
          network,
          profile === 'default' ? '' : profile,
          dev ? 'dev' : '',
          fork ? nameForkFolder(fork) : '',
        ]
          .filter(Boolean)
          .join('-'),
      ),
  )
  const abis = list('abi')
  if (abis.length > 0 && !dev) throw new ConfigError('--abi needs --dev')
  const miner = (text('miner') ?? `0x${'00'.repeat(20)}`).toLowerCase()
  if (!/^0x[0-9a-f]{40}$/.test(miner)) {
    throw new ConfigError(`--miner must be an address of 20 bytes: ${miner}`)
  }
  const host = text('host') ?? '127.0.0.1'
  const isExposed = !isLoopback(host)
  const keys = !isExposed || values['allow-insecure-unlock'] === true
  for (const name of ['dev', 'personal-import-raw-key'] as const) {
    if (!keys && values[name] === true) {
      throw new ConfigError(
        `--${name} with --host ${host} lets whoever reaches this machine use its keys; --allow-insecure-unlock says that this is wanted`,
      )
    }
  }
  return {
    describesChain: (['network', 'profile', 'genesis', 'dev', 'gas-limit'] as const).some(
      name => values[name] !== undefined,
    ),
    network,
    profile,
    genesisFile,
    dev,
    abis: abis.map(path => resolve(path)),
    fork,
    gasLimit: readInteger('gas-limit', text('gas-limit'), 30_000_000n, 21_000n, 2n ** 53n),
    importFile: text('import'),
    exportFile: text('export'),
    production: readProduction(values),
    miner: miner as Hex,
    minGasPrice: readInteger('gas-price', text('gas-price'), 100_000_000n, 0n, 2n ** 128n),
    dataFolder,
    keystoreFolder: resolve(text('keystore') ?? join(dataFolder, 'keystore')),
    host,
    isExposed,
    keys,
    port: Number(readInteger('port', text('port'), 8545n, 0n, 65_535n)),
    allowedHosts: list('allow-host'),
    allowedOrigins: list('allow-origin'),
    scrypt: values['light-scrypt'] === true ? 'light' : 'standard',
    importRawKey: values['personal-import-raw-key'] === true,
    callGas: readInteger('call-gas', text('call-gas'), 50_000_000n, 21_000n, 2n ** 53n),
    callTimeoutMs: readSeconds('call-timeout', text('call-timeout') ?? '5') * 1000,
    logsSpan: Number(readInteger('logs-span', text('logs-span'), 2000n, 0n, 2n ** 32n)),
    extended: dev || values.extended === true,
    unprotected: values['allow-unprotected-txs'] === true,
    logLevel: oneOf('log-level', text('log-level') ?? 'info', LOG_LEVELS),
    logJson: values['log-json'] === true,
    metrics: values.metrics === true,
  }
}

function readFork(
  values: Values,
  url: string | null,
  block: string | null,
  profile: Profile,
): ForkConfig | null {
  if (url === null) {
    if (block !== null) throw new ConfigError('--fork-block needs --fork URL')
    return null
  }
  if (values.dev !== true) throw new ConfigError('--fork needs --dev')
  for (const name of ['network', 'genesis', 'gas-limit', 'import', 'export'] as const) {
    if (values[name] !== undefined) {
      throw new ConfigError(`--${name} and --fork exclude each other`)
    }
  }
  const parsed = URL.canParse(url) ? new URL(url) : null
  // What was written is not repeated: it may hold a key.
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new ConfigError('--fork must be a URL that begins with http:// or https://')
  }
  return {
    url: parsed,
    block: block === null ? null : readInteger('fork-block', block, 0n, 0n, 2n ** 53n),
    profile: values.profile === undefined ? null : profile,
  }
}

/** Which chain it is is not known before its node is asked: the folder says so itself. */
function nameForkFolder({ block }: ForkConfig): string {
  return block === null ? 'fork' : `fork-${block}`
}

/** What any other name stands for is not known here. */
function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true
  const version = isIP(host)
  return version !== 0 && LOOPBACK.check(host, version === 6 ? 'ipv6' : 'ipv4')
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

function readProduction(values: Values): Production {
  const chosen = PRODUCTIONS.filter(name => values[name] !== undefined)
  if (chosen.length > 1) {
    throw new ConfigError(`${chosen.map(name => `--${name}`).join(' and ')} exclude each other`)
  }
  if (chosen[0] === 'on-demand') return { mode: 'manual' }
  if (chosen[0] !== 'block-time') return { mode: 'automine' }
  return { mode: 'interval', seconds: readSeconds('block-time', String(values['block-time'])) }
}

function readSeconds(name: OptionName, text: string): number {
  const seconds = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || seconds < 0.05 || seconds > 86_400) {
    throw new ConfigError(`--${name} must be a number of seconds from 0.05 to 86400: ${text}`)
  }
  return seconds
}

function readInteger(
  name: OptionName,
  text: string | null,
  fallback: bigint,
  least: bigint,
  most: bigint,
): bigint {
  if (text === null) return fallback
  const value = /^\d{1,40}$/.test(text) ? BigInt(text) : null
  if (value === null || value < least || value > most) {
    throw new ConfigError(`--${name} must be a whole number from ${least} to ${most}: ${text}`)
  }
  return value
}

function oneOf<T extends string>(name: OptionName, text: string, choices: readonly T[]): T {
  const choice = choices.find(one => one === text)
  if (choice === undefined) {
    throw new ConfigError(`--${name} must be one of ${choices.join(', ')}: ${text}`)
  }
  return choice
}

/** Where programs keep what is theirs, by the custom of the system. */
function findUserData(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const home = env.HOME ?? homedir()
  const folder =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'))
        : (env.XDG_DATA_HOME ?? join(home, '.local', 'share'))
  return join(folder, 'satchel-chain-node')
}

function parseObject(text: string): { [name: string]: unknown } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ConfigError(
      `The configuration is not JSON: ${error instanceof Error ? error.message : ''}`,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigError('The configuration must be a JSON object of options')
  }
  return value as { [name: string]: unknown }
}

/** An option that cannot be taken; the text names it and what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
