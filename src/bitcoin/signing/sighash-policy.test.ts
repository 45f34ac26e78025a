import { describe, expect, it } from 'vitest'
import { chooseSighash } from './sighash-policy.ts'

const ALL_TYPES = [0, 1, 2, 3, 0x81, 0x82, 0x83]
const ask = (request: Partial<Parameters<typeof chooseSighash>[0]>) =>
  chooseSighash({ taproot: true, field: null, listed: null, expert: false, ...request })

describe('a signature that covers the whole transaction', () => {
  it('is what is made when nobody asks for anything', () => {
    expect(ask({})).toBe(0)
    expect(ask({ taproot: false })).toBe(1)
    expect(ask({ listed: [] })).toBe(0)
  })

  it('is of the type that the PSBT or the list names', () => {
    expect(ask({ field: 1 })).toBe(1)
    expect(ask({ listed: [1] })).toBe(1)
    expect(ask({ listed: [0x83, 1] })).toBe(1)
    expect(ask({ field: 1, listed: [0, 1] })).toBe(1)
    expect(ask({ field: 0, listed: [1] })).toBeNull()
  })

  it('has no type 0 before taproot, not even for an expert', () => {
    for (const expert of [false, true]) {
      expect(ask({ taproot: false, field: 0, expert })).toBeNull()
      expect(ask({ taproot: false, field: 0, listed: [0], expert })).toBeNull()
      expect(ask({ taproot: false, listed: [0], expert })).toBeNull()
    }
  })
})

describe('a signature that covers less', () => {
  it('is never made for the PSBT alone or the list alone', () => {
    for (const taproot of [false, true])
      for (const type of [2, 3, 0x81, 0x82, 0x83]) {
        expect(ask({ taproot, field: type, expert: true })).toBeNull()
        expect(ask({ taproot, listed: [type], expert: true })).toBeNull()
        expect(ask({ taproot, field: type, listed: [1], expert: true })).toBeNull()
      }
  })

  it('is made where both agree, and of NONE and of plain SINGLE for an expert alone', () => {
    for (const taproot of [false, true])
      for (const type of [2, 3, 0x81, 0x82, 0x83]) {
        const both = { taproot, field: type, listed: ALL_TYPES }
        expect(ask({ ...both, expert: true })).toBe(type)
        expect(ask(both)).toBe(type === 0x81 || type === 0x83 ? type : null)
      }
  })

  it('is never of a type that means nothing', () => {
    for (const type of [4, 0x1f, 0x41, 0x80, 0x84, 0xff])
      expect(ask({ field: type, listed: [type], expert: true })).toBeNull()
  })
})
