import { describe, expect, it } from 'vitest'
import {
  assertStorable,
  MAX_PARAMS_LENGTH,
  measureParams,
  parseWantedNetwork,
  readRequest,
} from './page-message.ts'

const INVALID = expect.objectContaining({ code: -32602 })

describe('a message of a page', () => {
  const request = { id: 'a', method: 'connect', params: [] }

  it('is read as a request, without whatever else is in it', () => {
    expect(readRequest({ ...request, origin: 'https://bank.example' })).toStrictEqual(request)
    expect(readRequest({ ...request, network: 'signet' })).toStrictEqual({
      ...request,
      network: 'signet',
    })
  })

  it.each([
    ['null', null],
    ['text', 'connect'],
    ['nothing', undefined],
    ['one without an id', { method: 'connect', params: [] }],
    ['one without a method', { id: 'a', params: [] }],
    ['one without parameters', { id: 'a', method: 'connect' }],
    ['one whose id is a number', { ...request, id: 1 }],
    ['one whose id is empty', { ...request, id: '' }],
    ['one whose id is a list of one', { ...request, id: ['a'] }],
    ['one whose id is one of the wallet itself', { ...request, id: 'a/0' }],
    ['one with an id of 65 characters', { ...request, id: 'a'.repeat(65) }],
    ['one whose method is a number', { ...request, method: 1 }],
    ['one whose method is a list', { ...request, method: ['connect'] }],
    ['one whose parameters are an object', { ...request, params: { length: 0 } }],
  ])('that is %s is not listened to', (_, message) => {
    expect(readRequest(message)).toBeNull()
  })

  it('may have an id of 64 characters, and of a method’s name the first 64 are looked at', () => {
    const id = 'a'.repeat(64)
    expect(readRequest({ ...request, id })?.id).toBe(id)
    expect(readRequest({ ...request, method: 'm'.repeat(65) })?.method).toBe('m'.repeat(64))
  })

  it('may be for one network alone, of those that there are', () => {
    expect(parseWantedNetwork(undefined)).toBeNull()
    expect(parseWantedNetwork('signet')).toBe('signet')
    expect(() => parseWantedNetwork('liquid')).toThrow(INVALID)
  })
})

describe('parameters', () => {
  it.each([
    [[], '[],'],
    [['abc'], '["abc",],'],
    [[12, true, null], '[12,true,null,],'],
    [[['a'], []], '[["a",],[],],'],
    [[{ ab: 1 }], '[{"ab":1,},],'],
  ])('%j are as long as %s', (params, written) => {
    expect(measureParams(params)).toBe(written.length)
  })

  it('are as long as JSON writes them, but for commas and escapes', () => {
    const params = [{ psbt: 'ab'.repeat(500), options: [1, { index: 0, own: false }, null] }, 'x']
    const written = JSON.stringify(params).length
    expect(measureParams(params)).toBeGreaterThanOrEqual(written)
    expect(measureParams(params)).toBeLessThan(written + 10)
  })

  it('of 4,800,000 characters are taken, and no more', () => {
    const text = (length: number) => ['a'.repeat(length)]
    expect(measureParams(text(MAX_PARAMS_LENGTH - 6))).toBe(MAX_PARAMS_LENGTH)
    expect(() => measureParams(text(MAX_PARAMS_LENGTH - 5))).toThrow(INVALID)
    expect(() => assertStorable(text(MAX_PARAMS_LENGTH - 4))).not.toThrow()
    expect(() => assertStorable(text(MAX_PARAMS_LENGTH - 3))).toThrow(INVALID)
    // JSON writes six characters for each of these.
    expect(() => assertStorable(['\u0001'.repeat(MAX_PARAMS_LENGTH / 6)])).toThrow(INVALID)
    expect(() => measureParams([{ ['a'.repeat(MAX_PARAMS_LENGTH)]: 1 }])).toThrow(INVALID)
  })

  it('of 400,000 values are taken, and no more', () => {
    const values = (count: number) => [Array(count).fill(1)]
    expect(() => measureParams(values(399_998))).not.toThrow()
    expect(() => measureParams(values(399_999))).toThrow('at most 400000 values')
  })

  it('of 20 levels are taken, and no more', () => {
    const nested = (depth: number, inner: unknown = 1): unknown[] =>
      depth === 1 ? [inner] : [nested(depth - 1, inner)]
    expect(() => measureParams(nested(20))).not.toThrow()
    expect(() => measureParams(nested(21))).toThrow('20 levels deep')
    expect(() => measureParams(nested(20, []))).toThrow('20 levels deep')
    expect(() => measureParams(nested(20, {}))).toThrow('20 levels deep')
    expect(() => measureParams(nested(19, { a: 1 }))).not.toThrow()
    const named = (depth: number): object => (depth === 1 ? { a: 1 } : { a: named(depth - 1) })
    expect(() => measureParams([named(19)])).not.toThrow()
    expect(() => measureParams([named(20)])).toThrow('20 levels deep')
  })

  it('that are nested beyond all measure cost no stack', () => {
    let deep: unknown[] = []
    for (let depth = 0; depth < 200_000; depth++) deep = [deep]
    expect(() => measureParams(deep)).toThrow('20 levels deep')
  })
})
