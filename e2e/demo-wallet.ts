import type { Devnet } from '../src/devnet/start-devnet.ts'
import type { Wallet } from './driver.ts'
import { mintPicture, openAtomicals } from './ordinals/devnet-atomicals.ts'
import { etch, type InscribeOrder, inscribe } from './ordinals/devnet-ord.ts'
import { drawPixelArt } from './ordinals/pixel-art.ts'

/**
 * DEMO ONLY, on regtest only: these words are printed in the manuals of many development tools, so
 * whatever is sent to them on a real network is taken within seconds.
 */
export const DEMO_WORDS = 'test test test test test test test test test test test junk'
export const DEMO_PASSWORD = 'demo wallet, regtest only'

/** m/86'/1'/0'/0/0 of the demo words, as @scure/btc-signer and bip32 give it. */
export const DEMO_ADDRESS = 'bcrt1pfewlxm8meyyvgjydfu7v8j4ej64symj6ut8sf66h9germp94qgzs92e5zv'

const PAID_SATS = 120_000_000
const POSTAGE = 546
const RUNE = { name: 'SATCHEL•DEMO•RUNES', amount: '21000', symbol: '♞', postage: 10_000 }

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
  <path d="M4 9h16v11H4z" fill="#c2571a"/>
  <path d="M8 9V6a4 4 0 0 1 8 0v3" fill="none" stroke="#3d2b56" stroke-width="2"/>
</svg>`

/** The older first. */
const INSCRIBED: readonly (InscribeOrder & { postage: number })[] = [
  { postage: POSTAGE, contentType: 'image/svg+xml', body: SVG },
  {
    // Far enough apart that a cut can part them.
    postage: 12_000,
    together: true,
    items: [
      picture(5),
      { body: 'I share a coin.\nSeparate us before you send one.', offset: 9_000 },
    ],
  },
  { postage: POSTAGE, body: '{"p":"brc-20","op":"transfer","tick":"ordi","amt":"1000"}' },
  { postage: 1_000_000, offset: 400_000, ...picture(2) },
  {
    postage: POSTAGE,
    body: 'The Times 03/Jan/2009\nChancellor on brink of second bailout for banks',
  },
  { postage: POSTAGE, ...picture(1) },
  { postage: POSTAGE, ...picture(4) },
]

/** Each unit of the token is a sat. */
const ATOMICALS = { realm: 'satchel', picture: 7, postage: 1_000, ticker: 'demo', units: 21_000 }

/** What the demo wallet holds at the start, with the coins that carry something. */
export const DEMO_SATS =
  PAID_SATS +
  RUNE.postage +
  INSCRIBED.reduce((sum, { postage }) => sum + postage, 0) +
  2 * ATOMICALS.postage +
  ATOMICALS.units

/** Ids, the newest first. */
export type DemoAssets = { inscriptions: string[]; atomicals: string[] }

/** Gives the demo wallet bitcoin, inscriptions, a rune, two Atomicals and an ARC-20 token. */
export async function fundDemoWallet(devnet: Devnet): Promise<DemoAssets> {
  await devnet.faucet(DEMO_ADDRESS, PAID_SATS)
  await etch(devnet, DEMO_ADDRESS, RUNE)
  const ids: string[] = []
  for (const order of INSCRIBED) ids.unshift(...(await inscribe(devnet, DEMO_ADDRESS, order)))
  const atomicals = openAtomicals(devnet, DEMO_ADDRESS)
  const { realm, picture, postage, ticker, units } = ATOMICALS
  await atomicals.mintToken(ticker, units)
  const named = await atomicals.mint({ kind: 'nft', realm, sats: postage })
  const drawn = await mintPicture(atomicals, picture, postage)
  return { inscriptions: ids, atomicals: [drawn.id, named.id] }
}

/** Makes the demo wallet in a fresh profile and points it at a devnet. */
export async function setUpDemoWallet(wallet: Wallet, esploraUrl: string): Promise<void> {
  await wallet.importWallet({ words: DEMO_WORDS, password: DEMO_PASSWORD })
  await wallet.chooseNetwork('Regtest', esploraUrl)
}

function picture(seed: number) {
  return { contentType: 'image/png', bodyHex: drawPixelArt(seed).toString('hex') }
}
