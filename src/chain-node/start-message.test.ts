import { describe, expect, it } from 'vitest'
import { readArguments, resolveConfig } from './config/config.ts'
import type { Header } from './engine/block.ts'
import { describeStart } from './start-message.ts'

function start(...args: string[]): string {
  const config = resolveConfig(readArguments(['--data', '/srv/chain', ...args]))
  const head = () => ({ number: 7n }) as Header
  const genesis = { number: 5n } as Header
  const url = 'http://127.0.0.1:8545'
  const wsUrl = 'ws://127.0.0.1:8545'
  return describeStart(config, {
    url,
    wsUrl,
    chainId: 66n,
    devAccounts: [],
    chain: { head, genesis },
  })
}

describe('what a node says at its start', () => {
  it('names nothing that is served to others while only this machine reaches it', () => {
    expect(start()).toContain('chain 66, block 7')
    expect(start()).not.toContain('Other machines')
  })

  it('names the chain that it goes on from, without the key in its URL', () => {
    const text = start('--dev', '--fork', 'https://ann:word@node.example/v3/0123456789abcdef')
    expect(text).toContain('of block 5 of the chain of https://node.example')
    expect(text).not.toMatch(/0123456789abcdef|ann|word/)
  })

  it('says that other machines get no accounts', () => {
    expect(start('--host', '0.0.0.0')).toContain('Other machines reach it at 0.0.0.0')
    expect(start('--host', '0.0.0.0')).toContain('not its accounts nor personal_*')
  })

  it('says that other machines spend from what is unlocked, where that was asked for', () => {
    const text = start('--host', '0.0.0.0', '--allow-insecure-unlock')
    expect(text).toContain('whoever reaches it spends from what is unlocked')
    expect(text).not.toContain('not its accounts')
  })
})
