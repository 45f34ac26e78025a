import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { inHurry } from '../testing/fast-timers.ts'
import {
  draft,
  payFromPopup,
  RECIPIENT,
  SECOND_RECIPIENT,
  selectedAccount,
  startFunded,
} from '../testing/funded-wallet.ts'
import {
  createWorld,
  fund,
  startUnlocked,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'
import { forgeAddress } from './testing/forged-address.ts'

/** Begins and ends like an address, with a valid checksum, as those who poison histories make them. */
const forged = forgeAddress(RECIPIENT)

type Funded = Pick<Awaited<ReturnType<typeof startFunded>>, 'world' | 'worker' | 'account'>

async function warningsOf({ worker }: { worker: Worker }, to = RECIPIENT) {
  const recipients = [{ to, sats: '20000' }]
  return (await worker.ui('planPayment', draft({ recipients }))).review.warnings
}

/** A contact whose address the recipient only looks like. */
function knowSomebodyAlike({ worker }: { worker: Worker }): void {
  worker.wallet.contacts.list = async () => [{ id: 'ann', name: 'Ann', address: forged }]
}

const ALIKE = { kind: 'looks-like', to: RECIPIENT, known: forged, name: 'Ann' }
const FROM_DUST = { kind: 'from-dust', to: RECIPIENT }

function refresh({ world, worker, account }: Funded): Promise<void> {
  return worker.wallet.activity.refresh(world.chain.chain, account)
}

/** The same wallet on another computer: it knows what the chain says, and nothing else. */
async function restore(world: World): Promise<Funded> {
  const restored = { ...createWorld(), chain: world.chain, assets: world.assets }
  const worker = await startUnlocked(restored)
  const funded = { world: restored, worker, account: await selectedAccount(worker) }
  await refresh(funded)
  return funded
}

/** A transaction with a signature of the right length that is worth nothing. */
function forgeTransaction(txid: string, to: string, sats: bigint): Uint8Array {
  const transaction = new Transaction()
  transaction.version = 2
  transaction.addInput(fromHex(txid).reverse(), 0)
  transaction.addOutput(parseAddress(to, 'regtest').scriptPubKey, sats)
  transaction.setWitness(0, [new Uint8Array(64).fill(7)])
  return transaction.toBuffer()
}

describe('an address that the history says was paid', () => {
  it('still warns where the server made the payment up', async () => {
    const funded = await startFunded(100_000n, 100_000n)
    const { world, txids } = funded
    world.chain.add(forgeTransaction(txids[0] ?? '', RECIPIENT, 90_000n))
    await refresh(funded)
    knowSomebodyAlike(funded)
    expect(await warningsOf(funded)).toContainEqual(ALIKE)
  })

  it('still warns of dust from it where the server made the payment up', async () => {
    const funded = await startFunded(100_000n, 100_000n)
    const { world, txids, account } = funded
    const coin = fund(world, RECIPIENT, 10_000n)
    world.chain.add(forgeTransaction(coin, account.address, 600n))
    world.chain.add(forgeTransaction(txids[0] ?? '', RECIPIENT, 90_000n))
    await refresh(funded)
    expect(await warningsOf(funded)).toContainEqual(FROM_DUST)
  })

  it('is trusted by a wallet that was restored, once it checked its own signature', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    await payFromPopup(worker)
    world.chain.mine()
    const restored = await restore(world)
    knowSomebodyAlike(restored)
    expect(await warningsOf(restored)).toEqual([])
  })

  it('is trusted in all recipients of a payment, not only the first', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    const recipients = [SECOND_RECIPIENT, RECIPIENT].map(to => ({ to, sats: '20000' }))
    await payFromPopup(worker, { recipients })
    world.chain.mine()
    const restored = await restore(world)
    knowSomebodyAlike(restored)
    expect(await warningsOf(restored)).toEqual([])
  })

  it('warns a restored wallet of addresses that look like it', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    await payFromPopup(worker)
    world.chain.mine()
    expect(await warningsOf(await restore(world), forged)).toContainEqual({
      ...{ kind: 'looks-like', to: forged, known: RECIPIENT, name: null },
    })
  })

  it('that was made up is not named as the one that another looks like', async () => {
    const funded = await startFunded(100_000n, 100_000n)
    const { world, txids } = funded
    world.chain.add(forgeTransaction(txids[0] ?? '', forged, 90_000n))
    await refresh(funded)
    expect(await warningsOf(funded)).toEqual([])
  })

  it('warns while the server does not answer, and the payment goes on', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    await payFromPopup(worker)
    world.chain.mine()
    const restored = await restore(world)
    knowSomebodyAlike(restored)
    world.chain.chain.fetchTransactionRecord = () => new Promise(() => {})
    expect(await inHurry(() => warningsOf(restored), 3)).toContainEqual(ALIKE)
  })

  it('still warns of addresses that look like it while the server does not answer', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    await payFromPopup(worker)
    world.chain.mine()
    const restored = await restore(world)
    world.chain.chain.fetchTransactionRecord = () => new Promise(() => {})
    expect(await inHurry(() => warningsOf(restored, forged), 3)).toContainEqual({
      ...{ kind: 'looks-like', to: forged, known: RECIPIENT, name: null },
    })
  })

  it('needs no proof where this wallet has its own record of it', async () => {
    const funded = await startFunded(100_000n, 100_000n)
    await payFromPopup(funded.worker)
    funded.world.chain.mine()
    await refresh(funded)
    knowSomebodyAlike(funded)
    funded.world.chain.chain.fetchTransactionRecord = () => Promise.reject(new Error('Asked'))
    expect(await warningsOf(funded)).toEqual([])
  })

  it('is looked into only for who is to be paid and is no contact', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    await payFromPopup(worker)
    world.chain.mine()
    const restored = await restore(world)
    let asked = 0
    world.chain.chain.fetchTransactionRecord = async () => {
      asked++
      throw new Error('Asked')
    }
    expect(await warningsOf(restored, SECOND_RECIPIENT)).toEqual([])
    expect(asked).toBe(0)
    await restored.worker.ui('saveContact', { id: null, name: 'Ann', address: RECIPIENT })
    expect(await warningsOf(restored)).toEqual([])
    expect(asked, 'a contact').toBe(0)
  })
})

describe('an address that the history says sent more than dust', () => {
  async function receive(sats: bigint, mine: (world: World) => void): Promise<Funded> {
    const funded = await startFunded(100_000n)
    const { world, account } = funded
    const coin = fund(world, RECIPIENT, 100_000n)
    world.chain.receive(forgeTransaction(coin, account.address, sats))
    mine(world)
    await refresh(funded)
    return funded
  }

  it('does not warn where a block with proof of work holds the payment', async () => {
    const funded = await receive(50_000n, world => world.chain.mineChecked())
    expect(await warningsOf(funded)).toEqual([])
  })

  it('warns where the block holds no more than dust', async () => {
    const funded = await receive(600n, world => world.chain.mineChecked())
    expect(await warningsOf(funded)).toContainEqual(FROM_DUST)
  })

  it('warns where the block is made up', async () => {
    const funded = await receive(50_000n, world => world.chain.mine())
    expect(await warningsOf(funded)).toContainEqual(FROM_DUST)
  })

  it('warns where the transaction is not in the block', async () => {
    const funded = await receive(50_000n, world => world.chain.mineChecked())
    const { chain } = funded.world.chain
    const { fetchMerkleProof } = chain
    chain.fetchMerkleProof = async txid => {
      const { position, branch } = await fetchMerkleProof(txid)
      return { position, branch: branch.toReversed() }
    }
    expect(await warningsOf(funded)).toContainEqual(FROM_DUST)
  })

  it('warns where the coin that paid was another one’s', async () => {
    const funded = await startFunded(100_000n)
    const { world, account } = funded
    const coin = fund(world, SECOND_RECIPIENT, 100_000n)
    const txid = world.chain.receive(forgeTransaction(coin, account.address, 50_000n))
    world.chain.mineChecked()
    const { chain } = world.chain
    const { fetchHistory, fetchTransactionRecord } = chain
    type Record = Awaited<ReturnType<typeof fetchTransactionRecord>>
    const { scriptPubKey } = parseAddress(RECIPIENT, 'regtest')
    const lie = (record: Record): Record =>
      record.txid === txid
        ? { ...record, inputs: record.inputs.map(input => ({ ...input, scriptPubKey })) }
        : record
    chain.fetchTransactionRecord = async asked => lie(await fetchTransactionRecord(asked))
    chain.fetchHistory = async (...asked) => {
      const page = await fetchHistory(...asked)
      return { ...page, transactions: page.transactions.map(lie) }
    }
    await refresh(funded)
    expect(await warningsOf(funded)).toContainEqual(FROM_DUST)
  })
})
