import type { UtxoJson } from '../esplora/shapes.ts'
import type { Devnet } from '../start-devnet.ts'
import type { TestCoin, TestWallet } from './test-wallet.ts'

export interface Reply {
  status: number
  body: string
  headers: Headers
}

/** Asks devnet over HTTP, as a wallet would. */
export function createClient(devnet: Devnet) {
  async function request(path: string, init?: RequestInit): Promise<Reply> {
    const response = await fetch(devnet.url + path, init)
    return { status: response.status, body: await response.text(), headers: response.headers }
  }

  async function getJson<Value>(path: string): Promise<Value> {
    const { status, body } = await request(path)
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
    return JSON.parse(body) as Value
  }

  const post = (path: string, body: unknown) =>
    request(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  /** Broadcasts; resolves the txid, or the error text of a refusal. */
  async function broadcast(hex: string): Promise<string> {
    const { body } = await post('/api/tx', hex)
    return body
  }

  /** Pays a test wallet a confirmed coin of `sats`. */
  async function fund(wallet: TestWallet, sats: bigint, confirm = true): Promise<TestCoin> {
    const txid = await devnet.faucet(wallet.address, sats, confirm)
    const utxos = await getJson<UtxoJson[]>(`/api/address/${wallet.address}/utxo`)
    const utxo = utxos.find(candidate => candidate.txid === txid)
    if (!utxo) throw new Error(`the coin of ${txid} is not listed`)
    return { txid, vout: utxo.vout, value: BigInt(utxo.value) }
  }

  return { request, getJson, post, broadcast, fund }
}

export type Client = ReturnType<typeof createClient>

/** What `POST /tx` answers when the node refuses with this message. */
export function refusal(code: number, message: string): string {
  return `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`
}
