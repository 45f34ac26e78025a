import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { fetchKnots } from './debian-packages.ts'

const run = promisify(execFile)
const OLDEST_MAJOR = 25

export interface BitcoindBinary {
  /** The program and the arguments that must come first. */
  command: string[]
  major: number
  /** Bitcoin Knots: its mempool refuses what its block validation accepts (see mempool.ts). */
  isKnots: boolean
}

export class BitcoindMissingError extends Error {
  constructor(reason: string) {
    super(
      [
        `No usable bitcoind: ${reason}.`,
        `Install Bitcoin Core ${OLDEST_MAJOR} or newer and put bitcoind on the PATH, or name it: BITCOIND=/path/to/bitcoind.`,
        '  macOS: brew install bitcoin',
        '  Arch: pacman -S bitcoin-daemon    Nix: nix-shell -p bitcoind    Alpine: apk add bitcoin',
        '  Elsewhere: unpack a release of Bitcoin Core and set BITCOIND to its bin/bitcoind.',
        'On Debian it is fetched by itself (needs apt, dpkg and the debian-archive-keyring package).',
      ].join('\n'),
    )
    this.name = 'BitcoindMissingError'
  }
}

/** Finds bitcoind: `$BITCOIND`, then the PATH (Bitcoin Core 25 or newer), then a private copy of Debian's package. */
export async function findBitcoind(onProgress: (line: string) => void): Promise<BitcoindBinary> {
  const named = process.env.BITCOIND
  if (named) {
    const binary = await readVersion([named])
    if (!binary) throw new BitcoindMissingError(`BITCOIND=${named} does not run`)
    if (binary.major < OLDEST_MAJOR) {
      throw new BitcoindMissingError(`BITCOIND=${named} is version ${binary.major}`)
    }
    return binary
  }
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, 'bitcoind')
    if (!folder || !existsSync(path)) continue
    const binary = await readVersion([path])
    if (binary && binary.major >= OLDEST_MAJOR) return binary
  }
  let command: string[]
  try {
    command = await fetchKnots(join(cacheFolder(), 'bitcoin-knots'), onProgress)
  } catch (error) {
    throw new BitcoindMissingError(describe(error))
  }
  const binary = await readVersion(command)
  if (!binary) throw new BitcoindMissingError(`${command.join(' ')} does not run`)
  return binary
}

/** Where downloads are kept between runs. */
export function cacheFolder(): string {
  return process.env.SATCHEL_CACHE || join(homedir(), '.cache', 'satchel')
}

async function readVersion(command: string[]): Promise<BitcoindBinary | null> {
  const [program, ...first] = command
  if (!program) return null
  try {
    const { stdout } = await run(program, [...first, '-version'])
    const major = /version v(\d+)\./.exec(stdout)?.[1]
    return major ? { command, major: Number(major), isKnots: /knots/i.test(stdout) } : null
  } catch {
    return null
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { stderr } = error as Error & { stderr?: string }
  const reason = stderr?.trim().split('\n').slice(-3).join(' ') || error.message
  return `not found on this machine, and it could not be fetched (${reason.replace(/\.$/, '')})`
}
