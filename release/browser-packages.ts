import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { ManifestV3Export } from '@crxjs/vite-plugin'
import { deflateSync, Zip, type ZipInputFile } from 'fflate'
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

/** A zip's number for deflate (APPNOTE 4.4.5). */
const DEFLATED = 8

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
        const deflate = deflateOnce()
        for (const browser of BROWSERS) {
          const zip = zipFolder(join(dist, browser), deflate)
          writeFileSync(join(dist, `satchel-${browser}.zip`), zip)
        }
      },
    },
  }
}

function zipFolder(
  folder: string,
  deflate: (name: string, bytes: Buffer) => Uint8Array<ArrayBuffer>,
): Buffer {
  const paths = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  const parts: Uint8Array[] = []
  const zip = new Zip((error, part) => {
    if (error) throw error
    parts.push(part)
  })
  for (const path of paths) {
    const filename = path.slice(folder.length + 1)
    const bytes = readFileSync(path)
    const file: ZipInputFile = {
      filename,
      size: bytes.length,
      crc: crc32(bytes),
      compression: DEFLATED,
      mtime: new Date('2026-01-01T00:00:00'),
    }
    zip.add(file)
    file.ondata?.(null, deflate(filename, bytes), true)
  }
  zip.end()
  return Buffer.concat(parts)
}

/** The packages have nearly all files in common, and compressing them is what takes the time. */
function deflateOnce() {
  const known = new Map<string, { bytes: Buffer; deflated: Uint8Array<ArrayBuffer> }>()
  return (name: string, bytes: Buffer): Uint8Array<ArrayBuffer> => {
    const same = known.get(name)
    if (same?.bytes.equals(bytes)) return same.deflated
    const deflated = deflateSync(bytes, { level: 9 })
    known.set(name, { bytes, deflated })
    return deflated
  }
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
