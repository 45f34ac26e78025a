import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { askAll } from '../testing/json-rpc-client.ts'
import { spawnNode } from '../testing/node-process.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')
const ARGS = ['--dev', '--port', '0', '--light-scrypt', '--block-time', '3600']
const NEEDS_PROC = {
  skip: process.platform !== 'linux',
  meta: { skipReason: 'processes are looked up in /proc' },
}
/** Of npm alone, as process managers have it, or of all processes in a terminal, as Ctrl-C. */
const SIGNALS = [
  { to: 'npm', signal: 'SIGTERM' },
  { to: 'npm', signal: 'SIGINT' },
  { to: 'all', signal: 'SIGINT' },
  { to: 'all', signal: 'SIGTERM' },
] as const

it.each(SIGNALS)(
  '$signal to $to of `npm run chain-node` ends it with status 0, and it has kept what it answered',
  NEEDS_PROC,
  async ({ to, signal }) => {
    const folder = createTemporaryFolder()
    const args = ['run', 'chain-node', '--', ...ARGS, '--data', folder]
    const { child, url } = await start('npm', args)
    const [hash] = await askAll<string>(url, [{ method: 'eth_sendTransaction', params: [PAYMENT] }])

    const end = once(child, 'exit')
    process.kill(to === 'npm' ? (child.pid ?? 0) : -(child.pid ?? 0), signal)
    expect(await end).toEqual([0, null])
    expect(listProcesses(folder)).toEqual([])

    const again = await spawnNode(folder, ['--dev'])
    onTestFinished(() => void again.stop('SIGKILL'))
    const [kept] = await askAll(again.url, [{ method: 'eth_getTransactionByHash', params: [hash] }])
    expect(kept).toMatchObject({ hash })
    expect(await again.stop()).toEqual({ code: 0, signal: null })
  },
)

it(
  'a shell that npm started it in, and that keeps signals to itself, takes it along',
  NEEDS_PROC,
  async () => {
    const folder = createTemporaryFolder()
    const program = join(ROOT, 'src/chain-node/start.js')
    const words = [process.execPath, program, ...ARGS, '--data', folder].map(word => `'${word}'`)
    // Another command after it, so that no shell puts it in its own place.
    const script = `${words.join(' ')}; exit $?`
    const { child } = await start('sh', ['-c', script], { npm_command: 'exec' })
    const end = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await end).toEqual([null, 'SIGTERM'])
    await expect.poll(() => listProcesses(folder), { timeout: 5_000 }).toEqual([])
  },
)

it('a shell of somebody’s own may end before it', NEEDS_PROC, async () => {
  const folder = createTemporaryFolder()
  const program = join(ROOT, 'src/chain-node/start.js')
  const words = [process.execPath, program, ...ARGS, '--data', folder].map(word => `'${word}'`)
  const { child, url } = await start('sh', ['-c', `${words.join(' ')}; exit $?`], {
    npm_command: undefined,
  })
  child.kill('SIGTERM')
  await new Promise(resolve => setTimeout(resolve, 2_500))
  expect(await askAll(url, [{ method: 'eth_chainId', params: [] }])).toEqual(['0x42'])
})

const PAYMENT = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  value: '0x1',
}

/** A program in a process group of its own, and where the node that it starts serves. */
async function start(
  program: string,
  args: readonly string[],
  env: { [name: string]: string | undefined } = {},
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(program, args, {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
  await expect.poll(() => output, { timeout: 30_000 }).toMatch(/Ctrl-C stops it/)
  return { child, url: / HTTP +(http:\/\/\S+)\n/.exec(output)?.[1] ?? '' }
}

/** Commands of processes that have a path among their arguments. */
function listProcesses(path: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(id => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .filter(command => command.includes(path))
}
