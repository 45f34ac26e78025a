import { parseOptions } from '../../provider/params.ts'
import type { SatsConnectRequest } from './request.ts'

/** Pays several in one transaction; amounts in sats, as numbers or decimal text. */
export const sendTransfer: SatsConnectRequest = async ({ call }, params) => {
  const { recipients } = parseOptions('params', params)
  const { txid } = await call('sendTransfer', { recipients })
  return { txid }
}
