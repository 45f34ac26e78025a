import { type Coin, fetchCoins, type Owner, scriptsOf } from './coins.ts'
import { draftChain, draftListing, draftPayment, FOR_SALE, SELLER_INDEX } from './deals.ts'

/** On regtest, the first address of the test words of BIP-86. */
const RECIPIENT = 'bcrt1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqjeprhg'
const PAID_SATS = 25_000n
const GAIN_SATS = 50_000n

/** Arguments of one call; coins are the account's, the largest first. */
const EXAMPLES: { [name: string]: (coins: readonly [Coin, ...Coin[]]) => unknown[] } = {
  pay([coin]) {
    const toSignInputs = [{ index: 0, address: coin.owner.address }]
    return [draftPayment([coin], RECIPIENT, PAID_SATS), { autoFinalized: true, toSignInputs }]
  },
  list(coins) {
    const coin = coins.at(-1) ?? coins[0]
    const { address } = coin.owner
    const toSignInputs = [{ index: SELLER_INDEX, address, sighashTypes: [FOR_SALE] }]
    const listing = draftListing(coin, coin.sats + GAIN_SATS)
    return [listing, { autoFinalized: false, toSignInputs }]
  },
  chain([coin]) {
    const { type } = scriptsOf(coin.owner)
    if (type !== 'tr' && type !== 'wpkh') {
      throw new Error('A transaction of this account has no id before it is signed: use Taproot')
    }
    return [draftChain(coin, RECIPIENT, PAID_SATS), { autoFinalized: true }]
  },
}

/** The arguments of an example by its name, for an account with coins; throws an Error that says what is missing. */
export async function makeExample(
  name: string,
  owner: Owner,
  esploraUrl: string,
): Promise<unknown[]> {
  const example = Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : undefined
  if (!example) throw new Error(`There is no example ${name}`)
  const [largest, ...others] = await fetchCoins(esploraUrl, owner)
  if (!largest) throw new Error('The account has no coins on this devnet')
  return example([largest, ...others])
}
