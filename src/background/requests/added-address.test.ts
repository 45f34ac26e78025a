import { describe, expect, it } from 'vitest'
import { SITE, selectedAccount } from '../testing/funded-wallet.ts'
import { nextApproval, openPage, startUnlocked, type Worker } from '../testing/test-wallet.ts'

/** How many turns of the event loop the decision comes after the address is asked for, or before it. */
const DELAYS = Array.from({ length: 41 }, (_, index) => index - 20)

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve))
}

type Pair = { accountId: string; ordinalsId: string }

/** A site asks to see a SegWit account, and the person approves it around the time at which the account gets its other address. */
async function approveAround(add: (worker: Worker, pair: Pair) => Promise<unknown>, delay: number) {
  const worker = await startUnlocked()
  const [taproot, segwit] = (await worker.ui('getState', null)).accounts
  const pair = { accountId: segwit?.id ?? '', ordinalsId: taproot?.id ?? '' }
  await worker.ui('selectAccount', { accountId: pair.accountId })
  const page = openPage(worker, SITE)
  const answer = page.call('connect')
  const { key, digest, account } = await nextApproval(worker, 'connect')
  expect(account).toMatchObject({ addressType: 'p2wpkh', ordinals: null })
  const added = turns(-delay).then(() => add(worker, pair))
  await turns(delay)
  await worker.ui('decide', { key, digest, decision: 'approve' })
  await added
  await answer
  expect((await selectedAccount(worker)).ordinals).not.toBeNull()
  await turns(20)
  const later = openPage(worker, SITE, 2)
  await later.call('getAccounts')
  return [page, later].flatMap(({ states }) => states().flatMap(state => state.account ?? []))
}

const WAYS = {
  'is switched on': async (worker: Worker, { accountId, ordinalsId }: Pair) => {
    await worker.ui('removeAccount', { accountId: ordinalsId })
    await worker.ui('setOrdinalsAddress', { accountId, on: true })
  },
  'comes with another account': (worker: Worker, pair: Pair) =>
    worker.ui('joinAccounts', { ...pair, name: 'Both' }),
}

describe.each(Object.entries(WAYS))(
  'a connection that is approved while an address for ordinals %s',
  (_, add) => {
    it('shows a site no address that the question had not', async () => {
      for (const delay of DELAYS) {
        const seen = await approveAround(add, delay)
        const both = seen.filter(({ ordinals }) => ordinals)
        expect(both, `decided ${delay} turns later`).toEqual([])
      }
    }, 60_000)
  },
)
