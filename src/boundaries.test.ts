import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Who may import whom between the folders of `src`, and which packages. `type:` is for imports of types alone. */
const FOLDERS: { [folder: string]: { imports: string; packages: RegExp | null } } = {
  browser: { imports: '', packages: null },
  lockdown: { imports: '', packages: /^ses($|\/lockdown-shim\.js$)/ },
  bitcoin: {
    imports: '',
    packages:
      /^(bitcoinjs-lib|@bitcoinerlab\/secp256k1|bech32|bip32|bip39|ecpair|@noble\/|@scure\/base|uint8array-tools)/,
  },
  dnssec: { imports: 'bitcoin', packages: null },
  ordinals: { imports: 'bitcoin', packages: /^(bitcoinjs-lib|@noble\/)/ },
  provider: { imports: 'bitcoin', packages: null },
  inpage: { imports: 'provider', packages: null },
  content: { imports: 'provider', packages: null },
  storage: { imports: 'browser type:bitcoin type:provider', packages: null },
  chain: { imports: 'bitcoin dnssec ordinals', packages: null },
  background: {
    imports: 'browser lockdown bitcoin dnssec ordinals provider chain storage',
    packages: /^@noble\//,
  },
  popup: {
    imports: 'browser lockdown bitcoin dnssec ordinals provider type:background/views type:decoder',
    packages: /^(react|lucide-react|qr|@fontsource-variable\/|@zxcvbn-ts\/)/,
  },
  decoder: { imports: '', packages: null },
  devnet: {
    imports: 'bitcoin ordinals',
    packages: /^(node:|ws$|bitcoinjs-lib|@bitcoinerlab\/)/,
  },
  'chain-node': {
    imports: '',
    packages:
      /^(node:|ws$|@ethereumjs\/|classic-level$|secp256k1\/|hash-wasm$|prom-client$|@noble\/|micro-eth-signer\/|@paulmillr\/)/,
  },
}

/**
 * The rooms inside a folder, from the ground up: what a room imports stands above it. `.` is the folder itself; folders
 * below a room belong to it unless they have a row of their own.
 */
const ROOMS: { [folder: string]: { [room: string]: string } } = {
  bitcoin: {
    '.': '',
    signing: '.',
    descriptors: '. signing',
    'silent-payments': '.',
    phrases: '.',
    payments: '. signing silent-payments',
    psbt: '. signing descriptors',
    interpreter: '. signing',
    messages: '. signing psbt interpreter',
    qr: '.',
    headers: '.',
  },
  ordinals: {
    sats: '',
    '.': 'sats',
    runes: '.',
    brc20: '',
    content: 'brc20',
    inscriptions: '. runes',
    atomicals: 'content',
    flow: '. runes inscriptions atomicals',
    transfers: '. runes flow',
  },
  chain: {
    '.': '',
    access: '.',
    esplora: '. access',
    ord: '. access',
    atomicals: '. access',
    brc20: '. access',
    dns: '. access',
    open: '. access esplora ord atomicals brc20 dns',
  },
  background: {
    primitives: '',
    views: '',
    headers: 'primitives views',
    history: 'primitives views',
    settings: 'primitives views',
    names: 'primitives views settings',
    keys: 'primitives views settings',
    accounts: 'primitives views settings keys',
    requests: 'primitives views history keys accounts',
    activity: 'primitives views headers settings keys accounts',
    sending: 'primitives views settings requests activity',
    coins: 'primitives views settings accounts activity',
    review: 'primitives views settings accounts activity coins',
    collectibles: 'primitives views settings activity coins review',
    payments:
      'primitives views settings names keys accounts activity sending coins review collectibles',
    psbts: 'primitives views settings keys accounts requests activity sending coins review',
    inscribing:
      'primitives views settings keys accounts activity sending coins review collectibles payments',
    minting:
      'primitives views settings keys accounts activity sending coins review collectibles payments',
    notifications: 'primitives views headers settings keys accounts activity inscribing minting',
    brc20: 'primitives views settings accounts coins collectibles inscribing',
    backup:
      'primitives views settings keys accounts requests activity coins collectibles payments inscribing minting',
    'sats-connect': 'requests',
    unisat: 'views accounts requests coins sats-connect',
    leather: 'requests sats-connect',
    methods:
      'primitives views settings keys accounts requests activity sending coins collectibles payments psbts inscribing minting brc20',
    'ui-methods':
      'primitives views headers history settings keys accounts requests activity sending coins review collectibles payments psbts inscribing minting notifications brc20 backup',
    '.': 'primitives views headers history settings names keys accounts requests activity sending coins collectibles payments psbts inscribing minting notifications brc20 backup sats-connect unisat leather methods ui-methods',
  },
  popup: {
    platform: '',
    ui: 'platform',
    help: 'platform ui',
    state: 'platform ui',
    review: 'platform ui help state',
    forms: 'platform ui help state review',
    approvals: 'platform ui help state review forms',
    'pages/accounts': 'platform ui help state forms',
    'pages/activity': 'platform ui state review',
    'pages/brc20': 'platform ui state review forms',
    'pages/coins': 'platform ui help state review forms',
    'pages/chart': 'platform ui state',
    'pages/collectibles': 'platform ui help state review forms',
    'pages/contacts': 'platform ui state forms',
    'pages/first-run': 'platform ui help state forms',
    'pages/inscribe': 'platform ui help state forms',
    'pages/jobs': 'platform ui state review forms',
    'pages/messages': 'platform ui state',
    'pages/help': 'platform ui help',
    'pages/news': 'platform ui state',
    'pages/password': 'platform ui forms',
    'pages/psbt': 'platform ui help state review forms',
    'pages/receive': 'platform ui state forms',
    'pages/runes': 'platform ui state review forms',
    'pages/scan': 'platform ui forms',
    'pages/send': 'platform ui help state review forms',
    'pages/settings': 'platform ui help state forms',
    'pages/sites': 'platform ui state',
    'pages/backup': 'platform ui state review forms pages/settings',
    'pages/home': 'platform ui state forms pages/activity pages/collectibles pages/jobs pages/news',
    '.': 'platform ui state approvals pages/accounts pages/activity pages/brc20 pages/coins pages/chart pages/collectibles pages/contacts pages/first-run pages/inscribe pages/help pages/jobs pages/messages pages/news pages/password pages/psbt pages/receive pages/runes pages/scan pages/send pages/settings pages/sites pages/backup pages/home',
  },
  devnet: {
    server: '',
    chain: '',
    bitcoind: '',
    mempool: 'chain bitcoind',
    admin: 'server chain bitcoind mempool',
    esplora: 'server chain bitcoind mempool',
    'mempool-space': 'server chain mempool admin esplora',
    lies: 'server chain mempool admin esplora',
    ord: 'server chain bitcoind mempool admin',
    brc20: 'server chain mempool ord',
    atomicals: 'server chain mempool admin',
    '.': 'server chain bitcoind mempool admin esplora mempool-space lies ord brc20 atomicals',
  },
}

/** At most so many files besides tests in a folder, and so many lines in a file. */
const [MOST_FILES, MOST_LINES] = [30, 400]
/** Made by `npm run openrpc`. */
const MADE = 'src/provider/satchel.d.ts'

const SRC = dirname(fileURLToPath(import.meta.url))
const ROOT = dirname(SRC)

type Import = { specifier: string; typeOnly: boolean; target: string | null }

const files = ['src', 'e2e'].flatMap(listFiles)
const sources = new Map(files.map(path => [path, readFileSync(join(ROOT, path), 'utf8')]))
const imports = new Map(files.map(path => [path, listImports(path)]))
const shipped = files.filter(path => path.startsWith('src/') && !isTest(path))

describe('imports', () => {
  it.each(Object.entries(FOLDERS))('of %s/ point the right way', (folder, rule) => {
    const allowed = rule.imports.split(' ')
    const forbidden = inFolder(folder).flatMap(path =>
      importsOf(path)
        .filter(({ specifier, typeOnly, target }) => {
          if (target === null) return !(typeOnly || rule.packages?.test(specifier))
          if (target.startsWith('public/_locales/'))
            return !['popup', 'background'].includes(folder)
          return ![folder, ...allowed].some(entry =>
            entry.startsWith('type:')
              ? typeOnly && target.startsWith(`src/${entry.slice('type:'.length)}/`)
              : target.startsWith(`src/${entry}/`),
          )
        })
        .map(({ specifier }) => `${path} -> ${specifier}`),
    )
    expect(forbidden).toEqual([])
  })

  it.each(Object.keys(ROOMS))('between the rooms of %s/ are those of the table', folder => {
    const edges = inFolder(folder).flatMap(path =>
      importsOf(path)
        .filter(({ target }) => target?.startsWith(`src/${folder}/`))
        .map(({ target }) => ({ path, target, from: roomOf(path), to: roomOf(target ?? '') }))
        .filter(({ from, to }) => from !== to),
    )
    const table = ROOMS[folder] ?? {}
    const isAllowed = (from: string, to: string) => table[from]?.split(' ').includes(to)
    const forbidden = edges.filter(({ from, to }) => !isAllowed(from, to))
    expect(forbidden.map(({ path, target }) => `${path} -> ${target}`)).toEqual([])
    const used = new Set(edges.map(({ from, to }) => `${from} -> ${to}`))
    const unused = Object.entries(table).flatMap(([room, list]) =>
      list
        .split(' ')
        .filter(to => to !== '' && !used.has(`${room} -> ${to}`))
        .map(to => `${room} -> ${to}`),
    )
    expect(unused, 'rows that say more than the code does').toEqual([])
  })

  it.each(Object.entries(ROOMS))('of a room of %s/ come from above it in the table', (_, table) => {
    const order = Object.keys(table)
    const upward = Object.entries(table).flatMap(([room, list]) =>
      list
        .split(' ')
        .filter(to => to !== '' && !(order.indexOf(to) < order.indexOf(room) && order.includes(to)))
        .map(to => `${room} -> ${to}`),
    )
    expect(upward).toEqual([])
  })

  it('come from folders of the table alone', () => {
    expect(shipped.filter(path => !Object.hasOwn(FOLDERS, path.split('/')[1] ?? ''))).toEqual([])
    const rooms = new Set(shipped.map(path => `${path.split('/')[1]}: ${roomOf(path)}`))
    const rows = Object.entries(ROOMS).flatMap(([folder, table]) =>
      Object.keys(table).map(room => `${folder}: ${room}`),
    )
    expect(
      rows.filter(row => !rooms.has(row)),
      'rows without a file',
    ).toEqual([])
  })

  it('make no circle, those of types and of tests included', () => {
    expect(findCircles().map(circle => circle.join(' -> '))).toEqual([])
  })

  it('of a shipped file never reach a test', () => {
    const reaching = shipped.flatMap(path =>
      importsOf(path)
        .filter(({ specifier }) => /\.test\.|\/testing\//.test(specifier))
        .map(({ specifier }) => `${path} -> ${specifier}`),
    )
    expect(reaching).toEqual([])
  })
})

describe('source files', () => {
  it(`have at most ${MOST_LINES} lines`, () => {
    const long = [...sources].filter(([, source]) => source.split('\n').length > MOST_LINES + 1)
    expect(long.map(([path]) => path).filter(path => path !== MADE)).toEqual([])
  })

  it(`are at most ${MOST_FILES} in a folder, tests aside`, () => {
    const counts = new Map<string, number>()
    for (const path of files.filter(path => !/\.(test|e2e)\.tsx?$/.test(path))) {
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
    }
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([])
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
  it('the network is reached from chain/ and devnet/, and for the forks of the chain node, only', () => {
    const places = /^src\/((chain|devnet)\/|chain-node\/fork\/remote\.ts$)/
    expect(filesThatMatch(/\bfetch\(|new WebSocket\(/, places)).toEqual([])
  })

  it('the browser API is named in browser/, background/, content/, storage/, popup/platform/rpc.ts and panel.ts only', () => {
    const named = /\b(chrome|browser)\.[a-z]|browser\/browser\.ts/
    const places =
      /^src\/((browser|background|content|storage)\/|popup\/platform\/(rpc|panel)\.ts$)/
    expect(filesThatMatch(named, places)).toEqual([])
  })

  it('no page waits while its modules are evaluated: chunks that import each other would wait for ever', () => {
    expect(filesThatMatch(/^(\S.* )?await /m, /^src\/(devnet|chain-node)\//)).toEqual([])
  })

  it('pictures are decoded in decoder/ only', () => {
    const decodes = /createImageBitmap|ImageDecoder|new Image\(|<img(?! src="\/icons\/)/
    expect(filesThatMatch(decodes, /^src\/(decoder|devnet)\//)).toEqual([])
  })

  it('secrets are read in background/keys/ only', () => {
    expect(filesThatMatch(/\bvault\.(open|reveal|update)\(/, /^src\/background\/keys\//)).toEqual(
      [],
    )
  })

  it('randomness comes from crypto.getRandomValues alone, and nothing writes to the console', () => {
    expect(filesThatMatch(/Math\.random|pseudoRandomBytes/, /^src\/devnet\//)).toEqual([])
    const places = /^src\/(devnet\/|background\/primitives\/log\.ts$)/
    expect(filesThatMatch(/\bconsole\./, places)).toEqual([])
  })
})

function isTest(path: string): boolean {
  return /\.(test|e2e)\.tsx?$|\/(testing|examples)\//.test(path)
}

function inFolder(folder: string): string[] {
  return shipped.filter(path => path.startsWith(`src/${folder}/`))
}

function importsOf(path: string): Import[] {
  return imports.get(path) ?? []
}

/** The room of a file: the deepest row of its folder's table that holds it. */
function roomOf(path: string): string {
  const [, folder = '', ...rest] = dirname(path).split('/')
  const table = ROOMS[folder] ?? {}
  for (let depth = rest.length; depth > 0; depth--) {
    const room = rest.slice(0, depth).join('/')
    if (Object.hasOwn(table, room)) return room
  }
  return rest.length === 0 ? '.' : rest.join('/')
}

/** The strongly connected components of more than one file (Tarjan). */
function findCircles(): string[][] {
  const circles: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const visit = (path: string): number => {
    const at = index.size
    index.set(path, at)
    low.set(path, at)
    stack.push(path)
    for (const { target } of importsOf(path)) {
      if (target === null || !imports.has(target)) continue
      if (!index.has(target)) visit(target)
      if (stack.includes(target))
        low.set(path, Math.min(low.get(path) ?? at, low.get(target) ?? at))
    }
    if (low.get(path) === at) {
      const circle = stack.splice(stack.indexOf(path))
      if (circle.length > 1) circles.push(circle)
    }
    return at
  }
  for (const path of files) if (!index.has(path)) visit(path)
  return circles
}

function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(extname(entry.name)))
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort()
}

function filesThatMatch(pattern: RegExp, except: RegExp): string[] {
  return shipped.filter(
    path => !except.test(path) && pattern.test(stripComments(sources.get(path) ?? '')),
  )
}

function listImports(path: string): Import[] {
  const source = stripComments(sources.get(path) ?? '')
  const statement =
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g
  return [...source.matchAll(statement)].map(match => {
    const specifier = match[2] ?? match[3] ?? ''
    const target = specifier.startsWith('.')
      ? normalize(join(dirname(path), specifier.replace(/\?.*$/, '')))
      : null
    return { specifier, typeOnly: match[1] !== undefined, target }
  })
}

function stripComments(source: string): string {
  return source.replace(/(^|\s)\/\*[\s\S]*?\*\//g, '$1').replace(/(^|\s)\/\/.*$/gm, '$1')
}
