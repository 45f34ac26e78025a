import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Wallet } from '../driver/driver.ts'

/** Chromium with an extension whose content script is an empty file: what Chromium itself takes for having any. */
export async function launchEmptyExtension(): Promise<Pick<Wallet, 'browser' | 'close'>> {
  const extensionDir = mkdtempSync(join(tmpdir(), 'satchel-empty-'))
  const remove = () => rmSync(extensionDir, { recursive: true, force: true })
  const scripts = { matches: ['http://*/*'], js: ['empty.js'], run_at: 'document_start' }
  const manifest = {
    manifest_version: 3,
    name: 'Empty',
    version: '1',
    background: { service_worker: 'empty.js' },
    content_scripts: [scripts],
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
