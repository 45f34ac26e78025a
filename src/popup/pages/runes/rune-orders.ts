import type { Network } from '../../../bitcoin/network.ts'
import {
  formatRuneAmount as formatUnits,
  InvalidRuneAmountError,
  parseRuneAmount,
} from '../../../ordinals/runes/rune-amount.ts'
import { parseAddressText } from '../../forms/send-form.ts'
import { countWords, words } from '../../platform/words.ts'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { plainNumber } from '../../ui/text/typed-number.ts'

/** What is to go to one receiver, the rune by its name and the others as typed; `id` tells rows of the form apart. */
export type TypedOrder = { id: number; rune: string; amount: string; to: string }

/** What of a rune can be sent, in whole runes, and its decimals. */
export type Sendable = { name: string; sendable: string; divisibility: number }

/** What is wrong with an order, in words; null for nothing. */
export type OrderErrors = { amount: string | null; to: string | null }

/** More never fit into a runestone that all nodes relay. */
export const MOST_ORDERS = 4

/** What is wrong with each order, and with all of a rune together; of a rune that `held` lacks it is not known what there is. */
export function checkOrders(
  orders: readonly TypedOrder[],
  held: readonly Sendable[],
  network: Network,
): OrderErrors[] {
  const left = new Map(
    held.map(({ name, sendable, divisibility }) => [name, unitsOf(sendable, divisibility)]),
  )
  return orders.map(({ rune, amount, to }) => {
    const address = parseAddressText(to, network)
    const known = findHeld(held, rune)
    const typed = readAmount(amount, known)
    const most = left.get(rune)
    let amountError = 'error' in typed ? typed.error : null
    if (amountError === null && 'units' in typed && most !== undefined && known !== null) {
      if (typed.units > most) {
        const text = formatRuneAmount(formatUnits(most, known.divisibility))
        amountError = words('brc20AmountTooMuch', { most: text })
      } else left.set(rune, most - typed.units)
    }
    return { amount: amountError, to: 'error' in address ? address.error : null }
  })
}

/** What the other orders leave of an order's rune, in whole runes; null where that is nothing, or not known. */
export function leftFor(
  orders: readonly TypedOrder[],
  { id, rune }: TypedOrder,
  held: readonly Sendable[],
): string | null {
  const known = findHeld(held, rune)
  if (known === null) return null
  let left = unitsOf(known.sendable, known.divisibility)
  for (const order of orders) {
    if (order.id === id || order.rune !== rune) continue
    const typed = readAmount(order.amount, known)
    if ('units' in typed) left -= typed.units
  }
  return left > 0n ? formatUnits(left, known.divisibility) : null
}

export function findHeld<T extends Sendable>(held: readonly T[], rune: string): T | null {
  return held.find(({ name }) => name === rune) ?? null
}

function readAmount(
  typed: string,
  held: Sendable | null,
): { units: bigint } | { error: string | null } {
  const text = plainNumber(typed)
  if (text === '') return { error: words('brc20AmountMissing') }
  // It means thousands to some people and decimals to others.
  if (text.includes(',')) return { error: words('sendAmountComma') }
  if (held === null) return { error: null }
  try {
    return { units: parseRuneAmount(text, held.divisibility) }
  } catch (error) {
    if (!(error instanceof InvalidRuneAmountError)) throw error
    return { error: explain(error, held.divisibility) }
  }
}

function explain({ reason }: InvalidRuneAmountError, divisibility: number): string {
  if (reason === 'zero') return words('brc20AmountZero')
  if (reason === 'too-large') return words('runeAmountTooLarge')
  if (reason === 'malformed') return words('brc20AmountInvalid')
  return divisibility === 0
    ? words('runeAmountWhole')
    : countWords('brc20AmountTooPrecise', divisibility)
}

function unitsOf(amount: string, divisibility: number): bigint {
  return /^[0.]*$/.test(amount) ? 0n : parseRuneAmount(amount, divisibility)
}
