import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * TypeScript knows no names of classes: `styles.typo` is undefined, and a class that nobody uses stays for ever.
 * These tests read the sheets and the code that imports them.
 */
const ROOT = join(import.meta.dirname, '..')
const VIEWS = join(ROOT, '../background/views')

const paths = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
const code = paths
  .filter(path => /\.tsx?$/.test(path) && !path.includes('.test.'))
  .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
const sheets = new Map(
  paths
    .filter(path => path.endsWith('.module.css'))
    .map(path => [path, parseRules(readFileSync(join(ROOT, path), 'utf8'))]),
)
const imports = code.flatMap(file => findImports(file.path, file.text))

test('every class that a component names is in the sheet that it imports', () => {
  const missing = imports.flatMap(({ path, text, alias, sheet }) => {
    const classes = classesOf(sheet)
    return findNames(text, alias)
      .filter(name => !classes.has(name))
      .map(name => `${path}: ${alias}.${name} is not in ${sheet}`)
  })
  expect(missing).toEqual([])
})

test('every class of a sheet is used by a component', () => {
  const unused = [...sheets.keys()].flatMap(sheet => {
    const users = imports.filter(({ sheet: imported }) => imported === sheet)
    return [...classesOf(sheet)]
      .filter(name => !users.some(user => isUsed(name, user.text, user.alias)))
      .filter(name => !isNamedInPage(sheet, name))
      .map(name => `${sheet}: .${name}`)
  })
  expect(unused).toEqual([])
})

test('no two sheets have the same name, which is the first half of their classes in the page', () => {
  const names = [...sheets.keys()].map(path => basename(path))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

/**
 * What `:has()` is asked of is looked at anew with whatever is added in it: asked of every element, or of what a whole screen
 * stands in, it had all that is in sight styled again for each line of a list.
 */
test('no sheet asks of an element of any kind, or of a whole screen, what it has', () => {
  const asked = paths
    .filter(path => path.endsWith('.css'))
    .flatMap(path =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/([^\s>+~,(]*):has\(/g)].map(
        ([, of = '']) => ({ path, of }),
      ),
    )
  expect(asked.length).toBeGreaterThan(10)
  const few = /^(?:\.(?!content\b|screen$)[\w-]+\S*|label|ul|div|\[data-beside\])$/
  expect(asked.filter(({ of }) => !few.test(of))).toEqual([])
})

const known = new Set(
  [...sheets.keys()].flatMap(sheet =>
    [...classesOf(sheet)].map(name => `${basename(sheet, '.module.css')}__${name}`),
  ),
)

test('the page that is shown before any script has run names classes of the sheets', () => {
  const html = readFileSync(join(ROOT, 'popup.html'), 'utf8')
  const used = [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, list = '']) => list.split(' '))
  expect(used.length).toBeGreaterThan(3)
  expect(used.filter(name => !known.has(name))).toEqual([])
})

test('classes by which tests and pictures find a part of a screen are of the sheets', () => {
  const folder = join(ROOT, '../../e2e')
  const used = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .flatMap(path => {
      const text = readFileSync(join(folder, path), 'utf8')
      return [...text.matchAll(/\.([a-z0-9-]+__[a-zA-Z]\w*)/g)].map(([, name = '']) => name)
    })
  expect(used.length).toBeGreaterThan(3)
  expect(used.filter(name => !known.has(name))).toEqual([])
})

/** Which of two sheets comes last depends on which screen was loaded first. */
test('classes of two sheets on one element never set the same property with the same weight', () => {
  const ties = code.flatMap(({ path, text }) => {
    const own = imports.filter(found => found.path === path)
    return [...text.matchAll(/classNames\(([^;{}]*?)\)\s*[}:]/g)].flatMap(([, list = '']) => {
      const used = own.flatMap(({ alias, sheet }) =>
        findNames(list, alias).map(name => ({ sheet, name, sets: propertiesOf(sheet, name) })),
      )
      return used.flatMap((one, at) =>
        used
          .slice(at + 1)
          .filter(other => other.sheet !== one.sheet)
          .flatMap(other => {
            const both = one.sets.filter(set => other.sets.some(also => overlap(set, also)))
            return both.map(
              set =>
                `${path}: ${set} of .${one.name} (${one.sheet}), .${other.name} (${other.sheet})`,
            )
          }),
      )
    })
  })
  expect(ties).toEqual([])
})

type Rule = { selector: string; properties: string[] }

/** The rules of a sheet, those in `@media` too; nothing is nested otherwise. */
function parseRules(css: string): Rule[] {
  const bare = css.replace(/\/\*.*?\*\//gs, '').replace(/url\([^)]*\)/g, 'url()')
  return [...bare.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
    // What stands before it in the match is the head of an @media.
    selector: selector.trim(),
    properties: [...body.matchAll(/(?:^|;)\s*([\w-]+)\s*:/g)].map(([, name = '']) => name),
  }))
}

function classesOf(sheet: string): Set<string> {
  const selectors = (sheets.get(sheet) ?? []).map(({ selector }) => selector)
  return new Set(
    selectors.flatMap(selector =>
      [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name),
    ),
  )
}

/** What the class sets on its own, wherever its element stands. */
function propertiesOf(sheet: string, name: string): string[] {
  const rules = (sheets.get(sheet) ?? []).filter(({ selector }) =>
    selector.split(/,\s*/).includes(`.${name}`),
  )
  return rules.flatMap(({ properties }) => properties)
}

function overlap(one: string, other: string): boolean {
  // The shorthands `flex` and `overflow` do not set these.
  const apart = ['flex-direction', 'flex-wrap', 'overflow-wrap']
  if (one !== other && (apart.includes(one) || apart.includes(other))) return false
  return one === other || one.startsWith(`${other}-`) || other.startsWith(`${one}-`)
}

function findImports(path: string, text: string) {
  return [...text.matchAll(/^import (\w+) from '(.*\.module\.css)'$/gm)].map(
    ([, alias = '', from = '']) => ({ path, text, alias, sheet: join(path, '..', from) }),
  )
}

function findNames(text: string, alias: string): string[] {
  return [...text.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))].map(([, name = '']) => name)
}

/** By its name, or as one of the values that the code or the views of the background know where it is looked up. */
function isUsed(name: string, text: string, alias: string): boolean {
  if (findNames(text, alias).includes(name)) return true
  const lookups = [...text.matchAll(new RegExp(`\\b${alias}\\[(?:\`([\\w-]+))?`, 'g'))]
  return lookups.some(([, prefix]) =>
    prefix === undefined
      ? new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(`${text}${viewsText()}`)
      : name.startsWith(prefix),
  )
}

function viewsText(): string {
  return readdirSync(VIEWS)
    .map(name => readFileSync(join(VIEWS, name), 'utf8'))
    .join('\n')
}

function isNamedInPage(sheet: string, name: string): boolean {
  const html = readFileSync(join(ROOT, 'popup.html'), 'utf8')
  return html.includes(`${basename(sheet, '.module.css')}__${name}`)
}
