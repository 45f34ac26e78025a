import type {
  AtomicalDetail,
  AtomicalView,
  TokenView,
} from '../../../background/views/asset-views.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { nameAsset, shortenId } from '../../ui/text/asset-names.ts'
import { spellWord } from '../../ui/text/visible-parts.ts'
import { movableAtomical } from './chosen.ts'

/** What is read out and stands alone: "Atomical 77", "alice (Atomical)". */
export function nameAtomical(atomical: AtomicalView): string {
  return nameAsset(movableAtomical(atomical).asset)
}

/** Below its picture, where it is plain what it is: "alice", else "Atomical 77". */
export function nameTitle(atomical: AtomicalView): string {
  return atomical.name ?? nameAtomical(atomical)
}

/** What a tile has room for: its name, else "#77", else its id. */
export function nameShort({ id, name, number }: Pick<AtomicalView, 'id' | 'name' | 'number'>) {
  return name ?? (number === null ? shortenId(id) : `#${number}`)
}

/** The ticker in the spelling of tickers; a token whose ticker nobody told goes by its number or id. */
export function nameToken({ id, name, number }: Pick<TokenView, 'id' | 'name' | 'number'>) {
  if (name !== null) return name.toUpperCase()
  return words('assetAtomical', { name: number === null ? shortenId(id) : String(number) })
}

/** What kind of NFT it is, in words; a kind that is not known keeps its own name, which is whatever the server says. */
export function nameSubtype(subtype: string | null): string {
  if (subtype === null) return words('atomicalNft')
  const known = Object.entries(SUBTYPES).find(([name]) => name === subtype)
  return known ? words(known[1]) : spellWord(subtype)
}

const SUBTYPES = {
  realm: 'atomicalRealm',
  subrealm: 'atomicalSubrealm',
  container: 'atomicalContainer',
  dmitem: 'atomicalItem',
} as const satisfies { [subtype: string]: WordKey }

/** How far this wallet checked the mint, and what that means. */
export function explainMint({ isMinted }: Pick<AtomicalDetail, 'isMinted'>): {
  status: 'revealed' | 'contradicted' | 'server'
  title: string
  note: string
} {
  if (isMinted === null)
    return { status: 'server', title: words('proofServer'), note: words('atomicalMintUnread') }
  return isMinted
    ? { status: 'revealed', title: words('atomicalMintRead'), note: words('atomicalMintReadNote') }
    : {
        status: 'contradicted',
        title: words('atomicalMintMissing'),
        note: words('atomicalMintMissingNote'),
      }
}
