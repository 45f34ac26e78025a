/**
 * How amounts, addresses, names and other people's texts are written, in the person's language. Every digit of an
 * amount stays, and characters that hide or reorder text are made visible. Nothing here asks the background.
 */

import type { AssetView, UncheckedReason } from '../../../background/views/asset-views.ts'
import { keyOfAsset } from '../../../ordinals/asset-key.ts'
import { joinNames } from '../../platform/join-words.ts'
import { countWords, currentLanguage, isolate, type WordKey, words } from '../../platform/words.ts'

/**
 * "Inscription 1234", "1,000.5 UNCOMMON•GOODS", "Atomical 77", "alice (Atomical)", "500 ATOM (ARC-20)"; what has no number that is
 * known goes by its id.
 */
export function nameAsset(asset: AssetView): string {
  if (asset.kind === 'rune')
    return words('assetRune', { amount: formatRuneAmount(asset.amount), name: asset.name })
  if (asset.kind === 'atomical') return nameAtomical(asset)
  return words('assetInscription', { name: nameByNumber(asset) })
}

function nameAtomical(asset: AssetView & { kind: 'atomical' }): string {
  const { type, name, amount } = asset
  const numbered = words('assetAtomical', { name: nameByNumber(asset) })
  if (type === 'nft') return name === null ? numbered : words('assetAtomicalNamed', { name })
  const token = name === null ? numbered : name.toUpperCase()
  return words('assetToken', { amount: formatRuneAmount(amount), name: token })
}

function nameByNumber({ id, number }: { id: string; number: number | null }): string {
  return number === null ? shortenId(id) : formatNumber(number)
}

/** "#1234", where there is no room for more. */
export function nameNumber({ number }: { number: number }): string {
  return isolate(`#${number}`.replace('-', '−'))
}

/** What is on a coin or travels together, in a sentence: two by name, more by number. */
export function listAssets(assets: readonly AssetView[], name = nameAsset): string {
  const different = dropRepeated(assets)
  return different.length === 2
    ? joinNames(different.map(asset => name(asset)))
    : countAssets(different, name)
}

/** A single one by name, else how many there are of what. */
export function countAssets(assets: readonly AssetView[], name = nameAsset): string {
  const different = dropRepeated(assets)
  const [only] = different
  if (different.length === 1 && only) return name(only)
  const inscriptions = different.filter(({ kind }) => kind === 'inscription').length
  const atomicals = different.filter(isNft).length
  const tokens = countKinds(different, 'atomical') - atomicals
  const runes = countKinds(different, 'rune')
  return joinNames([
    ...(inscriptions > 0 ? [countWords('assetInscriptions', inscriptions)] : []),
    ...(atomicals > 0 ? [countWords('assetAtomicals', atomicals)] : []),
    ...(tokens > 0 ? [countWords('assetTokens', tokens)] : []),
    ...(runes > 0 ? [countWords('assetRunes', runes)] : []),
  ])
}

function countKinds(assets: readonly AssetView[], kind: AssetView['kind']): number {
  return new Set(assets.filter(asset => asset.kind === kind).map(keyOfAsset)).size
}

/** Names an inscription once, though several transactions may move it. Units of a token add up. */
function dropRepeated(assets: readonly AssetView[]): readonly AssetView[] {
  const seen = new Map<string, AssetView>()
  for (const [index, asset] of assets.entries()) {
    const key = asset.kind === 'rune' ? `rune ${index}` : keyOfAsset(asset)
    const known = seen.get(key)
    if (!known) seen.set(key, asset)
    else if (asset.kind === 'atomical' && asset.type === 'ft' && known.kind === 'atomical')
      seen.set(key, { ...asset, amount: String(BigInt(known.amount) + BigInt(asset.amount)) })
  }
  return [...seen.values()]
}

/** A whole Atomical, which has a picture. */
export function isNft(asset: AssetView): asset is AssetView & { kind: 'atomical' } {
  return asset.kind === 'atomical' && asset.type === 'nft'
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

/** Cursed inscriptions have negative numbers. */
function formatNumber(number: number): string {
  return number < 0 ? `−${String(-number)}` : String(number)
}
