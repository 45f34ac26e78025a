import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ids } from './security-controls.json'

const ROOT = join(import.meta.dirname, '..')
const rows = [
  ...readFileSync(join(ROOT, 'SECURITY-CONTROLS.md'), 'utf8').matchAll(/^\| (\d.*) \|$/gm),
].map(([, row = '']) => row.split(' | '))
const listPaths = (text = '') =>
  [...text.matchAll(/`([^`]+\/[^`]+)`/g)].map(([, path = '']) => path)

describe('SECURITY-CONTROLS.md', () => {
  it('has each of the 46 controls outside the chapter on Ethereum once, in their order', () => {
    expect(ids).toHaveLength(46)
    expect(rows.map(([id]) => id)).toEqual(ids)
  })

  it('names a test for whatever is met, and only tests and pictures that are there', () => {
    for (const [id, , state, shown] of rows) {
      const paths = listPaths(shown)
      expect(['met', 'partly', 'not met', 'other'], id).toContain(state)
      if (state === 'met' || state === 'partly') expect(paths.length, id).toBeGreaterThan(0)
      for (const path of paths) {
        expect(path).toMatch(/^(src|e2e|release)\/.*\.(test|e2e)\.ts$|^e2e\/shots\//)
        expect(existsSync(join(ROOT, path)), path).toBe(true)
      }
    }
  })

  it('gives a reason in words for whatever is not met', () => {
    for (const [id, , state, shown = ''] of rows.filter(([, , state]) => state !== 'met')) {
      expect(shown.replaceAll(/`[^`]+`/g, '').length, `${id} ${state}`).toBeGreaterThan(5)
    }
  })
})
