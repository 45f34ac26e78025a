import type { Devnet } from '../../src/devnet/start-devnet.ts'
import { inscribe } from './devnet-ord.ts'

/** A token that everybody may mint. */
const TOKEN = { tick: 'play', max: '21000000', lim: '1000' }

/** The token that examples mint and transfer, deployed by devnet where it is not yet; resolves its ticker. */
export async function ensureToken(devnet: Devnet): Promise<string> {
  const { tick } = TOKEN
  const answer = await fetch(`${devnet.opiUrl}/v1/brc20/ticker_info?ticker=${tick}`)
  if (!answer.ok) await inscribe(devnet, null, { body: spellBrc20({ op: 'deploy', ...TOKEN }) })
  return tick
}

/** Mints the token of the examples for an address, 1,000 of it; resolves its ticker. */
export async function mintTokens(devnet: Devnet, address: string): Promise<string> {
  const tick = await ensureToken(devnet)
  await inscribe(devnet, address, { body: spellBrc20({ op: 'mint', tick, amt: TOKEN.lim }) })
  return tick
}

/** What an address has of a token by devnet's ledger, in whole tokens. */
export async function tokensOf(devnet: Devnet, address: string, tick: string) {
  const query = new URLSearchParams({ address, ticker: tick })
  const url = `${devnet.opiUrl}/v1/brc20/get_current_balance_of_wallet?${query}`
  const { result } = (await (await fetch(url)).json()) as {
    result: { overall_balance: string; available_balance: string } | null
  }
  const whole = (amount: string | undefined) => Number(BigInt(amount ?? 0) / 10n ** 18n)
  return { overall: whole(result?.overall_balance), available: whole(result?.available_balance) }
}

/** How much of a token there can be by devnet's ledger, in whole tokens; null where nobody deployed it. */
export async function supplyOf(devnet: Devnet, tick: string): Promise<number | null> {
  const query = new URLSearchParams({ ticker: tick })
  const answer = await fetch(`${devnet.opiUrl}/v1/brc20/ticker_info?${query}`)
  const { result } = (await answer.json()) as { result: { max_supply: string } | null }
  return result && Number(BigInt(result.max_supply) / 10n ** 18n)
}

/** The text of an operation's inscription. */
export function spellBrc20(operation: { op: string; tick: string; [field: string]: string }) {
  return JSON.stringify({ p: 'brc-20', ...operation })
}
