import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A process that has just been started; it need not serve, now or ever. */
export interface LaunchedNode {
  readonly pid: number
  /** Everything that it has written. */
  output(): string
  /** Where it serves; null where it ended instead, or took a minute. */
  readonly url: Promise<string | null>
  /** Fulfilled when the process ends, for whatever reason. */
  readonly ended: Promise<ProcessEnd>
  /** Sends a signal, unless it has ended, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<ProcessEnd>
}

/** A node that is a process of its own, as its users start it. */
export interface SpawnedNode extends Omit<LaunchedNode, 'url'> {
  readonly url: string
  readonly wsUrl: string
}

const ROOT = join(import.meta.dirname, '../../..')
const START_LIMIT = 60_000
/** What `npm run chain-node` runs. */
const PROGRAM = ['--import', 'tsx', 'src/chain-node/chain-node.ts']

/**
 * Starts a node in a process of its own, on a free port unless `args` name one.
 *
 * @param dataFolder - is left as it is
 * @param program - arguments of Node.js
 */
export function launchNode(
  dataFolder: string,
  args: readonly string[],
  program: readonly string[] = PROGRAM,
): LaunchedNode {
  const base = ['--port', '0', '--light-scrypt', '--data', dataFolder]
  const child = spawn(process.execPath, [...program, ...base, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let notice = () => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      notice()
    })
  }
  const ended = once(child, 'close').then(
    ([code, signal]): ProcessEnd => ({ code, signal }),
    (error: unknown): ProcessEnd => {
      output += String(error)
      return { code: null, signal: null }
    },
  )
  const url = new Promise<string | null>(resolve => {
    const timer = setTimeout(() => resolve(null), START_LIMIT)
    const settle = (found: string | null) => {
      clearTimeout(timer)
      resolve(found)
    }
    notice = () => {
      const found = / HTTP +(http:\/\/\S+)\n/.exec(output)?.[1]
      if (found !== undefined) settle(found)
    }
    void ended.then(() => settle(null))
  })
  return {
    pid: child.pid as number,
    output: () => output,
    url,
    ended,
    stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended
    },
  }
}

/**
 * Launches a node and waits until it answers. Throws with what it wrote where it ends instead, or takes a minute.
 *
 * @param dataFolder - is left as it is
 */
export async function spawnNode(
  dataFolder: string,
  args: readonly string[],
  program?: readonly string[],
): Promise<SpawnedNode> {
  const launched = launchNode(dataFolder, args, program)
  const url = await launched.url
  const isHealthy = url !== null && (await fetch(`${url}/healthz`)).ok
  if (!isHealthy) {
    const end = await launched.stop('SIGKILL')
    throw new Error(`The node did not start (${end.code ?? end.signal}):\n${launched.output()}`)
  }
  return { ...launched, url, wsUrl: url.replace(/^http/, 'ws') }
}
