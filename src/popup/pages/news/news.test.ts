import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../../../../manifest.json'
import packageJson from '../../../../package.json'
import { compareVersions, findNews, NEWS, type News, shortenVersion } from './news.ts'

const CHANGELOG = readFileSync(join(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8')

/** The parts of a changelog by version; what is unreleased is of the version that is being made, where it has no part yet. */
function partsOf(changelog: string, current: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of changelog.split(/^## /m).slice(1)) {
    const name = /^\[([^\]]+)\]/.exec(part)?.[1] ?? ''
    const version = name === 'Unreleased' ? current : name
    parts.set(version, `${parts.get(version) ?? ''}${part}`)
  }
  return parts
}

/** Versions of the changelog with something added that nobody has thought of here. */
function findForgotten(changelog: string, current: string, news: readonly News[]): string[] {
  return [...partsOf(changelog, current)].flatMap(([version, part]) =>
    /^### Added/m.test(part) && !news.some(entry => entry.version === version) ? [version] : [],
  )
}

const [ITEM] = NEWS[0]?.items ?? []
if (!ITEM) throw new Error('no item')
const MADE_UP: News[] = [
  { version: '0.10.0', items: [] },
  { version: '0.9.1', items: [ITEM] },
  { version: '0.2.0', items: [ITEM] },
]

describe('what is new', () => {
  it('is written down, or said to be nothing, for each version of the changelog that adds something', () => {
    expect(manifest.version).toBe(packageJson.version)
    expect(findForgotten(CHANGELOG, packageJson.version, NEWS)).toEqual([])
  })

  it('that was forgotten is found, released or not', () => {
    const changelog =
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- a\n\n## [0.9.1] - 2027-01-01\n\n### Added\n\n- b\n\n## [0.9.0]\n\n### Fixed\n\n- c\n\n## [0.2.0]\n\n### Added\n\n- d\n'
    expect(findForgotten(changelog, '0.11.0', MADE_UP)).toEqual(['0.11.0'])
    expect(findForgotten(changelog, '0.10.0', MADE_UP)).toEqual([])
    expect(findForgotten(changelog, '0.10.0', MADE_UP.slice(2))).toEqual(['0.10.0', '0.9.1'])
  })

  it('has at most five items a version, the newest version first, each once', () => {
    for (const { version, items } of NEWS) expect(items.length, version).toBeLessThanOrEqual(5)
    const versions = NEWS.map(({ version }) => version)
    expect(versions.toSorted((a, b) => compareVersions(b, a))).toEqual(versions)
    expect(new Set(versions).size).toBe(versions.length)
  })

  it.each(['en', 'de'])('is short in %s: a title of one line and a sentence or two', language => {
    const path = join(import.meta.dirname, `../../../../public/_locales/${language}/messages.json`)
    const messages = JSON.parse(readFileSync(path, 'utf8'))
    for (const { title, note } of NEWS.flatMap(({ items }) => items)) {
      expect(messages[title].message.length, title).toBeLessThanOrEqual(42)
      expect(messages[note].message.length, note).toBeLessThanOrEqual(120)
    }
  })

  it.each([
    ['the next version with news', '0.9.1', '0.2.0', '0.9.1'],
    ['the newest of several that were passed over', '0.10.0', '0.1.0', '0.9.1'],
    ['nothing from a version without news', '0.10.0', '0.9.1', null],
    ['nothing of the same version', '0.9.1', '0.9.1', null],
    ['nothing of a version that is older than what is known', '0.2.0', '0.9.1', null],
    ['nothing of a version that is not there yet', '0.3.0', '0.2.0', null],
  ])('tells %s', (_, upTo, after, expected) => {
    expect(findNews(upTo, after, MADE_UP)?.version ?? null).toBe(expected)
  })

  it('is found in Settings at any time, from the last version that had any', () => {
    expect(findNews('0.10.0', null, MADE_UP)?.version).toBe('0.9.1')
    expect(findNews('0.1.0', null, MADE_UP)).toBeNull()
  })
})

describe('versions', () => {
  // The order that developer.chrome.com gives for `version` of a manifest.
  it.each([
    ['1.0.0', '1.0', 0],
    ['1.2.9.9999', '1.10.0', -1],
    ['4.1.2.9999', '4.1.2', 1],
    ['0.1.0', '0.0.9', 1],
  ])('%s and %s are in the order of their numbers', (a, b, sign) => {
    expect(Math.sign(compareVersions(a, b))).toBe(sign)
    expect(Math.sign(compareVersions(b, a))).toBe(sign === 0 ? 0 : -sign)
  })

  it('are called by their first two numbers', () => {
    expect(shortenVersion('0.1.0')).toBe('0.1')
    expect(shortenVersion('12')).toBe('12')
  })
})
