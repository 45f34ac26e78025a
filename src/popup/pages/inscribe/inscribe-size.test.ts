import { describe, expect, it } from 'vitest'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { emptyInscribeForm, type InscribeForm, type ItemForm } from './inscribe-form.ts'
import { estimateInscribing, weighItem } from './inscribe-size.ts'

function text(text: string): ItemForm {
  return { key: text, kind: 'text', text }
}

function formOf(items: ItemForm[], changes: Partial<InscribeForm> = {}): InscribeForm {
  return { ...emptyInscribeForm(), items, ...changes }
}

const ACCOUNT = {
  id: '1',
  name: 'Account 1',
  source: 'seed' as const,
  addressType: 'p2tr' as const,
  // BIP-86's first address.
  address: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  publicKey: '03cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115',
  descriptor: null,
  ordinals: null,
  derivationPath: "m/86'/0'/0'/0/0",
  phraseId: '0f'.repeat(16),
  hidden: false,
}

function coinOf(sats: string, held: CoinView['held'] = null): CoinView {
  const outpoint = `${'1'.repeat(64)}:0`
  return {
    ...{ outpoint, sats, held },
    height: 1,
    assets: [],
    unchecked: null,
    choice: null,
    rareSats: [],
    mergeable: true,
    label: '',
  }
}

const PLAIN = { isPacked: false, metadata: '' }

const CONTEXT = {
  account: ACCOUNT,
  network: 'mainnet' as const,
  coins: [coinOf('1000000')],
  feeRate: 7,
}

describe('what the form says about the cost', () => {
  // The figures of a wallet that inscribes in the same way: 139 vB a reveal, 197 vB the commit, at 7 sat/vB.
  it('is the fee of two texts as others reckon it', () => {
    expect(Math.ceil(weighItem(text('hello'), PLAIN) / 4)).toBe(139)
    expect(estimateInscribing(formOf([text('hello'), text('world')]), CONTEXT)).toBe(
      973n + 973n + 1379n,
    )
  })

  it('grows by a quarter of what is inscribed', () => {
    const small = weighItem(fileOf(100_000), PLAIN)
    const large = weighItem(fileOf(200_000), PLAIN)
    expect((large - small) / 100_000).toBeCloseTo(1 + 3 / 520, 2)
  })

  it('is that of the compressed file once that is chosen', () => {
    const file = fileOf(100_000, new Uint8Array(20_000))
    const whole = weighItem(file, PLAIN)
    // The tag takes two bytes, "gzip" five.
    const packed = weighItem(file, { ...PLAIN, isPacked: true })
    expect(packed - weighItem(fileOf(20_000), PLAIN)).toBe(7)
    expect(weighItem(file, PLAIN)).toBe(whole)
  })

  it('counts metadata about as long as it is', () => {
    // As CBOR 22 bytes, with a tag and a length of three more (RFC 8949).
    const metadata = '{"artist":"Alice","year":2026}'
    const plain = weighItem(text('hello'), PLAIN)
    const more = weighItem(text('hello'), { ...PLAIN, metadata }) - plain
    expect(Math.abs(more - 25)).toBeLessThan(10)
  })

  it('counts no coin that may not be spent', () => {
    const form = formOf([text('hello')])
    const fees = [coinOf('600'), coinOf('600'), coinOf('5000')]
    const free = estimateInscribing(form, { ...CONTEXT, coins: [...fees, coinOf('9000')] })
    const held = estimateInscribing(form, {
      ...CONTEXT,
      coins: [coinOf('9000', 'inscribed'), coinOf('9000')],
    })
    expect(free && held && free > held).toBe(true)
  })

  it('is more with a parent, whose coin goes through each of them', () => {
    const parent = `${'a'.repeat(64)}i0`
    const alone = estimateInscribing(formOf([text('hello')]), CONTEXT)
    const child = estimateInscribing(formOf([text('hello')], { parent }), CONTEXT)
    expect(alone && child && child > alone + 7n * 150n).toBe(true)
  })

  it('is not known without a fee rate or without coins', () => {
    expect(estimateInscribing(formOf([text('a')]), { ...CONTEXT, feeRate: null })).toBeNull()
    expect(estimateInscribing(formOf([text('a')]), { ...CONTEXT, coins: null })).toBeNull()
  })
})

function fileOf(size: number, packed: Uint8Array | null = null): ItemForm {
  const bytes = new Uint8Array(size)
  return { key: '', kind: 'file', name: '', contentType: 'image/png', bytes, packed }
}
