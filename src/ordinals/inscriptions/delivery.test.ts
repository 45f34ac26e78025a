import { p2pkh, p2sh, p2tr, p2wpkh, p2wsh, Transaction } from '@scure/btc-signer'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { DustError } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund } from '../../bitcoin/testing/funding.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { accountOf, TEXTS } from '../testing/inscribings.ts'
import { walkSat } from '../testing/sat-walk.ts'
import { bumpReveals, signFeeBumpedReveals } from './fee-bumped-reveals.ts'
import { buildInscribing, rebuildInscribing } from './inscribing.ts'
import { signInscribing } from './inscribing-signature.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const KEY = new Uint8Array(32).fill(0x21)
const OTHER = publicKeyOf(new Uint8Array(32).fill(0x42))
const SEGWIT = p2wpkh(OTHER)

/** Scripts of receivers, by the independent implementation. */
const RECEIVERS = {
  p2pkh: p2pkh(OTHER).script,
  p2sh: p2sh(SEGWIT).script,
  p2wpkh: SEGWIT.script,
  p2wsh: p2wsh(p2pkh(OTHER)).script,
  p2tr: p2tr(OTHER.subarray(1)).script,
}
const CASES = ADDRESS_TYPES.flatMap(from =>
  Object.entries(RECEIVERS).map(([to, script]) => ({ from, to, script })),
)

function build(addressType: (typeof ADDRESS_TYPES)[number], deliverTo: Uint8Array) {
  const { utxos, previous } = fund(KEY, addressType, [200_000n, 300_000n])
  const account = accountOf(KEY, addressType)
  const terms = { utxos, own: account.own, feeRate: 7, seed: '' }
  const inscribing = buildInscribing({
    ...{ ...terms, parent: null, postage: 546n, deliverTo },
    items: TEXTS.slice(0, 1),
  })
  return { inscribing, account, previous, terms }
}

/** What a delivery spends and pays, held against the reveal before it. */
function read(revealRaw: Uint8Array, rawTx: Uint8Array) {
  const [reveal, delivery] = [parseTransaction(revealRaw), parseTransaction(rawTx)]
  const held = reveal.outputs[0]?.amount ?? 0n
  const [out] = delivery.outputs
  return {
    spends: delivery.inputs.map(({ txid, vout }) => [txid === reveal.txid, vout]),
    pays: delivery.outputs.map(({ scriptPubKey, amount }) => [toHex(scriptPubKey), amount]),
    fee: held - (out?.amount ?? 0n),
    firstSat: walkSat({ inputs: [{ amount: held }], outputs: delivery.outputs }, 0, 0n),
    vsize: Transaction.fromRaw(rawTx, { allowUnknownOutputs: true }).vsize,
  }
}

describe('an inscription that is delivered', () => {
  it.each(CASES)(
    'from $from to $to: its first sat arrives, and the fee is as asked',
    ({ from, script }) => {
      const { inscribing, account, previous } = build(from, script)
      const signed = signInscribing(inscribing, account, previous)
      const told = read(signed.reveals[0]?.rawTx ?? KEY, signed.delivery?.rawTx ?? KEY)
      expect(told).toMatchObject({
        spends: [[true, 0]],
        pays: [[toHex(script), 546n]],
        firstSat: { output: 0, offset: 0n },
      })
      expect(told.fee).toBe(inscribing.delivery?.fee)
      expect(told.vsize).toBe(inscribing.delivery?.vsize)
      expect(told.fee).toBe(BigInt(told.vsize * 7))
    },
  )

  it('is signed anew when the commit is rebuilt, and when its reveal pays more', () => {
    const { inscribing, account, previous, terms } = build('p2wpkh', RECEIVERS.p2tr)
    const rebuilt = rebuildInscribing({
      ...terms,
      before: inscribing,
      evictedFee: 3_000n,
      feeRate: 20,
    })
    const again = signInscribing(rebuilt, account, previous)
    const told = read(again.reveals[0]?.rawTx ?? KEY, again.delivery?.rawTx ?? KEY)
    expect(told.pays).toEqual([[toHex(RECEIVERS.p2tr), 546n]])
    expect(told.fee).toBe(BigInt(told.vsize * 20))

    const { commit } = signInscribing(inscribing, account, previous)
    const spent = new Set(inscribing.commit.inputs.map(({ txid }) => txid))
    const bumped = bumpReveals({
      ...{ inscribing, commitTxid: commit.txid, waiting: [0], parentCoin: null, own: terms.own },
      utxos: terms.utxos.filter(({ txid }) => !spent.has(txid)),
      replaced: inscribing.reveals,
      deliveryFee: inscribing.delivery?.fee ?? 0n,
      feeRate: 30,
    })
    const [reveal, delivery] = signFeeBumpedReveals(bumped, account)
    const raised = read(reveal?.rawTx ?? KEY, delivery?.rawTx ?? KEY)
    expect(raised.pays).toEqual([[toHex(RECEIVERS.p2tr), 546n]])
    expect(raised.fee).toBe(BigInt(raised.vsize * 30))
    // BIP-125 rules 3 and 4: more than both that go, and the relay fee of its own size.
    const gone = (inscribing.reveals[0]?.fee ?? 0n) + (inscribing.delivery?.fee ?? 0n)
    const [next] = bumped.reveals
    expect(next?.fee).toBeGreaterThanOrEqual(gone + BigInt(next?.vsize ?? 0))
  })

  it('is one without a parent, and no less than the receiver’s kind of address takes', () => {
    const { terms } = build('p2tr', RECEIVERS.p2tr)
    const deliver = (changes: object) =>
      buildInscribing({
        ...{ ...terms, parent: null, postage: 546n, items: TEXTS.slice(0, 1) },
        deliverTo: RECEIVERS.p2pkh,
        ...changes,
      })
    expect(() => deliver({ items: TEXTS })).toThrow(RangeError)
    expect(() => deliver({ postage: 545n })).toThrow(DustError)
  })
})
