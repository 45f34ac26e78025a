import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatQuantity, type Hex } from '../codec/hex.ts'
import { ConfigError } from '../config/config.ts'
import type { Profile } from '../engine/genesis/genesis.ts'
import { makeFolder } from '../store/make-folder.ts'

/** What the data folder of a fork is bound to: a block of a chain, wherever its node is, and the rules by which blocks follow it. */
export interface ForkFile {
  readonly chainId: bigint
  readonly number: bigint
  readonly hash: Hex
  readonly profile: Profile
  /** The block's header in JSON-RPC's form. */
  readonly header: unknown
}

/** Null where the folder is none of a fork. Throws `ConfigError` where the file is damaged. */
export async function readForkFile(dataFolder: string): Promise<ForkFile | null> {
  const file = join(dataFolder, NAME)
  const text = await readIfThere(file)
  if (text === null) return null
  try {
    const { chainId, number, ...rest } = JSON.parse(text)
    return { ...rest, chainId: BigInt(chainId), number: BigInt(number) }
  } catch (error) {
    throw new ConfigError(`${file} is damaged: ${error instanceof Error ? error.message : ''}`)
  }
}

/** Makes a new folder a fork's. Throws `ConfigError` where it has a chain already. */
export async function writeForkFile(dataFolder: string, fork: ForkFile): Promise<void> {
  if ((await readIfThere(join(dataFolder, 'genesis.json'))) !== null) {
    throw new ConfigError(
      `${dataFolder} holds a chain of its own, which is no fork: choose a folder for the fork with --data`,
    )
  }
  await makeFolder(dataFolder)
  const file = join(dataFolder, NAME)
  const text = JSON.stringify(
    { ...fork, chainId: formatQuantity(fork.chainId), number: formatQuantity(fork.number) },
    null,
    1,
  )
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}

/** Throws `ConfigError` for a folder that is a fork's. */
export async function assertNoFork(dataFolder: string): Promise<void> {
  const fork = await readForkFile(dataFolder)
  if (fork === null) return
  throw new ConfigError(
    `${dataFolder} holds a fork of ${nameFork(fork)}: start it with --fork URL, or choose another folder with --data`,
  )
}

export function nameFork({ chainId, number, hash }: ForkFile): string {
  return `chain ${chainId} at block ${number} (${hash})`
}

const NAME = 'fork.json'

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
