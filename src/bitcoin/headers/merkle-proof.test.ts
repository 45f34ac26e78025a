import { Transaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../bytes.ts'
import { buildBlock } from '../testing/block-building.ts'
import { TXOUT_PROOFS } from '../testing/header-vectors.ts'
import { BLOCK_542213, GENESIS_BLOCK } from '../testing/mainnet-blocks.ts'
import { type BlockHeader, parseBlockHeader } from './block-header.ts'
import { findMerkleProofFault, rootOfBranch } from './merkle-proof.ts'

const read = (raw: Uint8Array): BlockHeader => {
  const header = parseBlockHeader(raw)
  if (!header) throw new Error('The header was not read')
  return header
}

const hashOf = (bytes: Uint8Array) => toHex(bytes.toReversed())

describe('a merkle branch', () => {
  const { txids, branch, lastBranch, merkleRoot } = BLOCK_542213

  it('leads from a transaction at its place to the root', () => {
    expect(rootOfBranch(txids[0] ?? '', branch, 0)).toBe(merkleRoot)
    expect(rootOfBranch(txids[3] ?? '', lastBranch, 3)).toBe(merkleRoot)
  })

  it('of a block with one transaction is empty', () => {
    expect(rootOfBranch(GENESIS_BLOCK.merkleRoot, [], 0)).toBe(GENESIS_BLOCK.merkleRoot)
  })

  it('leads elsewhere from another place, and nowhere from one that does not exist', () => {
    expect(rootOfBranch(txids[0] ?? '', branch, 1)).not.toBe(merkleRoot)
    for (const position of [-1, 4, 0.5])
      expect(rootOfBranch(txids[0] ?? '', branch, position)).toBeNull()
  })

  it.each(TXOUT_PROOFS)('is that of Bitcoin Core: $transactions transactions, $position', proof => {
    const { merkleRoot } = read(fromHex(proof.header))
    expect(rootOfBranch(proof.txid, proof.branch, proof.position)).toBe(merkleRoot)
  })

  it('whose last transaction counts twice does not prove that it is there twice (CVE-2012-2459)', () => {
    const block = buildBlock({
      height: 1,
      previous: '00'.repeat(32),
      txids: ['11'.repeat(32), '22'.repeat(32)],
    })
    const last = block.branchOf('22'.repeat(32))
    const { merkleRoot } = read(block.header)
    expect(last).toMatchObject({ position: 2, branch: ['22'.repeat(32), expect.any(String)] })
    expect(rootOfBranch('22'.repeat(32), last?.branch ?? [], 2)).toBe(merkleRoot)
    expect(rootOfBranch('22'.repeat(32), last?.branch ?? [], 3)).toBeNull()
  })
})

describe('a transaction of 64 bytes in a block (CVE-2017-12842)', () => {
  const short = new Transaction()
  short.addInput(new Uint8Array(32).fill(0x5a), 0)
  short.addOutput(new Uint8Array(4).fill(0x6a), 1000n)
  const raw = short.toBuffer()
  const block = buildBlock({ height: 1, previous: '00'.repeat(32), txids: [short.getId()] })
  const header = read(block.header)
  const { position, branch } = block.branchOf(short.getId()) ?? { position: 0, branch: [] }

  it('proves nothing', () => {
    expect(raw).toHaveLength(64)
    expect(rootOfBranch(short.getId(), branch, position)).toBe(header.merkleRoot)
    expect(findMerkleProofFault(header, raw, { position, branch })).toBe('transaction')
  })

  it('does not serve as the two hashes of a transaction that is in no block', () => {
    const [left, right] = [hashOf(raw.subarray(0, 32)), hashOf(raw.subarray(32))]
    expect(rootOfBranch(right, [left, ...branch], 2 * position + 1)).toBeNull()
    expect(rootOfBranch(left, [right, ...branch], 2 * position)).toBeNull()
  })
})

describe('the proof of a transaction', () => {
  const made = fc
    .array(fc.tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(40)), { maxLength: 40 })
    .map(parts => {
      const transactions = parts.map(([hash, length]) => {
        const transaction = new Transaction()
        transaction.addInput(hash, 0)
        transaction.addOutput(new Uint8Array(length + 5), 1000n)
        return transaction
      })
      const txids = transactions.map(transaction => transaction.getId())
      const block = buildBlock({ height: 1, previous: '00'.repeat(32), txids })
      return {
        block,
        header: read(block.header),
        raws: [block.coinbase, ...transactions.map(one => one.toBuffer())],
      }
    })

  it('holds for each of a block', () => {
    fc.assert(
      fc.property(made, ({ block, header, raws }) => {
        for (const [index, txid] of block.txids.entries()) {
          const proof = block.branchOf(txid)
          if (!proof) throw new Error('The block has the transaction')
          expect(findMerkleProofFault(header, raws[index] ?? new Uint8Array(), proof)).toBeNull()
        }
      }),
    )
  })

  it('holds for no other place, branch or transaction', () => {
    fc.assert(
      fc.property(
        made,
        fc.nat(),
        fc.nat(),
        fc.nat(255),
        ({ block, header, raws }, which, at, bit) => {
          const index = which % raws.length
          const raw = raws[index] ?? new Uint8Array()
          const proof = block.branchOf(block.txids[index] ?? '')
          if (!proof) throw new Error('The block has the transaction')
          const { position, branch } = proof
          const faultOf = (changed: Partial<typeof proof>, bytes = raw) =>
            findMerkleProofFault(header, bytes, { ...proof, ...changed })
          const other = at % 2 ** branch.length
          if (other !== position) expect(faultOf({ position: other })).not.toBeNull()
          expect(faultOf({ position: position + 2 ** branch.length })).toBe('position')
          expect(faultOf({ branch: [...branch, '00'.repeat(32)] })).toBe('root')
          const cut = at % Math.max(branch.length, 1)
          if (branch.length > 0) {
            expect(faultOf({ branch: branch.toSpliced(cut, 1) })).not.toBeNull()
            const bytes = fromHex(branch[cut] ?? '')
            bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
            expect(faultOf({ branch: branch.with(cut, toHex(bytes)) })).not.toBeNull()
            expect(faultOf({ branch: branch.with(cut, 'ab'.repeat(31)) })).toBe('branch')
          }
          const changed = raw.slice()
          changed[at % raw.length] = (changed[at % raw.length] ?? 0) ^ (1 << (bit & 7))
          expect(faultOf({}, changed)).not.toBeNull()
          expect(faultOf({}, raw.subarray(1))).not.toBeNull()
        },
      ),
    )
  })
})
