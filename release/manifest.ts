import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const BROWSERS = ['chrome', 'firefox'] as const
export type Browser = (typeof BROWSERS)[number]

export type Manifest = {
  manifest_version: 3
  name: string
  version: string
  [key: string]: unknown
}

type Keys = { readonly [key: string]: unknown }

/** One manifest for both browsers, which is Chrome's. */
export function readManifest(root: string, browser: Browser): Manifest {
  const manifest = JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8'))
  return browser === 'chrome' ? manifest : forFirefox(manifest)
}

/**
 * What Firefox has of Chrome's manifest: it has an event page and needs an id and a statement about data, and its sidebar is the
 * side panel of Chrome; it never says that the system is locked, so that it is not asked for `idle`. Before 154 it knows no sandboxed
 * pages: the decoder's is one of the extension's like any other there, which nothing but a frame's own sandbox holds off, and its
 * pages must let themselves be framed.
 */
export function forFirefox(manifest: Manifest): Manifest {
  const { minimum_chrome_version: _, sandbox: __, ...rest } = manifest
  const { side_panel, ...kept } = rest as typeof rest & FirefoxSources
  const pages = kept.content_security_policy.extension_pages
  return {
    ...kept,
    content_security_policy: {
      extension_pages: pages
        .replace("frame-ancestors 'none'", "frame-ancestors 'self'")
        .replace('trusted-types worker', "trusted-types 'none'"),
    },
    permissions: kept.permissions.filter(name => !CHROME_ONLY.includes(name)),
    sidebar_action: {
      default_panel: side_panel.default_path,
      default_title: kept.action.default_title,
      default_icon: kept.icons,
      open_at_install: false,
    },
    background: { scripts: [kept.background.service_worker] },
    browser_specific_settings: {
      gecko: {
        id: 'satchel@satchel.example',
        // The first that asks the person for what is declared below.
        strict_min_version: '140.0',
        // Addresses and transactions go to the servers of PRIVACY.md.
        data_collection_permissions: { required: ['financialAndPaymentInfo'] },
      },
    },
  }
}

/** What of Chrome's manifest becomes something else in Firefox's. */
type FirefoxSources = {
  content_security_policy: { extension_pages: string }
  permissions: string[]
  side_panel: { default_path: string }
  action: { default_title: string }
  icons: { [size: string]: string }
  background: { service_worker: string }
}

const CHROME_ONLY = ['idle', 'sidePanel']

/** Content scripts, as the manifest names them. */
export function listContentScripts(root: string): string[] {
  const { content_scripts } = JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8'))
  return content_scripts.flatMap(({ js }: { js: string[] }) => js)
}

/** The background, a script that the manifest names, and what it is made of. */
export const WORKER_SCRIPT = 'worker.js'
/** What the background reads when it is first asked for it; in Firefox, whose pages cannot, it is part of the first script. */
export const LATER_SCRIPT = 'worker-later.js'
export const WORKER_SOURCE = 'src/background/background.ts'

/** What runs in every page among its code, and of it what only a page needs that looks at the wallet: a module, and its export. */
export const PAGE_SCRIPT = 'src/inpage/inpage.iife.ts'
export const PAGE_WALLET = { path: 'src/inpage/page-wallet.ts', name: 'createPageWallet' }

/** The script of the sandboxed page, a file of its own that the page names. */
export const DECODER_SCRIPT = 'src/decoder/decoder.iife.ts'

/** Throws, with the key, where a built manifest has other powers than its source: bundlers write their own. */
export function assertSamePowers(built: Keys, source: Keys): void {
  for (const key of new Set([...Object.keys(built), ...Object.keys(source)])) {
    const [is, was] = [built, source].map(manifest => JSON.stringify(dropPaths(key, manifest[key])))
    if (is !== was) throw new Error(`The built manifest has ${key} ${is}, expected ${was}`)
  }
}

/** A value without the paths of scripts, which a build changes. */
function dropPaths(key: string, value: unknown): unknown {
  if (key === 'background') return Object.keys(value ?? {}).sort()
  if (key !== 'content_scripts') return value
  return (value as { [key: string]: unknown }[]).map(script =>
    Object.entries(script)
      .map(([name, of]) => [name, name === 'js' ? (of as string[]).length : of])
      .sort(),
  )
}
