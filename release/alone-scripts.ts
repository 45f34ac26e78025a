import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildEnvironmentOptions, build, type Plugin, type Rolldown } from 'vite'
import { englishWordsOnly, LEAN_MODULES, oneBaseOnly, splitWords } from './lean-bundle.ts'
import {
  DECODER_SCRIPT,
  LATER_SCRIPT,
  PAGE_SCRIPT,
  PAGE_WALLET,
  WORKER_SCRIPT,
  WORKER_SOURCE,
} from './manifest.ts'
import { nestModules } from './nested-modules.ts'
import { joinScripts, nameScriptChunk } from './worker-scripts.ts'

// Scripts that are built alone, beside the pages, so that these have none of their code and they none of the pages'.

const ROOT = join(import.meta.dirname, '..')

/** What browsers of both kinds understand. */
export const TARGET = ['chrome120', 'firefox140']

/** `lockdown.js`, which pages evaluate first and the worker's script begins with. */
export const LOCKDOWN = 'lockdown.js'

/** What a build of its own made, and of which modules. */
export type AloneScripts = {
  modules: Set<string>
  /** The background in one script: a page of Firefox has no `importScripts`, and trusted types keep it from other classic scripts of ours. */
  wholeWorker: string | null
}

/**
 * `worker.js`, lockdown and what the background starts with in one classic script: Chromium keeps what it has compiled of such a
 * worker, and compiles one of modules anew at each start, which takes 45 ms. What it has kept of the rest costs as much again to
 * read, so that this is a script of its own, `worker-later.js`, as are the words of notifications in each language but English.
 */
export function workerScript(scripts: AloneScripts): Plugin {
  return {
    name: 'worker-script',
    apply: 'build',
    // Its files are in no module graph that is watched.
    buildStart() {
      scripts.wholeWorker = null
      if (this.meta.watchMode) for (const path of listSources()) this.addWatchFile(path)
    },
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const lockdown = bundle[LOCKDOWN]
        if (lockdown?.type !== 'chunk') return this.error('there is no lockdown for the worker')
        const chunks = await buildWorker(scripts.modules)
        const first = lockdown.code
        const { start, later, apart } = joinScripts(chunks, { first, inOne: false })
        this.emitFile({ type: 'asset', fileName: WORKER_SCRIPT, source: start })
        if (later) this.emitFile({ type: 'asset', fileName: LATER_SCRIPT, source: later })
        for (const [fileName, source] of apart) this.emitFile({ type: 'asset', fileName, source })
        scripts.wholeWorker = joinScripts(chunks, { first, inOne: true }).start
      },
    },
  }
}

/** `decoder.js`, one classic script: an opaque origin cannot load modules of the extension in Firefox. */
export function decoderScript({ modules }: AloneScripts): Plugin {
  return {
    name: 'decoder-script',
    apply: 'build',
    async generateBundle() {
      const [script] = await buildAlone(modules, {
        lib: { entry: DECODER_SCRIPT, formats: ['iife'], name: 'script', fileName: 'script' },
      })
      this.emitFile({ type: 'asset', fileName: 'decoder.js', source: script.code })
    },
  }
}

/** What runs in every page among its code, in the place of what the manifest's plugin has built of it. */
export function pageScript({ modules }: AloneScripts): Plugin {
  return {
    name: 'page-script',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const built = bundle[PAGE_SCRIPT.replace(/\.ts$/, '.js')]
        if (built?.type !== 'asset') return this.error('there is no script for pages')
        const [script] = await buildAlone(
          modules,
          { lib: { entry: PAGE_SCRIPT, formats: ['iife'], name: 'script', fileName: 'script' } },
          [nestModules(PAGE_WALLET)],
        )
        built.source = script.code
      },
    },
  }
}

/** Adds the modules of a build to a list. */
export function listTo(modules: { add(id: string): unknown }): Plugin {
  return {
    name: 'list-modules',
    generateBundle() {
      for (const id of this.getModuleIds()) modules.add(id)
    },
  }
}

/** All code of the extension as paths. */
function listSources(): string[] {
  const folder = join(ROOT, 'src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
    .map(path => join(folder, path))
}

/** The background in CommonJS, whose `import()` is a `require` that {@link joinScripts} provides. */
async function buildWorker(modules: Set<string>): Promise<Rolldown.OutputChunk[]> {
  const entry = join(ROOT, WORKER_SOURCE)
  const output = await buildAlone(modules, {
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
  modules: Set<string>,
  options: BuildEnvironmentOptions,
  plugins: Plugin[] = [],
): Promise<Rolldown.RolldownOutput['output']> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    define: { __SATCHEL_VERSION__: JSON.stringify(version) },
    resolve: { alias: LEAN_MODULES },
    plugins: [englishWordsOnly(), oneBaseOnly(), splitWords(), listTo(modules), ...plugins],
    build: { write: false, target: TARGET, ...options },
  })
  const [{ output }] = built as [Rolldown.RolldownOutput]
  return output
}
