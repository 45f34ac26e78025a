import { describe, expect, it } from 'vitest'
import { explorerUrlOf } from './servers.ts'

const TXID = 'ab'.repeat(32)

describe('the page of a transaction for people', () => {
  it.each([
    ['https://mempool.space/api', 'mainnet', `https://mempool.space/tx/${TXID}`],
    ['https://mempool.space/testnet4/api', 'testnet4', `https://mempool.space/testnet4/tx/${TXID}`],
    ['https://mempool.space/signet/api', 'signet', `https://mempool.space/signet/tx/${TXID}`],
    ['https://blockstream.info/api', 'mainnet', `https://blockstream.info/tx/${TXID}`],
  ] as const)('of %s is beside its API', (server, network, url) => {
    expect(explorerUrlOf(server, network, TXID)).toBe(url)
  })

  it.each([
    ['http://127.0.0.1:18480/api', 'regtest'],
    ['https://mempool.space/api', 'regtest'],
    ['https://my-node.example/api', 'mainnet'],
    ['https://mempool.space.evil.example/api', 'mainnet'],
    ['http://mempool.space/api', 'mainnet'],
    ['https://mempool.space/a/b/api', 'mainnet'],
    ['no address', 'mainnet'],
  ] as const)('of %s on %s is not guessed', (server, network) => {
    expect(explorerUrlOf(server, network, TXID)).toBeNull()
  })
})
