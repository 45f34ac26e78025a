import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { crx, type ManifestV3Export } from '@crxjs/vite-plugin'
import react from '@vitejs/plugin-react'
import { type Zippable, zipSync } from 'fflate'
import { type BuildEnvironmentOptions, build, type Plugin, type Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'
import { listFiles } from './e2e/fixtures/flows.ts'
import { TestReport } from './e2e/test-report.ts'
import { checkBundle } from './release/bundle-plugin.ts'
import { nameChunk } from './release/chunks.ts'
import {
  englishWordsOnly,
  iconsApart,
  LEAN_MODULES,
  manifestWordsOnly,
  oneBaseOnly,
  splitWords,
  stylesBeforeScripts,
  stylesBesideCode,
} from './release/lean-bundle.ts'
import {
  type Browser,
  DECODER_SCRIPT,
  LATER_SCRIPT,
  readManifest,
  WORKER_SCRIPT,
  WORKER_SOURCE,
} from './release/manifest.ts'
import { parsePseudo } from './release/words/pseudo-words.ts'
import { joinScripts, nameScriptChunk } from './release/worker-scripts.ts'

/** `vite build --mode chrome` or `--mode firefox`: the mode is the browser that is built for. */
export default defineConfig(({ mode }) => {
  const browser: Browser = mode === 'firefox' ? 'firefox' : 'chrome'
  const pseudo = parsePseudo(process.env.SATCHEL_WORDS)
  // What is in disguise is never where a release is taken from.
  const outDir = pseudo ? `artifacts/pseudo/${pseudo}/${browser}` : `dist/${browser}`
  return {
    define: { __SATCHEL_VERSION__: JSON.stringify(readJson('package.json').version) },
    plugins: process.env.VITEST
      ? []
      : [
          englishWordsOnly(),
          oneBaseOnly(),
          splitWords({ pseudo }),
          manifestWordsOnly(outDir),
          iconsApart(),
          stylesBesideCode(),
          react(),
          crx({
            manifest: withoutLater(readManifest(import.meta.dirname, browser)),
            browser,
          }),
          lockdownFirst(),
          stylesBeforeScripts(),
          decoderScript(),
          workerScript(browser),
          ...(pseudo
            ? []
            : [zipPackage(outDir, `dist/satchel-${browser}.zip`), checkBundle(browser)]),
        ],
    resolve: { alias: process.env.VITEST ? [] : LEAN_MODULES },
    css: { modules: { generateScopedName: nameClass } },
    build: {
      outDir,
      emptyOutDir: true,
      target: TARGET,
      modulePreload: false,
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        // Chromium's manifest names it.
        ...(browser === 'firefox' && { input: DECODER_PAGE }),
        output: {
          codeSplitting: { groups: [{ name: nameChunk, includeDependenciesRecursively: false }] },
          chunkFileNames: nameChunkFile,
        },
      },
      sourcemap: false,
    },
    test: {
      reporters: ['default', new TestReport()],
      projects: [
        unitTests('unit', { exclude: [CURVE_TESTS, ...listAlone()], curve: FAST_CURVE }),
        unitTests('unit-bitcoin', { include: [CURVE_TESTS], exclude: listAlone() }),
        unitTests('unit-alone', { include: listAlone(), isolate: true, curve: FAST_CURVE }),
        slowTests('node', ['{src,e2e,testing}/**/*.node.test.ts'], 1, 3),
        slowTests('node-rest', ['{src,e2e,testing,release}/**/*.node-rest.test.ts'], 1),
        browserTests('e2e', { isFirst: true }),
        browserTests('e2e-rest', { isFirst: false }),
      ],
    },
  }
})

/** The room that owns signing and addresses is tested with the curve that the extension ships. */
const CURVE_TESTS = 'src/bitcoin/**/*.test.ts'

/**
 * The other rooms are tested with libsecp256k1, which is several times as fast: a fifth of what the unit tests took.
 * That it answers as the shipped library does is tested beside `src/bitcoin/secp256k1.ts`.
 */
const FAST_CURVE = [{ find: /^@bitcoinerlab\/secp256k1$/, replacement: 'tiny-secp256k1' }]

/** Unit tests, three files at a time: on two cores, as some of what they take is waiting. */
function unitTests(
  name: string,
  options: {
    include?: string[]
    exclude?: string[]
    isolate?: boolean
    curve?: typeof FAST_CURVE
  },
) {
  const { include = ['{src,e2e,testing,release}/**/*.test.ts'], exclude = [] } = options
  const { isolate = false, curve = [] } = options
  return {
    plugins: [splitWords()],
    resolve: { alias: curve },
    define: { __SATCHEL_VERSION__: JSON.stringify(readJson('package.json').version) },
    test: {
      name,
      include,
      exclude: ['**/*.node{,-rest}.test.ts', ...exclude],
      setupFiles: ['testing/random-seed.ts', 'testing/english-words.ts'],
      testTimeout: 60_000,
      hookTimeout: 60_000,
      maxWorkers: 3,
      isolate,
    },
  }
}

/**
 * Unit tests that replace clocks, globals or modules, which have a process of their own: a fake clock would run what other
 * files left behind, thousands of times. All others share their modules, as importing them anew took longer than the tests.
 * A spy on the world of a test itself reaches no other file.
 */
function listAlone(): string[] {
  const replaces =
    /\bvi\.(mock|doMock|stubGlobal|stubEnv|useFakeTimers|setSystemTime|spyOn(?!\((?:site\.)?(?:world\.|chain\b)))\(/
  return ['src', 'e2e', 'testing', 'release']
    .flatMap(folder =>
      readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).map(
        path => join(folder, path),
      ),
    )
    .filter(path => path.endsWith('.test.ts'))
    .filter(path => replaces.test(readFileSync(join(import.meta.dirname, path), 'utf8')))
}

/** Tests with a real node or a real browser: so many files at a time, with time to start them and to answer, in their turn. */
function slowTests(name: string, include: string[], groupOrder: number, maxWorkers = 2) {
  return {
    test: {
      name,
      include,
      setupFiles: ['testing/random-seed.ts'],
      sequence: { groupOrder },
      testTimeout: 120_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 15_000, interval: 100 } },
      maxWorkers,
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

const TARGET = ['chrome120', 'firefox140']

function nameChunkFile({ facadeModuleId }: { facadeModuleId?: string | null }): string {
  const [, language, part] =
    /\/(\w+)\/messages\.json\?words=(\w+)$/.exec(facadeModuleId ?? '') ?? []
  return `assets/${language === undefined ? '[name]' : `words-${language}-${part}`}-[hash].js`
}

/** `row__title` of `row.module.css`: the same name in every build, to be read in the page and written in `popup.html`. */
function nameClass(name: string, path: string): string {
  return `${basename(path, '.module.css')}__${name}`
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

const LOCKDOWN = 'lockdown.js'

/**
 * `src/lockdown` as a file of its own, which every page of the extension evaluates before all else: as an import of the code's
 * own it could come after a chunk that it shares nothing with. The worker's script begins with the same text.
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
  }
}

/**
 * What is added when all is built. The worker is built by {@link workerScript}, so that screens have none of its code and it none
 * of theirs; the others name a page of the extension with a query or hash, which the plugin takes for part of a file's name.
 */
const LATER_KEYS = ['background', 'side_panel', 'sidebar_action', 'options_ui']

function withoutLater(manifest: ReturnType<typeof readManifest>) {
  const kept = Object.entries(manifest).filter(([key]) => !LATER_KEYS.includes(key))
  return Object.fromEntries(kept) as unknown as ManifestV3Export
}

/**
 * `worker.js`, lockdown and what the background starts with in one classic script: Chromium keeps what it has compiled of such a
 * worker, and compiles one of modules anew at each start, which takes 45 ms. What it has kept of the rest costs as much again to
 * read, so that this is a script of its own, `worker-later.js`, as are the words of notifications in each language but English.
 */
function workerScript(browser: Browser): Plugin {
  return {
    name: 'worker-script',
    apply: 'build',
    // Its files are in no module graph that is watched.
    buildStart() {
      if (this.meta.watchMode) for (const path of listSources()) this.addWatchFile(path)
    },
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const lockdown = bundle[LOCKDOWN]
        if (lockdown?.type !== 'chunk') return this.error('there is no lockdown for the worker')
        const { start, later, apart } = joinScripts(await buildWorker(), {
          first: lockdown.code,
          // A page of Firefox has no `importScripts`, and trusted types keep it from other classic scripts of ours.
          inOne: browser === 'firefox',
        })
        this.emitFile({ type: 'asset', fileName: WORKER_SCRIPT, source: start })
        if (later) this.emitFile({ type: 'asset', fileName: LATER_SCRIPT, source: later })
        for (const [fileName, source] of apart) this.emitFile({ type: 'asset', fileName, source })
      },
    },
    writeBundle({ dir = '' }) {
      const path = join(dir, 'manifest.json')
      const manifest = Object.entries(readManifest(import.meta.dirname, browser))
      const later = Object.fromEntries(manifest.filter(([key]) => LATER_KEYS.includes(key)))
      writeFileSync(path, JSON.stringify({ ...readJson(path), ...later }, null, 2))
    },
  }
}

/** All code of the extension as paths. */
function listSources(): string[] {
  const folder = join(import.meta.dirname, 'src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
    .map(path => join(folder, path))
}

/** One classic script of a file and of all that it imports. */
async function buildScript(entry: string): Promise<string> {
  const [script] = await buildAlone({
    lib: { entry, formats: ['iife'], name: 'script', fileName: 'script' },
  })
  return script.code
}

/** The background in CommonJS, whose `import()` is a `require` that {@link joinScripts} provides. */
async function buildWorker(): Promise<Rolldown.OutputChunk[]> {
  const entry = join(import.meta.dirname, WORKER_SOURCE)
  const output = await buildAlone({
    lib: { entry, formats: ['cjs'], fileName: 'start' },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        chunkFileNames: '[name].js',
        codeSplitting: {
          groups: [{ name: (id, graph) => nameScriptChunk(id, graph, entry) }],
          includeDependenciesRecursively: false,
        },
      },
    },
  })
  return output.filter(file => file.type === 'chunk')
}

async function buildAlone(
  options: BuildEnvironmentOptions,
): Promise<Rolldown.RolldownOutput['output']> {
  const built = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    define: { __SATCHEL_VERSION__: JSON.stringify(readJson('package.json').version) },
    resolve: { alias: LEAN_MODULES },
    plugins: [englishWordsOnly(), oneBaseOnly(), splitWords()],
    build: { write: false, target: TARGET, ...options },
  })
  const [{ output }] = built as [Rolldown.RolldownOutput]
  return output
}

/** The page that strangers' pictures are decoded in. */
const DECODER_PAGE = 'src/decoder/decoder.html'

/** `decoder.js`, one classic script: an opaque origin cannot load modules of the extension in Firefox. */
function decoderScript(): Plugin {
  return {
    name: 'decoder-script',
    apply: 'build',
    async generateBundle() {
      const source = await buildScript(DECODER_SCRIPT)
      this.emitFile({ type: 'asset', fileName: 'decoder.js', source })
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
