import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listSources, stripComments } from './privacy.ts'
import {
  assertWaysOut,
  BUILT_USES,
  countBuiltWays,
  countWaysOut,
  SOURCE_USES,
  WAYS_OUT,
} from './ways-out.ts'

const ROOT = join(import.meta.dirname, '..')
/** Everything that runs in a browser. */
const sources = listSources(join(ROOT, 'src'))
  .filter(path => !/^(devnet|chain-node)\//.test(path))
  .map(path => ({ path, text: stripComments(readFileSync(join(ROOT, 'src', path), 'utf8')) }))

describe('the sources', () => {
  it('have no way out but those that are explained, and each of these', () => {
    const found = sources.flatMap(({ path, text }) =>
      Object.keys(countWaysOut(text)).map(way => `${path}: ${way}`),
    )
    const explained = Object.entries(SOURCE_USES).flatMap(([path, ways]) =>
      Object.keys(ways).map(way => `${path}: ${way}`),
    )
    expect(sources.length).toBeGreaterThan(500)
    expect(found.sort()).toEqual(explained.sort())
  })

  it('have pages whose addresses are all of the package', () => {
    for (const page of ['popup/popup.html', 'decoder/decoder.html']) {
      const text = readFileSync(join(ROOT, 'src', page), 'utf8')
      expect(Object.keys(countWaysOut(text))).toEqual(['element', 'address'])
    }
  })
})

/** Code that sends or loads something, as it is written and as a bundler leaves it. */
const SAMPLES: readonly (readonly [way: string, code: string])[] = [
  ['fetch', "await fetch('https://a.example')"],
  ['fetch', 'const ask=globalThis.fetch;ask(u)'],
  ['fetch', 'let{fetch:e}=globalThis'],
  ['fetch', 'globalThis["fetch"](u)'],
  ['fetch', 'fetchLater(u)'],
  ['XMLHttpRequest', 'let r=new XMLHttpRequest;r.open(`GET`,u)'],
  ['WebSocket', 'new globalThis.WebSocket(u)'],
  ['WebTransport', 'new WebTransport(u)'],
  ['EventSource', 'new EventSource(u)'],
  ['WebRTC', 'new RTCPeerConnection({iceServers:[]})'],
  ['beacon', 'navigator.sendBeacon(u,d)'],
  ['beacon', '<a ping={u}>'],
  ['worker', 'new Worker(u)'],
  ['worker', 'new SharedWorker(u)'],
  ['worker', 'navigator.serviceWorker.register(u)'],
  ['worker', 'CSS.paintWorklet.addModule(u)'],
  ['another script', 'importScripts(u)'],
  ['another script', "import('https://a.example/a.js')"],
  ['another script', 'import(`//a.example/a.js`)'],
  ['another script', 'import(`./$' + '{name}.js`)'],
  ['another script', 'await import(name)'],
  ['another program', 'navigator.connect(u)'],
  ['another program', 'chrome.runtime.connectNative("a")'],
  ['tab', 'chrome.tabs.create({url:u})'],
  ['tab', 'browser.windows\n  .create({ url })'],
  ['tab', 'window.open(u)'],
  ['tab', 'open("https://a.example")'],
  ['place', 'location.href = u'],
  ['place', 'window.location=u'],
  ['place', 'location.replace(u)'],
  ['download', 'browser.downloads.download({url:u})'],
  ['download', 'runtime.setUninstallURL(u)'],
  ['push', 'r.pushManager.subscribe()'],
  ['element', '<img alt="" src={u} />'],
  ['element', '<link rel="stylesheet" href={u} />'],
  ['element', '<iframe title="a" />'],
  ['element', '(0,x.jsx)(`img`,{src:u})'],
  ['element', 'document.createElement("img")'],
  ['element', 'new Image'],
  ['element', 'd.preload(u,{as:"image"}),l.rel="preload"'],
  ['address', 'e.src=u'],
  ['address', 'a.href=u,a.click()'],
  ['address', 'e.setAttribute("src",u)'],
  ['address', 'e.setAttribute(n,u)'],
  ['address', '<video src={u} />'],
  ['address', '<form method="post" action={u}>'],
  ['HTML', 'e.innerHTML=h'],
  ['HTML', '<p dangerouslySetInnerHTML={{ __html }} />'],
  ['address in a style', 'a{background:url(https://a.example/a.png)}'],
  ['address in a style', '@import "a.css"'],
  ['address elsewhere', '<script src="https://a.example/a.js"></script>'],
  ['address elsewhere', '<link href="//a.example/a.css">'],
  ['link', '<a target="_blank" href={u}>'],
]

describe('a way out', () => {
  it.each(SAMPLES)('of the kind “%s” is seen in %s', (way, code) => {
    expect(Object.keys(countWaysOut(code))).toContain(way)
  })

  it('has a sample of each kind', () => {
    expect([...new Set(SAMPLES.map(([way]) => way))].sort()).toEqual(Object.keys(WAYS_OUT).sort())
  })

  it.each([
    'const prefetched = refetch(a) ?? fetchTip(b)',
    "import('./popup.tsx')",
    'await import(`./shared-1.js`)',
    'async import(e){}',
    'connections.open(port)',
    'const parsed = new WeakMap<object, Vault>()',
    '<TransferForm action={words(1)} />',
    "field.setAttribute('open', '')",
    'background: url("data:image/svg+xml,a")',
    "words('downloads')",
    'event.target===t.current',
  ])('is not taken for one in %s', code => {
    expect(countWaysOut(code)).toEqual({})
  })
})

describe('a build', () => {
  const make = (changes: { [path: string]: string } = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'ways-out-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const files = { 'worker.js': 'fetch(u)', 'assets/first-a1.js': 'a()', 'notice-de.js': 'b()' }
    for (const [path, text] of Object.entries({ ...files, ...changes })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return countBuiltWays(folder)
  }
  const uses = { worker: { fetch: { count: 1, why: 'a reason' } } }
  const check = (changes?: { [path: string]: string }) => assertWaysOut(make(changes), uses)

  it('passes with the ways out that are explained', () => {
    expect(() => check()).not.toThrow()
    expect(() => check({ 'worker.js': 'a()', 'worker-later.js': 'fetch(u)' })).not.toThrow()
  })

  it.each([
    [{ 'assets/shared-2.js': 'new WebSocket(u)' }, 'pages has WebSocket 1 times, expected 0'],
    [{ 'worker-later.js': 'fetch(v)' }, 'worker has fetch 2 times, expected 1'],
    [{ 'worker.js': 'a()' }, 'worker has fetch 0 times, expected 1'],
    [{ 'notice-de.js': 'fetch(u)' }, 'notice-de.js has fetch 1 times, expected 0'],
    [{ 'assets/a.css': 'a{b:url(//a.example/b)}' }, 'styles has address elsewhere 1 times'],
    [{ 'a.html': '<img src="https://a.example/b">' }, 'html has address elsewhere 1 times'],
  ])('with %j fails', (changes, fault) => {
    expect(() => check(changes as { [path: string]: string })).toThrow(fault)
  })

  it('may have nothing in its pages that asks a server, nor in the words of notifications', () => {
    const asks = ['fetch', 'XMLHttpRequest', 'WebSocket', 'WebTransport', 'EventSource', 'WebRTC']
    for (const way of [...asks, 'beacon', 'worker', 'another script', 'address elsewhere']) {
      expect(BUILT_USES.pages?.[way], way).toBeUndefined()
    }
    expect(Object.keys(BUILT_USES)).toEqual(['worker', 'lockdown', 'pages', 'styles', 'html'])
  })
})
