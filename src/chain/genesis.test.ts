import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from '../bitcoin/bytes.ts'
import type { Network } from '../bitcoin/network.ts'
import { GENESIS_HASH } from './genesis.ts'

/** Merkle root of the coinbase with the headline of The Times, which three of the chains begin with. */
const TIMES = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'

/** Bitcoin Core's chainparams; testnet4's are in BIP-94, signet's in BIP-325. */
const HEADERS: [Network, { root: string; time: number; bits: number; nonce: number }][] = [
  ['mainnet', { root: TIMES, time: 1231006505, bits: 0x1d00ffff, nonce: 2083236893 }],
  [
    'testnet4',
    {
      root: '7aa0a7ae1e223414cb807e40cd57e667b718e42aaf9306db9102fe28912b7b4e',
      time: 1714777860,
      bits: 0x1d00ffff,
      nonce: 393743547,
    },
  ],
  ['signet', { root: TIMES, time: 1598918400, bits: 0x1e0377ae, nonce: 52613770 }],
  ['regtest', { root: TIMES, time: 1296688602, bits: 0x207fffff, nonce: 2 }],
]

describe('the first block', () => {
  it.each(HEADERS)('of %s has the hash of its header', (network, { root, time, bits, nonce }) => {
    const header = concatBytes(
      uint32(1),
      new Uint8Array(32),
      fromHex(root).reverse(),
      ...[time, bits, nonce].map(uint32),
    )
    expect(header).toHaveLength(80)
    expect(toHex(sha256(sha256(header)).reverse())).toBe(GENESIS_HASH[network])
  })
})

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}
