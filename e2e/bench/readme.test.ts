import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SECTIONS } from './sections.ts'

it('each row of the first table names the section that takes it, and a day', () => {
  const text = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  const [, , ...rows] = text.slice(text.indexOf('| figure |')).split('\n\n')[0]?.split('\n') ?? []
  const taken = rows.map(row => row.split('|').map(cell => cell.trim()))
  expect(rows.length).toBeGreaterThan(40)
  for (const [, figure = '', , by = '', on = ''] of taken) {
    expect(Object.keys(SECTIONS), figure).toContain(by.replaceAll('`', ''))
    expect(on, figure).toMatch(/^20\d\d-[01]\d-[0-3]\d$/)
  }
})
