import type { LocalNetwork } from '../mempool/local-network.ts'
import { submitPackage, testTransactions } from '../mempool/package.ts'
import { RejectedError } from '../mempool/rejection.ts'
import { type Answer, HttpError, json, type Route, text } from '../server/http.ts'

const MAX_TRANSACTIONS = 25

/** `POST /tx`, `/txs/package` and `/txs/test`, relative to the prefix of the interface. */
export function broadcastRoutes(network: LocalNetwork): Route[] {
  return [
    {
      method: 'POST',
      path: '/tx',
      handle: ({ body }) =>
        relayRejection('sendrawtransaction', async () => {
          const { txid } = await network.submit(body.toString('utf8').trim())
          return text(txid)
        }),
    },
    {
      method: 'POST',
      path: '/txs/package',
      handle: ({ body, query }) =>
        relayRejection('submitpackage', async () =>
          json(await submitPackage(network, readTransactions(body), readBurn(query))),
        ),
    },
    {
      method: 'POST',
      path: '/txs/test',
      handle: ({ body, query }) =>
        relayRejection('testmempoolaccept', async () =>
          json(await testTransactions(network, readTransactions(body), readFeeRate(query))),
        ),
    },
  ]
}

/** Esplora passes the error of the node on as text. */
async function relayRejection(method: string, run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error
    const { code, message } = error
    return text(`${method} RPC error: ${JSON.stringify({ code, message })}`, 400)
  }
}

function readTransactions(body: Buffer): string[] {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    throw new HttpError(400, 'Invalid JSON')
  }
  if (!Array.isArray(value) || !value.every(hex => typeof hex === 'string')) {
    throw new HttpError(400, 'Invalid request: expected a list of raw transactions in hex')
  }
  if (value.length === 0 || value.length > MAX_TRANSACTIONS) {
    throw new HttpError(400, `Exceeded maximum of ${MAX_TRANSACTIONS} transactions`)
  }
  return value
}

/** `maxburnamount` comes in BTC, as in Core's RPC. */
function readBurn(query: URLSearchParams): bigint {
  return BigInt(Math.round(Number(query.get('maxburnamount') ?? 0) * 100_000_000))
}

/** `maxfeerate` comes in BTC/kvB, as in Core's RPC. */
function readFeeRate(query: URLSearchParams): bigint | undefined {
  const value = query.get('maxfeerate')
  return value === null ? undefined : BigInt(Math.round(Number(value) * 100_000))
}
