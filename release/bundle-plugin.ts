import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Plugin, type ResolvedConfig } from 'vite'
import { assertBundleSizes, measureBundle } from './bundle-sizes.ts'
import { assertNoCircles } from './bundled-circles.ts'
import { assertAllowedPackages, findPackages, readAllowedPackages } from './bundled-packages.ts'
import { splitWords } from './lean-bundle.ts'
import { LICENCES_FILE, writeLicences } from './licences/licences.ts'
import { readLockFile } from './lock-file.ts'
import {
  assertSamePowers,
  type Browser,
  DECODER_SCRIPT,
  listContentScripts,
  readManifest,
  WORKER_SOURCE,
} from './manifest.ts'
import { assertNoticeScripts } from './notice-scripts.ts'
import { formatSbom } from './sbom.ts'
import { assertWaysOut, countBuiltWays } from './ways-out.ts'

/**
 * Fails a build with packages that CONTRIBUTING.md does not have, with a manifest of other powers than its source, with files that
 * wait for each other, with more JavaScript than it may have, with another way to the network, or with the words of notifications where they are not to be; writes the licences of the packages into it, and the bill of materials beside its zip, which is there
 * by then.
 */
export function checkBundle(browser: Browser): Plugin {
  const name = `satchel-${browser}`
  const modules = new Set<string>()
  let config: ResolvedConfig
  let isChecked = false
  return {
    name: 'check-bundle',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    async generateBundle(_, bundle) {
      for (const id of this.getModuleIds()) modules.add(id)
      for (const output of Object.values(bundle)) {
        const ids = output.type === 'chunk' ? Object.keys(output.modules) : output.originalFileNames
        for (const id of ids) modules.add(id)
      }
      for (const script of [...listContentScripts(config.root), DECODER_SCRIPT, WORKER_SOURCE]) {
        for (const id of await listModules(script, config)) modules.add(id)
      }
      const contributing = readFileSync(join(config.root, 'CONTRIBUTING.md'), 'utf8')
      const packages = findPackages(modules)
      assertAllowedPackages(packages, readAllowedPackages(contributing))
      const own = readFileSync(join(config.root, 'LICENSE'), 'utf8')
      this.emitFile({
        type: 'asset',
        fileName: `${LICENCES_FILE}.txt`,
        source: `Satchel\n\n${own}\n${writeLicences(config.root, packages)}`,
      })
      const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
      assertNoCircles(new Map(chunks.map(({ fileName, imports }) => [fileName, imports])))
      isChecked = true
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        // A build that failed is closed as well, and its own error is the one to tell.
        if (!isChecked) return
        const folder = resolve(config.root, config.build.outDir)
        assertBundleSizes(measureBundle(folder))
        assertNoticeScripts(config.root, folder)
        assertWaysOut(countBuiltWays(folder))
        assertSamePowers(
          JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')),
          readManifest(config.root, browser),
        )
        const lock = readLockFile(config.root)
        const zip = readFileSync(join(config.root, 'dist', `${name}.zip`))
        const { version = '' } = lock
        const text = formatSbom({ name, version, packages: findPackages(modules), lock, zip })
        writeFileSync(join(config.root, 'dist', `${name}.cdx.json`), text)
      },
    },
  }
}

/** The modules that a script which is built alone is made of. */
async function listModules(script: string, { root, resolve }: ResolvedConfig): Promise<string[]> {
  const ids: string[] = []
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: resolve.alias },
    plugins: [
      splitWords(),
      {
        name: 'list-modules',
        generateBundle() {
          ids.push(...this.getModuleIds())
        },
      },
    ],
    build: {
      write: false,
      minify: false,
      lib: { entry: join(root, script), formats: ['es'], fileName: 'script' },
    },
  })
  return ids
}
