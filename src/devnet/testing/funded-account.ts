import { expect } from 'vitest'
import type { AddressType } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { spendOf } from '../../bitcoin/testing/spending.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { formatAddress } from '../chain/script.ts'
import type { Devnet } from '../start-devnet.ts'
import type { Client } from './devnet-client.ts'
import { createTestWallet } from './test-wallet.ts'

/** An account with confirmed coins of these amounts, known by what the server says of them. */
export async function createFundedAccount(
  { devnet, client }: { devnet: Devnet; client: Client },
  addressType: AddressType,
  name: string,
  amounts: readonly bigint[],
) {
  const { privateKey } = createTestWallet(name)
  const own = { publicKey: publicKeyOf(privateKey), addressType }
  const { script } = spendOf(addressType, own.publicKey)
  const address = formatAddress(script)
  if (!address) throw new Error('no address')
  const previous = new Map<string, Uint8Array>()

  async function listCoins(): Promise<Utxo[]> {
    const coins = await client.getJson<
      { txid: string; vout: number; value: number; status: { block_height?: number } }[]
    >(`/api/address/${address}/utxo`)
    for (const { txid } of coins)
      if (!previous.has(txid))
        previous.set(txid, fromHex((await client.request(`/api/tx/${txid}/hex`)).body))
    return coins.map(({ txid, vout, value, status }) => ({
      txid,
      vout,
      amount: BigInt(value),
      scriptPubKey: script,
      height: status.block_height ?? null,
    }))
  }

  // One payer pays many coins at once, which the faucet does not.
  const payer = createTestWallet('payer of accounts')
  const source = await client.fund(
    payer,
    amounts.reduce((a, b) => a + b, 20_000n),
  )
  const funding = payer.spend(
    [source],
    amounts.map(value => ({ script, value })),
  )
  expect(await client.broadcast(funding.toHex())).toBe(funding.getId())
  await devnet.mine(1)
  return { privateKey, own, script, address, previous, listCoins }
}
