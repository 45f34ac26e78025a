import { parseAddress } from '../../src/devnet/script.ts'
import type { Devnet } from '../../src/devnet/start-devnet.ts'
import {
  type AtomicalsClient,
  createAtomicalsClient,
} from '../../src/devnet/testing/atomicals-client.ts'
import { createClient } from '../../src/devnet/testing/devnet-client.ts'
import {
  createTestWallet,
  type TestCoin,
  type TestWallet,
} from '../../src/devnet/testing/test-wallet.ts'
import { drawPixelArt } from './pixel-art.ts'

const FEE = 1_000n

/** Devnet's Atomicals as a test asks for them; what it mints goes to `address`. */
export function openAtomicals(devnet: Devnet, address: string): AtomicalsClient {
  return createAtomicalsClient(createClient(devnet), address)
}

/** Mints an NFT with a picture, another one for each number, on a coin of 546 sats unless told otherwise. */
export function mintPicture(atomicals: AtomicalsClient, seed: number, sats = 546) {
  return atomicals.mintImage('image.png', 'image/png', drawPixelArt(seed), sats)
}

/**
 * Puts all units of a new token on one output of an address that has more sats than units, as wallets of others leave them
 * behind; mined.
 */
export async function mintPartlyColoured(
  devnet: Devnet,
  address: string,
  { ticker, units, sats }: { ticker: string; units: number; sats: number },
): Promise<{ id: string; outpoint: string }> {
  const owner = createTestWallet(`partly coloured ${ticker}`)
  const { id, revealTxid } = await openAtomicals(devnet, owner.address).mintToken(ticker, units)
  const coin = { txid: revealTxid, vout: 0, value: BigInt(units) }
  const fee = await createClient(devnet).fund(owner, BigInt(sats) + 10_000n)
  const txid = await pass(devnet, {
    owner,
    coins: [coin, fee],
    address,
    sats: BigInt(sats),
    fee: FEE,
  })
  await devnet.mine()
  return { id, outpoint: `${txid}:0` }
}

/** Sends a new NFT to an address, in a block; `takeBack` spends the same coin elsewhere once that block is none any more. */
export async function lendNft(
  devnet: Devnet,
  address: string,
): Promise<{ id: string; owner: string; takeBack(): Promise<void> }> {
  const owner = createTestWallet('lender')
  const sats = 546n
  const { id, revealTxid } = await mintPicture(openAtomicals(devnet, owner.address), 0)
  const fee = await createClient(devnet).fund(owner, 50_000n)
  const coins = [{ txid: revealTxid, vout: 0, value: sats }, fee]
  await pass(devnet, { owner, coins, address, sats, fee: FEE })
  await devnet.mine()
  return {
    id,
    owner: owner.address,
    async takeBack() {
      await pass(devnet, { owner, coins, address: owner.address, sats, fee: 10n * FEE })
    },
  }
}

type Passing = {
  owner: TestWallet
  coins: readonly TestCoin[]
  /** Of the first output; what is left comes back. */
  address: string
  sats: bigint
  fee: bigint
}

/** Broadcasts a payment of these coins; resolves the txid. */
async function pass(
  devnet: Devnet,
  { owner, coins, address, sats, fee }: Passing,
): Promise<string> {
  const script = parseAddress(address)
  if (!script) throw new Error(`${address} is not a regtest address`)
  const change = coins.reduce((sum, { value }) => sum + value, -sats - fee)
  const tx = owner.spend(coins, [
    { script, value: sats },
    { script: owner.script, value: change },
  ])
  const answer = await createClient(devnet).broadcast(tx.toHex())
  if (answer !== tx.getId()) throw new Error(answer)
  return answer
}
