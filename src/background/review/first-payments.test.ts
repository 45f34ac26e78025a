import { describe, expect, it } from 'vitest'
import { FINAL_CONFIRMATIONS } from '../activity/sent-status.ts'
import { startAssetSite } from '../testing/asset-site.ts'
import {
  draft,
  payFromPopup,
  RECIPIENT,
  SECOND_RECIPIENT,
  selectedAccount,
  startFunded,
  THIRD_RECIPIENT,
} from '../testing/funded-wallet.ts'
import { approveSigning, hexOf } from '../testing/psbt-site.ts'
import {
  createWorld,
  decideNext,
  fund,
  startUnlocked,
  startWorker,
  type Worker,
} from '../testing/test-wallet.ts'
import { forgeAddress } from './testing/forged-address.ts'

/** What a review of a payment to these says of each. */
async function told(worker: Worker, ...addresses: string[]) {
  const recipients = addresses.map(to => ({ to, sats: '5000' }))
  const { review } = await worker.ui('planPayment', draft({ recipients }))
  return addresses.map(
    to => review.recipients.find(({ address }) => address === to)?.paidBefore ?? null,
  )
}

/** Answers what a site asks; the recipients that were shown. */
async function decide(worker: Worker, answer: 'approve' | 'reject') {
  const { review } = await decideNext(worker, answer, 'payment')
  return review.kind === 'payment' ? review.recipients : []
}

describe('an address in a review', () => {
  it('is said to be new until a payment to it was sent, also from a site', async () => {
    const { worker, page } = await startFunded(100_000n, 100_000n)
    expect(await told(worker, RECIPIENT, SECOND_RECIPIENT)).toEqual(['never', 'never'])
    const answer = page.call('sendBitcoin', RECIPIENT, 5_000, { feeRate: 2 })
    expect(await decide(worker, 'approve')).toMatchObject([
      { address: RECIPIENT, paidBefore: 'never' },
    ])
    await answer
    expect(await told(worker, RECIPIENT, SECOND_RECIPIENT)).toEqual([null, 'never'])
    const again = page.call('sendBitcoin', RECIPIENT, 5_000, { feeRate: 2 })
    expect((await decide(worker, 'reject'))[0]).not.toHaveProperty('paidBefore')
    await again
  })

  it('is not known for one that begins and ends like it', async () => {
    const { worker } = await startFunded(100_000n, 100_000n)
    await payFromPopup(worker)
    const forged = forgeAddress(RECIPIENT)
    expect(await told(worker, forged, RECIPIENT)).toEqual(['never', null])
  })

  it('is known whichever of several recipients it was, also once the payment is settled and after a restart', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    const paid = [RECIPIENT, SECOND_RECIPIENT, THIRD_RECIPIENT]
    await payFromPopup(worker, { recipients: paid.map(to => ({ to, sats: '5000' })) })
    expect(await told(worker, ...paid)).toEqual([null, null, null])
    world.chain.mine(FINAL_CONFIRMATIONS)
    const account = await selectedAccount(worker)
    await worker.wallet.activity.refresh(world.chain.chain, account)
    const [record] = await worker.wallet.activity.listSent('regtest', account.id)
    expect(record).toMatchObject({ status: 'confirmed', rawTx: '' })
    world.chain.chain.fetchTransactionRecord = () => Promise.reject(new Error('Not told'))
    expect(await told(startWorker(world), ...paid)).toEqual([null, null, null])
  })

  it('that no key stands for is shown all the same, in what a site wants signed', async () => {
    const site = await startAssetSite()
    const script = Uint8Array.of(0x51, 32, ...new Uint8Array(32).fill(0xff))
    const psbt = hexOf({
      inputs: [site.mine(20_000n)],
      outputs: [site.toMe(5_000n), { type: { script }, amount: 4_000n }],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt)
    expect(review.items[0]?.outputs).toMatchObject([{ own: true }, { sats: '4000', own: false }])
  })

  it('is known as a contact, and as an address of any own account', async () => {
    const { worker, account } = await startFunded(100_000n)
    await worker.ui('saveContact', { id: null, name: 'Ann', address: RECIPIENT })
    const savings = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Savings' })
    await worker.ui('setManyAddresses', { accountId: savings.id, on: true })
    await worker.ui('selectAccount', { accountId: savings.id })
    const { address: fresh } = await worker.ui('getReceiveAddress', { after: 0 })
    await worker.ui('selectAccount', { accountId: account.id })
    expect(fresh).not.toBe(savings.address)
    expect(await told(worker, RECIPIENT, savings.address, fresh, account.address)).toEqual([
      ...[null, null, null, null],
    ])
    expect(await told(worker, SECOND_RECIPIENT)).toEqual(['never'])
  })

  it('is known from what another account paid, and from nothing on another network', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    await payFromPopup(worker)
    const other = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
    await worker.ui('selectAccount', { accountId: other.id })
    fund(world, other.address, 90_000n)
    expect(await told(worker, RECIPIENT, SECOND_RECIPIENT)).toEqual([null, 'never'])
    const { activity } = worker.wallet
    const paid = async (network: 'regtest' | 'signet') =>
      (await activity.listPeers(network, account.id)).map(({ address }) => address)
    expect([await paid('regtest'), await paid('signet')]).toEqual([[RECIPIENT], []])
  })

  it('is new again where the one payment to it was cancelled', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    const { txid } = await payFromPopup(worker)
    expect(await told(worker, RECIPIENT)).toEqual([null])
    // The history has it from here on.
    await worker.wallet.activity.refresh(world.chain.chain, await selectedAccount(worker))
    const plan = await worker.ui('planBump', { txid, kind: 'cancel', feeRate: 20 })
    await worker.ui('confirmPayment', plan)
    expect(await told(worker, RECIPIENT)).toEqual(['never'])
  })

  it('that the history alone says was paid is known once the wallet found its own signature, and no sooner', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    await payFromPopup(worker)
    world.chain.mine()
    const restored = { ...createWorld(), chain: world.chain, assets: world.assets }
    const next = await startUnlocked(restored)
    await next.wallet.activity.refresh(world.chain.chain, await selectedAccount(next))
    const { fetchTransactionRecord } = world.chain.chain
    world.chain.chain.fetchTransactionRecord = () => Promise.reject(new Error('Not told'))
    expect(await told(next, RECIPIENT, SECOND_RECIPIENT)).toEqual(['claimed', 'never'])
    world.chain.chain.fetchTransactionRecord = fetchTransactionRecord
    expect(await told(next, RECIPIENT)).toEqual([null])
  })

  it('is not said to be new when a payment to it is made faster', async () => {
    const { worker } = await startFunded(100_000n, 100_000n)
    const recipients = [RECIPIENT, SECOND_RECIPIENT].map(to => ({ to, sats: '5000' }))
    const { txid } = await payFromPopup(worker, { recipients })
    const { review } = await worker.ui('planBump', { txid, kind: 'speed-up', feeRate: 20 })
    expect(review.recipients.map(({ paidBefore }) => paidBefore)).toEqual([undefined, undefined])
  })
})
