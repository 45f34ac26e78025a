import { scriptPubKeyOf } from '../bitcoin/address.ts'
import { fromHex } from '../bitcoin/bytes.ts'
import type { Network } from '../bitcoin/network.ts'
import { formatOutpoint } from '../bitcoin/outpoint.ts'
import type { Utxo } from '../bitcoin/utxo.ts'
import type { AccountView } from './ui-methods/ui-methods.ts'
import type { Wallet } from './wallet.ts'

/** Outputs of at most this many sats may be postage of an inscription; unchecked ones are not spent. */
const POSTAGE_LIMIT = 10_000n

/** Coins of an account that a payment may spend, and the sats of those that it may not, by reason. */
export type Coins = {
  spendable: Utxo[]
  held: { reserved: bigint; unconfirmed: bigint; postage: bigint }
}

/**
 * Sorts an account's coins. Until an index says what sits on a coin, small ones are held back, and of the unconfirmed
 * ones only this wallet's own change is spent. Coins of payments under way are reserved.
 */
export async function loadCoins(
  wallet: Wallet,
  account: AccountView,
  network: Network,
): Promise<Coins> {
  const chain = await wallet.chain(network)
  const utxos = await chain.fetchUtxos(account.address, scriptOf(account))
  const sent = (await wallet.activity.list(network, account.id)).filter(
    entry => entry.status !== 'failed',
  )
  const reserved = new Set([...sent.flatMap(entry => entry.spends), ...(await listPlanned(wallet))])
  const own = new Set(sent.flatMap(entry => entry.creates))
  const coins: Coins = { spendable: [], held: { reserved: 0n, unconfirmed: 0n, postage: 0n } }
  for (const utxo of utxos) {
    const outpoint = formatOutpoint(utxo)
    if (reserved.has(outpoint)) coins.held.reserved += utxo.amount
    else if (own.has(outpoint)) coins.spendable.push(utxo)
    else if (utxo.height === null) coins.held.unconfirmed += utxo.amount
    else if (utxo.amount <= POSTAGE_LIMIT) coins.held.postage += utxo.amount
    else coins.spendable.push(utxo)
  }
  return coins
}

/** scriptPubKey of an account, from its key alone. */
export function scriptOf(account: AccountView): Uint8Array {
  return scriptPubKeyOf(fromHex(account.publicKey), account.addressType)
}

/** Outpoints in plans of requests that are not settled. */
async function listPlanned(wallet: Wallet): Promise<string[]> {
  const open = (await wallet.requests.load()).filter(record => record.outcome === null)
  return open.flatMap(record => {
    const plan = record.journal.plan
    if (typeof plan !== 'object' || plan === null || !('spends' in plan)) return []
    return Array.isArray(plan.spends) ? plan.spends : []
  })
}
