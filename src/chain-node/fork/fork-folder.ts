import { join } from 'node:path'
import { formatQuantity } from '../codec/hex.ts'
import { ConfigError, type ForkConfig } from '../config/config.ts'
import type { Header } from '../engine/block.ts'
import { builtInGenesis, type Genesis } from '../engine/genesis/genesis.ts'
import { headerJson } from '../json/header-json.ts'
import type { Log } from '../log.ts'
import { readQuantityOf } from './answer-fields.ts'
import { type ForkFile, nameFork, readForkFile, writeForkFile } from './fork-file.ts'
import { type Remote, RemoteError } from './remote.ts'
import { fetchHeader, readHeader } from './remote-header.ts'

/** The data folder of a fork: which block of which chain it goes on from, and by which rules. */
export interface ForkFolder {
  /** The block, as the remote chain has it. */
  readonly block: Header
  readonly genesis: Genesis
  /** The folder of the store. */
  readonly chain: string
}

/**
 * Opens the folder of a fork, which is made if it is not there: a new one goes on from the block that the configuration names, or
 * from the remote's head; one that is there already goes on from its own, also where the remote cannot be reached. Throws
 * `ConfigError` where it is another chain's or another block's, and `RemoteError` where the block cannot be had.
 */
export async function openForkFolder(
  dataFolder: string,
  wanted: ForkConfig,
  remote: Remote,
  log: Log,
): Promise<ForkFolder> {
  let fork = await readForkFile(dataFolder)
  if (fork === null) {
    fork = await describeFork(wanted, remote)
    await writeForkFile(dataFolder, fork)
  } else {
    await assertSame(dataFolder, wanted, remote, fork, log)
  }
  const block = readHeader(fork.header)
  return { block, genesis: describeRules(fork, block), chain: join(dataFolder, 'chain') }
}

async function describeFork({ block, profile }: ForkConfig, remote: Remote): Promise<ForkFile> {
  const chainId = await fetchChainId(remote)
  const header = await fetchHeader(remote, block ?? 'latest')
  if (header === null) {
    throw new RemoteError(`the remote node ${remote.name} has no block ${block ?? 'yet'}`)
  }
  const { number, hash } = header
  const fitting = header.baseFeePerGas === undefined ? 'default' : 'prague'
  return {
    chainId,
    number,
    hash,
    profile: profile ?? fitting,
    header: JSON.parse(headerJson(header)),
  }
}

async function assertSame(
  dataFolder: string,
  wanted: ForkConfig,
  remote: Remote,
  fork: ForkFile,
  log: Log,
): Promise<void> {
  const refuse = (asked: string) =>
    new ConfigError(
      `${dataFolder} holds a fork of ${nameFork(fork)}, and not ${asked}: choose a folder for that with --data`,
    )
  if (wanted.block !== null && wanted.block !== fork.number) {
    throw refuse(`one of block ${wanted.block}`)
  }
  if (wanted.profile !== null && wanted.profile !== fork.profile) {
    throw refuse(`one with the rules of ${wanted.profile}; its own are those of ${fork.profile}`)
  }
  try {
    const chainId = await fetchChainId(remote)
    if (chainId !== fork.chainId) throw refuse(`one of chain ${chainId}, which ${remote.name} has`)
    const header = await fetchHeader(remote, fork.number)
    if (header?.hash === fork.hash) return
    const there = header === null ? 'has no such block' : `has ${header.hash} there`
    throw refuse(`one of the chain of ${remote.name}, which ${there}`)
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    log.warn('the remote chain is not asked: only what is known of it is there', {
      reason: error.message,
    })
  }
}

async function fetchChainId(remote: Remote): Promise<bigint> {
  return readQuantityOf('eth_chainId', await remote.request('eth_chainId', []))
}

/** All forks hold from the first block on, as the blocks before that of the fork are not run here. */
function describeRules({ chainId, profile }: ForkFile, block: Header): Genesis {
  const { gasLimit, timestamp } = block
  const genesis = builtInGenesis('mainnet', { profile, alloc: {}, gasLimit, timestamp })
  return { ...genesis, chainId: formatQuantity(chainId) }
}
