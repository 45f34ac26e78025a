import { describe, expect, it } from 'vitest'
import type { SigningAccountView } from '../../../background/views/account-views.ts'
import {
  countSaved,
  emptyInscribeForm,
  type InscribeForm,
  type ItemForm,
  listPostages,
} from './inscribe-form.ts'
import { MOST_BYTES, parseInscribeForm } from './parse-inscribe-form.ts'

const RATES = { fastest: 12.5, halfHour: 8, hour: 3, minimum: 1 }
const ID = `${'a'.repeat(64)}i0`

// The first addresses of BIP-86's and BIP-84's vectors, and that of the first block.
const ADDRESSES = {
  taproot: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  segwit: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  legacy: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
}

function accountOf(address: string): SigningAccountView {
  return {
    ...{ id: '1', name: '', source: 'seed', addressType: 'p2tr', address },
    ...{ publicKey: '', descriptor: null, ordinals: null, derivationPath: null, hidden: false },
    phraseId: '0f'.repeat(16),
  }
}

function formOf(items: ItemForm[], changes: Partial<InscribeForm> = {}): InscribeForm {
  return { ...emptyInscribeForm(), items, ...changes }
}

function fileOf(size: number, key = 'file') {
  const bytes = new Uint8Array(size)
  return {
    key,
    kind: 'file' as const,
    name: 'a.png',
    contentType: 'image/png',
    bytes,
    packed: null,
  }
}

describe('the form of what is inscribed', () => {
  it('becomes the draft that it says, in its order', () => {
    const items: ItemForm[] = [
      { key: '1', kind: 'text', text: ' gm \n' },
      fileOf(2),
      { key: '3', kind: 'delegate', id: ` ${ID}` },
    ]
    const form = formOf(items, {
      ...{ parent: ID, label: ' art ', postage: '10000' },
      metadata: ' {"year": 2026}\n',
    })
    expect(parseInscribeForm(form, RATES).draft).toEqual({
      items: [
        // To the letter: blanks belong to a text.
        { kind: 'text', text: ' gm \n' },
        { kind: 'file', contentType: 'image/png', encoding: null, hex: '0000' },
        { kind: 'delegate', id: ID },
      ],
      postage: 10_000,
      feeRate: 8,
      parent: ID,
      metadata: '{"year": 2026}',
      label: 'art',
    })
  })

  it('is none without an item, or without a fee rate', () => {
    expect(parseInscribeForm(emptyInscribeForm(), RATES).draft).toBeNull()
    expect(parseInscribeForm(formOf([fileOf(1)]), null).draft).toBeNull()
  })

  it('says which item is not finished', () => {
    const items: ItemForm[] = [
      { key: '1', kind: 'text', text: '' },
      fileOf(1),
      { key: '3', kind: 'delegate', id: 'abc' },
    ]
    const { draft, errors } = parseInscribeForm(formOf(items), RATES)
    expect(draft).toBeNull()
    expect(errors.items.map(error => error !== null)).toEqual([true, false, true])
  })

  it('takes half of a character, as it is while it is typed, and says that it is broken', () => {
    const items: ItemForm[] = [{ key: '1', kind: 'text', text: 'gm \ud83e' }]
    const broken = parseInscribeForm(formOf(items, { metadata: '"\ud83e"' }), RATES)
    expect(broken).toMatchObject({
      draft: null,
      errors: {
        items: [expect.stringContaining('broken')],
        metadata: expect.stringContaining('broken'),
      },
    })
    const whole: ItemForm[] = [{ key: '1', kind: 'text', text: 'gm \ud83e\udde1' }]
    expect(parseInscribeForm(formOf(whole), RATES).draft).not.toBeNull()
  })

  it('refuses what no node relays: a file of more than one transaction, or too much together', () => {
    expect(parseInscribeForm(formOf([fileOf(MOST_BYTES)]), RATES).draft).not.toBeNull()
    expect(parseInscribeForm(formOf([fileOf(400_000)]), RATES).errors.items).toEqual([
      expect.stringContaining('396 kB'),
    ])
    const half = MOST_BYTES / 2
    const many = formOf([fileOf(half), fileOf(half, '2'), fileOf(half, '3')])
    expect(parseInscribeForm(many, RATES).errors.together).toContain('396 kB')
  })

  it('takes no parent that is not an inscription', () => {
    const { draft, errors } = parseInscribeForm(formOf([fileOf(1)], { parent: 'x' }), RATES)
    expect(draft).toBeNull()
    expect(errors.parent).toContain('64 characters')
  })

  it('takes no metadata that is not JSON', () => {
    for (const metadata of ['{artist: "Alice"}', '{"a": 1,}', "'x'"]) {
      const { draft, errors } = parseInscribeForm(formOf([fileOf(1)], { metadata }), RATES)
      expect(draft, metadata).toBeNull()
      expect(errors.metadata, metadata).toContain('JSON')
    }
    const blank = formOf([fileOf(1)], { metadata: ' \n' })
    expect(parseInscribeForm(blank, RATES).draft?.metadata).toBeNull()
  })

  it('inscribes files compressed where the person wants it, and only those that get smaller', () => {
    const items = [{ ...fileOf(500_000), packed: Uint8Array.of(0x1f, 0x8b) }, fileOf(3, '2')]
    const form = formOf(items)
    expect(countSaved(form)).toBe(499_998)
    // Whole, the first one is too large.
    expect(parseInscribeForm(form, RATES).draft).toBeNull()
    expect(parseInscribeForm({ ...form, isPacked: true }, RATES).draft?.items).toEqual([
      { kind: 'file', contentType: 'image/png', encoding: 'gzip', hex: '1f8b' },
      { kind: 'file', contentType: 'image/png', encoding: null, hex: '000000' },
    ])
  })

  it('offers no postage that the own address would not relay', () => {
    const listFor = (address: string) => listPostages(accountOf(address), 'mainnet')
    expect(listFor(ADDRESSES.taproot)).toEqual(['330', '546', '10000'])
    expect(listFor(ADDRESSES.segwit)).toEqual(['330', '546', '10000'])
    // A P2PKH output below 546 sats is dust.
    expect(listFor(ADDRESSES.legacy)).toEqual(['546', '10000'])
  })
})
