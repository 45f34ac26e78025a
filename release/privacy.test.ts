import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DEFAULT_SERVERS } from '../src/chain/open/servers.ts'
import { METHOD_NAMES } from '../src/provider/method-names.ts'
import { readManifest } from './manifest.ts'
import { listCode, listRequests, listSources, readRows, stripComments } from './privacy.ts'
import { SOURCE_USES } from './ways-out.ts'

const ROOT = join(import.meta.dirname, '..')
const text = readFileSync(join(ROOT, 'PRIVACY.md'), 'utf8')
const rows = readRows(text, 'Requests to servers')
const coded = listRequests(ROOT)
/** Everything that runs in a browser. */
const sources = listSources(join(ROOT, 'src'))
  .filter(path => !/^(devnet|chain-node)\//.test(path))
  .map(path => ({ path, source: stripComments(readFileSync(join(ROOT, 'src', path), 'utf8')) }))
const filesWith = (pattern: RegExp) =>
  sources.filter(({ source }) => pattern.test(source)).map(({ path }) => path)

describe('the table of requests', () => {
  it('has each request that the code can make, to the server that gets it', () => {
    const missing = coded.filter(
      ({ servers, request }) =>
        !rows.some(([to = '', told]) => servers.includes(to) && listCode(told).includes(request)),
    )
    expect(coded.length).toBeGreaterThan(40)
    expect(missing.map(({ file, request }) => `${file}: ${request}`)).toEqual([])
  })

  it('has no request that the code cannot make', () => {
    const untrue = rows.flatMap(([to = '', told]) =>
      listCode(told)
        .filter(name => !coded.some(one => one.request === name && one.servers.includes(to)))
        .map(name => `${to}: ${name}`),
    )
    expect(untrue).toEqual([])
  })

  it('says of each row what leaves, when, what it tells and how to keep it in', () => {
    for (const row of rows) {
      expect(row, row[1]).toHaveLength(6)
      for (const cell of row) expect(cell.length, row[1]).toBeGreaterThan(5)
    }
  })

  it('lacks one where the code can make another request, however it is written', () => {
    const root = mkdtempSync(join(tmpdir(), 'requests-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    mkdirSync(join(root, 'src/chain/ord'), { recursive: true })
    const source = `import { a } from '../a.ts'\n// get('/comment')\nget('/block')\nask(\`\${base}/sat/\${f({ n })}\`)\nconst json = 'application/json'\n`
    writeFileSync(join(root, 'src/chain/ord/sat.ts'), source)
    writeFileSync(join(root, 'src/chain/ord/sat.test.ts'), "get('/test')")
    expect(listRequests(root).map(({ request }) => request)).toEqual(['/block', '…/sat/…'])
  })

  it('knows whom every file that asks something asks', () => {
    expect(coded.filter(({ servers }) => servers.length === 0).map(({ file }) => file)).toEqual([])
  })

  it('names every server that is asked before the person chooses one', () => {
    const urls = Object.values(DEFAULT_SERVERS).flatMap(servers => Object.values(servers))
    const hosts = urls.filter(url => url.startsWith('https:')).map(url => new URL(url).host)
    const named = listCode(text).filter(name => /^[\w.]+\.(com|space)$/.test(name))
    expect([...new Set(named)].sort()).toEqual([...new Set(hosts)].sort())
  })
})

describe('the way to the network', () => {
  it('is two files of chain/access, the first through one function', () => {
    const sends = ['fetch', 'XMLHttpRequest', 'WebSocket', 'WebTransport', 'EventSource', 'beacon']
    const asking = Object.entries(SOURCE_USES).filter(([path, ways]) =>
      sends.some(way => way in ways && !path.startsWith('lockdown/')),
    )
    expect(asking.map(([path]) => path)).toEqual([
      'chain/access/http.ts',
      'chain/access/live-feed.ts',
    ])
    expect(filesWith(/\bsendRequest\(/)).toEqual([
      'chain/access/http.ts',
      'chain/access/server-access.ts',
    ])
  })

  it('is open to readers of servers alone, whose callers name what they ask', () => {
    const asking = filesWith(/\baccess\s*\.ask\(/).filter(path => path.startsWith('chain/'))
    expect(asking).toEqual([
      'chain/access/server-reader.ts',
      'chain/atomicals/atomicals-reader.ts',
      'chain/brc20/brc20-reader.ts',
    ])
    expect(filesWith(/\bcreateServerAccess\(/).filter(path => !path.startsWith('chain/'))).toEqual([
      'background/settings/servers.ts',
    ])
    const readers = /\bcreate(Server|Atomicals|Brc20)Reader\(/
    expect(filesWith(readers).filter(path => !path.startsWith('chain/'))).toEqual([])
  })

  it('is closed to everything but servers by the policy of both packages', () => {
    for (const browser of ['chrome', 'firefox'] as const) {
      const { extension_pages = '' } = readManifest(ROOT, browser).content_security_policy as {
        [key: string]: string
      }
      expect(extension_pages).toMatch(/^default-src 'none';/)
      expect(extension_pages).toContain("img-src 'self' data:;")
      expect(extension_pages).toContain("font-src 'self';")
      expect(extension_pages).toContain("form-action 'none';")
    }
  })
})

describe('what leaves by way of the browser', () => {
  it('is what the table has, with the files that do it', () => {
    const leaves =
      /storage\s*\??\s*\.sync\b|navigator\.credentials|target="_blank"|setUninstallURL|\.downloads\b|sendNativeMessage|connectNative|window\.open\(|clipboard\.write|notifications\.create\(|navigator\.share\(/
    const told = readRows(text, 'By way of the browser').flatMap(([, used]) => listCode(used))
    expect(told.sort()).toEqual(
      filesWith(leaves)
        .map(path => `src/${path}`)
        .sort(),
    )
  })

  it('opens pages of the extension itself, where nobody pressed a link', () => {
    const opened = sources.flatMap(({ source }) => source.match(/tabs\.create\(.{0,60}/g) ?? [])
    expect(opened.length).toBeGreaterThan(0)
    for (const call of opened) expect(call).toContain('runtime.getURL(')
  })
})

describe('what sites learn', () => {
  it('has a row for each operation of the provider, once', () => {
    const told = readRows(text, 'Sites').flatMap(([operations]) => listCode(operations))
    expect(told.sort()).toEqual([...METHOD_NAMES].sort())
  })

  it('is nothing but the network at any time, as in the code', () => {
    const open = readRows(text, 'Sites').filter(([, , when]) => when?.startsWith('at any time'))
    expect(open.flatMap(([operations]) => listCode(operations))).toEqual(['getNetwork'])
    const methods = sources.filter(({ path }) => path.startsWith('background/methods/'))
    const forAnyone = methods.flatMap(({ path, source }) =>
      (source.match(/access: 'anyone'/g) ?? []).map(() => path),
    )
    // Without a connection `getAccounts` gives none, the two of `connect` ask the person, and `disconnect` says nothing.
    expect(forAnyone).toEqual([
      'background/methods/account.ts',
      'background/methods/account.ts',
      'background/methods/connecting/connect.ts',
      'background/methods/connecting/connect.ts',
      'background/methods/disconnect.ts',
    ])
  })
})

describe('what the package for Firefox declares', () => {
  it('is what its requests say of a person', () => {
    const { browser_specific_settings } = readManifest(ROOT, 'firefox')
    expect(browser_specific_settings).toMatchObject({
      gecko: { data_collection_permissions: { required: ['financialAndPaymentInfo'] } },
    })
    expect(text).toContain('`financialAndPaymentInfo`')
  })
})
