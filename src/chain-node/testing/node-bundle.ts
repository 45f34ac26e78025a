import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { ProcessEnd, SpawnedNode } from './running-node.ts'

/** The node as one file, which starts several times faster than its sources. */
export interface NodeBundle {
  /**
   * Starts it on a free port, unless `args` name one, and does not wait.
   *
   * @param dataFolder - is left as it is
   */
  launch(dataFolder: string, args: readonly string[]): LaunchedNode
  /** Launches it and waits until it answers. Throws with what it wrote where it ends instead, or takes a minute. */
  start(dataFolder: string, args: readonly string[]): Promise<SpawnedNode>
  remove(): void
}

/** A process that need not serve, now or ever. */
export interface LaunchedNode extends Pick<SpawnedNode, 'pid' | 'output' | 'ended' | 'stop'> {
  /** Where it serves; null where it ended instead, or took a minute. */
  readonly url: Promise<string | null>
}

const ROOT = join(import.meta.dirname, '../../..')

const START_LIMIT = 60_000

/** The packages with native parts stay where they are installed. */
export async function bundleNode(): Promise<NodeBundle> {
  const folder = mkdtempSync(join(tmpdir(), 'chain-node-bundle-'))
  // Where its sources look for them.
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'src/chain-node'), { recursive: true })
  const outfile = join(folder, 'src/chain-node/chain-node.js')
  await build({
    entryPoints: [join(ROOT, 'src/chain-node/chain-node.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    external: ['classic-level', 'secp256k1', 'ws', 'hash-wasm'],
    banner: {
      js: "import{createRequire as createRequireHere}from'node:module';const require=createRequireHere(import.meta.url);",
    },
  })
  const launch = (dataFolder: string, args: readonly string[]) =>
    launchProgram(outfile, ['--port', '0', '--light-scrypt', '--data', dataFolder, ...args])
  return {
    launch,
    start: (dataFolder, args) => waitUntilServing(launch(dataFolder, args)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function launchProgram(program: string, args: readonly string[]): LaunchedNode {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let notice = () => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      notice()
    })
  }
  const ended = once(child, 'close').then(([code, signal]): ProcessEnd => ({ code, signal }))
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

async function waitUntilServing(launched: LaunchedNode): Promise<SpawnedNode> {
  const url = await launched.url
  if (url === null) {
    const { code, signal } = await launched.stop('SIGKILL')
    throw new Error(`The node did not start (${code ?? signal}):\n${launched.output()}`)
  }
  return { ...launched, url, wsUrl: url.replace(/^http/, 'ws') }
}
