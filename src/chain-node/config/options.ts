/** An option, on the command line as `--name` and in a configuration file as a key of the same name. */
export interface Option {
  readonly kind: 'text' | 'number' | 'switch' | 'list'
  /** What stands for the value in the help. */
  readonly value?: string
  readonly help: string
}

const OPTION_GROUPS = {
  'The chain': {
    network: {
      kind: 'text',
      value: 'NAME',
      help: 'mainnet (chain id 66, the default) or testnet (65)',
    },
    profile: {
      kind: 'text',
      value: 'NAME',
      help: 'default (Berlin, and what solc emits), istanbul, or prague with a base fee',
    },
    genesis: {
      kind: 'text',
      value: 'FILE',
      help: 'genesis.json in the shape of geth, of a new chain',
    },
    dev: {
      kind: 'switch',
      help: 'a chain with ten funded, unlocked accounts that everybody knows',
    },
    fork: {
      kind: 'text',
      value: 'URL',
      help: 'goes on from a block of another chain, whose node is there (with --dev)',
    },
    'fork-block': { kind: 'number', value: 'NUMBER', help: 'which block that is (its head)' },
    'gas-limit': { kind: 'number', value: 'GAS', help: 'gas of a block (30,000,000)' },
    import: { kind: 'text', value: 'FILE', help: 'reads blocks in RLP before it serves' },
    export: { kind: 'text', value: 'FILE', help: 'writes all blocks in RLP, and ends' },
  },
  Blocks: {
    automine: { kind: 'switch', help: 'a block as soon as there is a transaction (the default)' },
    'block-time': { kind: 'number', value: 'SECONDS', help: 'a block every so many seconds' },
    'on-demand': { kind: 'switch', help: 'a block only when evm_mine is called' },
    miner: { kind: 'text', value: 'ADDRESS', help: 'who gets the fees (nobody)' },
    'gas-price': {
      kind: 'number',
      value: 'WEI',
      help: 'least price of a unit of gas (100,000,000)',
    },
  },
  'Where it is': {
    data: { kind: 'text', value: 'DIR', help: 'folder of the chain and its keys' },
    keystore: { kind: 'text', value: 'DIR', help: 'folder of the keys alone (DIR/keystore)' },
    host: { kind: 'text', value: 'ADDRESS', help: 'address to listen on (127.0.0.1)' },
    port: { kind: 'number', value: 'PORT', help: 'port of HTTP and WebSocket (8545)' },
    'allow-host': {
      kind: 'list',
      value: 'NAME',
      help: 'another name that the node is reached by; again for more',
    },
    'allow-origin': {
      kind: 'list',
      value: 'ORIGIN',
      help: 'a web page that may call, or * for all; again for more',
    },
  },
  'What it serves': {
    extended: {
      kind: 'switch',
      help: 'methods beyond the specification that tools ask for (always with --dev)',
    },
    'allow-unprotected-txs': {
      kind: 'switch',
      help: 'takes transactions signed for every chain, before EIP-155',
    },
  },
  Keys: {
    'light-scrypt': {
      kind: 'switch',
      help: 'key files that open 20 times faster and are as much weaker',
    },
    'allow-insecure-unlock': {
      kind: 'switch',
      help: 'serves accounts and personal_* also where --host lets other machines in',
    },
    'personal-import-raw-key': { kind: 'switch', help: 'lets personal_importRawKey take keys' },
  },
  Limits: {
    'call-gas': { kind: 'number', value: 'GAS', help: 'most gas of an eth_call (50,000,000)' },
    'call-timeout': { kind: 'number', value: 'SECONDS', help: 'most time of an eth_call (5)' },
    'logs-span': {
      kind: 'number',
      value: 'BLOCKS',
      help: 'most blocks of an eth_getLogs, 0 for no limit (2,000)',
    },
  },
  'What it says': {
    'log-level': { kind: 'text', value: 'LEVEL', help: 'error, warn, info (the default) or debug' },
    abi: {
      kind: 'list',
      value: 'PATH',
      help: 'an ABI or a folder of artifacts, for names in the log (with --dev); again for more',
    },
    'log-json': { kind: 'switch', help: 'one JSON object a line in place of text' },
    metrics: { kind: 'switch', help: 'serves /metrics for Prometheus' },
    config: {
      kind: 'text',
      value: 'FILE',
      help: 'JSON object of these options; the command line goes before it',
    },
    help: { kind: 'switch', help: 'this text' },
    version: { kind: 'switch', help: 'the version' },
  },
} as const satisfies { [group: string]: { [name: string]: Option } }

type Groups = typeof OPTION_GROUPS
type Flatten<T> = T extends unknown ? keyof T : never
export type OptionName = Flatten<Groups[keyof Groups]>

type KindOf<Name, Group = Groups[keyof Groups]> = Group extends {
  readonly [N in Name & string]: { readonly kind: infer Kind }
}
  ? Kind
  : never
type Kinds = {
  readonly text: string
  readonly number: number
  readonly switch: boolean
  readonly list: readonly string[]
}

/** Options as a configuration file has them. */
export type OptionValues = {
  readonly [Name in OptionName]?: Kinds[KindOf<Name> & keyof Kinds] | undefined
}

export const OPTIONS: ReadonlyMap<string, Option> = new Map(
  Object.values(OPTION_GROUPS).flatMap(group => Object.entries<Option>(group)),
)

/**
 * What `--help` prints.
 *
 * @param command - what the node is started with
 */
export function formatHelp(command: string): string {
  const lines = [`${command} [options]`, '']
  lines.push('An EVM chain of its own, over JSON-RPC by HTTP and WebSocket.')
  for (const [title, options] of Object.entries(OPTION_GROUPS)) {
    lines.push('', `${title}:`)
    for (const [name, option] of Object.entries<Option>(options)) {
      const usage = `--${name}${option.value === undefined ? '' : ` ${option.value}`}`
      lines.push(`  ${usage.padEnd(26)}${option.help}`)
    }
  }
  return lines.join('\n')
}
