import { p2pkh } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { startWithAtomicals } from '../testing/atomical-wallet.ts'
import {
  inputsOf,
  outputsOf,
  RECIPIENT,
  REGTEST,
  readBroadcast,
  SECOND_RECIPIENT,
  THIRD_RECIPIENT,
} from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import { decideNext, type World } from '../testing/test-wallet.ts'
import type { PaymentReview } from '../views/payment-views.ts'

const ONE = { with: [{}] }
const FOUR = [
  { sats: 546n, ...ONE },
  { sats: 10_000n, with: [{ offset: 9_999n }] },
  { sats: 700n, with: [{ offset: 3n }] },
  { sats: 600n, ...ONE },
]

type Started = Pick<Awaited<ReturnType<typeof startInscribed>>, 'page' | 'worker' | 'account'>

/** A transfer with the person's approval: what was shown, and the txid. */
async function transfer({ page, worker, account }: Started, order: object) {
  const answer = page.call('transferNft', { from: account.address, ...order })
  const { review } = await decideNext(worker, 'approve', 'payment')
  const response = await answer
  if (!('result' in response)) throw new Error(response.error.message)
  return { review: review as PaymentReview, txhash: Object(response.result).txhash as string }
}

/** Address that each inscription is at, by the chain alone. */
function ownersOf(world: World, txid: string, ids: readonly string[]) {
  const outputs = outputsOf(readBroadcast(world, txid))
  return ids.map(id => {
    const at = outputs.findIndex((_, vout) =>
      world.assets
        .truth(`${txid}:${vout}`)
        .some(one => one.kind === 'inscription' && one.id === id),
    )
    return outputs[at]?.address
  })
}

describe('transferNft to several receivers', () => {
  it('gives each inscription to its own receiver, as was shown, at the fee rate asked', async () => {
    const started = await startInscribed(FOUR)
    const { world, ids, outpoints } = started
    const data = [ids[2], `${ids[0]}-Ordinals`, ids[1], ids[3]]
    const to = [RECIPIENT, SECOND_RECIPIENT, RECIPIENT, THIRD_RECIPIENT]
    const { review, txhash } = await transfer(started, { to, data, feeRate: 7 })
    const sent = readBroadcast(world, txhash)
    expect(inputsOf(sent).slice(0, 4)).toEqual([2, 0, 1, 3].map(at => outpoints[at]))
    expect(outputsOf(sent).slice(0, 4)).toEqual(
      [700n, 546n, 10_000n, 600n].map((sats, at) => ({ address: to[at], sats })),
    )
    const order = [ids[2], ids[0], ids[1], ids[3]] as string[]
    expect(ownersOf(world, txhash, order)).toEqual(to)
    expect(review).toMatchObject({
      ...{ purpose: 'transfer', asked: 4, fee: String(Math.ceil(sent.vsize * 7)) },
      assets: order.map((id, at) => ({
        ...{ asset: { id }, input: at, output: at, to: 'foreign', address: to[at] },
      })),
      recipients: to.map(address => ({ address })),
    })
  })

  it('keeps the pairs when its fee is raised, and takes all back when it is cancelled', async () => {
    const started = await startInscribed(FOUR)
    const { world, worker, account, ids } = started
    const to = [RECIPIENT, SECOND_RECIPIENT, THIRD_RECIPIENT, RECIPIENT]
    const { txhash } = await transfer(started, { to, data: ids, feeRate: 2 })
    const bump = async (txid: string, kind: 'speed-up' | 'cancel', feeRate: number) => {
      const plan = await worker.ui('planBump', { txid, kind, feeRate })
      const { planId, digest } = plan
      const result = await worker.ui('confirmPayment', { planId, digest })
      return Object(result).txid as string
    }
    const faster = await bump(txhash, 'speed-up', 9)
    expect(ownersOf(world, faster, ids)).toEqual(to)
    const back = await bump(faster, 'cancel', 40)
    expect(ownersOf(world, back, ids)).toEqual(ids.map(() => account.address))
  })

  it('takes what the account sends to itself for what it is', async () => {
    const started = await startInscribed(FOUR)
    const { world, account, ids } = started
    const to = [account.address, RECIPIENT]
    const { review, txhash } = await transfer(started, { to, data: [ids[0], ids[1]] })
    expect(ownersOf(world, txhash, ids.slice(0, 2))).toEqual(to)
    expect(review).toMatchObject({
      asked: 2,
      assets: [{ to: 'own' }, { to: 'foreign', address: RECIPIENT }],
    })
  })

  it('keeps Atomicals, which come first, with their receivers', async () => {
    const started = await startWithAtomicals([
      { sats: 800n, with: [], inscribed: [{ offset: 3n, body: 'a' }] },
      { sats: 546n, with: [{}] },
      { sats: 9_000n, with: [{}] },
    ])
    const { world, outpoints, keys } = started
    const [inscribed] = world.assets.truth(outpoints[0] ?? '')
    const id = inscribed?.kind === 'inscription' ? inscribed.id : ''
    const data = [keys[1], id, keys[0]]
    const to = [RECIPIENT, SECOND_RECIPIENT, THIRD_RECIPIENT]
    const { review, txhash } = await transfer(started, { to, data })
    expect(outputsOf(readBroadcast(world, txhash)).slice(0, 3)).toEqual([
      { address: RECIPIENT, sats: 9_000n },
      { address: THIRD_RECIPIENT, sats: 546n },
      { address: SECOND_RECIPIENT, sats: 800n },
    ])
    expect(started.assetsAfter(txhash)).toEqual([`0 ${keys[1]} 1`, `1 ${keys[0]} 1`])
    expect(ownersOf(world, txhash, [id])).toEqual([SECOND_RECIPIENT])
    expect(review.assets.map(({ address }) => address)).toEqual(to)
  })

  it('refuses two receivers for inscriptions of one coin, and names both', async () => {
    const coins = [{ sats: 100_000n, with: [{ offset: 0n }, { offset: 90_000n }] }, ...FOUR]
    const { world, worker, account, page, ids } = await startInscribed(coins)
    const data = [ids[2], ids[0], ids[1]]
    const order = { from: account.address, data }
    const to = [RECIPIENT, RECIPIENT, SECOND_RECIPIENT]
    const answer = await page.call('transferNft', { ...order, to })
    expect(answer).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^data: .*the same coin/) },
    })
    for (const id of [ids[0], ids[1]]) expect(JSON.stringify(answer)).toContain(id)
    expect(await worker.ui('getApproval', null)).toBeNull()
    expect(world.chain.broadcasts).toEqual([])
    // The same receiver is fine.
    const same = [SECOND_RECIPIENT, RECIPIENT, RECIPIENT]
    const { txhash } = await transfer({ page, worker, account }, { to: same, data })
    expect(ownersOf(world, txhash, data as string[])).toEqual(same)
  })

  it('refuses an output that an address does not take, and names that address', async () => {
    const legacy = p2pkh(
      fromHex(`02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`),
      REGTEST,
    ).address
    const coins = [600n, 330n, 330n].map(sats => ({ sats, ...ONE }))
    const { page, account, ids } = await startInscribed(coins)
    const order = { from: account.address, data: ids, to: [legacy, RECIPIENT, legacy] }
    expect(await page.call('transferNft', order)).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^to\[2\]: .*330 sats/) },
    })
  })

  it('refuses lists that do not fit, and names what is wrong', async () => {
    const { world, account, page, ids } = await startInscribed(FOUR)
    const cases: [unknown, unknown, string][] = [
      [[RECIPIENT], ids, 'to: expected an address, or one for each of the 4 in data'],
      [[], ids, 'to: expected an address, or one for each'],
      [Array(5).fill(RECIPIENT), ids, 'got an array of 5'],
      [[RECIPIENT, SECOND_RECIPIENT], ids[0], 'one for each of the 1 in data'],
      [[RECIPIENT, 7, RECIPIENT, RECIPIENT], ids, 'to[1]: expected a string, got the number 7'],
      [[RECIPIENT, null, RECIPIENT, RECIPIENT], ids, 'to[1]: expected a string'],
      [[RECIPIENT, RECIPIENT, [RECIPIENT], RECIPIENT], ids, 'to[2]: expected a string'],
      [[RECIPIENT, RECIPIENT, RECIPIENT, 'x'], ids, 'to[3]: expected an address on regtest'],
      [{ 0: RECIPIENT }, ids, 'to: expected a string'],
      [[RECIPIENT, RECIPIENT], [ids[0], ids[0]], 'data[1]: expected each inscription once'],
    ]
    for (const [to, data, message] of cases) {
      const answer = await page.call('transferNft', { from: account.address, to, data })
      expect(answer).toMatchObject({
        error: { code: -32602, message: expect.stringContaining(message) },
      })
    }
    const order = { from: account.address, to: RECIPIENT, data: ids, feeRate: 10_001 }
    expect(await page.call('transferNft', order)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('feeRate: expected sat/vB') },
    })
    expect(world.chain.broadcasts).toEqual([])
  })
})
