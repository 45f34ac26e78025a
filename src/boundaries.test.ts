import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SRC = dirname(fileURLToPath(import.meta.url))

/** Who may import whom, and which packages; imports of types only are marked by `type:`. */
const FOLDERS: { [folder: string]: { imports: string[]; packages: RegExp | null } } = {
  bitcoin: {
    imports: [],
    packages:
      /^(bitcoinjs-lib|@bitcoinerlab\/secp256k1|bip32|bip39|ecpair|@noble\/|@scure\/base|uint8array-tools)/,
  },
  ordinals: { imports: ['bitcoin'], packages: /^(bitcoinjs-lib|@noble\/)/ },
  provider: { imports: ['bitcoin'], packages: null },
  inpage: { imports: ['provider'], packages: null },
  content: { imports: ['provider'], packages: null },
  storage: { imports: ['type:bitcoin', 'type:provider'], packages: /^webextension-polyfill$/ },
  chain: { imports: ['bitcoin', 'ordinals'], packages: null },
  background: {
    imports: ['bitcoin', 'ordinals', 'provider', 'chain', 'storage'],
    packages: /^(@noble\/|webextension-polyfill$)/,
  },
  popup: {
    imports: ['bitcoin', 'ordinals', 'provider', 'type:background/views'],
    packages: /^(react|lucide-react|qr|webextension-polyfill|@fontsource-variable\/)/,
  },
  devnet: {
    imports: ['bitcoin', 'ordinals'],
    packages: /^(node:|ws$|bitcoinjs-lib|@bitcoinerlab\/)/,
  },
  'chain-node': {
    imports: [],
    packages:
      /^(node:|ws$|@ethereumjs\/|classic-level$|secp256k1\/|hash-wasm$|prom-client$|@noble\/|micro-eth-signer\/|@paulmillr\/)/,
  },
}

const files = listFiles(SRC)
const shipped = files.filter(path => !/\.test\.tsx?$|\/(testing|examples)\//.test(path))

describe('imports', () => {
  it.each(Object.keys(FOLDERS))('of %s/ point the right way', folder => {
    for (const path of shipped.filter(path => path.startsWith(`${folder}/`))) {
      expect(listForbidden(folder, path), path).toEqual([])
    }
  })

  it('come from folders of the table alone', () => {
    const strangers = shipped.filter(path => !Object.hasOwn(FOLDERS, path.split('/')[0] ?? ''))
    expect(strangers).toEqual([])
  })

  it('of a shipped file never reach a test', () => {
    for (const path of shipped) {
      for (const { specifier } of readImports(path)) {
        expect(specifier, path).not.toMatch(/\.test\.|\/testing\//)
      }
    }
  })
})

describe('source files', () => {
  it('have at most 400 lines', () => {
    expect(files.filter(path => read(path).split('\n').length > 401)).toEqual([])
  })

  it('stay out of drawers and barrels', () => {
    const drawers = files.filter(path =>
      /(^|\/)(utils?|helpers?|common|shared|lib|core)\//.test(path),
    )
    const barrels = files.filter(path => /(^|\/)index\.tsx?$/.test(path))
    expect([...drawers, ...barrels]).toEqual([])
  })

  it('have kebab-case names', () => {
    expect(files.filter(path => !/^[a-z0-9./-]+$/.test(path))).toEqual([])
  })
})

describe('powers', () => {
  it('the network is reached from chain/ and devnet/ only', () => {
    expect(filesThatMatch(/\bfetch\(|new WebSocket\(/, /^(chain|devnet)\//)).toEqual([])
  })

  it('the browser API is named in background/, content/, storage/ and popup/app/rpc.ts only', () => {
    const named = /\b(chrome|browser)\.[a-z]|webextension-polyfill/
    expect(filesThatMatch(named, /^(background|content|storage)\/|^popup\/app\/rpc\.ts$/)).toEqual(
      [],
    )
  })

  it('secrets are read in the vault and the signer only', () => {
    expect(
      filesThatMatch(/\bvault\.(open|reveal|update)\(/, /^background\/keys\/(vault|signer)/),
    ).toEqual([])
  })

  it('randomness comes from crypto.getRandomValues alone, and nothing writes to the console', () => {
    expect(filesThatMatch(/Math\.random|pseudoRandomBytes/, /^devnet\//)).toEqual([])
    expect(filesThatMatch(/\bconsole\./, /^devnet\/|^background\/primitives\/log\.ts$/)).toEqual([])
  })
})

/** What a file imports against its folder's rule. */
function listForbidden(folder: string, path: string): string[] {
  const rule = FOLDERS[folder]
  return readImports(path)
    .filter(({ specifier, typeOnly }) => {
      if (!specifier.startsWith('.')) return !(typeOnly || rule?.packages?.test(specifier))
      const target = relative(SRC, join(SRC, dirname(path), specifier.replace(/\?.*$/, '')))
      if (target.startsWith(`${folder}/`)) return false
      if (target.startsWith('../public/_locales/')) return folder !== 'popup'
      return !rule?.imports.some(entry =>
        entry.startsWith('type:')
          ? typeOnly && target.startsWith(`${entry.slice(5)}/`)
          : target.startsWith(`${entry}/`),
      )
    })
    .map(({ specifier }) => specifier)
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(extname(entry.name)))
    .map(entry => relative(SRC, join(entry.parentPath, entry.name)))
    .sort()
}

function read(path: string): string {
  return readFileSync(join(SRC, path), 'utf8')
}

function filesThatMatch(pattern: RegExp, except: RegExp): string[] {
  return shipped.filter(path => !except.test(path) && pattern.test(stripComments(read(path))))
}

function readImports(path: string): { specifier: string; typeOnly: boolean }[] {
  const source = stripComments(read(path))
  const statement =
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g
  return [...source.matchAll(statement)].map(match => ({
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
  }))
}

function stripComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}
