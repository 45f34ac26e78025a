import { UNISAT_KEY } from '../brc20/unisat-routes.ts'
import type { InscribeAnswer, InscriptionRequest } from '../ord/inscribe-routes.ts'
import type { Devnet } from '../start-devnet.ts'
import type { Client, Reply } from './devnet-client.ts'

/** Asks devnet's indexes of BRC-20, and inscribes for them. */
export function createBrc20Client(devnet: Devnet, client: Client) {
  async function inscribe(
    address: string | null,
    operations: readonly Record<string, unknown>[],
    parent?: string,
  ): Promise<InscribeAnswer> {
    const items = operations.map(
      (operation): InscriptionRequest => ({
        body: JSON.stringify({ p: 'brc-20', ...operation }),
        ...(parent === undefined ? {} : { parent }),
      }),
    )
    const request = { items, ...(address === null ? {} : { address }) }
    const { status, body } = await client.post('/devnet/inscribe', request)
    if (status !== 200) throw new Error(`inscribe: ${status} ${body}`)
    await devnet.mine(1)
    return JSON.parse(body)
  }

  return {
    /**
     * Mines one inscription an operation, for an address (null: devnet's own, where deploys of self-mint tokens can be
     * `parent`).
     */
    inscribe,
    async opi(name: string, query: Record<string, string> = {}) {
      const path = `/opi/v1/brc20/${name}?${new URLSearchParams(query)}`
      const { status, body } = await client.request(path)
      return { status, ...JSON.parse(body) }
    },
    unisat: (path: string, key: string | null = UNISAT_KEY): Promise<Reply> =>
      client.request(`/unisat/v1/indexer/${path}`, {
        headers: key === null ? {} : { authorization: `Bearer ${key}` },
      }),
  }
}

export type Brc20Client = ReturnType<typeof createBrc20Client>
