import type { InscriptionFacts } from '../../chain/asset-source.ts'
import type { Brc20Balance, Brc20Source } from '../../chain/brc20-source.ts'
import { foldTicker, MAX_BRC20_LENGTH } from '../../ordinals/brc20/brc20-operation.ts'
import { type Brc20Text, parseBrc20 } from '../../ordinals/content/brc20-text.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import { assetAddressOf } from '../accounts/accounts.ts'
import { loadHeldInscriptions } from '../collectibles/inscriptions.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { Brc20Context } from './brc20-parts.ts'

/**
 * All balances of an account that are not zero, by ticker. A server that lists none is asked for the tokens that are
 * followed, that the account had before, and that its own inscriptions name. Throws BackendUnavailableError.
 */
export async function fetchHoldings(
  context: Brc20Context,
  source: Brc20Source,
): Promise<Brc20Balance[]> {
  const { wallet, network, account } = context
  const { brc20Tickers } = wallet
  const [followed, seen, own] = await Promise.all([
    brc20Tickers.load(network),
    brc20Tickers.seen(network, account.id),
    nullIfUnanswered(listOwnBrc20(context)),
  ])
  const named = own?.map(({ tick }) => foldTicker(tick)) ?? []
  const ticks = [...new Set([...followed, ...seen, ...named])]
  const balances = await source.fetchBalances(assetAddressOf(account), ticks)
  const held = balances.map(({ tick }) => tick)
  await brc20Tickers.see(network, account.id, held)
  return balances.toSorted((a, b) => (a.tick < b.tick ? -1 : 1))
}

/** Own inscriptions that are looked at, newest first: each is a question. */
const MOST_READ = 60

/** Where the account's inscriptions are, newest arrivals first; none while the servers do not answer. */
export async function locateHeld({
  wallet,
  network,
  account,
}: Brc20Context): Promise<Map<InscriptionId, string>> {
  const listing = await nullIfUnanswered(loadHeldInscriptions(wallet, account, network))
  return new Map(listing?.held.map(({ coin, asset }) => [asset.id, coin.outpoint]))
}

/** What the account's inscriptions say that is BRC-20, of the newest; whether it counts is another matter. Throws BackendUnavailableError. */
export async function listOwnBrc20(
  context: Brc20Context,
): Promise<(Brc20Text & { id: InscriptionId })[]> {
  const { wallet, network } = context
  const ids = [...(await locateHeld(context)).keys()].slice(0, MOST_READ)
  if (ids.length === 0) return []
  const known = await (await wallet.assets(network)).fetchInscriptions(ids)
  const said = await Promise.all(
    [...known.values()].map(async facts => {
      const text = await readText(context, facts)
      return text ? [{ ...text, id: facts.id }] : []
    }),
  )
  return said.flat()
}

/** Contents never change: each is asked for once while this worker lives. */
async function readText(
  { wallet, network }: Brc20Context,
  { id, contentType, contentLength }: InscriptionFacts,
): Promise<Brc20Text | null> {
  if (contentLength === null || contentLength > MAX_BRC20_LENGTH) return null
  if (!/^(text\/plain|application\/json)\b/.test(contentType ?? '')) return null
  return wallet.brc20Tickers.read(id, async () => {
    const content = await (await wallet.assets(network)).fetchContent(id, MAX_BRC20_LENGTH)
    return content && parseBrc20(contentType, new TextDecoder().decode(content.bytes))
  })
}
