import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft, RECIPIENT } from '../../src/background/testing/funded-wallet.ts'
import type { Worker } from '../../src/background/testing/test-wallet.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type CoreSigners, type ScriptKind, startCoreSigners } from '../fixtures/core-signers.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'
import { etch, holdingsOf, inscribe, whereIs } from '../fixtures/ordinals/devnet-ord.ts'

// Three wallets of Bitcoin Core are the signers; devnet's indexes say what lies where.

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

type Shown = { planId: string; digest: string }

async function withSigners(
  kind: ScriptKind,
  task: (world: { signers: CoreSigners; worker: Worker; address: string }) => Promise<void>,
): Promise<void> {
  const signers = await startCoreSigners(kind)
  try {
    const { worker } = await startOnDevnet(devnet)
    const account = await worker.ui('addDevice', { descriptor: signers.descriptor, name: 'Vault' })
    await worker.ui('selectAccount', { accountId: account.id })
    const { address } = await worker.ui('getReceiveAddress', { after: null })
    await devnet.faucet(address, 100_000)
    await worker.ui('getOverview', { retry: true })
    await task({ signers, worker, address })
  } finally {
    await signers.stop()
  }
}

/** Two signers sign, and it is sent. */
async function send(worker: Worker, signers: CoreSigners, { planId, digest }: Shown) {
  let { psbt } = await worker.ui('getCosigning', { planId, digest })
  for (const signer of [2, 0]) {
    const returned = await signers.sign(signer, psbt)
    psbt = (await worker.ui('addCosignature', { planId, digest, returned })).psbt
  }
  return (await worker.ui('sendCosigned', { planId, digest })).txid
}

describe('what sits on the coins of several signers', () => {
  it.each(['p2wsh', 'p2sh-p2wsh', 'p2tr'] as const)(
    'is held, and an inscription goes out with two signatures: %s',
    async kind => {
      await withSigners(kind, async ({ signers, worker }) => {
        const { address } = await worker.ui('getReceiveAddress', { after: null })
        const [id = ''] = await inscribe(devnet, address, { body: `kept by ${kind}` })
        const { inscriptions } = await worker.ui('getInscriptions', { offset: 0, limit: 10 })
        expect(inscriptions.map(one => one.id)).toEqual([id])
        const paying = draft({ recipients: [{ to: RECIPIENT, sats: 'max' }] })
        const { review } = await worker.ui('planPayment', paying)
        expect(review.assets).toEqual([])
        const order = { ids: [id], to: RECIPIENT, feeRate: 3, label: 'gift' }
        const plan = await worker.ui('planTransfer', order)
        expect(plan.review).toMatchObject({ purpose: 'transfer', asked: 1 })
        expect(plan.review.assets).toMatchObject([{ asset: { id }, own: true, to: 'foreign' }])
        const txid = await send(worker, signers, plan)
        await devnet.mine(1)
        expect((await whereIs(devnet, id)).address).toBe(RECIPIENT)
        const { entry } = await worker.ui('getActivityDetails', { txid })
        expect(entry).toMatchObject({ label: 'gift', counterparty: RECIPIENT })
        const left = await worker.ui('getInscriptions', { offset: 0, limit: 10 })
        expect(left.inscriptions).toEqual([])
      })
    },
  )

  it('runes go out with two signatures, and what is left of them comes back', async () => {
    await withSigners('p2wsh', async ({ signers, worker }) => {
      const { address } = await worker.ui('getReceiveAddress', { after: null })
      const name = 'SHARED•RUNE•OF•SIGNERS'
      await etch(devnet, address, { name, amount: '1000', divisibility: 0 })
      const held = await worker.ui('getRunes', { offset: 0, limit: 10 })
      expect(held.runes).toMatchObject([{ name, amount: '1000' }])
      const orders = [{ rune: name, amount: '250', to: RECIPIENT }]
      const plan = await worker.ui('planRuneTransfer', { orders, feeRate: 3, label: '' })
      const txid = await send(worker, signers, plan)
      await devnet.mine(1)
      const outputs = await Promise.all(
        plan.review.outputs.map(async ({ address, own }, vout) => {
          const { runes } = await holdingsOf(devnet, `${txid}:${vout}`)
          return { address, own, amount: runes[name]?.amount ?? 0 }
        }),
      )
      const carrying = outputs.filter(({ amount }) => amount > 0)
      expect(carrying).toEqual([
        { address: expect.any(String), own: true, amount: 750 },
        { address: RECIPIENT, own: false, amount: 250 },
      ])
      const left = await worker.ui('getRunes', { offset: 0, limit: 10 })
      expect(left.runes).toMatchObject([{ name, amount: '750' }])
    })
  })
})
