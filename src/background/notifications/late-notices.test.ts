import { expect, it } from 'vitest'
import { defer } from '../testing/funded-wallet.ts'
import { payTo, startNotified } from './testing/notified-wallet.ts'

it.each(['fetchBalance', 'fetchHistory', 'fetchFeeRates'] as const)(
  'a wallet that is erased while notifications wait for an answer (%s) leaves nothing of them',
  async question => {
    const { world, worker, account, wake } = await startNotified()
    await worker.ui('changeSettings', { feeAlert: 1 })
    payTo(world, account.address, 5_000n)
    const { chain } = world.chain
    const [asked, held] = [defer(), defer()]
    const fetch = chain[question] as (...args: unknown[]) => Promise<unknown>
    Object.assign(chain, {
      async [question](...args: unknown[]) {
        const answer = await fetch(...args)
        asked.resolve()
        await held.promise
        return answer
      },
    })
    const looking = wake(worker).catch(() => [])
    await asked.promise
    const erased = worker.ui('resetWallet', { confirmation: 'erase' })
    await new Promise(resolve => setTimeout(resolve, 5))
    held.resolve()
    await Promise.all([erased, looking])
    await new Promise(resolve => setTimeout(resolve, 5))
    expect([world.local.dump(), world.session.dump()]).toEqual([{}, {}])
  },
)
