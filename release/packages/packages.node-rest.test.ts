import { execFile, execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { pack } from '../pack.ts'
import { PACKAGE_NAMES } from './packages.ts'
import { readExample } from './readme.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const LOCK = join(ROOT, 'node_modules/.package-lock.json')

/** A project that has nothing but the two packages. */
const project = mkdtempSync(join(tmpdir(), 'satchel-packages-'))
/** Where its processes put what is temporary. */
const scratch = join(project, 'scratch')
const env = { ...process.env, TMPDIR: scratch }
let tarballs: string[] = []

beforeAll(async () => {
  mkdirSync(scratch)
  tarballs = PACKAGE_NAMES.map(name => pack(ROOT, name, join(project, 'packed')))
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  await installPackages()
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

describe('the packed devnet', () => {
  it('passes the test of its README in a project of its own, and leaves nothing behind', async () => {
    await runExample('satchel-devnet', 'wallet.test.mjs')
    expect(listProcesses()).toEqual([])
    expect(readdirSync(scratch)).toEqual([])
  })

  it('is started by one command, pays who asks over HTTP, and ends with its node', async () => {
    const command = startCommand('npx', ['satchel-devnet', '--port', '0'])
    const url = await command.waitFor(/Esplora +(http:\S+)\/api/)
    expect(listProcesses().join('\n')).toContain('bitcoind')

    writeFileSync(join(project, 'faucet.mjs'), readExampleOf('satchel-devnet', 'faucet.mjs'))
    const { stdout } = await run(process.execPath, ['faucet.mjs', url], { cwd: project, env })
    const [coin, ...others] = JSON.parse(stdout)
    expect(coin).toMatchObject({ value: 20_000, status: { confirmed: true, block_height: 111 } })
    expect(others).toEqual([])

    command.stop()
    await expect.poll(listProcesses).toEqual([])
    await expect.poll(() => readdirSync(scratch)).toEqual([])
  })
})

describe('the packed chain node', () => {
  it('passes the test of its README in a project of its own, and leaves nothing behind', async () => {
    await runExample('satchel-chain-node', 'chain.test.mjs')
    expect(listProcesses()).toEqual([])
    expect(readdirSync(scratch)).toEqual([])
  })

  it.each([
    ['npx', ['satchel-chain-node']],
    ['node_modules/.bin/satchel-chain-node', []],
  ])('is started by %s, answers over HTTP, and ends', async (program, words) => {
    const data = join(project, 'chain')
    const args = [...words, '--dev', '--port', '0', '--data', data]
    const command = startCommand(program.replace(/^node_modules/, join(project, '$&')), args)
    const url = await command.waitFor(/HTTP +(http:\S+)/)
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
    })
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: '0x42' })
    expect(listProcesses().join('\n')).toContain('satchel-chain-node')
    command.stop()
    await expect.poll(listProcesses).toEqual([])
  })
})

describe('both', () => {
  it('have types that a strict project reads without skipping any, and no others', async () => {
    const options = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false }
    const target = {
      target: 'ES2023',
      lib: ['ES2023'],
      module: 'NodeNext',
      types: [],
      noEmit: true,
    }
    const config = { compilerOptions: { ...options, ...target }, files: ['uses.ts'] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
    writeFileSync(join(project, 'uses.ts'), USES)
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [compiler, '-p', project], { cwd: project }).catch(fail)
  })

  it('have the same bytes when they are packed again elsewhere', () => {
    for (const [index, name] of PACKAGE_NAMES.entries()) {
      const again = pack(ROOT, name, join(project, 'a/longer/path'))
      expect(readFileSync(again).equals(readFileSync(tarballs[index] ?? ''))).toBe(true)
    }
  })

  it.each(['satchel-devnet', 'satchel-chain-node'])(
    '%s says how its tarball is installed, has its licences, and no link that leads nowhere',
    name => {
      const folder = join(project, 'node_modules', name)
      const readme = readFileSync(join(folder, 'README.md'), 'utf8')
      const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
      const anchors = [...readme.matchAll(/^#+ (.+)$/gm)].map(
        ([, title = '']) => `#${title.toLowerCase().replaceAll(' ', '-')}`,
      )
      expect(links.filter(link => !anchors.includes(link))).toEqual([])
      expect(readme).not.toContain('<!--')
      const [, named] = /^npm install --save-dev \.\/(\S+)/m.exec(readme) ?? []
      expect(tarballs.map(path => basename(path))).toContain(named)
      expect(existsSync(join(folder, 'LICENSE'))).toBe(true)
      const notices = readFileSync(join(folder, 'THIRD-PARTY-LICENSES'), 'utf8')
      expect(notices).toMatch(/^@noble\/curves \S+ \(MIT\)$/m)
      const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const licences = [...notices.matchAll(/^\S+ \d\S+ \((.+)\)$/gm)].map(([, one = '']) => one)
      expect(license.split(' AND ').sort()).toEqual([...new Set([...licences, 'MIT'])].sort())
      expect(license.includes('MPL-2.0')).toBe(
        notices.includes('Mozilla Public License Version 2.0'),
      )
    },
  )
})

const USES = `
import { startChainNode, type ChainNodeOptions, type StartedChainNode } from 'satchel-chain-node'
import { startDevnet, type Devnet, type DevnetOptions } from 'satchel-devnet'

const here: DevnetOptions = { port: 0, indexSats: true }
const devnet: Devnet = await startDevnet(here)
const txid: string = await devnet.faucet('bcrt1', 1000n)
const { connected }: { connected: string[] } = await devnet.reorg(2)
const height = await devnet.rpc<number>('getblockcount')
await devnet.stop()

const options: ChainNodeOptions = { dev: true, 'block-time': 4, 'allow-origin': ['*'] }
const node: StartedChainNode = await startChainNode(options)
const key: \`0x\${string}\` | undefined = node.devAccounts[0]?.privateKey
await node.close()
export const used = [txid, connected, height + 1, node.chainId + 1n, key]

// @ts-expect-error
await startDevnet({ port: '0' })
// @ts-expect-error
await startChainNode({ 'block-time': '4' })
// @ts-expect-error
await startChainNode({ config: 'file' })
`

/** From the registry that npm is set to. */
async function installPackages(): Promise<void> {
  const before = readFileSync(LOCK, 'utf8')
  const args = ['install', '--prefix', project, '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', [...args, ...tarballs], { cwd: project }).catch(error => {
    const needed = PACKAGE_NAMES.flatMap(name => {
      const manifest = readFileSync(join(project, 'packed', name, 'package.json'), 'utf8')
      return Object.entries(JSON.parse(manifest).dependencies).map(pair => pair.join('@'))
    })
    throw new Error(
      `npm could not install ${tarballs.map(path => basename(path)).join(' and ')}, which need ${needed.join(', ')} from the registry: ${error.stderr}`,
    )
  })
  expect(readFileSync(LOCK, 'utf8')).toBe(before)
}

function readExampleOf(name: string, file: string): string {
  const readme = join(project, 'node_modules', name, 'README.md')
  return readExample(readFileSync(readme, 'utf8'), file)
}

/** Runs an example of an installed package's README that is a test. */
async function runExample(name: string, file: string): Promise<void> {
  writeFileSync(join(project, file), readExampleOf(name, file))
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', file], {
    cwd: project,
    env: Object.fromEntries(Object.entries(env).filter(([key]) => key !== 'NODE_TEST_CONTEXT')),
  }).catch(fail)
  expect(stdout).toMatch(/^# pass 1$/m)
}

function startCommand(program: string, args: readonly string[]) {
  const child = spawn(program, args, { cwd: project, env })
  onTestFinished(() => void child.kill('SIGTERM'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += chunk
    })
  }
  return {
    /** The first group of a pattern in what it prints. */
    async waitFor(pattern: RegExp): Promise<string> {
      await expect.poll(() => output, { timeout: 30_000 }).toMatch(pattern)
      return pattern.exec(output)?.[1] ?? ''
    },
    stop: () => child.kill('SIGTERM'),
  }
}

/** Commands of processes that were started in the project, or work on its files. */
function listProcesses(): string[] {
  const commands = existsSync('/proc')
    ? readdirSync('/proc')
        .filter(name => /^\d+$/.test(name))
        .map(readCommand)
    : execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n')
  return commands.filter(command => command.includes(project))
}

function readCommand(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

/** With what the program printed, which says more than its status. */
function fail(error: Error & { stdout?: string; stderr?: string }): never {
  throw new Error([error.message, error.stdout, error.stderr].join('\n'))
}
