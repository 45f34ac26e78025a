// `npm run chain-node -- [options]`: the node as one file, which starts three times as fast as its sources and is made of them
// whenever they, or the packages, have changed.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const SOURCES = import.meta.dirname
const ROOT = join(SOURCES, '../..')
/** As deep as the sources, so that what they look for beside them is found. */
const BUNDLE = join(ROOT, 'dist/chain-node/chain-node.js')

/**
 * `external` is found where it is installed: parts of it are native, or seldom needed and large. `alias` is what is used of all
 * hashes alone: Node reads every CommonJS module that is imported once more for its names.
 */
const BUNDLE_OPTIONS = join(SOURCES, 'bundle.json')

const mark = `// ${markSources()}\n`
if (!isCurrent()) await bundle()
await import(pathToFileURL(BUNDLE).href)

/** Changes with the path, the size or the time of a file. */
function markSources() {
  const hash = createHash('sha256')
  for (const file of [...listSources(SOURCES), BUNDLE_OPTIONS, join(ROOT, 'package-lock.json')]) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${relative(ROOT, file)}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : listSources(path)
    return /\.[jt]s$/.test(entry.name) && !entry.name.includes('.test.') ? [path] : []
  })
}

function isCurrent() {
  try {
    return readFileSync(BUNDLE, 'utf8').startsWith(mark)
  } catch {
    return false
  }
}

/** Two that start at once may both make it; neither sees half a file. */
async function bundle() {
  const { buildSync } = await import('esbuild')
  const draft = `${BUNDLE}.${process.pid}`
  mkdirSync(join(BUNDLE, '..'), { recursive: true })
  try {
    buildSync({
      entryPoints: [join(SOURCES, 'chain-node.ts')],
      outfile: draft,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
      ...JSON.parse(readFileSync(BUNDLE_OPTIONS, 'utf8')),
      banner: {
        js: `${mark}import{createRequire as createRequireHere}from'node:module';const require=createRequireHere(import.meta.url);`,
      },
    })
    renameSync(draft, BUNDLE)
  } finally {
    rmSync(draft, { force: true })
  }
}
