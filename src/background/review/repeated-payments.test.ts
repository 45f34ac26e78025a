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

  it('is what no server is asked about for a PSBT, whose review says nothing of it', async () => {
    const { world, worker, account, page } = await startFunded(100_000n)
    const { txid } = await payFromPopup(worker, pays(20_000))
    const coin = fund(world, account.address, 50_000n)
    const { scriptPubKey: script } = parseAddress(account.address, 'regtest')
    const transaction = new Transaction()
    transaction.addInput({
      ...{ txid: coin, index: 0 },
      witnessUtxo: { amount: 50_000n, script },
    })
    transaction.addOutputAddress(RECIPIENT, 20_000n, REGTEST)
    transaction.addOutputAddress(account.address, 29_000n, REGTEST)
    const asked = watchQuestions(world)
    const answer = page.call('signPsbt', toHex(transaction.toPSBT()))
    await decideNext(worker, 'reject', 'sign-psbt')
    await answer
    expect(asked).not.toContain(txid)
  })

  it('is said where the first time is a PSBT of a site', async () => {
    const { worker, account, page, txids } = await startFunded(50_000n, 60_000n)
    const { scriptPubKey: script } = parseAddress(account.address, 'regtest')
    const transaction = new Transaction()
    const spent = { txid: txids[0] ?? '', index: 0 }
    transaction.addInput({ ...spent, witnessUtxo: { amount: 50_000n, script } })
    transaction.addOutputAddress(RECIPIENT, 20_000n, REGTEST)
    transaction.addOutputAddress(account.address, 29_000n, REGTEST)
    const signing = page.call('signPsbt', toHex(transaction.toPSBT()))
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
