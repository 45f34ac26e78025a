import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpack } from '../clean-build.ts'

/** Has Chromium pack the extension, which it refuses where it would refuse to load it. The packed file is thrown away, and its key with it. */
export function packWithChromium(chromium: string, zip: string): void {
  const place = mkdtempSync(join(tmpdir(), 'satchel-pack-'))
  try {
    const folder = join(place, 'extension')
    unpack(zip, folder)
    const { stderr, status } = spawnSync(
      chromium,
      [
        ...['--headless', '--no-sandbox', '--no-first-run', '--disable-gpu'],
        `--user-data-dir=${join(place, 'profile')}`,
        `--pack-extension=${folder}`,
      ],
      { encoding: 'utf8', timeout: 60_000 },
    )
    const packed = `${folder}.crx`
    const isPacked = existsSync(packed) && readFileSync(packed).subarray(0, 4).toString() === 'Cr24'
    if (!isPacked) throw new Error(`Chromium does not pack the extension (${status}): ${stderr}`)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
