import { type ChainConfig, Common, type CustomCrypto, type ParamsDict } from '@ethereumjs/common'
import { type EVMOpts, paramsEVM } from '@ethereumjs/evm'
import { loadCrypto } from './crypto.ts'
import { FORK_PARAMS } from './genesis/fork-params.ts'
import type { Genesis } from './genesis/genesis.ts'
import type { BlobLimits, ForkActivation } from './genesis/genesis-forks.ts'
import { MCOPY } from './opcodes/mcopy.ts'

/** What a chain allows and costs, block by block. */
export interface Rules {
  readonly chainId: bigint
  readonly genesis: Genesis
  readonly shape: Genesis['shape']
  /** EIP-779: the block before which the DAO's balances are moved; null on a chain that has none. */
  readonly daoForkBlock: bigint | null
  /** What EthereumJS uses in place of its own; with `kzg` where the chain has blobs. */
  readonly crypto: CustomCrypto
  /** For every EVM of this chain. */
  readonly customOpcodes: NonNullable<EVMOpts['customOpcodes']>
  /**
   * The rules of a block as EthereumJS takes them. There is one object for each hard fork; it is shared by all machines and
   * cannot be changed.
   *
   * @param timestamp - seconds since 1970
   */
  commonAt(number: bigint, timestamp: bigint): Common
}

/** EIP-4844. */
const GAS_PER_BLOB = 131_072

/** EIPs that EthereumJS refuses on the forks that we give them to; the opcode stands for them. */
const OPCODE_OF_EIP: ReadonlyMap<number, Rules['customOpcodes'][number]> = new Map([[5656, MCOPY]])

/** Loads what the chain's cryptography needs, which for blobs is a quarter of a second. */
export async function createRules(genesis: Genesis): Promise<Rules> {
  const forks: readonly ForkActivation[] = [{ name: 'chainstart', block: 0 }, ...genesis.forks]
  const crypto = await loadCrypto({ blobs: forks.some(fork => fork.name === 'cancun') })
  const chain = describeChain(genesis, forks)
  const commons = new Map<string, Common>()

  function commonAt(number: bigint, timestamp: bigint): Common {
    const fork = forks.findLast(fork => isActive(fork, number, timestamp)) as ForkActivation
    const known = commons.get(fork.name)
    if (known !== undefined) return known
    const common = createCommon(genesis, chain, fork.name, crypto)
    commons.set(fork.name, common)
    return common
  }

  return {
    chainId: BigInt(genesis.chainId),
    genesis,
    shape: genesis.shape,
    daoForkBlock: findDaoForkBlock(forks),
    crypto,
    customOpcodes: genesis.eips.flatMap(eip => OPCODE_OF_EIP.get(eip) ?? []),
    commonAt,
  }
}

function findDaoForkBlock(forks: readonly ForkActivation[]): bigint | null {
  const fork = forks.find(({ name }) => name === 'dao')
  return fork !== undefined && 'block' in fork ? BigInt(fork.block) : null
}

function isActive(fork: ForkActivation, number: bigint, timestamp: bigint): boolean {
  return 'block' in fork ? BigInt(fork.block) <= number : BigInt(fork.time) <= timestamp
}

function describeChain(genesis: Genesis, forks: readonly ForkActivation[]): ChainConfig {
  const { header } = genesis
  return {
    name: 'chain',
    chainId: genesis.chainId,
    genesis: {
      timestamp: header.timestamp,
      gasLimit: header.gasLimit,
      difficulty: header.difficulty,
      nonce: header.nonce,
      extraData: header.extraData,
    },
    hardforks: forks.map(fork =>
      'block' in fork
        ? { name: fork.name, block: fork.block }
        : { name: fork.name, block: null, timestamp: fork.time },
    ),
    // Forks that change nothing but the schedule have their own entry, which stands before parameters by the fork's name.
    customHardforks: Object.fromEntries(
      Object.entries(genesis.blobSchedule)
        .filter(([fork]) => fork.startsWith('bpo'))
        .map(([fork, limits]) => [fork, { eips: [], params: listBlobParams(limits) }]),
    ),
    bootstrapNodes: [],
    consensus: { type: 'pow', algorithm: 'ethash', ethash: {} },
    ...(genesis.depositContractAddress !== null && {
      depositContractAddress: genesis.depositContractAddress,
    }),
  }
}

function listBlobParams(limits: BlobLimits) {
  return {
    target: limits.target,
    max: limits.max,
    targetBlobGasPerBlock: limits.target * GAS_PER_BLOB,
    maxBlobGasPerBlock: limits.max * GAS_PER_BLOB,
    blobGasPriceUpdateFraction: limits.baseFeeUpdateFraction,
  }
}

function createCommon(
  genesis: Genesis,
  chain: ChainConfig,
  hardfork: string,
  customCrypto: CustomCrypto,
): Common {
  const common = new Common({
    chain,
    hardfork,
    eips: genesis.eips.filter(eip => !OPCODE_OF_EIP.has(eip)),
    customCrypto,
  })
  common.updateParams(paramsEVM)
  common.updateParams(FORK_PARAMS)
  for (const [fork, limits] of Object.entries(genesis.blobSchedule)) {
    common.updateParams({ [fork]: listBlobParams(limits) })
  }
  return shareCommon(common)
}

/**
 * EthereumJS merges its parameters into its Common for every machine, copies it where it fears that it may change, and looks up
 * forks and parameters along lists at every step. The fork of this one never changes, and it has all parameters.
 */
function shareCommon(common: Common): Common {
  const hardfork = common.hardfork()
  const chainId = common.chainId()
  const param = remember(common.param.bind(common))
  const gteHardfork = remember(common.gteHardfork.bind(common))
  const isActivatedEIP = remember(common.isActivatedEIP.bind(common))
  common.copy = () => common
  common.updateParams = params => {
    if (params !== paramsEVM && contradicts(params)) throw refuseChange(hardfork)
  }
  common.setHardfork = name => {
    if (name !== hardfork) throw refuseChange(hardfork)
  }
  common.setHardforkBy = () => {
    throw refuseChange(hardfork)
  }
  common.resetParams = () => {
    throw refuseChange(hardfork)
  }
  common.setEIPs = () => {
    throw refuseChange(hardfork)
  }
  common.chainId = () => chainId
  common.param = param
  common.gteHardfork = gteHardfork
  common.isActivatedEIP = isActivatedEIP
  // Each machine listens for a change of the fork, which never comes.
  common.events.on = () => common.events
  Object.freeze(common)
  return common
}

/** Whether a parameter has another value here; those that are not here stay away. */
function contradicts(params: ParamsDict): boolean {
  return Object.entries(params).some(([eip, values]) =>
    Object.entries(values).some(([name, value]) => {
      const ours = FORK_PARAMS[eip]?.[name]
      return ours !== undefined && ours !== value
    }),
  )
}

function remember<K, V>(read: (key: K) => V): (key: K) => V {
  const values = new Map<K, V>()
  return key => {
    let value = values.get(key)
    if (value === undefined) {
      value = read(key)
      values.set(key, value)
    }
    return value
  }
}

function refuseChange(hardfork: string): Error {
  return new Error(`the rules of ${hardfork} are shared and cannot be changed`)
}
