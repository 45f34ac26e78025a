import { describe, expect, it } from 'vitest'
import { explainTicker, parseDeploy, parseTimes } from './operation-form.ts'

const FORM = { tick: 'ordi', max: '21000000', lim: '1000', dec: '18' }

describe('a ticker that somebody typed', () => {
  it('has four or five bytes, however many characters those are', () => {
    for (const tick of ['ordi', '$OG$', 'satch', '🐸', 'ÄÖ', '€x'])
      expect(explainTicker(tick)).toBeNull()
    for (const tick of ['abc', 'ÄÖÜ€', 'toolong', '€'])
      expect(explainTicker(tick)).toContain('bytes')
    expect(explainTicker('')).toContain('missing')
    expect(explainTicker('sixsix')).toContain('cannot do')
    expect(explainTicker('ab\0d')).toContain('bytes')
  })
})

describe('a deploy that somebody typed', () => {
  it('is what is inscribed, with amounts as indexers read them', () => {
    expect(parseDeploy({ ...FORM, max: '21 000 000', lim: '1000.0', dec: '8' }).operation).toEqual({
      op: 'deploy',
      tick: 'ordi',
      max: '21000000',
      lim: '1000',
      dec: '8',
      selfMint: false,
    })
  })
  it('leaves out what is left empty', () => {
    expect(parseDeploy({ ...FORM, lim: '', dec: '' }).operation).toMatchObject({
      lim: null,
      dec: null,
    })
  })
  it('is for the deployer alone with a ticker of five bytes, and then may be without end', () => {
    expect(parseDeploy({ ...FORM, tick: 'satch', max: '0', lim: '' }).operation).toMatchObject({
      max: '0',
      selfMint: true,
    })
    expect(parseDeploy({ ...FORM, max: '0' }).errors.max).toContain('more than zero')
  })
  it('names the field that is wrong', () => {
    const fields = (form: Partial<typeof FORM>) =>
      Object.entries(parseDeploy({ ...FORM, ...form }).errors).flatMap(([name, error]) =>
        error === null ? [] : [name],
      )
    expect(fields({ tick: 'or' })).toEqual(['tick'])
    expect(fields({ max: '1.5', dec: '0' })).toEqual(['max'])
    expect(fields({ max: '18446744073709551616' })).toEqual(['max'])
    expect(fields({ lim: '0' })).toEqual(['lim'])
    expect(fields({ dec: '19' })).toEqual(['dec'])
    expect(fields({ dec: '1.5' })).toEqual(['dec'])
    expect(parseDeploy({ ...FORM, lim: 'many' }).operation).toBeNull()
  })
})

describe('how often something is minted', () => {
  it('is from 1 to 24', () => {
    expect(['1', ' 24 ', '0', '25', '2.5', '', '-1', '1e1'].map(parseTimes)).toEqual([
      1,
      24,
      null,
      null,
      null,
      null,
      null,
      null,
    ])
  })
})
