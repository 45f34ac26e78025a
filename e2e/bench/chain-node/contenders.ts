import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askOnce, type Load } from './http-load.ts'

export type Mode = 'automine' | 'on demand'

/** A node that runs as a process of its own, on a new chain with the ten accounts that everybody knows. */
export type RunningNode = Load & {
  readonly startMs: number
  /** In MB, now. */
  memory(): number
  stop(): Promise<void>
}

export type Contender = { readonly name: string; start(mode: Mode): Promise<RunningNode> }

const ROOT = join(import.meta.dirname, '../../..')
/** As `npm run chain-node` has it, without npm, which would be measured too. */
const CHAIN_NODE = readScript('chain-node')
  .replace(/^exec node /, '')
  .split(' ')
const HARDHAT = ['node_modules/hardhat', 'artifacts/hardhat/node_modules/hardhat']
  .map(folder => join(ROOT, folder))
  .find(existsSync)

/** Ours first; the others where they are installed (`npm install --prefix artifacts/hardhat hardhat@2.28.6`). */
export function listContenders(): Contender[] {
  const anvil = join(ROOT, 'node_modules/.bin/anvil')
  return [
    {
      name: 'Satchel',
      start: mode =>
        startProcess((port, folder) => [
          process.execPath,
          ...CHAIN_NODE,
          '--dev',
          '--logs-span',
          '0',
          '--data',
          folder,
          '--port',
          String(port),
          ...(mode === 'automine' ? [] : ['--on-demand']),
        ]),
    },
    ...(existsSync(anvil)
      ? [
          {
            name: 'anvil',
            start: (mode: Mode) =>
              startProcess(port => [
                anvil,
                '--port',
                String(port),
                '--chain-id',
                '66',
                '--silent',
                ...(mode === 'automine' ? [] : ['--no-mining']),
              ]),
          },
        ]
      : []),
    ...(HARDHAT === undefined ? [] : [{ name: 'Hardhat', start: startHardhat }]),
  ]
}

function readScript(name: string): string {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts[name]
}

function startHardhat(mode: Mode): Promise<RunningNode> {
  return startProcess(
    (port, folder) => {
      writeFileSync(
        join(folder, 'hardhat.config.js'),
        `module.exports = { solidity: '0.8.24', networks: { hardhat: { chainId: 66, loggingEnabled: false, mining: { auto: ${mode === 'automine'} } } } }`,
      )
      return [
        process.execPath,
        join(HARDHAT ?? '', 'internal/cli/bootstrap.js'),
        'node',
        '--config',
        join(folder, 'hardhat.config.js'),
        '--port',
        String(port),
      ]
      // It runs only where it is installed.
    },
    join(HARDHAT ?? '', '../..'),
  )
}

let nextPort = 18_600

async function startProcess(
  commandOf: (port: number, folder: string) => string[],
  cwd = ROOT,
): Promise<RunningNode> {
  const port = nextPort++
  const folder = mkdtempSync(join(tmpdir(), 'chain-node-bench-'))
  const [command = '', ...args] = commandOf(port, folder)
  const started = performance.now()
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', chunk => {
    complaint = (complaint + chunk).slice(-2000)
  })
  const load = { host: '127.0.0.1', port }
  await waitForAnswer(load, child, () => complaint)
  return {
    ...load,
    startMs: performance.now() - started,
    memory: () => readMemory(child),
    async stop() {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(killer)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function waitForAnswer(load: Load, child: ChildProcess, complaint: () => string) {
  for (let tries = 0; tries < 1500; tries++) {
    if (child.exitCode !== null) throw new Error(`A node has ended: ${complaint()}`)
    try {
      await askOnce(load, 'eth_chainId')
      return
    } catch {
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  throw new Error(`A node does not answer: ${complaint()}`)
}

/** Resident memory of a process in MB, where the system tells it (Linux). */
function readMemory({ pid }: ChildProcess): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return (pages * 4096) / 1e6
  } catch {
    return Number.NaN
  }
}
