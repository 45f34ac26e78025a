import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AddressType } from '../../src/bitcoin/address.ts'
import { toHex } from '../../src/bitcoin/bytes.ts'
import {
  buildCancellation,
  buildChild,
  buildReplacement,
  leastChildFeeRate,
  leastReplacementFeeRate,
} from '../../src/bitcoin/payments/fee-bump.ts'
import {
  buildPayment,
  type Payment,
  type Recipient,
  type SignedPayment,
  signPayment,
} from '../../src/bitcoin/payments/payment.ts'
import { RECIPIENT_SCRIPTS, sumOf } from '../../src/bitcoin/testing/funding.ts'
import { ADDRESS_TYPES } from '../../src/bitcoin/testing/spending.ts'
import type { Utxo } from '../../src/bitcoin/utxo.ts'
import type { TestJson } from '../../src/devnet/mempool/package.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createFundedAccount } from '../../src/devnet/testing/funded-account.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

async function createAccount(addressType: AddressType, name: string, amounts: readonly bigint[]) {
  const account = await createFundedAccount({ devnet, client }, addressType, name, amounts)
  const { privateKey, previous } = account
  return {
    ...account,
    sign: (payment: Payment) =>
      signPayment(
        payment,
        [{ privateKey: privateKey, addressType: payment.addressType }],
        previous,
      ),
    /** Signs, and has devnet take it. */
    async send(payment: Payment): Promise<SignedPayment> {
      const signed = signPayment(
        payment,
        [{ privateKey: privateKey, addressType: payment.addressType }],
        previous,
      )
      expect(await client.broadcast(toHex(signed.rawTx))).toBe(signed.txid)
      return signed
    },
  }
}

type Account = Awaited<ReturnType<typeof createAccount>>

const mempool = () => client.getJson<string[]>('/api/mempool/txids')
const script = (i: number) => RECIPIENT_SCRIPTS[i % RECIPIENT_SCRIPTS.length] ?? new Uint8Array()
const pay = (...amounts: (bigint | 'max')[]): Recipient[] =>
  amounts.map((amount, i) => ({ scriptPubKey: script(i), amount }))
const memo = (text: string, position: number) => ({
  data: new TextEncoder().encode(text),
  position,
})

/** What devnet and the node behind it say of a transaction that is not sent. */
async function validateWithNode({ rawTx }: SignedPayment) {
  const hex = toHex(rawTx)
  const [ours] = JSON.parse((await client.post('/api/txs/test', [hex])).body) as TestJson[]
  const [theirs] = await devnet.rpc<{ allowed: boolean; 'reject-reason'?: string }[]>(
    'testmempoolaccept',
    [[hex]],
  )
  return [ours?.allowed, ours?.['reject-reason'], theirs?.allowed, theirs?.['reject-reason']]
}

describe.each(ADDRESS_TYPES)('payments of a %s account', addressType => {
  it('are taken by devnet and by the node: one recipient, many, memo, max, required, and the least and highest rates', async () => {
    const account = await createAccount(addressType, `payments ${addressType}`, [
      600n,
      1_200n,
      5_000n,
      20_000n,
      60_000n,
      61_000n,
      200_000n,
      900_000n,
    ])
    const utxos = await account.listCoins()
    const small = utxos.filter(({ amount }) => amount < 6_000n)
    let checked = 0
    for (const feeRate of [0.1, 0.137, 1, 2.5, 17.333, 100]) {
      const requests = [
        { recipients: pay(30_000n), memo: null, utxos },
        { recipients: pay(700n, 20_000n, 546n, 3_000n, 150_000n), memo: null, utxos },
        { recipients: pay(40_000n, 41_000n), memo: memo('x'.repeat(80), 0), utxos },
        { recipients: pay(10_000n), memo: memo('y', 1), utxos },
        { recipients: pay('max'), memo: null, utxos },
        { recipients: pay(5_000n, 'max', 6_000n), memo: memo('everything', 2), utxos },
        { recipients: pay(300_000n), memo: null, utxos, required: small },
        { recipients: pay('max'), memo: null, utxos: [], required: utxos },
      ]
      for (const request of requests) {
        const payment = buildPayment({ ...request, own: account.own, feeRate, seed: `${feeRate}` })
        expect(await validateWithNode(account.sign(payment))).toEqual([
          true,
          undefined,
          true,
          undefined,
        ])
        checked++
      }
    }
    expect(checked).toBe(48)
  })

  it('leave no change where coins match, and are taken then as well', async () => {
    const account = await createAccount(addressType, `exact ${addressType}`, [50_000n, 90_000n])
    const utxos = await account.listCoins()
    const request = { memo: null, utxos, own: account.own, feeRate: 3.3, seed: '' }
    const { fee } = buildPayment({ ...request, utxos: utxos.slice(0, 1), recipients: pay('max') })
    const first = utxos[0]?.amount ?? 0n
    const payment = buildPayment({ ...request, recipients: pay(first - fee - 20n) })
    expect([payment.inputs.length, payment.changeIndex, payment.fee]).toEqual([1, null, fee + 20n])
    expect(await validateWithNode(account.sign(payment))).toEqual([
      true,
      undefined,
      true,
      undefined,
    ])
  })
})

describe.each(['p2tr', 'p2pkh'] as const)('a bump of a %s payment', addressType => {
  /** Sends a payment, replaces it by what `build` makes of it, and says what the pool has then. */
  async function sendAndReplace(
    account: Account,
    sent: Payment,
    build: (sent: Payment, feeRate: number, utxos: Utxo[]) => Payment,
    times = 1,
  ): Promise<Payment[]> {
    const further = (await account.listCoins()).filter(coin => coin.height !== null)
    const versions = [sent]
    let last = await account.send(sent)
    for (let time = 0; time < times; time++) {
      const current = versions.at(-1) ?? sent
      const rate = leastReplacementFeeRate(current)
      const utxos = further.filter(({ txid, vout }) =>
        current.inputs.every(coin => coin.txid !== txid || coin.vout !== vout),
      )
      const next = build(current, rate, utxos)
      const signed = await account.send(next)
      const pool = await mempool()
      expect([pool.includes(signed.txid), pool.includes(last.txid)]).toEqual([true, false])
      versions.push(next)
      last = signed
    }
    await devnet.mine(1)
    expect(await client.getJson(`/api/tx/${last.txid}/status`)).toMatchObject({ confirmed: true })
    return versions
  }

  const replaceWith = (account: Account) => (sent: Payment, feeRate: number, utxos: Utxo[]) =>
    buildReplacement({ sent, utxos, own: account.own, feeRate, seed: 'bump' })

  it('replaces one of three recipients with a memo, twice', async () => {
    const account = await createAccount(addressType, `three ${addressType}`, [80_000n, 40_000n])
    const utxos = await account.listCoins()
    const sent = buildPayment({
      recipients: pay(10_000n, 20_000n, 15_000n),
      memo: memo('rent', 1),
      utxos,
      own: account.own,
      feeRate: 1.25,
      seed: '',
    })
    const versions = await sendAndReplace(account, sent, replaceWith(account), 2)
    expect(versions.map(({ outputs }) => outputs.length)).toEqual([5, 5, 5])
    const [first, , third] = versions
    const more = Number((third?.fee ?? 0n) - (first?.fee ?? 0n))
    const least = 2 * (first?.vsize ?? 0)
    // The rate is rounded up to thousandths each time.
    expect([least, least + 1, least + 2]).toContain(more)
  })

  it('replaces one without change by adding a coin', async () => {
    const account = await createAccount(addressType, `no change ${addressType}`, [30_000n, 25_000n])
    const [coin] = await account.listCoins()
    if (!coin) expect.fail('no coin')
    const request = { memo: null, utxos: [coin], own: account.own, feeRate: 2, seed: '' }
    const sent = buildPayment({ ...request, recipients: pay('max') })
    const [, bumped] = await sendAndReplace(account, sent, replaceWith(account))
    expect([sent.changeIndex, bumped?.changeIndex, bumped?.inputs.length]).toEqual([null, 1, 2])
    expect(bumped?.outputs[0]).toEqual(sent.outputs[0])
  })

  it('adds a coin when the change does not suffice, and drops change that would be dust', async () => {
    const account = await createAccount(addressType, `little ${addressType}`, [30_000n, 25_000n])
    const [coin] = await account.listCoins()
    if (!coin) expect.fail('no coin')
    const request = { memo: null, utxos: [coin], own: account.own, feeRate: 1, seed: '' }
    const { fee } = buildPayment({ ...request, recipients: pay('max') })
    const sent = buildPayment({ ...request, recipients: pay(coin.amount - fee - 700n) })
    expect(sent.changeIndex).toBe(1)
    const grow = (current: Payment, rate: number, utxos: Utxo[]) =>
      replaceWith(account)(current, rate + (current === sent ? 2 : 0), utxos)
    const [, second, third] = await sendAndReplace(account, sent, grow, 2)
    expect([second?.inputs.length, second?.changeIndex]).toEqual([1, null])
    expect([third?.inputs.length, third?.changeIndex]).toEqual([2, 1])
  })

  it('takes a payment back, at once and after a replacement, and replaces that again', async () => {
    const account = await createAccount(addressType, `back ${addressType}`, [50_000n, 45_000n])
    const utxos = await account.listCoins()
    const request = { memo: null, utxos, own: account.own, feeRate: 5, seed: '' }
    const sent = buildPayment({ ...request, recipients: pay(10_000n, 20_000n, 5_000n, 6_000n) })
    const cancel = (current: Payment, feeRate: number, further: Utxo[]) =>
      current === sent
        ? buildCancellation({ sent: current, utxos: further, own: account.own, feeRate, seed: '' })
        : replaceWith(account)(current, feeRate, further)
    const [, back, again] = await sendAndReplace(account, sent, cancel, 2)
    for (const version of [back, again]) {
      expect(version?.outputs.map(({ scriptPubKey }) => toHex(scriptPubKey))).toEqual([
        toHex(account.script),
      ])
    }
    expect(sumOf(await account.listCoins())).toBe(95_000n - (again?.fee ?? 0n))
  })

  it('spends its own change, and what another sent, to lift both', async () => {
    const account = await createAccount(addressType, `child ${addressType}`, [70_000n])
    const utxos = await account.listCoins()
    const request = { memo: null, utxos, own: account.own, feeRate: 0.5, seed: '' }
    const sent = buildPayment({ ...request, recipients: pay(10_000n, 11_000n) })
    const parent = await account.send(sent)
    const lift = async (of: { fee: bigint; vsize: number }, txid: string, feeRate: number) => {
      const coin = (await account.listCoins()).find(candidate => candidate.txid === txid)
      if (!coin) expect.fail('no own output')
      expect(coin.height).toBeNull()
      const child = buildChild({
        parent: of,
        coin,
        mayCarry: false,
        utxos: [],
        own: account.own,
        feeRate,
        seed: '',
      })
      const { vsize } = await account.send(child)
      expect(child.fee + of.fee >= BigInt(Math.ceil(feeRate * (vsize + of.vsize)))).toBe(true)
      return child
    }
    await lift(sent, parent.txid, 12.5)
    const txid = await devnet.faucet(account.address, 33_000n, false)
    const received = await client.getJson<{ fee: number; weight: number }>(`/api/tx/${txid}`)
    const of = { fee: BigInt(received.fee), vsize: Math.ceil(received.weight / 4) }
    const least = await lift(of, txid, leastChildFeeRate(of))
    expect(least.outputs).toHaveLength(1)
    await devnet.mine(1)
    expect(await mempool()).toEqual([])
  })
})
