import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Wallet } from '../driver/driver.ts'

/**
 * Chromium with an extension that has two scripts in every page that do nothing, one among the page's own and one apart, as the wallet
 * has: what Chromium itself takes for having any.
 */
export async function launchEmptyExtension(): Promise<Pick<Wallet, 'browser' | 'close'>> {
  const extensionDir = mkdtempSync(join(tmpdir(), 'satchel-empty-'))
  const remove = () => rmSync(extensionDir, { recursive: true, force: true })
  const when = { matches: ['http://*/*', 'https://*/*'], run_at: 'document_start' }
  const manifest = {
    manifest_version: 3,
    name: 'Empty',
    version: '1',
    background: { service_worker: 'worker.js' },
    content_scripts: [
      { ...when, js: ['inpage.js'], world: 'MAIN' },
      { ...when, js: ['content.js'] },
    ],
  }
  writeFileSync(join(extensionDir, 'manifest.json'), JSON.stringify(manifest))
  // A file without any code gets no world of its own.
  for (const name of ['worker', 'inpage', 'content'])
    writeFileSync(join(extensionDir, `${name}.js`), 'void 0')
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
