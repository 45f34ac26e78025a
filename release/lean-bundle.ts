import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import {
  fillWords,
  type Messages,
  pickManifestWords,
  pickWords,
  readWordNames,
  type WordNames,
  type WordPart,
} from './first-words.ts'
import { makePseudo, type Pseudo } from './words/pseudo-words.ts'

// How a build has less of its packages and of the words than they come with: the same code, each part once, and where it is used.

const ROOT = join(import.meta.dirname, '..')
const ENGLISH = join(ROOT, 'public/_locales/en/messages.json')

/** Files of one copy each of what bitcoinjs-lib, bip32, bip39, bs58check and ecpair bring several copies of. */
const ONE_COPY = {
  hashes: { sha256: 'sha2', sha512: 'sha2', ripemd160: 'legacy', sha1: 'legacy' },
  bytes: 'node_modules/bitcoinjs-lib/node_modules/uint8array-tools/src/mjs/browser.js',
}

/**
 * The packages in a form that a bundler can shake, each once: the signature package's own module source instead of the CommonJS
 * made from it; our own @noble/hashes 2 in place of four equal copies of 1.8.0, whose imports have no ending; and one of three
 * versions of uint8array-tools, the one that has all functions of the others.
 */
export const LEAN_MODULES = [
  {
    find: /^@bitcoinerlab\/secp256k1$/,
    replacement: join(ROOT, 'node_modules/@bitcoinerlab/secp256k1/index.js'),
  },
  ...Object.entries(ONE_COPY.hashes).map(([name, file]) => ({
    find: new RegExp(`^@noble/hashes/${name}$`),
    replacement: join(ROOT, `node_modules/@noble/hashes/${file}.js`),
  })),
  {
    find: /^@noble\/hashes\/(\w+)$/,
    replacement: join(ROOT, 'node_modules/@noble/hashes/$1.js'),
  },
  { find: /^uint8array-tools$/, replacement: join(ROOT, ONE_COPY.bytes) },
]

/** Vite's loader of a chunk waits for its style sheets before it asks for its code; here it asks for both at once, and gives the code when both are there. */
export function stylesBesideCode(): Plugin {
  return {
    name: 'styles-beside-code',
    apply: 'build',
    transform(code, id) {
      if (id !== '\0vite/preload-helper.js') return
      const [before, after, ...more] = code.split('return promise.then(')
      const late = 'return baseModule().catch('
      if (before === undefined || !after?.includes(late) || more.length > 0)
        throw new Error('Vite loads chunks in another way: release/lean-bundle.ts')
      // Where it fails before the style sheets are there, nobody has asked for it yet.
      const early = 'const module = baseModule(); module.catch(() => {});'
      return `${before}${early} return promise.then(${after.replace(late, 'return module.catch(')}`
    },
  }
}

/**
 * The style sheets of a page before its scripts: files are asked for in this order, and where lockdown is there first, it is
 * evaluated before anything can be painted.
 */
export function stylesBeforeScripts(): Plugin {
  return {
    name: 'styles-before-scripts',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const sheet = /^ *<link rel="stylesheet".*\n/gm
        const sheets = html.match(sheet) ?? []
        if (!html.includes('<head>\n'))
          throw new Error('styles-before-scripts: no <head> in a line')
        return html.replace(sheet, '').replace('<head>\n', `<head>\n${sheets.join('')}`)
      },
    },
  }
}

/** `bip39` requires all ten word lists (270 kB); the wallet hands it the English one, here one text, at each call. */
export function englishWordsOnly(): Plugin {
  return {
    name: 'english-words-only',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === './_wordlists' && importer?.includes('/bip39/')) return '\0bip39-wordlists'
    },
    load(id) {
      if (id === '\0bip39-wordlists') return 'export const _default = undefined, wordlists = {}'
      if (!id.endsWith('/bip39/src/wordlists/english.json')) return
      const text = JSON.stringify(JSON.parse(readFileSync(id, 'utf8')).join(' '))
      return { code: `export default ${text}.split(' ')`, moduleType: 'js' }
    },
  }
}

/** `@scure/base` makes the alphabets of all its bases when it is loaded, though bip32 uses one: those that nobody asks for are left out. */
export function oneBaseOnly(): Plugin {
  const calls = /\b(?:chain|radix2?|alphabet|join|padding|normalize|genBase58|genBech32)\(/g
  return {
    name: 'one-base-only',
    transform: {
      filter: { id: /\/@scure\/base\/lib\/esm\/index\.js$/ },
      handler: code =>
        code.replace(/^(?:export )?const \w+ = (?:chain|genBase58|genBech32)\(.*$/gm, line =>
          line.replace(calls, call => `/* @__PURE__ */ ${call}`),
        ),
    },
  }
}

/** The words of a language in parts: those of the first screen, the few of what comes soon after, all that come with any other, those of notifications, and those of the help. */
export function splitWords({ pseudo = null }: { pseudo?: Pseudo | null } = {}): Plugin {
  /** By path; each part of a language asks for it. */
  const languages = new Map<string, Messages>()
  let names: WordNames | null = null

  function read(path: string): Messages {
    const known = languages.get(path)
    if (known) return known
    const messages = JSON.parse(readFileSync(path, 'utf8'))
    const filled = path === ENGLISH ? messages : fillWords(read(ENGLISH), messages)
    languages.set(path, filled)
    return filled
  }

  return {
    name: 'split-words',
    buildStart() {
      names = null
      languages.clear()
    },
    load(id) {
      const [, path, part] = /^(.*)\?words=(first|soon|rest|notice|help)$/.exec(id) ?? []
      if (path === undefined) return
      const filled = read(path)
      const all = pseudo && path === ENGLISH ? makePseudo(filled, pseudo) : filled
      names ??= readWordNames(ROOT)
      const words = pickWords(names, all, part as WordPart)
      // Parsed faster than the same as an object's source.
      const text = JSON.stringify(JSON.stringify(words))
      return { code: `export default JSON.parse(${text})`, moduleType: 'js' }
    },
    transform: {
      filter: { id: /\/src\/browser\/locale\.ts$/ },
      handler(code) {
        if (pseudo !== 'mirrored') return null
        const mirrored = code.replace(/(RIGHT_TO_LEFT\b[^=]*= \[)/, "$1'en', ")
        if (mirrored === code) return this.error('no list of languages that run to the left')
        return mirrored
      },
    },
  }
}

/** `_locales` of a package with what the manifest names alone: the screens have their words from elsewhere. */
export function manifestWordsOnly(outDir: string): Plugin {
  return {
    name: 'manifest-words-only',
    apply: 'build',
    writeBundle() {
      const folder = join(ROOT, outDir, '_locales')
      const names = readWordNames(ROOT)
      for (const language of readdirSync(folder)) {
        const path = join(folder, language, 'messages.json')
        if (!existsSync(path)) continue
        const words = pickManifestWords(names, JSON.parse(readFileSync(path, 'utf8')))
        writeFileSync(path, JSON.stringify(words, null, 2))
      }
    },
  }
}

/**
 * Each icon imported by its own file: by way of the package's list of all icons the first screen's file would have those of
 * every screen.
 */
export function iconsApart(): Plugin {
  const list = 'node_modules/lucide-react/dist/esm/lucide-react.mjs'
  const files = new Map(
    [
      ...readFileSync(join(ROOT, list), 'utf8').matchAll(
        /^export \{ (.*) \} from '\.\/icons\/(.*)\.mjs';$/gm,
      ),
    ].flatMap(([, names = '', file = '']) =>
      names.split(', ').map(name => [name.replace('default as ', ''), file] as const),
    ),
  )
  return {
    name: 'icons-apart',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/popup\/.*\.tsx?$/ },
      handler: code =>
        code.replace(/^import \{([^}]*)\} from 'lucide-react'$/gm, (_, names: string) =>
          names
            .split(',')
            .map(name => name.trim())
            .filter(name => name !== '' && !name.startsWith('type '))
            .map(name => {
              const [icon = '', as = icon] = name.split(' as ')
              const file = files.get(icon)
              if (file === undefined) throw new Error(`lucide-react has no icon ${icon}`)
              return `import ${as} from 'lucide-react/icons/${file}'`
            })
            .join('; '),
        ),
    },
  }
}
