import {
  type Fields,
  GenesisError,
  isAbsent,
  readInteger,
  readObject,
  readQuantity,
} from './genesis-fields.ts'

/** A hard fork by EthereumJS's name, and the block or the time (seconds since 1970) from which it holds. */
export type ForkActivation =
  | { readonly name: string; readonly block: number }
  | { readonly name: string; readonly time: number }

/** EIP-7840: blobs a block should have and may have, and how fast their price moves. */
export interface BlobLimits {
  readonly target: number
  readonly max: number
  readonly baseFeeUpdateFraction: number
}

/** By the name of the fork. */
export type BlobSchedule = { readonly [fork: string]: BlobLimits }

/** Forks as a genesis file of geth names them. Those marked optional change nothing that a chain may not do without. */
const FORK_FIELDS: readonly {
  readonly name: string
  readonly field: string
  readonly optional?: true
}[] = [
  { name: 'homestead', field: 'homesteadBlock' },
  { name: 'dao', field: 'daoForkBlock', optional: true },
  { name: 'tangerineWhistle', field: 'eip150Block' },
  { name: 'spuriousDragon', field: 'eip155Block' },
  { name: 'byzantium', field: 'byzantiumBlock' },
  { name: 'constantinople', field: 'constantinopleBlock' },
  { name: 'petersburg', field: 'petersburgBlock' },
  { name: 'istanbul', field: 'istanbulBlock' },
  { name: 'muirGlacier', field: 'muirGlacierBlock', optional: true },
  { name: 'berlin', field: 'berlinBlock' },
  { name: 'london', field: 'londonBlock' },
  { name: 'arrowGlacier', field: 'arrowGlacierBlock', optional: true },
  { name: 'grayGlacier', field: 'grayGlacierBlock', optional: true },
  { name: 'paris', field: 'mergeNetsplitBlock' },
  { name: 'shanghai', field: 'shanghaiTime' },
  { name: 'cancun', field: 'cancunTime' },
  { name: 'prague', field: 'pragueTime' },
  { name: 'osaka', field: 'osakaTime' },
  { name: 'bpo1', field: 'bpo1Time', optional: true },
  { name: 'bpo2', field: 'bpo2Time', optional: true },
  { name: 'bpo3', field: 'bpo3Time', optional: true },
  { name: 'bpo4', field: 'bpo4Time', optional: true },
  { name: 'bpo5', field: 'bpo5Time', optional: true },
]

/** Fields of `config` that name a block or a time and are read elsewhere or not needed. */
const OTHER_FORK_FIELDS = ['eip158Block', 'mergeForkBlock']

/** EIP-4844, EIP-7691, EIP-7892: the limits of Ethereum, for files that say nothing of them. */
const BLOB_LIMITS: BlobSchedule = {
  cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
  prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
  osaka: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
  bpo1: { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193 },
  bpo2: { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 },
}

/**
 * The forks of `config` in their order.
 *
 * @param genesisTime - seconds since 1970
 */
export function readForks(config: Fields, genesisTime: number): ForkActivation[] {
  refuseUnknownForks(config)
  const starts = new Map<string, number>()
  for (const { name, field } of FORK_FIELDS) {
    if (!isAbsent(config[field])) starts.set(name, readInteger(config[field], `config.${field}`))
  }
  // EIP-155 and EIP-158 are one fork.
  const clearing = isAbsent(config.eip158Block)
    ? undefined
    : readInteger(config.eip158Block, 'config.eip158Block')
  if (clearing !== starts.get('spuriousDragon')) {
    throw new GenesisError('config.eip158Block: must be equal to config.eip155Block')
  }
  // A fork that is supported by nobody changes nothing.
  if (config.daoForkSupport !== true) starts.delete('dao')
  // As in geth, Petersburg comes with Constantinople unless it is named.
  const constantinople = starts.get('constantinople')
  if (constantinople !== undefined && !starts.has('petersburg')) {
    starts.set('petersburg', constantinople)
  }
  const merge = findMerge(config, starts, genesisTime)
  if (merge !== null) starts.set('paris', merge)
  else starts.delete('paris')

  const forks = FORK_FIELDS.flatMap(({ name, field }): ForkActivation[] => {
    const start = starts.get(name)
    if (start === undefined) return []
    return [field.endsWith('Time') ? { name, time: start } : { name, block: start }]
  })
  assertOrder(starts)
  return forks
}

/** The first block after the merge; null for a chain that has none. */
function findMerge(
  config: Fields,
  starts: ReadonlyMap<string, number>,
  genesisTime: number,
): number | null {
  const named = starts.get('paris')
  const later = FORK_FIELDS.find(({ name, field }) => field.endsWith('Time') && starts.has(name))
  const difficulty = isAbsent(config.terminalTotalDifficulty)
    ? null
    : BigInt(readQuantity(config.terminalTotalDifficulty, 'config.terminalTotalDifficulty', 256))
  if (difficulty === null && later === undefined) return null
  if (difficulty === 0n) return 0
  if (named !== undefined) return named
  if (difficulty === null || config.terminalTotalDifficultyPassed === true) return 0
  if (later !== undefined && (starts.get(later.name) as number) <= genesisTime) return 0
  // Where mining is to go on until a total difficulty that no chain reaches, there is no merge.
  if (later === undefined) return null
  throw new GenesisError(
    `config.mergeNetsplitBlock: needed beside config.${later.field} where config.terminalTotalDifficulty is not zero: the first block after the merge`,
  )
}

function refuseUnknownForks(config: Fields): void {
  const known = [...FORK_FIELDS.map(({ field }) => field), ...OTHER_FORK_FIELDS]
  for (const [field, value] of Object.entries(config)) {
    if (/(Block|Time)$/.test(field) && !known.includes(field) && !isAbsent(value)) {
      throw new GenesisError(`config.${field}: this fork is not known`)
    }
  }
}

function assertOrder(starts: ReadonlyMap<string, number>): void {
  let last: { field: string; start: number } | null = null
  let missing: string | null = null
  for (const { name, field, optional } of FORK_FIELDS) {
    const start = starts.get(name)
    if (start === undefined) {
      if (!optional) missing ??= field
      continue
    }
    if (missing !== null) {
      const since = name === 'paris' ? 'the merge' : `config.${field}`
      throw new GenesisError(`config.${missing}: needed for ${since}`)
    }
    const sameUnit = last !== null && last.field.endsWith('Time') === field.endsWith('Time')
    if (last !== null && sameUnit && start < last.start) {
      throw new GenesisError(
        `config.${field}: ${start} is before config.${last.field}, which is ${last.start}`,
      )
    }
    last = { field, start }
  }
}

/** The limits of every fork from Cancun on. */
export function readBlobSchedule(config: Fields, forks: readonly ForkActivation[]): BlobSchedule {
  const schedule = isAbsent(config.blobSchedule)
    ? {}
    : readObject(config.blobSchedule, 'config.blobSchedule')
  const names = forks.map(fork => fork.name)
  const entries = names.flatMap((fork): [string, BlobLimits][] => {
    const name = `config.blobSchedule.${fork}`
    if (fork !== 'cancun' && !names.slice(0, names.indexOf(fork)).includes('cancun')) return []
    if (isAbsent(schedule[fork])) {
      const limits = BLOB_LIMITS[fork]
      if (limits === undefined) throw new GenesisError(`${name}: missing`)
      return [[fork, limits]]
    }
    const limits = readObject(schedule[fork], name)
    const read = (field: string) => readInteger(limits[field], `${name}.${field}`)
    const baseFeeUpdateFraction = read('baseFeeUpdateFraction')
    if (baseFeeUpdateFraction === 0) {
      throw new GenesisError(`${name}.baseFeeUpdateFraction: must not be zero`)
    }
    return [[fork, { target: read('target'), max: read('max'), baseFeeUpdateFraction }]]
  })
  return Object.fromEntries(entries)
}
