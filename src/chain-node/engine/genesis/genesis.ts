import type { Hex } from '../../codec/hex.ts'
import {
  type Fields,
  find,
  GenesisError,
  isAbsent,
  readBytes,
  readObject,
  readQuantity,
  readWord,
  sortKeys,
} from './genesis-fields.ts'
import {
  type BlobSchedule,
  type ForkActivation,
  readBlobSchedule,
  readForks,
} from './genesis-forks.ts'

export interface GenesisAccount {
  readonly balance: Hex
  readonly nonce?: Hex
  readonly code?: Hex
  /** Slot of 32 bytes to value of 32 bytes, which is never zero. */
  readonly storage?: { readonly [slot: Hex]: Hex }
}

/** Fields of the first header that do not follow from others; quantities where the name does not say otherwise. */
export interface GenesisHeader {
  /** 8 bytes. */
  readonly nonce: Hex
  readonly timestamp: Hex
  /** Bytes. */
  readonly extraData: Hex
  readonly gasLimit: Hex
  readonly difficulty: Hex
  /** 32 bytes. */
  readonly mixHash: Hex
  /** 20 bytes. */
  readonly coinbase: Hex
  /** 32 bytes. */
  readonly parentHash: Hex
  readonly gasUsed: Hex
  readonly baseFeePerGas?: Hex
  readonly excessBlobGas?: Hex
  readonly blobGasUsed?: Hex
}

/** What a chain begins with and the rules it follows: plain data, equal for equal chains when written as JSON. */
export interface Genesis {
  readonly chainId: Hex
  /** Whether blocks and transactions are shown with the specification's fields alone, or with all that their fork gives them. */
  readonly shape: 'specified' | 'complete'
  /** In the order in which they come, Homestead first. */
  readonly forks: readonly ForkActivation[]
  /** EIPs that hold from the first block on without their forks. */
  readonly eips: readonly number[]
  readonly blobSchedule: BlobSchedule
  readonly depositContractAddress: Hex | null
  readonly header: GenesisHeader
  /** By address, in ascending order. */
  readonly alloc: { readonly [address: Hex]: GenesisAccount }
}

/**
 * Reads geth's `genesis.json`. Its consensus engine does not matter: blocks are taken as they come. Throws `GenesisError`
 * where a field is missing, is not what it should be or names a fork that is not known.
 */
export function readGenesis(json: unknown): Genesis {
  const file = readObject(json, 'genesis')
  const config = readObject(find(file, 'config'), 'config')
  const header = readHeader(file)
  const forks = readForks(config, Number(header.timestamp))
  return {
    chainId: readChainId(config),
    shape: 'complete',
    forks,
    eips: [],
    blobSchedule: readBlobSchedule(config, forks),
    depositContractAddress: isAbsent(config.depositContractAddress)
      ? null
      : readBytes(config.depositContractAddress, 'config.depositContractAddress', 20),
    header,
    alloc: readAlloc(find(file, 'alloc')),
  }
}

function readChainId(config: Fields): Hex {
  const chainId = readQuantity(config.chainId, 'config.chainId', 64)
  if (chainId === '0x0') throw new GenesisError('config.chainId: must not be zero')
  return chainId
}

function readHeader(file: Fields): GenesisHeader {
  const quantity = (name: string, bits: number, otherwise?: Hex): Hex =>
    otherwise !== undefined && isAbsent(find(file, name))
      ? otherwise
      : readQuantity(find(file, name), name, bits)
  const bytes = (name: string, length: number | null, otherwise: Hex): Hex =>
    isAbsent(find(file, name)) ? otherwise : readBytes(find(file, name), name, length)
  const given = (name: 'baseFeePerGas' | 'excessBlobGas' | 'blobGasUsed') =>
    isAbsent(find(file, name)) ? {} : { [name]: quantity(name, 256) }
  if (quantity('number', 64, '0x0') !== '0x0') throw new GenesisError('number: must be zero')
  return {
    nonce: `0x${quantity('nonce', 64, '0x0').slice(2).padStart(16, '0')}`,
    timestamp: quantity('timestamp', 64, '0x0'),
    extraData: bytes('extraData', null, '0x'),
    gasLimit: quantity('gasLimit', 64),
    difficulty: quantity('difficulty', 256),
    mixHash: bytes('mixHash', 32, ZERO_HASH),
    coinbase: bytes('coinbase', 20, ZERO_ADDRESS),
    parentHash: bytes('parentHash', 32, ZERO_HASH),
    gasUsed: quantity('gasUsed', 64, '0x0'),
    ...given('baseFeePerGas'),
    ...given('excessBlobGas'),
    ...given('blobGasUsed'),
  }
}

function readAlloc(value: unknown): Genesis['alloc'] {
  const alloc: { [address: Hex]: GenesisAccount } = {}
  for (const [key, entry] of Object.entries(readObject(value, 'alloc'))) {
    const name = `alloc.${key}`
    const address = readBytes(key.startsWith('0x') ? key : `0x${key}`, name, 20)
    if (alloc[address] !== undefined) throw new GenesisError(`${name}: is there twice`)
    alloc[address] = readAccount(readObject(entry, name), name)
  }
  return sortKeys(alloc)
}

function readAccount(account: Fields, name: string): GenesisAccount {
  const nonce = isAbsent(account.nonce) ? '0x0' : readQuantity(account.nonce, `${name}.nonce`, 64)
  const code = isAbsent(account.code) ? '0x' : readBytes(account.code, `${name}.code`, null)
  const storage: { [slot: Hex]: Hex } = {}
  const slots = isAbsent(account.storage) ? {} : readObject(account.storage, `${name}.storage`)
  for (const [key, value] of Object.entries(slots)) {
    const slot = readWord(key, `${name}.storage.${key}`)
    const word = readWord(value, `${name}.storage.${key}`)
    if (word !== ZERO_HASH) storage[slot] = word
  }
  return {
    balance: readQuantity(account.balance, `${name}.balance`, 256),
    ...(nonce !== '0x0' && { nonce }),
    ...(code !== '0x' && { code }),
    ...(Object.keys(storage).length > 0 && { storage: sortKeys(storage) }),
  }
}

const ZERO_HASH: Hex = `0x${'0'.repeat(64)}`
const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`

/** Transient storage, PUSH0 and MCOPY, which solc uses unless it is told not to. */
const SOLIDITY_EIPS = [1153, 3855, 5656]

/** Rules of a chain that no genesis file describes. */
export type Profile = 'default' | 'istanbul' | 'prague'

const ISTANBUL_FORKS = [
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'muirGlacier',
]

const PRAGUE_FORKS: readonly ForkActivation[] = [
  ...[...ISTANBUL_FORKS, 'berlin', 'london', 'paris'].map(name => ({ name, block: 0 })),
  ...['shanghai', 'cancun', 'prague'].map(name => ({ name, time: 0 })),
]

/**
 * The specification's networks: legacy fees, so that every client falls back to legacy transactions. With the profile of Prague
 * they have a base fee and all fields of blocks, for tools that know no chain without.
 */
export function builtInGenesis(
  name: 'mainnet' | 'testnet',
  options: {
    readonly profile: Profile
    readonly alloc: Genesis['alloc']
    readonly gasLimit?: bigint
    /** Seconds since 1970. */
    readonly timestamp?: bigint
  },
): Genesis {
  const { profile } = options
  const legacy = profile === 'istanbul' ? ISTANBUL_FORKS : [...ISTANBUL_FORKS, 'berlin']
  const forks = profile === 'prague' ? PRAGUE_FORKS : legacy.map(name => ({ name, block: 0 }))
  return {
    chainId: name === 'mainnet' ? '0x42' : '0x41',
    shape: profile === 'prague' ? 'complete' : 'specified',
    forks,
    eips: profile === 'default' ? SOLIDITY_EIPS : [],
    blobSchedule: profile === 'prague' ? readBlobSchedule({}, forks) : {},
    depositContractAddress: null,
    header: {
      nonce: '0x0000000000000000',
      timestamp: `0x${(options.timestamp ?? 0n).toString(16)}`,
      extraData: '0x',
      gasLimit: `0x${(options.gasLimit ?? 30_000_000n).toString(16)}`,
      difficulty: '0x0',
      mixHash: ZERO_HASH,
      coinbase: ZERO_ADDRESS,
      parentHash: ZERO_HASH,
      gasUsed: '0x0',
    },
    alloc: readAlloc(options.alloc),
  }
}
