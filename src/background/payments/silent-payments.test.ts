import { bech32m } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import {
  type Receiver,
  scanTransaction,
  silentAddressOf,
} from '../../bitcoin/testing/silent-payment-scanner.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { startOnDevice } from '../testing/device-wallet.ts'
import {
  draft,
  inputsOf,
  outputsOf,
  payFromPopup,
  RECIPIENT,
  readBroadcast,
  startFunded,
} from '../testing/funded-wallet.ts'
import { decideNext, fund, type Worker, type World } from '../testing/test-wallet.ts'
import { startCosigned } from './testing/cosigners.ts'

const ANN: Receiver = { scanKey: fromHex('21'.repeat(32)), spendKey: fromHex('22'.repeat(32)) }
const BOB: Receiver = { scanKey: fromHex('31'.repeat(32)), spendKey: fromHex('32'.repeat(32)) }
const TO_ANN = silentAddressOf(ANN, 'tsp')
const TO_ANN_SHOP = silentAddressOf(ANN, 'tsp', 7)
const TO_BOB = silentAddressOf(BOB, 'tsp')

/** What a receiver finds in a transaction that was sent. */
function findPaid(world: World, txid: string, receiver: Receiver) {
  const scriptOf = (from: string, vout: number) => {
    const script = parseTransaction(world.chain.get(from) ?? new Uint8Array()).outputs[vout]
    return script?.scriptPubKey ?? new Uint8Array()
  }
  return scanTransaction(receiver, world.chain.get(txid) ?? new Uint8Array(), scriptOf, [7])
}

async function bump(worker: Worker, txid: string, kind: 'speed-up' | 'cancel', feeRate: number) {
  const { planId, digest, review } = await worker.ui('planBump', { txid, kind, feeRate })
  return { ...(await worker.ui('confirmPayment', { planId, digest })), review }
}

describe('a payment to a silent payment address', () => {
  it('is found by the receiver alone, and shows the address and what it becomes', async () => {
    const { world, worker } = await startFunded(100_000n, 50_000n)
    const { txid, review } = await payFromPopup(worker, {
      recipients: [{ to: TO_ANN, sats: '120000' }],
    })
    const [output] = outputsOf(readBroadcast(world, txid))
    expect(review.recipients).toEqual([
      {
        ...{ address: TO_ANN, sats: '120000', name: null, output: output?.address },
        paidBefore: 'never',
      },
    ])
    expect(findPaid(world, txid, ANN)).toMatchObject([{ vout: 0, amount: 120_000n }])
    expect(findPaid(world, txid, BOB)).toEqual([])
    const { entry } = await worker.ui('getActivityDetails', { txid })
    expect(entry).toMatchObject({ kind: 'sent', counterparty: TO_ANN })
  })

  it.each(['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const)(
    'from an account of %s is found, whichever its key',
    async addressType => {
      const { world, worker } = await startFunded()
      for (const name of ['One', 'Two', 'Three']) {
        const { id, address } = await worker.ui('addAccount', { addressType, name })
        await worker.ui('selectAccount', { accountId: id })
        for (let count = 0; count < 2; count++) fund(world, address, 30_000n)
        const { txid } = await payFromPopup(worker, { recipients: [{ to: TO_ANN, sats: 'max' }] })
        expect(findPaid(world, txid, ANN)).toHaveLength(1)
      }
    },
  )

  it('pays several, two of them one receiver under two addresses, next to a plain one', async () => {
    const { world, worker } = await startFunded(400_000n)
    const { txid, review } = await payFromPopup(worker, {
      recipients: [
        { to: TO_ANN, sats: '10001' },
        { to: RECIPIENT, sats: '10002' },
        { to: TO_ANN_SHOP, sats: '10003' },
        { to: TO_BOB, sats: '10004' },
        { to: TO_ANN, sats: '10005' },
      ],
      memo: { text: 'hello', position: 1 },
    })
    expect(review.recipients.map(({ address }) => address)).toEqual([
      ...[TO_ANN, RECIPIENT, TO_ANN_SHOP, TO_BOB, TO_ANN],
    ])
    const amounts = (receiver: Receiver) =>
      findPaid(world, txid, receiver)
        .map(({ amount }) => amount)
        .toSorted()
    expect(amounts(ANN)).toEqual([10_001n, 10_003n, 10_005n])
    expect(amounts(BOB)).toEqual([10_004n])
    const scripts = readBroadcast(world, txid)
    expect(new Set(outputsOf(scripts).map(({ address }) => address)).size).toBe(7)
  })

  it('is another output each time', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    const recipients = [{ to: TO_ANN.toUpperCase(), sats: '20000' }]
    const first = await payFromPopup(worker, { recipients })
    const second = await payFromPopup(worker, { recipients })
    expect(first.review.recipients[0]?.address).toBe(TO_ANN)
    expect(first.review.recipients[0]?.output).not.toBe(second.review.recipients[0]?.output)
    for (const { txid } of [first, second])
      expect(findPaid(world, txid, ANN)).toMatchObject([{ amount: 20_000n }])
  })

  it('depends on the coins that are chosen', async () => {
    const { worker, txids } = await startFunded(100_000n, 100_000n)
    const outputs = []
    for (const coins of [[`${txids[0]}:0`], [`${txids[1]}:0`], txids.map(txid => `${txid}:0`)]) {
      const recipients = [{ to: TO_ANN, sats: '20000' }]
      const { review } = await worker.ui('planPayment', draft({ recipients, coins }))
      outputs.push(review.recipients[0]?.output)
    }
    expect(new Set(outputs).size).toBe(3)
  })

  it('sped up with a further coin pays the same receiver by another output', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    const old = await payFromPopup(worker, { recipients: [{ to: TO_ANN, sats: 'max' }] })
    const added = fund(world, account.address, 50_000n)
    const { txid, review } = await bump(worker, old.txid, 'speed-up', 30)
    const sent = readBroadcast(world, txid)
    expect(inputsOf(sent)).toContain(`${added}:0`)
    expect(review.recipients).toEqual([
      {
        address: TO_ANN,
        sats: old.review.sats,
        name: null,
        output: outputsOf(sent)[0]?.address,
      },
    ])
    expect(review.recipients[0]?.output).not.toBe(old.review.recipients[0]?.output)
    expect(findPaid(world, txid, ANN)).toMatchObject([{ amount: BigInt(old.review.sats) }])
    const { entry } = await worker.ui('getActivityDetails', { txid })
    expect(entry).toMatchObject({ kind: 'speed-up', counterparty: TO_ANN })
    // And once more, from the record of the second.
    const third = await bump(worker, txid, 'speed-up', 60)
    expect(third.review.recipients[0]?.address).toBe(TO_ANN)
    expect(findPaid(world, third.txid, ANN)).toMatchObject([{ amount: BigInt(old.review.sats) }])
  })

  it('sped up with the same coins pays the same output, and taken back pays nobody', async () => {
    const { world, worker } = await startFunded(100_000n)
    const old = await payFromPopup(worker, { recipients: [{ to: TO_ANN, sats: '20000' }] })
    const { txid, review } = await bump(worker, old.txid, 'speed-up', 30)
    const paid = old.review.recipients.map(({ paidBefore: _, ...recipient }) => recipient)
    expect(review.recipients).toEqual(paid)
    const cancelled = await bump(worker, txid, 'cancel', 100)
    expect(cancelled.review.recipients).toEqual([])
    expect(findPaid(world, cancelled.txid, ANN)).toEqual([])
  })

  it('whose stored output was changed is not signed', async () => {
    const { worker } = await startFunded(100_000n)
    const recipients = [{ to: TO_ANN, sats: '20000' }]
    const { planId, digest } = await worker.ui('planPayment', draft({ recipients }))
    const stored = await worker.wallet.plans.find(planId)
    if (!stored?.plan) throw new Error('no plan')
    const { payment, review } = stored.plan
    const [paid, ...others] = payment.outputs
    if (!paid) throw new Error('no output')
    const elsewhere = `5120${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`
    const outputs = [{ ...paid, script: elsewhere }, ...others]
    const shown = review.outputs.with(0, { ...review.outputs[0], script: elsewhere } as never)
    const plan = {
      ...stored.plan,
      payment: { ...payment, outputs },
      review: { ...review, outputs: shown },
    }
    await worker.wallet.plans.put({ ...stored, plan })
    await expect(worker.ui('confirmPayment', { planId, digest })).rejects.toThrow()
    expect((await worker.ui('getCoins', null)).filter(({ held }) => held === null)).toHaveLength(1)
  })

  it('names a contact, and the next one knows whom it paid', async () => {
    const { worker } = await startFunded(100_000n, 100_000n)
    await worker.ui('saveContact', { id: null, name: 'Ann', address: TO_ANN.toUpperCase() })
    expect(await worker.ui('getContacts', null)).toMatchObject([{ name: 'Ann', address: TO_ANN }])
    const recipients = [{ to: TO_ANN, sats: '20000' }]
    const { txid, review } = await payFromPopup(worker, { recipients })
    expect(review.recipients).toMatchObject([{ address: TO_ANN, name: 'Ann' }])
    const { entry } = await worker.ui('getActivityDetails', { txid })
    expect(entry).toMatchObject({ counterparty: TO_ANN, counterpartyName: 'Ann' })
  })

  it('that only looks like one that was paid is warned of', async () => {
    const { worker } = await startFunded(100_000n, 100_000n)
    const poison = findAlike()
    await payFromPopup(worker, { recipients: [{ to: TO_ANN, sats: '20000' }] })
    const { review } = await worker.ui(
      'planPayment',
      draft({ recipients: [{ to: poison, sats: '20000' }] }),
    )
    expect(review.warnings).toContainEqual({
      ...{ kind: 'looks-like', to: poison, known: TO_ANN, name: null },
    })
  })
})

describe('a silent payment address', () => {
  it.each([
    ['of mainnet', silentAddressOf(ANN, 'sp'), 'Bitcoin mainnet'],
    [
      'with a wrong character',
      TO_ANN.slice(0, -1) + (TO_ANN.endsWith('q') ? 'p' : 'q'),
      'not a silent payment address',
    ],
  ])('%s is refused by its field', async (_, to, said) => {
    const { worker } = await startFunded(100_000n)
    const recipients = [
      { to: RECIPIENT, sats: '1000' },
      { to, sats: '20000' },
    ]
    await expect(worker.ui('planPayment', draft({ recipients }))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('recipients[1].to'),
    })
    await expect(worker.ui('planPayment', draft({ recipients }))).rejects.toThrow(said)
  })

  it('is paid no dust', async () => {
    const { worker } = await startFunded(100_000n)
    const recipients = [{ to: TO_ANN, sats: '329' }]
    await expect(worker.ui('planPayment', draft({ recipients }))).rejects.toThrow('330')
  })

  it('cannot be paid by an account whose key is on a device', async () => {
    const { worker } = await startOnDevice('p2wpkh', 100_000n)
    const recipients = [{ to: TO_ANN, sats: '20000' }]
    await expect(worker.ui('planPayment', draft({ recipients }))).rejects.toMatchObject({
      data: { reason: 'SILENT_PAYMENT_IMPOSSIBLE', why: 'DEVICE' },
    })
  })

  it('cannot be paid by an account that several signers share', async () => {
    const { worker } = await startCosigned('p2wsh', 100_000n)
    const recipients = [{ to: TO_ANN, sats: '20000' }]
    await expect(worker.ui('planPayment', draft({ recipients }))).rejects.toMatchObject({
      data: { reason: 'SILENT_PAYMENT_IMPOSSIBLE', why: 'SEVERAL_SIGNERS' },
    })
  })

  it('is paid for a site, which is told the txid', async () => {
    const { world, worker, page } = await startFunded(200_000n)
    const answer = page.call('sendBitcoin', TO_ANN, 20_000, { feeRate: 2 })
    const { review } = await decideNext(worker, 'approve', 'payment')
    expect(review).toMatchObject({ recipients: [{ address: TO_ANN, sats: '20000' }] })
    const txid = String(Object(await answer).result)
    expect(findPaid(world, txid, ANN)).toMatchObject([{ amount: 20_000n }])
  })

  it('gets no inscription for a site', async () => {
    const { page } = await startFunded(200_000n)
    const id = `${'ab'.repeat(32)}i0`
    expect(await page.call('sendInscription', TO_ANN, id)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('address') },
    })
  })
})

/** An address of version 1 whose ends are those of {@link TO_ANN}: what it says further is free. */
function findAlike(): string {
  const keys = bech32m.fromWords(bech32m.decode(TO_ANN as `tsp1${string}`, 1023).words.slice(1))
  for (let nonce = 0; ; nonce++) {
    const more = [nonce, nonce >> 8, nonce >> 16].map(part => part & 0xff)
    const words = bech32m.toWords(Uint8Array.of(...keys, ...more))
    const address = bech32m.encode('tsp', [1, ...words], 1023)
    if (address.endsWith(TO_ANN.slice(-3))) return address
  }
}
