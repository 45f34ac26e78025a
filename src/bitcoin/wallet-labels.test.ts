import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import published from './testing/vectors/bip329.json' with { type: 'json' }
import {
  formatLabels,
  type LabelType,
  MAX_LABELS_LENGTH,
  parseLabels,
  type WalletLabel,
} from './wallet-labels.ts'

const TXID = 'f91d0a8a78462bc59398f2c5d7a84fcff491c26ba54c4833478b202796c8aafd'

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map(each => Buffer.from(each).toString('hex'))
const outpoint = fc
  .tuple(hexOf(32), fc.nat({ max: 0xffffffff }))
  .map(([txid, vout]) => `${txid}:${vout}`)
const base58 = fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')

const REFERENCES: { [type in LabelType]: fc.Arbitrary<string> } = {
  tx: hexOf(32),
  addr: fc.string({ unit: base58, minLength: 26, maxLength: 62 }),
  pubkey: fc.oneof(hexOf(32), hexOf(33), hexOf(65)),
  input: outpoint,
  output: outpoint,
  xpub: fc.string({ unit: base58, minLength: 111, maxLength: 111 }),
}

const label: fc.Arbitrary<WalletLabel> = fc
  .constantFrom(...(Object.keys(REFERENCES) as LabelType[]))
  .chain(type =>
    fc.record({
      type: fc.constant(type),
      ref: REFERENCES[type],
      label: fc.option(fc.string({ unit: 'grapheme' })),
      origin: fc.option(fc.constant("wpkh([d34db33f/84'/0'/0'])")),
      spendable: type === 'output' ? fc.option(fc.boolean()) : fc.constant(null),
    }),
  )

describe('labels of BIP-329', () => {
  it('are read from the BIP’s own export', () => {
    const { labels, unknown, malformed } = parseLabels(published.bip.join('\n'))
    expect({ unknown, malformed }).toEqual({ unknown: 0, malformed: 0 })
    expect(labels.map(({ type, label: text }) => [type, text])).toEqual([
      ['tx', 'Transaction'],
      ['addr', 'Address'],
      ['pubkey', 'Public Key'],
      ['input', 'Input'],
      ['output', 'Output'],
      ['xpub', 'Extended Public Key'],
      ['tx', 'Account #1 Transaction'],
    ])
    expect(labels[0]).toEqual({
      ...{ type: 'tx', ref: TXID, label: 'Transaction', spendable: null },
      origin: "wpkh([d34db33f/84'/0'/0'])",
    })
    expect(labels[4]).toMatchObject({ ref: `${TXID}:1`, spendable: false })
  })

  it('are read from an export of Sparrow, and written as it writes them', () => {
    const text = published.sparrow.map(line => `${line}\n`).join('')
    const parsed = parseLabels(text)
    expect(parsed).toMatchObject({ unknown: 0, malformed: 0 })
    expect(parsed.labels).toHaveLength(published.sparrow.length)
    expect(formatLabels(parsed.labels)).toBe(text)
  })

  it('come back as they were written, a record a line', () => {
    fc.assert(
      fc.property(fc.array(label), labels => {
        const text = formatLabels(labels)
        expect(text.split('\n')).toHaveLength(labels.length + 1)
        expect(parseLabels(text)).toEqual({ labels, unknown: 0, malformed: 0 })
      }),
    )
  })

  it('of types that the BIP does not have are counted and left out', () => {
    const line = JSON.stringify({ type: 'channel', ref: TXID, label: 'lightning' })
    expect(parseLabels(`${line}\n${line}`)).toEqual({ labels: [], unknown: 2, malformed: 0 })
  })

  it.each([
    ['no JSON', 'rent'],
    ['a list', '[]'],
    ['nothing', 'null'],
    ['no reference', '{"type":"tx"}'],
    ['a transaction that is none', '{"type":"tx","ref":"f91d"}'],
    ['an output without its index', `{"type":"output","ref":"${TXID}"}`],
    ['an index that is too large', `{"type":"output","ref":"${TXID}:4294967296"}`],
    ['a label that is a number', `{"type":"tx","ref":"${TXID}","label":7}`],
    ['the text false for the value', `{"type":"output","ref":"${TXID}:0","spendable":"false"}`],
    ['a line that never ends', `{"type":"tx","ref":"${TXID}","label":"${'x'.repeat(20_000)}"}`],
  ])('that are malformed (%s) are counted and stop no other', (_, line) => {
    const good = `{"type":"tx","ref":"${TXID}","label":"rent"}`
    expect(parseLabels(`${line}\n${good}`)).toMatchObject({
      ...{ malformed: 1, unknown: 0 },
      labels: [{ label: 'rent' }],
    })
  })

  it('are read with the line ends of Windows, a byte order mark, blank lines, capitals and members that nobody knows', () => {
    const line = JSON.stringify({
      ...{ type: 'tx', ref: TXID.toUpperCase(), label: 'rent', height: 800_000, rate: { USD: 1 } },
    })
    const parsed = parseLabels(`\uFEFF\r\n${line}\r\n\r\n`)
    expect(parsed).toMatchObject({ malformed: 0, labels: [{ ref: TXID, label: 'rent' }] })
  })

  it('say nothing of spendable but for outputs', () => {
    const line = `{"type":"tx","ref":"${TXID}","spendable":false}`
    expect(parseLabels(line).labels).toMatchObject([{ spendable: null }])
  })

  it('of a text that is too long are refused at once', () => {
    expect(() => parseLabels(' '.repeat(MAX_LABELS_LENGTH + 1))).toThrow('too long')
  })

  it('survive whatever a text holds', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.json(),
            label.map(one => formatLabels([one])),
          ),
        ),
        lines => {
          const { labels, unknown, malformed } = parseLabels(lines.join('\n'))
          expect(labels.length + unknown + malformed).toBeGreaterThanOrEqual(0)
          expect(parseLabels(formatLabels(labels)).labels).toEqual(labels)
        },
      ),
    )
  })
})
