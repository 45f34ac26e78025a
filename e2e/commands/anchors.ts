/**
 * Writes `src/bitcoin/headers/anchors.json`, and of it what the worker needs as `last-anchors.json`, from the checkpoints of Electrum
 * (MIT): `npx tsx e2e/commands/anchors.ts <repository of Electrum> <commit>`. Its own test then holds the table against headers and sums of work that others published.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fromBase64, fromHex, joinBytes, toBase64, toHex } from '../../src/bitcoin/bytes.ts'
import type { AnchorTable, LastAnchorTable } from '../../src/bitcoin/headers/anchors.ts'
import { formatCompactTarget } from '../../src/bitcoin/headers/target.ts'

/** Where Electrum did not work out the target, which has no rule of its own for test networks, it writes 0. */
type Checkpoint = [hash: string, target: bigint]

const NETWORKS = ['mainnet', 'testnet4', 'signet']
const FOLDER = new URL('../../src/bitcoin/headers/', import.meta.url)

const [repository, commit] = process.argv.slice(2)
if (!repository || !commit) throw new Error('Usage: anchors.ts <repository of Electrum> <commit>')
const tables = NETWORKS.map(network => [network, makeTable(readCheckpoints(network))] as const)
const source = `Electrum, ${commit}, electrum/chains/*/checkpoints.json, MIT, The Electrum developers`
write('anchors.json', { source, ...Object.fromEntries(tables) })
write('last-anchors.json', {
  source,
  ...Object.fromEntries(tables.map(([network, table]) => [network, lastOf(table)])),
})

function write(name: string, content: object): void {
  writeFileSync(fileURLToPath(new URL(name, FOLDER)), `${JSON.stringify(content, null, 2)}\n`)
}

function lastOf({ hashes, nextBits }: AnchorTable): LastAnchorTable {
  const raw = fromBase64(hashes)
  return { periods: raw.length / 32, hash: toHex(raw.slice(-32).toReversed()), nextBits }
}

function readCheckpoints(network: string): Checkpoint[] {
  const path = `${commit}:electrum/chains/${network}/checkpoints.json`
  const text = execFileSync('git', ['-C', repository ?? '', 'show', path], { encoding: 'utf8' })
  // Targets have more digits than a number of JavaScript.
  const entries = [...text.matchAll(/\[\s*"([0-9a-f]{64})",\s*(\d+)\s*\]/g)]
  if (entries.length === 0) throw new Error(`${path}: expected pairs of a hash and a target`)
  return entries.map(([, hash = '', target = '']) => [hash, BigInt(target)])
}

function makeTable(checkpoints: readonly Checkpoint[]): AnchorTable {
  const hasTargets = checkpoints.every(([, target]) => target > 0n)
  const bits = checkpoints.map(([, target]) =>
    fromHex(formatCompactTarget(target).toString(16).padStart(8, '0')),
  )
  return {
    hashes: toBase64(joinBytes(checkpoints.map(([hash]) => fromHex(hash).toReversed()))),
    nextBits: hasTargets ? toBase64(joinBytes(bits)) : null,
  }
}
