import { describe, expect, it } from 'vitest'
import { toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { tinyImage } from '../../ordinals/testing/tiny-images.ts'
import type { MintType } from '../../provider/inscribe-params.ts'
import { toProviderError } from '../requests/known-failures.ts'
import type { InscribeItem } from '../views/inscribe-views.ts'
import { parseDraftItems, parseMintItems } from './inscribe-items.ts'

const TEXT = 'text/plain;charset=utf-8'
const DEPLOY = '{"p":"brc-20","op":"deploy","tick":"ordi","max":"21000000"}'
const MINT = '{"p":"brc-20","op":"mint","tick":"ordi","amt":"1000"}'
const TRANSFER = '{"p":"brc-20","op":"transfer","tick":"ordi","amt":"0.5"}'

function mint(type: MintType, body: string, contentType: string | null = null) {
  return parseMintItems(type, [{ contentType, body }])[0]
}

function draft(item: unknown) {
  return parseDraftItems([item as InscribeItem], null)[0]
}

/** What a page is told. */
function refusal(work: () => unknown) {
  try {
    work()
  } catch (error) {
    const failure = toProviderError(error)
    if (failure) return failure
    throw error
  }
  throw new Error('It was taken')
}

describe('items of a mint', () => {
  it('are inscribed byte by byte as the page wrote them', () => {
    const spaced = '{ "p": "brc-20", "op": "mint", "tick": "ordi", "amt": "1000" }'
    for (const body of [spaced, `${MINT}\n`, ` \r\n\t${MINT} `]) {
      const operation = { op: 'mint', tick: 'ordi', amt: '1000' }
      for (const type of [50, 61] as const)
        expect(mint(type, body)).toEqual({
          content: { contentType: TEXT, body: toUtf8(body) },
          operation,
        })
    }
    expect(mint(61, '\u{1f7e0} hello\n')).toEqual({
      content: { contentType: TEXT, body: toUtf8('\u{1f7e0} hello\n') },
      operation: null,
    })
    expect(mint(61, '{"a":1}', 'application/json')?.content.contentType).toBe('application/json')
    expect(mint(61, '')?.content.body).toEqual(new Uint8Array())
  })

  it.each([
    [60, DEPLOY, 'deploy'],
    [50, MINT, 'mint'],
    [51, TRANSFER, 'transfer'],
  ] as const)('of type %i hold their own operation and no other', (type, body, op) => {
    expect(mint(type, body)?.operation?.op).toBe(op)
    for (const other of [DEPLOY, MINT, TRANSFER].filter(one => one !== body))
      expect(refusal(() => mint(type, other))).toMatchObject({
        code: -32602,
        message: expect.stringMatching(
          `^inscriptions\\[0\\]\\.body\\.op: expected "${op}" for type ${type}, got the string "`,
        ),
      })
  })

  it.each([
    ['not-json', '{"p":"brc-20","op":"mint","tick":"ordi","amt":"1",}'],
    ['not-text', '{"p":"brc-20","op":"mint","tick":"ordi","amt":1000}'],
    ['ticker', '{"p":"brc-20","op":"mint","tick":"ord","amt":"1"}'],
    ['not-a-number', '{"p":"brc-20","op":"mint","tick":"ordi","amt":"1,000"}'],
    ['zero', '{"p":"brc-20","op":"mint","tick":"ordi","amt":"0"}'],
    ['protocol', '{"p":"BRC-20","op":"mint","tick":"ordi","amt":"1"}'],
    ['missing', '{"p":"brc-20","op":"mint","tick":"ordi"}'],
    ['operation', '{"p":"brc-20","op":"MINT","tick":"ordi","amt":"1"}'],
  ])('that indexers would ignore are refused with the reason: %s', (reason, body) => {
    const error = refusal(() => mint(50, body))
    expect(error).toMatchObject({ code: -32602, data: { reason } })
    expect(error.message).toMatch(/^inscriptions\[0\]\.body: BRC-20.*expected .*ignore/)
  })

  it('that say that they are BRC-20 are held to it when they come as plain text, too', () => {
    expect(mint(61, MINT)?.operation).toEqual({ op: 'mint', tick: 'ordi', amt: '1000' })
    expect(refusal(() => mint(61, MINT.replace('1000', '-1')))).toMatchObject({
      data: { reason: 'not-a-number' },
    })
    // Not by its type.
    expect(mint(61, MINT.replace('1000', '-1'), 'text/markdown')?.operation).toBeNull()
    expect(refusal(() => mint(50, MINT, 'text/markdown'))).toMatchObject({
      data: { reason: 'content-type' },
    })
  })

  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['gif', 'image/gif'],
  ] as const)(
    'that are images are taken where their bytes begin as their type says: %s',
    (name, type) => {
      const hex = toHex(tinyImage(name))
      expect(mint(62, hex.toUpperCase(), type)).toEqual({
        content: { contentType: type, body: tinyImage(name) },
        operation: null,
      })
      const other = type === 'image/png' ? 'image/webp' : 'image/png'
      expect(refusal(() => mint(62, hex, other)).message).toMatch(
        /^inscriptions\[0\]\.body: expected the bytes of an image\/(png|webp) in hex, got a string of/,
      )
      // No raster hides behind an unsupported type.
      expect(refusal(() => mint(62, hex, 'image/bmp')).code).toBe(-32602)
    },
  )

  it.each(['text/plain', 'text/html;charset=UTF-8', 'text/plain; charset="utf-8"', 'text/css;a=b'])(
    'that are text are taken as what is written in UTF-8: %s',
    type => {
      const content = { contentType: type, body: toUtf8('ä') }
      expect(mint(61, 'ä', type)).toEqual({ content, operation: null })
    },
  )

  it('that are images may be drawings, and formats that only their own programs tell apart', () => {
    const svg = toHex(toUtf8('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    expect(mint(62, svg, 'image/svg+xml')?.content.contentType).toBe('image/svg+xml')
    expect(refusal(() => mint(62, toHex(toUtf8('<html>')), 'image/svg+xml')).code).toBe(-32602)
    expect(refusal(() => mint(62, 'ff', 'image/svg+xml')).code).toBe(-32602)
    expect(mint(62, 'ff0a00', 'image/jxl')?.content.body).toEqual(Uint8Array.of(0xff, 0x0a, 0))
  })

  it.each([
    ['inscriptions[0].contentType', 62, 'ffd8ff', null],
    ['inscriptions[0].contentType', 62, 'ffd8ff', 'text/plain'],
    ['inscriptions[0].contentType', 62, 'ffd8ff', 'image'],
    ['inscriptions[0].body', 62, 'hello', 'image/png'],
    ['inscriptions[0].body', 62, '', 'image/png'],
    ['inscriptions[0].contentType', 61, 'hello', 'image/png'],
    ['inscriptions[0].contentType', 61, 'hello', 'text/plain\n'],
    ['inscriptions[0].body', 61, '\ud800', null],
    ['inscriptions[0].contentType', 61, 'hello', 'text/plain;charset=utf-16le'],
    ['inscriptions[0].contentType', 61, 'hello', 'text/html; CharSet = "shift_jis"'],
    ['inscriptions[0].contentType', 61, 'hello', 'text/plain;charset=utf-8;charset=utf-7'],
    ['inscriptions[0].contentType', 50, MINT, 'text/plain;\u202e'],
  ] as const)(
    'are refused by the name of the field: %s of type %i',
    (field, type, body, contentType) => {
      const error = refusal(() => mint(type, body, contentType))
      expect(error.code).toBe(-32602)
      expect(error.message.split(':')[0]).toBe(field)
    },
  )

  it('name the one among many that is wrong', () => {
    const items = [MINT, MINT, '{}'].map(body => ({ contentType: null, body }))
    expect(refusal(() => parseMintItems(50, items)).message).toMatch(/^inscriptions\[2\]\.body: /)
  })
})

describe('items of our own form', () => {
  it('are text, files, BRC-20 operations and delegates', () => {
    const id = `${'ab'.repeat(32)}i0`
    expect(draft({ kind: 'text', text: 'hello' })?.content).toEqual({
      contentType: TEXT,
      body: toUtf8('hello'),
    })
    expect(
      draft({ kind: 'file', contentType: 'model/gltf-binary', encoding: null, hex: '00ff' })
        ?.content,
    ).toEqual({
      contentType: 'model/gltf-binary',
      body: Uint8Array.of(0, 255),
    })
    expect(
      draft({ kind: 'file', contentType: 'image/png', encoding: null, hex: '' })?.content.body,
    ).toEqual(new Uint8Array())
    const packed = { kind: 'file', contentType: 'text/html', encoding: 'gzip', hex: '1f8b' }
    expect(draft(packed)?.content).toEqual({
      contentType: 'text/html',
      contentEncoding: 'gzip',
      body: Uint8Array.of(0x1f, 0x8b),
    })
    expect(draft({ kind: 'delegate', id })).toEqual({ content: { delegate: id }, operation: null })
    const operation = { op: 'transfer', tick: 'ordi', amt: '0.5' }
    expect(draft({ kind: 'brc-20', operation })).toEqual({
      content: { contentType: TEXT, body: toUtf8(TRANSFER) },
      operation,
    })
  })

  it('are refused as those of sites are', () => {
    const bad = { op: 'transfer', tick: 'ordi', amt: '0' }
    expect(refusal(() => draft({ kind: 'brc-20', operation: bad }))).toMatchObject({
      code: -32602,
      data: { reason: 'zero' },
    })
    const json = toHex(toUtf8('{"p":"brc-20"}'))
    for (const item of [
      { kind: 'file', contentType: 'application/json', encoding: null, hex: json },
      { kind: 'file', contentType: '', encoding: null, hex: '00' },
      { kind: 'file', contentType: 'image/png', encoding: null, hex: '0' },
      { kind: 'file', contentType: 'text/plain', encoding: 'br', hex: '00' },
      { kind: 'delegate', id: 'i0' },
      { kind: 'song' },
    ])
      expect(refusal(() => draft(item)).message, JSON.stringify(item)).toMatch(/^items\[0\]/)
    expect(refusal(() => parseDraftItems([], null)).message).toMatch(
      /^items: expected a list of 1 to 24/,
    )
  })
})

describe('a ticker of six bytes', () => {
  const SIX = '{"p":"brc-20","op":"deploy","tick":"Six-by","max":"21","salt":"00ff"}'
  const PREDEPLOY = `{"p":"brc-20","op":"predeploy","hash":"${'ab'.repeat(32)}"}`
  const PARENT = `${'cd'.repeat(32)}i0`

  it('is deployed as a child alone: a page, which names no parent, is told so', () => {
    for (const type of [60, 61] as const)
      expect(refusal(() => mint(type, SIX))).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/^inscriptions\[0\]\.body: expected a predeploy of Six-by/),
        data: { reason: 'needs-predeploy' },
      })
  })

  it('is deployed from our own form where a parent is named', () => {
    const text = { kind: 'text', text: SIX } as InscribeItem
    expect(refusal(() => parseDraftItems([text], null))).toMatchObject({ code: -32602 })
    expect(parseDraftItems([text], PARENT)[0]).toMatchObject({
      operation: { op: 'deploy', tick: 'Six-by', salt: '00ff', selfMint: false },
    })
  })

  it('is predeployed as a text, and by nothing that only looks like it', () => {
    expect(mint(61, PREDEPLOY)).toEqual({
      content: { contentType: TEXT, body: toUtf8(PREDEPLOY) },
      operation: null,
    })
    expect(draft({ kind: 'text', text: PREDEPLOY })?.operation).toBeNull()
    for (const wrong of [
      PREDEPLOY.toUpperCase().replace('BRC-20', 'brc-20').replace('"P"', '"p"'),
      PREDEPLOY.replace('ab', 'AB'),
      PREDEPLOY.replace('ab', ''),
      PREDEPLOY.replace('predeploy', 'pre-deploy'),
    ])
      expect(refusal(() => mint(61, wrong))).toMatchObject({ code: -32602 })
  })

  it('is minted and transferred like others', () => {
    for (const [type, op] of [
      [50, 'mint'],
      [51, 'transfer'],
    ] as const) {
      const body = `{"p":"brc-20","op":"${op}","tick":"Six-by","amt":"1"}`
      expect(mint(type, body)?.operation).toEqual({ op, tick: 'Six-by', amt: '1' })
    }
  })
})
