import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'
import type { Devnet } from '../../src/devnet/start-devnet.ts'
import { inscribe, whereIs } from '../ordinals/devnet-ord.ts'
import { drawPixelArt } from '../ordinals/pixel-art.ts'
import { type Coin, fetchCoins, type Owner, REGTEST } from './coins.ts'
import { draftListing, draftPurchase, FOR_SALE, SELLER_INDEX } from './deals.ts'
import { inputOf, parseDraft } from './draft.ts'

/** Of a shop that is on devnet only. */
const SHOP_KEY = new Uint8Array(32).fill(0x51)
const PRICE = 20_000n

/**
 * The purchase (PSBT in hex) of a picture that a shop has just inscribed and signed away. It takes two small outputs of the
 * buyer's transaction (hex) and pays with the largest; that may be broadcast later.
 */
export async function draftBargain(devnet: Devnet, buyer: Owner, rawTx: string): Promise<string> {
  const [payment, first, second] = readOutputs(rawTx, buyer)
  if (!payment || !first || !second) throw new Error('The split has no change to pay with')
  const key = pubECDSA(SHOP_KEY)
  const seller = { address: p2wpkh(key, REGTEST).address ?? '', publicKey: bytesToHex(key) }
  const sold = await inscribePicture(devnet, seller)
  const listing = parseDraft(draftListing(sold, PRICE))
  listing.signIdx(SHOP_KEY, SELLER_INDEX, [FOR_SALE])
  return draftPurchase({
    listed: inputOf(bytesToHex(listing.toPSBT()), SELLER_INDEX),
    sold: sold.sats,
    seller,
    price: PRICE,
    dummies: [first, second],
    payment,
  })
}

/** The largest first; all are the owner's. */
function readOutputs(rawTx: string, owner: Owner): Coin[] {
  const previous = hexToBytes(rawTx)
  const transaction = Transaction.fromRaw(previous, { allowUnknownOutputs: true })
  const { id: txid, outputsLength: length } = transaction
  const outputs = Array.from({ length }, (_, vout) => {
    const { amount: sats = 0n } = transaction.getOutput(vout)
    return { owner, txid, vout, sats, previous }
  })
  return outputs.sort((a, b) => Number(b.sats - a.sats))
}

async function inscribePicture(devnet: Devnet, owner: Owner): Promise<Coin> {
  const bodyHex = drawPixelArt(Date.now()).toString('hex')
  const [id = ''] = await inscribe(devnet, owner.address, { contentType: 'image/png', bodyHex })
  const { satpoint } = await whereIs(devnet, id)
  const coins = await fetchCoins(devnet.esploraUrl, owner)
  const coin = coins.find(({ txid, vout }) => satpoint.startsWith(`${txid}:${vout}:`))
  if (!coin) throw new Error(`The shop does not have ${id}`)
  return coin
}
