import type { SatsConnectRequest } from './request.ts'

/** Sats as decimal text. */
export const getBalance: SatsConnectRequest = async ({ call }) => {
  const { confirmed, unconfirmed, total } = await call('getBalance')
  return { confirmed: String(confirmed), unconfirmed: String(unconfirmed), total: String(total) }
}
