import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActivityEntry } from '../views/activity-views.ts'
import { formatActivityCsv as format } from './activity-csv.ts'

const formatActivityCsv = (entries: readonly ActivityEntry[]) => format(entries, 'Konto {number}')

const ENTRY: ActivityEntry = {
  txid: 'ab'.repeat(32),
  network: 'mainnet',
  accountId: 'aa',
  kind: 'sent',
  status: 'confirmed',
  net: '-123456789',
  counterparty: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  counterpartyName: null,
  fee: '1',
  origin: 'https://shop.example',
  label: '',
  at: Date.UTC(2025, 0, 2, 3, 4, 5),
  height: 880_000,
  replacedBy: null,
  about: null,
}

/** RFC 4180 read letter by letter; throws where a file breaks its grammar. */
function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  const takes = (expected: string) => {
    if (!text.startsWith(expected, at)) return false
    at += expected.length
    return true
  }
  while (at < text.length) {
    let field = ''
    if (takes('"')) {
      while (!takes('"') || text[at] === '"') field += text[at++]
    } else {
      while (at < text.length && !/[",\r\n]/.test(text[at] ?? '')) field += text[at++]
    }
    record.push(field)
    if (takes(',')) continue
    if (!takes('\r\n')) throw new Error(`Unexpected ${text[at]} at ${at}`)
    records.push(record)
    record = []
  }
  return records
}

describe('exported activity', () => {
  it('is a header and a line for each entry, exact in time and amount', () => {
    expect(formatActivityCsv([ENTRY])).toBe(
      'date,status,kind,net_btc,fee_btc,counterparty,counterparty_name,label,origin,txid,height,replaced_by,about,inscription\r\n' +
        '2025-01-02T03:04:05.000Z,confirmed,sent,-1.23456789,0.00000001,' +
        `bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4,,,https://shop.example,${'ab'.repeat(32)},880000,,,\r\n`,
    )
    expect(formatActivityCsv([])).toMatch(/^date,.*\r\n$/)
  })

  it('leaves empty what is not known', () => {
    const bare = { ...ENTRY, net: null, fee: null, counterparty: null, origin: null, height: null }
    expect(parseCsv(formatActivityCsv([bare]))[1]).toEqual([
      ...['2025-01-02T03:04:05.000Z', 'confirmed', 'sent', '', '', '', '', '', ''],
      ...['ab'.repeat(32), '', '', '', ''],
    ])
  })

  it('names an own account that nobody named in the words of the person', () => {
    const counterpartyName = { unnamed: 'account', number: 3 } as const
    expect(parseCsv(formatActivityCsv([{ ...ENTRY, counterpartyName }]))[1]).toContain('Konto 3')
  })

  it('quotes as RFC 4180 does', () => {
    const csv = formatActivityCsv([{ ...ENTRY, label: 'a "b", c\r\nd' }])
    expect(csv).toContain(',"a ""b"", c\r\nd",')
  })

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '＝1+1',
    '=HYPERLINK("http://evil.example","pay")',
  ])('never lets the text %j be a formula', text => {
    const parts = { label: text, counterpartyName: text, counterparty: text, origin: text }
    const about = { kind: 'nft', inscription: text } as const
    const [, fields = []] = parseCsv(formatActivityCsv([{ ...ENTRY, ...parts, about }]))
    expect(fields.slice(5, 9)).toEqual(Array(4).fill(`'${text}`))
    expect(fields[13]).toBe(`'${text}`)
  })

  it('reads back as what was written, whatever the texts', () => {
    const text = fc
      .oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constant('",\r\n"'))
      .filter(text => !text.startsWith("'"))
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), texts => {
        const entries = texts.map(([label, counterpartyName]) => ({
          ...ENTRY,
          label,
          counterpartyName,
        }))
        const [header, ...records] = parseCsv(formatActivityCsv(entries))
        expect(header).toHaveLength(14)
        expect(records.map(fields => fields.slice(6, 8).map(undoDisarming))).toEqual(
          texts.map(([label, name]) => [name, label]),
        )
        for (const fields of records) expect(fields).toHaveLength(14)
      }),
    )
  })
})

function undoDisarming(field: string): string {
  return /^'[=+\-@\t\r＝＋－＠]/.test(field) ? field.slice(1) : field
}
