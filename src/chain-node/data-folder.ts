import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readFirstHeader } from './chain/import.ts'
import { decodeHex, formatQuantity } from './codec/hex.ts'
import { type Config, ConfigError } from './config/config.ts'
import { CREATE2_DEPLOYER, DEV_BALANCE, DEV_KEYS } from './dev-accounts.ts'
import { builtInGenesis, type Genesis, readGenesis } from './engine/genesis/genesis.ts'
import { assertNoFork } from './fork/fork-file.ts'
import { deriveAddress } from './keystore/private-key.ts'
import { makeFolder } from './store/make-folder.ts'

/** What a data folder holds besides the keys. */
export interface DataFolder {
  readonly genesis: Genesis
  /** The folder of the store. */
  readonly chain: string
}

/**
 * Opens the folder, which is made if it is not there. A new one gets the chain that the configuration describes; one that
 * holds a chain keeps it. Throws `ConfigError` where the configuration describes another, and for a genesis that cannot be read.
 */
export async function openDataFolder(config: Config): Promise<DataFolder> {
  const { dataFolder } = config
  await makeFolder(dataFolder)
  await assertNoFork(dataFolder)
  const file = join(dataFolder, 'genesis.json')
  const stored = await readIfThere(file)
  const chain = join(dataFolder, 'chain')
  const known = stored === null ? null : parseStored(file, stored)
  if (known !== null && !config.describesChain) return { genesis: known, chain }
  const genesis = await describeGenesis(config, known)
  const text = JSON.stringify(genesis, null, 1)
  if (stored === null) {
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
  } else if (stored !== text) {
    throw new ConfigError(
      `${dataFolder} holds another chain than these options describe: choose a folder for this one with --data, or leave them out`,
    )
  }
  return { genesis, chain }
}

/**
 * A chain for development begins now where it is new, as those of Hardhat and anvil do; one that is imported, when it did.
 *
 * @param known - what the folder holds
 */
async function describeGenesis(config: Config, known: Genesis | null): Promise<Genesis> {
  if (config.genesisFile !== null) return readGenesisFile(config.genesisFile)
  return builtInGenesis(config.network, {
    profile: config.profile,
    gasLimit: config.gasLimit,
    timestamp: config.dev ? await readBeginning(known, config.importFile) : 0n,
    alloc: config.dev ? describeDevAlloc(known) : {},
  })
}

/** Folders that older versions made have no deployer, and stay what they are. */
function describeDevAlloc(known: Genesis | null): Genesis['alloc'] {
  const balance = formatQuantity(DEV_BALANCE)
  const funded = DEV_KEYS.map(key => [deriveAddress(decodeHex(key)), { balance }] as const)
  const { address, code } = CREATE2_DEPLOYER
  const hasDeployer = known === null || known.alloc[address] !== undefined
  return {
    ...Object.fromEntries(funded),
    ...(hasDeployer && { [address]: { balance: '0x0', nonce: '0x1', code } }),
  }
}

async function readBeginning(known: Genesis | null, importFile: string | null): Promise<bigint> {
  if (known !== null) return BigInt(known.header.timestamp)
  const first = importFile === null ? null : await readFirstHeader(importFile)
  return first?.number === 0n ? first.timestamp : BigInt(Math.floor(Date.now() / 1000))
}

async function readGenesisFile(file: string): Promise<Genesis> {
  const text = await readIfThere(file)
  if (text === null) throw new ConfigError(`--genesis: there is no file ${file}`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new ConfigError(
      `--genesis: ${file} is not JSON: ${error instanceof Error ? error.message : ''}`,
    )
  }
  try {
    return readGenesis(json)
  } catch (error) {
    throw new ConfigError(`--genesis: ${file}: ${error instanceof Error ? error.message : ''}`)
  }
}

function parseStored(file: string, text: string): Genesis {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigError(`${file} is damaged: ${error instanceof Error ? error.message : ''}`)
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
