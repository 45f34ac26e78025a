import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArguments, resolveConfig } from '../config/config.ts'
import { createLog } from '../log.ts'
import { type ChainNode, startNode } from '../node.ts'

/** A complete node in this process. */
export interface RunningNode extends ChainNode {
  readonly dataFolder: string
  /** Its warnings and errors, a line each. */
  readonly complaints: readonly string[]
}

/**
 * Starts a node on a free port. Without `--data` it has a folder of its own, which `close` takes away.
 *
 * @param args - as on the command line
 */
export async function startRunningNode(args: readonly string[]): Promise<RunningNode> {
  const folder = mkdtempSync(join(tmpdir(), 'chain-node-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  const base = ['--port', '0', '--light-scrypt', '--data', join(folder, 'data')]
  const complaints: string[] = []
  const log = createLog({ level: 'warn', json: false }, line => complaints.push(line))
  try {
    const config = resolveConfig(readArguments([...base, ...args]))
    const node = await startNode(config, { log, version: '0.0.0' })
    return {
      ...node,
      dataFolder: config.dataFolder,
      complaints,
      async close() {
        await node.close()
        removeFolder()
      },
    }
  } catch (error) {
    removeFolder()
    throw error
  }
}
