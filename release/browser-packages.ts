import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ManifestV3Export } from '@crxjs/vite-plugin'
import { type Zippable, zipSync } from 'fflate'
import type { Plugin } from 'vite'
import type { AloneScripts } from './alone-scripts.ts'
import {
  BROWSERS,
  forFirefox,
  LATER_SCRIPT,
  type Manifest,
  readManifest,
  WORKER_SCRIPT,
} from './manifest.ts'

/**
 * What the manifest gets when all is built: the worker is built alone, and the others name a page of the extension with a query or
 * hash, which the plugin for the manifest takes for part of a file's name.
 */
const LATER_KEYS = ['background', 'side_panel', 'options_ui']

/** The manifest that the pages are built by. */
export function readFirstManifest(root: string): ManifestV3Export {
  const kept = Object.entries(readManifest(root, 'chrome')).filter(([key]) => !isLater(key))
  return Object.fromEntries(kept) as unknown as ManifestV3Export
}

/** Writes the rest of the manifest. */
export function wholeManifest(root: string): Plugin {
  return {
    name: 'whole-manifest',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const later = Object.entries(readManifest(root, 'chrome')).filter(([key]) => isLater(key))
      writeBuilt(dir, { ...readBuilt(dir), ...Object.fromEntries(later) })
    },
  }
}

/**
 * Firefox's package out of Chrome's, with the same files but a manifest of its own and all of the background in one script; and a zip
 * of each for the stores, the same bytes from the same files, so that anyone can check a release. `dist` holds what is built.
 */
export function browserPackages(dist: string, scripts: AloneScripts): Plugin {
  const [chrome, firefox] = [join(dist, 'chrome'), join(dist, 'firefox')]
  return {
    name: 'browser-packages',
    apply: 'build',
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        // A build that failed is closed as well.
        if (scripts.wholeWorker === null) return
        rmSync(firefox, { recursive: true, force: true })
        cpSync(chrome, firefox, {
          recursive: true,
          filter: path => basename(path) !== LATER_SCRIPT,
        })
        writeFileSync(join(firefox, WORKER_SCRIPT), scripts.wholeWorker)
        writeBuilt(firefox, forFirefox(readBuilt(chrome)))
        for (const browser of BROWSERS) {
          writeFileSync(join(dist, `satchel-${browser}.zip`), zipFolder(join(dist, browser)))
        }
      },
    },
  }
}

function zipFolder(folder: string): Uint8Array {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  const entries = files.map(path => [path.slice(folder.length + 1), readFileSync(path)])
  const tree: Zippable = Object.fromEntries(entries)
  return zipSync(tree, { level: 9, mtime: new Date('2026-01-01T00:00:00') })
}

function isLater(key: string): boolean {
  return LATER_KEYS.includes(key)
}

function readBuilt(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
}

function writeBuilt(folder: string, manifest: object): void {
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2))
}
