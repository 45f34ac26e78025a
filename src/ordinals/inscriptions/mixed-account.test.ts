import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import { DustError } from '../../bitcoin/payments/payment.ts'
import { RECIPIENT_SCRIPTS } from '../../bitcoin/testing/funding.ts'
import {
  createMixedAccount,
  type JudgedTransaction,
  judgeSigned,
  PAYING_TYPES,
} from '../../bitcoin/testing/mixed-account.ts'
import { parseRuneName } from '../runes/rune-name.ts'
import { decipherRunestone } from '../runes/runestone.ts'
import { accountOf, TEXTS } from '../testing/inscribings.ts'
import { noise } from '../testing/noise.ts'
import { walkSat } from '../testing/sat-walk.ts'
import { listAway } from './away-signing.ts'
import { bumpReveals, leastBumpFeeRate, signFeeBumpedReveals } from './fee-bumped-reveals.ts'
import { buildEtching, buildInscribing, type Inscribing, rebuildInscribing } from './inscribing.ts'
import { listTransactions, signInscribing } from './inscribing-signature.ts'
import { buildRefund, signRefund } from './refund.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const RATES = fc.integer({ min: 100, max: 20_000 }).map(milli => milli / 1000)

/** What waits to be inscribed by an account that pays from one address and holds inscriptions on another. */
const situations = fc.record({
  addressType: fc.constantFrom(...PAYING_TYPES),
  pay: fc.array(fc.bigInt({ min: 100_000n, max: 900_000n }), { minLength: 2, maxLength: 4 }),
  /** Clean coins on the taproot address, which the commit is to spend with some of the others. */
  clean: fc.array(fc.bigInt({ min: 20_000n, max: 900_000n }), { maxLength: 2 }),
  sizes: fc.array(fc.nat({ max: 700 }), { minLength: 1, maxLength: 4 }),
  postage: fc.constantFrom(330n, 546n, 10_000n),
  parentOn: fc.constantFrom('pay', 'assets', null),
  feeRate: RATES,
  seed: fc.string(),
})

type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never

function layOut({ addressType, parentOn, ...situation }: Situation) {
  const account = createMixedAccount(addressType)
  const pay = account.fundPay(situation.pay)
  const clean = account.fundAssets(situation.clean)
  const held =
    parentOn === 'pay' ? account.fundPay([777n], 9_000) : account.fundAssets([777n], 9_000)
  const [coin] = held.utxos
  const parent = parentOn && coin ? { id: `${coin.txid}i0`, coin } : null
  const utxos = [...pay.utxos, ...clean.utxos]
  const previous = new Map([...pay.previous, ...clean.previous, ...held.previous])
  const { postage, feeRate, seed } = situation
  const items = situation.sizes.map((size, k) => ({
    ...{ contentType: 'image/png', body: noise(size, k) },
  }))
  const { own } = account
  const terms = {
    postage,
    parent,
    utxos,
    own,
    feeRate,
    seed,
    required: [...pay.utxos.slice(1), ...clean.utxos],
  }
  const inscribing = buildInscribing({ ...terms, items })
  return { account, inscribing, utxos, previous, parent }
}

/** All that was signed, judged in its order. */
function judgeAll(
  signed: readonly ({ rawTx: Uint8Array } | null | undefined)[],
  previous: ReadonlyMap<string, Uint8Array>,
): JudgedTransaction[] {
  const raws = [...previous.values()]
  return signed.flatMap(one => {
    if (!one) return []
    const judged = judgeSigned(one.rawTx, raws)
    raws.push(one.rawTx)
    return judged
  })
}

const paidBy = ({ outputs }: JudgedTransaction) =>
  outputs.map(({ scriptPubKey, amount }) => [toHex(scriptPubKey), amount])
const scriptsOf = (coins: readonly { scriptPubKey: Uint8Array }[]) =>
  coins.map(({ scriptPubKey }) => toHex(scriptPubKey))

describe('inscribing of an account with an address for payments and one for inscriptions', () => {
  it('pays from both, puts inscriptions and the parent on the latter and change on the former, at the fee asked', () => {
    const seen = { pay: 0, assets: 0, none: 0, both: 0 }
    fc.assert(
      fc.property(situations, situation => {
        const { account, inscribing, previous, parent } = layOut(situation)
        const { commit, reveals, delivery } = signInscribing(inscribing, account, previous)
        expect(delivery).toBeNull()
        const [paid, ...revealed] = judgeAll([commit, ...reveals], previous)
        if (!paid) expect.fail('no commit')
        expect(paid).toMatchObject({ vsize: inscribing.commit.vsize, fee: inscribing.commit.fee })
        const { changeIndex } = inscribing.commit
        if (changeIndex !== null)
          expect(toHex(paid.outputs[changeIndex]?.scriptPubKey ?? noise(1, 1))).toBe(
            toHex(account.payScript),
          )
        const assets = toHex(account.assetScript)
        for (const [k, reveal] of revealed.entries()) {
          const asked = feeForVsize(reveal.vsize, situation.feeRate)
          expect(reveal.fee).toBe(parent && asked < 330n ? 330n : asked)
          expect(reveal.vsize).toBe(inscribing.reveals[k]?.vsize)
          expect(paidBy(reveal)).toEqual([
            [assets, situation.postage],
            ...(parent ? [[assets, 777n]] : []),
          ])
          if (!parent) continue
          expect(scriptsOf(reveal.spent)[1]).toBe(
            k === 0 ? toHex(parent.coin.scriptPubKey) : assets,
          )
          const dealt = { inputs: reveal.spent, outputs: reveal.outputs }
          expect(walkSat(dealt, 1, 776n)).toEqual({ output: 1, offset: 776n })
        }
        seen[situation.parentOn ?? 'none']++
        seen.both += Number(new Set(scriptsOf(inscribing.commit.inputs)).size > 1)
      }),
      { numRuns: 24, seed: 3 },
    )
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(2)
  })

  it.each(PAYING_TYPES)('delivers from the taproot address of a %s account', addressType => {
    const account = createMixedAccount(addressType)
    const { utxos, previous } = account.fundPay([200_000n])
    const terms = { utxos, own: account.own, parent: null, postage: 546n, seed: '' }
    for (const deliverTo of RECIPIENT_SCRIPTS) {
      const items = TEXTS.slice(0, 1)
      const inscribing = buildInscribing({ ...terms, items, deliverTo, feeRate: 7 })
      const { commit, reveals, delivery } = signInscribing(inscribing, account, previous)
      const [, reveal, delivered] = judgeAll([commit, ...reveals, delivery], previous)
      if (!reveal || !delivered) expect.fail('nothing was delivered')
      expect(scriptsOf(delivered.spent)).toEqual([toHex(account.assetScript)])
      expect(paidBy(delivered)).toEqual([[toHex(deliverTo), 546n]])
      expect(delivered.fee).toBe(BigInt(delivered.vsize * 7))
      expect(paidBy(reveal)).toEqual([[toHex(account.assetScript), 546n + delivered.fee]])
      expect(reveal.fee).toBe(BigInt(reveal.vsize * 7))
    }
  })

  it('etches with the premine and the inscription on the taproot address', () => {
    const name = parseRuneName('MIXEDTESTRUNE') ?? { rune: 0n, spacers: 0 }
    const etching = { name, divisibility: 0, symbol: '$', premine: 5n, terms: null, turbo: false }
    for (const addressType of PAYING_TYPES)
      for (const content of [null, { contentType: 'text/plain', body: noise(9, 9) }]) {
        const account = createMixedAccount(addressType)
        const { utxos, previous } = account.fundPay([200_000n])
        const terms = { utxos, own: account.own, postage: 546n, seed: '', feeRate: 3 }
        const inscribing = buildEtching({ ...terms, etching, content })
        const { commit, reveals } = signInscribing(inscribing, account, previous)
        const [, reveal] = judgeAll([commit, ...reveals], previous)
        if (!reveal) expect.fail('nothing was revealed')
        const assets = toHex(account.assetScript)
        const own = content
          ? [
              [assets, 546n],
              [assets, 546n],
            ]
          : [[assets, 546n]]
        expect(paidBy(reveal).slice(0, -1)).toEqual(own)
        expect(
          decipherRunestone(reveal.outputs.map(({ scriptPubKey }) => scriptPubKey)),
        ).toMatchObject({ pointer: content ? 1 : 0 })
        expect(reveal.fee).toBe(BigInt(reveal.vsize * 3))
      }
  })

  it('pays more for its reveals with coins of both addresses, whose change is for payments', () => {
    const seen = { pay: 0, assets: 0, rest: 0 }
    const more = fc.record({
      pay: fc.array(fc.bigInt({ min: 200_000n, max: 900_000n }), { minLength: 3, maxLength: 4 }),
      clean: fc.array(fc.bigInt({ min: 200_000n, max: 900_000n }), { minLength: 1, maxLength: 4 }),
      isSent: fc.boolean(),
    })
    fc.assert(
      fc.property(situations, more, (situation, { isSent, ...fresh }) => {
        const { account, inscribing, previous, parent } = layOut(situation)
        const signed = signInscribing(inscribing, account, previous)
        const coins = [account.fundPay(fresh.pay, 20_000), account.fundAssets(fresh.clean, 30_000)]
        const replaced = inscribing.reveals.map(one => (isSent ? one : null))
        const feeRate = Math.ceil(leastBumpFeeRate(inscribing, replaced)) + 1
        const bumped = bumpReveals({
          ...{ inscribing, commitTxid: signed.commit.txid, replaced, feeRate, own: account.own },
          waiting: [...inscribing.reveals.keys()],
          parentCoin: parent?.coin ?? null,
          utxos: coins.flatMap(({ utxos }) => utxos),
        })
        const known = [previous, ...coins.map(one => one.previous)].flatMap(one => [...one])
        const raws = new Map([...known, [signed.commit.txid, signed.commit.rawTx]])
        const judged = judgeAll(signFeeBumpedReveals(bumped, account), raws)
        const assets = toHex(account.assetScript)
        for (const [k, reveal] of judged.entries()) {
          const plan = bumped.reveals[k]
          expect(reveal).toMatchObject({ vsize: plan?.vsize, fee: plan?.fee })
          expect(reveal.fee).toBeGreaterThanOrEqual(feeForVsize(reveal.vsize, feeRate))
          const change = plan?.changeIndex === null ? [] : [toHex(account.payScript)]
          const held = parent ? [assets, assets] : [assets]
          expect(scriptsOf(reveal.outputs)).toEqual([...held, ...change])
          const added = reveal.spent.slice(parent ? 3 : 1)
          for (const { scriptPubKey } of added)
            seen[toHex(scriptPubKey) === assets ? 'assets' : 'pay']++
          seen.rest += change.length
        }
      }),
      { numRuns: 16, seed: 4 },
    )
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(2)
  })

  it('delivers anew with a higher fee, and comes back to where payments are made from', () => {
    for (const addressType of PAYING_TYPES) {
      const account = createMixedAccount(addressType)
      const { utxos, previous } = account.fundPay([200_000n])
      const more = account.fundAssets([90_000n])
      const [deliverTo = noise(1, 1)] = RECIPIENT_SCRIPTS
      const terms = { own: account.own, parent: null, postage: 546n, seed: '', deliverTo }
      const inscribing = buildInscribing({ ...terms, utxos, items: TEXTS.slice(0, 1), feeRate: 2 })
      const { commit } = signInscribing(inscribing, account, previous)
      const raws = new Map([...previous, ...more.previous, [commit.txid, commit.rawTx]])
      const base = { inscribing, commitTxid: commit.txid, own: account.own }
      const bumped = bumpReveals({
        ...{ ...base, waiting: [0], replaced: [null], parentCoin: null },
        ...{ utxos: more.utxos, feeRate: 9 },
      })
      const [, delivered] = judgeAll(signFeeBumpedReveals(bumped, account), raws)
      expect(delivered && paidBy(delivered)).toEqual([[toHex(deliverTo), 546n]])
      expect(delivered?.fee).toBe(BigInt((delivered?.vsize ?? 0) * 9))

      const refund = buildRefund({ ...base, left: [0], replaced: [], feeRate: 2 })
      const [key] = account.keys
      const back = signRefund(refund, key?.privateKey ?? noise(32, 1))
      const [returned] = judgeAll([back], raws)
      expect(returned && scriptsOf(returned.outputs)).toEqual([toHex(account.payScript)])
      expect(returned?.fee).toBe(BigInt((returned?.vsize ?? 0) * 2))
    }
  })

  it('is built anew on the same terms', () => {
    fc.assert(
      fc.property(situations, situation => {
        const { account, inscribing: before, utxos, previous } = layOut(situation)
        const { own } = account
        const feeRate = Math.ceil(situation.feeRate) + 2
        const anew = { before, evictedFee: 0n, utxos, own, feeRate, seed: 'anew' }
        const inscribing = rebuildInscribing(anew)
        const { commit, reveals } = signInscribing(inscribing, account, previous)
        const [paid, ...revealed] = judgeAll([commit, ...reveals], previous)
        expect(paid?.fee).toBe(inscribing.commit.fee)
        for (const { outputs } of revealed)
          expect(new Set(scriptsOf(outputs))).toEqual(new Set([toHex(account.assetScript)]))
      }),
      { numRuns: 8, seed: 5 },
    )
  })

  it('has the txids that are foreseen where a device signs for both addresses', () => {
    for (const addressType of PAYING_TYPES) {
      const account = createMixedAccount(addressType)
      const pay = account.fundPay([200_000n, 300_000n])
      const clean = account.fundAssets([90_000n])
      const [coin] = account.fundAssets([777n], 9_000).utxos
      const parent = coin ? { id: `${coin.txid}i0`, coin } : null
      const inscribing = buildInscribing({
        ...{ items: TEXTS, postage: 546n, parent, own: account.own, feeRate: 2, seed: '' },
        ...{ utxos: pay.utxos, required: [...pay.utxos, ...clean.utxos] },
      })
      const previous = new Map([...pay.previous, ...clean.previous])
      const { commit, reveals } = signInscribing(inscribing, account, previous)
      const transactions = listTransactions(inscribing, account.own)
      const { away, foreseen } = listAway(transactions, account.own)
      expect([...foreseen.keys()]).toEqual([commit, ...reveals].map(({ txid }) => txid))
      expect(away.map(({ at }) => at)).toEqual([0, 1, 2])
    }
  })

  it('takes no less postage than the taproot address may hold', () => {
    const account = createMixedAccount('p2wpkh')
    const { utxos } = account.fundPay([200_000n])
    const terms = { utxos, own: account.own, parent: null, seed: '', feeRate: 1, items: TEXTS }
    expect(buildInscribing({ ...terms, postage: 330n }).postage).toBe(330n)
    expect(() => buildInscribing({ ...terms, postage: 329n })).toThrow(DustError)
  })
})

describe('keys that are not those of such an account', () => {
  const account = createMixedAccount('p2wpkh')
  const { utxos, previous } = account.fundPay([200_000n, 300_000n])
  const stranger = accountOf(new Uint8Array(32).fill(9), 'p2wpkh')
  const build = (coin = account.fundAssets([777n]).utxos[0]): Inscribing =>
    buildInscribing({
      ...{ utxos, own: account.own, items: TEXTS, postage: 546n, feeRate: 1, seed: '' },
      parent: coin ? { id: `${coin.txid}i0`, coin } : null,
    })

  it('sign nothing: without that of the inscriptions, in another order, or with another account', () => {
    const [pay, assets] = account.keys
    if (!pay || !assets) expect.fail('no keys')
    const sign = (keys: typeof account.keys, own = account.own) =>
      signInscribing(build(), { own, keys }, previous)
    expect(sign([pay, assets]).reveals).toHaveLength(2)
    expect(() => sign([pay])).toThrow('no key is of the script')
    expect(() => sign([assets, pay])).toThrow('not that of this account')
    expect(() => sign([])).toThrow('not that of this account')
    expect(() => sign([...stranger.keys, pay, assets])).toThrow('not that of this account')
    expect(() => sign([pay, assets], stranger.own)).toThrow('not that of this account')
  })

  it('do not sign for a parent on an address of neither', () => {
    const other = createMixedAccount('p2sh-p2wpkh').fundPay([777n]).utxos[0]
    const parent = build(other)
    expect(() => signInscribing(parent, account, previous)).toThrow(
      'not of this account and inscribing',
    )
  })
})
