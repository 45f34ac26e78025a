import { hexToBytes } from '@noble/hashes/utils.js'
import { Address, p2pkh, p2sh, p2tr, p2wpkh, TEST_NETWORK } from '@scure/btc-signer'

export const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' }

/** What a page knows of a connected account; the public key has 33 bytes, in hex. */
export type Owner = { address: string; publicKey: string }

/** An output of an account, with the transaction that made it. */
export type Coin = { owner: Owner; txid: string; vout: number; sats: bigint; previous: Uint8Array }

/** The unspent outputs of an account as an Esplora server tells them, confirmed or not, the largest first. */
export async function fetchCoins(esploraUrl: string, owner: Owner): Promise<Coin[]> {
  const answer = await fetchOk(`${esploraUrl}/address/${owner.address}/utxo`)
  const listed = (await answer.json()) as { txid: string; vout: number; value: number }[]
  const coins = listed.map(async ({ txid, vout, value }) => {
    const previous = hexToBytes(await (await fetchOk(`${esploraUrl}/tx/${txid}/hex`)).text())
    return { owner, txid, vout, sats: BigInt(value), previous }
  })
  return (await Promise.all(coins)).sort((a, b) => Number(b.sats - a.sats))
}

/** The account's script and what a PSBT says about spending it. */
export function scriptsOf({ address, publicKey }: Owner) {
  const key = hexToBytes(publicKey)
  const { type } = Address(REGTEST).decode(address)
  if (type === 'tr') return p2tr(key.slice(1), undefined, REGTEST)
  if (type === 'wpkh') return p2wpkh(key, REGTEST)
  if (type === 'sh') return p2sh(p2wpkh(key, REGTEST), REGTEST)
  return p2pkh(key, REGTEST)
}

async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response
}
