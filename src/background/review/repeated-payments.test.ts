import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import {
  draft,
  payFromPopup,
  RECIPIENT,
  REGTEST,
  SECOND_RECIPIENT,
  startFunded,
} from '../testing/funded-wallet.ts'
import { decideNext, fund, type World } from '../testing/test-wallet.ts'

/** Transactions that the server is asked about from here on. */
function watchQuestions({ chain: { chain } }: World) {
  const asked: string[] = []
  const fetchHeight = chain.fetchTransactionHeight
  chain.fetchTransactionHeight = async txid => {
    asked.push(txid)
    return fetchHeight(txid)
  }
  return asked
}

const AWAY = { kind: 'unreachable', host: 'chain.test', detail: '', retryInMs: 0 } as const
const pays = (sats: number, to = RECIPIENT) => draft({ recipients: [{ to, sats: `${sats}` }] })

type Spent = readonly [txid: string, vout: number, sats: bigint]
type Paid = readonly (readonly [address: string, sats: bigint])[]

/** Hex of a PSBT that spends a coin of the account and pays; all but 1,000 sats of the rest comes back. */
function buildPsbt({ address }: { address: string }, [txid, index, amount]: Spent, paid: Paid) {
  const { scriptPubKey: script } = parseAddress(address, 'regtest')
  const transaction = new Transaction()
  transaction.addInput({ txid, index, witnessUtxo: { amount, script } })
  for (const [to, sats] of paid) transaction.addOutputAddress(to, sats, REGTEST)
  const rest = paid.reduce((left, [, sats]) => left - sats, amount - 1_000n)
  transaction.addOutputAddress(address, rest, REGTEST)
  return toHex(transaction.toPSBT())
}

/** What the person is warned of when a site asks for the signature of such a PSBT. */
async function reviewPsbt(
  { worker, page, account }: Awaited<ReturnType<typeof startFunded>>,
  ...[spent, paid]: [Spent, Paid]
) {
  const answer = page.call('signPsbt', buildPsbt(account, spent, paid))
  const { review } = await decideNext(worker, 'reject', 'sign-psbt')
  await answer
  return review.kind === 'sign-psbt' ? review.items.flatMap(({ warnings }) => warnings) : []
}

describe('what is paid a second time', () => {
  it('is said where the first time is the oldest of many payments to the recipient that wait', async () => {
    const coins = Array.from({ length: 8 }, () => 50_000n)
    const { worker } = await startFunded(...coins)
    for (let more = 0; more < 7; more++) await payFromPopup(worker, pays(20_000 + more))
    const { review } = await worker.ui('planPayment', pays(20_000))
    expect(review.warnings).toContainEqual(
      expect.objectContaining({ kind: 'paid-already', to: RECIPIENT, sats: '20000' }),
    )
  })

  it('is said of each of many recipients', async () => {
    const { worker } = await startFunded(...Array.from({ length: 8 }, () => 50_000n))
    const amounts = Array.from({ length: 7 }, (_, more) => 20_000 + more)
    for (const sats of amounts) await payFromPopup(worker, pays(sats))
    const recipients = amounts.map(sats => ({ to: RECIPIENT, sats: `${sats}` }))
    const { review } = await worker.ui('planPayment', draft({ recipients }))
    const warned = review.warnings.filter(({ kind }) => kind === 'paid-already')
    expect(warned.map(one => 'sats' in one && one.sats)).toEqual(amounts.map(String))
  })

  it('is what no server is asked about but for the same amount to the same recipient', async () => {
    const { world, worker } = await startFunded(100_000n, 50_000n, 40_000n)
    const { txid } = await payFromPopup(worker, pays(20_000))
    const asked = watchQuestions(world)
    await worker.ui('planPayment', pays(20_001))
    await worker.ui('planPayment', pays(20_000, SECOND_RECIPIENT))
    expect(asked).not.toContain(txid)
    await worker.ui('planPayment', pays(20_000))
    expect(asked).toContain(txid)
  })

  it('is said of a PSBT without a server being asked', async () => {
    const site = await startFunded(100_000n)
    const { txid } = await payFromPopup(site.worker, pays(20_000))
    const coin = fund(site.world, site.account.address, 50_000n)
    const asked = watchQuestions(site.world)
    expect(await reviewPsbt(site, [coin, 0, 50_000n], [[RECIPIENT, 20_000n]])).toContainEqual(
      expect.objectContaining({ kind: 'paid-already', to: RECIPIENT, sats: '20000' }),
    )
    expect(asked).not.toContain(txid)
  })

  it('is no PSBT that takes the place of the first time, builds on it, or pays somebody else', async () => {
    const site = await startFunded(100_000n)
    const { txid, review } = await payFromPopup(site.worker, pays(20_000))
    const change = review.outputs.findIndex(({ own }) => own)
    const left = BigInt(review.outputs[change]?.sats ?? 0)
    const coin = fund(site.world, site.account.address, 50_000n)
    const fresh = [coin, 0, 50_000n] as const
    const again = [RECIPIENT, 20_000n] as const
    for (const [spent, ...paid] of [
      [[site.txids[0] ?? '', 0, 100_000n], again],
      [[txid, change, left], again],
      [fresh, [RECIPIENT, 20_001n]],
      [fresh, again, [SECOND_RECIPIENT, 20_000n]],
    ] as const) {
      const warnings = await reviewPsbt(site, spent, paid)
      expect(warnings.map(({ kind }) => kind)).not.toContain('paid-already')
    }
  })

  it('is said where the first time is a PSBT of a site', async () => {
    const { worker, account, page, txids } = await startFunded(50_000n, 60_000n)
    const psbt = buildPsbt(account, [txids[0] ?? '', 0, 50_000n], [[RECIPIENT, 20_000n]])
    const signing = page.call('signPsbt', psbt)
    await decideNext(worker, 'approve', 'sign-psbt')
    const signed = await signing
    const pushed = await page.call('pushPsbt', 'result' in signed ? signed.result : '')
    expect(pushed).toHaveProperty('result')
    const { review } = await worker.ui('planPayment', pays(20_000))
    expect(review.warnings).toContainEqual(
      expect.objectContaining({ kind: 'paid-already', to: RECIPIENT, sats: '20000' }),
    )
  })

  it('counts as waiting where the server does not answer', async () => {
    const { world, worker } = await startFunded(100_000n, 50_000n)
    await payFromPopup(worker, pays(20_000))
    world.chain.mine()
    const before = await worker.ui('planPayment', pays(20_000))
    expect(before.review.warnings.map(({ kind }) => kind)).not.toContain('paid-already')
    world.chain.chain.fetchTransactionHeight = () =>
      Promise.reject(new BackendUnavailableError(AWAY))
    const { review } = await worker.ui('planPayment', pays(20_000))
    expect(review.warnings.map(({ kind }) => kind)).toContain('paid-already')
  })
})
