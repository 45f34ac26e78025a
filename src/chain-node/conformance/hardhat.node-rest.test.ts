import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { JsonRpcProvider } from 'ethers'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startRunningNode } from '../testing/running-node.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'

const run = promisify(execFile)
const PROJECT = join(import.meta.dirname, '../testing/hardhat-project')
/** Hardhat is 350 MB for this test alone, so that its packages have a lock file of their own, and are here. */
const INSTALLED = join(import.meta.dirname, '../../../node_modules/.cache/hardhat-project')
const LOCK = 'package-lock.json'

beforeAll(async () => {
  const readLock = (folder: string) => readFileSync(join(folder, LOCK), 'utf8')
  const done = join(INSTALLED, 'node_modules/.package-lock.json')
  if (existsSync(done) && readLock(INSTALLED) === readLock(PROJECT)) return
  for (const name of ['package.json', LOCK, '.npmrc'])
    cpSync(join(PROJECT, name), join(INSTALLED, name))
  await run('npm', ['ci'], { cwd: INSTALLED })
})

/** The project, with its packages. */
function createProject(): string {
  const folder = createTemporaryFolder()
  cpSync(PROJECT, folder, { recursive: true })
  symlinkSync(join(INSTALLED, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** What the README tells a user of Hardhat to type: programs and their arguments. */
function readReadme(): string[][] {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  return [...readme.matchAll(/^npx (hardhat .+)$/gm)].map(([, line = '']) => line.split(' '))
}

describe('Hardhat', () => {
  it.each(['default', 'prague'])(
    'tests and deploys a project as the README says, with the rules of %s',
    async profile => {
      const node = await startRunningNode(['--dev', '--profile', profile])
      onTestFinished(() => node.close())
      const folder = createProject()
      const env = {
        ...process.env,
        NODE_URL: node.url,
        NO_PROXY: '127.0.0.1',
        // The second question that it would ask is whether to send reports.
        HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
        HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: 'true',
      }
      const [test, deploy] = readReadme()
      /** What it says, also where it fails. */
      const npx = (args: string[] = []) =>
        run('npx', args, { cwd: folder, env }).then(
          ({ stdout }) => stdout,
          ({ stdout, stderr }) => `failed: ${stdout}\n${stderr}`,
        )
      expect(await npx(test)).toContain('5 passing')
      expect(await npx(deploy)).toContain('successfully deployed')
      const deployed = JSON.parse(
        readFileSync(join(folder, 'ignition/deployments/chain-66/deployed_addresses.json'), 'utf8'),
      )
      const provider = new JsonRpcProvider(node.url)
      onTestFinished(() => provider.destroy())
      expect(await provider.getBalance(deployed['Vault#Vault'])).toBe(10n ** 9n)
      expect(node.complaints).toEqual([])
    },
  )
})
