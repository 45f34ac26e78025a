import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatHelp } from '../../src/chain-node/config/options.ts'

/**
 * The README of a package, with what other files say put where a comment asks for it: `<!-- section: FILE # HEADING -->` for what
 * is below a heading, `<!-- table: FILE # HEADING -->` for the table of it alone, `<!-- fields: FILE # INTERFACE -->` for a table of
 * an interface's fields, `<!-- options: COMMAND -->` for the options of the chain node. Links to an interface's file lead to the
 * interface's own heading.
 */
export function writeReadme(root: string, path: string): string {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  return read(path).replace(
    /<!-- (\w+): (.+?)(?: # (.+?))? -->/g,
    (comment, kind: string, of: string, name = '') => {
      if (kind === 'section') return readSection(read(of), name, of)
      if (kind === 'table') return readTable(read(of), name, of)
      if (kind === 'fields') return listFields(read(of), name, of)
      if (kind === 'options') return `\`\`\`text\n${formatHelp(of)}\n\`\`\``
      throw new Error(`${path} asks for what is not known: ${comment}`)
    },
  )
}

function readTable(text: string, heading: string, file: string): string {
  const table = /(?:^\|.*(?:\n|$))+/m.exec(readSection(text, heading, file))?.[0]
  if (table === undefined) throw new Error(`${file} has no table below “${heading}”`)
  return table.trimEnd()
}

/** What is between a heading and the next. */
function readSection(text: string, heading: string, file: string): string {
  const [, rest] = text.split(new RegExp(`^#+ ${heading}$`, 'm'))
  if (rest === undefined) throw new Error(`${file} has no heading “${heading}”`)
  const [section = ''] = rest.split(/^#/m)
  return section
    .trim()
    .replace(/\[`(\w+)`\]\([\w/.-]+\.ts\)/g, (_, name) => `[\`${name}\`](#${name.toLowerCase()})`)
}

/** The fields of an interface with the comments above them. */
function listFields(text: string, name: string, file: string): string {
  const body = new RegExp(`^export interface ${name} (?:extends \\w+ )?\\{\n(.*?)^\\}`, 'ms').exec(
    text,
  )
  if (!body) throw new Error(`${file} has no interface ${name}`)
  const rows = [...(body[1] ?? '').matchAll(/(?:\/\*\* ([^\n]*?) \*\/\s+)?(\w+)(\??): ([^\n]+)\n/g)]
  if (rows.length === 0) throw new Error(`${file} has no fields in ${name}`)
  return [
    '| field | type | |',
    '|---|---|---|',
    ...rows.map(([, comment = '', key, optional, type = '']) => {
      const shown = type.replaceAll('|', '\\|')
      return `| \`${key}\`${optional ? '' : ' (needed)'} | \`${shown}\` | ${comment} |`
    }),
  ].join('\n')
}

/** The code of a README's block in a language, the one whose first line is a comment with that file name. */
export function readExample(readme: string, file: string): string {
  const blocks = [...readme.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = '']) => code)
  const example = blocks.find(code => code.startsWith(`// ${file}\n`))
  if (example === undefined) throw new Error(`The README has no example ${file}`)
  return example
}
