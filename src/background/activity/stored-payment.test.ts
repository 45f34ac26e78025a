import { describe, expect, it } from 'vitest'
import { buildCancellation, leastCancellationFeeRate } from '../../bitcoin/payments/fee-bump.ts'
import { buildPayment } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund, RECIPIENT_SCRIPTS } from '../../bitcoin/testing/funding.ts'
import { decodePayment, encodePayment } from './stored-payment.ts'

const KEY = new Uint8Array(32).fill(9)
const OWN = { publicKey: publicKeyOf(KEY), addressType: 'p2tr' } as const

function payment() {
  const [scriptPubKey = new Uint8Array()] = RECIPIENT_SCRIPTS
  const { utxos } = fund(KEY, 'p2tr', [50_000n, 30_000n])
  const recipients = [{ scriptPubKey, amount: 60_000n }]
  return buildPayment({ recipients, memo: null, utxos, own: OWN, feeRate: 2.5, seed: '' })
}

describe('a stored payment', () => {
  it('comes back from JSON as it was, with its leading pairs', () => {
    const sent = { ...payment(), leading: { inputs: 1, outputs: 1 } }
    expect(decodePayment(JSON.parse(JSON.stringify(encodePayment(sent))))).toEqual(sent)
  })

  it('of a version that moved no assets has none, and can be taken back', () => {
    const { leading: _, ...stored } = encodePayment(payment())
    const sent = decodePayment(stored)
    const feeRate = leastCancellationFeeRate(sent, OWN)
    const back = buildCancellation({ sent, utxos: [], own: OWN, feeRate, seed: '' })
    expect(back.outputs).toHaveLength(1)
    expect(back.leading).toEqual({ inputs: 0, outputs: 0 })
  })
})
