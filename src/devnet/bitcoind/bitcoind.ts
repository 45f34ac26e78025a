// bitcoind: finds or downloads the node, starts it on regtest without peers, calls it and sets its clock. It
// promises that the node stops when this process does, however it ends.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BitcoindBinary } from './bitcoind-binary.ts'
import { createRpcClient, type Rpc, type RpcClient, RpcError } from './rpc.ts'

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 20_000
const RPC_IN_WARMUP = -28

/**
 * Runs the node and stops it when the pipe on standard input closes, which happens however this process dies. $1 is a
 * folder to delete afterwards, or empty.
 */
const GUARD = `
exec 3<&0
scratch=$1; shift
"$@" 3<&- </dev/null &
node=$!
{ read -r _ <&3; kill "$node" 2>/dev/null; } 2>/dev/null &
guard=$!
trap 'kill "$node" 2>/dev/null' TERM INT HUP
wait "$node"; status=$?
while kill -0 "$node" 2>/dev/null; do wait "$node"; status=$?; done
kill "$guard" 2>/dev/null
if [ -n "$scratch" ]; then rm -rf "$scratch"; fi
exit $status
`

export interface Bitcoind {
  rpc: Rpc
  /** Calls a loaded wallet of the node; to be closed. */
  openWallet(name: string): Promise<RpcClient>
  dataDir: string
  isKnots: boolean
  /** Settles when the node has exited, with what it last printed. */
  exited: Promise<string>
  /** Stops the node and deletes its data folder when that was temporary. */
  stop(): Promise<void>
}

/** Starts bitcoind on regtest without any peer. Without `dataDir` its state lives in a temporary folder. */
export async function startBitcoind(binary: BitcoindBinary, dataDir?: string): Promise<Bitcoind> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'satchel-devnet-')))
  await mkdir(folder, { recursive: true })
  // A node that was killed leaves its cookie, which the new node's RPC server would refuse.
  await rm(cookiePath(folder), { force: true })
  const port = await findFreePort()
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      GUARD,
      'sh',
      dataDir ? '' : folder,
      ...binary.command,
      ...nodeArguments(binary, folder, port),
      // Wallets of what is deleted at the end wait for no disk, as in Bitcoin Core's own tests: a block took one 80 ms.
      ...(dataDir ? [] : ['-unsafesqlitesync']),
    ],
    // A session of its own: Ctrl-C in a terminal is for devnet, which stops the node once it has saved what is there.
    { detached: true, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  let output = ''
  const keepOutput = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-4000)
  }
  child.stdout.on('data', keepOutput)
  child.stderr.on('data', keepOutput)
  const exited = once(child, 'exit').then(() => output)
  const client = await connect(child, folder, port, () => output)
  return {
    rpc: client.rpc,
    openWallet: async name =>
      createRpcClient(port, await readFile(cookiePath(folder), 'utf8'), `/wallet/${name}`),
    dataDir: folder,
    isKnots: binary.isKnots,
    exited,
    async stop() {
      const timer = setTimeout(() => child.stdin.destroy(), STOP_TIMEOUT_MS)
      await client.rpc('stop').catch(() => child.stdin.destroy())
      await exited
      clearTimeout(timer)
      client.close()
      if (!dataDir) await rm(folder, { recursive: true, force: true })
    },
  }
}

function nodeArguments(binary: BitcoindBinary, folder: string, port: number): string[] {
  const policy = binary.isKnots
    ? ['-corepolicy=1']
    : [
        '-minrelaytxfee=0.000001',
        '-incrementalrelayfee=0.000001',
        '-datacarriersize=100000',
        ...(binary.major < 28 ? ['-mempoolfullrbf=1'] : []),
      ]
  return [
    '-regtest',
    ...policy,
    `-datadir=${folder}`,
    '-server',
    `-rpcport=${port}`,
    '-rpcbind=127.0.0.1',
    '-rpcallowip=127.0.0.1',
    '-listen=0',
    '-connect=0',
    '-dnsseed=0',
    '-txindex=1',
    '-persistmempool=0',
    '-printtoconsole=0',
    '-checkblocks=1',
    '-checklevel=0',
    '-rpcworkqueue=256',
  ]
}

async function connect(
  child: ChildProcess,
  folder: string,
  port: number,
  output: () => string,
): Promise<RpcClient> {
  const deadline = Date.now() + START_TIMEOUT_MS
  let client: RpcClient | null = null
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`bitcoind did not start: ${output().trim()}`)
    }
    try {
      const cookie = await readFile(cookiePath(folder), 'utf8')
      client?.close()
      client = createRpcClient(port, cookie)
      await client.rpc('getblockchaininfo')
      return client
    } catch (error) {
      if (error instanceof RpcError && error.code !== RPC_IN_WARMUP) throw error
    }
    await sleep(25)
  }
  child.stdin?.destroy()
  throw new Error(`bitcoind did not answer within ${START_TIMEOUT_MS / 1000} s`)
}

function cookiePath(folder: string): string {
  return join(folder, 'regtest', '.cookie')
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('no port')),
      )
    })
  })
}
