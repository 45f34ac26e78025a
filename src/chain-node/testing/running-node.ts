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

/** A node that is a process of its own, as its users start it. */
export interface SpawnedNode {
  readonly url: string
  readonly wsUrl: string
  readonly pid: number
  /** Everything that it has written. */
  output(): string
  /** Fulfilled when the process ends, for whatever reason. */
  readonly ended: Promise<ProcessEnd>
  /** Sends a signal, unless it has ended, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<ProcessEnd>
}

const ROOT = join(import.meta.dirname, '../../..')
const START_LIMIT = 60_000

/**
 * Starts a node in a process of its own, on a free port unless `args` name one, and waits until it answers. Throws with what
 * it wrote where it ends instead, or takes a minute.
 *
 * @param dataFolder - is left as it is
 */
export async function spawnNode(dataFolder: string, args: readonly string[]): Promise<SpawnedNode> {
  const base = ['--port', '0', '--light-scrypt', '--data', dataFolder]
  const { child, ended, output, onOutput } = startProcess([...base, ...args])
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return ended
  }
  const url = await new Promise<string | null>(resolve => {
    const timer = setTimeout(() => resolve(null), START_LIMIT)
    onOutput(() => {
      const found = / HTTP +(http:\/\/\S+)\n/.exec(output())?.[1]
      if (found !== undefined) resolve(found)
    })
    timer.unref()
    void ended.then(() => resolve(null))
  })
  const isHealthy = url !== null && (await fetch(`${url}/healthz`)).ok
  if (!isHealthy) {
    const { code, signal } = await stop('SIGKILL')
    throw new Error(`The node did not start (${code ?? signal}):\n${output()}`)
  }
  return {
    url,
    wsUrl: url.replace(/^http/, 'ws'),
    pid: child.pid as number,
    output,
    ended,
    stop,
  }
}

/** Runs a node that is to end by itself, as `--export` does. */
export async function runNode(args: readonly string[]): Promise<ProcessEnd & { output: string }> {
  const { ended, output } = startProcess(args)
  return { ...(await ended), output: output() }
}

function startProcess(args: readonly string[]) {
  const program = ['--import', 'tsx', 'src/chain-node/chain-node.ts']
  const child = spawn(process.execPath, [...program, ...args], {
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
  return {
    child,
    ended,
    output: () => output,
    onOutput(listener: () => void) {
      notice = listener
    },
  }
}
