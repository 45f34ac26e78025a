import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toUtf8 } from '../../bitcoin/bytes.ts'
import { parseBrc20 } from '../content/brc20-text.ts'
import { type Brc20Fault, InvalidBrc20Error } from './brc20-amount.ts'
import {
  BRC20_CONTENT_TYPE,
  type Brc20Operation,
  encodeBrc20,
  parseBrc20Operation,
} from './brc20-operation.ts'

const read = (text: string | Uint8Array, type: string | null = BRC20_CONTENT_TYPE) =>
  parseBrc20Operation(type, text)

const MINT = { p: 'brc-20', op: 'mint', tick: 'ordi', amt: '1000' }
const DEPLOY = { p: 'brc-20', op: 'deploy', tick: 'ordi', max: '21000000', lim: '1000' }
const SELF_MINT = { ...DEPLOY, tick: 'pizza', self_mint: 'true' }
const SIX = { ...DEPLOY, tick: 'Six-by', salt: '00FF' }

describe('an operation of BRC-20', () => {
  // Inscription 348020, b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0.
  it('is read from the first deploy there was', () => {
    const body = `{ 
  "p": "brc-20",
  "op": "deploy",
  "tick": "ordi",
  "max": "21000000",
  "lim": "1000"
}`
    const deploy = { op: 'deploy', tick: 'ordi', max: '21000000', lim: '1000', dec: null }
    expect(read(toUtf8(body), 'text/plain;charset=utf-8')).toEqual({ ...deploy, selfMint: false })
  })

  it.each<[string, Brc20Operation]>([
    [
      '{"p":"brc-20","op":"mint","tick":"ordi","amt":"1000"}',
      { op: 'mint', tick: 'ordi', amt: '1000' },
    ],
    [
      '{"p":"brc-20","op":"transfer","tick":"🍊","amt":"0.5"}',
      { op: 'transfer', tick: '🍊', amt: '0.5' },
    ],
    [
      '{"p":"brc-20","op":"transfer","tick":"a-b-c6","amt":"1"}',
      { op: 'transfer', tick: 'a-b-c6', amt: '1' },
    ],
    [
      '{"p":"brc-20","op":"deploy","tick":"ordi","max":"21000000"}',
      { op: 'deploy', tick: 'ordi', max: '21000000', lim: null, dec: null, selfMint: false },
    ],
    [
      '{"p":"brc-20","op":"deploy","tick":"pizza","max":"0","lim":"5.25","dec":"2","self_mint":"true"}',
      { op: 'deploy', tick: 'pizza', max: '0', lim: '5.25', dec: '2', selfMint: true },
    ],
    [
      '{"p":"brc-20","op":"deploy","tick":"Six-by","max":"21","salt":"00FF"}',
      {
        ...{ op: 'deploy', tick: 'Six-by', max: '21', lim: null, dec: null, selfMint: false },
        salt: '00FF',
      },
    ],
    [
      '{"p":"brc-20","op":"deploy","tick":"sixers","max":"0","self_mint":"true","salt":""}',
      {
        ...{ op: 'deploy', tick: 'sixers', max: '0', lim: null, dec: null, selfMint: true },
        salt: '',
      },
    ],
  ])('%s is what wallets write for it, and is read back', (text, operation) => {
    expect(encodeBrc20(operation)).toBe(text)
    expect(read(text)).toEqual(operation)
    expect(read(toUtf8(text), 'application/json')).toEqual(operation)
  })

  it('may have the same names in what lies within, and what looks like names in texts', () => {
    const memo = { amt: '{"amt":"2","amt":"3"}', tick: ['amt', { 'a\\"': 1, amt: 2 }], 'amt"': ':' }
    const text = JSON.stringify({ ...MINT, memo, 'amt"': '"amt":' })
    expect(read(text)).toEqual({ op: 'mint', tick: 'ordi', amt: '1000' })
  })

  it('may have fields that nobody knows, white space, and tickers in capitals', () => {
    const text = '{"p":"brc-20",\n "op":"mint","tick":"ORDI","amt":"1000","memo":{"a":[1]}}'
    expect(read(text, 'text/plain')).toEqual({ op: 'mint', tick: 'ORDI', amt: '1000' })
  })

  it.each([
    ['a blank', ' '],
    ['a tab', '\t'],
    ['a line feed', '\n'],
    ['a carriage return', '\r'],
    ['several of them', '\r\n\t  \n'],
  ])('may have %s before and behind it, which indexers read over', (_, space) => {
    const text = JSON.stringify(MINT)
    for (const body of [`${space}${text}`, `${text}${space}`, `${space}${text}${space}`]) {
      const mint = { op: 'mint', tick: 'ordi', amt: '1000' }
      expect(read(body)).toEqual(mint)
      expect(read(toUtf8(body), 'application/json')).toEqual(mint)
      expect(parseBrc20('text/plain', body)).toEqual({ op: 'mint', tick: 'ordi', amount: '1000' })
    }
  })

  // libbrc20-indexer's TrimSpace takes them off before it looks for braces, but its parser of JSON does not take them.
  it.each([
    ['a vertical tab', '\v'],
    ['a form feed', '\f'],
    ['a next line', '\u0085'],
    ['a no-break space', '\u00a0'],
    ['an em space', '\u2003'],
    ['a line separator', '\u2028'],
    ['an ideographic space', '\u3000'],
    ['a zero byte', '\0'],
  ])('may not have %s before or behind it', (_, space) => {
    const text = JSON.stringify(MINT)
    for (const body of [`${space}${text}`, `${text}${space}`]) {
      expect(() => read(body)).toThrow(expect.objectContaining({ reason: 'not-json' }))
      expect(parseBrc20('text/plain', body)).toBeNull()
    }
  })

  it('of any kind is read back as it was encoded', () => {
    const tick = fc.constantFrom('ordi', 'OXBT', '💎', 'ab c', '"\\"\\', 'éé')
    const digits = fc.integer({ min: 1, max: 1_000_000_000 }).map(String)
    const amt = fc
      .tuple(digits, fc.constantFrom('', '.5', '.000000000000000001'))
      .map(([whole, rest]) => whole + rest)
    const operation = fc.oneof(
      fc.record({ op: fc.constantFrom('mint', 'transfer'), tick, amt }),
      fc.record({
        op: fc.constant('deploy' as const),
        tick,
        max: digits,
        lim: fc.option(digits),
        dec: fc.option(fc.integer({ min: 0, max: 18 }).map(String)),
        selfMint: fc.constant(false),
      }),
    )
    fc.assert(
      fc.property(operation, one => {
        expect(read(encodeBrc20(one as Brc20Operation))).toEqual(one)
      }),
    )
  })
})

describe('what indexers pass over is refused', () => {
  const json = (value: object, changes: object = {}) => JSON.stringify({ ...value, ...changes })
  const without = (value: object, field: string) =>
    JSON.stringify(value, (key, entry) => (key === field ? undefined : entry))

  it.each<[string, string | Uint8Array, Brc20Fault, string | null]>([
    ['an empty body', '', 'not-json', null],
    ['text', 'gm', 'not-json', null],
    ['a comma at the end', '{"p":"brc-20","op":"mint","tick":"ordi","amt":"1",}', 'not-json', null],
    ['single quotes', "{'p':'brc-20','op':'mint','tick':'ordi','amt':'1'}", 'not-json', null],
    ['names without quotes', '{p:"brc-20",op:"mint",tick:"ordi",amt:"1"}', 'not-json', null],
    ['a comment', `${json(MINT)}//`, 'not-json', null],
    ['a byte order mark', `\ufeff${json(MINT)}`, 'not-json', null],
    ['half a character in the ticker', json(MINT).replace('ordi', 'o\\ud83d'), 'not-json', null],
    ['half a character elsewhere', json(MINT, { memo: '\ud83d' }), 'not-json', null],
    ['a number beyond all', json(MINT).replace('}', ',"n":1e999}'), 'not-json', null],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), 'not-utf8', null],
    ['null', 'null', 'not-an-object', null],
    ['a list of operations', `[${json(MINT)}]`, 'not-an-object', null],
    ['a text in JSON', '"brc-20"', 'not-an-object', null],
    ['an amount twice', json(MINT).replace('}', ',"amt":"1000"}'), 'repeated', 'amt'],
    ['an amount twice, once in capitals', json(MINT, { AMT: '1' }), 'repeated', 'amt'],
    [
      'an amount twice, once escaped',
      json(MINT).replace('}', ',"\\u0061mt":"1"}'),
      'repeated',
      'amt',
    ],
    ['no protocol', without(MINT, 'p'), 'protocol', 'p'],
    ['another protocol', json(MINT, { p: 'brc20' }), 'protocol', 'p'],
    ['the protocol in capitals', json(MINT, { p: 'BRC-20' }), 'protocol', 'p'],
    ['a name in capitals', json(MINT).replace('"p"', '"P"'), 'protocol', 'p'],
    ['no operation', without(MINT, 'op'), 'operation', 'op'],
    ['an unknown operation', json(MINT, { op: 'burn' }), 'operation', 'op'],
    ['the operation in capitals', json(MINT, { op: 'Mint' }), 'operation', 'op'],
    ['no ticker', without(MINT, 'tick'), 'missing', 'tick'],
    ['a ticker that is a number', json(MINT, { tick: 1234 }), 'not-text', 'tick'],
    ['a ticker of three bytes', json(MINT, { tick: 'abc' }), 'ticker', 'tick'],
    ['a ticker of seven bytes', json(MINT, { tick: 'abcdefg' }), 'ticker', 'tick'],
    ['a ticker of four letters, seven bytes', json(MINT, { tick: 'äöüa' }), 'ticker', 'tick'],
    ['a ticker with a zero byte', json(MINT, { tick: 'abc\0' }), 'ticker', 'tick'],
    ['six bytes that are no letters', json(MINT, { tick: 'ab cde' }), 'ticker', 'tick'],
    ['a deploy of six bytes', json(DEPLOY, { tick: 'abcdef' }), 'needs-predeploy', 'salt'],
    ['a salt that is no hex', json(SIX, { salt: 'x' }), 'needs-predeploy', 'salt'],
    ['no end of six bytes for everybody', json(SIX, { max: '0' }), 'zero', 'max'],
    ['no amount', without(MINT, 'amt'), 'missing', 'amt'],
    ['an amount that is a number', json(MINT, { amt: 1000 }), 'not-text', 'amt'],
    ['an amount of null', json(MINT, { amt: null }), 'not-text', 'amt'],
    ['an amount of zero', json(MINT, { amt: '0' }), 'zero', 'amt'],
    ['an amount below zero', json(MINT, { amt: '-1' }), 'not-a-number', 'amt'],
    ['an amount with a sign', json(MINT, { amt: '+1' }), 'not-a-number', 'amt'],
    ['an amount with an exponent', json(MINT, { amt: '1e3' }), 'not-a-number', 'amt'],
    ['an amount with space', json(MINT, { amt: ' 1' }), 'not-a-number', 'amt'],
    ['an amount that ends with its point', json(MINT, { amt: '1.' }), 'not-a-number', 'amt'],
    ['an amount with a comma', json(MINT, { amt: '1,5' }), 'not-a-number', 'amt'],
    [
      'more digits than there are',
      json(MINT, { amt: `1.${'0'.repeat(19)}` }),
      'too-precise',
      'amt',
    ],
    ['more than 64 bits', json(MINT, { amt: '18446744073709551616' }), 'too-large', 'amt'],
    ['a deploy without supply', without(DEPLOY, 'max'), 'missing', 'max'],
    ['a supply of zero', json(DEPLOY, { max: '0' }), 'zero', 'max'],
    ['a supply that is a number', json(DEPLOY, { max: 21 }), 'not-text', 'max'],
    ['a supply that is too precise', json(DEPLOY, { max: '1.5', dec: '0' }), 'too-precise', 'max'],
    ['a limit of zero', json(DEPLOY, { lim: '0' }), 'zero', 'lim'],
    ['a limit of null', json(DEPLOY, { lim: null }), 'not-text', 'lim'],
    ['a limit that is too precise', json(DEPLOY, { lim: '1.55', dec: '1' }), 'too-precise', 'lim'],
    ['nineteen decimals', json(DEPLOY, { dec: '19' }), 'decimals', 'dec'],
    ['decimals with a point', json(DEPLOY, { dec: '1.0' }), 'decimals', 'dec'],
    ['no decimals in a text', json(DEPLOY, { dec: '' }), 'decimals', 'dec'],
    ['decimals that are a number', json(DEPLOY, { dec: 8 }), 'not-text', 'dec'],
    ['five bytes without self-mint', json(DEPLOY, { tick: 'pizza' }), 'self-mint', 'self_mint'],
    ['self-mint that is no text', json(SELF_MINT, { self_mint: true }), 'self-mint', 'self_mint'],
    ['self-mint in capitals', json(SELF_MINT, { self_mint: 'True' }), 'self-mint', 'self_mint'],
    ['self-mint of four bytes', json(DEPLOY, { self_mint: 'true' }), 'self-mint', 'self_mint'],
    ['no limit for a self-mint of zero', json(SELF_MINT, { max: '0', lim: '0' }), 'zero', 'lim'],
  ])('%s', (_, body, reason, field) => {
    expect(() => read(body)).toThrow(InvalidBrc20Error)
    expect(() => read(body)).toThrow(expect.objectContaining({ reason, field }))
  })

  it.each([
    null,
    '',
    'text/html',
    'TEXT/PLAIN',
    'text/plain ;charset=utf-8',
    ' text/plain',
    'text/plainx',
  ])('under the content type %s', type => {
    const fault = { reason: 'content-type', field: null }
    expect(() => read(json(MINT), type)).toThrow(expect.objectContaining(fault))
  })

  it('whatever it is: never with another error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.uint8Array()), body => {
        try {
          read(body)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidBrc20Error)
        }
      }),
    )
  })
})
