import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A node that is a process of its own, as its users start it. It need not serve, now or ever. */
export interface LaunchedNode {
  readonly pid: number
  /** Everything that it has written. */
  output(): string
  /** Fulfilled when the process ends, for whatever reason. */
  readonly ended: Promise<ProcessEnd>
  /** Sends a signal, unless it has ended, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<ProcessEnd>
  /** Where it serves; null where it ended instead, or took a minute. */
  readonly served: Promise<string | null>
}

export interface SpawnedNode extends LaunchedNode {
  readonly url: string
  readonly wsUrl: string
}

const PROGRAM = join(import.meta.dirname, '../start.js')
const START_LIMIT = 60_000

/**
 * Starts a node on a free port, unless `args` name one, and does not wait.
 *
 * @param dataFolder - is left as it is
 */
export function launchNode(dataFolder: string, args: readonly string[]): LaunchedNode {
  return launch(['--port', '0', '--light-scrypt', '--data', dataFolder, ...args])
}

/** Launches a node and waits until it answers. Throws with what it wrote where it ends instead, or takes a minute. */
export async function spawnNode(dataFolder: string, args: readonly string[]): Promise<SpawnedNode> {
  const launched = launchNode(dataFolder, args)
  const url = await launched.served
  if (url === null) {
    const { code, signal } = await launched.stop('SIGKILL')
    throw new Error(`The node did not start (${code ?? signal}):\n${launched.output()}`)
  }
  return { ...launched, url, wsUrl: url.replace(/^http/, 'ws') }
}

/** Runs a node that is to end by itself, as `--export` does. */
export async function runNode(args: readonly string[]): Promise<ProcessEnd & { output: string }> {
  const { ended, output } = launch(args)
  return { ...(await ended), output: output() }
}

function launch(args: readonly string[]): LaunchedNode {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let notice = () => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      notice()
    })
  }
  const ended = once(child, 'close').then(([code, signal]): ProcessEnd => ({ code, signal }))
  const served = new Promise<string | null>(resolve => {
    const timer = setTimeout(() => resolve(null), START_LIMIT).unref()
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
    served,
    ended,
    stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended
    },
  }
}
