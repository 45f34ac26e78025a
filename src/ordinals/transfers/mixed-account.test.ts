import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { buildCancellation, buildChild, buildReplacement } from '../../bitcoin/payments/fee-bump.ts'
import { type Payment, signPayment } from '../../bitcoin/payments/payment.ts'
import { RECIPIENT_SCRIPTS } from '../../bitcoin/testing/funding.ts'
import {
  createMixedAccount,
  judgeSigned,
  PAYING_TYPES,
} from '../../bitcoin/testing/mixed-account.ts'
import type { Asset } from '../asset.ts'
import { tokenOf } from '../testing/atomical-assets.ts'
import { allTo, idOf, inscription, RUNES } from '../testing/test-assets.ts'
import { buildArc20Transfer } from './arc20-transfer.ts'
import { buildMintChain, chainTo } from './rune-mint-chain.ts'
import { buildRuneTransfer } from './rune-transfer.ts'
import { buildSplit } from './split-output.ts'
import { buildTransfer } from './transfer.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const [ALICE = new Uint8Array()] = RECIPIENT_SCRIPTS

function open(addressType: (typeof PAYING_TYPES)[number]) {
  const account = createMixedAccount(addressType)
  const pay = account.fundPay([40_000n, 50_000n])
  const further = account.fundPay([60_000n], 300)
  const previous = new Map([...pay.previous, ...further.previous])
  const names = new Map([
    [toHex(account.payScript), 'pay'],
    [toHex(account.assetScript), 'assets'],
    [toHex(ALICE), 'alice'],
  ])
  const nameOf = ({ scriptPubKey }: { scriptPubKey: Uint8Array }) =>
    names.get(toHex(scriptPubKey)) ?? 'none'
  return {
    ...account,
    terms: { own: account.own, utxos: pay.utxos, feeRate: 3, seed: 'seed' },
    bump: (sent: Payment, feeRate: number) => {
      return { sent, utxos: further.utxos, own: account.own, feeRate, seed: 'b' }
    },
    hold(amount: bigint, ...assets: Asset[]) {
      const held = account.fundAssets([amount])
      const [coin] = held.utxos
      if (!coin) throw new Error('no coin')
      for (const [txid, raw] of held.previous) previous.set(txid, raw)
      return { ...coin, assets }
    },
    /** Where it goes, after independent libraries have judged size, fee and each signature. */
    sign(payment: Payment) {
      const signed = signPayment(payment, account.keys, previous)
      const judged = judgeSigned(signed.rawTx, previous.values())
      expect(judged).toMatchObject({ vsize: payment.vsize, fee: payment.fee, txid: signed.txid })
      previous.set(signed.txid, signed.rawTx)
      return {
        txid: signed.txid,
        from: judged.spent.map(nameOf),
        to: judged.outputs.map(one => `${nameOf(one)} ${one.amount}`),
        change:
          payment.changeIndex === null ? null : judged.outputs.map(nameOf)[payment.changeIndex],
      }
    },
  }
}

describe.each(PAYING_TYPES)('an account that pays from %s and holds the rest on taproot', type => {
  it('sends an inscription with a fee from the former, sped up, and taken back to the latter', () => {
    const account = open(type)
    const coins = [account.hold(546n, inscription(1, 0n))]
    const sent = buildTransfer({ ...account.terms, coins, asked: allTo(ALICE, [idOf(1)]) })
    const first = account.sign(sent)
    expect(first.from.slice(0, 2)).toEqual(['assets', 'pay'])
    expect(first.to[0]).toBe('alice 546')
    expect(first.change).toBe('pay')
    const faster = account.sign(buildReplacement(account.bump(sent, 9)))
    expect([faster.to[0], faster.change]).toEqual(['alice 546', 'pay'])
    const back = account.sign(buildCancellation(account.bump(sent, 20)))
    expect([back.to[0], back.change]).toEqual(['assets 546', 'pay'])
  })

  it('cuts and splits a coin on the latter', () => {
    const account = open(type)
    const coin = account.hold(20_000n, inscription(1, 0n), inscription(2, 15_000n))
    const cut = buildTransfer({ ...account.terms, coins: [coin], asked: allTo(ALICE, [idOf(2)]) })
    const { to, change } = account.sign(cut)
    expect(to.slice(0, 3)).toEqual(['assets 546', 'assets 14454', 'alice 546'])
    expect(change).toBe('pay')
    const split = account.sign(buildSplit({ ...account.terms, coin, postage: 546n }))
    expect(split.to.slice(0, -1).every(one => one.startsWith('assets'))).toBe(true)
    expect(split.change).toBe('pay')
  })

  it('sends runes, whose rest stays on the latter, also when they are taken back', () => {
    const account = open(type)
    const coins = [account.hold(546n, RUNES)]
    const orders = [{ rune: '840000:1', amount: 20n, to: ALICE }]
    const sent = buildRuneTransfer({ ...account.terms, coins, orders })
    const { to, change } = account.sign(sent)
    expect(to.slice(0, 3)).toEqual(['assets 546', 'alice 546', 'none 0'])
    expect(change).toBe('pay')
    const back = account.sign(buildCancellation(account.bump(sent, 20)))
    expect([back.to[0], back.change]).toEqual(['assets 546', 'pay'])
  })

  it('mints onto the latter, from pots on the former', () => {
    const account = open(type)
    const payments = buildMintChain({ ...account.terms, rune: '5:1', count: 3 })
    let before: { payment: Payment; txid: string } | null = null
    for (const [at, planned] of payments.entries()) {
      const payment: Payment = before ? chainTo(planned, before.payment, before.txid) : planned
      const { txid, from, to } = account.sign(payment)
      expect([to[0], to[1]]).toEqual(['assets 546', 'none 0'])
      expect(new Set(from)).toEqual(new Set(['pay']))
      expect(to.slice(2).every(one => one.startsWith('pay'))).toBe(true)
      if (at > 0) expect(payment.fee).toBe(BigInt(payment.vsize * 3))
      before = { payment, txid }
    }
  })

  it('keeps the rest of an ARC-20 token on the latter', () => {
    const account = open(type)
    const coins = [account.hold(5_000n, tokenOf(1, 5_000n))]
    const order = { token: tokenOf(1, 0n).id, coins, amount: 1_000n, to: ALICE }
    const { to, change } = account.sign(buildArc20Transfer({ ...account.terms, ...order }))
    expect(to.slice(0, 2)).toEqual(['alice 1000', 'assets 4000'])
    expect(change).toBe('pay')
  })

  it('lifts a parent with a child that leaves what may carry something on the latter, unless that is dust there', () => {
    const account = open(type)
    const coin = account.hold(9_000n)
    const parent = { fee: 100n, vsize: 150 }
    const bump = {
      parent,
      coin,
      own: account.own,
      utxos: account.terms.utxos,
      feeRate: 5,
      seed: '',
    }
    const child = account.sign(buildChild({ ...bump, mayCarry: true }))
    expect([child.to[0], child.change]).toEqual(['assets 9000', 'pay'])
    expect(account.sign(buildChild({ ...bump, mayCarry: false })).change).toBe('pay')
    const small = { ...coin, amount: 300n }
    if (type === 'p2wpkh')
      expect(buildChild({ ...bump, coin: small, mayCarry: true }).outputs[0]?.scriptPubKey).toEqual(
        account.payScript,
      )
  })
})
