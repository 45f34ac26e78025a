import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { JsonRpcProvider } from 'ethers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DEV_KEYS } from '../dev-accounts.ts'
import { startRunningNode } from '../testing/running-node.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'

const FORGE = join(
  import.meta.dirname,
  '../../../node_modules/@foundry-rs/forge-linux-amd64/bin/forge',
)
const NEEDS_FORGE = {
  skip: !existsSync(FORGE),
  meta: {
    skipReason: 'forge is not installed: @foundry-rs/forge-linux-amd64 can be had for Linux alone',
  },
}
const require = createRequire(import.meta.url)
const KEY = DEV_KEYS[0] as string
const SALT = 7n

const CONTRACT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Kept { uint256 public value; constructor(uint256 first) { value = first; } function keep(uint256 next) external { value = next; } }
`
/** Deploys one by its sender's nonce and one by a salt, and calls both. */
const SCRIPT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "../src/Kept.sol";
interface Vm { function startBroadcast() external; function stopBroadcast() external; }
contract Deploy {
  Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
  function run() external {
    vm.startBroadcast();
    new Kept(3).keep(4);
    new Kept{salt: bytes32(uint256(${SALT}))}(5).keep(6);
    vm.stopBroadcast();
  }
}
`
/** What forge asks of a compiler, by solc's JavaScript. */
const COMPILER = `#!/usr/bin/env node
const solc = require(${JSON.stringify(require.resolve('solc'))})
if (process.argv.includes('--version')) console.log('solc\\nVersion: ' + solc.version().replace('.Emscripten.clang', '.Linux.g++'))
else process.stdout.write(solc.compile(require('node:fs').readFileSync(0, 'utf8')))
`

/** What the README tells a user of forge to type, which is for a chain with a base fee, but for the port. */
function readReadme(url: string): string[] {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const [, line = ''] = /^forge (script .+)$/m.exec(readme) ?? []
  return line.replace('http://127.0.0.1:8545', url).split(' ')
}

function createProject(): string {
  const folder = createTemporaryFolder()
  for (const name of ['src', 'script']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'src/Kept.sol'), CONTRACT)
  writeFileSync(join(folder, 'script/Deploy.s.sol'), SCRIPT)
  const compiler = join(folder, 'solc.cjs')
  writeFileSync(compiler, COMPILER)
  chmodSync(compiler, 0o755)
  const settings = `[profile.default]\nsolc = "${compiler}"\noffline = true\nevm_version = "paris"\n`
  writeFileSync(join(folder, 'foundry.toml'), settings)
  return folder
}

describe('forge of Foundry', NEEDS_FORGE, () => {
  it.each([
    ['prague', []],
    ['default', ['--legacy']],
  ] as const)(
    'creates a contract, and runs a script that deploys with a salt too, with the rules of %s',
    async (profile, fees) => {
      const node = await startRunningNode(['--dev', '--profile', profile])
      onTestFinished(() => node.close())
      const provider = new JsonRpcProvider(node.url, undefined, { cacheTimeout: -1 })
      onTestFinished(() => provider.destroy())
      const folder = createProject()
      // What forge takes for a constructor goes on to the end.
      const execute = async (args: string[]) => {
        const env = { ...process.env, NO_PROXY: '127.0.0.1' }
        return (await promisify(execFile)(FORGE, args, { cwd: folder, env })).stdout
      }
      const forge = (command: string, what: string, ...rest: string[]) => {
        const chain = ['--rpc-url', node.url, '--private-key', KEY, '--broadcast', ...fees]
        return execute([command, what, ...chain, '--json', ...rest])
      }
      const valueAt = async (address: string) =>
        BigInt(await provider.call({ to: address, data: '0x3fa4f245' }))

      const { deployedTo } = JSON.parse(
        await forge('create', 'src/Kept.sol:Kept', '--constructor-args', '2'),
      )
      expect(await valueAt(deployedTo)).toBe(2n)

      if (profile === 'prague') await execute(readReadme(node.url))
      else await forge('script', 'script/Deploy.s.sol:Deploy')
      const log = JSON.parse(
        readFileSync(join(folder, 'broadcast/Deploy.s.sol/66/run-latest.json'), 'utf8'),
      )
      expect(log.receipts.map(({ status }: { status: string }) => status)).toEqual(
        Array(4).fill('0x1'),
      )
      const [plain, , salted] = log.transactions as {
        contractAddress: string
        transactionType: string
        transaction: { input: string }
      }[]
      expect([plain?.transactionType, salted?.transactionType]).toEqual(['CREATE', 'CREATE2'])
      expect(await valueAt(plain?.contractAddress ?? '')).toBe(4n)
      expect(await valueAt(salted?.contractAddress ?? '')).toBe(6n)
      expect(node.complaints).toEqual([])
    },
    120_000,
  )
})
