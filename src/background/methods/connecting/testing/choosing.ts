import { addCosigned, createCosigners } from '../../../payments/testing/cosigners.ts'
import { nextApproval, type Worker } from '../../../testing/test-wallet.ts'
import type { SigningAccountView } from '../../../views/account-views.ts'
import type { ChosenAccount } from '../../../views/approval-views.ts'

/** BIP-173's example key, on regtest. */
export const WATCHED = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
export const REJECTED = { error: { code: 4001 } }
export const CHANGED = {
  error: { code: 4100, message: 'The account in use changed while the request was waiting.' },
}

/** Accounts in use that no site can be connected to. */
export const UNFIT = {
  'is only watched': async (worker: Worker) => {
    const { id } = await worker.ui('watchAddress', { address: WATCHED, name: 'Cold' })
    await worker.ui('selectAccount', { accountId: id })
    return WATCHED
  },
  'several signers share': async (worker: Worker) => {
    const { address } = await addCosigned(worker, createCosigners('p2wsh'))
    return address
  },
}

export const putWatched = UNFIT['is only watched']

/** The question of which account, and the accounts that it offers. */
export async function nextChoice(worker: Worker) {
  const view = await nextApproval(worker, 'choose-account')
  if (!view.choice) throw new Error('There is nothing to choose')
  return { ...view, choice: view.choice }
}

export function chosen(
  { id, address, ordinals }: SigningAccountView,
  changes: Partial<ChosenAccount> = {},
): string {
  const shown = { accountId: id, address, ordinals: ordinals?.address ?? null }
  return JSON.stringify({ ...shown, term: 'always', ...changes })
}

/** Approves what is asked next, with the first of the accounts. */
export async function chooseFirst(worker: Worker, changes: Partial<ChosenAccount> = {}) {
  const { key, digest, choice } = await nextChoice(worker)
  const account = choice.accounts[0] as SigningAccountView
  const input = chosen(account, changes)
  await worker.ui('decide', { key, digest, decision: 'approve', input })
  return account
}

export const inUse = async (worker: Worker) => (await worker.ui('getState', null)).accountId
export const grantsOf = async (worker: Worker) =>
  (await worker.ui('getSites', null)).flatMap(({ origin, grants }) =>
    grants.map(({ accountId, network }) => [origin, accountId, network]),
  )
