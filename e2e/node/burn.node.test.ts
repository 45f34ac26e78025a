import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectedAccount } from '../../src/background/testing/funded-wallet.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'
import { inscribe, whereIs } from '../fixtures/ordinals/devnet-ord.ts'

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

describe('a burnt inscription', () => {
  it('is relayed by a real node under Bitcoin Core’s bound for burns, and is burned by the index’s word', async () => {
    const { worker } = await startOnDevnet(devnet)
    const { address } = await selectedAccount(worker)
    const [id = ''] = await inscribe(devnet, address, { body: 'a mistake', postage: 10_000 })
    const plan = await worker.ui('planBurn', { id, feeRate: 2 })
    const { txid, outcome } = await worker.ui('confirmPayment', plan)
    expect(outcome).toBe('sent')
    const hex = await (await fetch(`${devnet.esploraUrl}/tx/${txid}/hex`)).text()
    const ask = (method: string, ...params: unknown[]) =>
      devnet.rpc(method, params).catch((error: Error) => error.message)
    // What the node itself says, whose own pool has nothing of devnet's.
    expect(await ask('sendrawtransaction', hex)).toContain('maxburnamount')
    expect(await ask('sendrawtransaction', hex, 0.1, '0.00000001')).toBe(txid)
    await devnet.mine()
    const place = await whereIs(devnet, id)
    expect(place.satpoint).toBe(`${txid}:0:0`)
    expect(place.charms).toContain('burned')
    expect((await worker.ui('getInscriptions', { offset: 0, limit: 60 })).total).toBe(0)
  }, 120_000)

  it('is taken by the node as a package of one, which is how servers pass the bound on', async () => {
    const { worker } = await startOnDevnet(devnet)
    const { address } = await selectedAccount(worker)
    const [id = ''] = await inscribe(devnet, address, { body: 'another', postage: 10_000 })
    const { txid } = await worker.ui(
      'confirmPayment',
      await worker.ui('planBurn', { id, feeRate: 2 }),
    )
    const hex = await (await fetch(`${devnet.esploraUrl}/tx/${txid}/hex`)).text()
    const answer = await devnet
      .rpc<{ package_msg: string }>('submitpackage', [[hex], 0.1, '0.00000001'])
      .catch((error: Error) => ({ package_msg: error.message }))
    expect(answer.package_msg).toBe('success')
    await devnet.mine()
    expect((await whereIs(devnet, id)).charms).toContain('burned')
  }, 120_000)
})
