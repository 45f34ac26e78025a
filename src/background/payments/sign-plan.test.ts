import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { RECIPIENT, startFunded } from '../testing/funded-wallet.ts'
import type { PaymentReview } from '../views/payment-views.ts'
import type { Plan } from './payment-plan.ts'
import { type SigningParts, signPlan } from './payment-signing.ts'

type Shape = { inputs: string[]; outputs: { address: string; sats: bigint }[] }

/** The bytes of a transaction that a signer may give back. */
function rawOf({ inputs, outputs }: Shape): Uint8Array {
  const transaction = new Transaction()
  transaction.version = 2
  for (const outpoint of inputs) {
    const [txid = '', vout = '0'] = outpoint.split(':')
    transaction.addInput(fromHex(txid).reverse(), Number(vout))
  }
  for (const { address, sats } of outputs)
    transaction.addOutput(parseAddress(address, 'regtest').scriptPubKey, sats)
  return new Uint8Array(transaction.toBuffer())
}

/** A payment of 30,000 of 100,000 sats that was shown, and what becomes of it where the signer gives this back. */
async function start(changes: Partial<PaymentReview> = {}, paysTo = RECIPIENT) {
  const { world, worker, account, txids } = await startFunded(100_000n, 50_000n)
  const outpoints = txids.map(txid => `${txid}:0`)
  const [coin = '', other = ''] = outpoints
  const shape: Shape = {
    inputs: [coin],
    outputs: [
      { address: paysTo, sats: 30_000n },
      { address: account.address, sats: 69_000n },
    ],
  }
  const outputs = shape.outputs.map(({ address, sats }) => ({
    ...{ address, sats: String(sats), own: address === account.address },
    script: toHex(parseAddress(address, 'regtest').scriptPubKey),
  }))
  const review = {
    ...{ kind: 'payment', purpose: 'send', previous: null, fee: '1000', assets: [], warnings: [] },
    recipients: [{ address: paysTo, sats: '30000', name: null }],
    inputs: [{ outpoint: coin, address: account.address, sats: '100000', own: true }],
    ...{ outputs, ...changes },
  } as unknown as PaymentReview
  const plan = {
    ...{ at: world.clock.now, spends: [coin], carried: null, about: null, review },
    payment: {
      inputs: [{ script: '', sats: '100000', txid: txids[0], vout: 0, height: 100 }],
      outputs: outputs.map(({ script, sats }) => ({ script, sats })),
      ...{ addressType: 'p2tr', fee: '1000', vsize: 100, feeRate: 10, changeIndex: 1 },
    },
  } as unknown as Plan
  const sign = (given: Shape = shape) => {
    const rawTx = rawOf(given)
    const txid = Transaction.fromBuffer(rawTx).getId()
    const signer = { signPayment: async () => ({ rawTx, txid, vsize: 100 }) }
    const wallet = { ...worker.wallet, signer } as unknown as SigningParts
    return signPlan({ wallet, network: 'regtest', account }, plan, 'https://site.example', null)
  }
  return { world, account, sign, shape, coin, other }
}

describe('a payment that is signed', () => {
  it('is kept in activity as what was shown', async () => {
    const { sign, shape, coin, account, world } = await start()
    const raw = toHex(rawOf(shape))
    const txid = Transaction.fromHex(raw).getId()
    expect(await sign()).toMatchObject({
      ...{ txid, network: 'regtest', accountId: account.id, kind: 'sent', net: '-31000' },
      ...{ counterparty: RECIPIENT, fee: '1000', origin: 'https://site.example' },
      ...{ at: world.clock.now, status: 'sending', rawTx: raw, spends: [coin] },
      ...{ creates: [`${txid}:1`], replaces: null, about: null },
    })
  })

  it.each([
    ['send', 'sent', 'moved'],
    ['transfer', 'sent', 'moved'],
    ['split', 'sent', 'moved'],
    ['prepare', 'prepared', 'prepared'],
    ['cancel', 'cancel', 'cancel'],
    ['speed-up', 'speed-up', 'speed-up'],
  ] as const)(
    'for %s is called %s, and %s where it pays nobody else',
    async (purpose, paying, own) => {
      const paid = await start({ purpose })
      expect((await paid.sign()).kind).toBe(paying)
      const kept = await start({ purpose, recipients: [] })
      expect(await kept.sign()).toMatchObject({ kind: own, counterparty: null })
      const [recipient] = [{ address: kept.account.address, sats: '30000', name: null }]
      const back = await start({ purpose, recipients: recipient ? [recipient] : [] })
      expect(await back.sign()).toMatchObject({ kind: own, counterparty: null })
    },
  )

  it.each<[string, (shape: Shape, other: string) => Shape]>([
    ['another coin', (shape, other) => ({ ...shape, inputs: [other] })],
    ['one coin more', (shape, other) => ({ ...shape, inputs: [...shape.inputs, other] })],
    ['outputs in another order', shape => ({ ...shape, outputs: shape.outputs.toReversed() })],
    [
      'another amount',
      shape => ({ ...shape, outputs: shape.outputs.map(one => ({ ...one, sats: one.sats - 1n })) }),
    ],
    [
      'another receiver',
      shape => ({
        ...shape,
        outputs: shape.outputs.map(one => ({
          ...one,
          address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
        })),
      }),
    ],
  ])('with %s than was shown is not used', async (_, change) => {
    const { sign, shape, other } = await start()
    await expect(sign(change(shape, other))).rejects.toThrow('not the one that was shown')
  })
})

describe('a child of a transaction', () => {
  const previous = { txid: 'ab'.repeat(32), fee: '1' }

  it.each([
    ['waits', null, true],
    ['is not known', undefined, true],
    ['is in a block', 7, false],
  ])('is signed where its parent %s', async (_, height, isSigned) => {
    const { sign, world } = await start({ purpose: 'child', previous })
    world.chain.chain.fetchTransactionHeight = async () => height
    if (isSigned) await expect(sign()).resolves.toMatchObject({ kind: 'child' })
    else await expect(sign()).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED' } })
  })
})
