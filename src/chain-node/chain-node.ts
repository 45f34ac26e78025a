import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import {
  ConfigError,
  mergeValues,
  readArguments,
  readConfigFile,
  resolveConfig,
} from './config/config.ts'
import { formatHelp } from './config/options.ts'
import { createLog } from './log.ts'
import { exportBlocks, startNode } from './node.ts'
import { describeStart } from './start-message.ts'
import { readVersion } from './version.ts'

// The node until Ctrl-C, as `start.js` runs it. `--help` lists the options.

// By itself V8 lets the heap of a busy process grow to four times what was alive in it; this costs no time that can be measured.
setFlagsFromString('--heap-growing-percent=80')
// V8 would compile large functions with all that they call, on threads that take the processors from the node's own.
setFlagsFromString('--max-inlined-bytecode-size=120')
setFlagsFromString('--max-inlined-bytecode-size-cumulative=200')

const SAME_SIGNAL_MS = 1000
const PARENT_CHECK_MS = 1000

try {
  await run(process.argv.slice(2))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\n`)
  if (error instanceof ConfigError) process.stderr.write('--help lists all options.\n')
  process.exit(1)
}

async function run(args: readonly string[]): Promise<void> {
  const values = readArguments(args)
  if (values.help === true) return print(formatHelp(nameCommand()))
  if (values.version === true) return print(readVersion())
  const file = typeof values.config === 'string' ? await readConfig(values.config) : {}
  const config = resolveConfig(mergeValues(file, values))
  const log = createLog({ level: config.logLevel, json: config.logJson })
  if (config.exportFile !== null) {
    const height = await exportBlocks(config, config.exportFile, { log })
    return print(`${config.exportFile} has blocks 0 to ${height}.`)
  }
  const node = await startNode(config, { log, version: readVersion() })
  print(describeStart(config, node))
  stopOnSignals(() => node.close())
}

/** What it was started as: the command of its package, or the project's. */
function nameCommand(): string {
  const name = basename(process.argv[1] ?? '', '.js')
  return name === 'satchel-chain-node' ? name : 'npm run chain-node --'
}

async function readConfig(file: string) {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`--config: ${error instanceof Error ? error.message : ''}`)
  }
  return readConfigFile(text)
}

/**
 * A second signal does not wait, unless it is the same Ctrl-C: npm passes on to the node what the terminal has sent to both.
 * npm runs commands in a shell that keeps signals to itself; a node that npm started ends with that shell.
 */
function stopOnSignals(close: () => Promise<void>): void {
  let since: number | null = null
  const stop = () => {
    if (since !== null && performance.now() - since > SAME_SIGNAL_MS) process.exit(1)
    if (since !== null) return
    since = performance.now()
    close().then(
      () => process.exit(0),
      error => {
        process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  if (process.env.npm_command === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    // No second signal: the shell may just have had the first.
    if (since === null) stop()
  }, PARENT_CHECK_MS).unref()
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
