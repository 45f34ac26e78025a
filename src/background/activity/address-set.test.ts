import { describe, expect, it } from 'vitest'
import { addressAt, startWithMany } from '../accounts/testing/many-addresses.ts'
import { fund, type Worker } from '../testing/test-wallet.ts'

async function listShown(worker: Worker) {
  const { entries, problem } = await worker.ui('getActivity', { offset: 0, limit: 60 })
  expect(problem).toBeNull()
  return entries.map(({ txid, status }) => ({ txid, status }))
}

const confirmed = (txid: string) => ({ txid, status: 'confirmed' })

describe('the activity of an account whose addresses change', () => {
  it('shows nothing of those that it has no more, and calls no block undone', async () => {
    const { world, worker, account } = await startWithMany()
    const first = fund(world, addressAt('p2wpkh', 0, 0), 10_000n)
    for (let made = 0; made < 15; made++) {
      world.chain.mine()
      fund(world, addressAt('p2wpkh', 0, 1 + (made % 3)), 20_000n)
    }
    expect(await listShown(worker)).toHaveLength(16)
    await worker.ui('setManyAddresses', { accountId: account.id, on: false })
    expect(await listShown(worker)).toEqual([confirmed(first)])
  })

  it('is of other addresses, though there are as many', async () => {
    const { world, worker, account } = await startWithMany()
    const accountId = account.id
    await worker.ui('setManyAddresses', { accountId, on: false })
    const { accounts } = await worker.ui('getState', null)
    const taproot = accounts.find(({ addressType }) => addressType === 'p2tr')?.id ?? ''
    await worker.ui('removeAccount', { accountId: taproot })
    // More than a page is newer than what the other addresses have.
    const second = fund(world, addressAt('p2wpkh', 0, 1), 20_000n)
    const ordinals = fund(world, addressAt('p2tr', 0, 0), 600n)
    const first = Array.from({ length: 40 }, () => {
      world.chain.mine()
      return fund(world, addressAt('p2wpkh', 0, 0), 10_000n)
    }).reverse()
    await worker.ui('setOrdinalsAddress', { accountId, on: true })
    expect(await listShown(worker)).toEqual([...first, ordinals].map(confirmed))
    await worker.ui('setOrdinalsAddress', { accountId, on: false })
    await worker.ui('setManyAddresses', { accountId, on: true })
    expect(await listShown(worker)).toEqual([...first, second].map(confirmed))
  })
})
