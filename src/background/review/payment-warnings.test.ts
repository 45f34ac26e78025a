import { Transaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { feeRateOf } from '../../bitcoin/fee-rate.ts'
import {
  draft,
  payFromPopup,
  RECIPIENT,
  SECOND_RECIPIENT,
  startFunded,
  THIRD_RECIPIENT,
} from '../testing/funded-wallet.ts'
import { fund } from '../testing/test-wallet.ts'
import type { PaymentDraft } from '../views/payment-views.ts'
import { warnOfFee, warnOfRecipients } from './payment-warnings.ts'

async function warningsOf(
  { worker }: Awaited<ReturnType<typeof startFunded>>,
  changes: Partial<PaymentDraft> = {},
) {
  return (await worker.ui('planPayment', draft(changes))).review.warnings
}

/** An address with the ends of another one and a middle of its own; nobody checks its checksum here. */
function forge(address: string): string {
  return `${address.slice(0, 9)}${'q'.repeat(address.length - 14)}${address.slice(-5)}`
}

describe('a payment to an address', () => {
  it('warns of nothing when there is nothing to warn of', async () => {
    expect(await warningsOf(await startFunded(100_000n))).toEqual([])
  })

  it('of the account itself says so', async () => {
    const funded = await startFunded(100_000n)
    const recipients = [{ to: funded.account.address, sats: '20000' }]
    expect(await warningsOf(funded, { recipients })).toContainEqual({ kind: 'own-address' })
  })

  it('that only looks like a contact, an own account, or one that was paid, warns with its name', () => {
    const names = new Map([
      [RECIPIENT, 'Ann'],
      [SECOND_RECIPIENT, 'Savings'],
    ])
    const peers = [{ address: THIRD_RECIPIENT, paid: true, saidPaid: false, largestReceived: 0n }]
    const forged = [RECIPIENT, SECOND_RECIPIENT, THIRD_RECIPIENT].map(forge)
    expect(warnOfRecipients(forged, { names, peers })).toEqual([
      { kind: 'looks-like', to: forged[0], known: RECIPIENT, name: 'Ann' },
      { kind: 'looks-like', to: forged[1], known: SECOND_RECIPIENT, name: 'Savings' },
      { kind: 'looks-like', to: forged[2], known: THIRD_RECIPIENT, name: null },
    ])
    const known = [RECIPIENT, SECOND_RECIPIENT, THIRD_RECIPIENT]
    expect(warnOfRecipients(known, { names, peers })).toEqual([])
  })

  it('that is known from a tiny payment alone warns, unless it was paid before or is a contact', async () => {
    const funded = await startFunded(100_000n)
    const { worker } = funded
    const receivedIn = [{ txid: 'ab'.repeat(32), sats: 546n }]
    const tiny = { address: RECIPIENT, paid: false, paidIn: [], receivedIn }
    worker.wallet.activity.listPeers = async () => [tiny]
    expect(await warningsOf(funded)).toContainEqual({ kind: 'from-dust', to: RECIPIENT })
    worker.wallet.activity.listPeers = async () => [{ ...tiny, paid: true }]
    expect(await warningsOf(funded)).toEqual([])
    worker.wallet.activity.listPeers = async () => [tiny]
    await worker.ui('saveContact', { id: null, name: 'Ann', address: RECIPIENT })
    expect(await warningsOf(funded)).toEqual([])
  })

  it('whose owner really sent dust warns until it is paid', async () => {
    const funded = await startFunded(100_000n)
    const { worker, world, account } = funded
    const dust = new Transaction()
    dust.addInput(fromHex(fund(world, RECIPIENT, 10_000n)).reverse(), 0)
    dust.addOutput(parseAddress(account.address, 'regtest').scriptPubKey, 600n)
    world.chain.add(dust.toBuffer())
    await worker.wallet.activity.refresh(world.chain.chain, account)
    expect(await warningsOf(funded)).toContainEqual({ kind: 'from-dust', to: RECIPIENT })
    await payFromPopup(worker)
    world.chain.mine()
    expect(await warningsOf(funded)).toEqual([])
  })

  it('of an unconfirmed change says so', async () => {
    const funded = await startFunded(100_000n)
    await payFromPopup(funded.worker)
    expect(await warningsOf(funded)).toContainEqual({ kind: 'spends-unconfirmed', inputs: [0] })
  })
})

describe('the fee of a payment', () => {
  const rates = { fastest: 10, halfHour: 5, hour: 2, minimum: 1.5 }
  const fees = { rates, otherFastest: null, recent: null }

  it.each([
    ['a tenth and 10,000 sats of the amount', { fee: 10_001n, amount: 100_000n }, true],
    ['less than 10,000 sats', { fee: 10_000n, amount: 1_000n }, false],
    ['less than a tenth', { fee: 10_500n, amount: 105_001n, vsize: 1_000 }, false],
    ['five times the fastest rate', { fee: 5_001n, amount: null, vsize: 100 }, true],
    ['a bound of our own, whatever the server says', { fee: 200_001n, vsize: 100_000 }, true],
  ])('is high when it is %s', (_, fee, isHigh) => {
    const params = { vsize: 1_000, amount: 10_000_000n, fees, ...fee }
    const warnings = warnOfFee(params).map(({ kind }) => kind)
    expect(warnings.includes('high-fee')).toBe(isHigh)
  })

  it.each([
    ['five times the fastest rate of another server', { otherFastest: 4 }, 2_100n, true],
    ['not five times as much', { otherFastest: 4 }, 2_000n, false],
    ['five times what the last blocks were paid', { recent: 4 }, 10_001n, true],
    ['that, and 10,000 sats at most', { recent: 4 }, 10_000n, false],
  ])('is held against other figures where there are any: %s', (_, others, fee, isHigh) => {
    const told = { ...fees, rates: { ...rates, fastest: 400 }, ...others }
    const vsize = fee > 5_000n ? 200 : 100
    const warnings = warnOfFee({ fee, vsize, amount: 100_000_000n, fees: told })
    const { otherFastest, recent } = told
    const fastest = otherFastest ?? 400
    expect(warnings).toEqual(isHigh ? [{ kind: 'high-fee', percent: 0, fastest, recent }] : [])
  })

  it('is held against the other figures where the server tells none of its own', () => {
    const told = { rates: null, otherFastest: null, recent: 4 }
    expect(warnOfFee({ fee: 61_600n, vsize: 154, amount: null, fees: told })).toEqual([
      { kind: 'high-fee', percent: null, fastest: null, recent: 4 },
    ])
  })

  it('is low when it is below what the server takes', async () => {
    expect(warnOfFee({ fee: 149n, vsize: 100, amount: null, fees })).toEqual([
      { kind: 'low-fee', minimum: 1.5 },
    ])
    expect(warnOfFee({ fee: 150n, vsize: 100, amount: null, fees })).toEqual([])
  })

  it('is refused above 10,000 sat/vB', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 100_000 }), vsize => {
        const most = BigInt(vsize) * 10_000n
        expect(feeRateOf(most, vsize)).toBe(10_000)
        expect(() => warnOfFee({ fee: most, vsize, amount: null, fees })).not.toThrow()
        expect(() => warnOfFee({ fee: most + BigInt(vsize), vsize, amount: null, fees })).toThrow(
          '10000 sat/vB',
        )
      }),
    )
  })

  it('follows no rate of a server that cannot be paid', async () => {
    const { world, worker } = await startFunded(100_000n)
    const { faults } = world.chain
    faults.fees = { fastest: 1e9, halfHour: 20, hour: 30, minimum: 0 }
    expect(await worker.ui('getFeeRates', null)).toEqual({
      ...{ fastest: 10_000, halfHour: 20, hour: 20, minimum: 0.1 },
    })
    faults.fees = { fastest: 1.23456, halfHour: -5, hour: 0.5, minimum: Number.NaN }
    expect(await worker.ui('getFeeRates', null)).toEqual({
      ...{ fastest: 1.235, halfHour: 0.1, hour: 0.1, minimum: 0.1 },
    })
  })
})

describe('when coins do not suffice', () => {
  it('says what is held, by reason, if that would do, and only then', async () => {
    const coins = [30_000n, 40_000n, 9_000n, 8_000n, 700n, 600n]
    const { world, worker, account, txids } = await startFunded(...coins)
    world.assets.inscribe(`${txids[2]}:0`)
    world.assets.etch(`${txids[3]}:0`)
    world.assets.lie(`${txids[4]}:0`, { known: false, why: 'behind' })
    world.assets.lie(`${txids[5]}:0`, { known: false, why: 'not-indexed' })
    fund(world, account.address, 50_000n, { confirmed: false })
    await worker.ui('setCoinChoice', { outpoint: `${txids[1]}:0`, choice: 'locked' })
    const pay = (sats: string) =>
      worker.ui('planPayment', draft({ recipients: [{ to: RECIPIENT, sats }] }))
    const held = {
      ...{ available: '30000', heldLocked: '40000', heldInscribed: '9000' },
      ...{ heldRunic: '8000', heldUnknown: '1300', unknownWhy: 'behind' },
      ...{ heldUnconfirmed: '50000', heldByPayments: '0' },
    }
    await expect(pay('120000')).rejects.toMatchObject({ data: { reason: 'COINS_HELD', ...held } })
    await expect(pay('139000')).rejects.toMatchObject({
      data: { reason: 'INSUFFICIENT_FUNDS', ...held },
    })
  })
})
