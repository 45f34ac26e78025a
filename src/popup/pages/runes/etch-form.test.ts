import { describe, expect, it } from 'vitest'
import { cleanName, EMPTY_ETCH_FORM, type EtchForm, parseEtchForm } from './etch-form.ts'

const RATES = { fastest: 12, halfHour: 8, hour: 3, minimum: 1 }
const GOOD: EtchForm = { ...EMPTY_ETCH_FORM, name: 'SATCHEL•CAT•COIN', symbol: '⧉', premine: '21' }
const MINTABLE: EtchForm = { ...GOOD, isMintable: true, amount: '10', cap: '500' }

function parse(changes: Partial<EtchForm> = {}, form = GOOD) {
  return parseEtchForm({ ...form, ...changes }, RATES)
}

describe('the form of an etching', () => {
  it('means the rune that was typed, at the rate that was chosen', () => {
    expect(parse({ divisibility: ' 2 ', premine: '1 000.5', turbo: true }).draft).toEqual({
      ...{ name: 'SATCHEL•CAT•COIN', symbol: '⧉', divisibility: 2, premine: '1000.5' },
      ...{ terms: null, turbo: true, inscription: null, postage: 546, feeRate: 8, label: '' },
    })
  })

  it('means blocks of the chain or blocks counted from the etching, as was chosen', () => {
    const free = { start: null, end: null }
    const typed = { start: '10', end: '20' }
    expect(parse({ ...typed, limits: 'height' }, MINTABLE).draft?.terms).toEqual({
      ...{ amount: '10', cap: '500', height: { start: 10, end: 20 }, offset: free },
    })
    expect(parse({ ...typed, limits: 'offset' }, MINTABLE).draft?.terms).toEqual({
      ...{ amount: '10', cap: '500', height: free, offset: { start: 10, end: 20 } },
    })
    // What was typed before nothing was chosen does not count.
    expect(parse({ ...typed, limits: 'none' }, MINTABLE).draft?.terms).toMatchObject({
      ...{ height: free, offset: free },
    })
  })

  it('takes text or a file along as it is', () => {
    expect(parse({ inscribes: 'text', text: 'hello' }).draft?.inscription).toEqual({
      ...{ kind: 'text', text: 'hello' },
    })
    const file = { name: 'a.png', contentType: 'image/png', bytes: Uint8Array.of(1, 255) }
    expect(parse({ inscribes: 'file', file }).draft?.inscription).toEqual({
      ...{ kind: 'file', contentType: 'image/png', encoding: null, hex: '01ff' },
    })
    expect(parse({ inscribes: 'nothing', file, text: 'hello' }).draft?.inscription).toBeNull()
  })

  it.each<[string, string]>([
    ['satchel cat coin', 'SATCHEL•CAT•COIN'],
    ['satchel.cat-coin', 'SATCHEL•CAT•COIN'],
    ['SATCHEL•CAT', 'SATCHEL•CAT'],
  ])('writes %s as %s', (typed, name) => {
    expect(cleanName(typed)).toBe(name)
  })

  it.each<[keyof ReturnType<typeof parse>['errors'], Partial<EtchForm>]>([
    ['name', { name: '' }],
    ['name', { name: 'SATCHEL•' }],
    ['name', { name: 'SATCHEL1' }],
    ['name', { name: 'A'.repeat(27) }],
    ['symbol', { symbol: '' }],
    ['symbol', { symbol: 'ab' }],
    ['divisibility', { divisibility: '39' }],
    ['divisibility', { divisibility: '' }],
    ['premine', { premine: '' }],
    ['premine', { premine: '1.5' }],
    ['premine', { premine: '1,5' }],
    ['premine', { premine: '9'.repeat(39) }],
    ['amount', { isMintable: true, cap: '5' }],
    ['cap', { isMintable: true, amount: '5' }],
    ['cap', { isMintable: true, amount: '5', cap: '1.5' }],
    ['cap', { isMintable: true, amount: '2', cap: String(2n ** 127n), premine: '' }],
    ['end', { isMintable: true, amount: '5', cap: '5', limits: 'height' }],
    ['end', { isMintable: true, amount: '5', cap: '5', limits: 'height', start: '9', end: '9' }],
    ['start', { isMintable: true, amount: '5', cap: '5', limits: 'offset', start: 'x', end: '9' }],
    ['content', { inscribes: 'text' }],
    ['content', { inscribes: 'file' }],
  ])('means nothing while %s is wrong', (field, changes) => {
    const { draft, errors } = parse(changes)
    expect(draft).toBeNull()
    const wrong = Object.entries(errors).flatMap(([name, error]) => (error === null ? [] : name))
    expect(wrong).toEqual([field])
  })

  it('means nothing while no fee rate is known', () => {
    expect(parseEtchForm(GOOD, null).draft).toBeNull()
  })
})
