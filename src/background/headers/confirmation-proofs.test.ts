import { Transaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { lastAnchors } from '../../bitcoin/headers/anchors.ts'
import type { MerkleProof } from '../../bitcoin/headers/merkle-proof.ts'
import { type BuiltBlock, buildBlock } from '../../bitcoin/testing/block-building.ts'
import { MAINNET_RUN } from '../../bitcoin/testing/header-vectors.ts'
import {
  BackendUnavailableError,
  type ChainSource,
  TransactionNotFoundError,
} from '../../chain/chain-source.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createConfirmationProofs } from './confirmation-proofs.ts'
import { createHeldHeaders } from './held-headers.ts'

const NOW = Date.parse('2026-11-01')
const MADE_UP = 'ab'.repeat(32)

/** A transaction like no other, raw. */
function makeTransaction(number: number): { txid: string; raw: Uint8Array } {
  const transaction = new Transaction()
  transaction.addInput(new Uint8Array(32).fill(7), number)
  transaction.addOutput(Uint8Array.of(0x51), BigInt(1000 + number))
  return { txid: transaction.getId(), raw: transaction.toBuffer() }
}

/** A server of regtest with real blocks and as many honest transactions as are mined; tests replace its answers. */
function startChain() {
  const blocks: BuiltBlock[] = []
  const raws = new Map<string, Uint8Array>()
  let made = 0
  const mine = (count = 1, transactions = 0, branch = 0): string[] => {
    const mined: string[] = []
    for (let at = 0; at < count; at++) {
      const some = Array.from({ length: transactions }, () => makeTransaction(made++))
      for (const { txid, raw } of some) raws.set(txid, raw)
      const height = blocks.length
      const txids = some.map(({ txid }) => txid)
      const seconds = height * 600 + branch
      const block = buildBlock({
        ...{ height, previous: blocks.at(-1)?.hash ?? '00'.repeat(32), txids },
        at: 1_700_000_000_000 + seconds * 1000,
      })
      raws.set(block.coinbaseTxid, block.coinbase)
      blocks.push(block)
      mined.push(...txids)
    }
    return mined
  }
  const blockOf = (txid: string) => blocks.find(({ txids }) => txids.includes(txid))
  const asked: string[] = []
  const answers = {
    async fetchNewestHeaders() {
      const height = blocks.length - 1
      return { height, raws: await answers.fetchBlockHeaders(height) }
    },
    async fetchBlockHeaders(height: number) {
      return blocks.slice(Math.max(height - 9, 0), height + 1).map(({ header }) => header)
    },
    async fetchTransactionHeight(txid: string) {
      return blockOf(txid)?.height
    },
    async fetchTransaction(txid: string) {
      const raw = raws.get(txid)
      if (!raw) throw new TransactionNotFoundError('memory.test', txid)
      return raw
    },
    async fetchMerkleProof(txid: string): Promise<MerkleProof> {
      const proof = blockOf(txid)?.branchOf(txid)
      if (!proof) throw new TransactionNotFoundError('memory.test', txid)
      return proof
    },
  }
  const source = new Proxy(answers, {
    get: (target, name: keyof typeof answers | 'network') => {
      if (name === 'network') return 'regtest'
      return (argument: never) => {
        asked.push(name)
        return target[name](argument)
      }
    },
  }) as unknown as ChainSource
  return { blocks, mine, raws, answers, source, asked }
}

async function refuseToAnswer(): Promise<never> {
  const detail = 'no answer within 10 s'
  throw new BackendUnavailableError({
    ...{ kind: 'unreachable', host: 'memory.test', detail, retryInMs: null },
  })
}

function openProofs(local = createMemoryArea()) {
  const deps = { local, now: () => NOW, anchors: lastAnchors }
  return createConfirmationProofs({ ...deps, headers: createHeldHeaders(deps) })
}

describe('a transaction in a block whose header is held', () => {
  it('is proven, with as many confirmations as headers follow', async () => {
    const chain = startChain()
    chain.mine(20)
    const [txid = ''] = chain.mine(1, 3)
    const proofs = openProofs()
    expect(await proofs.prove(chain.source, txid)).toEqual({
      ...{ is: 'proven', confirmations: 1, blocks: null },
    })
    chain.mine(4)
    expect(await proofs.prove(chain.source, txid)).toMatchObject({ is: 'proven', confirmations: 5 })
  })

  it('is asked about once: with no new block only for the newest, also after the worker died', async () => {
    const chain = startChain()
    chain.mine(20)
    const [txid = ''] = chain.mine(1, 3)
    const local = createMemoryArea()
    await openProofs(local).prove(chain.source, txid)
    chain.asked.length = 0
    expect(await openProofs(local).prove(chain.source, txid)).toMatchObject({ is: 'proven' })
    expect(chain.asked).toEqual(['fetchNewestHeaders'])
  })

  it('is proven anew once a chain with more work has it in another block, and not where that has it in none', async () => {
    const chain = startChain()
    chain.mine(20)
    const [txid = ''] = chain.mine(1, 1)
    const proofs = openProofs()
    await proofs.prove(chain.source, txid)
    chain.blocks.pop()
    chain.mine(3, 0, 1)
    expect(await proofs.prove(chain.source, txid)).toEqual({ is: 'unproven', fault: 'no-block' })
    const height = chain.blocks.length
    const previous = chain.blocks.at(-1)?.hash ?? ''
    chain.blocks.push(buildBlock({ height, previous, txids: [txid], at: 1_700_100_000_000 }))
    expect(await proofs.prove(chain.source, txid)).toMatchObject({ is: 'proven', confirmations: 1 })
  })
})

describe('an older transaction', () => {
  const startOld = () => {
    const chain = startChain()
    chain.mine(5)
    const [txid = ''] = chain.mine(1, 3)
    chain.mine(300)
    return { chain, txid }
  }

  it('takes its proof, its bytes and one answer of headers, and is kept', async () => {
    const { chain, txid } = startOld()
    const proofs = openProofs()
    // The headers at the start.
    await proofs.prove(chain.source, MADE_UP)
    chain.asked.length = 0
    const old = { is: 'old', confirmations: 301, blocks: null }
    expect(await proofs.prove(chain.source, txid)).toEqual(old)
    expect(chain.asked.sort()).toEqual([
      ...['fetchBlockHeaders', 'fetchMerkleProof', 'fetchNewestHeaders'],
      ...['fetchTransaction', 'fetchTransactionHeight'],
    ])
    chain.asked.length = 0
    expect(await proofs.prove(chain.source, txid)).toEqual(old)
    expect(chain.asked).toEqual(['fetchNewestHeaders'])
  })

  it.each([
    ['that are missing', (raws: Uint8Array[]) => raws.slice(1)],
    ['that are not linked', (raws: Uint8Array[]) => raws.with(3, raws[4] ?? new Uint8Array())],
    ['that are none', (raws: Uint8Array[]) => raws.with(0, new Uint8Array(80))],
  ])('is not proven by headers %s', async (_, alter) => {
    const { chain, txid } = startOld()
    const proofs = openProofs()
    await proofs.prove(chain.source, MADE_UP)
    const honest = chain.answers.fetchBlockHeaders
    chain.answers.fetchBlockHeaders = async height => alter(await honest(height))
    expect(await proofs.prove(chain.source, txid)).toEqual({ is: 'unproven', fault: 'header' })
  })
})

describe('a server that lies about a transaction', () => {
  const startLying = async () => {
    const chain = startChain()
    chain.mine(20)
    const mined = chain.mine(1, 4)
    chain.mine(3)
    return { chain, mined, proofs: openProofs() }
  }

  it('has no proof of one that it made up', async () => {
    const { chain, proofs } = await startLying()
    const { txid, raw } = makeTransaction(99_999)
    chain.raws.set(txid, raw)
    chain.answers.fetchTransactionHeight = async () => 20
    expect(await proofs.prove(chain.source, txid)).toMatchObject({ fault: 'merkle-proof' })
    const [other = ''] = chain.blocks[20]?.txids ?? []
    const proof = chain.blocks[20]?.branchOf(other)
    chain.answers.fetchMerkleProof = async () => proof as MerkleProof
    expect(await proofs.prove(chain.source, txid)).toMatchObject({ fault: 'merkle-proof' })
  })

  it('has no proof by the bytes of another, which its block does have', async () => {
    const { chain, mined, proofs } = await startLying()
    const [other = ''] = chain.blocks[14]?.txids ?? []
    chain.answers.fetchTransactionHeight = async () => 14
    chain.answers.fetchTransaction = async () => chain.raws.get(other) ?? new Uint8Array()
    chain.answers.fetchMerkleProof = async () => chain.blocks[14]?.branchOf(other) as MerkleProof
    expect(await proofs.prove(chain.source, mined[0] ?? '')).toMatchObject({
      fault: 'merkle-proof',
    })
  })

  it('gains nothing by its silence about the proof', async () => {
    const { chain, mined, proofs } = await startLying()
    chain.answers.fetchMerkleProof = refuseToAnswer
    expect(await proofs.prove(chain.source, mined[0] ?? '')).toEqual({
      ...{ is: 'unproven', fault: 'no-answer' },
    })
  })

  it('gains nothing by its silence about blocks, and what was proven stays', async () => {
    const { chain, mined, proofs } = await startLying()
    const [first = '', second = ''] = mined
    const silent = { is: 'unproven', fault: 'no-answer' }
    const honest = chain.answers.fetchNewestHeaders
    chain.answers.fetchNewestHeaders = refuseToAnswer
    expect(await proofs.prove(chain.source, first)).toEqual(silent)
    chain.answers.fetchNewestHeaders = honest
    expect(await proofs.prove(chain.source, first)).toMatchObject({ is: 'proven' })
    chain.answers.fetchNewestHeaders = refuseToAnswer
    expect(await proofs.prove(chain.source, first)).toMatchObject({ is: 'proven' })
    chain.mine(1, 1)
    chain.answers.fetchTransactionHeight = async () => chain.blocks.length - 1
    expect(await proofs.prove(chain.source, second)).toEqual(silent)
  })

  it('cannot hide one behind others: each is asked about in its turn, and those that are proven cost nothing', async () => {
    const { chain, mined, proofs } = await startLying()
    const { txid, raw } = makeTransaction(99_999)
    chain.raws.set(txid, raw)
    const all = [...mined, txid].map(one => ({ txid: one, height: 20 }))
    chain.answers.fetchMerkleProof = async one =>
      chain.blocks[20]?.branchOf(one === txid ? (mined[0] ?? '') : one) as MerkleProof
    const proven = expect.objectContaining({ is: 'proven' })
    const ask = () => proofs.proveEach(chain.source, all, 2)
    expect(await ask()).toEqual([proven, proven, null, null, null])
    expect(await ask()).toEqual([proven, proven, proven, proven, null])
    const refuted = { is: 'unproven', fault: 'merkle-proof' }
    expect(await ask()).toEqual([proven, proven, proven, proven, refuted])
    chain.asked.length = 0
    await ask()
    expect(chain.asked.sort()).toEqual([
      ...['fetchMerkleProof', 'fetchNewestHeaders', 'fetchTransaction'],
    ])
  })

  it('cannot say that it is in a block that is not there', async () => {
    const { chain, mined, proofs } = await startLying()
    chain.answers.fetchTransactionHeight = async () => 500
    expect(await proofs.prove(chain.source, mined[0] ?? '')).toEqual({
      ...{ is: 'unproven', fault: 'beyond-tip' },
    })
  })

  it('proves nothing at the start with headers that do not link', async () => {
    const { chain, mined, proofs } = await startLying()
    chain.answers.fetchBlockHeaders = async height => [
      chain.blocks[height - 5]?.header ?? new Uint8Array(),
      chain.blocks[height]?.header ?? new Uint8Array(),
    ]
    expect(await proofs.prove(chain.source, mined[0] ?? '')).toEqual({
      ...{ is: 'unproven', fault: 'chain' },
    })
  })

  // Judged by the blocks that were built, not by anything that the code under test computes.
  it('has proven what the honest chain has, at its height, and nothing else', async () => {
    const { chain } = await startLying()
    const all = chain.blocks.flatMap(({ txids }) => txids)
    const honest = { ...chain.answers }
    const number = fc.nat({ max: 23 })
    /** Mostly true: of many lies at once, the first alone would be looked at. */
    const seldom = <T>(lie: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: lie })
    const lie = fc.record({
      txid: fc.constantFrom(...all, MADE_UP),
      height: seldom(number),
      raw: seldom(fc.constantFrom(...all)),
      proof: seldom(fc.constantFrom(...all)),
      position: seldom(number),
      branch: seldom(fc.array(fc.constantFrom(...all), { maxLength: 4 })),
    })
    const { count, seed } = campaign('lies about confirmations')
    const headers = createHeldHeaders({
      ...{ local: createMemoryArea(), now: () => NOW, anchors: lastAnchors },
    })
    let proven = 0
    let refuted = 0
    await fc.assert(
      fc.asyncProperty(lie, async ({ txid, height, raw, proof, position, branch }) => {
        Object.assign(chain.answers, {
          fetchTransactionHeight: async () => height ?? (await honest.fetchTransactionHeight(txid)),
          fetchTransaction: async () => honest.fetchTransaction(raw ?? txid),
          async fetchMerkleProof() {
            const told = await honest.fetchMerkleProof(proof ?? txid)
            return { position: position ?? told.position, branch: branch ?? told.branch }
          },
        })
        const deps = { local: createMemoryArea(), now: () => NOW, anchors: lastAnchors }
        const found = await createConfirmationProofs({ ...deps, headers }).prove(chain.source, txid)
        if (found.is === 'unproven') {
          refuted++
          return
        }
        proven++
        const told = height ?? chain.blocks.findIndex(({ txids }) => txids.includes(txid))
        expect(chain.blocks[told]?.txids).toContain(txid)
        expect(found.confirmations).toBe(chain.blocks.length - told)
      }),
      { numRuns: count, seed },
    )
    // Of five things that are true in four cases of five, all are in a third; a few lies are none.
    expect(Math.min(proven, refuted)).toBeGreaterThan(count / 4)
    expect(proven + refuted).toBe(count)
  }, 3_600_000)
})

describe('real headers of mainnet', () => {
  const { height: start, raws } = MAINNET_RUN
  const end = start + 1000
  const height = start + 100

  /** What comes after the headers is never asked where these do not hold. */
  const ask = async (alter: (raws: Uint8Array[]) => Uint8Array[]) => {
    let isAsked = false
    const source = {
      network: 'mainnet',
      fetchNewestHeaders: async () => ({
        ...{ height: end, raws: raws.slice(end - start - 9, end - start + 1) },
      }),
      async fetchBlockHeaders(to: number) {
        const some = raws.slice(to - start - 9, to - start + 1)
        return to < end - 150 ? alter(some) : some
      },
      fetchTransactionHeight: async () => height,
      fetchMerkleProof: async () => ({ position: 0, branch: [] }),
      async fetchTransaction(txid: string) {
        isAsked = true
        throw new TransactionNotFoundError('memory.test', txid)
      },
    } as unknown as ChainSource
    const deps = {
      ...{ local: createMemoryArea(), now: () => NOW },
      // As a release of that day would have known them.
      anchors: () => lastAnchors('mainnet').filter(anchor => anchor.height < start),
    }
    const proofs = createConfirmationProofs({ ...deps, headers: createHeldHeaders(deps) })
    return { found: await proofs.prove(source, MADE_UP), isAsked }
  }

  it('have the targets of their time, so that the transaction is looked at', async () => {
    expect(await ask(some => some)).toEqual({
      ...{ found: { is: 'unproven', fault: 'merkle-proof' }, isAsked: true },
    })
  })

  it('are not replaced by such of no work', async () => {
    const easy = (some: Uint8Array[]) =>
      some.map((_, at) => buildBlock({ height: height + at, previous: '00'.repeat(32) }).header)
    expect(await ask(easy)).toEqual({
      ...{ found: { is: 'unproven', fault: 'header' }, isAsked: false },
    })
  })

  it('are not those of other heights', async () => {
    const others = () => raws.slice(500, 510)
    expect(await ask(others)).toMatchObject({ found: { fault: 'merkle-proof' } })
  })
})
