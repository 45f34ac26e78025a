import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const POPUP = join(import.meta.dirname, '../..')

/** Declarations that name a side of the page; those of both sides say the same of each. */
const SIDED =
  /(?:^|[\s;{])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|(?:left|right)|border-(?:top|bottom)-(?:left|right)-radius|float|clear)\s*:|text-align\s*:\s*(?:left|right)\b/

/** Four values, of which the second is the right and the fourth the left. */
const FOUR = /(?:margin|padding|inset)\s*:\s*\S+ (\S+) \S+ (\S+?)\s*;/

/** What runs from left to right in every language. */
const APART: { [path: string]: RegExp } = {
  // The chart.
  'pages/chart/chart.module.css': /margin: -5px 0 0 -5px;/,
}

const sheets = readdirSync(POPUP, { recursive: true, encoding: 'utf8' }).filter(path =>
  path.endsWith('.css'),
)

describe('the style sheets', () => {
  it.each(sheets)('%s says start and end, so that it can be mirrored', path => {
    const text = readFileSync(join(POPUP, path), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      // What is said of texts that run to the left alone.
      .replace(/[^\n]*(?:\[dir="rtl"\]|:dir\(rtl\))[^{]*\{[^}]*\}/g, '')
      .replace(APART[path] ?? /$^/, '')
    const sided = text.split('\n').filter(line => SIDED.test(line) || isUneven(line))
    expect(sided).toEqual([])
  })
})

function isUneven(line: string): boolean {
  const [, right, left] = FOUR.exec(line) ?? []
  return right !== left
}
