import { readGenesis } from '../../engine/genesis/genesis.ts'
import { createRules, type Rules } from '../../engine/rules.ts'

/** The forks that the official tests name, from the first to the last, and the field of a genesis file that turns each on. */
const FORKS: readonly (readonly [network: string, field: string])[] = [
  ['Frontier', ''],
  ['Homestead', 'homesteadBlock'],
  ['EIP150', 'eip150Block'],
  ['EIP158', 'eip155Block'],
  ['Byzantium', 'byzantiumBlock'],
  ['Constantinople', 'constantinopleBlock'],
  ['ConstantinopleFix', 'petersburgBlock'],
  ['Istanbul', 'istanbulBlock'],
  ['MuirGlacier', 'muirGlacierBlock'],
  ['Berlin', 'berlinBlock'],
  ['London', 'londonBlock'],
  ['ArrowGlacier', 'arrowGlacierBlock'],
  ['GrayGlacier', 'grayGlacierBlock'],
  ['Paris', 'mergeNetsplitBlock'],
  ['Shanghai', 'shanghaiTime'],
  ['Cancun', 'cancunTime'],
  ['Prague', 'pragueTime'],
  ['Osaka', 'osakaTime'],
  ['BPO1', 'bpo1Time'],
  ['BPO2', 'bpo2Time'],
  ['BPO3', 'bpo3Time'],
  ['BPO4', 'bpo4Time'],
]

/** Other names of the same forks. */
const SYNONYMS: { readonly [network: string]: string } = {
  EIP2384: 'MuirGlacier',
  Merge: 'Paris',
  TangerineWhistle: 'EIP150',
  SpuriousDragon: 'EIP158',
  Petersburg: 'ConstantinopleFix',
}

/** What a test says of its chain beside the name of the network; integers in hex. */
export interface NetworkConfig {
  readonly chainid?: string
  /** By the name of the fork. */
  readonly blobSchedule?: { readonly [fork: string]: object }
}

/** A name such as `Cancun`, or `BerlinToLondonAt5` of a chain that changes its rules. */
interface Network {
  readonly from: string
  /** Null where the rules stay as they are. */
  readonly change: { readonly to: string; readonly unit: string; readonly at: number } | null
}

/** Null for a name that says nothing of these forks. */
function parseNetwork(network: string): Network | null {
  const match = /^(\w+?)To(\w+?)At(Time|Diff)?([0-9A-F]+k?)$/.exec(network)
  const known = (name: string) => {
    const fork = SYNONYMS[name] ?? name
    return fork === 'Dao' || FORKS.some(([other]) => other === fork) ? fork : null
  }
  if (match === null) {
    const from = known(network)
    return from === null ? null : { from, change: null }
  }
  const [, first = '', second = '', unit = 'Block', digits = ''] = match
  const [from, to] = [known(first), known(second)]
  if (from === null || to === null) return null
  const at =
    unit === 'Diff'
      ? Number.parseInt(digits, 16)
      : digits.endsWith('k')
        ? Number.parseInt(digits, 10) * 1_000
        : Number.parseInt(digits, 10)
  return { from, change: { to, unit, at } }
}

export function isKnownNetwork(network: string): boolean {
  return parseNetwork(network) !== null
}

/** The total difficulty after which the chain of a network is mined no more; null where that is not what changes its rules. */
export function findTerminalDifficulty(network: string): bigint | null {
  const change = parseNetwork(network)?.change ?? null
  return change?.unit === 'Diff' ? BigInt(change.at) : null
}

/**
 * The `config` of a genesis file for a network of the tests. Throws for an unknown one.
 *
 * @param mergeBlock - the first block after the merge, on a network that says after which total difficulty it comes
 */
export function configOf(
  network: string,
  config: NetworkConfig = {},
  mergeBlock?: number,
): { [field: string]: unknown } {
  const parsed = parseNetwork(network)
  if (parsed === null) throw new Error(`network: expected the name of a fork, got ${network}`)
  const { from, change } = parsed
  const place = (fork: string) => FORKS.findIndex(([name]) => name === fork)
  const first = place(from)
  const last = change === null || change.to === 'Dao' ? first : place(change.to)
  const starts = FORKS.slice(1, last + 1).flatMap(([fork, field], index): [string, number][] => {
    if (index + 1 <= first) return [[field, 0]]
    // These put off the difficulty bomb alone.
    if (fork !== change?.to && fork.endsWith('Glacier')) return []
    return [[field, fork === 'Paris' && mergeBlock !== undefined ? mergeBlock : (change?.at ?? 0)]]
  })
  const fields = Object.fromEntries(starts)
  return {
    chainId: Number(config.chainid ?? 1),
    ...fields,
    ...('eip155Block' in fields && { eip158Block: fields.eip155Block }),
    // Petersburg comes with Constantinople unless it is named.
    ...(last === place('Constantinople') && { petersburgBlock: Number.MAX_SAFE_INTEGER }),
    ...(change?.to === 'Dao' && { daoForkBlock: change.at, daoForkSupport: true }),
    ...(fields.mergeNetsplitBlock !== undefined && {
      terminalTotalDifficulty: fields.mergeNetsplitBlock === 0 ? 0 : 1,
    }),
    // Of the first chain, as the tests of deposits want it.
    depositContractAddress: '0x00000000219ab540356cbb839cbe05303d7705fa',
    ...(config.blobSchedule !== undefined && {
      blobSchedule: Object.fromEntries(
        Object.entries(config.blobSchedule).map(([fork, limits]) => [fork.toLowerCase(), limits]),
      ),
    }),
  }
}

const known = new Map<string, Promise<Rules>>()

/** The rules of a network, of a chain of which nothing else is known. */
export function rulesOf(network: string, config: NetworkConfig = {}): Promise<Rules> {
  const key = JSON.stringify([network, config.chainid, config.blobSchedule])
  let rules = known.get(key)
  if (rules === undefined) {
    const header = { gasLimit: '0x1', difficulty: '0x1', alloc: {} }
    rules = createRules(readGenesis({ ...header, config: configOf(network, config) }))
    known.set(key, rules)
  }
  return rules
}
