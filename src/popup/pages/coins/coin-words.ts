import type { ActivityDetails } from '../../../background/views/activity-views.ts'
import type { HeldReason } from '../../../background/views/asset-views.ts'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { joinSentences } from '../../platform/join-words.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { shortenOutpoint } from '../../ui/copied-text.tsx'
import { countAssets, UNCHECKED_WORDS } from '../../ui/text/asset-names.ts'
import type { AmountWriter } from '../../ui/text/hidden-amounts.tsx'
import type { CoinAction } from './coin-groups.ts'

const ACTION_WORDS: { [action in CoinAction]: WordKey } = {
  lock: 'coinsLock',
  unlock: 'coinsUnlock',
  allow: 'coinsAllow',
  protect: 'coinsProtect',
}

/** What a coin's button says, and what it is called where there are many: with the amount, or with the coin where amounts are hidden. */
export function nameAction(
  action: CoinAction,
  { sats, outpoint }: CoinView,
  amounts: AmountWriter,
): { text: string; label: string } {
  const text = words(ACTION_WORDS[action])
  const which = amounts.isHidden ? shortenOutpoint(outpoint) : amounts.coin(BigInt(sats))
  return { text, label: `${text}: ${which}` }
}

const REASON_WORDS: { [reason in HeldReason]: [title: WordKey, why: WordKey] } = {
  reserved: ['coinsReserved', 'coinsReservedWhy'],
  unconfirmed: ['coinsUnconfirmed', 'coinsUnconfirmedWhy'],
  inscribed: ['coinsInscribed', 'coinsInscribedWhy'],
  atomical: ['coinsAtomical', 'coinsAtomicalWhy'],
  runic: ['coinsRunic', 'coinsRunicWhy'],
  ordinals: ['coinsOrdinals', 'coinsOrdinalsWhy'],
  rare: ['coinsRare', 'coinsRareWhy'],
  small: ['coinsSmall', 'coinsSmallWhy'],
  dust: ['coinsDust', 'coinsDustWhy'],
  unknown: ['coinsUnchecked', 'coinsUncheckedWhy'],
  locked: ['coinsLocked', 'coinsLockedWhy'],
}

/** What holds coins back, with null for what payments may spend. */
export function nameReason(held: HeldReason | null): string {
  return words(held === null ? 'coinsFree' : REASON_WORDS[held][0])
}

/** Why coins are held back, `unchecked` being what they have in common; null for those that are not. */
export function explainReason({
  held,
  unchecked,
}: Pick<CoinView, 'held' | 'unchecked'>): string | null {
  if (held === null) return null
  // An unconfirmed coin needs no second reason.
  const isTold = held === 'unconfirmed' || unchecked === null
  return joinSentences([
    isTold ? '' : words(UNCHECKED_WORDS[unchecked]),
    words(REASON_WORDS[held][1]),
  ])
}

/** How a coin stands: what holds it back, or that the person allowed what the rules would not. */
export function nameState({ held, choice }: Pick<CoinView, 'held' | 'choice'>): string {
  return held === null && choice === 'unlocked' ? words('coinsAllowed') : nameReason(held)
}

/** The same of a single coin in full: `why` is null where the title says all. */
export function describeState(coin: CoinView): { title: string; why: string | null } {
  const { held, choice, unchecked } = coin
  const isLocked = held === 'locked'
  if (held !== null && !isLocked) return { title: nameReason(held), why: explainReason(coin) }
  return {
    title: isLocked
      ? words('coinsNowLocked')
      : words(choice === 'unlocked' ? 'coinsNowAllowed' : 'coinsFree'),
    why: unchecked === null ? null : words(UNCHECKED_WORDS[unchecked]),
  }
}

/** What sits on a coin in a few words; empty for nothing. */
export function nameContents({ assets, rareSats }: CoinView, { asset }: AmountWriter): string {
  return joinFacts([
    assets.length > 0 ? countAssets(assets, asset) : null,
    rareSats.length > 0 ? countWords('raritySats', rareSats.length) : null,
  ])
}

/**
 * The address that an own coin is at, out of the outputs of its transaction. Those are the server's word: an address that is not
 * known for an own one is none of the coin's, and gives null.
 */
export function ownAddressOf(outputs: ActivityDetails['outputs'], outpoint: string): string | null {
  const output = outputs[Number(outpoint.split(':')[1])]
  return output?.own ? output.address : null
}
