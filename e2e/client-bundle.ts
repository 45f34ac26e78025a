import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'clients')

/** What Node has and a browser has not; libraries of dapps expect their bundler to bring it. */
const NODE_GLOBALS = `import { Buffer } from 'buffer'
globalThis.Buffer = Buffer
globalThis.global = globalThis
globalThis.process = { env: {}, version: '' }
`

/** Pages by path, `/<name>.html` each, with `clients/<name>.ts` and the libraries that it imports in one script. */
export async function bundleClients(names: readonly string[]): Promise<{ [path: string]: string }> {
  const pages: { [path: string]: string } = {}
  for (const name of names) {
    pages[`/${name}.html`] = await bundlePage(
      name,
      `import ${JSON.stringify(join(FOLDER, `${name}.ts`))}`,
    )
  }
  return pages
}

/** A page that runs this module, with the libraries that it imports. */
export async function bundlePage(title: string, source: string): Promise<string> {
  const answer = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'client-entry',
        enforce: 'pre',
        resolveId(id, importer) {
          if (id === 'virtual:client' || id === 'virtual:node-globals') return `\0${id}`
          // Only the package that needs it has it: npm keeps it in a folder of that package.
          if (id.startsWith('@rango-dev/wallets-core') && importer?.startsWith(FOLDER)) {
            return createRequire(rangoEntry()).resolve(id)
          }
        },
        load(id) {
          if (id === '\0virtual:node-globals') return NODE_GLOBALS
          if (id === '\0virtual:client') return `import 'virtual:node-globals'\n${source}`
        },
      },
    ],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      target: ['chrome120', 'firefox128'],
      rollupOptions: {
        input: 'virtual:client',
        output: { format: 'iife' },
      },
    },
  })
  const [output] = [answer].flat()
  if (!output || !('output' in output)) throw new Error(`${title} gave no output`)
  const [{ code }] = output.output
  // What would end the element early.
  const script = code.replaceAll('</script', '<\\/script')
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><script>${script}</script>`
}

function rangoEntry(): string {
  return fileURLToPath(import.meta.resolve('@rango-dev/provider-okx'))
}
