import { parseRuneAmount } from '../../ordinals/runes/rune-amount.ts'
import { invalidParams } from '../../provider/errors.ts'
import { MAX_PAGE } from '../../provider/inscription-params.ts'
import { parseOptions } from '../../provider/params.ts'
import { MAX_RUNE_RECIPIENTS, parseUnits, type SiteRune } from '../../provider/rune-params.ts'
import type { Call } from '../requests/translation.ts'
import { withNames } from '../requests/translation.ts'
import { parseAddressParam } from './addresses.ts'
import type { SatsConnectRequest } from './request.ts'

// Requests that a company's server works out (`runes_getOrder`, `runes_rbfOrder` and so on) are no names of ours: they
// get -32601.

/** The generic currency sign, which stands for runes without a symbol. */
const NO_SYMBOL = '¤'

/** Pages that are asked for at most: an account has no more runes than that in practice. */
const MAX_PAGES = 50

/** All runes of the account, in their smallest units; `spendableBalance` is what `runes_transfer` could send now. */
export const getRunesBalance: SatsConnectRequest = async ({ call }) => {
  const runes = await listAll(call)
  return {
    balances: runes.map(({ name, divisibility, symbol, amount, spendable }) => ({
      runeName: name,
      amount: toUnits(amount, divisibility),
      divisibility,
      symbol: symbol ?? NO_SYMBOL,
      inscriptionId: null,
      spendableBalance: toUnits(spendable, divisibility),
    })),
  }
}

/** Sends runes, several of them to several, in one transaction; amounts are of the smallest units. */
export const transferRunes: SatsConnectRequest = async ({ call }, params) => {
  const { recipients: given } = parseOptions('params', params)
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_RUNE_RECIPIENTS)
    throw invalidParams('recipients', given, `a list of 1 to ${MAX_RUNE_RECIPIENTS} recipients`)
  const recipients = Array.from(given, (one: unknown, at) => {
    const { runeName, amount, address } = parseOptions(`recipients[${at}]`, one)
    return {
      address: parseAddressParam(`recipients[${at}].address`, address),
      rune: runeName,
      units: String(parseUnits(`recipients[${at}].amount`, amount)),
    }
  })
  const names = Object.fromEntries(
    recipients.flatMap((_, at) => [
      [`recipients[${at}].rune`, `recipients[${at}].runeName`],
      [`recipients[${at}].units`, `recipients[${at}].amount`],
    ]),
  )
  return { txid: (await withNames(names, () => call('sendRunes', { recipients }))).txid }
}

async function listAll(call: Call): Promise<SiteRune[]> {
  const all: SiteRune[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const { total, list } = await call('getRunes', all.length, MAX_PAGE)
    all.push(...list)
    if (list.length === 0 || all.length >= total) break
  }
  return all
}

function toUnits(amount: string, divisibility: number): string {
  return amount === '0' ? '0' : String(parseRuneAmount(amount, divisibility))
}
