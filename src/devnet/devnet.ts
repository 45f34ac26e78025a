import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { UNISAT_KEY } from './brc20/unisat-routes.ts'
import { startDevnet } from './start-devnet.ts'

// A local Bitcoin network until Ctrl-C.

const DEFAULT_PORT = 18480
const PARENT_CHECK_MS = 1000
const HELP = `A Bitcoin network on this machine, until Ctrl-C.

  --port NUMBER     port on 127.0.0.1 (${DEFAULT_PORT}), 0 for any that is free
  --datadir FOLDER  keeps the chain and the mempool; without it they are deleted at the end
  --index-sats      ord's index tells the numbers of the sats on outputs
  --help            this text`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: String(DEFAULT_PORT) },
      host: { type: 'string' },
      datadir: { type: 'string' },
      'index-sats': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`--port must be a number from 0 to 65535: ${values.port}`)
  }
  const devnet = await startDevnet({
    port,
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(values.datadir === undefined ? {} : { dataDir: values.datadir }),
    indexSats: values['index-sats'],
    onProgress: line => console.log(line),
  })
  const stop = () => {
    devnet.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('SIGHUP', stop)
  stopWithParents(stop)
  console.log(
    [
      '',
      'Devnet is ready (regtest).',
      `  Esplora        ${devnet.esploraUrl}`,
      `  mempool.space  ${devnet.esploraUrl}/v1    ${devnet.websocketUrl}`,
      `  ord            ${devnet.ordUrl}`,
      `  BRC-20         ${devnet.opiUrl} (OPI)    ${devnet.unisatUrl} (UniSat, key “${UNISAT_KEY}”)`,
      `  Atomicals      ${devnet.atomicalsUrl}`,
      `  Faucet         curl ${devnet.url}/devnet/faucet -d '{"address":"bcrt1…","sats":100000}'`,
      `  Mine           curl ${devnet.url}/devnet/mine -d '{"blocks":1}'`,
      `  Inscribe       curl ${devnet.url}/devnet/inscribe -d '{"address":"bcrt1…","body":"Hello"}'`,
      `  Mint           curl ${devnet.url}/devnet/atomicals/mint -d '{"kind":"nft","address":"bcrt1…","realm":"hello"}'`,
      'Ctrl-C stops it.',
    ].join('\n'),
  )
}

/** Stops devnet with the processes that started it: npm and tsx may be killed before they can pass a signal on. */
function stopWithParents(stop: () => void): void {
  const parents = [process.ppid]
  for (let pid = process.ppid; ; ) {
    const next = readLauncher(pid)
    if (next === null) break
    parents.push(next)
    pid = next
  }
  setInterval(() => {
    if (process.ppid !== parents[0] || !parents.every(isAlive)) stop()
  }, PARENT_CHECK_MS).unref()
}

/** The parent of a process that was started to run devnet, where that too was; null elsewhere, and without /proc. */
function readLauncher(pid: number): number | null {
  try {
    const parent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    const command = readFileSync(`/proc/${parent}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return /^(npm|\S*node|sh) .*\bdevnet\b/.test(command) ? parent : null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
