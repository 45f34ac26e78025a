import { describe, expect, it, vi } from 'vitest'
import { RECIPIENT, SITE, selectedAccount } from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  fund,
  nextApproval,
  openPage,
  startUnlocked,
  type Worker,
} from '../testing/test-wallet.ts'

const CHANGED = {
  error: {
    code: 4100,
    message: 'The account in use changed while the request was waiting.',
  },
}

const OTHERS = {
  'that it may not see': (worker: Worker) =>
    worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' }),
  'that is only watched': (worker: Worker) =>
    worker.ui('watchAddress', { address: RECIPIENT, name: 'Vault' }),
}

describe.each(Object.entries(OTHERS))('while another account is chosen %s', (_, add) => {
  async function choose(worker: Worker) {
    await worker.ui('selectAccount', { accountId: (await add(worker)).id })
  }

  it('a stranger that asks for a connection hears that, and nothing of the other account', async () => {
    const worker = await startUnlocked()
    const answer = openPage(worker, SITE).call('connect')
    await nextApproval(worker, 'connect')
    await choose(worker)
    expect(await answer).toEqual({ id: expect.any(String), ...CHANGED })
  })

  it('a site whose payment is being worked out hears that, and no other reason', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    fund(world, (await selectedAccount(worker)).address, 50_000n)
    const page = await connectPage(worker, SITE)
    world.chain.faults.slowFeesMs = 300
    const answer = page.call('sendBitcoin', RECIPIENT, 5_000)
    const isPinned = async () =>
      (await worker.wallet.requests.load()).some(({ outcome, accountId }) => !outcome && accountId)
    await vi.waitUntil(isPinned, { interval: 1 })
    await choose(worker)
    expect(await answer).toEqual({ id: expect.any(String), ...CHANGED })
  })
})
