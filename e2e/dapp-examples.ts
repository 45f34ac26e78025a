import type { Devnet } from '../src/devnet/start-devnet.ts'
import { mintPicture, openAtomicals } from './ordinals/devnet-atomicals.ts'
import { ensureToken, mintTokens, spellBrc20 } from './ordinals/devnet-brc20.ts'
import { inscribe } from './ordinals/devnet-ord.ts'
import { drawPixelArt } from './ordinals/pixel-art.ts'
import { type Coin, fetchCoins, type Owner, scriptsOf } from './psbt/coins.ts'
import { draftChain, draftListing, draftPayment, FOR_SALE, SELLER_INDEX } from './psbt/deals.ts'
import { draftBargain } from './psbt/shop.ts'

/** On regtest, the first address of the test words of BIP-86. */
const RECIPIENT = 'bcrt1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqjeprhg'
const PAID_SATS = 25_000n
const GAIN_SATS = 50_000n

const FEE_RATE = { feeRate: 2 }
const TEXT = 'text/plain;charset=utf-8'
const LARGE_SATS = 1_000_000

/** What a page tells of itself: its account, and in hex the transaction that splitUtxo gave it last, or nothing. */
export type ExampleFor = Owner & { split: string }

/** Arguments of one call, which the account can really sign. */
const EXAMPLES: { [name: string]: (owner: ExampleFor, devnet: Devnet) => Promise<unknown[]> } = {
  async pay(owner, devnet) {
    const [coin] = await loadCoins(owner, devnet)
    const toSignInputs = [{ index: 0, address: owner.address }]
    return [draftPayment([coin], RECIPIENT, PAID_SATS), { autoFinalized: true, toSignInputs }]
  },
  async list(owner, devnet) {
    const coins = await loadCoins(owner, devnet)
    const coin = coins.at(-1) ?? coins[0]
    const { address } = owner
    const toSignInputs = [{ index: SELLER_INDEX, address, sighashTypes: [FOR_SALE] }]
    const listing = draftListing(coin, coin.sats + GAIN_SATS)
    return [listing, { autoFinalized: false, toSignInputs }]
  },
  async chain(owner, devnet) {
    const { type } = scriptsOf(owner)
    if (type !== 'tr' && type !== 'wpkh') {
      throw new Error('A transaction of this account has no id before it is signed: use Taproot')
    }
    const [coin] = await loadCoins(owner, devnet)
    return [draftChain(coin, RECIPIENT, PAID_SATS), { autoFinalized: true }]
  },
  async buy(owner, devnet) {
    if (owner.split === '') throw new Error('Run splitUtxo first: the purchase takes its coins')
    return [await draftBargain(devnet, owner, owner.split), { autoFinalized: true }]
  },
  async picture({ address }, devnet) {
    const [id] = await inscribe(devnet, address, picture())
    return [RECIPIENT, id, FEE_RATE]
  },
  async large({ address }, devnet) {
    const place = { postage: LARGE_SATS, offset: LARGE_SATS / 2 }
    const [id] = await inscribe(devnet, address, { ...picture(), ...place })
    return [RECIPIENT, id, FEE_RATE]
  },
  async batch({ address }, devnet) {
    const items = [{ body: 'The first of three' }, picture(), { body: 'The last of three' }]
    const data = await inscribe(devnet, address, { items })
    return [{ from: address, to: RECIPIENT, data }]
  },
  async atomical({ address }, devnet) {
    return [RECIPIENT, await mintAtomical(devnet, address), FEE_RATE]
  },
  async together({ address }, devnet) {
    const first = await mintAtomical(devnet, address)
    const [inscription] = await inscribe(devnet, address, picture())
    const second = await mintAtomical(devnet, address)
    return [{ from: address, to: RECIPIENT, data: [first, inscription, second] }]
  },
  async deploy({ address }) {
    const tick = Math.random().toString(36).slice(2, 6).padEnd(4, 'x')
    const body = spellBrc20({ op: 'deploy', tick, max: '21000000', lim: '1000' })
    return [mintOf(60, address, [{ contentType: TEXT, body }])]
  },
  async mint({ address }, devnet) {
    const tick = await ensureToken(devnet)
    const body = spellBrc20({ op: 'mint', tick, amt: '1000' })
    return [mintOf(50, address, [{ contentType: TEXT, body }])]
  },
  async transfer({ address }, devnet) {
    const tick = await mintTokens(devnet, address)
    const body = spellBrc20({ op: 'transfer', tick, amt: '100' })
    return [mintOf(51, address, [{ contentType: TEXT, body }])]
  },
  async image({ address }) {
    return [mintOf(62, address, [image()])]
  },
  async images({ address }) {
    return [mintOf(62, address, Array.from({ length: 5 }, image))]
  },
  async tokens({ address }, devnet) {
    return [{ type: 51, from: address, tick: await mintTokens(devnet, address) }]
  },
}

/** The arguments of an example by its name, made on a devnet; throws an Error that says what is missing. */
export async function makeExample(
  name: string,
  owner: ExampleFor,
  devnet: Devnet,
): Promise<unknown[]> {
  const example = Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : undefined
  if (!example) throw new Error(`There is no example ${name}`)
  return example(owner, devnet)
}

/** The account's coins, the largest first. */
async function loadCoins(owner: Owner, { esploraUrl }: Devnet): Promise<[Coin, ...Coin[]]> {
  const [largest, ...others] = await fetchCoins(esploraUrl, owner)
  if (!largest) throw new Error('The account has no coins on this devnet')
  return [largest, ...others]
}

/** Mints an NFT with a picture to an address; resolves its id as pages write it. */
async function mintAtomical(devnet: Devnet, address: string): Promise<string> {
  const { id } = await mintPicture(openAtomicals(devnet, address), drawSeed())
  return `${id}-Atomicals`
}

/** A different one each time. */
function picture() {
  return { contentType: 'image/png', bodyHex: drawPixelArt(drawSeed()).toString('hex') }
}

function drawSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}

function image() {
  const { contentType, bodyHex } = picture()
  return { contentType, body: bodyHex }
}

function mintOf(type: number, from: string, inscriptions: readonly object[]) {
  return { type, from, inscriptions }
}
