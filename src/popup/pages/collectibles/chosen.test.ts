import { describe, expect, it } from 'vitest'
import type { AtomicalView, InscriptionView } from '../../../background/views/asset-views.ts'
import {
  burnNoteOf,
  type Chosen,
  findShared,
  listCompanions,
  movableAtomical,
  movableInscription,
  refreshChosen,
  sumPostage,
  toggleChosen,
} from './chosen.ts'

function inscription(id: string, changes: Partial<InscriptionView> = {}): InscriptionView {
  return {
    id,
    number: 1,
    kind: 'image',
    contentType: 'image/png',
    contentLength: 100,
    outpoint: `${id}:0`,
    offset: '0',
    sats: '546',
    height: 1,
    at: 0,
    companions: [],
    held: null,
    pending: false,
    proof: 'verified',
    ...changes,
  }
}

const NONE: Chosen = new Map()

describe('choosing inscriptions to send', () => {
  it('takes them in the order of the presses, and a second press takes one back', () => {
    const all = ['a', 'b', 'c', 'a'].map(id => inscription(id))
    expect([...all.reduce<Chosen>((all, one) => toggleChosen(all, one), NONE).keys()]).toEqual([
      'b',
      'c',
    ])
  })

  it.each([
    { held: 'reserved' },
    { held: 'locked' },
    { proof: 'contradicted' },
  ] as Partial<InscriptionView>[])('takes none that cannot be sent: %o', change => {
    expect(toggleChosen(NONE, inscription('a', change)).size).toBe(0)
    const chosen = toggleChosen(NONE, inscription('a'))
    expect(refreshChosen(chosen, [inscription('a', change)]).size).toBe(0)
  })

  it('keeps what is chosen when another page is read, with what is known of it now', () => {
    const chosen = [inscription('a'), inscription('b')].reduce<Chosen>(
      (all, one) => toggleChosen(all, one),
      NONE,
    )
    const moved = inscription('b', { outpoint: 'new:1' })
    const next = refreshChosen(chosen, [inscription('z'), moved])
    expect([...next.keys()]).toEqual(['a', 'b'])
    expect(next.get('b')).toEqual(moved)
  })

  it('names what shares their coins and was not chosen, and counts each coin once', () => {
    const rune = { kind: 'rune', name: 'UNCOMMON•GOODS', amount: '5', symbol: null } as const
    const asset = (id: string) => ({ kind: 'inscription', id, number: 7 }) as const
    const shared = { outpoint: 'shared:0', sats: '10000' }
    const chosen = [
      inscription('a', { ...shared, companions: [asset('b'), asset('c'), rune] }),
      inscription('b', { ...shared, companions: [asset('a'), asset('c'), rune] }),
      inscription('d'),
    ].map(movableInscription)
    expect(listCompanions(chosen)).toEqual([asset('c'), rune])
    expect(sumPostage(chosen)).toBe(10_546n)
    expect(findShared(chosen)).toBe('shared:0')
    const other = movableInscription(inscription('c', shared))
    expect(findShared([...chosen, other])).toBeNull()
  })

  it('takes an Atomical and an inscription of the same id for two things', () => {
    const shared = { outpoint: 'shared:0', sats: '546' }
    const asset = { kind: 'atomical', type: 'nft', id: 'a', number: 7, name: null } as const
    const atomical: AtomicalView = {
      ...{ id: 'a', number: 7, name: null, held: null, pending: false },
      ...shared,
      companions: [{ kind: 'inscription', id: 'a', number: 1 }],
    }
    const held = inscription('a', { ...shared, companions: [{ ...asset, amount: '1' }] })
    const both = [movableAtomical(atomical), movableInscription(held)]
    expect(listCompanions(both)).toEqual([])
    expect(listCompanions(both.slice(0, 1))).toEqual(atomical.companions)
    expect(listCompanions(both.slice(1))).toEqual(held.companions)
    expect(sumPostage(both)).toBe(546n)
  })

  it('chooses Atomicals in the same way', () => {
    const atomical = { id: 'a', held: null }
    expect([...toggleChosen(new Map(), atomical).keys()]).toEqual(['a'])
    expect(toggleChosen(new Map(), { ...atomical, held: 'locked' }).size).toBe(0)
  })
})

describe('what a burn is said to destroy', () => {
  const one = { ...inscription('a'), rareSats: [] }

  it('is one sat for the first of its coin, and for any other what the review says', () => {
    expect(burnNoteOf(one)).toBe('burnSatsOne')
    expect(burnNoteOf({ ...one, offset: '1' })).toBe('burnSatsNote')
  })

  it('is nothing where it is not burned: of a place in its coin that nobody knows, too', () => {
    // An index that has it on another coin leaves its place here unknown, which is shown as the first.
    expect(burnNoteOf({ ...one, proof: 'contradicted' })).toBeNull()
    expect(burnNoteOf({ ...one, held: 'locked' })).toBeNull()
    const rune = { kind: 'rune', name: 'UNCOMMON•GOODS', amount: '1', symbol: null } as const
    expect(burnNoteOf({ ...one, companions: [rune] })).toBeNull()
    const rare = { sat: '0', offset: '0', rarity: 'mythic', name: 'a', height: 0 } as const
    expect(burnNoteOf({ ...one, rareSats: [rare] })).toBeNull()
  })
})
