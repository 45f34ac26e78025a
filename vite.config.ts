import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { crx } from '@crxjs/vite-plugin'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { listFiles } from './e2e/fixtures/flows.ts'
import { TestReport } from './e2e/test-report.ts'
import {
  type AloneScripts,
  decoderScript,
  LOCKDOWN,
  pageScript,
  TARGET,
  workerScript,
} from './release/alone-scripts.ts'
import { browserPackages, readFirstManifest, wholeManifest } from './release/browser-packages.ts'
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
import { parsePseudo } from './release/words/pseudo-words.ts'

/** `vite build`: Chrome's package, and Firefox's out of it. */
export default defineConfig((): ViteUserConfig => {
  const pseudo = parsePseudo(process.env.SATCHEL_WORDS)
  // What is in disguise is never where a release is taken from.
  const dist = pseudo ? `artifacts/pseudo/${pseudo}` : 'dist'
  const outDir = `${dist}/chrome`
  const scripts: AloneScripts = { modules: new Set(), wholeWorker: null }
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
          crx({ manifest: readFirstManifest(import.meta.dirname), browser: 'chrome' }),
          lockdownFirst(),
          stylesBeforeScripts(),
          pageScript(scripts),
          decoderScript(scripts),
          workerScript(scripts),
          wholeManifest(import.meta.dirname),
          ...(pseudo ? [] : [browserPackages(dist, scripts), checkBundle(dist, scripts)]),
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
  if (!process.env.VITEST) return []
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

/** The page that strangers' pictures are decoded in. */
const DECODER_PAGE = 'src/decoder/decoder.html'

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
