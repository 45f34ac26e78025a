import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { crx, type ManifestV3Export } from '@crxjs/vite-plugin'
import react from '@vitejs/plugin-react'
import { type Zippable, zipSync } from 'fflate'
import { build, type Plugin, type Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'
import { listFiles } from './e2e/fixtures/flows.ts'
import { TestReport } from './e2e/test-report.ts'
import { checkBundle } from './release/bundle-plugin.ts'
import { pickWords, type WordPart } from './release/first-words.ts'
import { type Browser, DECODER_SCRIPT, readManifest } from './release/manifest.ts'

/** `vite build --mode chrome` or `--mode firefox`: the mode is the browser that is built for. */
export default defineConfig(({ mode }) => {
  const browser: Browser = mode === 'firefox' ? 'firefox' : 'chrome'
  const outDir = `dist/${browser}`
  return {
    define: { __SATCHEL_VERSION__: JSON.stringify(readJson('package.json').version) },
    plugins: process.env.VITEST
      ? []
      : [
          englishWordsOnly(),
          oneBaseOnly(),
          splitWords(),
          iconsApart(),
          react(),
          crx({
            manifest: readManifest(import.meta.dirname, browser) as ManifestV3Export,
            browser,
          }),
          lockdownFirst(),
          decoderScript(),
          zipPackage(outDir, `dist/satchel-${browser}.zip`),
          checkBundle(browser),
        ],
    resolve: { alias: process.env.VITEST ? [] : LEAN_MODULES },
    css: { modules: { generateScopedName: nameClass } },
    build: {
      outDir,
      emptyOutDir: true,
      target: ['chrome120', 'firefox128'],
      modulePreload: false,
      rolldownOptions: {
        // Chromium's manifest names it.
        ...(browser === 'firefox' && { input: DECODER_PAGE }),
        output: { codeSplitting: { groups: CHUNKS }, chunkFileNames: nameChunkFile },
      },
      sourcemap: false,
    },
    test: {
      reporters: ['default', new TestReport()],
      projects: [
        unitTests('unit', { exclude: listAlone(), isolate: false }),
        unitTests('unit-alone', { include: listAlone(), isolate: true }),
        slowTests('node', ['{src,e2e,testing}/**/*.node.test.ts'], 1),
        slowTests('node-rest', ['{src,e2e,testing}/**/*.node-rest.test.ts'], 1),
        browserTests('e2e', { isFirst: true }),
        browserTests('e2e-rest', { isFirst: false }),
      ],
    },
  }
})

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
const LEAN_MODULES = [
  {
    find: /^@bitcoinerlab\/secp256k1$/,
    replacement: join(import.meta.dirname, 'node_modules/@bitcoinerlab/secp256k1/index.js'),
  },
  ...Object.entries(ONE_COPY.hashes).map(([name, file]) => ({
    find: new RegExp(`^@noble/hashes/${name}$`),
    replacement: join(import.meta.dirname, `node_modules/@noble/hashes/${file}.js`),
  })),
  {
    find: /^@noble\/hashes\/(\w+)$/,
    replacement: join(import.meta.dirname, 'node_modules/@noble/hashes/$1.js'),
  },
  { find: /^uint8array-tools$/, replacement: join(import.meta.dirname, ONE_COPY.bytes) },
]

/** Unit tests, two files at a time. */
function unitTests(
  name: string,
  options: { include?: string[]; exclude?: string[]; isolate: boolean },
) {
  const { include = ['{src,e2e,testing,release}/**/*.test.ts'], exclude = [], isolate } = options
  return {
    define: { __SATCHEL_VERSION__: JSON.stringify(readJson('package.json').version) },
    test: {
      name,
      include,
      exclude: ['**/*.node{,-rest}.test.ts', ...exclude],
      setupFiles: [
        'testing/random-seed.ts',
        'testing/native-pbkdf2.ts',
        'testing/english-words.ts',
      ],
      testTimeout: 60_000,
      hookTimeout: 60_000,
      maxWorkers: 2,
      isolate,
    },
  }
}

/**
 * Unit tests that replace clocks, globals or modules, which have a process of their own: a fake clock would run what other
 * files left behind, thousands of times. All others share their modules, as importing them anew took longer than the tests.
 */
function listAlone(): string[] {
  const replaces = /\bvi\.(mock|doMock|stubGlobal|stubEnv|useFakeTimers|setSystemTime|spyOn)\(/
  return ['src', 'e2e', 'testing', 'release']
    .flatMap(folder =>
      readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).map(
        path => join(folder, path),
      ),
    )
    .filter(path => path.endsWith('.test.ts'))
    .filter(path => replaces.test(readFileSync(join(import.meta.dirname, path), 'utf8')))
}

/** Tests with a real node or a real browser: two files at a time, with time to start them and to answer, in their turn. */
function slowTests(name: string, include: string[], groupOrder: number) {
  return {
    test: {
      name,
      include,
      setupFiles: ['testing/random-seed.ts'],
      sequence: { groupOrder },
      testTimeout: 120_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 15_000, interval: 100 } },
      maxWorkers: 2,
      isolate: false,
    },
  }
}

/** Tests in real browsers, two files at a time: each starts its own devnet, pages and browser, at ports and in folders of its own. */
function browserTests(name: string, { isFirst }: { isFirst: boolean }) {
  const { test } = slowTests(name, listFiles({ isFirst }), 2)
  return {
    test: {
      ...test,
      setupFiles: [...test.setupFiles, 'e2e/driver/count-retries.ts'],
    },
  }
}

/**
 * Few files, as each costs the browser time of its own at every start of a page or of the worker: what the first screen needs is one
 * file, and one that the worker has too; what later screens share is gathered by which of them need it.
 * The styles of the shared parts but the pictures are loaded before any page's: pages can rely on coming after.
 */
const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  { name: nameFirstChunk, debugName: 'first', priority: 2 },
  {
    name: nameLaterChunk,
    debugName: 'later',
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 24_000,
    priority: 1,
  },
]

const SHARED_STYLES = /\/popup\/ui\/(?!pictures\/).*\.module\.css/

function nameFirstChunk(id: string, graph: Rolldown.ChunkingContext): string | null {
  if (SHARED_STYLES.test(id)) return 'first'
  const { first, worker } = listLoaded(graph)
  if (!first.has(id)) return null
  return worker.has(id) ? 'domain' : 'first'
}

function nameLaterChunk(id: string, graph: Rolldown.ChunkingContext): string | null {
  const { later, worker } = listLoaded(graph)
  if (!later.has(id)) return null
  return worker.has(id) ? 'domain-later' : 'later'
}

function nameChunkFile({ facadeModuleId }: { facadeModuleId?: string | null }): string {
  const [, language, part] =
    /\/(\w+)\/messages\.json\?words=(\w+)$/.exec(facadeModuleId ?? '') ?? []
  return `assets/${language === undefined ? '[name]' : `words-${language}-${part}`}-[hash].js`
}

/** The modules that the worker and the first screen load at their start, and all that screens may load. */
function listLoaded(graph: Rolldown.ChunkingContext) {
  const list = (entry: string, follows: (info: Rolldown.ModuleInfo) => readonly string[]) => {
    const found = new Set([join(import.meta.dirname, entry)])
    for (const id of found) {
      const info = graph.getModuleInfo(id)
      for (const imported of info ? follows(info) : []) found.add(imported)
    }
    return found
  }
  const popup = 'src/popup/popup.tsx'
  return {
    worker: list('src/background/background.ts', info => info.importedIds),
    first: list(popup, info => info.importedIds),
    later: list(popup, info => [...info.importedIds, ...info.dynamicallyImportedIds]),
  }
}

/** `row__title` of `row.module.css`: the same name in every build, to be read in the page and written in `popup.html`. */
function nameClass(name: string, path: string): string {
  return `${basename(path, '.module.css')}__${name}`
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** `bip39` requires all ten word lists (270 kB); the wallet hands it the English one, here one text, at each call. */
function englishWordsOnly(): Plugin {
  return {
    name: 'english-words-only',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === './_wordlists' && importer?.includes('/bip39/')) return '\0bip39-wordlists'
    },
    load(id) {
      if (id === '\0bip39-wordlists') return 'export const _default = undefined, wordlists = {}'
      if (!id.endsWith('/bip39/src/wordlists/english.json')) return
      const text = JSON.stringify(readJson(id).join(' '))
      return { code: `export default ${text}.split(' ')`, moduleType: 'js' }
    },
  }
}

/** `@scure/base` makes the alphabets of all its bases when it is loaded, though bip32 uses one: those that nobody asks for are left out. */
function oneBaseOnly(): Plugin {
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

/** The words of a language in two files: those of the first screen, and those that come with any other. */
function splitWords(): Plugin {
  return {
    name: 'split-words',
    load(id) {
      const [, path, part] = /^(.*)\?words=(first|rest)$/.exec(id) ?? []
      if (path === undefined) return
      const words = pickWords(import.meta.dirname, readJson(path), part as WordPart)
      // Parsed faster than the same as an object's source.
      const text = JSON.stringify(JSON.stringify(words))
      return { code: `export default JSON.parse(${text})`, moduleType: 'js' }
    },
  }
}

/**
 * Each icon imported by its own file: by way of the package's list of all icons the first screen's file would have those of
 * every screen.
 */
function iconsApart(): Plugin {
  const list = 'node_modules/lucide-react/dist/esm/lucide-react.mjs'
  const files = new Map(
    [
      ...readFileSync(join(import.meta.dirname, list), 'utf8').matchAll(
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

const LOCKDOWN = 'lockdown.js'

/**
 * `src/lockdown` as a file of its own, which the worker and every page of the extension evaluate before all else: as an import
 * of the code's own it could come after a chunk that it shares nothing with.
 */
function lockdownFirst(): Plugin {
  return {
    name: 'lockdown-first',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      this.emitFile({ type: 'chunk', id: 'src/lockdown/lockdown.ts', fileName: LOCKDOWN })
    },
    // src/decoder/README.md says why its page goes without.
    transformIndexHtml: (_, { path }) =>
      path === `/${DECODER_PAGE}`
        ? []
        : [
            {
              tag: 'script',
              attrs: { type: 'module', src: `/${LOCKDOWN}` },
              injectTo: 'head-prepend',
            },
          ],
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const loader = bundle['service-worker-loader.js']
        if (loader?.type === 'asset') loader.source = `import './${LOCKDOWN}';\n${loader.source}`
        else if (loader) loader.code = `import './${LOCKDOWN}';\n${loader.code}`
        else this.error('the worker has no loader to put lockdown into')
      },
    },
  }
}

/** The page that strangers' pictures are decoded in. */
const DECODER_PAGE = 'src/decoder/decoder.html'

/** `decoder.js`, one classic script: an opaque origin cannot load modules of the extension in Firefox. */
function decoderScript(): Plugin {
  return {
    name: 'decoder-script',
    apply: 'build',
    async generateBundle() {
      const built = await build({
        root: import.meta.dirname,
        configFile: false,
        logLevel: 'error',
        build: {
          write: false,
          target: ['chrome120', 'firefox128'],
          lib: { entry: DECODER_SCRIPT, formats: ['iife'], name: 'decoder', fileName: 'decoder' },
        },
      })
      const [
        {
          output: [script],
        },
      ] = built as [Rolldown.RolldownOutput]
      this.emitFile({ type: 'asset', fileName: 'decoder.js', source: script.code })
    },
  }
}

/** The package for the store: the same bytes from the same files, so that anyone can check a release. */
function zipPackage(folder: string, target: string): Plugin {
  return {
    name: 'zip-package',
    apply: 'build',
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        const files = readdirSync(folder, { withFileTypes: true, recursive: true })
          .filter(entry => entry.isFile())
          .map(entry => join(entry.parentPath, entry.name))
          .sort()
        const entries = files.map(path => [path.slice(folder.length + 1), readFileSync(path)])
        const tree: Zippable = Object.fromEntries(entries)
        writeFileSync(target, zipSync(tree, { level: 9, mtime: new Date('2026-01-01T00:00:00') }))
      },
    },
  }
}
