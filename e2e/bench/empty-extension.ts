import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Wallet } from '../driver/driver.ts'

/**
 * Chromium with an extension that has two empty scripts in every page, one among the page's own and one apart, as the wallet
 * has: what Chromium itself takes for having any.
 */
export async function launchEmptyExtension(): Promise<Pick<Wallet, 'browser' | 'close'>> {
  const extensionDir = mkdtempSync(join(tmpdir(), 'satchel-empty-'))
  const remove = () => rmSync(extensionDir, { recursive: true, force: true })
  const apart = {
    matches: ['http://*/*', 'https://*/*'],
    js: ['empty.js'],
    run_at: 'document_start',
  }
  const manifest = {
    manifest_version: 3,
    name: 'Empty',
    version: '1',
    background: { service_worker: 'empty.js' },
    content_scripts: [{ ...apart, world: 'MAIN' }, apart],
  }
  writeFileSync(join(extensionDir, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(extensionDir, 'empty.js'), '')
  try {
    const { browser, close } = await launch({ browser: 'chromium', extensionDir })
    return {
      browser,
      async close() {
        await close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
