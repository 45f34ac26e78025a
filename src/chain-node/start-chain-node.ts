import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from './codec/hex.ts'
import { ConfigError, readConfigObject, resolveConfig } from './config/config.ts'
import type { OptionName, OptionValues } from './config/options.ts'
import { DEV_KEYS } from './dev-accounts.ts'
import { createLog } from './log.ts'
import { startNode } from './node.ts'
import { readVersion } from './version.ts'

/** Options that end the command, or say where others are. */
const COMMAND_OPTIONS = ['export', 'config', 'help', 'version'] as const satisfies OptionName[]

/** The options of the command line under their names there, as in a configuration file: `{ dev: true, 'block-time': 4 }`. */
export type ChainNodeOptions = Omit<OptionValues, (typeof COMMAND_OPTIONS)[number]>

/** A chain node that serves. */
export interface StartedChainNode {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** `ws://127.0.0.1:PORT` */
  readonly wsUrl: string
  readonly chainId: bigint
  /** The accounts that `dev` funds and unlocks. Everybody knows their keys. */
  readonly devAccounts: readonly { readonly address: Hex; readonly privateKey: Hex }[]
  /** Answers what was asked, finishes the block that is being made, and stops. */
  close(): Promise<void>
}

/**
 * Starts a node in this process. Without `port` it takes any free one, without `data` its chain is in a temporary folder that
 * `close` deletes, and without `log-level` it tells of warnings and errors alone. Rejects with an error that names the option.
 */
export async function startChainNode(options: ChainNodeOptions = {}): Promise<StartedChainNode> {
  for (const name of COMMAND_OPTIONS) {
    if (name in options) throw new ConfigError(`${name} is an option of the command line alone`)
  }
  const scratch =
    options.data === undefined ? await mkdtemp(join(tmpdir(), `chain-node-${process.pid}-`)) : null
  const clear = async () => {
    if (scratch !== null) await rm(scratch, { recursive: true, force: true })
  }
  try {
    const config = resolveConfig({
      port: '0',
      'log-level': 'warn',
      ...readConfigObject(options),
      ...(scratch !== null && { data: join(scratch, 'data') }),
    })
    const log = createLog({ level: config.logLevel, json: config.logJson })
    const node = await startNode(config, { log, version: readVersion() })
    return {
      url: node.url,
      wsUrl: node.wsUrl,
      chainId: node.chainId,
      devAccounts: node.devAccounts.map((address, index) => ({
        address,
        privateKey: DEV_KEYS[index] ?? '0x',
      })),
      async close() {
        await node.close()
        await clear()
      },
    }
  } catch (error) {
    await clear()
    throw error
  }
}
