import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/bitcoin/bytes.ts'
import { parseBlockHeader } from '../../src/bitcoin/headers/block-header.ts'
import {
  chainWithMostWork,
  extendHeaders,
  type HeaderChain,
  medianTimePast,
  startHeaders,
} from '../../src/bitcoin/headers/header-chain.ts'
import { findMerkleProofFault } from '../../src/bitcoin/headers/merkle-proof.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess } from '../../src/chain/testing/server-access.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createTestWallet } from '../../src/devnet/testing/test-wallet.ts'

type NodeHeader = { hash: string; height: number; chainwork: string; mediantime: number }

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

const openRegtest = () =>
  openChain(
    'regtest',
    { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' },
    createTestAccess(),
  )

const hashAt = (height: number) => devnet.rpc<string>('getblockhash', [height])
const rawAt = async (height: number) =>
  fromHex(await devnet.rpc<string>('getblockheader', [await hashAt(height), false]))
const tipHeight = () => devnet.rpc<number>('getblockcount')

async function rawsFrom(height: number): Promise<Uint8Array[]> {
  const count = (await tipHeight()) - height + 1
  return Promise.all(Array.from({ length: count }, (_, index) => rawAt(height + index)))
}

/** The chain of the node from its first block. */
async function nodeChain(): Promise<HeaderChain> {
  return grow(startHeaders('regtest', 0, await rawAt(0)), await rawsFrom(1))
}

function grow(chain: HeaderChain, raws: readonly Uint8Array[]): HeaderChain {
  const extended = extendHeaders(chain, raws, Date.now())
  if ('invalid' in extended) throw new Error(JSON.stringify(extended.invalid))
  return extended.chain
}

describe('the headers of a real node', () => {
  it('are all accepted, with its work and its median times', async () => {
    await devnet.mine(100)
    const chain = await nodeChain()
    expect(chain.headers.length).toBeGreaterThan(200)
    const first = await devnet.rpc<NodeHeader>('getblockheader', [await hashAt(0)])
    for (const height of [1, 5, 10, 11, 12, chain.headers.length - 1]) {
      const header = await devnet.rpc<NodeHeader>('getblockheader', [await hashAt(height)])
      expect(chain.headers[height]?.hash).toBe(header.hash)
      expect(medianTimePast(chain, height)).toBe(header.mediantime * 1000)
      const part = { ...chain, headers: chain.headers.slice(0, 1), work: 0n }
      const raws = await Promise.all(Array.from({ length: height }, (_, index) => rawAt(index + 1)))
      const work = BigInt(`0x${header.chainwork}`) - BigInt(`0x${first.chainwork}`)
      expect(grow(part, raws).work).toBe(work)
    }
  })

  it('after a reorganisation are the chain with the most work, and the old ones no longer', async () => {
    const before = await nodeChain()
    await devnet.reorg(3)
    const fork = await rawsFrom(before.headers.length - 3)
    const shorter = grow(before, fork.slice(0, 2))
    expect(chainWithMostWork(before, shorter), 'two for three').toBe(before)
    const equal = grow(before, fork.slice(0, 3))
    expect(chainWithMostWork(before, equal), 'three for three').toBe(before)
    const after = grow(before, fork)
    expect(chainWithMostWork(before, after)).toBe(after)
    expect(after).toEqual(await nodeChain())
    expect(after.headers.at(-1)?.hash).toBe(await devnet.rpc<string>('getbestblockhash'))
  })

  it('that are changed are refused for what the node refuses them for', async () => {
    const chain = await nodeChain()
    const tip = chain.headers.at(-1)
    if (!tip) throw new Error('The chain has headers')
    const now = Math.floor(Date.now() / 1000)
    const changes = fc.record({
      // Of a negative one Knots says that these bytes are no header.
      version: fc.constantFrom(0, 1, 2, 3, 4, 0x20000000, 0x7fffffff),
      seconds: fc.constantFrom(
        -7200,
        -1,
        0,
        1,
        600,
        1201,
        now - tip.at / 1000 + 7100,
        now - tip.at / 1000 + 7300,
      ),
      bits: fc.oneof(
        { weight: 3, arbitrary: fc.constant(0x207fffff) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(0x207ffffe, 0x1f7fffff, 0x20800000, 0x2100ffff, 0, 0x20000000),
        },
      ),
      isKnown: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
      isMined: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
      root: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    })
    const seen = new Set<string | null>()
    const check = fc.asyncProperty(
      changes,
      async ({ version, seconds, bits, isKnown, isMined, root }) => {
        const raw = new Uint8Array(80)
        const view = new DataView(raw.buffer)
        view.setInt32(0, version, true)
        raw.set(fromHex(isKnown ? tip.hash : '77'.repeat(32)).reverse(), 4)
        raw.set(root, 36)
        view.setUint32(68, tip.at / 1000 + seconds, true)
        view.setUint32(72, bits, true)
        for (let nonce = 0; nonce < 2000 && (parseBlockHeader(raw) !== null) !== isMined; nonce++)
          view.setUint32(76, nonce, true)
        const extended = extendHeaders(chain, [raw], Date.now())
        const ours = 'invalid' in extended ? extended.invalid.fault : null
        const theirs = await submit(raw)
        // The node looks for the block before first, whatever else is wrong.
        if (!isKnown && ours === 'high-hash') expect(theirs).toBe('prev-blk-not-found')
        else expect(ours).toBe(theirs)
        seen.add(ours)
      },
    )
    await fc.assert(check, { numRuns: 150 })
    const all = [
      'bad-diffbits',
      'bad-version',
      'high-hash',
      'prev-blk-not-found',
      'time-too-new',
      'time-too-old',
    ]
    expect([...seen].filter(fault => fault !== null).sort()).toEqual(all)
    expect(seen).toContain(null)
  })
})

/** What the node says to a header: null for nothing. */
async function submit(raw: Uint8Array): Promise<string | null> {
  try {
    await devnet.rpc('submitheader', [toHex(raw)])
    return null
  } catch (error) {
    const text = String(error)
    if (text.includes('Must submit previous header')) return 'prev-blk-not-found'
    const [fault = text] =
      /high-hash|bad-diffbits|time-too-old|time-too-new|bad-version/.exec(text) ?? []
    return fault
  }
}

describe('the headers of a server', () => {
  it('are those of the node, ten at a time, and lead over a reorganisation', async () => {
    const chain = openRegtest()
    const before = await nodeChain()
    await devnet.reorg(2)
    const tip = await tipHeight()
    const told = await chain.fetchBlockHeaders(tip)
    expect(told).toEqual((await rawsFrom(tip - 9)).slice(-10))
    const after = chainWithMostWork(before, grow(before, told.slice(told.length - 3)))
    expect(after).toEqual(await nodeChain())
    expect(await chain.fetchBlockHeaders(2)).toEqual((await rawsFrom(0)).slice(0, 3))
  })
})

describe('the merkle proofs of a server', () => {
  it.each([0, 1, 2, 6])(
    'hold for each transaction of a block of a real node with %i payments',
    async count => {
      const payments: string[] = []
      for (let at = 0; at < count; at++) {
        const wallet = createTestWallet(`payer ${at} of ${count} with proofs`)
        const coin = await client.fund(wallet, 100_000n)
        const payment = wallet.spend([coin], [{ script: wallet.script, value: 99_000n }])
        payments.push(payment.toHex())
      }
      for (const payment of payments) await client.broadcast(payment)
      const [hash = ''] = await devnet.mine()
      const { tx } = await devnet.rpc<{ tx: string[] }>('getblock', [hash])
      expect(tx).toHaveLength(count + 1)
      const chain = openRegtest()
      const header = parseBlockHeader(await chain.fetchBlockHeader(hash))
      if (!header) throw new Error('The node’s header was not read')
      for (const [position, txid] of tx.entries()) {
        const proof = await chain.fetchMerkleProof(txid)
        const raw = await chain.fetchTransaction(txid)
        expect(proof.position).toBe(position)
        expect(findMerkleProofFault(header, raw, proof)).toBeNull()
        const other = { ...proof, position: position ^ 1 }
        if (tx.length > 1) expect(findMerkleProofFault(header, raw, other)).not.toBeNull()
        // The node's own proof has the same hashes, and it finds the transaction in it.
        const own = await devnet.rpc<string>('gettxoutproof', [[txid], hash])
        expect(await devnet.rpc<string[]>('verifytxoutproof', [own])).toEqual([txid])
        expect(own.startsWith(toHex(await chain.fetchBlockHeader(hash)))).toBe(true)
        for (const sibling of proof.branch)
          if (sibling !== txid) expect(own).toContain(toHex(fromHex(sibling).reverse()))
      }
    },
  )
})
