import type { AddressType } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { isGiven, parseIndex } from '../../provider/params.ts'
import { withFixedAddresses } from '../accounts/fixed-addresses.ts'
import { type CoinParts, type Coins, loadCoins, scriptOf } from '../coins/coins.ts'
import type { Translation, TranslationContext } from '../requests/translation.ts'
import type { SigningAccountView } from '../views/account-views.ts'

/** UniSat's numbers for kinds of addresses. */
const ADDRESS_TYPES: { [type in AddressType]: number } = {
  p2pkh: 0,
  p2wpkh: 1,
  p2tr: 2,
  'p2sh-p2wpkh': 3,
}

/** What no operation of ours tells: the coins of the connected account, by themselves and in sum. */
export function createAccountCoins(wallet: CoinParts) {
  async function load({ readConnected, withinLimit }: TranslationContext) {
    // Read once: another network chosen meanwhile does not get this account's coins there.
    const { account, network } = await readConnected()
    const own = withFixedAddresses(account)
    const coins = await withinLimit(() => loadCoins(wallet, own, network))
    return { coins, account, scriptPk: toHex(scriptOf(account, network)) }
  }

  /** Sats that a payment can spend, those that it leaves alone, and both. */
  const getBalanceV2: Translation = async context => {
    const { coins } = await load(context)
    const [available, total] = [sumOf(coins.spendable), sumOf(coins.all)]
    return { available, unavailable: total - available, total }
  }

  /** Coins that a payment can spend: none that anything sits on. All of them, or a page where one is named. */
  const getBitcoinUtxos: Translation = async (context, [cursor, size]) => {
    const from = parseIndex('cursor', cursor ?? 0, Number.MAX_SAFE_INTEGER)
    const most = isGiven(size) ? parseIndex('size', size, Number.MAX_SAFE_INTEGER) : null
    const { coins, account, scriptPk } = await load(context)
    // They are told with the key of the first address.
    const ofFirst = coins.spendable.filter(coin => toHex(coin.scriptPubKey) === scriptPk)
    const page = ofFirst.slice(from, most === null ? undefined : from + most)
    return page.map(({ txid, vout, amount }) => ({
      ...{ txid, vout, satoshis: Number(amount), scriptPk, ...describe(account) },
      inscriptions: [],
      atomicals: [],
    }))
  }

  return { getBalanceV2, getBitcoinUtxos }
}

function describe({ publicKey, addressType }: SigningAccountView) {
  return { addressType: ADDRESS_TYPES[addressType], pubkey: publicKey }
}

function sumOf(coins: Coins['all']): number {
  return Number(coins.reduce((sum, { amount }) => sum + amount, 0n))
}
