import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assertSamePowers, type Browser, readManifest } from './manifest.ts'

const ROOT = join(import.meta.dirname, '..')
/** Storage and alarms give no power over anything but the extension itself. */
const NO_POWER = ['storage', 'alarms']
const BROWSERS = ['chrome', 'firefox'] as const
const read = (browser: Browser) => readManifest(ROOT, browser)

describe.each(BROWSERS)('the manifest for %s', browser => {
  const manifest = read(browser)

  it('asks for what the wallet uses and nothing else, each with a word in SECURITY.md', () => {
    const common = ['storage', 'unlimitedStorage', 'alarms', 'activeTab', 'scripting']
    const expected = browser === 'chrome' ? [...common, 'idle', 'sidePanel'] : common
    expect([...(manifest.permissions as string[])].sort()).toEqual(expected.sort())
    expect(manifest.host_permissions).toBeUndefined()
    expect(manifest.optional_permissions).toEqual(['notifications'])
    const security = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
    for (const name of [...expected, 'notifications'].filter(name => !NO_POWER.includes(name))) {
      expect(security).toContain(`*${name}*`)
    }
  })

  it('has the wallet beside the page, which opens when the person asks for it', () => {
    const page = 'src/popup/popup.html?panel'
    if (browser === 'chrome') return expect(manifest.side_panel).toEqual({ default_path: page })
    expect(manifest.side_panel).toBeUndefined()
    expect(manifest.sidebar_action).toMatchObject({ default_panel: page, open_at_install: false })
  })

  it('has a way to the choice of what the toolbar button opens that needs no toolbar button', () => {
    const page = 'src/popup/popup.html#/settings/display'
    expect(manifest.options_ui).toEqual({ page, open_in_tab: true })
  })

  it('keeps the wallet out of private windows', () => {
    expect(manifest.incognito).toBe('not_allowed')
  })

  it('shows pages no file, and lets no site and no extension talk to it but through its content scripts', () => {
    expect(manifest.web_accessible_resources).toBeUndefined()
    expect(manifest.externally_connectable).toBeUndefined()
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter(path => /\.tsx?$/.test(path))
      .map(path => readFileSync(join(ROOT, 'src', path), 'utf8'))
    expect(sources.length).toBeGreaterThan(500)
    expect(sources.filter(text => /on(Message|Connect)External/.test(text))).toEqual([])
  })

  it('lets pages of its own hold the page that decodes strangers’ pictures, and no site anything', () => {
    const { extension_pages, sandbox } = manifest.content_security_policy as {
      [key: string]: string
    }
    expect(extension_pages).toContain("default-src 'none'")
    expect(extension_pages).toContain("frame-src 'self';")
    // Firefox has no other policy for the page that is framed.
    const ancestors = browser === 'chrome' ? "'none'" : "'self'"
    expect(extension_pages).toContain(`frame-ancestors ${ancestors};`)
    // In Chromium the worker's own, which each page takes for itself before anything else can (src/lockdown).
    const policy = browser === 'chrome' ? 'worker' : "'none'"
    expect(extension_pages?.split('; ').slice(-2)).toEqual([
      ...["require-trusted-types-for 'script'", `trusted-types ${policy}`],
    ])
    if (browser === 'firefox')
      return expect([sandbox, manifest.sandbox]).toEqual([undefined, undefined])
    expect(manifest.sandbox).toEqual({ pages: ['src/decoder/decoder.html'] })
    expect(sandbox?.split('; ')).toEqual([
      'sandbox allow-scripts',
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
  })

  it('has its scripts in pages before any of theirs', () => {
    const scripts = manifest.content_scripts as { run_at: string }[]
    expect(scripts.map(({ run_at }) => run_at)).toEqual(['document_start', 'document_start'])
  })
})

describe('a built manifest', () => {
  const source = read('chrome')
  const built = {
    ...source,
    background: { service_worker: 'loader.js' },
    content_scripts: (source.content_scripts as object[]).map(script => ({
      ...script,
      js: ['built.js'],
    })),
  }

  it('may have other paths', () => {
    assertSamePowers(built, source)
  })

  it.each([
    ['web_accessible_resources', [{ resources: ['*'], matches: ['<all_urls>'] }]],
    ['host_permissions', ['<all_urls>']],
    ['permissions', [...(source.permissions as string[]), 'tabs']],
    ['optional_permissions', ['notifications', 'tabs']],
    ['incognito', undefined],
    ['sandbox', { pages: ['src/popup/popup.html'] }],
    ['content_security_policy', { extension_pages: "script-src 'self' 'unsafe-eval'" }],
    ['content_scripts', [...built.content_scripts, { matches: ['<all_urls>'], js: ['a.js'] }]],
  ])('may have no other %s', (key, value) => {
    expect(() => assertSamePowers({ ...built, [key]: value }, source)).toThrow(
      `The built manifest has ${key}`,
    )
  })
})
