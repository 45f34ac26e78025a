import { expect, it } from 'vitest'
import { refuseBlocks } from '../headers/testing/refused-blocks.ts'
import { payTo, startNotified } from './testing/notified-wallet.ts'

it('a payment in a block that does not pass is told of as confirmed once that block does, though no screen is open', async () => {
  const { world, worker, account, wake } = await startNotified()
  const check = () => worker.ui('getChainState', null)
  expect(await check()).toEqual({ is: 'followed' })
  payTo(world, account.address, 30_000n)
  expect(await wake()).toEqual(['Regtest: Payment received | It is not confirmed yet.'])
  world.chain.mine()
  const tellTruth = refuseBlocks(world)
  expect(await check()).toMatchObject({ is: 'refused', checkedTo: 100 })
  expect(await wake()).toEqual([])
  const { entries } = await worker.ui('getActivity', { offset: 0, limit: 5 })
  expect(entries.map(({ status }) => status)).toEqual(['pending', 'confirmed'])
  tellTruth()
  expect(await wake()).toEqual(['Regtest: Payment confirmed | A payment to you is in a block.'])
})
