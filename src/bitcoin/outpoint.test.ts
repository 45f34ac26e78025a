import { describe, expect, it } from 'vitest'
import { formatOutpoint, parseOutpoint } from './outpoint.ts'

const TXID = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'

describe('parseOutpoint', () => {
  it.each([0, 1, 4_294_967_295])('reads output %i and writes it back', vout => {
    expect(parseOutpoint(`${TXID}:${vout}`)).toEqual({ txid: TXID, vout })
    expect(formatOutpoint({ txid: TXID, vout })).toBe(`${TXID}:${vout}`)
  })

  it.each([
    '',
    TXID,
    `${TXID}:`,
    `${TXID}:-1`,
    `${TXID}:01`,
    `${TXID}:1.0`,
    `${TXID}:4294967296`,
    `${TXID}:0 `,
    ` ${TXID}:0`,
    `${TXID.toUpperCase()}:0`,
    `${TXID.slice(1)}:0`,
    `${TXID}i0`,
  ])('refuses %j', text => {
    expect(() => parseOutpoint(text)).toThrow('outpoint')
  })
})
