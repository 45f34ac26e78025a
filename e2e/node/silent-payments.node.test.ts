import { Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft } from '../../src/background/testing/funded-wallet.ts'
import type { Worker } from '../../src/background/testing/test-wallet.ts'
import { fromHex, toHex } from '../../src/bitcoin/bytes.ts'
import { formatOutpoint } from '../../src/bitcoin/outpoint.ts'
import {
  type FoundOutput,
  type Receiver,
  scanTransaction,
  signAsReceiver,
  silentAddressOf,
} from '../../src/bitcoin/testing/silent-payment-scanner.ts'
import { parseTransaction } from '../../src/bitcoin/transaction.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'

// The receiver reads the transactions from the node, looks for its coins with other libraries than the wallet's, and spends them.

const RECEIVER: Receiver = { scanKey: fromHex('51'.repeat(32)), spendKey: fromHex('52'.repeat(32)) }
const LABEL = 3
const TO = silentAddressOf(RECEIVER, 'tsp')
const TO_LABEL = silentAddressOf(RECEIVER, 'tsp', LABEL)
const FEE = 1_000n
/** A script of nobody in particular: of the key of the generator point. */
const NOBODY = fromHex('512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798')

type Found = FoundOutput & { vout: number; amount: bigint }

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

async function start(addressType: string, ...coins: bigint[]) {
  const { world, worker } = await startOnDevnet(devnet)
  await worker.ui('changeSettings', { autoLockMinutes: 1440 })
  const { accounts } = await worker.ui('getState', null)
  const account =
    accounts.find(one => one.addressType === addressType) ??
    (await worker.ui('addAccount', { addressType: addressType as 'p2pkh', name: 'Payer' }))
  await worker.ui('selectAccount', { accountId: account.id })
  for (const sats of coins) await devnet.faucet(account.address, sats)
  await devnet.mine(1)
  world.clock.now += 61_000
  await worker.ui('getOverview', { retry: true })
  return { world, worker, account }
}

type Started = Awaited<ReturnType<typeof start>>

async function pay(
  worker: Worker,
  recipients: { to: string; sats: string }[],
  coins: string[] | null = null,
) {
  const { planId, digest, review } = await worker.ui('planPayment', draft({ recipients, coins }))
  return { ...(await worker.ui('confirmPayment', { planId, digest })), review }
}

/** What the receiver finds in a transaction that is in a block or waits for one. */
async function find({ world }: Started, txid: string): Promise<Found[]> {
  const { chain } = world.chain
  const rawTx = await chain.fetchTransaction(txid)
  const scripts = new Map<string, Uint8Array>()
  for (const input of parseTransaction(rawTx).inputs) {
    const { outputs } = parseTransaction(await chain.fetchTransaction(input.txid))
    const script = outputs[input.vout]?.scriptPubKey
    scripts.set(formatOutpoint(input), script ?? new Uint8Array())
  }
  const scriptOf = (parent: string, vout: number) =>
    scripts.get(formatOutpoint({ txid: parent, vout })) ?? new Uint8Array()
  return scanTransaction(RECEIVER, rawTx, scriptOf, [LABEL])
}

/** Spends a coin that was found, with a signature by its key. */
async function spend(txid: string, found: Found): Promise<string> {
  const script = Uint8Array.of(0x51, 32, ...found.publicKey)
  const transaction = new Transaction()
  transaction.addInput({ txid, index: found.vout, witnessUtxo: { script, amount: found.amount } })
  transaction.addOutput({ script: NOBODY, amount: found.amount - FEE })
  const hash = transaction.preimageWitnessV1(0, [script], 0, [found.amount])
  const signature = signAsReceiver(found, hash, new Uint8Array(32))
  transaction.updateInput(0, { finalScriptWitness: [signature] }, true)
  return devnet.rpc<string>('sendrawtransaction', [toHex(transaction.extract())])
}

describe('a silent payment on a real node', () => {
  it.each(['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'])(
    'from coins of %s is taken by the node, found by the receiver, and spent',
    async addressType => {
      const started = await start(addressType, 60_000n, 50_000n)
      const { worker } = started
      const { txid, review } = await pay(worker, [
        { to: TO, sats: '80000' },
        { to: TO_LABEL, sats: '10000' },
      ])
      await devnet.mine(1)
      const found = await find(started, txid)
      expect(found.map(({ amount }) => amount).toSorted()).toEqual([10_000n, 80_000n])
      expect(review.recipients.map(({ address }) => address)).toEqual([TO, TO_LABEL])
      for (const one of found) await spend(txid, one)
      await devnet.mine(1)
      const unspent = await Promise.all(
        found.map(({ vout }) => devnet.rpc('gettxout', [txid, vout])),
      )
      expect(unspent).toEqual(found.map(() => null))
    },
  )

  it('that is sped up with a further coin is found in the replacement, and spent', async () => {
    const started = await start('p2wpkh', 70_000n, 50_000n)
    const { worker } = started
    const coins = await worker.ui('getCoins', null)
    const chosen = coins.flatMap(({ outpoint, sats }) => (sats === '70000' ? [outpoint] : []))
    const old = await pay(worker, [{ to: TO, sats: 'max' }], chosen)
    expect(old.outcome).toBe('sent')
    expect(await find(started, old.txid)).toHaveLength(1)
    const terms = { txid: old.txid, kind: 'speed-up' as const, feeRate: 40 }
    const { planId, digest, review } = await worker.ui('planBump', terms)
    const { txid } = await worker.ui('confirmPayment', { planId, digest })
    expect(review.recipients[0]).toMatchObject({ address: TO, sats: old.review.sats })
    expect(review.recipients[0]?.output).not.toBe(old.review.recipients[0]?.output)
    await devnet.mine(1)
    await expect(devnet.rpc('getrawtransaction', [old.txid])).rejects.toThrow('No such')
    const [found, ...others] = await find(started, txid)
    if (!found) throw new Error('the receiver found nothing')
    expect(others).toEqual([])
    expect(found.amount).toBe(BigInt(old.review.sats))
    await spend(txid, found)
    await devnet.mine(1)
    expect(await devnet.rpc('gettxout', [txid, found.vout])).toBeNull()
  })
})
