import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getCreate2Address, keccak256, Wallet } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEV_KEYS } from '../dev-accounts.ts'
import { compileContracts } from '../testing/contracts.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'

const PACKAGES = join(import.meta.dirname, '../../../node_modules/@foundry-rs')
const CAST = join(PACKAGES, 'cast-linux-amd64/bin/cast')
const NEEDS_CAST = {
  skip: !existsSync(CAST),
  meta: {
    skipReason: 'cast is not installed: @foundry-rs/cast-linux-amd64 can be had for Linux alone',
  },
}
/** Of https://github.com/Arachnid/deterministic-deployment-proxy. */
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const KEY = DEV_KEYS[0] as string
const SENDER = new Wallet(KEY).address
const RECIPIENT = new Wallet(DEV_KEYS[1] as string).address

describe('cast of Foundry', NEEDS_CAST, () => {
  let feeMarket: RunningNode
  let legacy: RunningNode
  beforeAll(async () => {
    feeMarket = await startRunningNode(['--dev', '--profile', 'prague'])
    legacy = await startRunningNode(['--dev'])
  })
  afterAll(async () => {
    for (const node of [feeMarket, legacy]) {
      await node.close()
      expect(node.complaints).toEqual([])
    }
  })

  const cast = async (node: RunningNode, ...args: string[]) => {
    const options = { env: { ...process.env, NO_PROXY: '127.0.0.1' } }
    const { stdout } = await promisify(execFile)(CAST, [...args, '--rpc-url', node.url], options)
    return stdout.trim()
  }

  it('sends by EIP-1559 on a chain with a base fee, without an option', async () => {
    const send = ['send', RECIPIENT, '--value', '5', '--json']
    const signed = JSON.parse(await cast(feeMarket, ...send, '--private-key', KEY))
    expect(signed).toMatchObject({ status: '0x1', type: '0x2' })
  })

  it('sends from an unlocked account by what the README tells its users to type', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
    const [, line = ''] = /^cast (send .+)$/m.exec(readme) ?? []
    const unlocked = JSON.parse(await cast(feeMarket, ...line.split(' '), '--json'))
    expect(unlocked).toMatchObject({ status: '0x1', type: '0x2', from: SENDER.toLowerCase() })
  })

  it('sends with --legacy on a chain without one', async () => {
    const send = ['send', RECIPIENT, '--value', '5', '--json', '--legacy', '--private-key', KEY]
    expect(JSON.parse(await cast(legacy, ...send))).toMatchObject({ status: '0x1', type: '0x0' })
  })

  it.each(['prague', 'default'])(
    'finds the CREATE2 deployer with the rules of %s',
    async profile => {
      const { Probe } = compileContracts()
      if (!Probe) throw new Error('contracts.sol has no Probe')
      const node = profile === 'prague' ? feeMarket : legacy
      const salt = `0x${'07'.repeat(32)}`
      const data = salt + Probe.initCode.slice(2)
      const fees = profile === 'prague' ? [] : ['--legacy']
      const sent = await cast(node, 'send', DEPLOYER, data, '--json', '--private-key', KEY, ...fees)
      expect(JSON.parse(sent)).toMatchObject({ status: '0x1' })
      const address = getCreate2Address(DEPLOYER, salt, keccak256(Probe.initCode))
      expect(await cast(node, 'call', address, 'stored()(uint256)')).toBe('0')
    },
  )
})
