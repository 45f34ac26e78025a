import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin, type ResolvedConfig } from 'vite'
import { type AloneScripts, listTo } from './alone-scripts.ts'
import { assertBundleSizes, measureBundle } from './bundle-sizes.ts'
import { assertNoCircles } from './bundled-circles.ts'
import { assertAllowedPackages, findPackages, readAllowedPackages } from './bundled-packages.ts'
import { LICENCES_FILE, writeLicences } from './licences/licences.ts'
import { readLockFile } from './lock-file.ts'
import { assertSamePowers, BROWSERS, listContentScripts, readManifest } from './manifest.ts'
import { assertNoticeScripts } from './notice-scripts.ts'
import { formatSbom } from './sbom.ts'
import { assertWaysOut, countBuiltWays } from './ways-out.ts'

/**
 * Fails a build with packages that CONTRIBUTING.md does not have, with a manifest of other powers than its source, with files that
 * wait for each other, with more JavaScript than it may have, with another way to the network, or with the words of notifications
 * where they are not to be; writes the licences of the packages into it, and the bill of materials beside each zip, which are there
 * by then. `dist` holds what is built.
 */
export function checkBundle(dist: string, scripts: AloneScripts): Plugin {
  const modules = new Set<string>()
  let config: ResolvedConfig
  let isChecked = false
  return {
    name: 'check-bundle',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        for (const id of [...this.getModuleIds(), ...scripts.modules]) modules.add(id)
        for (const output of Object.values(bundle)) {
          const ids =
            output.type === 'chunk' ? Object.keys(output.modules) : output.originalFileNames
          for (const id of ids) modules.add(id)
        }
        for (const script of listContentScripts(config.root)) {
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
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        // A build that failed is closed as well, and its own error is the one to tell.
        if (!isChecked) return
        const lock = readLockFile(config.root)
        const { version = '' } = lock
        const packages = findPackages(modules)
        assertNoticeScripts(
          config.root,
          BROWSERS.map(browser => join(dist, browser)),
        )
        for (const browser of BROWSERS) {
          const folder = join(dist, browser)
          assertBundleSizes(measureBundle(folder))
          assertWaysOut(countBuiltWays(folder))
          assertSamePowers(
            JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')),
            readManifest(config.root, browser),
          )
          const name = `satchel-${browser}`
          const zip = readFileSync(join(dist, `${name}.zip`))
          const text = formatSbom({ name, version, packages, lock, zip })
          writeFileSync(join(dist, `${name}.cdx.json`), text)
        }
      },
    },
  }
}

/** The modules of a content script, which the plugin for the manifest builds and tells of nothing. */
async function listModules(script: string, { root, resolve }: ResolvedConfig): Promise<string[]> {
  const ids: string[] = []
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: resolve.alias },
    plugins: [listTo({ add: id => ids.push(id) })],
    build: {
      write: false,
      minify: false,
      lib: { entry: join(root, script), formats: ['es'], fileName: 'script' },
    },
  })
  return ids
}
