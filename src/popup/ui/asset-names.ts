import type { AssetView, UncheckedReason } from '../../background/ui-methods/asset-views.ts'
import { countWords, currentLanguage, type WordKey, words } from '../words.ts'

/** "Inscription 1234", "1,000.5 UNCOMMON•GOODS"; an inscription whose number is not known goes by its id. */
export function nameAsset(asset: AssetView): string {
  if (asset.kind === 'rune')
    return words('assetRune', { amount: formatRuneAmount(asset.amount), name: asset.name })
  return words('assetInscription', {
    name: asset.number === null ? shortenId(asset.id) : formatNumber(asset.number),
  })
}

/** What is on a coin or travels together, in a sentence: two by name, more by number. */
export function listAssets(assets: readonly AssetView[]): string {
  const different = dropRepeated(assets)
  return different.length === 2 ? joinNames(different.map(nameAsset)) : countAssets(different)
}

/** A single one by name, else how many there are of what. */
export function countAssets(assets: readonly AssetView[]): string {
  const different = dropRepeated(assets)
  const [only] = different
  if (different.length === 1 && only) return nameAsset(only)
  const inscriptions = different.filter(({ kind }) => kind === 'inscription').length
  const runes = new Set(different.map(asset => (asset.kind === 'rune' ? asset.name : null)))
  runes.delete(null)
  return joinNames([
    ...(inscriptions > 0 ? [countWords('assetInscriptions', inscriptions)] : []),
    ...(runes.size > 0 ? [countWords('assetRunes', runes.size)] : []),
  ])
}

/** There is only one of an inscription, however often it is named: several transactions may move the same. */
function dropRepeated(assets: readonly AssetView[]): readonly AssetView[] {
  const seen = new Set<string>()
  return assets.filter(
    asset => asset.kind === 'rune' || (!seen.has(asset.id) && seen.add(asset.id)),
  )
}

/** "6fb976…41i0". */
export function shortenId(id: string): string {
  const at = id.indexOf('i')
  return `${id.slice(0, 6)}…${id.slice(at - 2)}`
}

/** A decimal amount in the language's spelling, every digit kept. */
export function formatRuneAmount(amount: string): string {
  const [whole = '0', fraction] = amount.split('.')
  const grouped = /^\d+$/.test(whole) ? BigInt(whole).toLocaleString(currentLanguage()) : whole
  const point = (0.5).toLocaleString(currentLanguage()).charAt(1)
  return fraction === undefined ? grouped : `${grouped}${point}${fraction}`
}

/** Why nobody knows what sits on a coin, as a sentence. */
export const UNCHECKED_WORDS: { [why in UncheckedReason]: WordKey } = {
  unanswered: 'uncheckedUnanswered',
  behind: 'uncheckedBehind',
  'not-indexed': 'uncheckedNotIndexed',
  unconfirmed: 'uncheckedUnconfirmed',
  contradicted: 'uncheckedContradicted',
}

function joinNames(names: readonly string[]): string {
  const [first = '', second] = names
  return second === undefined ? first : words('assetPair', { first, second })
}

/** Cursed ones of old have numbers below zero. */
function formatNumber(number: number): string {
  return number < 0 ? `−${String(-number)}` : String(number)
}
