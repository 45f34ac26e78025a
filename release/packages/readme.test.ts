import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readExample, writeReadme } from './readme.ts'

const root = mkdtempSync(join(tmpdir(), 'readme-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

writeFileSync(
  join(root, 'facts.md'),
  '# Facts\n\n## Calls\n\nBy hand.\n\n| a | b |\n|---|---|\n| x | [`Wish`](some/wish.ts) |\n\n## Other\n\nNo table.\n',
)
writeFileSync(
  join(root, 'wish.ts'),
  "export interface Wish extends Thing {\n  /** How it is called. */\n  name: string\n  size?: 'big' | 'small'\n}\n",
)

describe('a README', () => {
  it('has what other files say where a comment asks for it', () => {
    expect(write('<!-- table: facts.md # Calls -->')).toBe(
      '| a | b |\n|---|---|\n| x | [`Wish`](#wish) |',
    )
    expect(write('<!-- section: facts.md # Calls -->')).toMatch(
      /^By hand\.\n\n\| a[^#]*#wish\) \|$/,
    )
    expect(write('<!-- fields: wish.ts # Wish -->')).toBe(
      "| field | type | |\n|---|---|---|\n| `name` (needed) | `string` | How it is called. |\n| `size` | `'big' \\| 'small'` |  |",
    )
    expect(write('<!-- options: its-name -->')).toMatch(/^```text\nits-name \[options\]\n/)
  })

  it.each([
    ['<!-- table: facts.md # Gone -->', 'facts.md has no heading “Gone”'],
    ['<!-- table: facts.md # Other -->', 'facts.md has no table below “Other”'],
    ['<!-- fields: wish.ts # Hope -->', 'wish.ts has no interface Hope'],
    ['<!-- chart: facts.md -->', 'README.md asks for what is not known: <!-- chart: facts.md -->'],
  ])('is not written where %s finds nothing', (text, message) => {
    expect(() => write(text)).toThrow(message)
  })

  it('gives the example that has a file name, and no other', () => {
    const text = '```js\n// a.mjs\none()\n```\n\n```js\n// b.mjs\ntwo()\n```\n'
    expect(readExample(text, 'b.mjs')).toBe('// b.mjs\ntwo()\n')
    expect(() => readExample(text, 'c.mjs')).toThrow('The README has no example c.mjs')
  })
})

function write(text: string): string {
  writeFileSync(join(root, 'README.md'), text)
  return writeReadme(root, 'README.md')
}
