import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bump,
  confirm,
  FIVE,
  mintTexts,
  textDraft,
} from '../../src/background/inscribing/testing/job-world.ts'
import { defer, dieAfter, selectedAccount } from '../../src/background/testing/funded-wallet.ts'
import {
  ABANDON_MNEMONIC,
  createWorld,
  startUnlocked,
  startWorker,
  type Worker,
} from '../../src/background/testing/test-wallet.ts'
import type { AddressType } from '../../src/bitcoin/address.ts'
import { deriveKey } from '../../src/bitcoin/derivation.ts'
import { mnemonicToSeed } from '../../src/bitcoin/mnemonic.ts'
import { ADDRESS_TYPES } from '../../src/bitcoin/testing/spending.ts'
import { parseTransaction } from '../../src/bitcoin/transaction.ts'
import { openAssets } from '../../src/chain/open/open-assets.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess } from '../../src/chain/testing/server-access.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import {
  findCommitOutputs,
  type KnownLeaf,
} from '../../src/ordinals/inscriptions/commit-recovery.ts'
import {
  layOutRefund,
  leastRefundFeeRate,
  signRefund,
} from '../../src/ordinals/inscriptions/refund.ts'

// Nothing is left but the phrase, the chain and what was to be inscribed: no record of the job, no worker.

let devnet: Devnet
let made = 0

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

const PURPOSES = { p2tr: 86, p2wpkh: 84, 'p2sh-p2wpkh': 49, p2pkh: 44 } as const

function openDevnet() {
  const { access, checks, clock } = createTestAccess()
  const urls = { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' }
  const assets = { assets: devnet.ordUrl, secondAssets: '' }
  return {
    chain: openChain('regtest', urls, { access, checks }),
    assets: openAssets('regtest', assets, { access, now: () => (clock.now += 60_000) }),
  }
}

/** A wallet of the phrase on devnet, and nothing else; its account in use is the one at this place. */
async function restore(addressType: AddressType, index: number) {
  const world = createWorld()
  const { chain, assets } = openDevnet()
  world.chain.chain = {
    ...chain,
    broadcast(rawTx) {
      const broadcast = chain.broadcast(rawTx)
      onTheirWay.add(broadcast)
      return broadcast
    },
  }
  world.assets.source = assets
  const worker = await startUnlocked(world)
  const [added] = await worker.ui('addScanned', {
    found: [{ addressType, line: 'accounts', index }],
  })
  await worker.ui('selectAccount', { accountId: added?.id ?? '' })
  return { world, worker, account: await selectedAccount(worker) }
}

/** The same with an account that no other test has used, and one coin in it. */
async function startMinter(addressType: AddressType) {
  const index = 2 + made++
  const restored = await restore(addressType, index)
  const { account } = restored
  await devnet.faucet(account.address, 100_000n)
  await devnet.mine(1)
  return { ...restored, index, path: `m/${PURPOSES[addressType]}'/1'/${index}'/0/0` }
}

const TERMS = { postage: 10_000, feeRate: 2 }

const LEAVES = FIVE.map(
  (text): KnownLeaf => ({
    kind: 'content',
    content: {
      contentType: 'text/plain;charset=utf-8',
      body: new TextEncoder().encode(text),
    },
  }),
)

/** Takes back all of the commit that spends a coin, by the phrase and the path alone; null where none does. */
async function recover(path: string, type: AddressType, outpoint: string) {
  const { chain } = openDevnet()
  const [txid = '', vout = ''] = outpoint.split(':')
  const commitTxid = await chain.fetchSpender({ txid, vout: Number(vout) })
  if (commitTxid === null) return null
  const { privateKey, publicKey } = deriveKey(await mnemonicToSeed(ABANDON_MNEMONIC, ''), path)
  const commit = parseTransaction(await chain.fetchTransaction(commitTxid))
  const found = findCommitOutputs({ commit, baseKey: publicKey, leaves: LEAVES })
  const spenders = await Promise.all(
    found.inputs.map(input => chain.fetchSpender({ txid: commitTxid, vout: input.vout })),
  )
  const replaced = await Promise.all(
    spenders
      .filter(spender => spender !== null)
      .map(spender => chain.fetchTransactionRecord(spender)),
  )
  const own = { publicKey, addressType: type }
  const refund = signRefund(
    layOutRefund({ ...found, replaced, own, feeRate: Math.ceil(leastRefundFeeRate(replaced)) }),
    privateKey,
  )
  expect(await chain.broadcast(refund.rawTx)).toBe(refund.txid)
  await devnet.mine(1)
  const { confirmations } = await devnet.rpc<{ confirmations?: number }>('getrawtransaction', [
    ...[refund.txid, true],
  ])
  expect(confirmations).toBe(1)
  return { found: found.inputs.length, replaced: replaced.length }
}

/** What is being handed over to the node; a death stops none of it. */
const onTheirWay = new Set<Promise<unknown>>()

/** Lets an act die at each of its writes, one after the other, and takes back what there is; resolves how much of it was revealed then. */
async function dieAtEach<T>(
  addressType: AddressType,
  prepare: (worker: Worker) => Promise<{ outpoint: string; prepared: T }>,
  act: (worker: Worker, prepared: T) => Promise<unknown>,
): Promise<(number | null)[]> {
  const outcomes: (number | null)[] = []
  for (;;) {
    const { world, worker, account, path } = await startMinter(addressType)
    const { outpoint, prepared } = await prepare(worker)
    const dying = dieAfter(world, outcomes.length)
    const lived = act(startWorker(dying), prepared).then(() => true)
    const isDone = await Promise.race([lived, dying.died.then(() => false)])
    await Promise.allSettled(onTheirWay)
    const recovered = await recover(path, addressType, outpoint)
    const { chain } = openDevnet()
    const { confirmed } = await chain.fetchBalance(account.address)
    // All is with the account, but for the fees.
    expect(confirmed).toBeGreaterThan(recovered ? 85_000n : 99_999n)
    const coins = await worker.ui('getCoins', null)
    expect(coins.map(({ sats }) => Number(sats))).not.toContain(TERMS.postage)
    if (recovered) expect(recovered.found).toBe(FIVE.length)
    outcomes.push(recovered === null ? null : recovered.replaced)
    if (isDone) return outcomes
  }
}

describe('the money of a commit', () => {
  it.each(ADDRESS_TYPES)(
    'is taken back by the phrase and the content at every write of a job of %s, and the node takes it',
    async addressType => {
      const outcomes = await dieAtEach(
        addressType,
        async worker => {
          const plan = await worker.ui('planInscribe', textDraft(FIVE, TERMS))
          const [first] = plan.review.commit?.inputs ?? []
          return { outpoint: first?.outpoint ?? '', prepared: plan }
        },
        confirm,
      )
      // Nothing was sent, the commit alone, and with its reveals, which go together.
      expect(new Set(outcomes)).toEqual(new Set([null, 0, 5]))
    },
    240_000,
  )

  it.each([1, 2, 3, 4])('is taken back where %i of its five reveals were sent', async reveals => {
    const { world, worker, account, path } = await startMinter('p2tr')
    const { chain } = world.chain
    const { promise: stopped, resolve: stop } = defer()
    let taken = 0
    world.chain.chain = {
      ...chain,
      broadcast(rawTx) {
        if (taken++ <= reveals) return chain.broadcast(rawTx)
        stop()
        return new Promise<never>(() => {})
      },
    }
    const [coin] = await worker.ui('getCoins', null)
    void mintTexts(worker, FIVE, TERMS)
    await stopped
    await Promise.allSettled(onTheirWay)
    const recovered = await recover(path, 'p2tr', coin?.outpoint ?? '')
    expect(recovered).toEqual({ found: FIVE.length, replaced: reveals })
    const { confirmed } = await openDevnet().chain.fetchBalance(account.address)
    expect(confirmed).toBeGreaterThan(85_000n)
  })

  it('is taken back where another commit is to take its place, at every write of that', async () => {
    const outcomes = await dieAtEach(
      'p2wpkh',
      async worker => {
        const { review, jobId } = await mintTexts(worker, FIVE, TERMS)
        const [first] = review.commit?.inputs ?? []
        return { outpoint: first?.outpoint ?? '', prepared: jobId }
      },
      (worker, jobId) => bump(worker, jobId, 12),
    )
    expect(outcomes).not.toContain(null)
    expect(outcomes.length).toBeGreaterThan(8)
  }, 240_000)
})

describe.each(ADDRESS_TYPES)('a wallet that was restored from its phrase, %s,', addressType => {
  it('finds a commit in its history by the content, shows what comes back, and takes it', async () => {
    const { worker: first, index } = await startMinter(addressType)
    await mintTexts(first, FIVE, TERMS)
    const { worker, account } = await restore(addressType, index)
    const items = [...FIVE, 'six'].map(text => ({ kind: 'text' as const, text }))
    const draft = {
      ...{ txid: null, items, leafHashes: [], parent: null, metadata: null, rune: null },
    }
    const seen = await worker.ui('planCommitRefund', { ...draft, feeRate: null })
    if (seen.state !== 'found') throw new Error(seen.state)
    expect(seen).toMatchObject({ outputs: FIVE.length, confirmed: false })
    const { leastFeeRate: feeRate } = seen
    const found = await worker.ui('planCommitRefund', { ...draft, feeRate })
    if (found.state !== 'found' || !found.plan) throw new Error(found.state)
    const { txid, outcome } = await worker.ui('takeCommitRefund', found.plan)
    expect(outcome).toBe('sent')
    await devnet.mine(1)
    const { vout, confirmations } = await devnet.rpc<{
      vout: { value: number; scriptPubKey: { address: string } }[]
      confirmations?: number
    }>('getrawtransaction', [txid, true])
    expect(confirmations).toBe(1)
    expect(vout.map(({ scriptPubKey }) => scriptPubKey.address)).toEqual([account.address])
    expect(Math.round((vout[0]?.value ?? 0) * 1e8)).toBe(-Number(found.plan.review.cost))
    expect(await worker.ui('planCommitRefund', { ...draft, feeRate })).toEqual({ state: 'spent' })
  })
})
