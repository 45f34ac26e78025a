import { describe, expect, it, vi } from 'vitest'
import { approveOnDevice, startOnDevice } from '../testing/device-wallet.ts'
import { RECIPIENT, SITE } from '../testing/funded-wallet.ts'
import { nextApproval, openPage } from '../testing/test-wallet.ts'

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve))
}

const SENT = { address: RECIPIENT, amount: 5_000 }

describe('a page that leaves after the person has approved what a device is to sign', () => {
  it.each([
    ['sendBitcoin', RECIPIENT, 5_000],
    ['leather.sendTransfer', SENT],
    ['satsConnect.sendTransfer', { recipients: [SENT] }],
  ])('has nobody asked to take it to the device: %s', async (method, ...params) => {
    for (let delay = 0; delay < 15; delay++) {
      const { world, worker, page } = await startOnDevice('p2wpkh', 50_000n)
      void page.call(method, ...params)
      const { key, digest } = await nextApproval(worker, 'payment')
      await worker.ui('decide', { key, digest, decision: 'approve' })
      await turns(delay)
      await page.leave()
      await turns(100)
      expect(await worker.ui('getApproval', null), `left ${delay} turns later`).toBeNull()
      expect(world.chain.broadcasts).toEqual([])
    }
  })

  it('and comes back for it, as one whose connection broke, hears that it has ended', async () => {
    const { world, worker, page } = await startOnDevice('p2wpkh', 50_000n)
    void page.send('pay', 'sendBitcoin', RECIPIENT, 5_000)
    const { key, digest } = await nextApproval(worker, 'payment')
    await worker.ui('decide', { key, digest, decision: 'approve' })
    await page.leave()
    await turns(100)
    const again = openPage(worker, SITE)
    expect(await again.send('pay', 'sendBitcoin', RECIPIENT, 5_000)).toMatchObject({
      error: { code: 4001 },
    })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('has its payment sent where the device has signed it', async () => {
    const { world, worker, device, page } = await startOnDevice('p2wpkh', 50_000n)
    void page.call('sendBitcoin', RECIPIENT, 5_000)
    await approveOnDevice(worker, device, 'payment')
    await page.leave()
    await vi.waitFor(() => expect(world.chain.broadcasts).toHaveLength(1))
  })
})
