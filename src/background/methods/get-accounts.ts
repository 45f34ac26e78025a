import type { Method } from '../requests/method.ts'

/** Never prompts: the connected address, or none. */
export const getAccounts: Method<'getAccounts'> = {
  access: 'anyone',
  answer: async ({ account }) => (account ? [account.address] : []),
}
